"""``cluedo solve``: what follows from a case log, how likely the rest is, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cluedo.cli.compiling import tell_compiling
from cluedo.cli.options import DEFAULT_MODEL, WeighedBy
from cluedo.cli.terminal import Terminal
from cluedo.engine.errors import CluedoError
from cluedo.language import tr, tr_count
from cluedo.session.figures import envelope_first
from cluedo.session.files import print_json

if TYPE_CHECKING:  # the detective is slow to import, and the other commands do not need it
    from cluedo.ai.knowledge import CaseLog, Evidence, Explanation, SeatKnowledge, Setting, Triple
    from cluedo.engine.cards import Deck

__all__ = ["solve"]


def solve(
    file: Annotated[Path, typer.Argument(metavar="LOG", help="A case log (JSON).")],
    why: Annotated[
        list[str] | None,
        typer.Option(metavar="CARD=PLACE", help='Say why instead, e.g. "Rope=envelope"; can be repeated.'),
    ] = None,
    model: WeighedBy = DEFAULT_MODEL,
    to: Annotated[int | None, typer.Option(min=0, help="Stop after this many entries.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Deduce everything from a case log: the sheet, the deals left, the odds and what to ask next.

    The log's map is the name of a built-in map, or the path of a map file as seen from the working directory.

    With --why: the facts that prove that the card is, or is not, at the place
    (a player or the envelope); or, if that is open, a deal in which it is
    there and one in which it is not. As JSON a list of objects: card, place, proved (true, false, or null if open), p
    (the probability), facts (entries by number, cards by name) and text.
    """
    from cluedo.ai.knowledge import SeatKnowledge, model_named
    from cluedo.ai.knowledge.kernels.detective_kernels import interpreted_at_first, kernels_of_an_answer

    weighed_by = model_named(model)
    log, evidence = _read(file, to)
    terminal = Terminal()
    known = SeatKnowledge(evidence, weighed_by)
    with interpreted_at_first():
        with tell_compiling(expected=kernels_of_an_answer):
            if why:
                pairs = [_pair(text, log.setting) for text in why]
                answers = [known.why(card, place, seconds=1.0) for card, place in pairs]
                if as_json:
                    print_json([_explanation_json(answer, evidence) for answer in answers])
                else:
                    _print_reasons(terminal, answers)
                return
            found = _knowledge_json(known)  # nothing is left to compile, or to find out, while it is printed
        if as_json:
            print_json(found)
            return
        from cluedo.cli.sheet import print_knowledge

        terminal.say(_title(log, to), style="bold")
        terminal.say()
        print_knowledge(terminal, known)


def _read(file: Path, to: int | None) -> tuple[CaseLog, Evidence]:
    """The log, and the consistent evidence of its first entries."""
    from cluedo.session.case.case import read_case

    log, _ = read_case(file)
    entries = len(log.entries)
    with CluedoError.around("{file}: {error}", file=file):
        if to is not None and to > entries:
            raise CluedoError("there is no entry {to}: the log has {entries}", to=to, entries=entries)
        return log, log.consistent(to)


def _title(log: CaseLog, to: int | None) -> str:
    """What has been read, and whose knowledge it is."""
    setting, entries = log.setting, len(log.entries)
    if to in (None, entries):
        part = tr_count("{count} entry", "{count} entries", entries)
    else:
        part = tr_count("the first {read} of {count} entry", "the first {read} of {count} entries", entries, read=to)
    who = tr("a spectator") if setting.me is None else setting.names[setting.me]
    return tr("{title}: {entries}, as {who} knows them", title=setting.board.title, entries=part, who=who)


def _pair(text: str, setting: Setting) -> tuple[int, int]:
    """The card and the place of ``CARD=PLACE``."""
    from cluedo.session.case.setup import read_pair

    with CluedoError.around("--why {what!r}: {error}", what=text):
        return read_pair(text, setting)


def _print_reasons(terminal: Terminal, answers: list[Explanation]) -> None:
    for number, answer in enumerate(answers):
        if number:
            terminal.say()
        for line in answer.lines:
            terminal.say(tr(line))


_BEST = 3


def _knowledge_json(known: SeatKnowledge) -> dict[str, Any]:
    """Deals, the sheet, proofs, envelopes and the best hypotheses, by name in the order of the deck."""
    evidence, deck = known.evidence, known.evidence.deck
    table = _sheet_json(evidence, known.chances)
    found = {
        "deals": known.deals,
        "cards": table,
        "proved": [[card, at, p == 1.0] for card, row in table.items() for at, p in row.items() if p in (0.0, 1.0)],
        "envelopes": [{"cards": _named(triple, deck), "p": p} for triple, p in known.envelopes],
        "best": [{"cards": _named(best.cards, deck), "bits": best.bits} for best in known.best(_BEST)],
    }
    return found if known.exact else {**found, "sampled": _sampled(known)}


def _sampled(known: SeatKnowledge) -> dict[str, Any]:
    """The errors of sampled numbers (half the 95 % intervals), for JSON; that of the deals is relative."""
    return {
        "deals": known.deals_error,
        "cards": _sheet_json(known.evidence, known.errors.tolist()),
        "envelopes": [known.envelope_error(triple) for triple, _ in known.envelopes],
    }


def _sheet_json(evidence: Evidence, figures: Iterable[Sequence[float | None]]) -> dict[str, dict[str, float | None]]:
    """Figures by card and place, by name, the envelope first."""
    heads = envelope_first(evidence.place_names)
    cards = zip(evidence.deck.names, figures, strict=True)
    return {card: dict(zip(heads, envelope_first(row), strict=True)) for card, row in cards}


def _explanation_json(explanation: Explanation, evidence: Evidence) -> dict[str, Any]:
    """An answer to ``--why``: entries by number, my own cards and those that lie open by name."""
    from cluedo.ai.knowledge import Fact

    facts = [fact.turn if isinstance(fact, Fact) else evidence.deck.names[fact.card] for fact in explanation.facts]
    return {
        "card": evidence.deck.names[explanation.card],
        "place": evidence.place_names[explanation.place],
        "proved": explanation.proved,
        "p": explanation.probability,
        "facts": facts,
        "text": explanation.text,
    }


def _named(triple: Triple, deck: Deck) -> list[str]:
    return [deck.names[card] for card in triple]
