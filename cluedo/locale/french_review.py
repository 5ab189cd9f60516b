"""French for what looks back at a game: the review, the page, the animation."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_REVIEW"]

FRENCH_REVIEW: Final[dict[str, str]] = {
    "{one} and {other} do not go together": "{one} et {other} ne vont pas ensemble",
    "--json goes with --review; a game is JSON already, and --log prints a case log": (
        "--json va avec --review ; une partie est déjà du JSON, et --log imprime un journal d'enquête"
    ),
    "Written: {path} ({size:,} kB).": "Écrit : {path} ({size:,} ko).",
    "the map {name} has no board to draw; a page (--html) can be made of it": (
        "la carte {name} n'a pas de plateau à dessiner ; on peut en faire une page (--html)"
    ),
    "an animation of {turns} turns would be too long (at most {most}); --to takes the first ones": (
        "une animation de {turns} tours serait trop longue (au plus {most}) ; --to prend les premiers"
    ),
    # ---- the review ----
    "{title}: the game looked back at": "{title} : retour sur la partie",
    "Turning point: from turn {turn} on nobody knew more of the envelope than {who}.": (
        "Tournant : à partir du tour {turn}, personne n'en savait plus sur l'enveloppe que {who}."
    ),
    "{who} won without ever being ahead for good: somebody else knew more at the end.": (
        "{who} gagne sans avoir été en tête à la fin : quelqu'un d'autre en savait plus."
    ),
    "Nobody ever knew more of the envelope than {who}.": "Personne n'en a jamais su plus sur l'enveloppe que {who}.",
    "What was found out": "Ce qui a été découvert",
    "What promised more": "Ce qui promettait davantage",
    "Bits and odds are exact, of the model choice, from what was known at the time; what an answer told beyond "
    "what its question promised is luck.": (
        "Les bits et les probabilités sont exacts, selon le modèle choice, d'après ce qu'on savait alors ; ce qu'une "
        "réponse apprend au-delà de ce que la question promettait est de la chance."
    ),
    "the suspect from turn {turn}": "le suspect dès le tour {turn}",
    "the weapon from turn {turn}": "l'arme dès le tour {turn}",
    "the room from turn {turn}": "la pièce dès le tour {turn}",
    "Certain from turn {turn} on ({parts}).": "Certitude dès le tour {turn} ({parts}).",
    "Never certain: {parts}; {bits:.1f} bits were left.": "Jamais de certitude : {parts} ; il restait {bits:.1f} bits.",
    "Never certain: no card of the envelope was proved; {bits:.1f} bits were left.": (
        "Jamais de certitude : aucune carte de l'enveloppe n'était prouvée ; il restait {bits:.1f} bits."
    ),
    "right": "juste",
    "wrong": "faux",
    "Accused in turn {turn}, as early as possible: {verdict}.": (
        "Accusation au tour {turn}, aussi tôt que possible : {verdict}."
    ),
    "Accused in turn {turn}, though turn {earliest} had been early enough: {verdict}.": (
        "Accusation au tour {turn}, alors que le tour {earliest} suffisait : {verdict}."
    ),
    "Could have accused with proof from turn {turn} on, and did not.": (
        "Une accusation prouvée était possible dès le tour {turn}, et n'a pas été faite."
    ),
    "Guessed in turn {turn}, at odds of {chance:.0f} %: {verdict}.": (
        "Pari au tour {turn}, avec une probabilité de {chance:.0f} % : {verdict}."
    ),
    "Asked once: the question promised {expected:.1f} of the {best:.1f} bits that the best one in that room "
    "promised.": (
        "Une question : elle promettait {expected:.1f} des {best:.1f} bits que promettait la meilleure dans cette "
        "pièce."
    ),
    "Asked {count} times: the questions promised {expected:.1f} of the {best:.1f} bits that the best ones in the "
    "same rooms promised.": (
        "{count} questions : elles promettaient {expected:.1f} des {best:.1f} bits que promettaient les meilleures "
        "dans les mêmes pièces."
    ),
    "The answers told {learnt:.1f} bits: luck {luck:+.1f}. Everything else told {heard:.1f} bits.": (
        "Les réponses ont appris {learnt:.1f} bits : chance {luck:+.1f}. Tout le reste a appris {heard:.1f} bits."
    ),
    "Better rooms within reach promised {missed:.1f} bits more, all turns together.": (
        "De meilleures pièces à portée promettaient {missed:.1f} bits de plus, tous tours confondus."
    ),
    "Turning point: turn {turn} ({who}), which told {bits:.1f} bits, more than any other.": (
        "Tournant : le tour {turn} ({who}), qui a appris {bits:.1f} bits, plus que tout autre."
    ),
    "Turn {turn}: {proofs}.": "Tour {turn} : {proofs}.",
    "{card} in the envelope": "{card} dans l'enveloppe",
    "{card} with {who}": "{card} chez {who}",
    "Turn {turn}: {cards} promised {bits:.2f} bits, instead of {expected:.2f}.": (
        "Tour {turn} : {cards} promettait {bits:.2f} bits, au lieu de {expected:.2f}."
    ),
    "turn": "tour",
    "who": "qui",
    "asked": "question",
    "promised": "promis",
    "best": "mieux",
    "told": "appris",
    "unknown": "inconnu",
    "proved": "prouvé",
    "player": "joueur",
    "luck": "chance",
    "heard": "entendu",
    "certain": "certain",
    "accused": "accusé",
    # ---- the page ----
    "All cards open": "Toutes cartes ouvertes",
    "You are {who} and hold {cards}.": "Vous êtes {who} et tenez {cards}.",
    "This page needs JavaScript to replay the game.": "Cette page a besoin de JavaScript pour rejouer la partie.",
    "Board": "Plateau",
    "The board {title}": "Le plateau {title}",
    "Steps": "Pas à pas",
    "To the deal": "À la donne",
    "One turn back": "Un tour en arrière",
    "Play": "Lire",
    "Pause": "Pause",
    "space": "espace",
    "One turn forward": "Un tour en avant",
    "To the end": "À la fin",
    "Jump to a turn": "Aller à un tour",
    "Speed": "Vitesse",
    "Keys: ← and → step, Home and End jump, space plays. On a touch screen, swipe over the board.": (
        "Touches : ← et → pas à pas, Début et Fin sautent, espace lit. Sur un écran tactile, balayez le plateau."
    ),
    "Seen by": "Vu par",
    "Unknown of the envelope": "Inconnu de l'enveloppe",
    "Sheet": "Fiche",
    "✓ is there, ✗ is not, else how likely it is in per cent; a frame marks what the turn has proved. The "
    "solution, once told, is not entered.": (
        "✓ y est, ✗ n'y est pas, sinon la probabilité en pour cent ; un cadre marque ce que le tour a prouvé. La "
        "solution, une fois dite, n'est pas notée."
    ),
    "Log": "Journal",
    "Review": "Bilan",
    "The cards are dealt": "Les cartes sont données",
    "{turn} of {turns}": "{turn} sur {turns}",
    "{bits} bits": "{bits} bits",
    "The deals that fitted are too many to be counted, so the game cannot be reviewed.": (
        "Trop de donnes convenaient pour les compter : pas de bilan de cette partie."
    ),
    "all players": "tous les joueurs",
    # ---- the screen ----
    "{heading} ({turn} of {turns})   seen by: {view}   speed {speed:g}×": (
        "{heading} ({turn} sur {turns})   vu par : {view}   vitesse {speed:g}×"
    ),
    "forward": "avance",
    "play": "lire",
    "pause": "pause",
    "speed": "vitesse",
    "jump": "aller à",
    "other eyes": "autres yeux",
    "sheet": "feuille",
    "review": "bilan",
    "leave": "quitter",
    "Jump to which turn? (0 to {turns})": "Aller à quel tour ? (0 à {turns})",
    "A turn is a number from 0 to {turns}.": "Un tour est un nombre de 0 à {turns}.",
}
