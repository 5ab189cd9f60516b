// What this browser prefers at a table: sound, a flashing title, single keys, and how long everything that moves takes.

import { byId as $, keep, kept } from "./page.js";

const KEY = "cluedo-table";
const PACES = { slow: 2, usual: 1, fast: .4, off: 0 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const preferences = { sound: true, blink: true, keys: true, pace: "usual", ...kept(KEY) };

/** By what every duration is multiplied; 0 for whoever wants to see no motion. */
export const pace = () => (still.matches ? 0 : PACES[preferences.pace]);

function apply() {
  document.body.classList.toggle("keyless", !preferences.keys);
  document.documentElement.style.setProperty("--pace", pace());
  $("pace").value = still.matches ? "off" : preferences.pace;
  $("pace").disabled = still.matches; // who wants no motion anywhere has said so to the device
}

for (const name of Object.keys(preferences)) {
  const field = $(name);
  if (!field) continue;
  const what = field.type === "checkbox" ? "checked" : "value";
  field[what] = preferences[name];
  field.addEventListener("change", () => {
    preferences[name] = field[what];
    apply();
    keep(KEY, preferences);
  });
}
still.addEventListener("change", apply);
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
