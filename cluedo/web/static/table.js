// The table of one game: tells what happens, shows how everything stands, and sends what one does.
import { alertMe, calm, ding } from "./attention.js";
import { Board } from "./board.js";
import { roll } from "./dice.js";
import { unfold } from "./figures.js";
import { keepFocus } from "./focus.js";
import { keepGame, leaving } from "./games.js";
import { Guide } from "./guide.js";
import { Log } from "./log.js";
import { button, byId as $, fill, make } from "./page.js";
import { showPeople } from "./people.js";
import { cardItem, picture } from "./pictures.js";
import { pause, preferences, resume, skip } from "./preferences.js";
import { Seats } from "./seats.js";
import { ask, send } from "./send.js";
import { putMark, Sheet } from "./sheet.js";
import { Stream } from "./stream.js";
import { first, setting, words } from "./table_data.js";
import { fillTalk, talk } from "./talk.js";

const table = $("table");
const address = table.dataset.table;
const PAUSES_MS = { Rolled: 700, HypothesisMade: 1300, Passed: 450, Shown: 1000, Accused: 1800 };
const OTHER_PAUSE_MS = 350;
const HEARD_MS = 10000;
const WEIGHTY = ["HypothesisMade", "Accused"];  // read also by who did them

let now = null;          // how everything stands
let naming = null;       // the cards being named: {type, room, cards}
const updates = [];      // the one that is being told, and those after it
let showing = false;
let sent = null;         // the moment after which something was sent
let pressed = false;     // whether the button that was pressed had the focus
let asking = false;      // whether an accusation is being confirmed
let hinted = { at: "", since: "" };  // the moments of the last hint and of the one before
const NOTHING = { cards: [], accuses: false };
let proposed = NOTHING;  // the cards that a hint of this turn proposed to name

// ---- parts

const board = new Board($("house"), setting, act);
const guide = new Guide(words.guide);
const log = new Log($("log"), setting);
const seats = new Seats($("seats"), setting, words);
const sheet = new Sheet($("sheet"), setting, words, write, editNote);

/** Marks and notes travel one after another, and none is lost in a tunnel, nor written in the game after this one. */
let written = Promise.resolve();
const unanswered = [];  // those on their way, of which the news that come meanwhile may not know
function write(mark) {
  const told = { ...mark, game: gameOf(now) };
  unanswered.push(mark);
  for (const known of [now, ...updates.map((update) => update.now)]) putMark(known.sheet, mark);
  written = written.then(() => stream.insist(`${address}/sheet`, told)).then(([status]) => {
    unanswered.shift();
    if (status !== 200) stream.open();  // what is kept is shown again
  });
}

// ---- what is told

const stream = new Stream(`${address}/events`, first.now.moment, (update) => {
  if (now?.phase === "over" && gameOf(update.now) !== gameOf(now)) { offerNext(); return; }
  for (const mark of unanswered) putMark(update.now.sheet, mark);
  updates.push(update);
  tell();
});
const gameOf = ({ moment }) => moment.split(".")[0];

/** A rematch has begun while the end of this game is still being read. */
function offerNext() {
  if (!$("next").hidden) return;
  $("next").hidden = false;
  for (const id of ["rematch", "host-begins", "record"]) $(id)?.setAttribute("hidden", "");
  alertMe();
  announce({ text: $("next").textContent });
}

async function tell() {
  if (showing) return;
  showing = true;
  while (updates.length) {
    const [update] = updates;
    const again = update.from === 0 && !now.moment.endsWith(".0"); // something was taken back
    if (again) tellSoFar(update.events, now.newcomers);
    const joined = update.now.newcomers.slice(now.newcomers.length);
    for (const event of inOrder(again ? [] : update.events, joined, update.from)) {
      say(event);
      announce(event);
      showTurn(event.turn, event.whose);
      await watch(event);
    }
    show(update.now);
    updates.shift();
  }
  showing = false;
  resume();
}

