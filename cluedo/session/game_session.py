"""A game with people in it, from its start or from where it was left.

Whoever shows the game calls the session, which calls nobody back. :attr:`GameSession.person_to_act` says which person
has to choose, and :meth:`GameSession.do` does what they chose. Until the game is over it is a level's choice otherwise,
for :meth:`GameSession.advance`. That may run in a thread, but then nothing else of the session may be called until it
has returned. What happened is in the views.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final, Self

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import Fault, Match, seat_players
from cluedo.ai.player import USUAL_CLOCK, Clock
from cluedo.bots.naming import is_foreign
from cluedo.engine.board import Board
from cluedo.engine.commands import Command
from cluedo.engine.deal import Seeds
from cluedo.engine.errors import IllegalCommand, RecordError
from cluedo.engine.game import Game
from cluedo.engine.phrase import Phrase
from cluedo.engine.record import GameRecord, RecordWriter, SeveralGames, read_record
from cluedo.engine.rules import Rules
from cluedo.engine.view import PlayerView
from cluedo.session.actions import Offer, TakeBack, offer
from cluedo.session.autosave import Autosave
from cluedo.session.files import check_continued
from cluedo.session.line_up import Person, Seated, parse_line_up

__all__ = ["NOT_REVOCABLE", "GameSession", "UntrustedBots"]


_SEED_BITS: Final = 53
"""Of a seed that people who know their cards and dice may not find by trying all; every reader of JSON takes it."""

NOT_REVOCABLE: Final = Phrase("you can take back only your own move, and only if nobody has learnt anything from it")


class UntrustedBots(RecordError):
    """A record names bots as players, and nobody has allowed them to run; ``names`` are these players."""

    def __init__(self, path: Path, names: Sequence[str]):
        self.names = ", ".join(names)
        why = Phrase(
            "{file}: to go on with this game runs a program that it names as a player, {bots}; "
            "cluedo play --resume FILE --allow-bots allows that",
            file=str(path),
            bots=self.names,
        )
        super().__init__(why)


class GameSession:
    """One game at one table.

    Args:
        game: the game, at any moment of it.
        line_up: by seat, who plays.
        seeds: where deal, dice and players come from.
        secret: whether nobody was told the seed.
        seeded: whether the deal comes from the seed; one that was read from a record without it does not.
        autosave: what saves the record.
        clock: the time that the levels have.

    Attributes:
        game, line_up, seeds, secret, seeded, autosave: as given.
        levels_elsewhere: whether levels think in other processes, so that :meth:`advance` has nobody to ask here.
    """

    levels_elsewhere: ClassVar = False

    def __init__(
        self,
        game: Game,
        line_up: list[Seated],
        seeds: Seeds,
        autosave: Autosave,
        *,
        secret: bool,
        seeded: bool = True,
        clock: Clock = USUAL_CLOCK,
    ):
        self.game, self.line_up, self.seeds, self.autosave = game, line_up, seeds, autosave
        self.secret, self.seeded = secret, seeded
        self._clock = clock
        self._writer = RecordWriter(game.table.board, game.table.rules)
        self._saved = 0
        self._faults: list[Fault] = []
        for level in self.levels:
            self.check_level(level)
        self._match = self._new_match()

    @classmethod
    def begin(
        cls,
        line_up: list[Seated],
        board: Board,
        rules: Rules,
        autosave: Autosave,
        *,
        seed: int | None = None,
        suspects: Sequence[int] | None = None,
        clock: Clock = USUAL_CLOCK,
    ) -> Self:
        """Begin a game; raises :class:`CluedoError` for what does not fit together.

        The ``suspects`` are by seat. Without them they are the map's first ones, and without a ``seed`` it is secret.
        """
        seeds = Seeds(secrets.randbits(_SEED_BITS) if seed is None else seed, 0, len(line_up))
        game = Game.begin(board, rules, seeds, suspects)
        return cls(game, line_up, seeds, autosave, secret=seed is None, clock=clock)

    @classmethod
    def resume(
        cls,
        path: Path,
        *,
        allowed: bool = False,
        trusted: bool = False,
        clock: Clock = USUAL_CLOCK,
    ) -> Self:
        """Continue the game of a record, saved in the same file.

        The dice go on as the record's seed has them; without one they are new. A record may name bots, and
        so any program of this machine: they are run only if that is ``allowed``, in processes of their own unless they
        are ``trusted``.

        Raises:
            UntrustedBots: it names some, and nobody allows them to be run.
            CluedoError: it cannot be continued.
        """
        check_continued(path, Phrase("a saved game"))
        autosave = Autosave(path, chosen=True)  # before it is read: what another program adds is noticed from here on
        autosave.check_sheets()
        try:
            record = read_record(path)
        except SeveralGames:
            raise RecordError("{path} holds several games; a saved game has a file of its own", path=path) from None
        if record.result is not None:
            raise RecordError("{path}: the game is over; cluedo replay shows it", path=path)
        bots = [player.name for player in record.players if is_foreign(player.name)]
        if bots and not (allowed or trusted):
            raise UntrustedBots(path, bots)
        with RecordError.around("{path}: {error}", path=path):
            line_up = parse_line_up(",".join(player.name for player in record.players), trusted=trusted)
            return cls.go_on(record, line_up, autosave, clock=clock)

    @classmethod
    def go_on(
        cls,
        record: GameRecord,
        line_up: list[Seated],
        autosave: Autosave,
        *,
        board: Board | None = None,
        clock: Clock = USUAL_CLOCK,
    ) -> Self:
        """Continue the game of a record; raises :class:`CluedoError` for one that does not replay.

        A ``board`` that is at hand already need not be loaded.
        """
        seeded = record.seed is not None
        seed = secrets.randbits(_SEED_BITS) if record.seed is None else record.seed
        seeds = Seeds(seed, record.deal or 0, len(line_up))
        game = record.replay(board, dice=[seeds.for_dice(seat) for seat in range(len(line_up))])
        session = cls(game, line_up, seeds, autosave, secret=False, seeded=seeded, clock=clock)
        session._saved = len(game.events) if autosave.begun else 0
        return session

    def rematch(self) -> GameSession:
        """A new game of the same players on the same board, with cards of a secret seed."""
        table = self.game.table
        autosave = Autosave.new(None, table.board.source)
        return GameSession.begin(
            self.line_up, table.board, table.rules, autosave, suspects=table.suspects, clock=self._clock
        )

    @property
    def people(self) -> list[int]:
        """The seats of the people."""
        return [seat for seat, seated in enumerate(self.line_up) if isinstance(seated, Person)]

    @property
    def levels(self) -> list[PlayerSpec]:
        """The players that are not people."""
        return [seated for seated in self.line_up if isinstance(seated, PlayerSpec)]

    @property
    def names(self) -> list[str]:
        """The names of the players in the record, by seat."""
        return [seated.text for seated in self.line_up]

    @property
    def called(self) -> list[str]:
        """By seat, the suspect, with the name of the person who plays it, if they have one."""
        return [
            f"{name} ({seated.name})" if isinstance(seated, Person) and seated.name else name
            for name, seated in zip(self.game.table.names, self.line_up, strict=True)
        ]

    # ---- playing -----------------------------------------------------------------------------

    @property
    def person_to_act(self) -> int | None:
        """The seat of the person who has to choose; None where a level has to, and when the game is over."""
        seat = self.game.state.to_act
        return seat if not self.game.over and isinstance(self.line_up[seat], Person) else None

    def view(self, seat: int) -> PlayerView:
        """What a seat may know now."""
        return self.game.view(seat)

    def offer(self, seat: int) -> Offer | None:
        """What a person may do now; None where the game does not wait for this seat."""
        if self.person_to_act != seat:
            return None
        return offer(self.view(seat), self.called, revocable=self.revocable)

    def do(self, seat: int, command: Command | TakeBack) -> None:
        """Do what a person chose; raises :class:`IllegalCommand`, and nothing has changed, where it is not allowed."""
        if self.person_to_act != seat:
            raise IllegalCommand("the game is over" if self.game.over else "it is not this player's turn to choose")
        if isinstance(command, TakeBack):
            self._take_back()
            return
        self._match.execute(command)
        self._save_events()

    def advance(self) -> None:
        """Let the level that the game waits for choose once, which may take a while."""
        self._match.advance()
        self._save_events()

    def check_level(self, level: PlayerSpec) -> None:
        """Raise :class:`PlayerError` for a level that cannot play this game."""
        table = self.game.table
        level.check(table.deck, table.rules, table.seats)

    @property
    def revocable(self) -> bool:
        """Whether the person to act may take their last command back, because nobody has learnt anything from it."""
        events = self.game.events
        return self.game.revocable and events[-1].seat == self.game.state.to_act

    @property
    def faults(self) -> list[Fault]:
        """The faults of levels so far; their texts may betray cards."""
        return self._faults + self._match.faults

    def _take_back(self) -> None:
        if not self.revocable:
            raise IllegalCommand(NOT_REVOCABLE)
        self.game.undo()
        self._faults += self._match.faults
        self._match = self._new_match()
        undone = self._saved - len(self.game.events)
        self._saved = len(self.game.events)
        if not self.autosave.begun or not self.autosave.add(self._writer.undo(undone)):
            self.save()

    def _new_match(self) -> Match:
        """A match of the levels, to go on with the game as it stands."""
        line_up = [None if self.levels_elsewhere or isinstance(who, Person) else who for who in self.line_up]
        return Match(self.game, *seat_players(line_up, self.seeds), self._clock)

    # ---- saving -------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the record as it stands now; for a game without events only if a file was named."""
        if self.game.commands or self.autosave.chosen:
            self.autosave.begin(self.line())
        self._saved = len(self.game.events)

    def line(self) -> str:
        """The record as it stands."""
        return self._record(self.seeds.seed if self.seeded else None)

    def _record(self, seed: int | None) -> str:
        return self._writer.line(self.game, self.names, seed=seed, number=0, deal=self.seeds.deal, rotation=0)

    def _save_events(self) -> None:
        """Add what has happened since to the record."""
        new = self.game.events[self._saved :]
        if not new:
            return
        self._saved += len(new)
        if not self.autosave.begun or not self.autosave.add(self._writer.more(new, self.game.result)):
            self.save()
