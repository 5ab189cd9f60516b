// The assistant: lines are composed by taps or typed, sent one after another, and the page shows what comes back.

import { onChoice } from "./choice.js";
import { Completions } from "./completions.js";
import { switchFigures, unfold } from "./figures.js";
import { keepFocus } from "./focus.js";
import { forgetCopy, keepCase, keepCopy, keptCase } from "./kept.js";
import { all, byId, fill, make, offerCopy } from "./page.js";
import { showParts, turnTo } from "./panels.js";
import { send } from "./send.js";
import { enterSheet } from "./sheet_keys.js";

const data = JSON.parse(document.getElementById("data").textContent);
const { words, players } = data;
const token = data.link.split("/").pop();
const me = data.me === null ? null : players[data.me].name;
const button = (className, textContent) => make("button", { type: "button", className, textContent });

// ---- lines on their way -----------------------------------------------------------------------------

let waiting = keptCase(token)?.waiting ?? [];
let sending = false;
/** Whether the first line that waits was refused or doubted: the others wait until one has looked at it. */
let held = false;

function keep() {
  keepCase(token, { title: data.title, log: data.log, memory: data.memory, waiting });
}

/** Keep what is shown, to be read without a connection. */
function keepShown() {
  const shown = ["verdict", "sheet", "advice", "entries"].map((name) => [name, document.querySelector(`[data-part="${name}"]`).innerHTML]);
  keepCopy(token, data.title, Object.fromEntries(shown));
}

/** Send a line after those that wait, or in place of the one that was refused. Only one travels at a time, and each says
    which state it follows. */
