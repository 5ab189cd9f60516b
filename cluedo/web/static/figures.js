// Figures for experts lie folded: whoever unfolds them finds them so from then on, on every page of this browser.

import { all, keep, kept } from "./page.js";

const KEY = "cluedo-figures";
let shown = kept(KEY) === "shown";

function turn(open) {
  shown = open;
  keep(KEY, open ? "shown" : "");
  unfold();
}

/** What has just been put into the page is as it was left elsewhere. */
export function unfold() {
  for (const one of all("details.expert")) one.open = shown;
}

export const switchFigures = () => turn(!shown);

document.addEventListener("click", (event) => {
  const details = event.target.closest("details.expert > summary")?.parentElement;
  if (!details) return;
  event.preventDefault();
  turn(!details.open);
});
unfold();
