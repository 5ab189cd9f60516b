// What this browser prefers at a table: sound, a flashing title, single keys, and how fast everything is told.

import { byId as $, keep, kept } from "./page.js";

const KEY = "cluedo-table";
const PACES = { slow: 2, usual: 1, fast: .4, off: 0 };

export const preferences = { sound: true, blink: true, keys: true, speed: "usual", ...kept(KEY) };

/** By what every pause and every motion is multiplied. Where the device asks for no motion, pauses stay: they are for reading. */
const pace = () => PACES[preferences.speed];

function apply() {
  document.body.classList.toggle("keyless", !preferences.keys);
  document.documentElement.style.setProperty("--pace", pace());
}

for (const name of Object.keys(preferences)) {
  const field = $(name);
  if (!field) continue;
  const what = field.type === "checkbox" ? "checked" : "value";
  field[what] = preferences[name];
  field.addEventListener("change", () => {
    preferences[name] = field[what];
    apply();
    keep(KEY, { ...kept(KEY), [name]: field[what] }); // another tab may have changed the others
  });
}
apply();

let skipping = false;
let end = () => {};

/** Waits, at the pace of this browser; not while nobody sees it, nor after a `skip`. */
export const pause = (ms) => new Promise((done) => {
  if (skipping || !pace() || document.hidden) { done(); return; }
  const timer = setTimeout(done, ms * pace());
  end = () => { skipping = true; clearTimeout(timer); done(); };
});

/** Ends this pause, and all that follow until `resume`. */
export const skip = () => end();

export function resume() { skipping = false; }