/** Events, the first of which has so many before it, and who came among them. */
function inOrder(events, newcomers, before) {
  const told = [...events.map((event, number) => [before + number + 1, event]), ...newcomers.map((one) => [one.after, one])];
  return told.sort(([one], [other]) => one - other).map(([, event]) => event);
}

/** All that has happened so far, at once. */
function tellSoFar(events, newcomers) {
  log.clear();
  $("news").textContent = "";
  for (const event of inOrder(events, newcomers, 0)) { say(event); showNews(event); }
  log.toEnd();
}

function say(event) {
  if (!event.text) return;
  log.say(event, event.mine || WEIGHTY.includes(event.kind));
  if (table.dataset.side !== "log") document.querySelector('.switch [data-side="log"]').classList.add("news-there");
}

/** Tells it once to who hears the page, however soon the next news take its place. */
function announce({ text }) {
  if (!text) return;
  const line = make("p", { textContent: text });
  $("told").append(line);
  setTimeout(() => line.remove(), HEARD_MS);
}

/** What has just happened, below the question of this turn. */
function showNews(event) {
  if (event.kind === "HypothesisMade") question = event;
  $("question").textContent = event.turn === question?.turn ? question.text : "";
  if (event.text) $("news").textContent = event === question ? "" : event.text;
}
let question = null;

async function watch(event) {
  const mine = event.seat === now.you && !WEIGHTY.includes(event.kind);
  if (event.kind && !mine) standBack(event);
  showNews(event);
  if (event.card !== undefined && !now.seats[now.you].away) comeUp(event);  // else they would pile up
  if (event.dice) await roll(event.dice);
  if (event.walk?.length && !mine) await board.walk(setting.suspects[event.seat], event.walk, pause);
  board.put(event);
  if (!mine && event.text) await pause(PAUSES_MS[event.kind] ?? OTHER_PAUSE_MS);
}

/** While something is told, nothing can be done; what was asked before it is past. */
function standBack({ turn, whose }) {
  if (now.seats[now.you]?.away) return; // they may say at any time that they are back
  if (now.offer || turn !== now.turn || now.to_act !== now.active) {
    prompt(whose === now.you ? "" : fill(words.others_play, { who: now.called[whose] }));
  }
  $("doing").classList.remove("mine", "walks");
  closeNaming();
  replaceActions([]);
  board.light([]);
}

/** A card that somebody shows you lies large on the table until you tap it; then comes the next, if there is one. */
function comeUp({ card, text }) {
  const drawn = make("span", { className: "face" }, picture(setting, card), make("strong", { textContent: setting.cards[card] }));
  $("shown").append(make("span", { className: "one" }, drawn, make("span", { className: "small", textContent: text })));
  $("shown").hidden = false;
  ding();
}
$("shown").onclick = () => {
  $("shown").firstElementChild.remove();
  keepFocus(() => { $("shown").hidden = !$("shown").childElementCount; }, $("doing"));
  guide.look(now);
};

// ---- how everything stands

function show(fresh) {
  if (leaving) return;
  const before = now;
  if (before && (fresh.you !== before.you || fresh.phase === "lobby" || gameOf(fresh) !== gameOf(before))) {
    location.reload();
    return;
  }
  now = fresh;
  if (sent !== now.moment) sent = null;
  document.body.classList.toggle("over", now.phase === "over");
  board.put(now.board);
  if (!now.dice.length) $("dice").hidden = true;
  else if ($("dice").hidden) roll(now.dice);
  if (question?.turn !== now.turn) $("question").textContent = "";
  seats.show(now);
  showTurn(now.turn, now.end ? null : now.active, now.to_act);
  showHand();
  showPeople(now);
  if (now.sheet) sheet.show(now.sheet, now.hand);
  if (naming && now.offer && before.moment === now.moment) drawChooser(); // somebody came or went: the cards that are chosen stay
  else showDoing();
  if (now.end) showEnd();
  keepGame(address, table.dataset.title, now);
  if (now.end && $("talk").classList.contains("advising")) $("talk").close(); // there is nothing to advise any more
  if (before && now.turn !== before.turn) proposed = NOTHING;
  if (now.offer && (!before?.offer || before.turn !== now.turn || before.to_act !== now.to_act)) alertMe();
  if (!now.offer) calm();
  guide.look(now);
}

