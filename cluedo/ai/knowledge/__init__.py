"""What a detective can deduce, how likely the rest is, why, and what to ask next.

The evidence comes from the events of a game, as a seat sees them, or from a case log. Three engines
read it: :class:`Notebook` (unit rules: quick, incomplete), :class:`SatDeducer` (complete) and
:class:`Posterior` (exact probabilities; it imports numba, and compiles once after installation, when
first asked).
"""

from cluedo.ai.knowledge.caselog import CaseLog, CaseLogError, Setting, case_log, read_case_log
from cluedo.ai.knowledge.evidence import Evidence, Fact, InconsistentEvidence, Open, Own, Premise
from cluedo.ai.knowledge.gains import best_hypotheses, entropy, gain, sampled_gains
from cluedo.ai.knowledge.known import Best, Proof, SeatKnowledge
from cluedo.ai.knowledge.models import CHOICE, KINDS, MODELS, READING, UNIFORM, AskerKind, Habits, Model
from cluedo.ai.knowledge.notebook import Notebook
from cluedo.ai.knowledge.posterior import Posterior, TooManyDeals
from cluedo.ai.knowledge.reader import EvidenceReader
from cluedo.ai.knowledge.reasons import Explanation, explain
from cluedo.ai.knowledge.sat import SatDeducer
from cluedo.engine.cards import Triple

__all__ = [
    "CHOICE",
    "KINDS",
    "MODELS",
    "READING",
    "UNIFORM",
    "AskerKind",
    "Best",
    "CaseLog",
    "CaseLogError",
    "Evidence",
    "EvidenceReader",
    "Explanation",
    "Fact",
    "Habits",
    "InconsistentEvidence",
    "Model",
    "Notebook",
    "Open",
    "Own",
    "Posterior",
    "Premise",
    "Proof",
    "SatDeducer",
    "SeatKnowledge",
    "Setting",
    "TooManyDeals",
    "Triple",
    "best_hypotheses",
    "case_log",
    "entropy",
    "explain",
    "gain",
    "read_case_log",
    "sampled_gains",
]
