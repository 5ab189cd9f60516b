"""The assistant's screen: sheet, advice, entries, and a line to type in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.table import Table
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, OptionList, Static

from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.language import tr, tr_count
from cluedo.session.advice import NEWS, case_sections, verdict_in_short
from cluedo.session.case.case import Case
from cluedo.session.case.grammar import Completion
from cluedo.session.case.interpreter import Interpreter, Reply, ReplyKind
from cluedo.session.case.vocabulary import Unclear
from cluedo.session.figures import envelope_first, envelopes_left, titles
from cluedo.session.sections import Section, Tone, for_readers, switch_figures
from cluedo.tui.background import run_in_thread, wait_a_moment
from cluedo.tui.keys import KeyBar, KeyedScreen
from cluedo.tui.sections_text import TITLE_STYLES, SectionsText, Unbroken
from cluedo.tui.sheet_view import SheetView, chance_cells, setting_columns
from cluedo.words.narration import as_sentence

__all__ = ["AssistScreen", "Completions", "EntryLine", "History"]


class EntryLine(Input):
    """The line for entries; Tab takes the first completion, the arrow keys lead to what was entered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.submit", show=False),  # at once: a message would come after the keys that wait
        Binding("tab", "screen.complete", Phrase("fill in")),
        Binding("up", "screen.entries", show=False),
        Binding("down,shift+tab", "screen.sheet", show=False),
        Binding("ctrl+q", "app.leave(0)", Phrase("quit")),  # where q is a letter
    ]


class Completions(Static):
    """Completions of the line; a click takes one, Tab the first.

    Attributes:
        offered: what is shown.
    """

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self.offered: Sequence[Completion] = ()

    def offer(self, completions: Sequence[Completion], *, whole: bool) -> None:
        """Show these; and, if the line is ``whole``, that it can be entered as it is."""
        self.offered = completions
        parts = []
        if whole:
            enter = Content.styled(f" {tr('Enter')} ", "bold $text-success on $success-muted")
            parts += [enter.stylize(Style.from_meta({"@click": "screen.submit()"})), Content(" ")]
        for index, completion in enumerate(completions):
            word = Content.styled(completion.word.replace(" ", "\N{NO-BREAK SPACE}"), "bold" if index == 0 else "")
            parts += [word.stylize(Style.from_meta({"@click": f"screen.complete({index})"})), Content("  ")]
        self.update(Content.assemble(*parts))


