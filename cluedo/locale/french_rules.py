"""French for what the game itself says: why a command is not possible, and lists."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_RULES"]

FRENCH_RULES: Final[dict[str, str]] = {
    "suspect": "suspect",
    "weapon": "arme",
    "room": "pièce",
    "{most} and {last}": "{most} et {last}",
    "{most} or {last}": "{most} ou {last}",
    "known: {names}": "il y a : {names}",
    "did you mean {name!r}? known: {names}": "vouliez-vous dire {name!r} ? il y a : {names}",
    # ---- what a turn waits for ----
    "{intent} is not possible now: {waiting} (rule 4)": "{intent}, ce n'est pas le moment : {waiting} (règle 4)",
    "a roll": "un lancer de dés",
    "a walk": "une marche",
    "a secret passage": "un passage secret",
    "staying": "rester sur place",
    "a hypothesis": "une hypothèse",
    "showing a card": "montrer une carte",
    "an accusation": "une accusation",
    "the end of the turn": "la fin du tour",
    "the turn waits for a move": "le tour attend un déplacement",
    "the dice lie and the turn waits for a walk": "les dés sont jetés et le tour attend une marche",
    "the turn waits for a hypothesis, an accusation or its end": (
        "le tour attend une hypothèse, une accusation ou sa fin"
    ),
    "a card has to be shown first": "une carte doit d'abord être montrée",
    "the turn waits for an accusation or its end": "le tour attend une accusation ou sa fin",
    "after a wrong accusation the turn only ends": "après une accusation fausse, le tour ne peut que finir",
    "the game is over": "la partie est finie",
    # ---- why not ----
    "there are no dice under free movement (rule 12)": "il n'y a pas de dés en déplacement libre (règle 12)",
    "one rolls before one walks (rule 4)": "on lance les dés avant de marcher (règle 4)",
    "{place} is no place of this board": "{place} n'est pas un lieu de ce plateau",
    "under free movement one enters another room or stays, which {place} is not (rule 12)": (
        "en déplacement libre, on entre dans une autre pièce ou l'on reste ; {place} n'en est pas une (règle 12)"
    ),
    "{place} cannot be reached with this roll round the other pawns (rule 5)": (
        "{place} : hors de portée avec ce lancer, en contournant les autres pions (règle 5)"
    ),
    "there are no secret passages under free movement (rule 12)": (
        "il n'y a pas de passages secrets en déplacement libre (règle 12)"
    ),
    "there is no secret passage here (rule 4)": "il n'y a pas de passage secret ici (règle 4)",
    "there is one hypothesis a turn (rule 6)": "on fait une seule hypothèse par tour (règle 6)",
    "a hypothesis is made in a room (rule 6)": "une hypothèse se fait dans une pièce (règle 6)",
    "this room is used up: enter another one first, or be drawn here (rule 7)": (
        "cette pièce a déjà servi : il faut entrer ailleurs d'abord, ou y être appelé (règle 7)"
    ),
    "one asks about the room one is in, {here}, not {named} (rule 6)": (
        "on nomme la pièce où l'on est, {here}, et non {named} (règle 6)"
    ),
    "there is nothing to refute now (rule 9)": "il n'y a rien à réfuter maintenant (règle 9)",
    "one shows a card that was named and that one holds: {cards} (rule 9)": (
        "on montre une carte nommée que l'on a en main : {cards} (règle 9)"
    ),
    "one accuses at the end of one's turn, after the move (rule 10)": (
        "on accuse à la fin de son tour, après le déplacement (règle 10)"
    ),
    "{card} is no {category} of this deck": "{card} : ce jeu n'a pas cette carte ({category})",
}
