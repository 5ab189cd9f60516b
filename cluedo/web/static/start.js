// The start page: the games that this browser has not finished.
import { keptGames } from "./games.js";
import { byId, make, timeText } from "./page.js";

for (const [address, { title, at }] of keptGames()) {
  const when = make("span", { className: "soft small", textContent: timeText(at) }); // games of the same players are alike
  const link = make("a", { className: "button wide game", href: address }, make("span", { textContent: title }), when);
  byId("games").querySelector("ul").append(make("li", {}, link));
  byId("games").hidden = false;
}
