"""The players of the mansion."""

if __name__ != "cluedo.ai":
    raise ImportError("import cluedo.ai, not ai: two copies of one module would have two sets of classes")
