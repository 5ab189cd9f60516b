"""Bots to begin with, one in each language: `cluedo bot new` writes a copy."""
