// A page that the server could not send: the last case as this device saw it, or where that can be read.

import { keptCopy, keptCase } from "./kept.js";

const byId = (id) => document.getElementById(id);
const copy = keptCopy();
const { base } = byId("copy").dataset;

function show() {
  byId("unreached").hidden = true;
  byId("copy").hidden = false;
  byId("title").textContent = copy.title;
  const when = new Date(copy.at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  byId("as-of").textContent = byId("as-of").dataset.text.replace("{when}", when);
  byId("unsent").hidden = !keptCase(copy.token)?.waiting?.length;
  for (const place of document.querySelectorAll("[data-part]")) {
    place.innerHTML = copy.parts[place.dataset.part];
    place.querySelectorAll("[data-line], .at, .legend").forEach((one) => one.remove());
    place.querySelectorAll("button").forEach((button) => {
      const text = document.createElement("span"); // there is nobody to ask
      text.className = button.className;
      text.append(...button.childNodes);
      button.replaceWith(text);
    });
  }
}

if (copy && location.pathname === `${base}/${copy.token}`) show();
else if (copy) {
  byId("last").href = `${base}/${copy.token}`;
  byId("last").hidden = false;
}
for (const button of document.querySelectorAll(".again")) button.onclick = () => location.reload();
function lookAgain() {
  fetch(base, { method: "HEAD" }).then(() => location.reload(), () => { /* there is a network, but no server yet */ });
}
addEventListener("online", lookAgain);
setInterval(lookAgain, 5000); // a server comes back without that event, and the event may come before anybody listens
