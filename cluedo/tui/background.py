"""Runs slow work in a thread, so that the screen goes on answering keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from time import monotonic
from typing import TypeVar

__all__ = ["run_in_thread", "wait_a_moment"]

T = TypeVar("T")

_LEAVING_S = 1.0
"""How long what is going on is waited for when one leaves."""


async def run_in_thread(work: Callable[[], T]) -> T:
    """Run ``work`` in a thread; returns or raises what it does.

    The thread is a daemon, unlike those of :func:`asyncio.to_thread`: a level that never answers must not keep
    anybody from leaving.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        outcome: tuple[T | None, BaseException | None]
        try:
            outcome = work(), None
        except BaseException as error:  # whoever waits is told, whatever it is
            outcome = None, error
        with suppress(RuntimeError):  # the screen has gone, and its loop
            loop.call_soon_threadsafe(settle, *outcome)

    Thread(target=run, name="background", daemon=True).start()
    return await done


async def wait_a_moment(going_on: Callable[[], bool]) -> None:
    """Wait for what is going on in a thread, so that what comes of it is saved; not for what takes long."""
    end = monotonic() + _LEAVING_S
    while going_on() and monotonic() < end:
        await asyncio.sleep(0.01)
