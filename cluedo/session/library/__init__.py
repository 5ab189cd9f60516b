"""For programs in Python: ``cluedo.play`` plays a game, ``cluedo.compare`` plays many and tells who is better."""
