"""Makes the table of a new case from typed text: players, hand, rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.board import Board
from cluedo.engine.cards import closest
from cluedo.engine.editions import Edition, shipped_editions
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import Rules
from cluedo.session.case.grammar import Grammar
from cluedo.session.case.vocabulary import Unclear, fold_text, index_of
from cluedo.session.figures import titles

__all__ = [
    "NamedPlayer",
    "check_names",
    "make_setting",
    "read_hand",
    "read_pair",
    "read_player",
    "read_players",
    "read_rules",
]


NamedPlayer: TypeAlias = tuple[str, int | None]
"""A player's name, and how many cards they hold if that is known."""


def read_players(text: str) -> list[NamedPlayer]:
    """Players by commas, each perhaps with a colon and how many cards they hold; raises CluedoError."""
    return list(map(read_player, text.split(",")))


def read_player(text: str) -> NamedPlayer:
    """A player, perhaps with a colon and how many cards they hold; raises CluedoError."""
    name, colon, cards = text.partition(":")
    if "," in name:
        raise CluedoError("'{part}': a name has no comma in it", part=text.strip()[:40])
    if colon and not (cards.strip().isdecimal() and len(cards) < 5):
        raise CluedoError(
            "'{part}': after the colon must come the number of cards that they hold, as in Ann:5",
            part=text.strip()[:40],
        )
    if not (name := " ".join(name.split())):
        raise CluedoError("a player has no name; players are written in turn order, such as Ann,Bob,Cy")
    return name, int(cards) if colon else None


def read_hand(text: str, board: Board) -> list[str]:
    """The cards named, by commas or else by spaces; raises Unclear."""
    names = board.deck.names
    parts = text.split(",") if "," in text else text.split()
    return [names[index_of(part, names, board.map.aliases)] for part in parts if part.strip()]


def read_rules(text: str, edition: Edition) -> Edition:
    """An edition with what a text changes: rules as KEY=VALUE, by spaces or commas, and those of an edition by name.

    Raises CluedoError. The map stays.
    """
    parts = re.split(r"[\s,]+", text.strip())
    editions = {edition.name: edition for edition in shipped_editions()}
    for name in [part for part in parts if part and "=" not in part]:
        if name not in editions:
            raise CluedoError(
                "'{name}' is no edition; {known}; a rule is set as KEY=VALUE",
                name=name,
                known=closest(name, editions),
            )
        told = editions[name]
        rules = edition.rules.model_copy(update=told.rules.model_dump(exclude_unset=True))
        edition = edition.model_copy(update={"name": told.name, "players": told.players, "rules": rules})
    rules = Rules.from_options([part for part in parts if "=" in part], edition.rules)
    return edition.model_copy(update={"rules": rules})


def read_pair(text: str, setting: Setting) -> tuple[int, int]:
    """The card and the place of ``CARD=PLACE``; raises Unclear."""
    names, (card, equals, place) = setting.deck.names, text.partition("=")
    if not equals:
        example = f"{names[0]}={titles(setting.places)[-1]}"
        raise Unclear("a card and a place are needed, as in {example}", example=example)
    found = index_of(card.strip(), names, setting.board.map.aliases)
    for number, name in enumerate(setting.places):
        if isinstance(name, Phrase) and fold_text(place) == name:  # understood in every language
            return found, number
    return found, index_of(place.strip(), titles(setting.places))


def make_setting(
    board: Board,
    seated: Sequence[NamedPlayer],
    me: str | None,
    hand: Sequence[str] | None,
    *,
    edition: Edition,
    face_up: str,
) -> Setting:
    """A setting by an edition's rules, from players, who I am, my cards and those that lie open; raises CluedoError."""
    edition.check_players(len(seated))
    mine = None if me is None else seated[index_of(me, [name for name, _ in seated])][0]
    if (mine is None) != (hand is None):
        raise CluedoError("'me' and 'hand' go together: both for a player, neither for a spectator")
    return check_names(
        Setting.make(board, seated, mine, hand, rules=edition.rules, open_cards=read_hand(face_up, board))
    )


def check_names(setting: Setting) -> Setting:
    """Check that the names can be told apart when typed; returns the setting."""
    Grammar(setting)
    return setting
