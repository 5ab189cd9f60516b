// The puzzle of the day: what is claimed goes to the server, how far one is stays in this browser.

import { keepFocus } from "./focus.js";
import { all, byId, keep, kept } from "./page.js";
import { showParts, turnTo } from "./panels.js";
import { send } from "./send.js";
import { enterSheet } from "./sheet_keys.js";

const panels = byId("puzzle");
const key = `cluedo-puzzle-${panels.dataset.key}`;
let progress = kept(key) ?? {};
let spot = null;

let last = Promise.resolve();
let steps = 0;  // that are on their way

/** One step after the other: each goes on from what the one before has brought, in whichever tab. */
function step(wish) {
  steps += 1;
  last = last.then(() => take(wish)).then(() => { steps -= 1; });
}

async function take(wish) {
  const trouble = byId("trouble");
  const [, body] = await send(panels.dataset.link, { ...wish, progress: kept(key) ?? progress });
  trouble.hidden = Boolean(body.parts);
  if (body.parts) {
    keepFocus(() => show(body, wish));
  } else {
    trouble.textContent = body.error ?? trouble.dataset.lost;
    document.querySelector('[data-part="told"]').replaceChildren();
    byId("told-panel").hidden = false;
  }
}

function show(body, wish) {
  progress = body.progress;
  keep(key, progress);
  showParts(body.parts);
  byId("told-panel").hidden = wish.do === "look";
  byId("told-panel").scrollTop = 0;
  enterSheet();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { card, place, go, do: what, claim } = button.dataset;
  if (card !== undefined) {
    spot = { card: Number(card), place: Number(place) };
    byId("claim-text").textContent = button.getAttribute("aria-label").replace(/\s*:[^:]*$/, "");
    byId("claim").showModal();
  } else if (claim !== undefined) {
    byId("claim").close();
    step({ do: "claim", ...spot, there: claim === "yes" });
  } else if (go !== undefined) {
    turnTo(go);
    byId("told-panel").hidden = true;
  } else if (what === "hint") {
    if (!steps && event.detail < 2) step({ do: "hint" }); // a double click costs one, and an impatient one none
  } else if (what === "ask") {
    byId("ask").showModal();
  } else if (what === "solution") {
    if (progress.over) step({ do: "solution" });
    else byId("sure").showModal();
  }
});

byId("close-told").addEventListener("click", () => {
  keepFocus(() => { byId("told-panel").hidden = true; });
});
byId("do-ask").addEventListener("click", () => {
  byId("ask").close();
  step({ do: "ask", cards: all("#ask input:checked").map((one) => Number(one.value)) });
});
byId("do-solution").addEventListener("click", () => {
  byId("sure").close();
  step({ do: "solution" });
});
enterSheet();
if (Object.keys(progress).length) step({ do: "look" });
