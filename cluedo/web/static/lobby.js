// Waiting for a game: who sits down is seen at once, and the table opens when the cards are dealt.
import { submitOnChoice } from "./choice.js";
import { keepFocus } from "./focus.js";
import { keepGame, leaveGame, leaving } from "./games.js";
import { all, byId, offerCopy } from "./page.js";
import { Stream } from "./stream.js";

const AGAIN_MS = 2000;
const lobby = document.querySelector(".lobby");

function wire(part) {
  part.querySelectorAll(".seat-form select").forEach(submitOnChoice);
}

let seats = null;  // as they were told last
let shown = null;  // as they are on the page

/** The page as the server has it now; null where nobody could be reached, or had time for it. */
async function pageNow() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const busy = answer.status === 429 || answer.status >= 500;
    return busy ? null : new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return null;
  }
}

/** Shows who sits there now, unless somebody is choosing who shall: then when they are done. */
async function refresh() {
  const wanted = seats;
  const page = await pageNow();
  if (leaving || wanted !== seats) return;  // what is newer is on its way
  if (!page) { setTimeout(catchUp, AGAIN_MS); return; }
  const fresh = page.querySelector(".lobby > .stack");
  if (!fresh) { location.reload(); return; }
  const old = document.querySelector(".lobby > .stack");
  if (document.activeElement.closest(".seat-form")) return;
  // What stays as it is stays the same element: somebody may be pressing it.
  const parts = [...fresh.children];
  const changed = parts.length === old.children.length
    ? [...old.children].map((part, number) => [part, parts[number]]).filter(([part, other]) => !part.isEqualNode(other))
    : [[old, fresh]];
  keepFocus(() => changed.forEach(([part, other]) => part.replaceWith(other)));
  changed.forEach(([, part]) => wire(part));
  byId("seated").textContent = all(".seat-row .who").map((who) => who.innerText).join(", ");
  shown = wanted;
}

function catchUp() { if (seats !== shown) refresh(); }

lobby.addEventListener("focusout", catchUp);
new Stream(`${lobby.dataset.table}/events`, lobby.dataset.moment, ({ now }) => {
  if (leaving) return;
  keepGame(lobby.dataset.table, lobby.dataset.title, now);
  seats = JSON.stringify(now.seats);
  if (now.phase !== "lobby") location.reload();
  else catchUp();
});

lobby.addEventListener("submit", ({ target }) => {
  if (target.action.endsWith("/leave")) leaveGame(lobby.dataset.table);
});
offerCopy(() => byId("link").value, byId("copy"), lobby.dataset.copied);
wire(document);
