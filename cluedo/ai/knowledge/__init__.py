"""What a detective can deduce, how likely the rest is, why, and what to ask next.

The :class:`Evidence` comes from the events of a game, as a seat sees them, or from a case log. Three classes draw
conclusions from it: :class:`Notebook` quickly, but not all of them; :class:`SatDeducer` all of them; and
:class:`Posterior` gives the probability of the rest. The last one imports numba, and compiles its kernels when it is
first asked after the installation. :class:`SeatKnowledge` puts the last two together.
"""

from cluedo.ai.knowledge.caselog import CaseLog, CaseLogError, Setting, case_log, read_case_log
from cluedo.ai.knowledge.evidence import Evidence, EvidenceReader, Fact, Given, InconsistentEvidence, Premise
from cluedo.ai.knowledge.gains import entropy, gain, sampled_gains
from cluedo.ai.knowledge.models import CHOICE, HIDERS, KINDS, MODELS, UNIFORM, AskerKind, Model, model_named
from cluedo.ai.knowledge.notebook import Notebook
from cluedo.ai.knowledge.posterior import Posterior, TooManyDeals
from cluedo.ai.knowledge.reasons import Explanation, explain
from cluedo.ai.knowledge.sat import SatDeducer
from cluedo.ai.knowledge.seat_knowledge import Best, Proof, SeatKnowledge
from cluedo.engine.cards import Triple

__all__ = [
    "CHOICE",
    "HIDERS",
    "KINDS",
    "MODELS",
    "UNIFORM",
    "AskerKind",
    "Best",
    "CaseLog",
    "CaseLogError",
    "Evidence",
    "EvidenceReader",
    "Explanation",
    "Fact",
    "Given",
    "InconsistentEvidence",
    "Model",
    "Notebook",
    "Posterior",
    "Premise",
    "Proof",
    "SatDeducer",
    "SeatKnowledge",
    "Setting",
    "TooManyDeals",
    "Triple",
    "case_log",
    "entropy",
    "explain",
    "gain",
    "model_named",
    "read_case_log",
    "sampled_gains",
]