/** Whose turn it is, and which: while somebody else must show a card, it is still the asker's. */
function showTurn(turn, whose, asked = null) {
  $("turn-now").textContent = fill(words.turn, { turn });
  board.mark(setting.suspects[whose], !now || now.you === null ? -1 : setting.suspects[now.you]);
  seats.mark(whose, asked);
}

function showHand() {
  const open = now.face_up.map((card) => {
    const item = cardItem(setting, card);
    item.append(make("span", { className: "soft small", textContent: ` ${words.face_up}` }));
    return item;
  });
  $("hand").replaceChildren(...now.hand.map((card) => cardItem(setting, card)), ...open);
}

function showDoing() {
  const mine = Boolean(now.offer);
  $("doing").classList.toggle("walks", mine && now.offer.walk.length > 0);
  if (asking) { asking = false; $("talk").close(); }
  $("doing").classList.toggle("mine", mine);
  $("refusal").hidden = true;
  const away = now.you !== null && now.seats[now.you].away;
  prompt(away ? words.level_plays : now.prompt);
  naming = null;
  if (mine) {
    const first = now.offer.actions[0].do;
    if (first.name) { startNaming(first); return; }
  }
  closeNaming();
  board.light(mine ? now.offer.walk : []);
  if (!away || now.phase !== "playing") replaceActions(mine ? now.offer.actions.map(actionButton) : []);
  else if (!back.isConnected) replaceActions([back]); // it stays the same while others play: it may be about to be pressed
}
const back = button(words.back, () => send(`${address}/back`, {}), "primary");

/** Says what to do, or who does; the same again is not told again to who hears the page. */
function prompt(text) {
  if ($("prompt").textContent !== text) $("prompt").textContent = text;
}

/** Puts other buttons in their place; who was on one of them goes on from there, not from the top of the page. */
function replaceActions(buttons) {
  const stood = $("actions").contains(document.activeElement) || (pressed && document.activeElement === document.body);
  $("actions").replaceChildren(...buttons);
  if (sent && now.offer) for (const one of $("actions").querySelectorAll("button")) one.disabled = true; // on its way
  if (stood) $(naming ? "chooser" : "doing").focus({ preventScroll: true });
  pressed = false;
}

function actionButton(action, number) {
  const key = action.key.length === 1 ? action.key : action.key === "enter" ? "↵" : "";
  const walks = now.offer.walk.length > 0;
  const style = action.do.type === "move" ? "go" : walks ? "stay" : number === 0 ? "primary" : "";
  const made = button(action.text, () => (action.do.name ? startNaming(action.do) : act(action.do)), style, key);
  if (action.do.type === "show") made.prepend(picture(setting, setting.cards.indexOf(action.do.card)));
  return made;
}

async function act(command) {
  if (!now?.offer || sent === now.moment) return;
  const wanted = JSON.stringify(command);
  if (command.type === "move" && !now.offer.walk.some((place) => JSON.stringify(place.do) === wanted)) return;
  const after = sent = now.moment;
  pressed = $("actions").contains(document.activeElement);
  $("actions").querySelectorAll("button").forEach((one) => { one.disabled = true; });
  const [status, answer] = await stream.insist(`${address}/do`, { after, do: command });  // done once: it says what it follows
  if (status === 200) {  // what follows comes by the stream
    if (sent === after) closeNaming();
    return;
  }
  sent = null;
  if (status === 409) { stream.open(); return; }
  showDoing();
  $("refusal").textContent = answer.error ?? words.lost;
  $("refusal").hidden = false;
}

