// Lets the browser install the site, and answer where the server cannot be reached.

addEventListener("load", () => {
  navigator.serviceWorker?.register(document.querySelector('meta[name="worker"]').content)
    .catch(() => { /* a browser that keeps nothing */ });
});
