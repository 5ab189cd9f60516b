"""A game line by line: people are asked at the terminal, and shown what their seat may know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from cluedo.cli import plain_words
from cluedo.cli.board_text import board_text
from cluedo.cli.plain_words import Choice, Menu
from cluedo.cli.terminal import Left, Screen
from cluedo.engine.cards import Category
from cluedo.engine.commands import Command, ShowCard
from cluedo.engine.events import Peeked, Shown, TurnEnded
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import MOVE, REFUTE, WALK
from cluedo.engine.view import PlayerView
from cluedo.language import tr, tr_count
from cluedo.session.actions import CardChoice, Offer, TakeBack, stands_at
from cluedo.session.board_glyphs import pawn_chip
from cluedo.session.case.vocabulary import Unclear, fold_text
from cluedo.session.game_session import NOT_REVOCABLE, GameSession
from cluedo.words.narration import Story, and_join, set_aside_sentences
from cluedo.words.rule_text import house_rules, numbered_rules, rule_lines

__all__ = ["PlainGame"]

_HELP = Phrase("""\
Answer with a number, a name, or the beginning of a name; capitals and accents do not matter.
At any prompt:
  board    the board            hand     your cards
  sheet    what you have seen   log      all that happened
  players  who plays            undo     take your last move back
  hint     what to do, and why  bits     the same, with figures for experts
  help     this text            quit     leave the game
  rules    all, by number       rules 7  rule 7 alone
