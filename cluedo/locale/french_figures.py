"""French for the tables: who wins, and which boards there are."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_FIGURES"]

FRENCH_FIGURES: Final[dict[str, str]] = {
    # ---- autoplay ----
    "playing": "parties",
    "{speed} games/s": "{speed} parties/s",
    "level": "niveau",
    "seats": "places",
    "wins": "victoires",
    "won per seat": "gains par place",
    "95 % interval": "intervalle à 95 %",
    "fair share": "part équitable",
    "A seat is one player in one game; the fair share is what it would win if all players were alike.": (
        "Une place est un joueur dans une partie ; la part équitable est ce qu’elle gagnerait "
        "si tous les joueurs se valaient."
    ),
    "faults": "fautes",
    "{share:.1f} %": "{share:.1f} %",
    "{low} to {high}": "{low} à {high}",
    "{games:,} games: {unsolved:,} unsolved, {unfinished:,} unfinished, {turns:.1f} turns on average, "
    "{speed} games per second": (
        "Parties : {games:,} ; sans solution : {unsolved:,} ; inachevées : {unfinished:,} ; "
        "{turns:.1f} tours en moyenne, {speed} parties par seconde"
    ),
    # ---- maps ----
    "name": "nom",
    "title": "titre",
    "suspects": "suspects",
    "weapons": "armes",
    "rooms": "pièces",
    "size": "taille",
    "{width} x {height}": "{width} x {height}",
    "no grid": "sans grille",
    "{title} ({size} squares)": "{title} ({size} cases)",
    "{title} (a deck alone, without a board)": "{title} (des cartes seules, sans plateau)",
    "cluedo maps show NAME prints a board, and with --png FILE draws it.": (
        "cluedo maps show NOM affiche un plateau, et avec --png FICHIER le dessine."
    ),
    "Drawn into {file}.": "Dessiné dans {file}.",
}
