// Who sits at the table and who watches, the invitation, and the way out.

import { submitOnChoice } from "./choice.js";
import { forgetGame } from "./games.js";
import { byId as $, fill, make, offerCopy } from "./page.js";
import { dot } from "./pictures.js";
import { setting, words } from "./table_data.js";
import { talk } from "./talk.js";

export function showPeople(now) {
  const dialog = $("people");
  if (dialog.contains(document.activeElement) && document.activeElement.matches("select")) return;
  $("seat-list").replaceChildren(...now.seats.map((tableSeat, seat) => {
    const item = make("li", { className: `seat-row ${tableSeat.kind}` }, dot(setting.colours[setting.suspects[seat]]),
      make("span", { className: "who" }, make("strong", { textContent: tableSeat.name }), make("span", { className: "soft small", textContent: [setting.names[seat], tableSeat.away ? words.away : "", tableSeat.kind === "open" ? words.free : ""].filter(Boolean).join(" · ") })));
    if (now.host && !tableSeat.host && now.phase === "playing") {
      const form = $("replace").content.cloneNode(true).querySelector("form");
      form.elements.number.value = seat;
      submitOnChoice(form.elements.who);
      item.append(form);
    }
    return item;
  }));
  $("watching").textContent = now.watching ? fill(words.watching, { count: now.watching }) : "";
}
$("leave")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await talk(words.leave, [make("p", { textContent: words.leave_told })], [[words.leave_yes, true, "danger"]])) { forgetGame($("table").dataset.table); event.target.submit(); }
});
$("people-open").addEventListener("click", () => $("people").showModal());
offerCopy(() => $("link").value, $("copy"), words.copied);