A turn: roll and walk, take a secret passage, or stay; in a room you may then ask the others about \
a suspect, a weapon and that room; at the end you may accuse, once a game: wrong, and you are out.""")
_WHICH = {
    Category.SUSPECT: Phrase("Which suspect?"),
    Category.WEAPON: Phrase("Which weapon?"),
    Category.ROOM: Phrase("Which room?"),
}


class _TakeBackRequest(Exception):
    """Somebody wants to take the last command back."""


class PlainGame:
    """Plays a game to its end with people, who may share the screen.

    What happens while somebody else has the screen is told when it comes back, together with what
    came after one's last answer: that was cleared before it could be read.

    Args:
        session: the game.
        screen: where it is shown.
        hints: whether one may ask the detective.
    """

    def __init__(self, session: GameSession, screen: Screen, *, hints: bool = True):
        self.session, self.screen, self._hints = session, screen, hints
        table = session.game.table
        self._stories = {seat: Story(table, seat, squares=True) for seat in session.people}
        self._chips = [pawn_chip(table.board, suspect) for suspect in table.suspects]
        self._told = dict.fromkeys(session.people, 0)
        self._read = dict.fromkeys(session.people, 0)
        self._hinted = dict.fromkeys(session.people, (0, 0))  # the last hint but one, and the last

    def play(self) -> None:
        """Play to the end; raises :class:`Left` where somebody leaves."""
        if not self.screen.shared:
            self._greet(self.session.view(self.session.people[0]))
        while not self.session.game.over:
            if (seat := self.session.person_to_act) is not None:
                self._ask(seat)
            else:
                self.session.advance()
            if self.screen.holder is not None:
                self._catch_up(self.screen.holder)
            if trouble := self.session.autosave.new_trouble():
                self.screen.say(tr("This game is not being saved: {error}.", error=trouble))

    def _greet(self, view: PlayerView) -> None:
        self.screen.take(view.seat, self.session.called[view.seat], "")
        if view.table.first != view.seat or view.turn > 1:  # else the first turn says it at once
            self._say_hand(view)
            self.screen.say()
        self._catch_up(view.seat)

    def _ask(self, seat: int) -> None:
        """Ask until a command is given that the rules allow, and do it."""
        view, offer = self.session.view(seat), self.session.offer(seat)
        assert offer is not None
        try:
            self.session.do(seat, self._choose_command(view, offer))
        except _TakeBackRequest:
            self.session.do(seat, TakeBack())
            time = self.session.view(seat).time
            self._told[seat], self._hinted[seat] = min(self._told[seat], time), (0, 0)

    def _choose_command(self, view: PlayerView, offer: Offer) -> Command:
        if view.step is MOVE:
            return self._choose_move(view, offer)
        if view.step is WALK:
            self._attend(view, tr("your walk"))
            return self._choose_walk(view, offer)
        if view.step is REFUTE:
            return self._choose_card(view, offer)
        asked = self._choose_hypothesis(view, offer) if offer.naming() is not None else None
        return asked or self._choose_end(view, offer)

    def _choose_move(self, view: PlayerView, offer: Offer) -> Command:
        self._attend(view, tr("your turn"))
        if view.peeked is None:  # else this turn has begun already
            turn = tr("--- Turn {turn}: {who}, it is your turn ---", turn=view.turn, who=view.table.name(view.seat))
            self.screen.say(turn, style="bold")
            self.screen.say(tr("You are {where}.", where=stands_at(view, squares=True)))
            self._say_hand(view)
        if view.table.free:
            return self._choose_walk(view, offer)
        moves = plain_words.choices(offer)
        menu = Menu(moves, plain_words.rooms(view), default=moves[0])
        move: Command = self._choose(view, tr("How do you move? (Enter: {action})", action=moves[0].name), menu)
        return move

    def _choose_walk(self, view: PlayerView, offer: Offer) -> Command:
        squares = offer.walk & view.board.squares
        self._show_board(view)
        menu = Menu(plain_words.choices(offer), plain_words.rooms(view))
        prompt = tr("Where to? (or a square marked + as x,y)") if squares else tr("Where to?")
        move: Command = self._choose(view, prompt, menu, lambda text: plain_words.square(view, text) or menu.read(text))
        return move

    def _choose_hypothesis(self, view: PlayerView, offer: Offer) -> Command | None:
        """The hypothesis, or None to ask nothing."""
        self._attend(view, tr("your hypothesis"))
        naming = offer.naming()
        assert naming is not None
        assert naming.room is not None
        self.screen.say(tr("You may ask about {room}: which suspect, which weapon?", room=view.deck.names[naming.room]))
        while True:
            cards = self._name_cards(
                view, [Category.SUSPECT, Category.WEAPON], Choice(None, tr("ask nothing"), aliases=(tr("no"), "no"))
            )
            if cards is None:
                return None
            asked = naming.command((*cards, naming.room)[:3])
            if self._allowed(view, asked):
                return asked

    def _choose_card(self, view: PlayerView, offer: Offer) -> Command:
        asker = view.table.name(view.active)
        self._attend(view, tr("a card to show to {asker}", asker=asker))
        names, offered = view.deck.names, plain_words.choices(offer)
        held = [choice.value for choice in offered]
        others: list[Choice[Any]] = [Choice(ShowCard(card), names[card]) for card in range(view.deck.size)]
        self._say_hand(view)
        only = len(offered) == 1
        if only:
            prompt = tr("You can show {asker} only {card} (Enter):", asker=asker, card=offered[0].name)
        else:
            prompt = tr("Which card do you show {who}?", who=asker)
        menu = Menu(
            offered, (choice for choice in others if choice.value not in held), default=offered[0] if only else None
        )
        shown: Command = self._choose(view, prompt, menu)
        return shown

    def _choose_end(self, view: PlayerView, offer: Offer) -> Command:
        self._attend(view, tr("the end of your turn"))
        if offer.naming() is None:
            self.screen.say(offer.prompt)
        actions = [choice for choice in plain_words.choices(offer) if choice.value != offer.naming()]
        menu = Menu(actions, default=actions[0])
        stop: Choice[int | None] = Choice(None, tr("do not accuse"), aliases=(tr("no"), "no"))
        accuses = any(isinstance(choice.value, CardChoice) for choice in actions)
        prompt = tr("Accuse? (Enter ends the turn)") if accuses else tr("Enter ends the turn.")
        while isinstance(chosen := self._choose(view, prompt, menu), CardChoice):
            room = () if chosen.room is None else (chosen.room,)
            cards = self._name_cards(view, list(Category)[: 3 - len(room)], stop)
            if cards is None:
                continue
            cards = (*cards, *room)[:3]
            if self._is_sure(view, cards):
                return chosen.command(cards)
        ended: Command = chosen
        return ended

    def _is_sure(self, view: PlayerView, cards: tuple[int, ...]) -> bool:
        sure = Menu([Choice(True, tr("yes"), aliases=("yes",)), Choice(False, tr("no"), aliases=("no",))])
        named = view.deck.listed(cards)
        prompt = tr("You are about to accuse {cards}. If you are wrong, you are out. Accuse?", cards=named)
        return self._choose(view, prompt, sure) is True

    # ---- what is offered -------------------------------------------------------------------

    def _name_cards(
        self, view: PlayerView, categories: list[Category], stop: Choice[int | None]
    ) -> tuple[int, ...] | None:
        """Cards asked for one by one; ``a, b`` or ``a, b, c`` answers several at once. None: changed one's mind."""
        menus: list[Menu[int | None]] = [
            Menu([Choice(card, view.deck.names[card], _remark(view, card)) for card in view.deck.ids[category]])
            for category in Category
        ]
        picked: list[int] = []
        while len(picked) < len(categories):
            first = len(picked)
            other: Choice[int | None] = Choice(None, tr("back"), aliases=("back",)) if picked else stop
            menu = Menu([*menus[first].listed, other])
            reader = partial(plain_words.read_cards, menu=menu, menus=menus[first:])
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
            self._read[view.seat] = view.time
            if not menu.knows(text) and self._run_prompt_command(view, fold_text(text)):
                continue
            try:
                value = (read or menu.read)(text)
            except Unclear as error:
                self._refuse(plain_words.why_not(view, fold_text(text)) or tr(error))
                continue
            if isinstance(value, TakeBack):
                raise _TakeBackRequest
            if not isinstance(value, Command) or self._allowed(view, value):
                return value

    def _allowed(self, view: PlayerView, command: Command) -> bool:
        """Whether the rules allow a command; if not, print the reason."""
        why = command.why_not(view)
        if why is not None:
            self._refuse(why)
        return why is None

    def _refuse(self, why: str) -> None:
        self.screen.say(tr("Not possible: {why}.", why=why), style="red")

    def _run_prompt_command(self, view: PlayerView, word: str) -> bool:
        """Run a command that any prompt takes; False if the word is none."""
        say = self.screen.say
        before, _, number = word.rpartition(" ")
        if number.isdecimal() and plain_words.prompt_command(before) == "rules":
            self._say_rule(number)
            return True
        match plain_words.prompt_command(word):
            case "help":
                for line in tr(_HELP).splitlines():
                    say(line)
            case "rules":
                for line in rule_lines():
                    say(line)
                if told := house_rules(view.table):
                    say(tr("House rules"), style="bold")
                    for line in told:
                        say(line)
            case "quit":
                raise Left(tr("{who} has left the game; it stops here.", who=self.session.called[view.seat]))
            case "board":
                self._show_board(view)
            case "hand":
                self._say_hand(view)
            case "sheet":
                for line in _notes(view):
                    say(line)
            case "undo" if self.session.revocable:
                raise _TakeBackRequest
            case "undo":
                self._refuse(tr(NOT_REVOCABLE))
            case "hint" | "bits" as asked:
                self._hint(view, experts=asked == "bits")
            case "log":
                for sentence in self._stories[view.seat].sentences(view.events):
                    say(f"{sentence.turn:>4} {sentence.text}")
            case "players":
                for line in _players(view):
                    say(line)
            case _:
                return False
        return True

    def _say_rule(self, number: str) -> None:
        """The one rule that a message has named."""
        rules = list(chain.from_iterable(numbered_rules()))
        if len(number) <= 6 and 1 <= (which := int(number)) <= len(rules):
            self.screen.say(f"{which}. {rules[which - 1]}")
        else:
            self._refuse(tr("{number} is not between 1 and {last}", number=number[:20], last=len(rules)))

    def _hint(self, view: PlayerView, *, experts: bool) -> None:
        """What the detective would do now, and why."""
        if not self._hints:
            self._refuse(tr("this game is played without hints"))
            return
        # The detective is slow to import.
        from cluedo.ai.knowledge.kernels.detective_kernels import kernels_of_an_answer
        from cluedo.cli.assist_plain import print_sections
        from cluedo.cli.compiling import tell_compiling
        from cluedo.session.hints import hint_sections
        from cluedo.session.sections import Tone

        before, last = self._hinted[view.seat]
        since = before if last == view.time else last  # asked again, it says the same
        with tell_compiling(expected=kernels_of_an_answer):
            sections = hint_sections(view, since)
        self._hinted[view.seat] = since, view.time
        print_sections(self.screen, [section for section in sections if experts or section.tone is not Tone.EXPERT])

    def _attend(self, view: PlayerView, why: str) -> None:
        """Take the screen, and tell what happened since it was last read."""
        if self.screen.take(view.seat, self.session.called[view.seat], why):
            self._told[view.seat] = self._read[view.seat]
        self._catch_up(view.seat)

    def _catch_up(self, seat: int) -> None:
        """Tell the one who has the screen what is new."""
        view = self.session.view(seat)
        for event in view.events_since(self._told[seat]):
            if isinstance(event, TurnEnded):
                self.screen.say()
            else:
                self.screen.say(self._stories[seat].tell(event), chip=self._chips[event.seat])
        self._told[seat] = view.time

    def _show_board(self, view: PlayerView) -> None:
        weapons, marks = view.weapons, view.reach.mask & view.board.squares
        self.screen.show(
            board_text(view.board, pawns=view.pawns, weapons=weapons, marks=marks, width=self.screen.width)
        )

    def _say_hand(self, view: PlayerView) -> None:
        self.screen.say(tr("You hold {cards}.", cards=and_join(view.deck.names_in(view.hand))))
        for told in set_aside_sentences(view.deck, 0, view.face_up):
            self.screen.say(told)


