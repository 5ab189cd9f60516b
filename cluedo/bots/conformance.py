"""Checks a bot: asks it every kind of question in test games, and reports line by line what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, product
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple

from cluedo.ai.levels import parse_player
from cluedo.ai.loading import SPEED_CLUE
from cluedo.ai.match import Fault, Match, NoAnswer, seat_players
from cluedo.ai.player import Clock, Proxy
from cluedo.bots.host import HostedBot, ProtocolBot
from cluedo.bots.process import BotTrouble
from cluedo.bots.speedclue import ANSWER_S, SpeedClueBot
from cluedo.engine.board import Board
from cluedo.engine.commands import Command
from cluedo.engine.deal import Seeds
from cluedo.engine.editions import Edition
from cluedo.engine.errors import PlayerError
from cluedo.engine.game import Game
from cluedo.engine.mapfile import MapFile
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import Rules
from cluedo.engine.turn_questions import QUESTIONS, TurnQuestion
from cluedo.engine.view import PlayerView

__all__ = ["CheckLine", "check_bot"]

_OTHERS: Final = ("medium", "easy", "random", "medium", "easy", "random")
_CONTEST_OTHERS: Final = ("medium", "easy", "medium", "easy", "medium")
"""Players who make a suggestion in each of their turns, as the contest wants it."""

_SEED: Final = 2
_EDITIONS: Final = {"two": 2, "discover": 4, "master": 7, "speedclue": 4, "house": 4}
"""By edition, the number of players; together they set every rule that is not of the box and that a bot meets."""
_CONTEST_QUESTIONS: Final = tuple(question for question in QUESTIONS if question.name not in ("peek", "walk"))
_UNKNOWN: Final = TurnQuestion("riddle", Phrase("a riddle or none"), "", (type(None),), (), lambda _: {})
"""A question that version 1 of the protocol does not have."""
_MOST_FAULTS: Final = 20
"""Faults that are told of one game."""


class CheckLine(NamedTuple):
    """A line of what was found.

    Attributes:
        good: whether it is as it should be.
        text: one sentence.
    """

    good: bool
    text: str


class _Trial(NamedTuple):
    """A game that a bot is tried in: its board, the number of players, and the rules, perhaps of an edition."""

    board: Board
    seats: int
    rules: Rules
    deal: int = 0
    edition: str = ""
    others: tuple[str, ...] = _OTHERS

    @property
    def title(self) -> str:
        """What stands before what is found in it."""
        if self.edition:
            return Phrase("edition {name}, {seats} players", name=self.edition, seats=self.seats)
        return Phrase("{map}, {seats} players", map=self.board.map.name, seats=self.seats)


def check_bot(command: Sequence[str], text: str, clock: Clock) -> Iterator[CheckLine]:
    """Start a program and play with it.

    Args:
        command: the program and its arguments.
        text: as a line-up has it, which says what protocol it speaks.
        clock: the time that it has.
    """
    contest = text.strip().startswith(SPEED_CLUE)
    bot: HostedBot[Any] = SpeedClueBot(command, text, exact=True) if contest else ProtocolBot(command, text)
    try:
        began = perf_counter()
        bot.start(clock.limit_s)
        assert bot.name is not None
        yield CheckLine(
            True,
            Phrase(
                "hello: {bot}, {seconds:.1f} s after its start",
                bot=f"{bot.name.name} {bot.name.version}".rstrip(),
                seconds=perf_counter() - began,
            ),
        )
        if isinstance(bot, SpeedClueBot):
            if (yield from _games(bot, clock, _contest_tables(), _CONTEST_QUESTIONS)):
                yield _farewell(bot)
        elif (yield from _games(bot, clock, _tables(), QUESTIONS)):
            yield _unknown_question(bot, clock)
            yield from _repetition(bot, clock)
    except PlayerError as error:
        yield CheckLine(False, Phrase("hello: {error}", error=error.phrase))
    finally:
        bot.end()


def _games(
    bot: HostedBot[Any], clock: Clock, tables: Iterable[_Trial], questions: Iterable[TurnQuestion]
) -> Generator[CheckLine, None, bool]:
    """Play at all tables, and report on it and on whether everything was asked.

    Returns:
        Whether it is worth going on: each game in which it hangs until it is absent takes a minute and more.
    """
    asked: Counter[str] = Counter()
    longest = 0.0
    for table in tables:
        player, faults = _play(bot, table, clock)
        asked.update(player.asked)
        longest = max(longest, player.longest_s)
        for fault in faults[:_MOST_FAULTS]:
            yield CheckLine(False, Phrase("{game}: {fault}", game=table.title, fault=fault))
        if len(faults) > _MOST_FAULTS:
            more = len(faults) - _MOST_FAULTS
            yield CheckLine(False, Phrase("{game}: and {count:,} more", game=table.title, count=more))
        if bot.absent() is not None and player.longest_s > clock.limit_s:
            yield CheckLine(False, Phrase("it answered too late until it counted as absent, so the check ends here"))
            return False
        if not faults:
            count = sum(player.asked.values())
            yield CheckLine(True, Phrase("{game}: {questions} questions", game=table.title, questions=count))
    for question in questions:
        if not asked[question.name]:
            yield CheckLine(
                False,
                Phrase("it was never asked for {ask}, because it never played a turn of that kind", ask=question.name),
            )
    yield CheckLine(longest <= clock.limit_s, Phrase("its longest answer took {seconds:.3f} s", seconds=longest))
    return True


def _farewell(bot: SpeedClueBot) -> CheckLine:
    """Whether a program of the contest says that it is dead when there are no more games."""
    try:
        bot.start().tell("done", ANSWER_S, "dead")
    except BotTrouble as trouble:
        return CheckLine(False, Phrase("done: {error}", error=trouble.phrase))
    return CheckLine(True, Phrase("done: answered dead"))


def _unknown_question(bot: HostedBot[Any], clock: Clock) -> CheckLine:
    """Whether it answers null to a question that it does not know: a later version of the protocol may ask more."""
    table = next(_tables())
    bot.forget_failures()
    game = Game.begin(table.board, table.rules, Seeds(_SEED, table.deal, table.seats))
    view = game.view(game.state.to_act)
    player: Any = bot.player()
    try:
        player.sit_down((view, Random(_SEED), clock))
        player.answer(_UNKNOWN, view)
    except NoAnswer as absent:
        return CheckLine(False, Phrase("a question that it cannot know: {error}", error=absent.phrase))
    return CheckLine(True, Phrase("a question that it cannot know: answered null"))


def _repetition(bot: HostedBot[Any], clock: Clock) -> Iterator[CheckLine]:
    """Whether the same game is played the same way again, also by a program that was just started."""
    table = next(islice(_tables(), 1, None))
    games = []
    for _ in range(2):
        bot.end()
        games.append(_play(bot, table, clock)[0].answers)
    if games[0] == games[1]:
        yield CheckLine(True, Phrase("the same game was played the same way again"))
    else:
        yield CheckLine(False, Phrase("the same game was played differently: make every random choice from the seed"))


def _tables() -> Iterator[_Trial]:
    """Every number of seats, both ways to move, decks of odd sizes and names, and the rules of editions."""
    yield _Trial(Board.load("tiny"), 3, Rules())
    yield _Trial(Board.load("classic"), 3, Rules())
    yield _Trial(Board.load("manoir"), 4, Rules(dice=1, max_turns=200))
    yield _Trial(Board.load("classic"), 5, Rules(), deal=1)
    yield _Trial(Board.load("classic"), 6, Rules(dice=3), deal=2)
    free = Rules(movement="free", max_turns=200)
    yield _Trial(Board.load("master"), 6, free)
    yield _Trial(_odd_board(), 3, free)
    for name, seats in _EDITIONS.items():
        edition = Edition.load(name)
        yield _Trial(Board.load(edition.map), seats, edition.rules, edition=name)


def _contest_tables() -> Iterator[_Trial]:
    """Every number of seats, and in each of two deals others who begin and who hold a card more."""
    edition = Edition.load("speedclue")
    for seats, deal in product(range(edition.players[0], edition.players[1] + 1), range(2)):
        yield _Trial(Board.load(edition.map), seats, edition.rules, deal, "speedclue", _CONTEST_OTHERS)


def _odd_board() -> Board:
    """A deck whose names are hard to read: long, of other scripts, with quotes and blanks."""
    names = ['Dr "Quote"', "Émilie O'Neil", "\N{GREEK CAPITAL LETTER OMEGA}", "a, b", "C:\\D", "x" * 40, "null"]
    return Board(
        MapFile.model_validate(
            {
                "name": "odd",
                "suspects": [{"name": name} for name in names],
                "weapons": [{"name": f"{name[:36]} W"} for name in names[:3]],
                "rooms": [{"name": f"{name[:36]} R"} for name in names[:4]],
            }
        )
    )


class _RecordingPlayer(Proxy):
    """Notes what a program is asked, what it answers and how long that takes."""

    keeps_time = True

    def __init__(self, bot: HostedBot[Any]):
        self._player = bot.player()
        self.asked: Counter[str] = Counter()
        self.answers: list[Command | None] = []
        self.longest_s = 0.0

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._player.blame = self.blame
        self._player.sit_down((view, random, self.clock))

    def over(self, view: PlayerView) -> None:
        self._player.over(view)

    def answer(self, question: TurnQuestion, view: PlayerView) -> Command | None:
        self.asked[question.name] += 1
        began = perf_counter()
        try:
            answer: Command | None = getattr(self._player, question.method)(view)
        finally:  # one that never came took the longest
            self.longest_s = max(self.longest_s, perf_counter() - began)
        self.answers.append(answer)
        return answer


def _play(bot: HostedBot[Any], table: _Trial, clock: Clock) -> tuple[_RecordingPlayer, list[str]]:
    """A game with the bot on the first seat: what it did, and its faults."""
    bot.forget_failures()
    with suppress(BotTrouble):  # it shows in the game
        bot.start(clock.limit_s)
    seeds = Seeds(_SEED, table.deal, table.seats)
    game = Game.begin(table.board, table.rules, seeds)
    watched = _RecordingPlayer(bot)
    others = map(parse_player, table.others[: table.seats - 1])
    match = Match(game, *seat_players([watched, *others], seeds), clock)
    match.play()
    return watched, list(_summarise(fault for fault in match.faults if fault.seat == 0))


def _summarise(faults: Iterable[Fault]) -> Iterator[str]:
    """What was wrong: when for the first time, and how often, for a bot that is absent is so at every question."""
    turns: dict[str, list[int]] = {}
    for fault in faults:
        turns.setdefault(fault.text, []).append(fault.turn)
    for text, (first, *later) in turns.items():
        if later:
            yield Phrase("turn {turn}: {text} ({times:,} times)", turn=first, text=text, times=1 + len(later))
        else:
            yield Phrase("turn {turn}: {text}", turn=first, text=text)
