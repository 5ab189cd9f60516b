"""The laboratory: batches of games between players, planned, played in parallel, counted and drawn."""

from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play.observer import DealtGame, Observer

__all__ = ["DealtGame", "Experiment", "Observer", "Plan"]
