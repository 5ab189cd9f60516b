"""The laboratory: batches of games between players, planned, played in parallel, counted and drawn.

Its folders say its way: ``plan`` (experiment files, and the games that follow from them), ``play`` (chunks of games,
the processes that play them, observers), ``store`` (folders of results), ``read`` (counts, statistics, SQL),
``draw`` (pictures) and ``report`` (the page). The names below are what programs outside of it use.
"""

from cluedo.experiments.plan.experiment import Experiment, ExperimentError
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.rows.observer import DealtGame, ObservedSeat, Observer, ObserverError

__all__ = ["DealtGame", "Experiment", "ExperimentError", "ObservedSeat", "Observer", "ObserverError", "Plan"]
