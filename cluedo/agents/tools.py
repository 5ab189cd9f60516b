"""All tools of an AI assistant: the detective, a table against levels, and the public test set."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pydantic import Field

from cluedo.agents.forms import Answer, Name, Names, TableForm, ToolForm, told
from cluedo.agents.storage import Opened, Storage, advance, opened_case, opened_game
from cluedo.ai.levels import LEVELS, parse_player
from cluedo.ai.positions import grade, read_answer, rounded_chance
from cluedo.bots.naming import is_level
from cluedo.engine.board import Board
from cluedo.engine.cards import Category, bits, closest
from cluedo.engine.codec import CommandForm, command_json, command_of, place_json
from cluedo.engine.commands import Command
from cluedo.engine.errors import CluedoError, PlayerError, SetupError
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.actions import CardChoice, Offer, TakeBack
from cluedo.session.advice import case_sections, odds_section, todo_section, verdict_section
from cluedo.session.autosave import Autosave
from cluedo.session.boards import default_map
from cluedo.session.case.setup import make_setting, read_hand, read_pair, read_player
from cluedo.session.game_session import GameSession
from cluedo.session.hints import hint_sections
from cluedo.session.line_up import Person, Seated
from cluedo.words.narration import Story
from cluedo.words.position_text import position_text
from cluedo.words.rule_text import rule_sentences

__all__ = ["TOOLS", "Act", "Enter", "GameNews", "Hint", "NewGame", "Odds", "OpenCase", "Proofs", "Questions"]

_MOST_TURNS: Final = 1000
"""Of a game: as by the rules of the box."""


# ---- the detective at a real table -------------------------------------------------------------------


class OpenCase(TableForm):
    """Open a case: the sheet and the detective for somebody at a real table of Cluedo (Clue).

    Gives the id of the case, the names of all cards and places, and the first advice.
    """

    tool = "open_case"
    players: Names = Field(
        min_length=2, description='In turn order; "Ann:5" holds five cards, where the hands are unequal.'
    )
    me: Name | None = Field(None, description="Which of them the user is; left out for a spectator.")
    hand: Names = Field([], description="The cards that the user holds.")
    face_up: Names = Field([], description="The cards that lie open for all, if the rules lay any.")

    def answer(self, storage: Storage) -> Answer:
        edition = self.chosen(default_map())
        board = Board.load(edition.map)
        hand = None if self.me is None and not self.hand else read_hand(_as_text(self.hand), board)
        seated = list(map(read_player, self.players))
        setting = make_setting(board, seated, self.me, hand, edition=edition, face_up=_as_text(self.face_up))
        name, interpreter = storage.cases.begin(lambda path: opened_case(path, lambda store: store.new(setting)))
        said = told(case_sections(interpreter.case))
        return {
            "case": name,
            "cards": board.deck.by_kind,
            "places": [str(place) for place in setting.places],
            "said": said,
        }


def _as_text(cards: Iterable[str]) -> str:
    """Cards as one text, of which each comma ends one."""
    return "".join(f"{card}," for card in cards)


class _OfCase(ToolForm):
    case: Name = Field(description="The id that open_case gave.")


class Enter(_OfCase):
    """Enter what happened at the table, in one line; gives what is new, proved and best to do.

    An entry: "bob asks plum rope hall, cy shows", "me asks plum rope hall, cy shows rope" (the user saw the card),
    "bob asks plum rope hall, nobody", "bob accuses plum rope hall wrong" (or right). Those between the asker and who
    shows could not answer. Or a change: "undo", "redo", "edit 3 ENTRY", "insert 3 ENTRY", "drop 3", "fix 1" (of the
    changes that are offered for a contradiction), "keep" (a doubtful entry), "hand CARDS", "at ROOM" (where the user's
    pawn stands). Or a look: "whatif ENTRY", "log".
    """

    tool = "enter"
    line: str = Field(max_length=300, description="The entry or the change.")

    def answer(self, storage: Storage) -> Answer:
        interpreter = storage.cases.get(self.case)
        reply = interpreter.answer(self.line)
        noted = reply.kind.name.lower()
        return {"kind": noted, "entry": reply.title, "said": told(reply.sections)}


class Proofs(_OfCase):
    """What is proved in a case: where cards are, which cannot be in the envelope, and why."""

    tool = "proofs"
    reads = True
    why: Name | None = Field(
        None, description='Explain this card and place: "Hall=Cy" or "Rope=envelope". Left out: all that is proved.'
    )

    def answer(self, storage: Storage) -> Answer:
        case = storage.cases.get(self.case).case
        known = case.consistent_knowledge()
        if self.why is not None:
            return {"why": list(map(tr, known.why(*read_pair(self.why, case.setting)).lines))}
        odds = case.odds
        return {"proved": case.proved, "not_in_envelope": [card for card, row in odds.items() if not row["envelope"]]}


class Odds(_OfCase):
    """How likely each card of a case is at each place, counting every deal that fits alike; 0 and 1 are proved."""

    tool = "odds"
    reads = True

    def answer(self, storage: Storage) -> Answer:
        case = storage.cases.get(self.case).case
        odds = {card: {place: _short(p) for place, p in row.items()} for card, row in case.odds.items()}
        return {"odds": odds, "said": told([odds_section(case, most=10)])}


def _short(chance: float | None) -> float | None:
    return None if chance is None else rounded_chance(chance)


class Questions(_OfCase):
    """The best question of each room, the most promising first, and whether to accuse now.

    Bits are what the answer is expected to tell about the envelope.
    """

    tool = "questions"
    reads = True

    def answer(self, storage: Storage) -> Answer:
        case = storage.cases.get(self.case).case
        case.consistent_knowledge()
        names = case.setting.deck.names
        listed = [
            {"cards": [names[card] for card in one.cards], "bits": round(one.bits, 3), "when": one.when}
            for one in case.questions
        ]
        return {"questions": listed, "said": told([todo_section(case), verdict_section(case)])}


# ---- a table against levels --------------------------------------------------------------------------


class NewGame(TableForm):
    """Deal a new game of Cluedo (Clue) against levels. The caller plays the first seat; who starts is drawn.

    Gives the id of the game, the hand, and what look gives.
    """

    tool = "new_game"
    plays = True
    opponents: Names = Field(
        ["medium", "hard"], description=f"In turn order after the caller; levels: {', '.join(LEVELS)}."
    )
    seed: int | None = Field(
        None, ge=0, lt=2**63, description="The same seed on the same map deals the same game again."
    )

    def answer(self, storage: Storage) -> Answer:
        edition = self.chosen(default_map())
        if edition.rules.max_turns > _MOST_TURNS:
            raise SetupError("max_turns: at most {most} here", most=_MOST_TURNS)
        for text in self.opponents:
            if not is_level(text):
                raise PlayerError("{text!r} is no level; {closest}", text=text, closest=closest(text, LEVELS))
        line_up: list[Seated] = [Person(), *map(parse_player, self.opponents)]
        edition.check_players(len(line_up))
        board = Board.load(edition.map)

        def begin(path: Path) -> Opened[GameSession]:
            autosave = Autosave.new(path, board.source)
            return opened_game(GameSession.begin(line_up, board, edition.rules, autosave, seed=self.seed))

        name, session = storage.games.begin(begin)
        table, view = session.game.table, session.view(0)
        players = [
            {"suspect": table.name(seat), "player": text, "cards": table.hand_sizes[seat]}
            for seat, text in enumerate(session.names)
        ]
        return {
            "game": name,
            "you": table.name(0),
            "hand": view.deck.names_in(view.hand),
            "players": players,
            "cards": board.deck.by_kind,
            "rules": rule_sentences(table.rules),
            **_news(session, 0),
        }


class _OfGame(ToolForm):
    game: Name = Field(description="The id that new_game gave.")


class GameNews(_OfGame):
    """What happened in a game, as the caller's seat saw it, where all stand, and what the caller may do now."""

    tool = "look"
    reads = True
    since: int = Field(0, ge=0, description="Tell only what came after so many events: the `time` of an answer before.")

    def answer(self, storage: Storage) -> Answer:
        return _news(storage.games.get(self.game), self.since)


