// The dice of the last roll, beside the board.

import { byId as $, fill, make } from "./page.js";
import { pause } from "./preferences.js";
import { words } from "./table_data.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export async function roll(dice) {
  const box = $("dice");
  box.hidden = false;
  box.ariaLabel = fill(words.dice, { dice: dice.join(" + ") });
  box.replaceChildren(...dice.map((pips) => {
    if (!PIPS[pips]) return make("span", { className: "die plain-number", textContent: pips });
    const cells = Array.from({ length: 9 }, (_, k) => (PIPS[pips].includes(k) ? make("i") : make("span")));
    return make("span", { className: "die" }, ...cells);
  }));
  box.classList.remove("rolls");
  void box.offsetWidth;
  box.classList.add("rolls");
  await pause(500);
}
