// The start page: the games that this browser has not finished.
import { forgetGame, keptGames } from "./games.js";

const games = document.getElementById("games");
for (const [address, { title }] of keptGames()) {
  const link = Object.assign(document.createElement("a"), { className: "button wide", href: address, textContent: title });
  link.onclick = () => forgetGame(address); // its page keeps it again, if the game is still there
  games.querySelector("ul").appendChild(document.createElement("li")).append(link);
  games.hidden = false;
}
