"""The laboratory: batches of games between players, planned, played in parallel, counted and drawn."""

from cluedo.experiments.experiment import Experiment
from cluedo.experiments.plan import Plan

__all__ = ["Experiment", "Plan"]
