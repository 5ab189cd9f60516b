"""The game itself: a mansion from JSON, the rules, commands, events, views and records."""
