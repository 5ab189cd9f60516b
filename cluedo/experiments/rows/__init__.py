"""Rows: what is kept of each game, and observers, which add columns to it."""
