"""Draw: boards, plots and animations."""
