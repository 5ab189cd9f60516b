// A sheet of buttons is one stop of the Tab key; the arrow keys lead from cell to cell.

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Let the first cell be reached; to be called whenever the sheet is drawn anew. */
export function enterSheet() {
  const first = document.querySelector(".sheet .cell");
  if (first) first.tabIndex = 0;
}

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.(".sheet .cell");
  if (!cell || !(event.key in STEPS)) return;
  const rows = [...document.querySelectorAll(".sheet tbody tr:not(.kind)")].map((row) => [...row.querySelectorAll(".cell")]);
  const row = rows.findIndex((cells) => cells.includes(cell));
  const [down, across] = STEPS[event.key];
  const next = rows[row + down]?.[rows[row].indexOf(cell) + across];
  if (next) {
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  event.preventDefault();
});
