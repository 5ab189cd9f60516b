"""``cluedo.play``: one game between players, from its first turn to its end."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from markupsafe import Markup

from cluedo.ai.match import Fault, Match, seat_players
from cluedo.ai.player import USUAL_CLOCK, Clock, check_clock
from cluedo.engine.board_and_rules import AnyBoard, AnyRules, board_and_rules
from cluedo.engine.board_svg import board_svg
from cluedo.engine.cards import bits
from cluedo.engine.deal import SEEDS, Seeds, whole_seed
from cluedo.engine.errors import SetupError, safe_repr
from cluedo.engine.events import Event
from cluedo.engine.game import Game, Result
from cluedo.engine.record import GameRecord, RecordWriter
from cluedo.engine.state import Reason
from cluedo.language import tr
from cluedo.session.library.arguments import AnyPlayer, prepare_players, read_players, source_of
from cluedo.words.narration import Story

__all__ = ["PlayedGame", "elements", "play"]

_SEED_BITS: Final = 32
_LAST: Final = 8
"""Sentences of a game that a notebook shows."""


class PlayedGame:
    """A game that has been played to its end.

    Seats count from 0, in the order of the players: ``game.players[game.winner]`` has won.

    Attributes:
        players: by seat, the text or the class of the player.
        seed: with which the same game is played again.
        faults: the choices that players lost, because they raised, broke a rule or thought for too long; and what they
            raised while they were told something.
    """

    def __init__(self, game: Game, players: Sequence[str], seed: int, faults: Sequence[Fault]):
        assert game.result is not None
        self._game = game
        self._result: Result = game.result
        self.players = tuple(players)
        self.seed = seed
        self.faults = tuple(faults)

    @property
    def winner(self) -> int | None:
        """The seat that won, or None."""
        return self._result.winner

    @property
    def winner_name(self) -> str | None:
        """The player who won, or None."""
        return None if self.winner is None else self.players[self.winner]

    @property
    def turns(self) -> int:
        """How many turns were begun."""
        return self._result.turns

    @property
    def reason(self) -> Reason:
        """How it ended: ``solved``, ``unsolved`` (nobody named the envelope), or ``unfinished`` (limit of turns)."""
        return self._result.reason

    @property
    def envelope(self) -> tuple[str, ...]:
        """The suspect, the weapon and the room of the envelope."""
        return tuple(self._game.table.deck.names[card] for card in self._game.state.deal.envelope)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, all cards open (see :mod:`cluedo.engine.events`)."""
        return self._game.events

    @cached_property
    def record(self) -> GameRecord:
        """The whole game as it stands in a file: ``record.model_dump_json()``, which ``cluedo replay`` shows.

        Raises:
            SetupError: its board is in no file, so nobody could replay it.
        """
        table, names = self._game.table, self.players
        source_of(table.board)
        writer = RecordWriter(table.board, table.rules)
        return GameRecord.from_json(writer.line(self._game, names, seed=self.seed, number=0, deal=0, rotation=0))

    @property
    def story(self) -> list[str]:
        """The game in sentences, in which players are called by their suspects."""
        told = Story(self._game.table)
        return [said.text for said in told.sentences(self.events)] + [told.ending(self._result)]

    def __repr__(self) -> str:
        how = self.reason if self.winner_name is None else f"{self.winner_name} on seat {self.winner} wins"
        return f"<game on {self._game.table.board.source}, seed {self.seed}: {how} after {self.turns} turns>"

    def _repr_html_(self) -> str:
        """Who played and who won, the board as it stood, and the last turns, for a notebook."""
        table, deck, state = self._game.table, self._game.table.deck, self._game.state
        rows = [
            elements("td", [table.name(seat), player, deck.listed(bits(hand)), "★" if seat == self.winner else ""])
            for seat, (player, hand) in enumerate(zip(self.players, state.deal.hands, strict=True))
        ]
        envelope = tr("The envelope held {cards}.", cards=", ".join(self.envelope))
        head = [tr("suspect"), tr("player"), tr("hand"), ""]
        return Markup(
            "<table><caption>{}, {}. {}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table>{}<ul>{}</ul>"
        ).format(
            table.board.title,
            tr("seed {seed}", seed=self.seed),
            envelope,
            elements("th", head),
            elements("tr", rows),
            board_svg(table.board, state.pawns, state.weapons) if table.board.has_grid else "",
            elements("li", self.story[-_LAST:]),
        )


def elements(tag: str, contents: Iterable[str]) -> Markup:
    """An HTML element of this tag for each text; what is no :class:`Markup` is escaped."""
    return Markup("").join(Markup(f"<{tag}>{{}}</{tag}>").format(content) for content in contents)


def play(
    board: AnyBoard,
    players: Sequence[AnyPlayer],
    *,
    seed: int | None = None,
    rules: AnyRules = None,
    clock: Clock = USUAL_CLOCK,
    trusted: bool = False,
) -> PlayedGame:
    """Play one game.

    The same seed gives the same game as game 0 of ``cluedo autoplay --seed``. A player that fails loses that one choice
    and the game goes on: see :attr:`PlayedGame.faults`.

    Args:
        board: a board's or an edition's name, the path of one's file, or a Board, a MapFile or an Edition.
        players: by seat, texts as on the command line (``"hard"``, ``"my_bot.py:MyBot"``, ``"exec:node bot.js"``),
            classes, or objects of your own, which play in this process.
        seed: of everything that is left to chance; if it is left out, one is drawn (:attr:`PlayedGame.seed`).
        rules: a Rules, or a dict of those that differ from the edition's or the box's, such as ``{"dice": 1}``.
        clock: the time that each player has: 30 seconds for an answer, if nothing else is said. A player that plays in
            this process and hangs is interrupted in the main thread alone, and not on Windows.
        trusted: run classes that are named by a file or a package in this process, not in one of their own.

    Raises:
        CluedoError: in one sentence, if there can be no such game.
    """
    line_up = read_players(players, trusted=trusted)
    check_clock(clock)
    found, chosen = board_and_rules(board, rules, len(line_up))
    names = prepare_players(line_up, found, chosen)
    seeds = Seeds(_whole(seed), 0, len(line_up))
    game = Game.begin(found, chosen, seeds)
    match = Match(game, *seat_players(line_up, seeds), clock)
    match.play()
    return PlayedGame(game, names, seeds.seed, match.faults)


def _whole(seed: int | None) -> int:
    """The seed as a Python int; a random one for None."""
    if seed is None:
        return secrets.randbits(_SEED_BITS)
    whole = whole_seed(seed)
    if whole >= SEEDS:
        raise SetupError("a seed is a whole number from 0 to 2^64 - 1, not {seed}", seed=safe_repr(seed))
    return whole
