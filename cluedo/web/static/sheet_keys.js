// A sheet of buttons is one stop of the Tab key; the arrow keys lead from button to button.

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Let the first button of the sheet be the stop; to be called whenever the sheet is drawn anew. */
export function enterSheet() {
  document.querySelectorAll(".sheet tbody button").forEach((button, at) => { button.tabIndex = at ? -1 : 0; });
}

document.addEventListener("focusin", ({ target }) => {
  const sheet = target.closest(".sheet");
  if (!sheet || target.tagName !== "BUTTON") return;
  const stop = sheet.querySelector('button[tabindex="0"]');
  if (stop) stop.tabIndex = -1;
  target.tabIndex = 0;
});

document.addEventListener("keydown", (event) => {
  const button = event.target.closest?.(".sheet tbody button");
  if (!button || !(event.key in STEPS)) return;
  const rows = [...button.closest(".sheet").querySelectorAll("tbody tr:not(.kind)")].map((row) => [...row.querySelectorAll("button")]);
  const row = rows.findIndex((buttons) => buttons.includes(button));
  const [down, across] = STEPS[event.key];
  rows[row + down]?.[rows[row].indexOf(button) + across]?.focus();
  event.preventDefault();
});
