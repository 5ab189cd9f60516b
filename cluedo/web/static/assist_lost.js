// A case that the server does not have: this browser may have kept it.

import { keptCase } from "./kept.js";
import { byId } from "./page.js";
import { send } from "./send.js";

const { token, back } = byId("lost").dataset;
const { log, memory } = keptCase(token) ?? {};
if (log) {
  const [status, body] = await send(back, { log, memory });
  if (status === 200) location.replace(body.at);
  else byId("told").textContent = body.error ?? "";
}
