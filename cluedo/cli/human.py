"""A person as a player: asked at the terminal, shown what their seat may know."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial, wraps
from random import Random
from typing import Any, Concatenate, ParamSpec, TypeVar

from cluedo.ai.match import MatchStopped
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import may_ask_here
from cluedo.cli import notebook
from cluedo.cli.board_text import board_text
from cluedo.cli.terminal import Left, Screen
from cluedo.engine.cards import Category, bits
from cluedo.engine.commands import Accusation, Command, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.events import Event, TurnEnded
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import WALK, Situation
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.choices import Choice, Menu, Unclear, folded
from cluedo.session.house import pawn_chip
from cluedo.session.narration import Story, and_join, place_name

__all__ = ["Human"]

P = ParamSpec("P")
R = TypeVar("R")

_SQUARE = re.compile(r"[\[(]?\s*(\d{1,4})\s*[\s,;]\s*(\d{1,4})\s*[\])]?")

_HELP = Phrase("""\
Answer with a number, a name, or the beginning of a name; capitals and accents do not matter.
At any prompt:
  board    the board            hand     your cards
  notes    what you have seen   log      all that happened
  players  who plays            help     this text
  quit     leave the game
A turn: roll and walk, take a secret passage, or stay; in a room you may then ask the others about
a suspect, a weapon and that room; at the end you may accuse, once a game: wrong, and you are out.""")

_ASIDES = {
    Phrase("help"): ("?", "h"),
    Phrase("quit"): ("exit", "q"),
    Phrase("board"): (),
    Phrase("hand"): (),
    Phrase("notes"): (),
    Phrase("log"): (),
    Phrase("players"): (),
}
"""What can be asked for at any prompt: by its word, other words for it."""

_WHICH = {
    Category.SUSPECT: Phrase("Which suspect?"),
    Category.WEAPON: Phrase("Which weapon?"),
    Category.ROOM: Phrase("Which room?"),
}

_OBSTACLES: dict[Phrase, Callable[[Situation], Phrase | None]] = {
    Phrase("roll"): Roll().why_not,
    Phrase("walk"): Move.obstacle,
    Phrase("passage"): SecretPassage().why_not,
    Phrase("stay"): Stay().why_not,
    Phrase("ask"): Hypothesis.obstacle,
    Phrase("show"): ShowCard.obstacle,
    Phrase("accuse"): Accusation.obstacle,
    Phrase("end"): EndTurn().why_not,
}
"""By a word for a command, why it is not possible now, for when it is not on the menu."""


def _stops_the_match(method: Callable[Concatenate[Human, P], R]) -> Callable[Concatenate[Human, P], R]:
    """An error at the terminal stops the match: it is no fault to be noted while a person sits by."""

    @wraps(method)
    def guarded(self: Human, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            raise MatchStopped from error

    return guarded


class Human(Player):
    """Asks a person, who may share the screen with others.

    What is noticed while somebody else has the screen is told when it comes back, together with what
    came after one's last answer: that was cleared before it could be read.
    """

    def __init__(self, screen: Screen):
        self.screen = screen
        self._events: list[Event] = []
        self._told = self._read = 0

    @_stops_the_match
    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._story = Story(view.table, view.seat)
        self._chips = [pawn_chip(view.board, suspect) for suspect in view.table.suspects]
        if not self.screen.shared:
            self.screen.take(view.seat, view.table.name(view.seat), "")
            if view.table.first != view.seat:  # else the first turn says it at once
                self._say_hand(view)
                self.screen.say()

    @_stops_the_match
    def notice(self, event: Event) -> None:
        self._events.append(event)
        if self.screen.holder == self._story.eyes:
            self._catch_up()

    @_stops_the_match
    def choose_move(self, view: PlayerView) -> Movement:
        if view.step is WALK:
            self._attend(view, tr("your walk"))
            return self._ask_walk(view)
        self._attend(view, tr("your turn"))
        turn = tr("--- Turn {turn}: {who}, it is your turn ---", turn=view.turn, who=view.table.name(view.seat))
        self.screen.say(turn, style="bold")
        self.screen.say(tr("You are {where}.", where=self._where(view)))
        self._say_hand(view)
        if view.table.free:
            return self._ask_walk(view)
        moves = self._moves(view)
        menu = Menu(moves, self._rooms(view), default=moves[0])
        move: Movement = self._choose(view, tr("How do you move? (Enter rolls)"), menu)
        return move

    @_stops_the_match
    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self._attend(view, tr("your hypothesis"))
        here = view.board.room_card(view.place)
        room = view.deck.names[here]
        self.screen.say(tr("You may ask about {room}: which suspect, which weapon?", room=room))
        while True:
            cards = self._name_cards(
                view, [Category.SUSPECT, Category.WEAPON], Choice(None, tr("ask nothing"), aliases=(tr("no"), "no"))
            )
            if cards is None:
                return None
            asked = Hypothesis(cards[0], cards[1], cards[2] if len(cards) > 2 else here)
            if self._allowed(view, asked):
                return asked

    @_stops_the_match
    def choose_card(self, view: PlayerView) -> ShowCard:
        asker = view.table.name(view.active)
        self._attend(view, tr("a card to show to {asker}", asker=asker))
        names, held = view.deck.names, bits(ShowCard.choices(view))
        offered = [Choice(ShowCard(card), names[card]) for card in held]
        others = [Choice(ShowCard(card), names[card]) for card in range(view.deck.size) if card not in held]
        self._say_hand(view)
        only = len(offered) == 1
        if only:
            prompt = tr("You can show {asker} only {card} (Enter):", asker=asker, card=offered[0].name)
        else:
            prompt = tr("Which card do you show {asker}?", asker=asker)
        shown: ShowCard = self._choose(view, prompt, Menu(offered, others, default=offered[0] if only else None))
        return shown

    @_stops_the_match
    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self._attend(view, tr("the end of your turn"))
        if view.hypothesis is not None and view.refuted_by is None:
            self.screen.say(tr("Nobody could show a card."))
        elif view.hypothesis is None and view.board.is_room(view.place):
            why = Hypothesis.obstacle(view)
            if why:
                self.screen.say(tr("No hypothesis: {why}.", why=why))
        end = Choice(False, tr("end the turn"), aliases=(tr("no"), "no"))
        menu = Menu([end, Choice(True, tr("accuse"))], default=end)
        while self._choose(view, tr("Accuse? (Enter ends the turn)"), menu):
            cards = self._name_cards(view, list(Category), Choice(None, tr("do not accuse"), aliases=(tr("no"), "no")))
            if cards is None:
                continue
            accused = Accusation(*cards)
            sure = Menu([Choice(True, tr("yes"), aliases=("yes",)), Choice(False, tr("no"), aliases=("no",))])
            prompt = tr("{cards}: wrong, and you are out. Are you sure?", cards=self._story.cards(cards))
            if self._choose(view, prompt, sure):
                return accused
        return None

    # ---- what is offered -------------------------------------------------------------------

    def _moves(self, view: PlayerView) -> list[Choice[Movement]]:
        """The ways to move before the dice are thrown; to throw them is the first."""
        offered: list[Choice[Movement]] = []
        for command in view.legal():
            match command:
                case Roll():
                    aliases = tr("dice"), tr("walk"), "roll", "dice", "walk"
                    offered.append(Choice(command, tr("roll the dice"), aliases=aliases))
                case SecretPassage():
                    to = place_name(view.board, view.board.passage(view.place))
                    name = tr("take the secret passage to {room}", room=to)
                    aliases = tr("passage"), tr("secret passage"), "passage", "secret passage", to
                    offered.append(Choice(command, name, aliases=aliases))
                case Stay():
                    offered.append(self._stay(view))
        return offered

    def _stay(self, view: PlayerView) -> Choice[Movement]:
        remark = ""
        if may_ask_here(view):
            remark = tr("and ask")
        elif view.board.is_room(view.place):
            remark = tr("no hypothesis")
        return Choice(Stay(), tr("stay {where}", where=self._where(view)), remark, aliases=(tr("stay"), "stay"))

    def _ask_walk(self, view: PlayerView) -> Movement:
        board, squares = view.board, view.reach.mask & view.board.squares
        self._show_board(view)
        offered: list[Choice[Movement]] = [Choice(Move(room), place_name(board, room)) for room in view.reach.rooms]
        menu = Menu([*offered, self._stay(view)], self._rooms(view))
        prompt = tr("Where to? (or a square marked + as x,y)") if squares else tr("Where to?")
        move: Movement = self._choose(view, prompt, menu, lambda text: self._square(view, text) or menu.read(text))
        return move

    @staticmethod
    def _rooms(view: PlayerView) -> list[Choice[Movement]]:
        """The rooms as walks, possible or not: the game says which and why."""
        board = view.board
        return [Choice(Move(room), place_name(board, room)) for room in range(board.rooms_at, board.places)]

    def _square(self, view: PlayerView, text: str) -> Movement | None:
        """The walk to a square typed as ``x,y``; a square inside a room means the room."""
        found = _SQUARE.fullmatch(text.strip())
        if not found:
            return None
        x, y = int(found[1]), int(found[2])
        grid = view.board.map.grid or ()
        if not (y < len(grid) and x < len(grid[0])):
            pattern = Phrase("({x}, {y}) lies outside the board: x goes from 0 to {right}, y to {bottom}")
            raise Unclear(tr(pattern, x=x, y=y, right=len(grid[0]) - 1, bottom=len(grid) - 1))
        rooms = [room.symbol for room in view.board.map.rooms]
        if grid[y][x] in rooms:
            return Move(view.board.rooms_at + rooms.index(grid[y][x]))
        if (x, y) not in view.board.graph:
            raise Unclear(tr("({x}, {y}) is wall", x=x, y=y))
        return Move(view.board.place((x, y)))

    def _name_cards(
        self, view: PlayerView, categories: list[Category], stop: Choice[int | None]
    ) -> tuple[int, ...] | None:
        """Cards asked for one by one; ``a, b`` or ``a, b, c`` answers several at once. None: changed one's mind."""
        menus: list[Menu[int | None]] = [
            Menu([Choice(card, view.deck.names[card], notebook.remark(view, card)) for card in view.deck.ids[category]])
            for category in Category
        ]
        picked: list[int] = []
        while len(picked) < len(categories):
            first = len(picked)
            other: Choice[int | None] = Choice(None, tr("back"), aliases=("back",)) if picked else stop
            menu = Menu([*menus[first].listed, other])
            reader = partial(_read_cards, menu=menu, menus=menus[first:])
            named = self._choose(view, tr(_WHICH[categories[first]]), menu, reader)
            if named is not None:
                picked += named
            elif picked:
                picked.pop()
            else:
                return None
        return tuple(picked)

    # ---- talking ---------------------------------------------------------------------------

    def _choose(self, view: PlayerView, prompt: str, menu: Menu[Any], read: Callable[[str], Any] | None = None) -> Any:
        """Show the menu and ask until the answer is one that the rules allow."""
        self.screen.offer(menu.lines())
        while True:
            text = self.screen.ask(prompt)
            self._read = len(self._events)
            if not menu.knows(text) and self._aside(view, folded(text)):
                continue
            try:
                value = (read or menu.read)(text)
            except Unclear as error:
                self._refuse(self._why_not(view, folded(text)) or str(error))
                continue
            if not isinstance(value, Command) or self._allowed(view, value):
                return value

    def _allowed(self, view: PlayerView, command: Command) -> bool:
        """Whether the rules allow it; if not, the reason is told."""
        why = command.why_not(view)
        if why is not None:
            self._refuse(why)
        return why is None

    def _refuse(self, why: str) -> None:
        self.screen.say(tr("Not possible: {why}.", why=why), style="red")

    @staticmethod
    def _why_not(view: PlayerView, word: str) -> str | None:
        """Why a command that was meant is not possible now, if a command was meant."""
        if _SQUARE.fullmatch(word):
            return Move.obstacle(view)
        first = word.partition(" ")[0]
        obstacle = next((found for name, found in _OBSTACLES.items() if first in (name, folded(tr(name)))), None)
        return (obstacle(view) or tr("that comes later in the turn; first this question")) if obstacle else None

    def _aside(self, view: PlayerView, word: str) -> bool:
        """Do what can be asked for at any prompt; False if it was something else."""
        say = self.screen.say
        match next((str(aside) for aside, more in _ASIDES.items() if word in (aside, folded(tr(aside)), *more)), ""):
            case "help":
                for line in tr(_HELP).splitlines():
                    say(line)
            case "quit":
                raise Left(tr("{who} has left the game; it stops here.", who=view.table.name(view.seat)))
            case "board":
                self._show_board(view)
            case "hand":
                self._say_hand(view)
            case "notes":
                for line in notebook.notes(view):
                    say(line)
            case "log":
                for sentence in self._story.sentences(view.events):
                    say(f"{sentence.turn:>4} {sentence.text}")
            case "players":
                for line in notebook.players(view):
                    say(line)
            case _:
                return False
        return True

    def _attend(self, view: PlayerView, why: str) -> None:
        """Take the screen, and tell what happened since it was last read."""
        if self.screen.take(view.seat, view.table.name(view.seat), why):
            self._told = self._read
        self._catch_up()

    def _catch_up(self) -> None:
        for event in self._events[self._told :]:
            if isinstance(event, TurnEnded):
                self.screen.say()
            else:
                self.screen.say(self._story.tell(event), chip=self._chips[event.seat])
        self._told = len(self._events)

    def _show_board(self, view: PlayerView) -> None:
        weapons, marks = view.weapons, view.reach.mask & view.board.squares
        self.screen.show(
            board_text(view.board, pawns=view.pawns, weapons=weapons, marks=marks, width=self.screen.width)
        )

    def _say_hand(self, view: PlayerView) -> None:
        self.screen.say(tr("You hold {cards}.", cards=and_join(view.deck.names_in(view.hand))))

    def _where(self, view: PlayerView) -> str:
        name = place_name(view.board, view.place)
        if view.board.is_room(view.place):
            return tr("in {room}", room=name)
        return tr("at {square}", square=name) if view.board.has_grid else name


def _read_cards(text: str, menu: Menu[int | None], menus: list[Menu[int | None]]) -> list[int | None] | None:
    """One card of the menu, or several of as many menus with commas between; None to go back."""
    if "," not in text or menu.knows(text):
        card = menu.read(text)
        return None if card is None else [card]
    parts = text.split(",")
    if len(parts) > len(menus):
        raise Unclear(tr("{count} names are too many: {most} at most are asked for", count=len(parts), most=len(menus)))
    return [menu.read(part) for menu, part in zip(menus, parts, strict=False)]
