"""The laboratory: batches of games between players, planned, played in parallel, counted and drawn."""

if __name__ != "cluedo.experiments":
    raise ImportError(
        "import cluedo.experiments, not experiments: two copies of one module would have two sets of classes"
    )

from cluedo.experiments.plan import Plan
from cluedo.experiments.runner import run
from cluedo.experiments.summary import Tally

__all__ = ["Plan", "Tally", "run"]
