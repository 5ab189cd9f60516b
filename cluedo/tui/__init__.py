"""The full screens: a game played or replayed, the assistant, and the puzzle of the day."""
