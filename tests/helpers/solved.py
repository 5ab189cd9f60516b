"""What ``cluedo solve --json`` found, against the solvers."""

from __future__ import annotations

from typing import Any

import pytest

from cluedo.ai.knowledge import Evidence, SatDeducer


def check_parts(found: dict[str, Any], evidence: Evidence) -> None:
    """That the parts of the JSON agree with each other, and with what a solver proves."""
    solver, deck = SatDeducer(evidence), evidence.deck
    pairs = [(card, place) for card in range(deck.size) for place in range(evidence.seats + 1)]
    proved = {(deck.names[card], evidence.place_names[place]): solver.status(card, place) for card, place in pairs}
    known = {pair: true for pair, true in proved.items() if true is not None}
    assert {(card, place): true for card, place, true in found["proved"]} == known
    for (card, place), true in proved.items():
        p = found["cards"][card][place]
        assert p == true if true is not None else 0.0 < p < 1.0
    chances = [envelope["p"] for envelope in found["envelopes"]]
    assert chances == sorted(chances, reverse=True)
    assert min(chances) > 0.0
    assert sum(chances) == pytest.approx(1.0)
    for card, places in found["cards"].items():
        inside = sum(envelope["p"] for envelope in found["envelopes"] if card in envelope["cards"])
        assert inside == pytest.approx(places["envelope"], abs=1e-9)
    assert len(found["best"]) == (0 if evidence.me is None else 3)
    gains = [best["bits"] for best in found["best"]]
    assert gains == sorted(gains, reverse=True)
