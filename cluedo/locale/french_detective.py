"""French for the detective: the sheet, the odds and the reasons."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_DETECTIVE"]

FRENCH_DETECTIVE: Final[dict[str, str]] = {
    "{title}: {events}, as {who} knows them": "{title} : {events}, et ce qu'en sait {who}",
    "{count} event": "{count} événement",
    "{count} events": "{count} événements",
    "the first {read} of {count} event": "les {read} premiers sur {count} événement",
    "the first {read} of {count} events": "les {read} premiers sur {count} événements",
    "a spectator": "le public",
    # ---- the sheet ----
    "envelope": "enveloppe",
    "✓ is there, ✗ is not; else how likely it is.": "✓ y est, ✗ n'y est pas ; sinon, la probabilité.",
    "✓ is there, ✗ is not; ? is open.": "✓ y est, ✗ n'y est pas ; ? on ne sait pas.",
    "* is you.": "* : vous.",
    "The deals are too many to count exactly: ✓ and ✗ are proved, of the rest nothing is known.": (
        "Trop de donnes pour les compter exactement : ✓ et ✗ sont prouvés, du reste on ne sait rien."
    ),
    "One deal is left.": "Il reste une seule donne.",
    "{count:,} deals are left.": "Il reste {count:,} donnes.",
    "The envelope is proved: {cards}.": "L'enveloppe est prouvée : {cards}.",
    "{count:,} envelopes are possible ({bits:.2f} bits unknown); {most}:": (
        "{count:,} enveloppes sont possibles ({bits:.2f} bits inconnus) ; {most} :"
    ),
    "the likeliest": "les plus probables",
    "by likelihood": "par probabilité",
    "{share} %": "{share} %",
    "{bits:>6.2f} bits": "{bits:>6.2f} bits",
    "The best hypotheses, by what they are expected to tell of the envelope:": (
        "Les meilleures hypothèses, par ce qu'on peut en attendre sur l'enveloppe :"
    ),
    "Model {name}: {about}.": "Modèle {name} : {about}.",
    "every deal that fits the facts counts the same": "toute donne conforme aux faits compte autant",
    "a card shown to you counts less in a deal where its holder had others to show": (
        "une carte que l'on vous montre compte moins dans une donne où l'on pouvait en montrer d'autres"
    ),
    "as choice, and how readily each player names own cards is read from what they ask": (
        "comme choice, et les questions de chacun disent s'il nomme volontiers ses propres cartes"
    ),
    "Weight of naming an own card (1: as readily as any other): {weights}.": (
        "Poids d'une carte à soi dans une question (1 : autant qu'une autre) : {weights}."
    ),
    # ---- reasons ----
    "Event": "Événement",
    "Turn": "Tour",
    "{unit} {number}: {fact}.": "{unit} {number} : {fact}.",
    "{suspect}, {weapon} with {room}": "{suspect}, {weapon} et {room}",
    "you asked about {cards}": "vous avez demandé {cards}",
    "{who} asked about {cards}": "{who} a demandé {cards}",
    "you could not show {cards}": "vous n'avez pu montrer aucune de ces cartes : {cards}",
    "{who} could not show {cards}": "{who} n'a pu montrer aucune de ces cartes : {cards}",
    "you showed {cards}": "vous avez montré {cards}",
    "{who} showed {cards}": "{who} a montré {cards}",
    "you showed {asker} {card}": "vous avez montré {card} à {asker}",
    "{who} showed you {card}": "{who} vous a montré {card}",
    "{who} showed {asker} {card}": "{who} a montré {card} à {asker}",
    "you accused {cards}, wrongly": "vous avez accusé {cards}, à tort",
    "{who} accused {cards}, wrongly": "{who} a accusé {cards}, à tort",
    "you accused {cards}, rightly": "vous avez accusé {cards}, à raison",
    "{who} accused {cards}, rightly": "{who} a accusé {cards}, à raison",
    "{card} is in the envelope": "{card} est dans l'enveloppe",
    "{card} is not in the envelope": "{card} n'est pas dans l'enveloppe",
    "you hold {card}": "vous avez {card}",
    "you do not hold {card}": "vous n'avez pas {card}",
    "{who} holds {card}": "{who} a {card}",
    "{who} does not hold {card}": "{who} n'a pas {card}",
    "Therefore {conclusion}.": "Donc {conclusion}.",
    "Always {conclusion}.": "Dans tous les cas {conclusion}.",
    "(No smaller reason exists.)": "(Il n'existe pas de raison plus courte.)",
    "(A smaller reason may exist; nothing here can be left out.)": (
        "(Il existe peut-être une raison plus courte ; ici, rien ne peut être omis.)"
    ),
    "It is open whether {conclusion}: {p:.1f} % (model {model}).": (
        "On ne sait pas encore si {conclusion} : {p:.1f} % (modèle {model})."
    ),
    "A deal that fits where {conclusion}: {deal}.": "Une donne possible où {conclusion} : {deal}.",
    "envelope: {cards}": "enveloppe : {cards}",
    "{who}: {cards}": "{who} : {cards}",
    "{before}; {after}": "{before} ; {after}",
}
