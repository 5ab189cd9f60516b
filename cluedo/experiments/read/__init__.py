"""Read: results by SQL, and what is counted in them."""
