// A page of panels, of which a phone shows one at a time: parts that the server draws anew, and dialogs that close.

import { all, make } from "./page.js";

/** Shows a panel, and which one it is. */
export function turnTo(panel) {
  document.querySelector(".panels").dataset.panel = panel;
  for (const button of all(".tabbar [data-go]")) button.ariaCurrent = button.dataset.go === panel ? "true" : null;
}

/** Puts the parts of an answer in the place of those on the page. */
export function showParts(html) {
  for (const part of make("template", { innerHTML: html }).content.querySelectorAll("[data-part]")) {
    for (const place of all(`[data-part="${part.dataset.part}"]`)) place.replaceChildren(...part.cloneNode(true).childNodes);
  }
}

for (const dialog of all("dialog")) {
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || target.closest("[data-close]")) dialog.close(); // beside it, or by its button
  });
}
