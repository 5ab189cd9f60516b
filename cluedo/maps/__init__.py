"""Boards and decks, in JSON; read by :mod:`cluedo.engine.board`."""
