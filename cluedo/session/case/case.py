"""A case at a real table: the entries, which can be changed anywhere in the list, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

from cluedo.ai.accuse_or_wait import Advice, advise
from cluedo.ai.knowledge import UNIFORM, Model, SeatKnowledge, model_named
from cluedo.ai.knowledge.case_checks import CaseLogError
from cluedo.ai.knowledge.caselog import MOST_BYTES, CaseLog, Setting, read_case_log
from cluedo.ai.knowledge.reasons import fits
from cluedo.ai.levels import check_list
from cluedo.ai.walking import turns_from
from cluedo.engine.board import Board
from cluedo.engine.board_and_rules import AnyBoard, AnyRules, named_board_and_rules
from cluedo.engine.cards import Category
from cluedo.engine.entries import Entry, seat_of
from cluedo.engine.errors import CluedoError, short_repr
from cluedo.engine.events import Accused, HypothesisMade
from cluedo.engine.file_io import read_bytes
from cluedo.engine.validation import whole_number
from cluedo.session.best_rooms import RoomQuestion, best_rooms
from cluedo.session.case.contradictions import Contradiction, find_contradiction
from cluedo.session.case.grammar import Grammar
from cluedo.session.case.news import News, news_of
from cluedo.session.case.vocabulary import fold_text
from cluedo.session.library.arguments import check_cards

__all__ = ["MOST_ENTRIES", "Case", "Memory", "Pawn", "read_case"]

MOST_ENTRIES: Final = 500
"""Of a case: many times more than any game has."""
_MOST_UNDONE: Final = 500
"""Changes that can be taken back."""


@dataclass(frozen=True, slots=True)
class Pawn:
    """Where my pawn stands: a place of the board, and the place of the room that it has used up, or -1."""

    place: int
    used: int = -1


class Memory(NamedTuple):
    """What a case remembers beside its entries.

    Attributes:
        placed: after how many entries I said where my pawn stands, and the place (None: unknown); None if never.
        undone: the lists of entries that undo leads back to, the latest last; ``redone``: those of redo.
    """

    placed: tuple[int, int | None] | None = None
    undone: tuple[tuple[Entry, ...], ...] = ()
    redone: tuple[tuple[Entry, ...], ...] = ()


def read_case(path: Path) -> tuple[CaseLog, bytes]:
    """The case log of a file, and its bytes; raises CluedoError with what is wrong with it, or with the hand."""
    with CluedoError.around("{path}: {error}", path=path):
        data = read_bytes(path, MOST_BYTES)
        log = read_case_log(data, Board.load)
        log.consistent(0)
    return log, data


class Case:
    """The entries at one table, and what follows from them. After each change everything is worked out anew.

    A change that could not have happened at this table raises CaseLogError, and nothing is changed. One that
    contradicts other entries is taken (which of them is wrong only people can know): then there is a
    :attr:`contradiction`, and nothing is :attr:`known`, until that is resolved.

    Args:
        setting: the table.
        entries: what was noted already.
        model: what the odds are weighed by.
        keep: called with the case after every change, to save it.
        memory: what it remembered when it was put away.

    Attributes:
        grammar: reads and writes its entries.
        known: what follows, or None where the entries contradict each other.
        grown: whether the last change was an entry more, at the end.
        contradiction: the contradiction, or None.
        news: what the last change has brought.
    """

    @classmethod
    def begin(
        cls,
        board: AnyBoard,
        players: Sequence[str] | Mapping[str, int],
        *,
        me: str | None = None,
        hand: Sequence[str] | None = None,
        rules: AnyRules = None,
        face_up: Sequence[str] = (),
        model: str = "uniform",
    ) -> Case:
        """A new case, from names.

        Args:
            board: a name, a path or an object, as for :func:`cluedo.play`.
            players: their names in turn order; where the cards do not divide evenly, a dict of how many each holds.
            me: my name, or None for a spectator.
            hand: the cards that I hold.
            rules: those that differ from the edition's or the box's, as for :func:`cluedo.play`.
            face_up: the cards that lie open on the table, where the rules lay any.
            model: how the deals that fit are weighed: ``uniform``, ``choice`` or ``kinds``.

        Raises:
            CluedoError: in one sentence, if there is no such table.

        >>> hand = ["Plum", "Rope", "Study", "Wrench", "Dagger", "Green"]
        >>> case = Case.begin("classic", ["Ann", "Bob", "Cy"], me="Ann", hand=hand)
        >>> case.add(by="Bob", hypothesis=["Plum", "Rope", "Hall"], refuted_by="Cy")
        >>> case.proved["Hall"], case.odds["Hall"]["envelope"]
        ('Cy', 0.0)
        >>> print(case.why("Hall", "Cy"))
        You hold Plum and Rope.
        Entry 1: Cy showed Plum, Rope or Hall.
        Therefore Cy holds Hall.
        (No smaller reason exists.)
        """
        check_list(players)
        check_cards("hand", hand)
        check_cards("face_up", face_up)
        found, chosen = named_board_and_rules(board, rules, len(players))
        sizes = players.items() if isinstance(players, Mapping) else [(name, None) for name in players]
        setting = Setting.make(found, list(sizes), me, hand, rules=chosen, open_cards=face_up)
        return cls(setting, model=model_named(model))

    @classmethod
    def load(cls, file: str | Path, *, model: str = "uniform") -> Case:
        """The case of a file that ``cluedo assist``, a page or ``json.dumps(case.log.to_json())`` wrote.

        It is read once: what is added afterwards is not written there.

        Raises:
            CluedoError: in one sentence, with the file's name, if there is no such case.
        """
        if not isinstance(file, str | PathLike):
            raise CluedoError("a case is read from the path of a file, not from {what}", what=short_repr(file))
        log, _ = read_case(Path(file))
        return cls(log.setting, log.entries, model=model_named(model))

    def __init__(
        self,
        setting: Setting,
        entries: Sequence[Entry] = (),
        *,
        model: Model = UNIFORM,
        keep: Callable[[Case], None] | None = None,
        memory: Memory = Memory(),  # noqa: B008 - it cannot be changed
    ):
        self.setting = setting
        self.model = model
        self.grammar = Grammar(setting)
        self._keep = keep
        self._placed = memory.placed
        self._undo = list(memory.undone)
        self._redo = list(memory.redone)
        self.entries: tuple[Entry, ...] = ()
        self.known: SeatKnowledge | None = None
        self.contradiction: Contradiction | None = None
        self.news: list[News] = []
        self.grown = False
        self._before: SeatKnowledge | None = None  # what was known last, for the news
        self._earlier: tuple[SeatKnowledge, list[float] | None] | None = None  # before the last change, and the ways
        self._take(tuple(entries))
        self.news, self._earlier = [], None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle and copy all but who saves it: a copy is nobody's file."""
        return self.__dict__ | {"_keep": None}

    def __repr__(self) -> str:
        return f"<case of {', '.join(self.setting.names)} on {self.setting.board.source}, entries: {len(self.entries)}>"

    # ---- changes ---------------------------------------------------------------------------------

    def enter(self, entry: Entry) -> None:
        """Add an entry at the end."""
        self._change((*self.entries, entry))

    def add(self, **event: Any) -> None:
        """Add what happened, by names, as an event of a case log has it (``docs/formats.md``), if it fits the others.

        ``by="Bob", hypothesis=["Plum", "Rope", "Hall"], refuted_by="Cy"`` (None: nobody could), with ``card="Hall"``
        where I saw it; ``by="Bob", accusation=[…], correct=False``.

        Raises:
            CaseLogError: it cannot have happened at this table, or contradicts what was added before.
        """
        told = self.log.to_json()
        log = read_case_log({**told, "events": [*told["events"], event]}, lambda _: self.setting.board)
        log.consistent()
        self.enter(log.entries[-1])

    def check(self, entry: Entry) -> None:
        """Raise CaseLogError if an entry cannot have happened after the others; nothing changes."""
        self.setting.log((*self.entries, entry)).evidence()

    def insert(self, number: int, entry: Entry) -> None:
        """Add an entry before the one of this number (from 1)."""
        self._check(number)
        self._change((*self.entries[: number - 1], entry, *self.entries[number - 1 :]))

    def edit(self, number: int, entry: Entry) -> None:
        """Put an entry in the place of the one of this number (from 1)."""
        self._check(number)
        self._change((*self.entries[: number - 1], entry, *self.entries[number:]))

    def drop(self, number: int) -> None:
        """Take out the entry of this number (from 1)."""
        self._check(number)
        self._change((*self.entries[: number - 1], *self.entries[number:]))

    def fix(self, choice: int) -> None:
        """Apply the change with this number (from 1) that the contradiction offers."""
        fixes = () if self.contradiction is None else self.contradiction.fixes
        if whole_number(choice, 1, len(fixes)) is None:
            raise CluedoError(
                "there is no change {number}: {count} are offered", number=short_repr(choice), count=len(fixes)
            )
        change = fixes[choice - 1]
        if change.entry is None:
            self.drop(change.number)
        else:
            self.edit(change.number, change.entry)

    def correct_hand(self, cards: Sequence[str]) -> None:
        """Correct my hand, which was given wrongly at the beginning; :meth:`undo` does not take that back."""
        before = self.setting
        self.setting = before.with_hand(cards)
        try:
            self._take(self.entries)
        except CluedoError:
            self.setting = before
            raise
        self._save()

    def undo(self) -> bool:
        """Take back the last change of the entries; False where there is none."""
        return self._step(self._undo, self._redo)

    def redo(self) -> bool:
        """Make a change of the entries again that was taken back; False where there is none."""
        return self._step(self._redo, self._undo)

    def what_if(self, *more: Mapping[str, Any] | Entry) -> Case:
        """A copy of the case in which more has happened; this case does not change, and nothing is saved.

        Args:
            more: entries, each a dict of what :meth:`add` takes, or as :attr:`entries` has them.

        Raises:
            CaseLogError: an entry cannot be true, as for :meth:`add`.
        """
        trial = Case(self.setting, self.entries, model=self.model)
        trial._placed = self._placed
        for one in more:
            if isinstance(one, Entry):
                trial.enter(one)
            elif isinstance(one, Mapping) and all(isinstance(key, str) for key in one):
                trial.add(**one)
            else:
                raise CluedoError("what_if takes dicts of what add takes, not {what}", what=short_repr(one))
        return trial

    def place_pawn(self, place: int | None) -> None:
        """Say where my pawn stands now, a place of the board, or that nobody knows; later entries move it on.

        Raises:
            MapError: the board has no such place.
        """
        if place is not None:
            self.setting.board.node(place)
        self._placed = (len(self.entries), place)
        self._take(self.entries)

    @property
    def memory(self) -> Memory:
        """What has to be saved beside the entries."""
        return Memory(self._placed, tuple(self._undo), tuple(self._redo))

    # ---- what is known, by names -----------------------------------------------------------------

    @property
    def odds(self) -> dict[str, dict[str, float | None]]:
        """By card, then by place (a player's name, ``envelope``, ``pool`` or ``open``), the probability by the model.

        0.0 and 1.0 are proved; None is open, where there are too many deals to count.
        """
        places = list(map(str, self.setting.places))
        rows = zip(self.setting.deck.names, self.consistent_knowledge().chances, strict=True)
        return {card: dict(zip(places, row, strict=True)) for card, row in rows}

    @property
    def proved(self) -> dict[str, str]:
        """By card that is proved to be somewhere, the place."""
        return {card: place for card, row in self.odds.items() for place, chance in row.items() if chance == 1.0}

    def why(self, card: str, place: str) -> str:
        """Why a card is or is not at a place, or what is open about it: in English, a sentence a line."""
        return self.consistent_knowledge().why(self.setting.deck.id(card), seat_of(place, self.setting.places)).text

    def best_questions(self, count: int = 3, room: str | None = None) -> list[tuple[tuple[str, ...], float]]:
        """The hypotheses that can be expected to tell me most, in a room or anywhere: their cards, and the bits."""
        deck = self.setting.deck
        found = self.consistent_knowledge().best(count, None if room is None else [deck.id(room, Category.ROOM)])
        return [(tuple(deck.names[card] for card in cards), max(0.0, bits)) for cards, bits in found]

    # ---- what is known, by numbers ---------------------------------------------------------------

    def consistent_knowledge(self) -> SeatKnowledge:
        """What I know by the entries; raises CluedoError if they contradict each other."""
        if self.known is None:
            raise CluedoError("the entries contradict each other; resolve that first")
        return self.known

    @property
    def pawn(self) -> Pawn | None:
        """Where my pawn stands: where I said last, asked last, or was drawn to; None if nobody knows."""
        setting, board = self.setting, self.setting.board
        if setting.me is None or not setting.walks:
            return None
        since, place = self._placed or (0, None)
        own = _own_suspect(setting)
        found = None if place is None else Pawn(place)
        for entry in self.entries[since:]:
            if isinstance(entry.head, HypothesisMade):
                room = board.room_place(entry.cards[Category.ROOM])
                if entry.by == setting.me:
                    found = Pawn(room, used=room)
                elif own == entry.cards[Category.SUSPECT] and (found is None or found.place != room):
                    found = Pawn(room)
        return found

    @property
    def log(self) -> CaseLog:
        """The case as a log."""
        return self.setting.log(self.entries)

    @property
    def over(self) -> bool:
        """Whether the game is over for me: somebody has accused rightly, or I wrongly."""
        heads = [entry.head for entry in self.entries]
        return any(isinstance(head, Accused) and (head.correct or head.seat == self.setting.me) for head in heads)

    @property
    def questions(self) -> list[RoomQuestion]:
        """The best question of each room, the most promising first; none where I have nothing to ask."""
        if self.known is None or self.over:
            return []
        return best_rooms(self.known, self._turns())

    @property
    def question_before(self) -> RoomQuestion | None:
        """The most promising question before the last change; None if there was none."""
        found = [] if self._earlier is None else best_rooms(*self._earlier)
        return found[0] if found else None

    def _turns(self) -> list[float] | None:
        """By room, in how many turns of mine I can expect to ask there; None if nobody knows, or nobody walks."""
        setting, pawn = self.setting, self.pawn
        return None if pawn is None else turns_from(setting.board, setting.rules, pawn.place, pawn.used)

    @property
    def advice(self) -> Advice | None:
        """Whether to accuse; None for a spectator, when the game is over, or where nothing can be counted."""
        known = self.known
        return None if known is None or self.over else known.recall(advise, lambda: advise(known))

    def _repr_html_(self) -> str:
        """The sheet and the advice, for a notebook."""
        from cluedo.session.case.exports import page  # it draws cases, so it comes after this module

        return page(self, whole=False)

    # ---- inside ----------------------------------------------------------------------------------

    def _save(self) -> None:
        if self._keep is not None:
            self._keep(self)

    def _check(self, number: int) -> None:
        if whole_number(number, 1, len(self.entries)) is None:
            raise CluedoError(
                "there is no entry {number}: there are {count}", number=short_repr(number), count=len(self.entries)
            )

    def _change(self, entries: tuple[Entry, ...]) -> None:
        if len(entries) > max(MOST_ENTRIES, len(self.entries)):
            raise CluedoError("a case has at most {most} entries; begin another", most=MOST_ENTRIES)
        before = self.entries
        self._take(entries)
        self._undo = [*self._undo[1 - _MOST_UNDONE :], before]
        self._redo.clear()
        self._save()

    def _step(self, back: list[tuple[Entry, ...]], forth: list[tuple[Entry, ...]]) -> bool:
        if not back:
            return False
        before = self.entries
        self._take(back[-1])
        back.pop()
        forth.append(before)
        self._save()
        return True

    def _take(self, entries: tuple[Entry, ...]) -> None:
        """Work out everything from these entries; raises CaseLogError, and then changes nothing."""
        evidence = self.setting.log(entries).evidence()
        self._earlier = None if self.known is None or self.over else (self.known, self._turns())
        self.grown = entries[:-1] == self.entries
        self.entries = entries
        if self._placed is not None and self._placed[0] > len(entries):
            self._placed = (len(entries), self._placed[1])
        if fits(evidence):
            self.contradiction = None
            self.known = SeatKnowledge(evidence, self.model)
            self.news = news_of(self._before, self.known)
            self._before = self.known
        else:
            found = find_contradiction(self.setting, entries)
            self.contradiction, self.known, self.news = found, None, []
            if self._before is None:
                self._before = self._known_before(found)

    def _known_before(self, contradiction: Contradiction) -> SeatKnowledge | None:
        """What was known by the latest list of entries that agreed, or else by the first entries, as many as agree."""
        first = (self.entries[:count] for count in reversed(range(max(contradiction.numbers, default=0))))
        for entries in (*reversed(self._undo), *first):
            with suppress(CaseLogError):  # noted when my hand was another
                evidence = self.setting.log(entries).evidence()
                if fits(evidence):
                    return SeatKnowledge(evidence, self.model)
        return None


def _own_suspect(setting: Setting) -> int | None:
    """My own pawn's suspect, where my name tells it."""
    mine = None if setting.me is None else fold_text(setting.names[setting.me])
    return next((card for card in setting.deck.suspects if fold_text(setting.deck.names[card]) == mine), None)
