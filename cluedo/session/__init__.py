"""What all faces share: games with people in them, how they are kept, replayed and told. No screen, no page."""
