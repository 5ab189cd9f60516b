"""A session at a table: a list of entries that can be changed anywhere, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cluedo.ai.knowledge import CHOICE, Model
from cluedo.cli.assist.clash import Clash, find_clash, fits
from cluedo.cli.assist.entries import Setting
from cluedo.cli.assist.grammar import Grammar
from cluedo.cli.assist.insight import Insight, News, Standpoint, news_between
from cluedo.engine.cards import Category
from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import HypothesisMade
from cluedo.language import tr

__all__ = ["Session"]


class Session:
    """Entries at one table. Whatever is changed, everything is worked out anew from the whole list.

    A change that could not have happened at this table raises CaseLogError, and nothing is changed. One that
    contradicts other entries is taken (which of them is wrong only people can know): then there is a
    :attr:`clash`, and no :attr:`insight`, until it is mended.

    Args:
        setting: the table.
        entries: what was noted already.
        model: what the odds are weighed by.
        keep: called with the session after every change, to save it.

    Attributes:
        grammar: reads and writes its entries.
        insight: what follows, or None where the entries contradict each other.
        clash: the contradiction, or None.
        news: what the last change has brought.
    """

    def __init__(
        self,
        setting: Setting,
        entries: Sequence[Entry] = (),
        *,
        model: Model = CHOICE,
        keep: Callable[[Session], None] | None = None,
    ):
        self.setting = setting
        self.model = model
        self.grammar = Grammar(setting)
        self._keep = keep
        self._placed: tuple[int, int] | None = None
        self._undo: list[tuple[Entry, ...]] = []
        self._redo: list[tuple[Entry, ...]] = []
        self.entries: tuple[Entry, ...] = ()
        self.insight: Insight | None = None
        self.clash: Clash | None = None
        self.news: list[News] = []
        self._known: Insight | None = None  # what was known last, for the news
        self._take(tuple(entries))
        self.news = []

    # ---- changes ---------------------------------------------------------------------------------

    def enter(self, entry: Entry) -> None:
        """Add an entry at the end."""
        self._change((*self.entries, entry))

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

    def mend(self, choice: int) -> None:
        """Do what the clash offers under this number (from 1)."""
        mends = () if self.clash is None else self.clash.mends
        if not 1 <= choice <= len(mends):
            raise CluedoError(tr("there is no mend {number}: {count} are offered", number=choice, count=len(mends)))
        change = mends[choice - 1]
        if change.entry is None:
            self.drop(change.number)
        else:
            self.edit(change.number, change.entry)

    def correct_hand(self, cards: Sequence[str]) -> None:
        """Say that my cards are these, not those told at the beginning."""
        before = self.setting
        self.setting = before.with_hand(cards)
        try:
            self._take(self.entries)
        except CluedoError:
            self.setting = before
            raise
        self._save()

    def undo(self) -> bool:
        """Take back the last change; False where there is none."""
        return self._step(self._undo, self._redo)

    def redo(self) -> bool:
        """Make a change again that was taken back; False where there is none."""
        return self._step(self._redo, self._undo)

    def what_if(self, *more: Entry) -> Session:
        """A session of its own with more entries, to look at; nothing of this one changes, and nothing is saved."""
        trial = Session(self.setting, self.entries, model=self.model)
        trial._placed = self._placed
        for entry in more:
            trial.enter(entry)
        return trial

    def place(self, place: int) -> None:
        """Say where my pawn stands now, a place of the board; later entries move it on."""
        self._placed = (len(self.entries), place)
        self._take(self.entries)

    # ---- what is known ---------------------------------------------------------------------------

    @property
    def standpoint(self) -> Standpoint | None:
        """Where my pawn stands: where I said last, asked last, or was drawn to; None if nobody knows."""
        setting, board = self.setting, self.setting.board
        if setting.me is None or not setting.walks:
            return None
        since, place = self._placed or (0, None)
        found = None if place is None else Standpoint(place)
        for entry in self.entries[since:]:
            if isinstance(entry.head, HypothesisMade):
                room = board.room_place(entry.cards[Category.ROOM])
                if entry.by == setting.me:
                    found = Standpoint(room, used=room)
                elif setting.suspect == entry.cards[Category.SUSPECT] and (found is None or found.place != room):
                    found = Standpoint(room)
        return found

    # ---- inside ----------------------------------------------------------------------------------

    def _save(self) -> None:
        if self._keep is not None:
            self._keep(self)

    def _check(self, number: int) -> None:
        if not 1 <= number <= len(self.entries):
            raise CluedoError(
                tr("there is no entry {number}: there are {count}", number=number, count=len(self.entries))
            )

    def _change(self, entries: tuple[Entry, ...]) -> None:
        before = self.entries
        self._take(entries)
        self._undo.append(before)
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
        evidence = self.setting.case(entries).evidence(free=not self.setting.walks)
        self.entries = entries
        if self._placed is not None and self._placed[0] > len(entries):
            self._placed = (len(entries), self._placed[1])
        if fits(evidence):
            self.clash = None
            self.insight = Insight(self.setting, entries, evidence, self.model, self.standpoint)
            self.news = news_between(self._known, self.insight)
            self._known = self.insight
        else:
            self.clash, self.insight, self.news = find_clash(self.setting, entries), None, []
