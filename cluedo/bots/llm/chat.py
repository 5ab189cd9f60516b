"""Talks to an endpoint that speaks the protocol of OpenAI, within a time limit: asks again where that may help."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import cache, lru_cache
from math import inf
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cluedo.ai.match import NoAnswer
from cluedo.engine.errors import PlayerError, in_short, needs_extra, one_line

if TYPE_CHECKING:
    from openai import APIError, OpenAI
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletion

__all__ = ["Chat", "Message", "ModelReply"]

Message = dict[str, str]
"""Who says what: ``role`` and ``content``."""

_TRIES: Final = 8
"""How often one thing is asked at most, where there is no time limit."""

_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 30.0
_AGAIN: Final = frozenset({408, 409, 429, *range(500, 600)} - {501})
"""What an endpoint says where it may answer later."""

_NO_PROTOCOL: Final = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What the client, or whoever reads its answer, raises where an endpoint has sent a page or any other JSON."""

_QUOTED: Final = 200

_MOST_BYTES: Final = 10_000_000
"""Of an answer, as it is sent and unpacked."""

_deadline: ContextVar[float] = ContextVar("_deadline", default=inf)
"""When the answer that is being read has to be there."""

_TRIAL: Final[Message] = {"role": "user", "content": "Are you there? Answer with one word."}
_TRIAL_S: Final = 10.0
"""Seconds for which the answer to :data:`_TRIAL` is waited for: a model that is loaded first takes longer."""


class _TooLate(NoAnswer):
    """A model has not answered in time."""


class ModelReply(NamedTuple):
    """What a model said, and the tokens read and written for it."""

    text: str
    tokens: tuple[int, int]


class Chat:
    """A model at an endpoint; where and with which key, the variables OPENAI_BASE_URL and OPENAI_API_KEY say.

    Args:
        model: as the endpoint calls it.
        temperature: of its choices.
        seed: of its choices.
    """

    def __init__(self, model: str, temperature: float, seed: int):
        self.model = model
        self.temperature = temperature
        self.seed = seed
        self._by_schema = True

    def check_reachable(self) -> None:
        """Ask for one word; raise :class:`~cluedo.engine.errors.CluedoError` where the model cannot be asked from here.

        A list of models would tell less: some endpoints show one to everybody, and some have none or leave models out.
        Once it was not refused this process does not try it again: should it fail later, single choices are lost.
        """
        _try(self.model, self.temperature, self.seed, *_where())

    def ask(self, messages: Sequence[Message], schema: Mapping[str, Any], deadline: float) -> ModelReply:
        """What the model says.

        Args:
            messages: what has been said, from the first on.
            schema: the JSON schema of the answer. An endpoint that knows none is told of the form in words alone.
            deadline: when an answer has to be there, by :func:`time.perf_counter`.

        Raises:
            NoAnswer: there was none.
        """
        import openai

        tries = 0
        while True:
            tries += 1
            try:
                reply = self._once(messages, schema if self._by_schema else None, deadline)
            except openai.APITimeoutError:
                raise _too_late() from None
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._by_schema:
                    raise _refused(error) from None
                self._by_schema = False
            except openai.APIError as error:
                pause = _pause(error, tries)
                if pause is None or tries >= _TRIES or perf_counter() + pause >= deadline:
                    raise _refused(error) from None
                sleep(pause)
            else:
                if perf_counter() > deadline:
                    raise _too_late()
                return reply

    def _once(self, messages: Sequence[Message], schema: Mapping[str, Any] | None, deadline: float) -> ModelReply:
        import openai

        named = {"name": "answer", "schema": schema, "strict": True}
        form = {} if schema is None else {"response_format": {"type": "json_schema", "json_schema": named}}
        left = None if deadline == inf else max(deadline - perf_counter(), 0.001)
        _deadline.set(deadline)
        create: Any = _client().with_options(timeout=left, max_retries=0).chat.completions.create
        try:
            said: ChatCompletion = create(
                model=self.model, messages=list(messages), temperature=self.temperature, seed=self.seed, **form
            )
            return ModelReply(_text_of(said.choices[0].message.content), _tokens_of(said.usage))
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, NoAnswer):  # of _bound
                raise error.__cause__ from None
            raise
        except _NO_PROTOCOL:
            raise NoAnswer(
                "the endpoint of the model answered, but not in OpenAI's protocol; OPENAI_BASE_URL often ends in /v1"
            ) from None


