"""The detective for an assistant: a case at a real table."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from cluedo.agents.forms import Answer, Name, Names, TableForm, ToolForm, told
from cluedo.agents.storage import Storage, opened_case
from cluedo.ai.exercises import rounded_chance
from cluedo.engine.board import loaded_board
from cluedo.language import tr
from cluedo.session.advice import case_sections, odds_section, todo_section, verdict_section
from cluedo.session.boards import default_map
from cluedo.session.case.setup import make_setting, read_hand, read_pair, read_player

__all__ = ["Enter", "Odds", "OpenCase", "Proofs", "Questions"]


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
        board = loaded_board(edition.map)
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


def _as_text(cards: Iterable[str]) -> str:
    """Cards as one text, of which each comma ends one."""
    return "".join(f"{card}," for card in cards)


def _short(chance: float | None) -> float | None:
    return None if chance is None else rounded_chance(chance)