// ---- naming cards, in three taps

function startNaming(command) {
  const meant = proposed.cards.length && proposed.accuses === (command.type === "accusation");
  const fits = meant && (command.room === null || command.room === proposed.cards[2]);
  naming = { type: command.type, cards: fits ? [...proposed.cards] : [null, null, command.room], given: command.room };
  board.light([]);
  $("house").hidden = true;
  $("chooser").hidden = false;
  if (command.type === "accusation" || table.dataset.side !== "board") showSide("board");
  drawChooser();
}

function closeNaming() {
  naming = null;
  $("house").hidden = false;
  $("chooser").hidden = true;
}

function drawChooser() {
  if (!naming || !now.offer) return;
  const focused = document.activeElement?.dataset?.card;
  const groups = setting.categories.map(([title, start, stop], category) => {
    if (category === 2 && naming.given !== null) return null;
    const choices = make("div", { className: "choices" });
    for (let card = start; card < stop; card++) {
      const chosen = naming.cards[category] === card;
      const remark = now.hand.includes(card) ? words.yours : sheet.remark(card);
      const choice = button(setting.cards[card], () => { naming.cards[category] = card; drawChooser(); });
      choice.prepend(picture(setting, card));
      if (remark) choice.append(make("span", { className: "known", textContent: remark }));
      choice.setAttribute("aria-pressed", String(chosen));
      choice.dataset.card = card;
      choices.append(choice);
    }
    return make("section", {}, make("h2", { textContent: title }), choices);
  }).filter(Boolean);
  $("chooser").replaceChildren(...groups);
  $("chooser").classList.toggle("three", groups.length === 3);
  if (focused) $("chooser").querySelector(`[data-card="${focused}"]`)?.focus();
  const whole = naming.cards.every((card) => card !== null);
  const accuses = naming.type === "accusation";
  const named = naming.cards.map((card) => (card === null ? "…" : setting.cards[card])).join(", ");
  const some = naming.cards.some((card, category) => card !== null && (category < 2 || naming.given === null));
  prompt(some ? named : accuses ? words.in_the_envelope : now.prompt);
  const main = button(accuses ? words.accuse : words.ask, name, "primary", "↵");
  main.disabled = !whole;
  const others = now.offer.actions.filter((action) => action.do.type !== naming.type);
  replaceActions([main, ...(accuses ? [button(words.cancel, showDoing, "", "esc")] : others.map((action, k) => actionButton(action, k + 1)))]);
}

async function name() {
  if (!naming || sent || naming.cards.some((card) => card === null)) return;
  const names = naming.cards.map((card) => setting.cards[card]);
  const command = { type: naming.type, cards: names };
  if (naming.type === "accusation") {
    const cards = names.join(", ");
    asking = true;
    const sure = await talk(words.in_the_envelope, [make("p", { textContent: fill(words.sure, { cards }) })], [[words.accuse, true, "primary"]]);
    asking = false;
    if (!sure) return;
  }
  act(command);
}

// ---- notes and hints

async function editNote(card) {
  if (now.you === null) return;
  const title = fill(words.note, { card: setting.cards[card] });
  const field = make("textarea", { rows: 3, maxLength: 200, value: now.sheet.notes[card] ?? "", ariaLabel: title });
  const note = await talk(title, [field], [["OK", () => field.value.trim(), "primary"]]);
  if (note === null) return;
  write({ card, note });
  sheet.show(now.sheet, now.hand);
}

