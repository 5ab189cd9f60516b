"""Cluedo."""
