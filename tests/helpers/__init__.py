"""What several tests need: builders, oracles, hostile players, drivers of screens and pages."""