function enter(line, { sure = false } = {}) {
  const wish = { line, sure, id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
  if (held) waiting[0] = wish;
  else waiting.push(wish);
  held = touched = false;
  keep();
  pump();
}

/** Leave the line out that was refused, and send the others. */
function leaveOut() {
  if (!held) return;
  waiting.shift();
  held = false;
  keep();
  pump();
}

async function pump() {
  if (sending || held || !waiting.length) return;
  sending = true;
  document.body.classList.add("busy");
  let why = "";
  try {
    while (waiting.length && !why) why = await sendNext();
    say(why);
  } finally {
    sending = false;
    document.body.classList.remove("busy");
    if (why && !held) setTimeout(pump, 4000);
  }
}

/** Sends the first line that waits; gives why it has to wait on. */
async function sendNext() {
  const wish = waiting[0];
  const post = () => send(`${data.link}/line`, { ...wish, after: data.version });
  let [status, body] = await post();
  if (status === 404) {
    [status, body] = await bringBack();
    if (status === 200) [status, body] = await post();
  }
  if (status === 503) return body.error ?? words.waiting;
  if (status === 0 || status > 500 || status === 429) return words.waiting; // at 500 it would fail again
  held = !show(body, wish, status) && waiting.length > 1;
  if (!held) waiting.shift();
  keep();
  return held ? fill(words.held, { line: wish.line, count: waiting.length - 1 }) : "";
}

/** Give the case back to a server that has lost it; gives its answer. */
async function bringBack() {
  const answer = await send(`${data.link}/back`, { log: data.log, memory: data.memory });
  if (answer[0] === 200) data.version = 0;
  return answer;
}

function say(text) {
  byId("waiting").firstElementChild.textContent = text;
  byId("waiting").hidden = !text;
  byId("leave-out").hidden = !held;
}

byId("leave-out").addEventListener("click", () => {
  complain("");
  byId("line").value = "";
  leaveOut();
});

// ---- what comes back --------------------------------------------------------------------------------

/** Shows an answer; gives whether the line is dealt with, and was not refused or doubted. */
function show(body, wish, status) {
  if (body.parts) keepFocus(() => showCase(body));
  if (body.error) {
    complain(body.error);
    if (!wish.line.startsWith(prefix())) leaveMode();
    byId("line").value = wish.line.slice(prefix().length);
    go("enter");
    return false;
  }
  if (status !== 200 || !body.parts) return true;
  complain("");
  if (body.kind === "doubted") {
    ask(wish.line);
  } else if (body.kind === "sheet") {
    go("sheet");
  } else if (body.kind === "figures") {
    switchFigures();
    go("advice");
  } else if (body.kind === "quit") {
    forgetCopy(token);
    location.assign(data.link.replace(/\/[^/]*$/, ""));
  } else if (body.kind && body.kind !== "changed") {
    open(byId("reply"));
  } else if (!touched) {
    byId("line").value = "";
    leaveMode();
  }
  byId("entered").hidden = body.kind !== "changed";
  byId("entered").scrollIntoView({ block: "nearest" });
  return body.kind !== "doubted";
}

function showCase(body) {
  const { version, log, memory, next, hand, to_lay_open } = body;
  const changed = version !== data.version;
  Object.assign(data, { version, log, memory, next, hand, to_lay_open });
  showParts(body.parts);
  if (byId("my-hand")) byId("my-hand").textContent = data.hand.join(", ");
  keepShown();
  unfold();
  enterSheet();
  wirePawn();
  if (changed && !touched) begin();
  else draw(); // what is being entered stays
}

function ask(line) {
  const dialog = byId("reply");
  byId("keep").hidden = false;
  byId("keep").onclick = () => {
    dialog.close();
    enter(line, { sure: true });
  };
  open(dialog);
}

function complain(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = !text;
}

function open(dialog) {
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

byId("reply").addEventListener("close", () => {
  if (!byId("keep").hidden) leaveOut(); // it was doubted, and is not to be kept
  byId("keep").hidden = true;
});

// ---- an entry by taps -------------------------------------------------------------------------------

let by = null;
let chosen = [null, null, null];
let mode = null;
let laid = new Set();
/** Whether something is being entered that is not on its way. */
let touched = false;

/** A fresh entry, of whoever's turn it probably is. */
function begin() {
  touched = false;
  by = data.next === null ? null : players[data.next].name;
  chosen = [null, null, null];
  draw();
}

/** Draws what somebody is entering. */
function compose() {
  touched = true;
  draw();
}

function draw() {
  keepFocus(drawEntry, byId("choose").hidden ? byId("choose") : byId("answers"));
}

function drawEntry() {
  for (const button of all("[data-by]")) {
    button.setAttribute("aria-pressed", button.dataset.by === by);
    const row = button.parentElement;
    if (button.dataset.by === by) row.scrollLeft = button.offsetLeft - row.offsetLeft - (row.clientWidth - button.offsetWidth) / 2;
  }
  for (const button of all("[data-card]")) {
    button.setAttribute("aria-pressed", laying() ? laid.has(button.dataset.card) : chosen[button.dataset.kind] === button.dataset.card);
    button.classList.toggle("mine", data.hand.includes(button.dataset.card));
  }
  drawLaying();
  const named = chosen.every(Boolean);
  const whole = by !== null && named;
  document.querySelector(".who").classList.toggle("missing", named && !whole);
  byId("choose").hidden = whole;
  byId("answers").hidden = !whole;
  if (whole) drawAnswers();
}

// ---- a hand that is laid open after a wrong accusation

const laying = () => mode?.kind === "laying";

function drawLaying() {
  const offers = byId("to-lay-open");
  offers.hidden = mode !== null || !data.to_lay_open.length;
  offers.replaceChildren(...data.to_lay_open.map((name) => {
    const offer = button("wide", fill(offers.dataset.text, { by: name }));
    offer.dataset.lays = name;
    return offer;
  }));
  document.querySelector(".who").hidden = laying();
  byId("lay-open").hidden = !laying();
  if (!laying()) return;
  const of = players.find((player) => player.name === mode.number).cards;
  byId("mode").firstElementChild.textContent = fill(words.laying, { by: mode.number, count: laid.size, of });
  byId("lay-open").disabled = laid.size !== of;
}

byId("lay-open").addEventListener("click", () => {
  const by = mode.number;
  leaveMode();
  submit(fill(words.lays, { by, cards: [...laid].join(", ") }));
  draw();
});

const asking = () => `${by} ${words.asks} ${chosen.join(", ")}`;

/** Who may have shown what: those after the asker in turn order, as far as my own cards leave it open. */
function drawAnswers() {
  byId("asked").textContent = asking();
  const seat = players.findIndex((player) => player.name === by);
  const asked = [...players.slice(seat + 1), ...players.slice(0, seat)].map((player) => player.name);
  const held = chosen.filter((card) => data.hand.includes(card));
  const cardsOf = (name) => (name === me ? held : by === me ? chosen.filter((card) => !held.includes(card)) : [""]);
  const rowOf = (name, made) => make("div", { className: "row answer-cards" }, ...cardsOf(name).map((card) => made(name, card)));
  const first = held.length ? asked.indexOf(me) : -1; // behind me nobody is asked where I have a card
  const rows = asked.slice(0, first < 0 ? undefined : first + 1).map((name) => rowOf(name, answer));
  if (first < 0) rows.push(answerButton(words.nobody, `${asking()}: ${words.nobody}`));
  byId("shown").replaceChildren(...(data.allAnswer ? ticked(asked, rowOf) : rows).filter((row) => row.hasChildNodes()));
}

/** Where everybody answers: who shows is ticked, then all of it is entered. */
function ticked(names, rowOf) {
  const picked = new Map();
  const picks = [];
  const send = button("wide primary", "");
  const tell = () => {
    for (const [pick, name, card] of picks) pick.setAttribute("aria-pressed", picked.get(name) === card);
    const told = [...picked].map(([name, card]) => shows(name, card));
    send.textContent = told.join(words.and_then) || words.nobody;
    send.onclick = () => submit(`${asking()}: ${told.join("; ") || words.nobody}`);
  };
  const rows = names.map((who) => rowOf(who, (name, card) => {
    const pick = button("", shows(name, card));
    pick.onclick = () => {
      if (picked.get(name) === card) picked.delete(name);
      else picked.set(name, card);
      tell();
    };
    picks.push([pick, name, card]);
    return pick;
  }));
  tell();
  return [...rows, send];
}

const shows = (name, card) => `${name} ${words.shows}${card ? ` ${card}` : ""}`;
const answer = (name, card) => answerButton(shows(name, card), `${asking()}: ${shows(name, card)}`);
const answerButton = (text, line) => Object.assign(button("wide", text), { onclick: () => submit(line) });

/** What the mode puts before a line. */
const prefix = () => (mode === null || laying() ? "" : mode.kind === "whatif" ? "whatif " : `${mode.kind} ${mode.number} `);

/** Send an entry, as the mode has it. */
function submit(text) {
  const whole = prefix() + text;
  byId("entered").hidden = true;
  completions.hide();
  const others = waiting.slice(held ? 1 : 0);
  if (!others.some((wish) => wish.line === whole)) enter(whole); // else it was tapped twice
}

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button");
  if (!pressed) return;
  const { by: asker, card, kind, verdict, go: where, line, why, ask: question, entry, lays } = pressed.dataset;
  if (asker !== undefined) {
    by = asker;
    byId("entered").hidden = true;
    compose();
  } else if (lays !== undefined) {
    laid = new Set();
    enterMode("laying", lays, "");
  } else if (card !== undefined && laying()) {
    if (!laid.delete(card)) laid.add(card);
    compose();
  } else if (card !== undefined) {
    chosen[kind] = chosen[kind] === card ? null : card;
    byId("entered").hidden = true;
    compose();
  } else if (verdict !== undefined) {
    submit(`${by} ${words.accuses} ${chosen.join(", ")}: ${words[verdict]}`);
  } else if (where !== undefined) {
    go(where);
  } else if (line !== undefined) {
    enter(line);
  } else if (why !== undefined) {
    enter(`why ${why}`);
  } else if (question !== undefined) {
    by = me;
    chosen = question.split("|");
    compose();
    go("enter");
  } else if (entry !== undefined) {
    change(pressed.dataset);
  }
});

