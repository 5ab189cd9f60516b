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
