// A case that the server does not have: this browser may have kept it.

import { keptCase } from "./kept.js";
import { send } from "./send.js";

const main = document.getElementById("lost");
const kept = keptCase(main.dataset.token);
if (kept?.log) {
  send(main.dataset.back, { log: kept.log, memory: kept.memory }).then(([status, body]) => {
    if (status === 200) location.replace(body.at);
    else {
      document.getElementById("told").textContent = body.trouble ?? body.error ?? "";
    }
  });
}
