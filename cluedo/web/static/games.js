// The games in which this browser has a seat, so that the start page leads back to them.

import { keep, kept } from "./page.js";

const KEY = "cluedo-games";
const MOST = 10;

/** The games that were not over when they were last seen, the latest first: `[address, {title, at}]`. */
export function keptGames() {
  return Object.entries(kept(KEY) ?? {}).sort(([, a], [, b]) => b.at - a.at);
}

/** Keep a game by the address of its table, as its board and who else is there, while one has a seat and it is not over. */
export function keepGame(address, board, { you, seats, end }) {
  forgetGame(address);
  if (you === null || end) return;
  const title = [board, ...seats.filter(({ name }, seat) => name && seat !== you).map(({ name }) => name)].join(" · ");
  keep(KEY, Object.fromEntries([[address, { title, at: Date.now() }], ...keptGames()].slice(0, MOST)));
}

export function forgetGame(address) {
  const { [address]: gone, ...others } = kept(KEY) ?? {};
  if (gone) keep(KEY, others);
}

/** Whether one is on the way out: then the answer leads elsewhere, and no news of the table may lead back to it. */
export let leaving = false;
addEventListener("pageshow", () => { leaving = false; }); // one may come back, by the browser's history

export function leaveGame(address) {
  leaving = true;
  forgetGame(address);
}
