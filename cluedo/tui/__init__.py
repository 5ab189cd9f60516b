"""The full-screen faces: a game played, replayed, or followed at a real table."""
