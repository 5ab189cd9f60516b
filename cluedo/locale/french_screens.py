"""French for the table on the whole screen: starting, playing, hints and keys."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_SCREENS"]

FRENCH_SCREENS: Final[dict[str, str]] = {
    # ---- starting, going on, leaving ----
    "Moves": "Déplacement",
    "with dice": "avec les dés",
    "Player {number}": "Joueur {number}",
    "a person": "une personne",
    "Or go on with:": "Ou reprendre :",
    "a game that was kept": "une partie gardée",
    "Tab and arrows to walk, Enter to choose, Ctrl-S to start, q to leave.": (
        "Tab et flèches pour aller, Entrée pour choisir, Ctrl-S pour jouer, q pour partir."
    ),
    "The players sit down …": "Les joueurs s'installent…",
    "The game goes on in turn {turn}.": "La partie reprend au tour {turn}.",
    "The game is recorded in {file}. To go on with it: {command}": (
        "La partie est enregistrée dans {file}. Pour la reprendre : {command}"
    ),
    "Leave the game? It is kept.": "Quitter la partie ? Elle est gardée.",
    "new game": "nouvelle partie",
    # ---- the table ----
    "Turn {turn}": "Tour {turn}",
    "You hold: {cards}": "En main : {cards}",
    "{who} plays …": "{who} joue…",
    "{who} lost a choice; what went wrong is told at the end.": (
        "{who} a perdu un choix ; ce qui n'allait pas sera dit à la fin."
    ),
    "En": "En",
    "Envelope": "Enveloppe",
    # ---- what one may do ----
    "You rolled {sum}: where do you go?": "Vous avez fait {sum} : où allez-vous ?",
    "It is your turn; you are {where}. How do you move?": "À vous de jouer ; vous êtes {where}. Que faites-vous ?",
    "in {place}": "dans la pièce {place}",
    "at {place}": "sur la case {place}",
    "secret passage to {room}": "passage secret : {room}",
    "stay and ask": "rester et demander",
    "stay, without a hypothesis": "rester, sans hypothèse",
    "take back": "reprendre",
    "You may ask about {room}.": "Vous pouvez demander, pour la pièce {room}.",
    "Which card do you show {who}?": "Quelle carte montrez-vous à {who} ?",
    "You can show {who} only this card.": "Vous ne pouvez montrer à {who} que cette carte.",
    "The end of your turn.": "La fin de votre tour.",
    "What is in the envelope?": "Qu'y a-t-il dans l'enveloppe ?",
    "You accuse: {cards}. Wrong, and you are out. Are you sure?": (
        "Vous accusez : {cards}. Si c'est faux, vous êtes hors jeu. En êtes-vous certain ?"
    ),
    # ---- the signs on the board ----
    "door": "porte",
    "where a pawn starts": "départ d'un pion",
    "Weapons: {weapons}": "Armes : {weapons}",
    # ---- handing over ----
    "Hand over to {name} (player {number}): {why}": "Passez l'écran à {name} (joueur {number}) : {why}",
    "I am {name}": "c'est moi, {name}",
    "it is your turn": "à vous de jouer",
    "you may ask": "vous pouvez demander",
    "show a card": "montrez une carte",
    # ---- the detective ----
    "The detective thinks … (the first time it takes a while)": (
        "Le détective réfléchit… (c'est long la première fois)"
    ),
    "Proved: {cards}. Accuse!": "Prouvé : {cards}. Accusez !",
    "The envelope ({bits} bits unknown):": "L'enveloppe ({bits} bits inconnus) :",
    "in any room": "dans n'importe quelle pièce",
    "The best questions {where}:": "Les meilleures questions {where} :",
    "{bits} bits: {cards}": "{bits} bits : {cards}",
    "So much an answer is expected to tell of the envelope.": "C'est ce qu'on peut en apprendre sur l'enveloppe.",
    "The deals are too many to count exactly.": "Les donnes sont trop nombreuses pour être comptées exactement.",
    "Proved, though nobody showed it:": "Prouvé, bien que personne ne l'ait montré :",
    "… and {count} more.": "… et {count} de plus.",
    "All deals that fit what you have seen count the same.": (
        "Toutes les donnes conformes à ce que vous avez vu comptent autant."
    ),
    "A note about {card}:": "Une note sur la carte {card} :",
    # ---- keys ----
    "Keys": "Touches",
    "A turn": "Un tour",
    "arrows, Enter": "flèches, Entrée",
    "Space": "Espace",
    "walk over board, cards and sheet; choose": "aller sur le plateau, les cartes, la feuille ; choisir",
    "the next and the last place that can be reached": "le lieu à portée suivant, le précédent",
    "from the board to the sheet, the log and what can be done": "du plateau à la feuille, au journal et aux actions",
    "your sheet: Space, v, x or ? write a mark, Delete wipes it, e writes a note": (
        "votre feuille : Espace, v, x ou ? notent, Suppr efface, e écrit une note"
    ),
    "the log of all that was said and shown": "le journal de tout ce qui a été dit et montré",
    "what the detective would say: proofs, odds, the best question": (
        "ce que dirait le détective : preuves, chances, meilleure question"
    ),
    "take back a move, while nothing has come of it": "reprendre un déplacement, tant que rien n'en a suivi",
    "skip to where it is your turn": "passer jusqu'à votre tour",
    "light or dark": "clair ou sombre",
    "leave; the game is kept": "partir ; la partie est gardée",
    "Roll and walk, take a secret passage, or stay. In a room you may then ask the others about a suspect, a weapon "
    "and that room. At the end you may accuse, once a game: wrong, and you are out.": (
        "Lancez les dés et marchez, prenez un passage secret, ou restez. Dans une pièce, vous pouvez ensuite "
        "interroger les autres sur un suspect, une arme et cette pièce. À la fin, vous pouvez accuser, "
        "une fois par partie : à tort, et vous êtes hors jeu."
    ),
}
