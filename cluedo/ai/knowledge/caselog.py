"""Case logs: what one person at a table knows, as JSON. Checked here, at the edge, event by event.

The format stands in docs/formats.md: players in turn order, my seat and hand (or neither, for a
spectator), the rules of the house, the cards that lie open, and the events: hypotheses with who answered,
accusations with their verdict, looks into the pool, and hands laid open. :func:`read_case_log` reads one,
:func:`case_log` makes one of what a seat has seen of a game.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StrictInt,
    StrictStr,
    ValidationError,
)

from cluedo.ai.knowledge.case_checks import CaseLogError, check_entry
from cluedo.ai.knowledge.evidence import Evidence, Fact, place_names
from cluedo.ai.knowledge.reasons import fits, inconsistency
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck, Triple, normalised
from cluedo.engine.deal import cards_dealt, check_player_count
from cluedo.engine.entries import Entry, EntryForm, entries_of, entry_json, named_twice, read_entry, seat_of
from cluedo.engine.events import Event, HypothesisMade
from cluedo.engine.file_io import FORMAT, check_format, json_object
from cluedo.engine.mapfile import Printable
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import BOX_RULES, Rules
from cluedo.engine.state import Table
from cluedo.engine.validation import FileForm, InvalidForm, wrong

__all__ = ["MOST_BYTES", "PERSONS", "CaseLog", "CaseLogError", "Setting", "case_log", "read_case_log"]

MOST_BYTES: Final = 8_000_000
"""Of a file that holds a case log."""

PERSONS: Final = ("Ann", "Bob", "Cy", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")
"""Names for the players of a log, where those of their suspects could be taken for the cards."""
_MOST_ENTRIES: Final = 10_000


def _player_name(name: str) -> str:
    """A name that fits into one line of a sheet or a message."""
    if not 1 <= len(name) <= 40 or not name.isprintable() or name != name.strip():
        raise InvalidForm("must be 1 to 40 printable characters, with no space before or after them")
    return normalised(name)


def _no_truth(value: object) -> object:
    """Refuse booleans, which Python would take for 0 and 1."""
    if isinstance(value, bool):
        raise InvalidForm("must be {expected}", expected=FORMAT)
    return value


class _Player(FileForm):
    name: Annotated[StrictStr, AfterValidator(_player_name)]
    cards: StrictInt | None = Field(default=None, ge=0)


class _Log(FileForm):
    format: Annotated[Literal[1], BeforeValidator(_no_truth)] = 1
    map: Printable
    movement: Literal["walk", "free"] | None = None
    rules: Rules = BOX_RULES
    open: tuple[StrictStr, ...] = ()
    players: tuple[_Player, ...]
    me: StrictStr | None = None
    hand: tuple[StrictStr, ...] | None = None
    events: tuple[EntryForm, ...] = Field(default=(), max_length=_MOST_ENTRIES)


@dataclass(frozen=True, slots=True)
class Setting:
    """A table before anything is asked: who sits there, and one's own cards.

    Attributes:
        board: the map.
        names: the players, in turn order.
        sizes: their hand sizes.
        me: my seat, or None for a spectator.
        hand: the mask of my cards.
        rules: what the table plays by.
        open_cards: the mask of the cards that lie open (rule 14).
    """

    board: Board
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    me: int | None = None
    hand: int = 0
    rules: Rules = BOX_RULES
    open_cards: int = 0

    @classmethod
    def make(
        cls,
        board: Board,
        players: Sequence[tuple[str, int | None]],
        me: str | None = None,
        hand: Sequence[str] | None = None,
        *,
        rules: Rules = BOX_RULES,
        open_cards: Sequence[str] = (),
    ) -> Setting:
        """Make a setting from names; raises CaseLogError. Hand sizes may be None if all are equal."""
        seated = [{"name": name} | ({} if cards is None else {"cards": cards}) for name, cards in players]
        data: dict[str, Any] = {"map": board.source, "players": seated}
        given = (("me", me), ("hand", hand), ("open", open_cards))
        data |= {key: value for key, value in given if value is not None}
        data |= _rules_json(rules)
        log = read_case_log(data, lambda _: board)
        log.consistent()
        return log.setting

    def with_hand(self, hand: Sequence[str]) -> Setting:
        """The same table with other cards in my hand; raises CaseLogError for what cannot be."""
        if self.me is None:
            raise CaseLogError("a spectator has no hand")
        log = read_case_log(self.log().to_json() | {"hand": hand}, lambda _: self.board)
        log.consistent()
        return log.setting

    @property
    def deck(self) -> Deck:
        """The cards."""
        return self.board.deck

    @property
    def peeks(self) -> bool:
        """Whether anybody may look into the pool (rule 15)."""
        return self.pool_size > 0 and self.rules.peek

    @property
    def places(self) -> tuple[str, ...]:
        """What the places are called, in the order of :class:`Evidence`."""
        return place_names(self.names, pool=self.pool_size > 0, face_up=self.open_cards > 0)

    @property
    def everybody(self) -> bool:
        """Whether everybody answers a hypothesis, not only the first who can (rule 19)."""
        return self.rules.refuters == "all"

    @property
    def walks(self) -> bool:
        """Whether pawns walk on a board, so that the way to a room matters, and an asker cannot choose any room."""
        return self.board.has_grid and not self.rules.free

    @property
    def pool_size(self) -> int:
        """How many cards lie in the pool (rule 13)."""
        return self.deck.outside - sum(self.sizes) - self.open_cards.bit_count()

    def hypothesis(self, by: int, cards: Triple, shows: Mapping[int, int | None]) -> Entry:
        """A hypothesis here; ``shows``: who showed a card, and which, where seen. By the rules, the others pass."""
        return Entry.hypothesis(len(self.names), by, cards, shows, everybody=self.everybody)

    def log(self, entries: Sequence[Entry] = ()) -> CaseLog:
        """What is known at this table after these entries; whether they can have happened is not checked."""
        return CaseLog(self, tuple(entries))


@dataclass(frozen=True, slots=True)
class CaseLog:
    """What one person at a table knows: the table, and what was noted there, the first entry first."""

    setting: Setting
    entries: tuple[Entry, ...] = ()

    def evidence(self, to: int | None = None) -> Evidence:
        """The evidence of the first ``to`` entries (of all, if None).

        Raises:
            CaseLogError: with the first entry that cannot have happened at this table.
        """
        setting = self.setting
        found = Evidence(
            setting.deck,
            setting.sizes,
            setting.me,
            setting.hand,
            names=setting.names,
            free=not setting.walks,
            unit=Phrase("Entry"),
            pool_size=setting.pool_size,
            open_cards=setting.open_cards,
            rules=setting.rules,
        )
        before, pool = None, dict[int, int]()
        for number, entry in enumerate(self.entries[:to], 1):
            with CaseLogError.around("entry {number}: {error}", number=number):
                check_entry(setting, entry, before, pool)
            before = entry
            for event in entry.events:
                found.add(Fact(number, event, entry.cards))
        return found

    def consistent(self, to: int | None = None) -> Evidence:
        """The evidence of all entries; raises CaseLogError that names the first to contradict those before it."""
        found = self.evidence(to)
        if not fits(found):
            number = bisect_left(
                range(len(self.entries[:to])), True, key=lambda number: not fits(self.evidence(number))
            )
            error = inconsistency(self.evidence(number))
            if number:
                raise CaseLogError("entry {number}: {error}", number=number, error=error)
            raise CaseLogError("the hand: {error}", error=error)
        return found

    def to_json(self) -> dict[str, Any]:
        """The log as it stands in a file."""
        setting = self.setting
        log: dict[str, Any] = {"format": FORMAT, "map": setting.board.source}
        log |= _rules_json(setting.rules)
        if setting.open_cards:
            log["open"] = setting.deck.names_in(setting.open_cards)
        log["players"] = [
            {"name": name, "cards": size} for name, size in zip(setting.names, setting.sizes, strict=True)
        ]
        if setting.me is not None:
            log |= {"me": setting.names[setting.me], "hand": setting.deck.names_in(setting.hand)}
        return log | {"events": [entry_json(entry, setting.names, setting.deck) for entry in self.entries]}


def read_case_log(source: str | bytes | Mapping[str, Any], boards: Callable[[str], Board]) -> CaseLog:
    """Read a case log from JSON text or an object; ``boards`` gives the board of a map's name.

    Raises CaseLogError (every entry is checked, though not yet whether they agree), or what ``boards`` raises.
    """
    with CaseLogError.around():
        data = json_object(source, Phrase("a case log")) if isinstance(source, str | bytes) else source
        check_format(data)
    if "envelope" in data:
        raise CaseLogError("this is a game record, not a case log; cluedo replay --log makes one of it")
    try:
        log = _Log.model_validate(data)
    except ValidationError as error:
        raise CaseLogError(_first(error)) from None
    board = boards(log.map)
    deck = board.deck
    names = tuple(player.name for player in log.players)
    rules = log.rules if log.movement is None else log.rules.model_copy(update={"movement": log.movement})
    sizes = _sizes(log, deck, rules)
    me, hand = _mine(log, deck, names, sizes)
    setting = Setting(board, names, sizes, me, hand, rules, _open(log, deck, rules, hand))
    case = CaseLog(setting, tuple(_entries(log, setting)))
    case.evidence()
    return case


def _rules_json(rules: Rules) -> dict[str, Any]:
    """The rules that matter to a case log, where they are not those of the box."""
    movement: dict[str, Any] = {"movement": "free"} if rules.free else {}
    others = rules.model_dump(exclude_defaults=True, exclude={"movement", "max_turns"})
    return movement | {"rules": others} if others else movement


def _entries(log: _Log, setting: Setting) -> Iterator[Entry]:
    for number, form in enumerate(log.events, 1):
        with CaseLogError.around("entry {number}: {error}", number=number):
            entry = read_entry(form, setting.names, setting.deck, everybody=setting.everybody)
        yield entry


def _first(error: ValidationError) -> str:
    """The first complaint of pydantic as a sentence that names the entry or the field."""
    first = error.errors(include_url=False)[0]
    path = list(first["loc"])
    if path[:1] == ["events"]:
        del path[2:3]  # pydantic's name for the kind of event
    match path:
        case ["events", int(index), *path]:
            where = Phrase("entry {number}", number=index + 1)
        case ["players", int(index), *path]:
            where = Phrase("player {number}", number=index + 1)
        case _:
            where = Phrase("the case log")
    if path == ["events"] and first["type"] == "too_long":
        return Phrase(
            "there are {count:,} entries; at most {most:,} are read", count=len(first["input"]), most=_MOST_ENTRIES
        )
    if first["type"] == "too_long" or (first["type"] == "missing" and len(path) == 2):
        return Phrase("{where}: {key!r} must be a suspect, a weapon and a room", where=where, key=path[0])
    if first["type"] == "missing" and path == ["hypothesis"]:
        return Phrase("{where}: there is neither a 'hypothesis' nor an 'accusation'", where=where)
    says = wrong(first)[0]
    match path:
        case []:
            return Phrase("{place}: {wrong}", place=where, wrong=says)
        case [key, int(item), *_]:
            return Phrase("{where}: {key!r} item {item}: {says}", where=where, key=key, item=item + 1, says=says)
        case _:
            return Phrase("{where}: {key!r}: {says}", where=where, key=".".join(map(str, path)), says=says)


def _sizes(log: _Log, deck: Deck, rules: Rules) -> tuple[int, ...]:
    names = [player.name for player in log.players]
    with CaseLogError.around():
        check_player_count(len(names))
        cards = cards_dealt(deck, rules, len(names))
    pool, face_up = rules.set_aside(deck.outside, len(names))
    places = {"envelope": True, "pool": pool > 0, "open": face_up > 0}
    if (twice := named_twice(names)) is not None:
        raise CaseLogError("two players are called {name}; give each a name of their own", name=twice)
    if taken := next((place for place, there in places.items() if there and place in names), None):
        raise CaseLogError("no player can be called {place!r}: cards lie in a place of that name", place=taken)
    sizes = [player.cards for player in log.players if player.cards is not None]
    if not sizes and cards % len(names) == 0:
        return (cards // len(names),) * len(names)
    if len(sizes) < len(names):
        raise CaseLogError("give every player's number of cards; it may be left out only where the cards divide evenly")
    if sum(sizes) != cards:
        raise CaseLogError("the players hold {cards} cards in all, not {sizes}", cards=cards, sizes=sum(sizes))
    return tuple(sizes)


def _open(log: _Log, deck: Deck, rules: Rules, hand: int) -> int:
    """The mask of the cards that lie open."""
    _, face_up = rules.set_aside(deck.outside, len(log.players))
    with CaseLogError.around("the open cards: {error}"):
        cards = deck.mask(log.open)
    if cards.bit_count() != face_up or len(log.open) != face_up:
        raise CaseLogError(
            "the number of cards that lie open under these rules is {count}, not {told} (rule 14)",
            count=face_up,
            told=len(log.open),
        )
    if cards & hand:
        raise CaseLogError("{name!r} is in your hand and lies open", name=deck.names_in(cards & hand)[0])
    return cards


def _mine(log: _Log, deck: Deck, names: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[int | None, int]:
    if log.me is None and log.hand is None:
        return None, 0
    if log.me is None or log.hand is None:
        raise CaseLogError("'me' and 'hand' go together: both for a player, neither for a spectator")
    if (twice := named_twice(log.hand)) is not None:
        raise CaseLogError("the hand has {name!r} twice", name=twice)
    with CaseLogError.around():
        seat = seat_of(log.me, names)
    with CaseLogError.around("the hand: {error}"):
        hand = deck.mask(log.hand)
    if len(log.hand) != sizes[seat]:
        raise CaseLogError(
            "the hand of {me} needs {sizes} cards, and has {count}", me=log.me, count=len(log.hand), sizes=sizes[seat]
        )
    return seat, hand


def case_log(
    table: Table, events: Iterable[Event], me: int | None = None, hand: int = 0, *, names: Sequence[str] | None = None
) -> CaseLog:
    """The case log of somebody at a table.

    Where everybody answers, a hypothesis that some have still to answer is left out: a log cannot say so.

    Args:
        table: the public side of the game.
        events: the game from its first event, as this person saw it.
        me: their seat, or None for a spectator.
        hand: the mask of their cards.
        names: what the players are called, such as ``PERSONS``; by suspect, if left out.
    """
    entries = entries_of(events, table)
    called = tuple(names[: table.seats]) if names else tuple(table.names)
    setting = Setting(table.board, called, table.hand_sizes, me, hand, table.rules, table.open_cards)
    last = entries[-1] if entries else None
    if setting.everybody and last and isinstance(last.head, HypothesisMade) and len(last.answers) < table.seats - 1:
        del entries[-1]
    return setting.log(entries)
