"""French for the assistant at a real table."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_ASSIST"]

FRENCH_ASSIST: Final[dict[str, str]] = {
    # ---- entries: these words are read back ----
    "asks": "demande",
    "accuses": "accuse",
    "shows": "montre",
    "nobody": "personne",
    "{by} asks {cards}: {refuter} shows {card}": "{by} demande {cards} : {refuter} montre {card}",
    "{by} asks {cards}: {refuter} shows": "{by} demande {cards} : {refuter} montre",
    "{by} asks {cards}: nobody": "{by} demande {cards} : personne",
    "{by} accuses {cards}: right": "{by} accuse {cards} : juste",
    "{by} accuses {cards}: wrong": "{by} accuse {cards} : faux",
    # ---- what is wrong with one ----
    "nothing was entered": "rien n'a été saisi",
    "'{word}' could be {these}": "« {word} » peut vouloir dire {these}",
    "this could mean: {these}": "cela peut vouloir dire : {these}",
    "the entry is not complete: {wanted}": "l'entrée n'est pas complète : {wanted}",
    "the entry is complete before '{word}'": "l'entrée est complète avant « {word} »",
    "'{word}' is not understood: {wanted}; {closest}": "« {word} » n'est pas compris : {wanted} ; {closest}",
    "{name} asked, so somebody else shows a card, or nobody": (
        "{name} a demandé : un autre montre une carte, ou personne"
    ),
    "{second} does not go with {first}: one suspect, one weapon and one room": (
        "{second} ne va pas avec {first} : un suspect, une arme et une pièce"
    ),
    "first comes the player who asks or accuses": "d'abord vient le joueur qui demande ou accuse",
    "still to be named: {these}": "il manque encore : {these}",
    "a suspect": "un suspect",
    "a weapon": "une arme",
    "a room": "une pièce",
    "say who showed a card, or nobody": "dites qui a montré une carte, ou personne",
    "say whether that was right or wrong": "dites si c'était juste ou faux",
    "say which of the three cards was shown, or nothing more": (
        "dites laquelle des trois cartes a été montrée, ou rien de plus"
    ),
    "nothing more is needed": "il ne faut rien de plus",
    # ---- commands ----
    "Entry:": "Entrée :",
    "The case is kept in {file}; help tells what can be typed.": (
        "L'affaire est conservée dans {file} ; aide dit ce que l'on peut taper."
    ),
    "The case is kept. To go on with it: {command}": "L'affaire est conservée. Pour la reprendre : {command}",
    "An entry takes as few letters as tell its names apart, and the three cards in any order:": (
        "Une entrée : assez de lettres pour distinguer les noms, les trois cartes dans n'importe quel ordre :"
    ),
    "  mu asks plum rope hall, white shows     somebody asked, and White showed a card": (
        "  ro demande olive corde salon, violet montre   quelqu'un demande, et Violet montre une carte"
    ),
    "  mu plum rope hall white                 the same": (
        "  ro olive corde salon violet                   la même chose"
    ),
    "  me plum rope hall, white shows rope     I asked, and saw the card": (
        "  moi olive corde salon, violet montre corde    je demande, et je vois la carte"
    ),
    "  mu plum rope hall nobody                nobody could show one": (
        "  ro olive corde salon personne                 personne ne peut en montrer"
    ),
    "  mu accuses plum rope hall wrong         or right": ("  ro accuse olive corde salon faux              ou juste"),
    "A player is a name, its beginning, a number in turn order, or me.": (
        "Un joueur est un nom, son début, un numéro dans l'ordre du tour, ou moi."
    ),
    "Commands:": "Commandes :",
    "  undo, redo        take a change back, or make it again": (
        "  annuler, refaire        revenir sur un changement, ou le refaire"
    ),
    "  log               the entries and their numbers": "  journal                 les entrées et leurs numéros",
    "  edit N ENTRY      put another entry in place of number N": (
        "  modifier N ENTRÉE       remplacer l'entrée numéro N"
    ),
    "  insert N ENTRY    put an entry before number N": "  insérer N ENTRÉE        mettre une entrée avant le numéro N",
    "  drop N            take out number N": "  supprimer N             enlever le numéro N",
    "  mend N            one of the changes offered for a contradiction": (
        "  réparer N               un des changements proposés contre une contradiction"
    ),
    "  hand CARDS        which cards I really hold, all of them": (
        "  main CARTES             les cartes que j'ai vraiment, toutes"
    ),
    "  whatif ENTRY      what would follow; nothing is kept": (
        "  si ENTRÉE               ce qui s'ensuivrait ; rien n'est conservé"
    ),
    "  why CARD=PLACE    why it is there or not; a place is a player or envelope": (
        "  pourquoi CARTE=LIEU     pourquoi elle y est ou non ; un lieu est un joueur ou enveloppe"
    ),
    "  sheet, odds, ask  the whole sheet; the envelopes; the best question of each room": (
        "  feuille, cotes, questions   la feuille ; les enveloppes ; la meilleure question de chaque pièce"
    ),
    "  at ROOM           where my pawn stands": "  lieu PIÈCE              où se trouve mon pion",
    "  save FILE         write a file that ends in .json, .png, .html or .csv": (
        "  enregistrer FICHIER     écrire un fichier qui finit par .json, .png, .html ou .csv"
    ),
    "  quit              leave; the case is kept": "  quitter                 partir ; l'affaire est conservée",
    "the number of an entry is needed, not '{word}'": "il faut le numéro d'une entrée, et non « {word} »",
    "a card and a place are needed, as in: why {card}=envelope": (
        "il faut une carte et un lieu, comme dans : pourquoi {card}=enveloppe"
    ),
    "where your pawn stands matters only to a player on a board": (
        "la place de votre pion ne compte que pour un joueur sur un plateau"
    ),
    "there is nothing to take back": "il n'y a rien à annuler",
    "there is nothing to make again": "il n'y a rien à refaire",
    "there is no mend {number}: {count} are offered": "il n'y a pas de réparation {number} : {count} sont proposées",
    "there is no entry {number}: there are {count}": "il n'y a pas d'entrée {number} : il y en a {count}",
    "(Nothing of that is kept.)": "(Rien de cela n'est conservé.)",
    "If {entry}:": "Si {entry} :",
    "Nothing is noted yet.": "Rien n'est encore noté.",
    "There is nothing to ask.": "Il n'y a rien à demander.",
    "no files can be written from here": "aucun fichier ne peut être écrit d'ici",
    "name a file that ends in .json, .png, .html or .csv": (
        "donnez un fichier qui finit par .json, .png, .html ou .csv"
    ),
    "{file}: name a file that ends in .json, .png, .html or .csv": (
        "{file} : donnez un fichier qui finit par .json, .png, .html ou .csv"
    ),
    "Written: {file}.": "Écrit : {file}.",
    # ---- what follows ----
    "In the envelope: {cards}.": "Dans l'enveloppe : {cards}.",
    "Not in the envelope: {cards}.": "Pas dans l'enveloppe : {cards}.",
    "{who} holds none of these: {cards}.": "{who} n'a aucune de ces cartes : {cards}.",
    "No longer proved: {what}": "N'est plus prouvé : {what}",
    "{envelopes:,} envelopes are possible ({bits:.2f} bits, {deals}); the likeliest:": (
        "{envelopes:,} enveloppes sont possibles ({bits:.2f} bits, {deals}) ; les plus probables :"
    ),
    "{count:,} deal": "{count:,} donne",
    "{count:,} deals": "{count:,} donnes",
    "Accuse: {cards}. That is proved.": "Accusez : {cards}. C'est prouvé.",
    "Accuse now: {cards} ({chance}). To wait four rounds is safe with {waiting} only.": (
        "Accusez maintenant : {cards} ({chance}). Attendre quatre tours de table n'est sûr qu'à {waiting}."
    ),
    "Wait: {cards} has only {chance}; to wait four rounds is safe with {waiting}.": (
        "Attendez : {cards} n'a que {chance} ; attendre quatre tours de table est sûr à {waiting}."
    ),
    "Ask next:": "À demander ensuite :",
    "{bits:.1f} bits": "{bits:.1f} bits",
    "{bits:.2f} bits": "{bits:.2f} bits",
    "next turn": "au prochain tour",
    "{turns:.1f} turns": "{turns:.1f} tours",
    "not from here": "pas d'ici",
    # ---- contradictions ----
    "the entries contradict each other; mend that first": "les entrées se contredisent ; réparez d'abord cela",
    "The entries contradict each other: no deal fits these together:": (
        "Les entrées se contredisent ; aucune donne ne convient à celles-ci ensemble :"
    ),
    "and that you hold {cards}; if not, type: hand …": "et que vous avez {cards} ; sinon, tapez : main …",
    "Any one of these changes mends it:": "Un seul de ces changements suffit à le réparer :",
    "No single change mends it: edit or take out several of them.": (
        "Aucun changement seul ne le répare : modifiez ou enlevez plusieurs entrées."
    ),
    "take out entry {number}": "enlever l'entrée {number}",
    "entry {number}: {entry}": "entrée {number} : {entry}",
    # ---- files ----
    "the deal": "la donne",
    "Bits unknown of the envelope": "Bits inconnus de l'enveloppe",
    "The likeliest envelopes": "Les enveloppes les plus probables",
    "What was unknown of the envelope, entry by entry": "Ce qu'on ignorait de l'enveloppe, entrée par entrée",
    "Model {name}.": "Modèle {name}.",
    # ---- a new case ----
    "Board or deck ({known}, or a file)? [{default}]": (
        "Plateau ou jeu de cartes ({known}, ou un fichier) ? [{default}]"
    ),
    "Players, in turn order, with commas?": "Les joueurs, dans l'ordre du tour, séparés par des virgules ?",
    "How many cards does each hold ({count} in all), in that order?": (
        "Combien de cartes a chacun ({count} en tout), dans cet ordre ?"
    ),
    "Which of them are you? (Enter: a spectator)": "Lequel êtes-vous ? (Entrée : aucun, vous regardez)",
    "Your cards?": "Vos cartes ?",
    "--me and --hand go together: both for a player, neither for a spectator": (
        "--me et --hand vont ensemble : les deux pour un joueur, aucun des deux pour qui regarde"
    ),
    "{count} numbers are needed, for {names}": "il faut {count} nombres, pour {names}",
    "'{part}': after the colon comes how many cards they hold": (
        "« {part} » : après les deux-points vient le nombre de cartes"
    ),
    "A new case: the table": "Une nouvelle affaire : la table",
    "Go on with": "Reprendre",
    "a case that was kept": "une affaire conservée",
    "Board or deck": "Plateau ou jeu",
    "Its file": "Son fichier",
    "a file of my own": "un fichier à moi",
    "Movement": "Déplacements",
    "with dice, on the board": "aux dés, sur le plateau",
    "free: any room": "libre : toute pièce",
    "Players, in order": "Joueurs",
    "Which are you?": "Lequel êtes-vous ?",
    "nothing: a spectator": "rien : vous regardez",
    "Ann, Bob, Cy   or   Ann:5, Bob:5, Cy:4, Di:4": "Ann, Bob, Cy   ou   Ann:5, Bob:5, Cy:4, Di:4",
    "Your cards ({count} ticked):": "Vos cartes ({count} cochées) :",
    "Start": "Commencer",
    "Leave": "Partir",
    "Tab goes on, Space ticks a card, Ctrl-S starts, Escape leaves.": (
        "Tab avance, Espace coche une carte, Ctrl-S commence, Échap quitte."
    ),
    "Choose a board or a deck first.": "Choisissez d'abord un plateau ou un jeu de cartes.",
    "name the players, in turn order, with commas between them": (
        "nommez les joueurs, dans l'ordre du tour, séparés par des virgules"
    ),
    "cards are ticked, but not which player you are": "des cartes sont cochées, mais on ne sait quel joueur vous êtes",
    # ---- the screen ----
    "{count} entry": "{count} entrée",
    "{count} entries": "{count} entrées",
    "a contradiction": "une contradiction",
    "accuse now": "accusez",
    "Enter": "Entrée",
    "complete": "finir",
    "entries": "entrées",
    "what if": "et si",
    "undo": "annuler",
}