byId("looks")?.addEventListener("click", () => {
  const seen = chosen.filter(Boolean);
  const saw = by === me && seen.length === 1;
  submit(fill(saw ? words.sees : words.looks, { by: by ?? me, card: seen[0] }));
});

byId("again").addEventListener("click", () => {
  chosen = [null, null, null];
  draw();
});

// ---- changing an entry, and trying one ----------------------------------------------------------------

function change({ entry: number, text, askedBy, cards }) {
  byId("change-text").textContent = `${number} ${text}`;
  byId("do-edit").onclick = () => enterMode("edit", number, text, askedBy, cards ? cards.split("|") : undefined);
  byId("do-insert").onclick = () => enterMode("insert", number, "", null);
  byId("do-drop").onclick = () => {
    byId("change").close();
    enter(`drop ${number}`);
  };
  open(byId("change"));
}

function enterMode(kind, number, text, asker = by, cards = [null, null, null]) {
  if (byId("change").open) byId("change").close();
  byId("entered").hidden = true;
  mode = { kind, number };
  by = asker;
  byId("mode").hidden = false;
  byId("mode").firstElementChild.textContent = fill(words[kind], { number });
  byId("line").value = text;
  chosen = cards;
  compose();
  go("enter");
  byId("panel-enter").focus({ preventScroll: true }); // the keyboard goes on there, not at the entry
}

