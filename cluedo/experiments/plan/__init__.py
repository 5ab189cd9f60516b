"""Plan: from an experiment file to the parts and games of an experiment."""
