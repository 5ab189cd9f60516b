"""Programs that fit the constants of the players and of the detective to games, or check them on other deals.

They are no part of the package. Each is run from the root of the repository: ``python -m research.NAME``. What each
fits and found is on the page docs/explanation/research.md.
"""
