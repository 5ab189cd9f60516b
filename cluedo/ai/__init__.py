"""The players: one file per level, the registry of levels, and the match that lets players play."""
