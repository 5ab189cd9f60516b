"""What a detective can deduce, and how likely the rest is."""