class History(OptionList):
    """The entries by number; Enter edits one, ``i`` inserts one before it, Delete removes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", Phrase("edit")),
        Binding("i", "screen.change('insert')", Phrase("insert before")),
        Binding("delete,d,backspace", "screen.change('drop')", Phrase("take out")),
        Binding("tab,shift+tab", "screen.entry", Phrase("to the line"), show=False),
    ]

    def show(self, lines: Sequence[str], clashing: Sequence[int] = ()) -> None:
        """Show the entries, those that contradict each other in colour, the last in sight."""
        self.clear_options()
        self.add_options(_numbered(number, line, marked=number in clashing) for number, line in enumerate(lines, 1))
        if lines:
            self.highlighted = len(lines) - 1
            self.call_after_refresh(self.scroll_end, animate=False)


def _numbered(number: int, line: str, *, marked: bool) -> Table:
    """An entry beside its number; a long one is wrapped with an indent."""
    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(width=3, justify="right", no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(str(number), Unbroken(line), style="red" if marked else "")
    return grid


class AssistScreen(KeyedScreen[None]):
    """One case. Lines are answered beside the screen (a :class:`Interpreter` in a thread), one at a time.

    Args:
        case: the case.

    Attributes:
        busy: whether a line is being answered.
        told: what is told now.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012 - Textual has it so
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "type('help')", Phrase("help")),
        Binding("f2", "sheet", Phrase("sheet")),
        Binding("f3", "entries", Phrase("entries")),
        Binding("f4", "what_if", Phrase("what if")),
        Binding("f5", "type('bits')", Phrase("bits"), tooltip=Phrase("figures for experts, in bits"), show=False),
        Binding("ctrl+z", "type('undo')", Phrase("undo"), priority=True),
        Binding("ctrl+y", "type('redo')", Phrase("redo"), show=False, priority=True),
        Binding("escape", "entry", Phrase("to the line"), show=False),
    ]

    def __init__(self, case: Case):
        super().__init__()
        self.case = case
        self.interpreter = Interpreter(case)
        self.busy = False
        self.told: Reply | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="status", markup=False)
        with Horizontal(id="middle"):
            yield SheetView(self.case.setting.deck, setting_columns(self.case.setting), id="sheet")
            with Container(id="side"):
                with VerticalScroll(id="pane"):
                    yield SectionsText(self.case.setting.deck.names, id="told")
                yield History(id="entries", markup=False)
        yield Static(id="trouble", markup=False)
        yield Completions(id="offers")
        with Horizontal(id="line"):
            yield Static(f"{tr('Entry:')} ", id="prompt", markup=False)
            yield EntryLine(compact=True, id="entry", max_length=400, select_on_focus=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the case, and wait for a line."""
        self.query_one(EntryLine).focus()
        self._show_trouble("")
        self._show_case()
        self._begin_telling()

    async def leave(self) -> None:
        """Wait a moment for the line that is being answered: it was entered, so it is saved."""
        await wait_a_moment(lambda: self.busy)

    # ---- lines -----------------------------------------------------------------------------------

    @on(Input.Changed)
    def _offer(self, event: Input.Changed) -> None:
        self._show_offers(event.value)

    def _show_offers(self, line: str) -> None:
        self.query_one(Completions).offer(self.interpreter.complete(line), whole=self._whole(line))

    def _whole(self, line: str) -> bool:
        try:
            self.case.grammar.parse(line)
        except Unclear:
            return False
        return True

    def action_complete(self, index: int = 0) -> None:
        """Take the completion of this number, the first by Tab; where there is none, go to the sheet."""
        offered = self.query_one(Completions).offered
        if index < len(offered):
            self._put(offered[index].line)
        else:
            self.action_sheet()

    def action_submit(self) -> None:
        """Enter the line as it is."""
        if line := self.query_one(EntryLine).value.strip():
            self._answer(line)

    def action_change(self, command: str) -> None:
        """Change the highlighted entry: ``edit`` it, ``insert`` one before it, or ``drop`` it."""
        at = self.query_one(History).highlighted
        if at is None:
            return
        begin = f"{self.interpreter.word(command)} {at + 1}"
        if command == "drop":
            self._answer(begin)
        elif command == "insert":
            self._put(f"{begin} ")
        else:
            self._put(f"{begin} {self.case.grammar.write(self.case.entries[at])}")

    @on(OptionList.OptionSelected)
    def _edit(self) -> None:
        self.action_change("edit")

    @on(SheetView.Chosen)
    def _why(self, event: SheetView.Chosen) -> None:
        setting = self.case.setting
        place = envelope_first(titles(setting.places))[event.column]
        self._answer(f"why {setting.deck.names[event.card]}={place}", keep_focus=True)

    def action_type(self, line: str) -> None:
        """Answer a line as if it had been typed."""
        self._answer(line)

    def action_what_if(self) -> None:
        """Make a what-if of the typed line, or of the one to come."""
        self._put(f"{self.interpreter.word('whatif')} {self.query_one(EntryLine).value}")

    def _put(self, line: str) -> None:
        """Put a text into the line."""
        entry = self.query_one(EntryLine)
        entry.value = line
        entry.cursor_position = len(line)
        entry.focus()

    def _answer(self, line: str, *, keep_focus: bool = False) -> None:
        """Let a line be answered; while another one is being answered, nothing happens, and the line stays."""
        if self.busy:
            return
        self._show_trouble("")
        self.busy = True
        self._show_status()
        if not keep_focus:
            self.query_one(EntryLine).focus()
        self._think(line)

    @work(exclusive=True, group="answers")
    async def _think(self, line: str) -> None:
        trouble, reply = "", None
        try:
            reply = await run_in_thread(lambda: self.interpreter.answer(line))
        except CluedoError as error:
            trouble = as_sentence(tr(error))
        self._answered(line, reply, trouble)

    @work(exclusive=True, group="answers")
    async def _begin_telling(self) -> None:
        """Tell what follows at the beginning."""
        self._tell(Reply(ReplyKind.TOLD, sections=await run_in_thread(lambda: tuple(case_sections(self.case)))))

    def _answered(self, line: str, reply: Reply | None, trouble: str) -> None:
        """Show an answer, or what was wrong with the line, which then stays; what was typed meanwhile stays as well."""
        self.busy = False
        entry = self.query_one(EntryLine)
        typed = entry.value.lstrip()
        if reply is not None and reply.kind is ReplyKind.DOUBTED:
            trouble = " ".join(line for section in reply.sections for line in section.lines)
        self._show_trouble(trouble, doubt=reply is not None)
        if trouble and typed.rstrip() == line:
            entry.select_all()  # typing begins anew, the arrow keys edit it
        if reply is None or reply.kind is ReplyKind.DOUBTED:
            self._show_case()  # what could not be kept was noted all the same
            return
        if reply.kind is ReplyKind.QUIT:
            self.app.exit()
            return
        if typed.startswith(line):
            entry.value = typed.removeprefix(line).lstrip()
        self._show_case()
        if reply.kind is ReplyKind.SHEET:
            self.action_sheet()
            return
        if reply.kind is ReplyKind.FIGURES:
            switch_figures()
        self._tell(reply)

    # ---- what is shown ---------------------------------------------------------------------------

    def _tell(self, reply: Reply) -> None:
        self.told = reply
        self.set_class(reply.kind is ReplyKind.HELP, "help")
        sections = list(reply.sections)
        if self.has_class("-wide"):  # all of it is in sight, so what is new comes first
            sections.sort(key=lambda section: section.title != tr(NEWS))
        sections = [*([Section(reply.title)] if reply.title else []), *sections]
        self.query_one(SectionsText).show(for_readers(sections))
        self.query_one("#pane").scroll_home(animate=False)

    def _show_trouble(self, text: str, *, doubt: bool = False) -> None:
        """Show what is wrong or doubtful about the line; hide the widget if nothing is."""
        trouble = self.query_one("#trouble", Static)
        trouble.set_class(doubt, "doubt")
        trouble.update(text)
        trouble.display = bool(text)

    def _show_case(self) -> None:
        """The sheet, the entries, how much is unknown, and the completions of the line."""
        case = self.case
        written = [case.grammar.write(entry) for entry in case.entries]
        self.query_one(History).show(written, () if case.contradiction is None else case.contradiction.numbers)
        self.query_one(SheetView).show({} if case.known is None else chance_cells(case.known.chances))
        self._show_status()
        self._show_offers(self.query_one(EntryLine).value)

    def _show_status(self) -> None:
        """Whose case, how far it is, how much is unknown, and whether to accuse."""
        case = self.case
        setting = case.setting
        who = tr("a spectator") if setting.me is None else setting.names[setting.me]
        entries = tr_count("{count} entry", "{count} entries", len(case.entries))
        title = setting.board.title
        parts = [Content.styled(title, "bold"), Content(who), Content(entries)]
        if case.known is None:
            parts.append(Content.styled(tr("a contradiction"), "bold $text-error"))
        elif case.known.envelopes:
            parts.append(Content(envelopes_left(case.known)))
        verdict = verdict_in_short(case)
        if verdict is not None and verdict.tone is not Tone.PLAIN:
            parts.append(Content.styled(verdict.title, TITLE_STYLES[verdict.tone]))
        if self.busy:
            parts.append(Content.styled("…", "dim"))
        self.query_one("#status", Static).update(Content("  ·  ").join(parts))

    # ---- where one is ------------------------------------------------------------------------------

    def action_entry(self) -> None:
        """Move the focus to the line."""
        self.remove_class("history")
        self.query_one(EntryLine).focus()

    def action_sheet(self) -> None:
        """Move the focus to the sheet, where Enter tells why."""
        self.remove_class("history", "help")
        self.query_one(SheetView).focus()

    def action_entries(self) -> None:
        """Move the focus to the entries; on a small screen they replace the rest."""
        self.remove_class("help")
        self.add_class("history")
        self.query_one(History).focus()
