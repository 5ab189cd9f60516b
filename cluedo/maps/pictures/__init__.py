"""Drawings of suspects, in the colour of their pawn, and of weapons: one SVG each, 48 by 48 units."""
