"""The faces of the mansion."""

if __name__ != "cluedo.cli":
    raise ImportError("import cluedo.cli, not cli: two copies of one module would have two sets of classes")
