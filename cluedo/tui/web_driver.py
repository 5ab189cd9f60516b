"""Textual's driver for a page, made to keep pace with the screens and to end with the server."""

from __future__ import annotations

import asyncio
from concurrent.futures import wait

from textual.drivers.web_driver import WebDriver
from textual.message import Message
from textual.messages import ExitApp

__all__ = ["PacedDriver"]

_QUEUE = 8
"""How many messages a widget may have before it when the next one is read."""


class PacedDriver(WebDriver):
    """Reads what is typed no faster than the screens deal with it, so that nothing piles up in this process.

    What is not read stays in the pipe, and the server sees that it is full.
    """

    def run_input_thread(self) -> None:
        """Read until the server has gone, then end."""
        super().run_input_thread()
        self.send_message(ExitApp())

    def send_message(self, message: Message) -> None:
        if not self.exit_event.is_set():  # the loop is closed soon after
            super().send_message(message)
            self._catch_up()

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        super().on_meta(packet_type, payload)
        self._catch_up()

    def _catch_up(self) -> None:
        """Wait in the thread that reads, until the screens are ready for more or the application ends."""
        if not self.exit_event.is_set():
            ready = asyncio.run_coroutine_threadsafe(self._ready(), self._loop)
            while not (ready.done() or self.exit_event.is_set()):
                wait([ready], timeout=0.1)

    async def _ready(self) -> None:
        while any(
            node.message_queue_size > _QUEUE
            for screen in [*self._app.screen_stack]
            for node in (self._app, *screen.walk_children(with_self=True))
        ):
            await asyncio.sleep(0.01)
