// The games in which this browser has a seat, so that the start page leads back to them.

const KEY = "cluedo-games";
const MOST = 10;

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // a browser that keeps nothing
  }
}

function write(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games));
  } catch {
    // full, or forbidden: the link of the table leads back
  }
}

/** The games that were not over when they were last seen, the latest first: `[address, {title, at}]`. */
export function keptGames() {
  return Object.entries(read()).sort(([, a], [, b]) => b.at - a.at);
}

/** Keep a game by the address of its table, as `title` (a list of words) tells it. */
export function keepGame(address, title) {
  const games = { ...read(), [address]: { title: title.join(" · "), at: Date.now() } };
  const latest = Object.entries(games).sort(([, a], [, b]) => b.at - a.at).slice(0, MOST);
  write(Object.fromEntries(latest));
}

export function forgetGame(address) {
  const { [address]: gone, ...others } = read();
  if (gone) write(others);
}
