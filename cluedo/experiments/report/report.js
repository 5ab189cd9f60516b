"use strict";
// Tables sort by the column whose head is pressed: numbers from the largest first, texts from A.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const value = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const text = head.classList.contains("text");
      const first = text ? "ascending" : "descending";
      const other = text ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const compare = text
        ? (a, b) => value(a, column).localeCompare(value(b, column))
        : (a, b) => Number(value(a, column)) - Number(value(b, column));
      body.append(...[...body.rows].sort((a, b) => sign * compare(a, b)));
    });
  });
}
