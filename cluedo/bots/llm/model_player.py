"""A language model as a player, and how it is named: ``llm:MODEL``, with parameters behind it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final, Literal, TypeVar

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import NoAnswer
from cluedo.ai.parameters import arguments, check_number
from cluedo.ai.player import Proxy
from cluedo.bots.llm.asking import (
    RULES,
    Asked,
    ClaimsForm,
    UnfitAnswer,
    asked,
    log_of,
    past_of,
    read_answer,
    table_text,
)
from cluedo.bots.llm.chat import Chat, Message, ModelReply
from cluedo.bots.llm.exchanges import WITH_LOG, Exchange, Exchanges, KeptExchanges, game_id
from cluedo.engine.commands import Command
from cluedo.engine.errors import PlayerError, one_line
from cluedo.engine.phrase import Phrase
from cluedo.engine.turn_questions import TurnQuestion
from cluedo.engine.view import PlayerView

__all__ = ["Budget", "LanguageModel", "ModelSpec", "model_spec"]

_NOTES: Final = 2000
"""Letters of a model's notes that it is told again."""

_MILLION: Final = 1_000_000

T = TypeVar("T")


class LanguageModel(Proxy):
    """A language model, at any endpoint that speaks the protocol of OpenAI; OPENAI_BASE_URL says where that is.

    It is told in words what its seat knows and what it may choose. If an answer cannot be read or is not
    allowed, it may try once more. Needs the extra cluedo[llm].

    Args:
        memory: "fresh": each prompt tells what has happened; "conversation": each is the game's conversation so far.
        notes: whether it may write notes to itself, which later prompts repeat.
        temperature: of its choices; 0 for those that it considers best.
        seed: of its choices, where the endpoint takes one.
        replay: a file of kept exchanges that answers in its place.
        claims: whether it is asked before each of its turns what it knows, for the report to grade.
    """

    keeps_time = True
    name = "llm"
    table = ""
    exchanges = Exchanges()

    def __init__(
        self,
        model: str,
        /,
        *,
        memory: Literal["fresh", "conversation"] = "fresh",
        notes: bool = True,
        temperature: float = 1.0,
        seed: int = 0,
        replay: str = "",
        claims: bool = False,
    ):
        check_number("temperature", temperature, 0.0, 2.0)
        self._talks = memory == "conversation"
        self._notes_wanted = notes
        self._claims_wanted = claims
        self._chat = Chat(model, temperature, seed)
        # Its own: an endpoint that refuses the form of claims may take those of choices.
        self._claims_chat = Chat(model, temperature, seed)
        self._replay = KeptExchanges.of_file(Path(replay)) if replay else None

    def check_reachable(self) -> None:
        """Raise :class:`PlayerError` where the model cannot be asked from here, and kept exchanges do not answer."""
        if self._replay is None:
            self._chat.check_reachable()

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._game = game_id(random, self.table)
        self._number = 0
        self._claimed = 0
        self._bank = self.clock.time_bank
        self._before: list[Message] = [_message("system", RULES)]
        self._told = 0
        self._notes = ""
        self._table = table_text(view)

    def answer(self, question: TurnQuestion, view: PlayerView) -> Command | None:
        """What the model answers; raises :class:`NoAnswer` where it does not, or not what can be done."""
        if self._claims_wanted and self.exchanges.kept and view.active == view.seat and view.turn > self._claimed:
            self._claimed = view.turn
            self._claim(view)
        limit, began = self.clock.limit_s, perf_counter()
        try:
            return self._answer(question, view, began + limit + self._bank)
        finally:
            self._bank = max(0.0, self._bank - max(0.0, perf_counter() - began - limit))

    def _answer(self, question: TurnQuestion, view: PlayerView, deadline: float) -> Command | None:
        what, past = asked(question, view, notes=self._notes_wanted), past_of(view)
        messages = [*self._before, _message("user", self._situation(past, what))]
        command, notes = self._told_once(
            messages,
            what,
            lambda said: read_answer(said, what, view),
            self._new_exchange(question.name, view),
            deadline,
        )
        self._notes = notes[:_NOTES] if self._notes_wanted else ""
        if self._talks:
            self._before, self._told = messages, len(past)
        return command

    def _claim(self, view: PlayerView) -> None:
        """Ask what it knows. That is no part of the conversation, so that it plays as if it were not asked.

        It has as long for that as for a choice, and what it does not answer is lost to the report alone.
        """
        form = ClaimsForm.of(log_of(view)[0])
        messages = [*self._before, _message("user", self._situation(past_of(view), form))]
        with suppress(NoAnswer):
            self._told_once(
                messages, form, form.read, self._new_exchange("claims", view), perf_counter() + self.clock.limit_s
            )

    def _new_exchange(self, ask: str, view: PlayerView) -> Exchange:
        """The next exchange, before anything is told; with what the seat knows, where that is to be graded."""
        log = log_of(view)[0].to_json() if self._claims_wanted and ask in WITH_LOG else None
        return Exchange(self._game, 0, self.name, view.seat, view.turn, ask, "", None, log=log)

    def _told_once(
        self,
        messages: list[Message],
        what: Asked | ClaimsForm,
        read: Callable[[str], T],
        blank: Exchange,
        deadline: float,
    ) -> T:
        """What the model says, as it is read. It is told once what cannot be read; all is added to the messages.

        Raises:
            NoAnswer: there was no answer, or none that can be read.
        """
        for again in (True, False):
            done, kept = self._say(messages, what, blank, deadline)
            if done.said is None:
                self._keep(done, kept=kept)
                raise NoAnswer(one_line(done.fault))
            messages.append(_message("assistant", done.said))
            try:
                answer = read(done.said)
            except UnfitAnswer as unfit:
                self._keep(replace(done, fault=unfit.phrase), kept=kept)
                if not again:
                    raise NoAnswer("was told what is wrong, and then: {error}", error=unfit) from None
                told = f"That cannot be done: {unfit.phrase}. Answer again: {what.form}"
                messages.append(_message("user", told))
            else:
                self._keep(done, kept=kept)
                return answer
        raise AssertionError("it is told once")

    def _keep(self, done: Exchange, *, kept: bool) -> None:
        if not kept:
            self.exchanges.add(done)

    def _situation(self, past: list[str], what: Asked | ClaimsForm) -> str:
        """The message of a question: the table, what has happened, its notes, and what is asked."""
        known = len(self._before) > 1
        parts = [] if known else [self._table]
        new = past[self._told :]
        if new or not known:
            parts.append("\n".join(["What has happened since:" if known else "What has happened so far:", *new]))
        if self._notes and not known:
            parts.append(f"Your notes: {self._notes}")
        return "\n\n".join([*parts, what.text, f"Answer: {what.form}"])

    def _say(
        self, messages: list[Message], what: Asked | ClaimsForm, blank: Exchange, deadline: float
    ) -> tuple[Exchange, bool]:
        """What the model says to the last of some messages, and whether that was kept before."""
        self._number += 1
        new = replace(blank, number=self._number, told=messages[-1]["content"])
        kept = self.exchanges.before.take(new.key)
        if kept is not None:
            return kept, True
        return self._replayed(new) if self._replay is not None else self._talk(messages, what, new, deadline), False

    def _replayed(self, new: Exchange) -> Exchange:
        assert self._replay is not None, "there is something to be played again"
        kept = self._replay.take(new.key)
        if kept is None:
            return replace(new, fault=Phrase("the kept exchanges have no answer to what is asked"))
        return replace(new, said=kept.said, fault=kept.fault)

    def _talk(self, messages: list[Message], what: Asked | ClaimsForm, new: Exchange, deadline: float) -> Exchange:
        budget = Budget.of_environment()
        over = budget.over(self.exchanges)
        if over is not None:
            raise NoAnswer(over)
        try:
            chat = self._claims_chat if new.ask == "claims" else self._chat
            reply = chat.ask(messages, what.schema, deadline)
        except NoAnswer as error:
            return replace(new, fault=error.phrase)
        return replace(new, said=reply.text, tokens=reply.tokens, cost=budget.cost(reply))


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may spend, by the variables CLUEDO_LLM_TOKENS, CLUEDO_LLM_COST and CLUEDO_LLM_PRICES.

    Attributes:
        tokens: that may be read and written.
        most: that they may cost.
        prices: of a million tokens that are read, and of as many that are written.
    """

    tokens: float = inf
    most: float = inf
    prices: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of_environment(cls) -> Budget:
        """What the variables say; raises :class:`PlayerError` for what is no number, or limits nothing."""
        read, written = _numbers("CLUEDO_LLM_PRICES", (0.0, 0.0))
        budget = cls(_numbers("CLUEDO_LLM_TOKENS", (inf,))[0], _numbers("CLUEDO_LLM_COST", (inf,))[0], (read, written))
        if budget.most < inf and not any(budget.prices):
            raise PlayerError("CLUEDO_LLM_COST needs the prices of tokens, as in CLUEDO_LLM_PRICES=2.5,10")
        return budget

    def cost(self, reply: ModelReply) -> float:
        """What an answer has cost."""
        return sum(price * count / _MILLION for price, count in zip(self.prices, reply.tokens, strict=True))

    def over(self, exchanges: Exchanges) -> Phrase | None:
        """Why nothing more may be spent, or None if it may."""
        exchanges.update()
        if exchanges.tokens >= self.tokens:
            return Phrase("CLUEDO_LLM_TOKENS: all {tokens:,.0f} tokens of the run are spent", tokens=self.tokens)
        if exchanges.cost >= self.most:
            return Phrase("CLUEDO_LLM_COST: all that the run may cost, {cost:g}, is spent", cost=self.most)
        return None


def _numbers(name: str, default: tuple[float, ...]) -> tuple[float, ...]:
    text = os.environ.get(name)
    if not text:
        return default
    try:
        values = tuple(map(float, text.split(",")))
    except ValueError:
        values = ()
    if len(values) != len(default) or not all(0.0 <= value < inf for value in values):
        wanted = Phrase("two numbers, such as 2.5,10") if len(default) > 1 else Phrase("a number")
        raise PlayerError("{name}={text}: {wanted} is needed", name=name, text=text, wanted=wanted)
    return values


@dataclass(frozen=True, slots=True)
class ModelSpec(PlayerSpec):
    """A language model as a player.

    Attributes:
        model: what the endpoint calls it.
        table: the map and the line-up, by which its games are told from others of the seed.
        exchanges: those of the run, which it adds to.
    """

    model: str = ""
    table: str = ""

    exchanges: Exchanges = field(default_factory=Exchanges, compare=False)

    def check_budget(self) -> None:
        over = Budget.of_environment().over(self.exchanges)
        if over is not None:
            raise PlayerError("{what}: {over}", what=self.text, over=over)

    def make(self) -> LanguageModel:
        player_class: type[Any] = self.player_class
        player: LanguageModel = player_class(self.model, **dict(self.arguments))
        player.name, player.table, player.exchanges = self.text, self.table, self.exchanges
        return player


def model_spec(text: str, exchanges: Path | None = None, table: str = "") -> ModelSpec:
    """A language model from its text.

    A model's name may have colons in it: parameters are what follows it as ``key=value``.

    Args:
        text: as it was written.
        exchanges: the file that keeps what it is told and says, if it is kept.
        table: the map and the line-up, where several share a seed.

    Raises:
        PlayerError: it cannot be made, or no model can be asked from here.
    """
    words = text.partition(":")[2].split(":")
    first = next((k for k, word in enumerate(words) if "=" in word and k), len(words))
    name, options = ":".join(words[:first]), words[first:]
    if not name.strip():
        raise PlayerError("{what}: the model is missing, as in llm:gpt-4.1-mini", what=text)
    given = arguments(text, LanguageModel, options)
    spec = ModelSpec(text, LanguageModel, given, name, table, Exchanges(exchanges))
    player = spec.make()
    Budget.of_environment()
    player.check_reachable()
    return spec
