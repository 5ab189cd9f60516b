// The link of a replay, with the turn that is shown, for somebody else.

import { byId, offerCopy } from "./page.js";

const copied = byId("copied");
offerCopy(() => Object.assign(new URL(location.href), { hash: byId("jump").value }).href, copied, copied.dataset.done);
