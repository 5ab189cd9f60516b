"""The laboratory: batches of games between players, planned, played in parallel, counted and drawn.

Its folders, each of which imports only those before it: ``plan`` (experiment files, and the games that follow from
them), ``rows`` (what is kept of a game, observers), ``store`` (folders of results), ``read`` (counts, statistics, SQL),
``draw`` (drawings), ``play`` (chunks of games, and the processes that play them) and ``report`` (the page). The names
below are what programs outside of it use.
"""

from cluedo.experiments.plan.experiment import Experiment, ExperimentError
from cluedo.experiments.plan.part import Part
from cluedo.experiments.rows.observer import DealtGame, ObservedSeat, Observer, ObserverError

__all__ = ["DealtGame", "Experiment", "ExperimentError", "ObservedSeat", "Observer", "ObserverError", "Part"]
