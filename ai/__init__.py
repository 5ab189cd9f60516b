"""The players: one file per level, the registry of levels, and the match that lets players play."""

if __name__ != "cluedo.ai":
    raise ImportError("import cluedo.ai, not ai: two copies of one module would have two sets of classes")
