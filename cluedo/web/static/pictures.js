// The drawings of cards, and the dots that stand for seats.

import { make } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const symbols = document.querySelector('meta[name="pictures"]').content;

export function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A suspect in the colour of the pawn, or a weapon; nothing for a room. */
export function picture(setting, card) {
  if (!setting.pictures[card]) return "";
  const [name, colour] = setting.pictures[card];
  return svg("svg", { class: "picture", color: colour, "aria-hidden": "true" }, svg("use", { href: `${symbols}#${name}` }));
}

const KINDS = ["suspect", "weapon", "room"];

/** A card as an item of a list. */
export function cardItem(setting, card) {
  const kind = KINDS[setting.categories.findIndex(([, start, stop]) => card >= start && card < stop)];
  return make("li", { className: kind }, picture(setting, card), setting.cards[card]);
}

export function dot(colour) {
  const circle = svg("circle", { cx: 5, cy: 5, r: 4.4, fill: colour });
  return svg("svg", { class: "dot-svg", viewBox: "0 0 10 10", "aria-hidden": "true" }, circle);
}
