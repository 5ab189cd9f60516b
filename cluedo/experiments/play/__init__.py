"""Play: chunks of games, handed out to workers on this machine or a cluster."""
