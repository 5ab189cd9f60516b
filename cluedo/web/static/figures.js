// Figures for experts lie folded: whoever unfolds them finds them so from then on, on every page of this browser.

const KEY = "cluedo-figures";
let shown = false;
try { shown = localStorage.getItem(KEY) === "shown"; } catch { /* a browser that keeps nothing */ }

function keep(open) {
  shown = open;
  try { localStorage.setItem(KEY, open ? "shown" : ""); } catch { /* it holds for this page */ }
  unfold();
}

/** What has just been put into the page is as it was left elsewhere. */
export function unfold() {
  for (const one of document.querySelectorAll("details.expert")) one.open = shown;
}

export const switchFigures = () => keep(!shown);

document.addEventListener("click", (event) => {
  const details = event.target.closest("details.expert > summary")?.parentElement;
  if (!details) return;
  event.preventDefault();
  keep(!details.open);
});
unfold();
