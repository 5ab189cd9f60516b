// What runs on every page: a form is sent once, and the browser may install the site and answer without the server.

const TWICE_MS = 3000;
let sentAt = -TWICE_MS;
addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (event.timeStamp - sentAt < TWICE_MS) event.preventDefault(); // pressed twice, while the answer is on its way
  else sentAt = event.timeStamp;
});

addEventListener("load", () => {
  navigator.serviceWorker?.register(document.querySelector('meta[name="worker"]').content)
    .catch(() => { /* a browser that keeps nothing */ });
});
