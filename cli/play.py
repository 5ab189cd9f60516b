"""``cluedo play``: people and levels at one table, in the terminal."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from cluedo.ai.levels import PlayerSpec, parse_player
from cluedo.ai.match import DEFAULT_THINK_LIMIT, Fault, Match, MatchStopped
from cluedo.ai.player import Player
from cluedo.board import Board
from cluedo.cli.board_text import pawn_chip
from cluedo.cli.compiling import prepare
from cluedo.cli.files import check_new, write_new
from cluedo.cli.human import Human
from cluedo.cli.language import tr, tr_count
from cluedo.cli.options import Lang, ThinkLimit, check_think_limit, split_players
from cluedo.cli.story import Story
from cluedo.cli.terminal import Screen
from cluedo.deal import Seeds, draw_deal
from cluedo.errors import PlayerError
from cluedo.game import Game
from cluedo.record import RecordWriter
from cluedo.rules import Rules

__all__ = ["play"]

HUMAN = "human"


def play(
    players: Annotated[
        str, typer.Option(help="Who plays, clockwise: human, a level, level:key=value or path/to/bot.py:Class.")
    ] = "human,easy,medium,medium",
    map_: Annotated[str, typer.Option("--map", help="A map's name, or the path of a map file.")] = "manoir",
    seed: Annotated[int | None, typer.Option(help="Deal and dice of this seed; without it, of a secret one.")] = None,
    rule: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="Set a rule; may be repeated.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write the game to this new file, finished or not.")] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="No colours, no clearing, every prompt on its own line.")
    ] = False,
    think_limit: ThinkLimit = DEFAULT_THINK_LIMIT,
    _lang: Lang = None,
) -> None:
    """Play in the terminal, alone against the levels or with others at one screen."""
    check_think_limit(think_limit)
    with redirect_stdout(sys.stderr):  # a bot's file may print when it is read
        line_up = _line_up(players)
    board, rules = Board.load(map_), Rules.from_options(rule or ())
    master = secrets.randbits(32) if seed is None else seed
    seeds = Seeds(master, 0, len(line_up))
    game = Game(board, rules, draw_deal(seeds, board.deck, rules))
    if record is not None:
        check_new(record)

    screen = Screen(line_up.count(None), plain=plain)
    table = _Table(game, line_up, screen)
    interrupted = False
    with redirect_stdout(sys.stderr):  # the screen is for the people: what bots print is not of the game
        match = table.seat(seeds, think_limit)
    try:
        with redirect_stdout(sys.stderr):
            match.play()
    except MatchStopped as stopped:
        if stopped.__cause__ is not None:
            raise stopped.__cause__ from None
        screen.say(str(stopped))
    except KeyboardInterrupt:
        interrupted = True
        screen.say()
        screen.say(tr("Interrupted: the game stops here."))
    finally:
        # Whatever ended the game, Ctrl-C and errors included, what was played is kept.
        if record is not None:
            line = RecordWriter(board, rules).line(game, table.names, seed=master, number=0, deal=0, rotation=0)
            write_new(record, line + "\n")
            screen.say(tr("The game is recorded in {file}.", file=record))
    table.farewell(match.faults)
    _tell_seed(screen, master, secret=seed is None, options=("--players", players, "--map", map_), rules=rule or ())
    if interrupted:
        raise typer.Exit(130)


def _tell_seed(screen: Screen, seed: int, *, secret: bool, options: Sequence[str], rules: Sequence[str]) -> None:
    """The seed, and how to play its deal again: at the end, for it holds the deal."""
    again = ["cluedo", "play", *options, "--seed", str(seed)]
    for rule in rules:
        again += ["--rule", rule]
    told = tr("The secret seed was {seed}.", seed=seed) if secret else tr("The seed was {seed}.", seed=seed)
    screen.say(told + " " + tr("The same deal again: {command}", command=shlex.join(again)))


def _line_up(text: str) -> list[PlayerSpec | None]:
    """The players by seat, None for a person; raises :class:`PlayerError`."""
    line_up: list[PlayerSpec | None] = []
    for part in split_players(text):
        name, *options = part.split(":")
        if name == HUMAN:
            if options:
                raise PlayerError(f"{part}: a human has no parameters")
            line_up.append(None)
            continue
        try:
            line_up.append(parse_player(part))
        except PlayerError as error:
            raise PlayerError(f"{error}; or human, for a person") from None
    if None not in line_up:
        raise PlayerError("no human is among the players; levels play among themselves with: cluedo autoplay")
    return line_up


@dataclass(frozen=True)
class _Table:
    """What is said before and after a game."""

    game: Game
    line_up: list[PlayerSpec | None]
    screen: Screen

    @property
    def names(self) -> list[str]:
        """By seat, what the players are called in the record."""
        return [HUMAN if spec is None else spec.text for spec in self.line_up]

    def welcome(self) -> None:
        """Who plays what."""
        table, say = self.game.table, self.screen.say
        title = table.board.map.title or table.board.map.name
        say(tr("{title}: {seats} players, clockwise", title=title, seats=table.seats), style="bold")
        for seat, spec in enumerate(self.line_up):
            chip = pawn_chip(table.board, table.suspects[seat])
            player = tr("human") if spec is None else spec.text
            cards = tr_count("{count} card", "{count} cards", table.hand_sizes[seat])
            name = f"{seat + 1} {table.name(seat)}"
            say(tr("{name}: {player}, {cards}", name=name, player=player, cards=cards), chip=chip)
        begins = tr("{who} begins.", who=table.name(table.first))
        say(begins + " " + tr("Type help at any prompt, quit to leave."))
        say()

    def seat(self, seeds: Seeds, think_limit: float) -> Match:
        """Everybody in their places, after a welcome."""
        prepare(spec for spec in self.line_up if spec is not None)
        self.welcome()
        seated: list[Player] = [Human(self.screen) if spec is None else spec.make() for spec in self.line_up]
        randoms = [seeds.for_player(0, place) for place in range(len(seated))]
        people = [seat for seat, spec in enumerate(self.line_up) if spec is None]
        return Match(self.game, seated, randoms, think_limit, unhurried=people)

    def farewell(self, faults: list[Fault]) -> None:
        """How it ended, and what went wrong on the way."""
        game, say = self.game, self.screen.say
        people = [seat for seat, spec in enumerate(self.line_up) if spec is None]
        if game.result is not None:
            story = Story(game.table, people[0] if len(people) == 1 else None)
            say()
            say(story.ending(game.result), style="bold")
            say(tr("The envelope held {cards}.", cards=story.cards(game.state.deal.envelope)))
        for fault in faults:
            sys.stderr.write(
                f"cluedo: {self.names[fault.seat]}, player {fault.seat + 1}, turn {fault.turn}: {fault.text}\n"
            )
