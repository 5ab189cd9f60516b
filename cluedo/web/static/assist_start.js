// The form of a new case: seats by taps, cards counted, and the cases that this browser knows.

import { keepFocus } from "./focus.js";
import { forgetCase, keptCases } from "./kept.js";
import { timeText } from "./page.js";

const form = document.getElementById("setup");
const rows = [...form.querySelectorAll(".seat")];
const name = (row) => row.querySelector("[name^=player]");
const size = (row) => row.querySelector("[name^=size]");
const mine = (row) => row.querySelector("[name=me]");

const edition = () => form.elements.edition.selectedOptions[0].dataset;

function deck() {
  return form.querySelector(`.deck[data-map="${edition().map}"]`);
}

const seated = () => rows.filter((row) => name(row).value.trim());

/** Those who hold one more where the cards do not go round evenly: the first, unless somebody says otherwise. */
function deal() {
  const cards = Number(deck().dataset.cards) - Number(edition().pool);
  const players = seated();
  const each = Math.floor(cards / players.length);
  const more = edition().leftover === "dealt" ? cards % players.length : 0;
  const house = form.elements.rules.value.trim() !== ""; // then only the server knows
  for (const row of rows) {
    const at = players.indexOf(row);
    const told = size(row);
    if (told.dataset.own && at >= 0 && more) continue;
    delete told.dataset.own;
    told.value = at < 0 || house ? "" : String(each + (at < more ? 1 : 0));
  }
}

function draw() {
  const players = seated();
  for (const one of form.querySelectorAll(".deck, .chips[data-map]")) one.hidden = one.dataset.map !== edition().map;
  for (const fields of form.querySelectorAll(".deck")) fields.disabled = fields.hidden;
  const taken = players.map((row) => name(row).value.trim());
  for (const chip of form.querySelectorAll(".chips button")) {
    const at = taken.indexOf(chip.dataset.name);
    chip.setAttribute("aria-pressed", at >= 0);
    chip.querySelector(".number").textContent = at >= 0 ? at + 1 : "";
  }
  form.querySelector(".seat-heads").hidden = !players.length;
  rows.forEach((row, index) => {
    row.hidden = index > players.length;
    row.classList.toggle("empty", !name(row).value.trim());
  });
  const me = rows.find((row) => mine(row).checked && name(row).value.trim());
  const count = deck().querySelectorAll("input:checked").length;
  const shown = deck().querySelector(".count");
  shown.textContent = me && size(me).value ? `${count} / ${size(me).value}` : String(count);
  shown.classList.toggle("done", Boolean(me) && count === Number(size(me).value));
  if (edition().leftover === "open" && players.length) form.querySelector(".more").open = true; // the open cards are told there
}

/** Who ticks one card more than they should hold is one of those who got one more. */
function holdMore() {
  const me = rows.find((row) => mine(row).checked && name(row).value.trim());
  const other = seated().findLast((row) => row !== me && me && Number(size(row).value) > Number(size(me).value));
  if (!other || deck().querySelectorAll("input:checked").length !== Number(size(me).value) + 1) return;
  [size(me).value, size(other).value] = [size(other).value, size(me).value];
  size(me).dataset.own = size(other).dataset.own = "yes";
}

function refresh() {
  deal();
  draw();
}

/** Close the gap that somebody who left has made; if that was me, the first player is, who is so at first as well. */
function closeUp() {
  const players = seated();
  const kept = players.map((row) => name(row).value);
  const me = players.findIndex((row) => mine(row).checked);
  rows.forEach((row, index) => {
    name(row).value = kept[index] ?? "";
    delete size(row).dataset.own;
  });
  if (form.elements.me.value !== "") mine(rows[Math.max(me, 0)]).checked = true;
}

form.addEventListener("click", (event) => {
  const chip = event.target.closest(".chips button");
  if (chip) {
    const there = rows.find((row) => name(row).value.trim() === chip.dataset.name);
    const free = there ?? rows.find((row) => !name(row).value.trim());
    if (!free) return;
    name(free).value = there ? "" : chip.dataset.name;
    if (there) closeUp();
    refresh();
  }
  const step = event.target.closest("[data-step]");
  if (step) {
    const told = size(step.closest(".seat"));
    told.value = String(Math.max(1, Number(told.value) + Number(step.dataset.step)));
    told.dataset.own = "yes";
    draw();
  }
});
form.addEventListener("input", (event) => {
  if (event.target.matches("[name^=player]")) refresh();
  else if (event.target.matches("[name^=size]")) event.target.dataset.own = "yes";
  else if (event.target.name === "rules") refresh();
});
form.addEventListener("change", (event) => {
  if (event.target.name === "edition") {
    for (const row of rows) name(row).value = "";
    closeUp();
    refresh();
  } else if (event.target.matches("[name^=player]")) {
    closeUp();
    refresh();
  } else {
    if (event.target.closest(".deck")) holdMore();
    draw();
  }
});

const list = document.getElementById("kept");
for (const one of keptCases()) {
  const item = list.querySelector("template").content.cloneNode(true);
  const link = item.querySelector("a");
  link.href = `${list.dataset.base}/${one.token}`;
  link.textContent = one.title;
  item.querySelector(".when").textContent = `${one.log.players.map((player) => player.name).join(", ")} · ${timeText(one.at)}`;
  item.querySelector("button").addEventListener("click", (event) => {
    forgetCase(one.token);
    keepFocus(() => event.target.closest("li").remove());
    list.hidden = !list.querySelector("li");
  });
  list.querySelector("ul").append(item);
  list.hidden = false;
}
if (rows.every((row) => !size(row).value)) deal();
draw();
