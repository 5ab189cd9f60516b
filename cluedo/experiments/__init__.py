"""The laboratory: batches of games between players, planned, played in parallel, counted and drawn."""

from cluedo.experiments.experiment import Experiment
from cluedo.experiments.observer import DealtGame, Observer
from cluedo.experiments.plan import Plan

__all__ = ["DealtGame", "Experiment", "Observer", "Plan"]
