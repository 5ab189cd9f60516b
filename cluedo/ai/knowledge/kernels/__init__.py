"""The compiled parts of the detective: exact counts, draws, what questions tell, and what opponents can know."""
