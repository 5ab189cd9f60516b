// What this browser keeps of its cases, so that neither a reload nor a lost server loses one.

const PREFIX = "cluedo-case-";
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
}
