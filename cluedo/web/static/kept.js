// What this browser keeps of its cases, so that neither a reload nor a lost server loses one, and of the last one what
// its page showed, to be read without a connection.

const PREFIX = "cluedo-case-";
const COPY = "cluedo-last-case";
const MOST = 30;

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** The cases kept here, the latest first: `{token, title, at, log, waiting}`. */
export function keptCases() {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => ({ ...read(key), token: key.slice(PREFIX.length) }))
      .filter((one) => one.log)
      .sort((a, b) => b.at - a.at);
  } catch {
    return []; // a browser that keeps nothing
  }
}

export function keptCase(token) {
  return read(PREFIX + token);
}

/** Keep a case; the oldest make place where there are many. */
export function keepCase(token, kept) {
  try {
    localStorage.setItem(PREFIX + token, JSON.stringify({ ...kept, at: Date.now() }));
    for (const old of keptCases().slice(MOST)) localStorage.removeItem(PREFIX + old.token);
  } catch {
    // full, or forbidden: the server keeps the case
  }
}

export function forgetCase(token) {
  localStorage.removeItem(PREFIX + token);
  forgetCopy(token);
}

/** The last case as its page showed it, `{token, title, at, parts}` with the HTML of each part by name, or null. */
export function keptCopy() {
  return read(COPY);
}

/** Keep what a page shows of a case, in the place of what another one showed. */
export function keepCopy(token, title, parts) {
  try {
    localStorage.setItem(COPY, JSON.stringify({ token, title, parts, at: Date.now() }));
  } catch {
    forgetCopy(keptCopy()?.token); // what is out of date would be taken for the last
  }
}

export function forgetCopy(token) {
  if (token && keptCopy()?.token === token) localStorage.removeItem(COPY);
}
