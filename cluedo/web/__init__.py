"""Pages: the one that replays a game, and the one that serves the screens."""
