// A stream of events that survives sleep, tunnels and restarts, and what is sent back.

import { send } from "./send.js";

const BEAT_MS = 20000;
const AGAIN_MS = 2000;
const BACK_MS = 3000;

/** Where the table is there no more, its page says so. */
async function reloadIfGone() {
  const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
  if (answer?.status === 404) location.reload();
}

/** Opens a stream again and again, each time after the last moment that it has told. */
export class Stream {
  constructor(path, after, tell) {
    Object.assign(this, { path, after, tell, wait: 300, up: null, waiting: [] });
    this.open();
    addEventListener("offline", () => this.fail());
    for (const [where, event] of [[window, "online"], [document, "visibilitychange"], [window, "pageshow"]]) {
      where.addEventListener(event, () => { if (!document.hidden) this.check(); });
    }
    addEventListener("pagehide", () => this.source.close());
    setInterval(() => this.check(), 5000);
  }

  open() {
    this.source?.close();
    clearTimeout(this.timer);
    this.heard = Date.now();
    const source = this.source = new EventSource(`${this.path}?after=${encodeURIComponent(this.after)}`);
    source.onopen = () => { this.wait = 300; this.heard = Date.now(); this.state(true); };
    source.addEventListener("beat", () => { this.heard = Date.now(); });
    source.onmessage = (message) => {
      this.heard = Date.now();
      this.after = message.lastEventId;
      this.state(true);
      this.tell(JSON.parse(message.data));
    };
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) reloadIfGone();  // it was refused, not cut off
      this.fail();
    };
  }

  fail() {
    this.state(false);
    this.source.close();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 1.6, 5000);
  }

  /** Says when the connection is lost, and for a while that it is back. */
  state(up) {
    if (up) for (const go of this.waiting.splice(0)) go();
    if (up === this.up) return;
    const first = this.up === null;
    this.up = up;
    const notice = document.getElementById("lost");
    clearTimeout(this.told);
    notice.textContent = up ? notice.dataset.back : notice.dataset.lost;
    notice.classList.toggle("back", up);
    notice.hidden = up && first;
    if (up) this.told = setTimeout(() => { notice.hidden = true; }, BACK_MS);
  }

  /** Sends JSON, and again for as long as nobody can be reached, or has time for it. */
  async insist(path, value) {
    for (;;) {
      const answer = await send(path, value);
      if (![0, 429, 503].includes(answer[0])) return answer;
      await new Promise((done) => { this.waiting.push(done); setTimeout(done, AGAIN_MS); });
    }
  }

  check() {
    if (this.source.readyState === EventSource.CLOSED || Date.now() - this.heard > BEAT_MS) this.open();
  }
}
