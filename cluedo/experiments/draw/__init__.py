"""Draw: boards, win rates and animations, and the look that pictures share."""