$("hint")?.addEventListener("click", async () => {
  const asked = {};
  talk(words.thinking, [], []).then(() => { asked.closed = true; });
  $("talk").classList.add("advising");
  const fresh = { at: now.moment, since: hinted.at === now.moment ? hinted.since : hinted.at };  // asked again, it says the same
  const [status, hint] = await ask(`${address}/hint?since=${fresh.since}`);
  if (status === 200) hinted = fresh;
  if (asked.closed) return;
  const [first, ...others] = hint.sections ?? [{ title: hint.error ?? words.lost, lines: [] }];
  const timely = () => fresh.at === now.moment;  // else the move may be another one by now
  if (timely()) proposed = { cards: first.proposed ?? [], accuses: first.tone !== "plain" };
  fillTalk(first.title, [...lines(first), ...others.flatMap(sectionNodes)]);
  if (hint.do && now.offer && timely()) $("talk-buttons").append(button(words.do_it, () => { $("talk").close(); if (timely()) doIt(hint.do); }, "primary"));
  unfold();
  if (naming && proposed.cards.length) showDoing();
});

/** What a hint proposes; an accusation is asked about before. */
function doIt(command) {
  if (command.type !== "accusation") { act(command); return; }
  startNaming({ type: command.type, room: null });
  name();
}

const lines = (section) => section.lines.map((line) => make("p", { textContent: line.text, className: line.reason ? "told aside" : "told" }));

/** A section below its title; what is for experts is shown on demand. */
function sectionNodes(section) {
  if (section.tone === "expert") return [make("details", { className: "expert" }, make("summary", { textContent: section.title }), ...lines(section))];
  return [make("h3", { textContent: section.title, className: section.tone }), ...lines(section)];
}

// ---- the end

function showEnd() {
  const { envelope, hands, winner } = now.end;
  $("end").hidden = false;
  for (const [id, shown] of [["rematch", now.host], ["host-begins", !now.host]]) $(id)?.toggleAttribute("hidden", !shown);
  $("replay").search = `game=${gameOf(now)}`;
  $("end-text").textContent = now.prompt;
  $("end-envelope").replaceChildren(...envelope.map((card) => cardItem(setting, card)));
  $("end-hands").replaceChildren(...hands.map((hand, seat) => make("section", {},
    make("h3", { textContent: now.called[seat] + (seat === winner ? `\u00a0· ${words.won}` : "") }), make("ul", { className: "plain hand" }, ...hand.map((card) => cardItem(setting, card))))));
  if ($("end").dataset.shown !== now.moment) $("end").scrollIntoView({ block: "start" });
  $("end").dataset.shown = now.moment;
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && now?.you !== null && now?.seats[now.you]?.away) send(`${address}/back`, {});
});

// ---- panes and keys

function showSide(side) {
  table.dataset.side = side;
  for (const one of document.querySelectorAll(".switch button")) one.setAttribute("aria-pressed", String(one.dataset.side === side));
  if (side === "log") {
    document.querySelector('.switch [data-side="log"]').classList.remove("news-there");
    log.toEnd();
  }
  if (now) guide.look(now);
}
for (const one of document.querySelectorAll(".switch button")) one.onclick = () => showSide(one.dataset.side);
$("news").onclick = () => skip();
$("prompt").onclick = () => showSide("board");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open], :popover-open")) return;
  if (event.target.matches("input, textarea, select")) return;
  if (event.target.closest(".tip")) return;
  if (!preferences.keys && event.key.length === 1 && event.key !== " ") return; // who speaks to the device, say, presses none
  const wanted = { Enter: "↵", Escape: "esc" }[event.key] ?? event.key.toLowerCase();
  const found = [...$("actions").querySelectorAll("button")].find((one) => one.dataset.key === wanted && !one.disabled);
  if (!$("shown").hidden) { // it goes first
    if (found || [" ", "Enter", "Escape"].includes(event.key)) { event.preventDefault(); $("shown").click(); }
    return;
  }
  const onButton = event.target.matches("button, a");
  if (event.key === " " && !onButton) { event.preventDefault(); skip(); return; }
  if (wanted === "↵" && onButton) return;
  if (found) { event.preventDefault(); found.click(); }
});

// ---- the beginning

tellSoFar(first.events, first.now.newcomers);
show(first.now);
