// A stream of events that survives sleep, tunnels and restarts, and what is sent back.

const BEAT_MS = 20000;
const root = document.querySelector('meta[name="root"]').content;
const token = document.querySelector('meta[name="token"]').content;

/** Opens a stream again and again, each time after the last moment that it has told. */
export class Stream {
  constructor(path, after, tell, state) {
    Object.assign(this, { path, after, tell, state, wait: 300 });
    this.open();
    for (const [where, event] of [[window, "online"], [document, "visibilitychange"], [window, "pageshow"]]) {
      where.addEventListener(event, () => { if (!document.hidden) this.check(); });
    }
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
      this.state(false);
      source.close();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 1.6, 5000);
    };
  }

  check() {
    if (this.source.readyState === EventSource.CLOSED || Date.now() - this.heard > BEAT_MS) this.open();
  }
}

/** Sends JSON; gives `[status, answer]`, and status 0 where nobody could be reached. */
export async function send(path, value) {
  try {
    const answer = await fetch(path, {
      method: "POST", body: JSON.stringify(value),
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-Token": token },
    });
    return [answer.status, await answer.json()];
  } catch {
    return [0, {}];
  }
}

export async function ask(path) {
  try {
    const answer = await fetch(path, { headers: { Accept: "application/json" } });
    return [answer.status, await answer.json()];
  } catch {
    return [0, {}];
  }
}

export { root };