class Act(CommandForm, _OfGame):
    """Do one command for the caller's seat; the levels play on until it is asked again. Gives what happened since.

    By `type`: "roll"; "move" with `to`, a room or a square [x, y]; "secret_passage"; "stay"; "hypothesis" and
    "accusation" with `cards`, a suspect, a weapon and a room; "show" with `card`; "peek" with `position`; "end_turn".
    An answer lists in `may` what is allowed now: send what is under `do`, with names for <suspect>, <weapon>, <room>.
    After a wrong accusation the caller only shows cards.
    """

    model_config = ToolForm.model_config
    tool = "act"
    plays = True

    def answer(self, storage: Storage) -> Answer:
        session = storage.games.get(self.game)
        before = session.view(0).time
        session.do(0, command_of(self, session.game.table.board))
        advance(session)
        session.autosave.check()
        return _news(session, before)


class Hint(_OfGame):
    """What the detective would do now on the caller's seat, and why, from what this seat knows."""

    tool = "hint"
    reads = True

    def answer(self, storage: Storage) -> Answer:
        view = storage.games.get(self.game).view(0)
        if view.reason is not None:
            raise CluedoError("the game is over")
        sections = hint_sections(view)
        command = next((section.do for section in sections if section.do is not None), None)
        do = None if command is None else command_json(command, view.board)
        return {"do": do, "said": told(sections)}


