"""What terminal, full screen and pages share: games with people in them, saved games, replays, and all sentences."""