function leaveMode() {
  mode = null;
  byId("mode").hidden = true;
}

byId("leave-mode").addEventListener("click", () => {
  leaveMode();
  byId("line").value = "";
  begin();
});
byId("whatif").addEventListener("click", () => enterMode("whatif", 0, byId("line").value));

function wirePawn() {
  const select = byId("pawn");
  if (select) onChoice(select, () => enter(`at ${select.value}`.trim()));
}

if (byId("correct")) {
  const picked = () => all("#hand input:checked").map((box) => box.value);
  const count = () => {
    byId("hand-count").textContent = `${picked().length} / ${byId("hand-count").dataset.of}`;
  };
  byId("correct").addEventListener("click", () => {
    for (const box of all("#hand input")) box.checked = data.hand.includes(box.value);
    count();
    open(byId("hand"));
  });
  byId("hand").addEventListener("change", count);
  byId("save-hand").addEventListener("click", () => {
    byId("hand").close();
    enter(`hand ${picked().join(", ")},`);
  });
}

// ---- the typed line -----------------------------------------------------------------------------------

const line = byId("line");
const completions = new Completions(line, byId("offers"), (text) => `${data.link}/offers?line=${encodeURIComponent(text)}`);

byId("line-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (completions.chosen) completions.take(completions.chosen);
  else if (line.value.trim()) submit(line.value.trim());
});

byId("entered").addEventListener("click", () => {
  keepFocus(() => { byId("entered").hidden = true; });
});

line.addEventListener("input", () => {
  touched = true;
  complain("");
  byId("entered").hidden = true;
});

// ---- where one is ---------------------------------------------------------------------------------------

function go(where) {
  const panel = byId(`panel-${where}`);
  keepFocus(() => turnTo(where), panel);
  if (matchMedia("(max-width: 64rem)").matches) scrollTo({ top: 0, behavior: "instant" });
  else panel.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("input, select, textarea") && !document.querySelector("dialog[open]")) {
    if (event.key === "/") {
      go("enter");
      line.focus();
      event.preventDefault();
    } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      enter(event.shiftKey ? "redo" : "undo");
      event.preventDefault();
    }
  }
});

offerCopy(() => location.href, byId("copied"), words.copied);

addEventListener("online", pump);
begin();
enterSheet();
wirePawn();
keep();
keepShown();
pump();
