// The start page: the games that this browser has not finished.
import { forgetGame, keptGames } from "./games.js";
import { byId, make } from "./page.js";

for (const [address, { title }] of keptGames()) {
  const link = make("a", { className: "button wide", href: address, textContent: title });
  link.onclick = () => forgetGame(address); // its page keeps it again, if the game is still there
  byId("games").querySelector("ul").append(make("li", {}, link));
  byId("games").hidden = false;
}
