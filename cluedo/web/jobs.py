"""Runs work in other processes for visitors, no more at a time than one of them may ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from cluedo.language import tr, unbroken
from cluedo.session.level_choice import PREPARING
from cluedo.web.guard import Concurrent, too_many, visitor_of
from cluedo.web.shared import site_of
from cluedo.web.workers import Workers

__all__ = ["check_detective", "run_beside_tables", "run_detective", "run_for_visitor"]

P = ParamSpec("P")
R = TypeVar("R")


async def run_for_visitor(request: Request, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
    """Run a function in a worker process for a visitor; raises 429 if too much runs for them already."""
    site = site_of(request)
    return await _run_counted(site.workers, site.jobs, request, partial(function, *arguments, **keywords))


async def run_beside_tables(request: Request, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
    """The same for what may take a minute, in processes that no table waits for."""
    site = site_of(request)
    return await _run_counted(site.replays, site.replay_jobs, request, partial(function, *arguments, **keywords))


async def _run_counted(workers: Workers, jobs: Concurrent, request: Request, work: Callable[[], R]) -> R:
    """Run work in these processes, as one of these jobs of a visitor; raises 429 if that has all that it may.

    Raises :class:`~cluedo.web.workers.TookTooLong`, too.
    """
    site, address = site_of(request), visitor_of(request).address
    if jobs.full(address):
        raise too_many(5)
    with jobs.one(address):
        working = asyncio.ensure_future(workers.run_in_turn(work))
        site.on_closing.append(working.cancel)
        try:
            return await working
        except asyncio.CancelledError:
            if not site.closing:
                raise
            raise HTTPException(503, tr("This server is being stopped."), {"Retry-After": "5"}) from None
        finally:
            site.on_closing.remove(working.cancel)


async def run_detective(request: Request, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
    """Run work that needs the detective in a worker process; raises 503 while it is being compiled."""
    await check_detective(request)
    return await run_for_visitor(request, function, *arguments, **keywords)


async def check_detective(request: Request) -> None:
    """Raise 503 while the detective is being compiled.

    A page that is refused so comes again by itself: what a form sends may not need the detective, only the page that
    it leads to.
    """
    workers = site_of(request).workers
    if not await workers.ready_soon():
        note = unbroken(tr(PREPARING, done=workers.percent))
        raise HTTPException(503, note, {"Retry-After": "5", "Refresh": "5"})
