"""The laboratory of the mansion."""

if __name__ != "cluedo.experiments":
    raise ImportError("import cluedo.experiments, not experiments: two copies of one module would have two sets of classes")