def _notes(view: PlayerView) -> Iterator[str]:
    """The cards that the seat has seen and those that it has not, category by category."""
    given = [event for event in view.events if isinstance(event, Shown) and event.seat == view.seat]
    for category in Category:
        seen, unseen = [], []
        for card in view.deck.ids[category]:
            name, known = view.deck.names[card], _remark(view, card)
            to = sorted({event.asker for event in given if event.card == card})
            if to:
                known += ", " + tr("shown to {names}", names=", ".join(view.table.name(seat) for seat in to))
            if known:
                seen.append(f"{name} ({known})")
            else:
                unseen.append(name)
        yield tr(category.title)
        yield tr("  seen:   {cards}", cards=", ".join(seen) or tr("none"))
        yield tr("  unseen: {cards}", cards=", ".join(unseen) or tr("none"))


def _remark(view: PlayerView, card: int) -> str:
    """What the seat has seen of a card: that it holds it, where it lies, or who showed it."""
    if view.hand >> card & 1:
        return tr("yours")
    if view.face_up >> card & 1:
        return tr("face up")
    if any(isinstance(event, Peeked) and event.card == card for _, event in view.seen):
        return tr("in the pool")
    for event in view.events:
        if isinstance(event, Shown) and (event.asker, event.card) == (view.seat, card):
            return tr("shown by {who}", who=view.table.name(event.seat))
    return ""


def _players(view: PlayerView) -> Iterator[str]:
    """Who sits where, clockwise, with how many cards."""
    table = view.table
    for seat, size in enumerate(table.hand_sizes):
        name = tr("{name} (you)", name=table.name(seat)) if seat == view.seat else table.name(seat)
        cards = tr_count("{count} card", "{count} cards", size)
        out = ", " + tr("has accused wrongly and is out") if view.eliminated >> seat & 1 else ""
        yield tr("{title}: {cards}", title=f"{seat + 1} {name}", cards=cards) + out
