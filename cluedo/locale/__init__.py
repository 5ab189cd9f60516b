"""What is said, in other languages than English."""
