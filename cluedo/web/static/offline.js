// A page that the server could not send: the last case as this device saw it, or where that can be read.

import { keptCopy, keptCase } from "./kept.js";
import { all, byId, fill, make, timeText } from "./page.js";

const copy = keptCopy();
const { base } = byId("copy").dataset;

function show() {
  byId("unreached").hidden = true;
  byId("copy").hidden = false;
  byId("title").textContent = copy.title;
  byId("as-of").textContent = fill(byId("as-of").dataset.text, { when: timeText(copy.at) });
  byId("unsent").hidden = !keptCase(copy.token)?.waiting?.length;
  for (const place of all("[data-part]")) {
    place.innerHTML = copy.parts[place.dataset.part];
    place.querySelectorAll("[data-line], .at, .legend").forEach((one) => one.remove());
    place.querySelectorAll("button").forEach((button) => {
      button.replaceWith(make("span", { className: button.className }, ...button.childNodes)); // there is nobody to ask
    });
  }
}

if (copy && location.pathname === `${base}/${copy.token}`) show();
else if (copy) {
  byId("last").href = `${base}/${copy.token}`;
  byId("last").hidden = false;
}
for (const button of all(".again")) button.onclick = () => location.reload();
function lookAgain() {
  fetch(base, { method: "HEAD" }).then(
    ({ ok }) => { if (ok) location.reload(); }, // else a proxy has answered in its place
    () => { /* there is a network, but no server yet */ },
  );
}
addEventListener("online", lookAgain);
setInterval(lookAgain, 5000); // a server comes back without that event, and the event may come before anybody listens
