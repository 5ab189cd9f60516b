"""The screen that sets up a new game, or continues a saved one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static

from cluedo.ai.player import Clock
from cluedo.engine.board import Board
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import MAX_SEATS
from cluedo.language import tr
from cluedo.session.autosave import Autosave, saved_games
from cluedo.session.boards import default_map, movements
from cluedo.session.files import saved_at
from cluedo.session.game_session import GameSession
from cluedo.session.line_up import HUMAN, level_labels, parse_line_up
from cluedo.tui.keys import KeyBar, KeyedScreen
from cluedo.words.narration import as_sentence

__all__ = ["StartScreen", "row"]


def row(label: str, *fields: Widget, id: str | None = None, classes: str = "") -> Horizontal:
    """A line of a form: what is to be chosen, and the fields for it."""
    return Horizontal(Label(label), *fields, id=id, classes=f"row {classes}")


_NOBODY = "nobody"
_USUAL = (HUMAN, "easy", "medium", "medium", *(_NOBODY,) * (MAX_SEATS - 4))
_NO_EDITION = ""


class _Choice(Select[Any], inherit_bindings=False):
    """A choice that opens by Enter or Space; arrows walk on, as everywhere on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "show_overlay", Phrase("choose"))]


def _choice(options: Sequence[tuple[str, Any]], value: object, *, id: str, classes: str | None = None) -> _Choice:
    """A choice in which something is always chosen, this at first."""
    return _Choice(options, value=value, allow_blank=False, compact=True, id=id, classes=classes)


class StartScreen(KeyedScreen[GameSession]):
    """Gives a :class:`GameSession`, when it is dismissed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", Phrase("next")),
        Binding("up", "app.focus_previous", Phrase("back")),
        Binding("ctrl+s", "start", Phrase("start")),
        Binding("escape", "app.leave(0)", Phrase("leave")),
        Binding("q", "app.leave(0)", show=False),  # where no name is being typed
    ]

    def __init__(self, clock: Clock):
        super().__init__()
        self._clock = clock

    def compose(self) -> ComposeResult:
        yield Static("Cluedo", classes="title")
        with VerticalScroll(id="form"):
            yield row(tr("Edition"), _choice(_editions(), _NO_EDITION, id="edition"))
            yield row(tr("Board"), _choice(_boards(), default_map(), id="map"))
            yield row(tr("Movement"), _choice(movements(), "walk", id="movement"))
            for seat in range(MAX_SEATS):
                yield row(
                    tr("Player {number}", number=seat + 1),
                    _choice(_kinds(), _USUAL[seat], id=f"kind-{seat}", classes="kind"),
                    _choice([("?", 0)], 0, id=f"suspect-{seat}"),
                    Input(placeholder=tr("name"), max_length=20, compact=True, id=f"name-{seat}"),
                    classes="seat",
                )
            yield Static("", id="trouble", markup=False)
            with Horizontal(classes="row"):
                yield Button(tr("Start"), variant="success", compact=True, action="screen.start", id="start")
                yield Button(tr("Leave"), compact=True, action="app.leave(0)")
            if games := _saved():
                yield Static(tr("Or continue:"), id="or", markup=False)
                yield _Choice(games, compact=True, prompt=tr("a saved game"), id="saved")
        yield KeyBar()

    def on_mount(self) -> None:
        """Fill in what depends on the board."""
        self._fill_suspects()
        self.query_one("#start").focus()

    def on_select_changed(self, event: Select.Changed) -> None:
        """An edition has its board, and a board its suspects; a saved game is continued at once."""
        if event.select.id == "edition":
            self._take_edition()
        elif event.select.id == "map":
            if not Board.load(self._value("map")).has_grid:
                self.query_one("#movement", Select).value = "free"
            self._fill_suspects()
        elif event.select.id and event.select.id.startswith("kind-"):
            seat = event.select.id.removeprefix("kind-")
            self.query_one(f"#name-{seat}").disabled = event.value != HUMAN
        elif isinstance(path := event.value, Path):
            self._give(lambda: GameSession.resume(path, clock=self._clock))

    def action_start(self) -> None:
        """Begin a new game as it is set."""
        self._give(self._new_game)

    def _new_game(self) -> GameSession:
        line_up, suspects = [], []
        board = Board.load(self._value("map"))
        for seat in range(min(MAX_SEATS, len(board.deck.suspects))):
            kind = self._value(f"kind-{seat}")
            if kind == _NOBODY:
                continue
            name = " ".join(self.query_one(f"#name-{seat}", Input).value.replace(",", " ").replace(":", " ").split())
            line_up.append(f"{kind}:{name}" if kind == HUMAN and name else kind)
            suspects.append(board.deck.id(self._value(f"suspect-{seat}")))
        edition = self._edition(f"movement={self._value('movement')}")
        seated = parse_line_up(",".join(line_up))
        edition.check_players(len(seated))
        autosave = Autosave.new(None, board.source)
        return GameSession.begin(seated, board, edition.rules, autosave, suspects=suspects, clock=self._clock)

    def _edition(self, *options: str) -> Edition:
        """The edition chosen, or that of the box, with these rules."""
        return Edition.chosen(self._value("edition") or None, default_map(), options=options)

    def _take_edition(self) -> None:
        """Set the edition's board and movement, and leave as many players as it is for."""
        edition = self._edition()
        self.query_one("#map", Select).value = edition.map
        self.query_one("#movement", Select).value = edition.rules.movement
        for seat in range(edition.players[1], MAX_SEATS):
            self.query_one(f"#kind-{seat}", Select).value = _NOBODY

    def _value(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)

    def _give(self, make: Callable[[], GameSession]) -> None:
        """Dismiss with the game, or say what is wrong."""
        try:
            self.dismiss(make())
        except CluedoError as error:
            self.query_one("#trouble", Static).update(as_sentence(tr(error)))

    def _fill_suspects(self) -> None:
        """Offer the suspects of the board chosen, and as many seats."""
        deck = Board.load(self._value("map")).deck
        names = [deck.names[card] for card in deck.suspects]
        for seat, line in enumerate(self.query(".seat")):
            line.display = seat < len(names)
            chosen = self.query_one(f"#suspect-{seat}", Select)
            chosen.set_options((name, name) for name in names)
            chosen.value = names[min(seat, len(names) - 1)]


def _saved() -> list[tuple[str, Path]]:
    """The games that can be continued."""
    games = []
    for path, record in saved_games():
        who = ", ".join(player.suspect for player in record.players)
        games.append((f"{saved_at(path)}  {record.map}: {who}", path))
    return games


def _boards() -> list[tuple[str, str]]:
    """The shipped boards, then the decks without one."""
    boards = sorted((Board.load(name) for name in map_names()), key=lambda board: not board.has_grid)
    return [
        (board.title if board.has_grid else tr("{title} (no board)", title=board.title), board.map.name)
        for board in boards
    ]


def _editions() -> list[tuple[str, str]]:
    named = (
        (tr("{name}: {title}", name=edition.name, title=tr(edition.title)), edition.name)
        for edition in shipped_editions()
    )
    return [(tr("the usual rules"), _NO_EDITION), *named]


def _kinds() -> list[tuple[str, str]]:
    levels = ((label, level) for level, label in level_labels())
    return [(tr("a person"), HUMAN), *levels, (tr("no player"), _NOBODY)]
