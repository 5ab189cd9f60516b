"""The detective's sheet, and the rest of what ``cluedo solve`` prints for people."""

from __future__ import annotations

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from cluedo.ai.knowledge import SeatKnowledge
from cluedo.cli.terminal import Terminal
from cluedo.engine.cards import Category
from cluedo.language import tr, tr_count
from cluedo.session.best_rooms import RoomQuestion
from cluedo.session.figures import cell_sign, deal_count, envelope_first, model_line, sampled_note, titles, with_error

__all__ = ["print_knowledge", "sheet_table"]

_STYLES = {"yes": "bold green", "no": "dim", "open": "yellow"}
_LIKELIEST = 5
_BEST = 3
_LEAST_NAME, _MOST_NAME = 8, 24  # columns for the names of the cards
_LEAST = 5  # columns for a place: a percentage is never cut, rather the sheet is printed in parts


def print_knowledge(terminal: Terminal, known: SeatKnowledge) -> None:
    """Print the sheet, the deals, the likeliest envelopes, the best hypotheses, and where numbers come from."""
    evidence, deals = known.evidence, known.deals
    places = envelope_first(range(evidence.places))
    most = max(1, (terminal.width - _LEAST_NAME) // (_LEAST + 1))
    for first in range(0, len(places), most):
        if first:
            terminal.say()
        terminal.table(sheet_table(known, places[first : first + most], terminal.width))
    terminal.say(_signs(known), style="dim")
    terminal.say()
    if deals is None:
        terminal.say(sampled_note(known))
        return
    if known.exact:
        terminal.say(tr_count("One deal is left.", "{count:,} deals are left.", deals), style="bold")
    else:
        terminal.say(sampled_note(known))
        terminal.say(tr("Left: {deals}.", deals=deal_count(known)), style="bold")
    _print_envelopes(terminal, known)
    _print_best(terminal, known)
    terminal.say()
    terminal.say(model_line(known.model))


def _signs(known: SeatKnowledge) -> str:
    """What the sheet's signs mean."""
    if known.deals is None:
        signs = tr("✓ is there, ✗ is not; ? is open.")
    else:
        signs = tr("✓ is there, ✗ is not; else how likely it is.")
    return signs if known.evidence.me is None else f"{signs} {tr('* is you.')}"


def _head(known: SeatKnowledge, place: int) -> str:
    """What a place is called; my own seat with a star."""
    return titles(known.evidence.place_names)[place] + "*" * (place == known.evidence.me)


def _print_envelopes(terminal: Terminal, known: SeatKnowledge) -> None:
    envelopes = known.envelopes
    if len(envelopes) == 1:
        terminal.say(
            tr("The envelope is proved: {cards}.", cards=known.evidence.deck.listed(envelopes[0][0])), style="bold"
        )
        return
    shown = envelopes[:_LIKELIEST]
    most = tr("the likeliest") if len(shown) < len(envelopes) else tr("by likelihood")
    terminal.say(tr("{count:,} envelopes are possible; {most}:", count=len(envelopes), most=most))
    for triple, p in shown:
        share = with_error(p, known.envelope_error(triple))
        terminal.say(f"{share:>8}  {known.evidence.deck.listed(triple)}")


def _print_best(terminal: Terminal, known: SeatKnowledge) -> None:
    best = known.best(_BEST)
    if not best or known.certain:
        return
    terminal.say(tr("The best hypotheses, and what their answers do to the envelopes:"))
    for triple, bits in best:
        terminal.say(f"  {RoomQuestion(triple, bits, None).told(known)}")


def sheet_table(known: SeatKnowledge, places: list[int], width: int) -> Table:
    """Cards by category, and some of the places that they can be at; my own seat with a star."""
    evidence = known.evidence
    deck = evidence.deck
    heads = [_head(known, place) for place in places]
    wanted = [max(cell_len(head), _LEAST) for head in heads]
    longest = min(max(map(cell_len, deck.names)), _MOST_NAME) + 1
    gap = 2 if longest + sum(wanted) + 2 * len(heads) <= width else 1
    names = max(_LEAST_NAME, min(longest, width - len(heads) * (_LEAST + gap)))
    widths = _fitted(wanted, width - names - gap * len(heads))
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    table.add_column(tr(Category.SUSPECT.title), width=names, no_wrap=True, overflow="ellipsis")
    for place, head, columns in zip(places, heads, widths, strict=True):
        title = Text(head, style="reverse" if place == evidence.me else "")
        table.add_column(title, width=columns, justify="center", overflow="fold")
    for category in Category:
        if category is not Category.SUSPECT:
            table.add_row(Text(tr(category.title), style="bold"))
        for card in deck.ids[category]:
            chances = known.chances[card]
            table.add_row(Text(f" {deck.names[card]}"), *[_cell(chances[place]) for place in places])
    return table


def _fitted(widths: list[int], room: int) -> list[int]:
    """The column widths, the widest reduced until all fit into the given total."""
    widths = widths.copy()
    while sum(widths) > room and max(widths) > _LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _cell(p: float | None) -> Text:
    kind, told = cell_sign(p)
    return Text(f"{told:>4}" if len(told) > 1 else told, style=_STYLES[kind] if p is not None else "")
