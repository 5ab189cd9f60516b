"""Boards and decks, in JSON; read by :mod:`cluedo.board`."""

if __name__ != "cluedo.maps":
    raise ImportError("import cluedo.maps, not maps: two copies of one module would have two sets of classes")