def _text_of(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    """What was said; some endpoints send it in parts, such as what was thought and what is answered."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part["text"] for part in content if part["type"] == "text")


def _tokens_of(usage: CompletionUsage | None) -> tuple[int, int]:
    """The tokens read and written; none where an endpoint does not count them, and all written where it sums them."""
    if not usage:
        return 0, 0
    read = usage.prompt_tokens or 0
    return read, max(usage.completion_tokens or 0, (usage.total_tokens or 0) - read)


def _where() -> tuple[str | None, str | None]:
    return os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_API_KEY")


def _client() -> OpenAI:
    return _client_of(*_where())


@cache
def _try(model: str, temperature: float, seed: int, url: str | None, key: str | None) -> None:
    """Raise :class:`PlayerError` where nobody answers there, or with a page, or refuses the key or the model."""
    where = _client_of(url, key).base_url
    import openai

    try:
        Chat(model, temperature, seed)._once([_TRIAL], None, perf_counter() + _TRIAL_S)
    except _TooLate:  # somebody is there, and may be slow
        return
    except openai.APIConnectionError as error:
        if type(error.__cause__).__name__ == "ReadTimeout":  # of httpx: somebody is there, and may be slow
            return
        raise PlayerError("the endpoint {url} cannot be reached; OPENAI_BASE_URL says where it is", url=where) from None
    except openai.AuthenticationError:
        raise PlayerError("the endpoint {url} refuses the key in OPENAI_API_KEY", url=where) from None
    except openai.NotFoundError as error:
        raise PlayerError(
            "the endpoint {url} has no model {model!r}, or is elsewhere (OPENAI_BASE_URL often ends in /v1): {error}",
            url=where,
            model=model,
            error=_in_its_words(error),
        ) from None
    except openai.APIStatusError as error:
        if error.status_code not in _AGAIN:
            raise PlayerError(
                "the endpoint {url} refuses the model {model!r}: {error}",
                url=where,
                model=model,
                error=_in_its_words(error),
            ) from None


@lru_cache(maxsize=1)
def _client_of(url: str | None, key: str | None) -> OpenAI:
    """The client, which reads these variables itself; raises :class:`PlayerError` where it cannot be made."""
    with needs_extra("llm"):
        from openai import DefaultHttpxClient, OpenAI
    if not key:
        raise PlayerError("OPENAI_API_KEY is not set; it is the key of the endpoint, or any word if it needs none")
    if not (key.isascii() and key.isprintable()):
        raise PlayerError("OPENAI_API_KEY holds a sign that no key has; it is plain ASCII on one line")
    try:
        return OpenAI(http_client=DefaultHttpxClient(event_hooks={"response": [_bound]}))
    except Exception as error:  # not all are the library's own
        raise PlayerError("OPENAI_BASE_URL {url!r} cannot be used: {error}", url=url, error=in_short(error)) from None


def _bound(response: Any) -> None:
    """Let reading what an answer says, after its headers, end in time, and be bounded.

    The library's own limit is for each part of an answer, and some endpoints send blanks until their model is ready.
    """
    for read in ("iter_raw", "iter_bytes"):
        setattr(response, read, _bounded(getattr(response, read)))


def _bounded(read: Callable[..., Iterator[bytes]]) -> Callable[..., Iterator[bytes]]:
    def parts(*arguments: Any) -> Iterator[bytes]:
        size = 0
        for part in read(*arguments):
            size += len(part)
            if size > _MOST_BYTES:
                raise NoAnswer("the endpoint of the model sent more than {most:,} bytes", most=_MOST_BYTES)
            if perf_counter() > _deadline.get():
                raise _too_late()
            yield part

    return parts


def _pause(error: APIError, tries: int) -> float | None:
    """Seconds until it is worth asking again; None if it is not."""
    response = getattr(error, "response", None)
    if response is None:  # no connection
        return _backoff(tries)
    if response.status_code not in _AGAIN:
        return None
    try:
        return max(0.0, float(response.headers["retry-after"]))  # in this order 0 for what is no number, "nan"
    except (KeyError, ValueError):
        return _backoff(tries)


def _backoff(tries: int) -> float:
    return min(_FIRST_PAUSE_S * 2.0 ** (tries - 1), _LONGEST_PAUSE_S)


def _too_late() -> _TooLate:
    return _TooLate("the model did not answer in time")


def _refused(error: APIError) -> NoAnswer:
    return NoAnswer("the endpoint of the model did not answer: {error}", error=_in_its_words(error))


def _in_its_words(error: APIError) -> str:
    return one_line(str(error), _QUOTED)
