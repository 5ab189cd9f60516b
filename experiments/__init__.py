"""The laboratory: batches of games between players, planned, played in parallel, counted and drawn."""

if __name__ != "cluedo.experiments":
    raise ImportError(
        "import cluedo.experiments, not experiments: two copies of one module would have two sets of classes"
    )

from cluedo.experiments.experiment import Experiment
from cluedo.experiments.plan import Plan

__all__ = ["Experiment", "Plan"]
