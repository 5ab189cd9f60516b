"""French for the web page: the server, the page and the lobby."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_WEB"]

FRENCH_WEB: Final[dict[str, str]] = {
    "Cluedo is at {url}": "Cluedo est à l'adresse {url}",
    "for other machines: {url}": "pour d'autres machines : {url}",
    "Ctrl-C ends it.": "Ctrl-C l'arrête.",
    "whoever can reach {host} over the network can play here: there is no password and no encryption": (
        "quiconque peut atteindre {host} par le réseau peut jouer ici : ni mot de passe, ni chiffrement"
    ),
    "Play a game": "Jouer",
    "against the levels, or with others at one screen": "contre les niveaux, ou à plusieurs devant un écran",
    "Arrows to walk, Enter to choose, q to leave.": "Flèches pour aller, Entrée pour choisir, q pour partir.",
    "Watch a game": "Regarder",
    "one that the levels played, turn by turn, with a review": "une partie entre niveaux, tour par tour, commentée",
    "Assist": "Aide",
    "help at a real table: note what is said, be told the rest": "à une vraie table : notez, on vous dit le reste",
    "The house is being opened …": "On ouvre la maison…",
    "The visit has ended.": "La visite est finie.",
    "Again": "Encore",
    "This page needs JavaScript.": "Cette page a besoin de JavaScript.",
}
