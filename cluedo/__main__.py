"""``python -m cluedo``."""

from cluedo.cli import main

main()
