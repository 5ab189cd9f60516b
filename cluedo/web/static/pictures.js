// The drawings of cards, and the dots that stand for seats.

const SVG = "http://www.w3.org/2000/svg";
const symbols = document.querySelector('meta[name="pictures"]').content;

function element(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A suspect in the colour of the pawn, or a weapon; nothing for a room. */
export function picture(setting, card) {
  if (!setting.pictures[card]) return "";
  const [name, colour] = setting.pictures[card];
  return element("svg", { class: "picture", color: colour, "aria-hidden": "true" }, element("use", { href: `${symbols}#${name}` }));
}

export function dot(colour) {
  const circle = element("circle", { cx: 5, cy: 5, r: 4.4, fill: colour });
  return element("svg", { class: "dot-svg", viewBox: "0 0 10 10", "aria-hidden": "true" }, circle);
}
