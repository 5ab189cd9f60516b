// What runs on every page: a form is sent once, and the browser may install the site and answer without the server.

const TWICE_MS = 3000;
let sent = null;
let sentAt = 0;
addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post" || !event.submitter) return; // what is chosen may change
  if (event.target === sent && event.timeStamp - sentAt < TWICE_MS) event.preventDefault(); // the answer is on its way
  else [sent, sentAt] = [event.target, event.timeStamp];
});

addEventListener("load", () => {
  navigator.serviceWorker?.register(document.querySelector('meta[name="worker"]').content)
    .catch(() => { /* a browser that keeps nothing */ });
});

// What is filled in, or was refused, when somebody changes the settings is there again on the page that comes.
const FILLED = "cluedo-filled";
const fields = () => [...document.querySelectorAll("main :is(input:not([type=hidden], [type=file], [readonly]), select, textarea)")];
const filled = () => fields().map(({ value, checked = false }) => [value, checked]);
const empty = String(filled());

document.getElementById("settings")?.addEventListener("submit", () => {
  if (String(filled()) === empty && !document.querySelector("main .notice.bad")) return;
  try { sessionStorage.setItem(FILLED, JSON.stringify([location.pathname, filled()])); } catch { /* a browser that keeps nothing */ }
});

function fillAgain() {
  const [path, values] = JSON.parse(sessionStorage.getItem(FILLED)) ?? [];
  sessionStorage.removeItem(FILLED);
  if (path !== location.pathname || values.length !== fields().length) return;
  fields().forEach((field, number) => {
    const before = String([field.value, field.checked ?? false]);
    [field.value, field.checked] = values[number];
    if (before !== String(values[number])) field.closest("details")?.setAttribute("open", "");
  });
}
try { fillAgain(); } catch { /* a browser that keeps nothing */ }
