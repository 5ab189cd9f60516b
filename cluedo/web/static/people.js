// Who sits at the table and who watches, the invitation, and the way out.

import { onChoice } from "./choice.js";
import { leaveGame } from "./games.js";
import { byId as $, fill, make, offerCopy } from "./page.js";
import { dot } from "./pictures.js";
import { sendForm } from "./send.js";
import { setting, words } from "./table_data.js";
import { talk } from "./talk.js";

let seen = null;  // how everything stands
let choosing = false;

export function showPeople(now) {
  seen = now;
  if (choosing || document.activeElement.matches("#people select")) return;
  $("seat-list").replaceChildren(...now.seats.map((tableSeat, seat) => {
    const offline = tableSeat.kind === "person" && !tableSeat.online;
    const about = [setting.names[seat], tableSeat.host && words.host, tableSeat.away ? words.away : offline && words.offline, tableSeat.kind === "open" && words.free];
    const item = make("li", { className: `seat-row ${tableSeat.kind}` }, dot(setting.colours[setting.suspects[seat]]),
      make("span", { className: "who" }, make("strong", { textContent: tableSeat.name }), make("span", { className: "soft small", textContent: about.filter(Boolean).join(" · ") })));
    if (now.host && !tableSeat.host && now.phase === "playing") item.append(...changeForm(now, tableSeat, seat));
    return item;
  }));
  $("watching").textContent = now.watching ? fill(words.watching, { count: now.watching }) : "";
}

/** The form in which the host says who plays a seat, if anything can be chosen: that depends on who does now. */
function changeForm(now, tableSeat, seat) {
  const form = $("replace").content.cloneNode(true).querySelector("form");
  const { number, who } = form.elements;
  number.value = seat;
  who.ariaLabel = setting.names[seat];
  for (const option of who.querySelectorAll("[data-for]")) {
    const fits = option.dataset.for.split(" ").includes(tableSeat.away ? "away" : tableSeat.kind);
    if (!fits || (option.value === "open" && !now.frees)) option.remove();
  }
  if (who.length === 1) return [];
  onChoice(who, async () => {
    if (!who.value) return;
    choosing = true;
    const asked = tableSeat.kind === "person" && words.change[who.value];
    const sure = !asked || await talk(fill(asked.title, tableSeat), [make("p", { textContent: fill(asked.told, tableSeat) })], [[asked.yes, true, "danger"]]);
    const refusal = sure ? await sendForm(form) : "";
    choosing = false;
    $("seat-list").focus();
    showPeople(seen);
    $("people-refusal").textContent = refusal ?? words.lost;
    $("people-refusal").hidden = refusal === "";
  });
  return [form];
}

$("leave")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const sure = await talk(words.leave, [make("p", { textContent: words.leave_told })], [[words.leave_yes, true, "danger"]]);
  if (!sure) return;
  leaveGame($("table").dataset.table);
  event.target.submit();
});
$("people-open").addEventListener("click", () => $("people").showModal());
offerCopy(() => $("link").value, $("copy"), words.copied);
