// The games in which this browser has a seat, so that the start page leads back to them.

import { keep, kept } from "./page.js";

const KEY = "cluedo-games";
const MOST = 10;

/** The games that were not over when they were last seen, the latest first: `[address, {title, at}]`. */
export function keptGames() {
  return Object.entries(kept(KEY) ?? {}).sort(([, a], [, b]) => b.at - a.at);
}

/** Keep a game by the address of its table, as `title` (a list of words) tells it. */
export function keepGame(address, title) {
  forgetGame(address);
  keep(KEY, Object.fromEntries([[address, { title: title.join(" · "), at: Date.now() }], ...keptGames()].slice(0, MOST)));
}

export function forgetGame(address) {
  const { [address]: gone, ...others } = kept(KEY) ?? {};
  if (gone) keep(KEY, others);
}
