"""The detective's sheet, and the rest of what ``cluedo solve`` prints for people."""

from __future__ import annotations

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from cluedo.ai.knowledge import Triple
from cluedo.cards import Category
from cluedo.cli.findings import Findings
from cluedo.cli.terminal import Terminal

__all__ = ["print_findings"]

_TITLES = {Category.SUSPECT: "Suspects", Category.WEAPON: "Weapons", Category.ROOM: "Rooms"}
_MODELS = {
    "uniform": "every deal that fits the facts counts the same",
    "choice": "a card shown to you counts less in a deal where its holder had others to show",
    "reading": "as choice, and how readily each player names own cards is read from what they ask",
}
_LIKELIEST = 5
_LEAST_NAME, _MOST_NAME = 8, 24  # columns for the names of the cards
_LEAST = 5  # columns for a place: a percentage is never cut, rather the sheet is printed in parts


def print_findings(terminal: Terminal, findings: Findings) -> None:
    """Print the sheet, the deals, the likeliest envelopes, the best hypotheses, and where numbers come from."""
    evidence, deals = findings.evidence, findings.deals
    places = [evidence.envelope, *range(evidence.seats)]
    most = max(1, (terminal.width - _LEAST_NAME) // (_LEAST + 1))
    for first in range(0, len(places), most):
        if first:
            terminal.say()
        terminal.table(_sheet(findings, places[first : first + most], terminal.width))
    signs = "✓ is there, ✗ is not; " + ("else how likely it is" if deals is not None else "? is open")
    terminal.say(f"{signs}.{'' if evidence.me is None else ' * is you.'}", style="dim")
    terminal.say()
    if deals is None:
        terminal.say("The deals are too many to count exactly: ✓ and ✗ are proved, of the rest nothing is known.")
        return
    terminal.say("One deal is left." if deals == 1 else f"{deals:,} deals are left.", style="bold")
    _print_envelopes(terminal, findings)
    _print_best(terminal, findings)
    terminal.say()
    terminal.say(f"Model {findings.model.name}: {_MODELS[findings.model.name]}.")
    if findings.model.habits is not None:
        read = [
            f"{name} {habit:.2f}"
            for seat, (name, habit) in enumerate(zip(evidence.names, findings.habits, strict=True))
            if seat != evidence.me
        ]
        terminal.say(f"Weight of naming an own card (1: as readily as any other): {', '.join(read)}.")


def _print_envelopes(terminal: Terminal, findings: Findings) -> None:
    envelopes = findings.envelopes
    if len(envelopes) == 1:
        terminal.say(f"The envelope is proved: {_cards(findings, envelopes[0][0])}.", style="bold")
        return
    shown = envelopes[:_LIKELIEST]
    most = "the likeliest" if len(shown) < len(envelopes) else "by likelihood"
    terminal.say(f"{len(envelopes):,} envelopes are possible ({findings.bits:.2f} bits unknown); {most}:")
    for triple, p in shown:
        terminal.say(f"{_percent(p, 1):>8}  {_cards(findings, triple)}")


def _print_best(terminal: Terminal, findings: Findings) -> None:
    if not findings.best or len(findings.envelopes) == 1:
        return
    terminal.say("The best hypotheses, by what they are expected to tell of the envelope:")
    for triple, bits in findings.best:
        terminal.say(f"{bits:>6.2f} bits  {_cards(findings, triple)}")


def _cards(findings: Findings, triple: Triple) -> str:
    return ", ".join(findings.evidence.deck.names[card] for card in triple)


def _sheet(findings: Findings, places: list[int], width: int) -> Table:
    """Cards by category, and some of the places that they can be at; my own seat with a star."""
    evidence = findings.evidence
    deck = evidence.deck
    heads = [evidence.place_name(place) + "*" * (place == evidence.me) for place in places]
    wanted = [max(cell_len(head), _LEAST) for head in heads]
    longest = min(max(map(cell_len, deck.names)), _MOST_NAME) + 1
    gap = 2 if longest + sum(wanted) + 2 * len(heads) <= width else 1
    names = max(_LEAST_NAME, min(longest, width - len(heads) * (_LEAST + gap)))
    widths = _fitted(wanted, width - names - gap * len(heads))
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    table.add_column(_TITLES[Category.SUSPECT], width=names, no_wrap=True, overflow="ellipsis")
    for place, head, columns in zip(places, heads, widths, strict=True):
        title = Text(head, style="reverse" if place == evidence.me else "")
        table.add_column(title, width=columns, justify="center", overflow="fold")
    for category in Category:
        if category is not Category.SUSPECT:
            table.add_row(Text(_TITLES[category], style="bold"))
        for card in deck.ids[category]:
            chances = findings.chances[card]
            table.add_row(Text(f" {deck.names[card]}"), *[_cell(chances[place]) for place in places])
    return table


def _fitted(widths: list[int], room: int) -> list[int]:
    """The widths, the widest of them lessened until they fit into so many columns."""
    widths = widths.copy()
    while sum(widths) > room and max(widths) > _LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _cell(p: float | None) -> Text:
    if p is None:
        return Text("?")
    if p in (0.0, 1.0):
        return Text("✓", style="bold green") if p else Text("✗", style="dim")
    return Text(f"{_percent(p):>4}", style="yellow")


def _percent(p: float, digits: int = 0) -> str:
    """A percentage; one that is neither 0 nor 1 does not look as if it were."""
    if p == 1.0:
        return "100 %"
    text = f"{100 * p:.{digits}f}"
    least = 10.0**-digits
    if float(text) == 0.0:
        text = f"<{least:.{digits}f}"
    elif float(text) == 100.0:
        text = f">{100.0 - least:.{digits}f}"
    return f"{text} %"
