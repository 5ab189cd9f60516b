// What this browser keeps of its cases, so that neither a reload nor a lost server loses one, and of the last one what
// its page showed, to be read without a connection.

import { keep, kept } from "./page.js";

const PREFIX = "cluedo-case-";
const COPY = "cluedo-last-case";
const MOST = 30;

/** The cases kept here, the latest first: `{token, title, at, log, waiting}`. */
export function keptCases() {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => ({ ...kept(key), token: key.slice(PREFIX.length) }))
      .filter((one) => one.log)
      .sort((a, b) => b.at - a.at);
  } catch {
    return []; // a browser that keeps nothing
  }
}

export const keptCase = (token) => kept(PREFIX + token);

/** Keep a case; the oldest make place where there are many. */
export function keepCase(token, value) {
  if (!keep(PREFIX + token, { ...value, at: Date.now() })) return; // the server keeps the case
  for (const old of keptCases().slice(MOST)) localStorage.removeItem(PREFIX + old.token);
}

export function forgetCase(token) {
  localStorage.removeItem(PREFIX + token);
  forgetCopy(token);
}

/** The last case as its page showed it, `{token, title, at, parts}` with the HTML of each part by name, or null. */
export const keptCopy = () => kept(COPY);

/** Keep what a page shows of a case, in the place of what another one showed. */
export function keepCopy(token, title, parts) {
  if (!keep(COPY, { token, title, parts, at: Date.now() })) forgetCopy(keptCopy()?.token); // it would be taken for the last
}

export function forgetCopy(token) {
  if (token && keptCopy()?.token === token) localStorage.removeItem(COPY);
}