def _news(session: GameSession, since: int) -> Answer:
    """What a person is told of a game after the first ``since`` events."""
    view, table = session.view(0), session.game.table
    story = Story(table, 0, squares=True)
    pawns = {table.name(seat): view.board.node(view.pawns[suspect]) for seat, suspect in enumerate(table.suspects)}
    answer = {
        "time": view.time,
        "turn": view.turn,
        "happened": [line for line in map(story.tell, view.events_since(since)) if line],
        "pawns": pawns,
    }
    if session.game.result is not None:
        envelope = [view.deck.names[card] for card in session.game.state.deal.envelope]  # which all may see now
        return answer | {"over": story.ending(session.game.result), "envelope": envelope}
    offered = session.offer(0)
    return answer if offered is None else answer | _may(view, offered)


def _may(view: PlayerView, offered: Offer) -> Answer:
    """What may be done: the prompt, the commands, and the squares in reach."""
    may = [
        {"do": _command(view, action.value), "means": action.sentence}
        for action in offered.actions
        if not isinstance(action.value, TakeBack)  # a record that is played and taken back for ever would grow for ever
    ]
    squares = [place_json(place, view.board) for place in bits(offered.walk & view.board.squares)]
    return {"asked": offered.prompt, "may": may, **({"squares": squares} if squares else {})}


def _command(view: PlayerView, value: Command | CardChoice) -> Answer:
    """A command as JSON; where cards have to be chosen, what stands for them, in angle brackets."""
    if not isinstance(value, CardChoice):
        return command_json(value, view.board)
    names = [f"<{category.name.lower()}>" for category in Category]
    room = names[2] if value.room is None else view.deck.names[value.room]
    return {"type": value.kind.word, "cards": [*names[:2], room]}


# ---- the public test set -----------------------------------------------------------------------------


class SetPosition(ToolForm):
    """A position of the public test set, to be answered by grade: what can be proved, the odds, the best question."""

    tool = "position"
    reads = True
    number: int = Field(
        1, ge=1, description="Which one, counted from 1. There are 500: 20 of difficulty 0, 96 of each other."
    )
    difficulty: int | None = Field(None, ge=0, le=5, description="0 has nothing to prove, 5 needs 13 facts or more.")

    def answer(self, storage: Storage) -> Answer:
        listed = [one for one in storage.positions if self.difficulty in (None, one.difficulty)]
        if self.number > len(listed):
            raise CluedoError("there are {count} such positions", count=len(listed))
        one = listed[self.number - 1]
        return {"id": one.id, "difficulty": one.difficulty, "text": position_text(one.log)}


class GradeAnswer(ToolForm):
    """Grade an answer to a position against the exact one: proofs found and wrong, bits lost by odds and question."""

    tool = "grade"
    reads = True
    id: Name = Field(description="The position's.")
    proved: list[tuple[Name, Name, bool]] = Field(
        [],
        max_length=500,
        description='What is certain and was not shown: card, player or "envelope", true if it is there, else false.',
    )
    envelope: dict[Name, float] | None = Field(
        None, description="By card, the probability that it is in the envelope, every deal that fits counting alike."
    )
    question: tuple[Name, Name, Name] | None = Field(
        None, description="The suspect, weapon and room whose answer would tell most about the envelope."
    )

    def answer(self, storage: Storage) -> Answer:
        _, given = read_answer(self.model_dump_json().encode(), storage.key)
        return grade(storage.key[self.id], given).to_json()


TOOLS: Final[dict[str, type[ToolForm]]] = {
    kind.tool: kind
    for kind in (OpenCase, Enter, Proofs, Odds, Questions, NewGame, GameNews, Act, Hint, SetPosition, GradeAnswer)
}
"""By name."""
