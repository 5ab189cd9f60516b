"""The kernels of the detective: interpreted at first, they give the same numbers as machine code, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.cases import some

import cluedo
from cluedo.ai.knowledge import CHOICE, KINDS, UNIFORM, Evidence
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.ai.knowledge.kernels import compiled, solve
from cluedo.ai.knowledge.kernels.compiled import Kernel
from cluedo.ai.knowledge.kernels.detective_kernels import DETECTIVE_KERNELS, interpreted_at_first, kernels_of_an_answer
from cluedo.ai.knowledge.posterior import Posterior
from cluedo.session.case.case import Case

CASE = Path("examples/case.json")


def positions() -> list[Evidence]:
    """What a seat knows after each event of a case, and in the middle of games of three to six."""
    log = Case.load(CASE).log
    found = [log.consistent(events) for events in range(len(log.entries) + 1)]
    for seats in (3, 4, 6):
        game = cluedo.play("classic", ["hard"] * seats, seed=seats)._game
        for _ in range(len(game.commands) // 2):
            game.undo()
        found += [EvidenceReader(game.view(seat)).evidence for seat in range(seats)]
    return found


def answers(evidence: Evidence, model) -> tuple[bytes, bytes, int]:
    """All that a posterior says, bit for bit."""
    posterior = Posterior(evidence, model)
    return posterior.marginals.tobytes(), posterior.joint.tobytes(), posterior.deals


@pytest.mark.slow
@pytest.mark.parametrize("model", [UNIFORM, CHOICE, KINDS], ids=["uniform", "choice", "kinds"])
def test_interpreted_answers_are_those_of_machine_code(model, monkeypatch):
    found = some(positions(), 3)
    fast = [answers(evidence, model) for evidence in found]
    calls: list[str] = []
    interpret = Kernel._interpret

    def counted(kernel, *args):
        calls.append(kernel.function.__name__)
        return interpret(kernel, *args)

    monkeypatch.setattr(Kernel, "ready", False)
    monkeypatch.setattr(Kernel, "_interpret", counted)
    monkeypatch.setattr(compiled._spent, "seconds", -np.inf)
    with interpreted_at_first():
        assert [answers(evidence, model) for evidence in found] == fast
    assert calls.count("solve") >= len(found)
    assert calls.count("mixed_joint") == len(found)


def test_the_modules_of_the_detectives_kernels_have_them_all():
    first = compiled.outermost(DETECTIVE_KERNELS)
    assert {solve.solve, solve.mixed_joint, solve.mixed_sample} <= set(first)
    assert solve._prepare not in first
    assert set(kernels_of_an_answer()) <= set(first)
