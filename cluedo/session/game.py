"""A game with people in it, from its start or from where it was left: who sits where, and what keeps it."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import Match
from cluedo.ai.player import Player
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds, check_seats, draw_deal
from cluedo.engine.errors import CluedoError, RecordError, SetupError
from cluedo.engine.game import Game
from cluedo.engine.record import RecordWriter, read_record
from cluedo.engine.rules import Rules
from cluedo.language import tr
from cluedo.session.autosave import Keeper
from cluedo.session.choices import Unclear, pick
from cluedo.session.line_up import Person, Seated, parse_line_up
from cluedo.session.narration import Story

__all__ = ["Sitting"]


@dataclass
class Sitting:
    """One game at one table.

    Attributes:
        game: the game.
        line_up: by seat, who plays.
        seeds: where deal, dice and players come from.
        secret: whether nobody was told the seed.
        keeper: what keeps the record.
    """

    game: Game
    line_up: list[Seated]
    seeds: Seeds
    secret: bool
    keeper: Keeper

    def __post_init__(self) -> None:
        for level in self.levels:
            level.kind.check(self.game.table.deck)
        self._writer = RecordWriter(self.game.table.board, self.game.table.rules)

    @classmethod
    def begin(
        cls,
        line_up: list[Seated],
        board: Board,
        rules: Rules,
        *,
        seed: int | None = None,
        suspects: str = "",
        record: Path | None = None,
    ) -> Sitting:
        """A new game; raises :class:`CluedoError` for what does not fit together."""
        master = secrets.randbits(32) if seed is None else seed
        seeds = Seeds(master, 0, len(line_up))
        deal = draw_deal(seeds, board.deck, rules, _suspects(suspects, board, len(line_up)))
        game = Game(board, rules, deal)
        return cls(game, line_up, seeds, seed is None, Keeper.new(record, board.source))

    @classmethod
    def resume(cls, path: Path) -> Sitting:
        """The game of a record, to be gone on with and kept in the same file; raises :class:`CluedoError`.

        The dice go on as the record's seed has them; without one they are new.
        """
        record = read_record(path)
        if record.result is not None:
            raise RecordError(f"{path}: the game is over; cluedo replay shows it")
        try:
            line_up = parse_line_up(",".join(player.name for player in record.players))
            fresh = record.seed is None
            seeds = Seeds(secrets.randbits(32) if record.seed is None else record.seed, record.deal or 0, len(line_up))
            game = record.replay(dice=[seeds.for_dice(seat) for seat in range(len(line_up))])
        except CluedoError as error:
            raise RecordError(f"{path}: {error}") from None
        return cls(game, line_up, seeds, fresh, Keeper(path, chosen=True))

    @property
    def people(self) -> list[int]:
        """The seats of the people."""
        return [seat for seat, seated in enumerate(self.line_up) if isinstance(seated, Person)]

    @property
    def levels(self) -> list[PlayerSpec]:
        """Those who are no people."""
        return [seated for seated in self.line_up if isinstance(seated, PlayerSpec)]

    @property
    def names(self) -> list[str]:
        """By seat, what the players are called in the record."""
        return [seated.text for seated in self.line_up]

    def called(self, seat: int) -> str:
        """The suspect of a seat, with the name of the person who plays it, if they have one."""
        seated = self.line_up[seat]
        suspect = self.game.table.name(seat)
        return f"{suspect} ({seated.name})" if isinstance(seated, Person) and seated.name else suspect

    def match(
        self,
        person: Callable[[int], Player],
        think_limit: float,
        watch: Callable[[], None] | None = None,
        interrupted: Callable[[], bool] = lambda: True,
    ) -> Match:
        """A match of this game, from where it stands; ``person`` makes the player of a person's seat.

        The game is kept after each command, and then ``watch`` is called. ``interrupted`` is as for a match.
        """
        seated = [person(seat) if isinstance(who, Person) else who.make() for seat, who in enumerate(self.line_up)]
        randoms = [self.seeds.for_player(0, place) for place in range(len(seated))]

        def kept() -> None:
            self.keep()
            if watch is not None:
                watch()

        people = self.people
        return Match(self.game, seated, randoms, think_limit, unhurried=people, interrupted=interrupted, watch=kept)

    def keep(self) -> None:
        """Write the record as it stands now; a game in which nothing happened only where somebody named a file."""
        path = self.keeper.path
        if not self.game.commands and not self.keeper.chosen and (path is None or not path.exists()):
            return  # but a first command that was taken back goes from the file, too
        self.keeper.keep(self._writer.line(self.game, self.names, seed=self.seeds.seed, number=0, deal=0, rotation=0))

    def farewell(self) -> Iterator[str]:
        """What is said when the game is over or left: where it is kept, how it ended, and how to play it again.

        The seed comes at the end only, for it holds the deal.
        """
        path, game = self.keeper.path, self.game
        if path is not None and not path.exists():
            path = None
        if game.result is None and path is not None:
            go_on = shlex.join(["cluedo", "play", "--resume", str(path)])
            yield tr("The game is recorded in {file}. To go on with it: {command}", file=path, command=go_on)
        elif path is not None:
            yield tr("The game is recorded in {file}.", file=path)
        if game.result is not None:
            story = Story(game.table, self.people[0] if len(self.people) == 1 else None)
            yield ""
            yield story.ending(game.result)
            yield tr("The envelope held {cards}.", cards=story.cards(game.state.deal.envelope))
        seed = (
            tr("The secret seed was {seed}.", seed=self.seeds.seed)
            if self.secret
            else tr("The seed was {seed}.", seed=self.seeds.seed)
        )
        yield seed + " " + tr("The same deal again: {command}", command=self._again())

    def _again(self) -> str:
        """The command that plays the same deal again."""
        table = self.game.table
        words = ["cluedo", "play", "--players", ",".join(self.names), "--map", table.board.source]
        if table.suspects != tuple(table.deck.suspects[: table.seats]):
            words += ["--suspects", ",".join(table.name(seat) for seat in range(table.seats))]
        words += ["--seed", str(self.seeds.seed)]
        usual = Rules()
        for key in Rules.model_fields:
            if getattr(table.rules, key) != getattr(usual, key):
                words += ["--rule", f"{key}={getattr(table.rules, key)}"]
        return shlex.join(words)


def _suspects(text: str, board: Board, seats: int) -> Sequence[int] | None:
    """The suspects named, by seat; who has none gets the first that is free."""
    if not text.strip():
        return None
    names = [board.deck.names[card] for card in board.deck.suspects]
    try:
        chosen = [board.deck.suspects[pick(part.strip(), names)] for part in text.split(",")]
    except Unclear as error:
        raise SetupError(f"--suspects: {error}") from None
    if len(chosen) > seats:
        raise SetupError(f"--suspects names {len(chosen)} for {seats} players")
    chosen += [card for card in board.deck.suspects if card not in chosen][: seats - len(chosen)]
    return check_seats(board.deck, seats, chosen)
