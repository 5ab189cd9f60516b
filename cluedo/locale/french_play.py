"""French for games in the terminal: playing, watching and the board."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_PLAY"]

_HELP = """\
Answer with a number, a name, or the beginning of a name; capitals and accents do not matter.
At any prompt:
  board    the board            hand     your cards
  notes    what you have seen   log      all that happened
  players  who plays            help     this text
  quit     leave the game
A turn: roll and walk, take a secret passage, or stay; in a room you may then ask the others about
a suspect, a weapon and that room; at the end you may accuse, once a game: wrong, and you are out."""

_AIDE = """\
Répondez par un numéro, un nom ou le début d'un nom, avec ou sans majuscules et accents.
À tout moment :
  plateau  le plateau             main     vos cartes
  notes    ce que vous avez vu    journal  tout ce qui s'est passé
  joueurs  qui joue               aide     ce texte
  quitter  laisser la partie
Un tour : lancez les dés et marchez, prenez un passage secret ou restez ; dans une pièce, demandez si vous
voulez un suspect, une arme et cette pièce ; enfin accusez, une fois par partie : à tort, vous êtes hors jeu."""

FRENCH_PLAY: Final[dict[str, str]] = {
    # ---- before and after ----
    "{title}: {seats} players, clockwise": "{title} : {seats} joueurs, dans le sens des aiguilles d'une montre",
    "{name}: {player}, {cards}": "{name} : {player}, {cards}",
    "human": "humain",
    "{count} card": "{count} carte",
    "{count} cards": "{count} cartes",
    "{who} begins.": "{who} commence.",
    "Type help at any prompt, quit to leave.": "Tapez « aide » à tout moment, « quitter » pour partir.",
    "The envelope held {cards}.": "Dans l'enveloppe il y avait : {cards}.",
    "The game is recorded in {file}.": "La partie est enregistrée dans {file}.",
    "The secret seed was {seed}.": "La graine secrète était {seed}.",
    "The seed was {seed}.": "La graine était {seed}.",
    "The same deal again: {command}": "Pour rejouer la même donne : {command}",
    "Interrupted: the game stops here.": "Interruption : la partie s'arrête ici.",
    "The input has ended, and the game with it.": "L'entrée est finie, et la partie avec elle.",
    "{who} has left the game; it stops here.": "{who} a quitté la partie ; elle s'arrête ici.",
    "--- Hand over to {name} (player {number}): {why} ---": "--- Passez l'écran à {name} (joueur {number}) : {why} ---",
    "{name}, press Enter when nobody else is looking.": "{name}, appuyez sur Entrée quand personne d'autre ne regarde.",
    "--- {name} (player {number}) ---": "--- {name} (joueur {number}) ---",
    # ---- a person's turn ----
    _HELP: _AIDE,
    "help": "aide",
    "quit": "quitter",
    "board": "plateau",
    "hand": "main",
    "notes": "notes",
    "log": "journal",
    "players": "joueurs",
    "roll": "lancer",
    "walk": "marcher",
    "passage": "passage",
    "stay": "rester",
    "ask": "demander",
    "show": "montrer",
    "accuse": "accuser",
    "end": "finir",
    "dice": "dés",
    "secret passage": "passage secret",
    "back": "retour",
    "yes": "oui",
    "no": "non",
    "your turn": "à vous de jouer",
    "your walk": "votre marche",
    "your hypothesis": "votre hypothèse",
    "a card to show to {asker}": "une carte à montrer à {asker}",
    "the end of your turn": "la fin de votre tour",
    "--- Turn {turn}: {who}, it is your turn ---": "--- Tour {turn} : {who}, à vous de jouer ---",
    "You are {where}.": "Vous êtes {where}.",
    "in {room}": "dans la pièce {room}",
    "at {square}": "sur la case {square}",
    "outside": "dehors",
    "You hold {cards}.": "Vous avez en main : {cards}.",
    "How do you move? (Enter rolls)": "Que faites-vous ? (Entrée lance les dés)",
    "roll the dice": "lancer les dés",
    "take the secret passage to {room}": "prendre le passage secret : {room}",
    "stay {where}": "rester {where}",
    "and ask": "et demander",
    "no hypothesis": "sans hypothèse",
    "Where to?": "Où allez-vous ?",
    "Where to? (or a square marked + as x,y)": "Où allez-vous ? (ou une case marquée + : x,y)",
    "({x}, {y}) lies outside the board: x goes from 0 to {right}, y to {bottom}": (
        "({x}, {y}) est hors du plateau : x va de 0 à {right}, y jusqu'à {bottom}"
    ),
    "({x}, {y}) is wall": "({x}, {y}) est un mur",
    "You may ask about {room}: which suspect, which weapon?": (
        "Vous pouvez demander, pour la pièce {room} : quel suspect, quelle arme ?"
    ),
    "Which suspect?": "Quel suspect ?",
    "Which weapon?": "Quelle arme ?",
    "Which room?": "Quelle pièce ?",
    "ask nothing": "ne rien demander",
    "Which card do you show {asker}?": "Quelle carte montrez-vous à {asker} ?",
    "You can show {asker} only {card} (Enter):": "Vous ne pouvez montrer à {asker} que la carte {card} (Entrée) :",
    "Nobody could show a card.": "Personne n'a pu montrer de carte.",
    "No hypothesis: {why}.": "Pas d'hypothèse : {why}.",
    "Accuse? (Enter ends the turn)": "Accuser ? (Entrée finit le tour)",
    "end the turn": "finir le tour",
    "do not accuse": "ne pas accuser",
    "{cards}: wrong, and you are out. Are you sure?": (
        "{cards} : si c'est faux, vous êtes hors jeu. En êtes-vous certain ?"
    ),
    "Not possible: {why}.": "Impossible : {why}.",
    "that comes later in the turn; first this question": "cela vient plus tard dans le tour ; d'abord cette question",
    # ---- answers that are not understood ----
    "an answer is needed: a number or a name": "il faut une réponse : un numéro ou un nom",
    "{number} is not among 1 to {last}": "{number} n'est pas entre 1 et {last}",
    "{text!r} could be {names}": "{text!r} peut être {names}",
    "{text!r} is none of the choices; {closest}": "{text!r} n'est pas parmi les choix ; {closest}",
    "{text!r} is none of them; {closest}": "{text!r} n'en est pas ; {closest}",
    "{count} names are too many: {most} at most are asked for": "{count} noms, c'est trop : il en faut {most} au plus",
    # ---- notes ----
    "Suspects": "Suspects",
    "Weapons": "Armes",
    "Rooms": "Pièces",
    "yours": "à vous",
    "shown by {who}": "vue chez {who}",
    "shown to {names}": "montrée à {names}",
    "  seen:   {cards}": "  vu :      {cards}",
    "  unseen: {cards}": "  pas vu :  {cards}",
    "none": "rien",
    "nothing": "rien",
    "{name} (you)": "{name} (vous)",
    "{title}: {cards}": "{title} : {cards}",
    "has accused wrongly and is out": "a accusé à tort, hors jeu",
    # ---- the story ----
    "You roll {dice}.": "Vous lancez les dés : {dice}.",
    "{who} rolls {dice}.": "{who} lance les dés : {dice}.",
    "You enter {room}.": "Vous entrez dans la pièce {room}.",
    "{who} enters {room}.": "{who} entre dans la pièce {room}.",
    "You walk to {square}.": "Vous allez sur la case {square}.",
    "{who} walks to {square}.": "{who} va sur la case {square}.",
    "You take the secret passage to {room}.": "Vous prenez le passage secret vers la pièce {room}.",
    "{who} takes the secret passage to {room}.": "{who} prend le passage secret vers la pièce {room}.",
    "You stay put.": "Vous restez sur place.",
    "{who} stays put.": "{who} reste sur place.",
    "You ask: {cards}?": "Vous demandez : {cards} ?",
    "{who} asks: {cards}?": "{who} demande : {cards} ?",
    "(Your pawn is now in {room}.)": "(Votre pion est maintenant dans la pièce {room}.)",
    "You cannot answer.": "Vous ne pouvez pas répondre.",
    "{who} cannot answer.": "{who} ne peut pas répondre.",
    "a card": "une carte",
    "the card {card}": "la carte {card}",
    "{card}": "la carte {card}",
    "{who} shows you {card}.": "{who} vous montre {card}.",
    "You show {asker} {card}.": "Vous montrez {card} à {asker}.",
    "{who} shows {asker} {card}.": "{who} montre {card} à {asker}.",
    "You accuse: {cards}.": "Vous accusez : {cards}.",
    "{who} accuses: {cards}.": "{who} accuse : {cards}.",
    "That is right!": "C'est exact !",
    "That is wrong: you are out, but still show cards.": (
        "C'est faux : vous êtes hors jeu, mais vous montrez encore vos cartes."
    ),
    "That is wrong: {who} is out, but still shows cards.": (
        "C'est faux : {who} est hors jeu, mais montre encore ses cartes."
    ),
    "after {count} turn": "après {count} tour",
    "after {count} turns": "après {count} tours",
    "You solve the case and win {after}.": "Vous élucidez l'affaire et gagnez {after}.",
    "{who} solves the case and wins {after}.": "{who} élucide l'affaire et gagne {after}.",
    "All have accused wrongly: the case stays unsolved {after}.": (
        "Tous ont accusé à tort : l'affaire reste sans solution {after}."
    ),
    "The turn limit is reached: the game stays unfinished {after}.": (
        "La limite de tours est atteinte : la partie reste inachevée {after}."
    ),
    # ---- a recorded game ----
    "{title}: {seats} players": "{title} : {seats} joueurs",
    "game {number}": "partie {number}",
    "seed {seed}": "graine {seed}",
    "{who} holds {cards}.": "{who} a en main : {cards}.",
    "{who} is you and holds {cards}.": "{who}, c'est vous, avec en main : {cards}.",
    "The envelope holds {cards}.": "Dans l'enveloppe : {cards}.",
    "Turn {turn}: {who}": "Tour {turn} : {who}",
    "The cards are dealt; nothing has happened yet.": "Les cartes sont distribuées ; rien ne s'est encore passé.",
    "{count} turn is played": "{count} tour joué",
    "{count} turns are played": "{count} tours joués",
    "{done}; the record ends here, and the game is not over.": (
        "{done} ; l'enregistrement s'arrête ici, et la partie n'est pas finie."
    ),
    "{done}; the game goes on.": "{done} ; la partie continue.",
    # ---- the board ----
    "{what}: {place}": "{what} : {place}",
    "Pawns": "Pions",
    "Secret passages": "Passages secrets",
    "Signs": "Signes",
    "↑↓←→ door   ○ start": "↑↓←→ porte  ○ départ",
    "within reach": "à portée",
}
