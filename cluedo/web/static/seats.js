// The row of seats: who plays which suspect, whose turn it is, and how long they have.

import { fill, make } from "./page.js";
import { dot } from "./pictures.js";

const TICK_MS = 500;
const FAR_S = 3600;
const SHORT_S = 10;

export class Seats {
  constructor(row, setting, words) {
    Object.assign(this, { row, setting, words, clock: null, end: null });
    setInterval(() => this.tick(), TICK_MS);
  }

  show(now) {
    this.end = now.clock === null ? null : Date.now() + 1000 * now.clock;
    this.clock = make("span", { className: "clock", id: "clock" });
    this.row.replaceChildren(...now.seats.map((tableSeat, seat) => this.item(now, tableSeat, seat)));
    this.tick();
  }

  item(now, tableSeat, seat) {
    const { setting, words } = this;
    const marks = [];
    if (now.out.includes(seat)) marks.push(words.out);
    const offline = tableSeat.kind === "person" && !tableSeat.online;
    if (tableSeat.away || offline) marks.push(tableSeat.away ? words.away : words.offline);
    if (tableSeat.kind === "open") marks.push(words.free);
    const sub = [...marks, now.you === seat ? words.you : tableSeat.name].join(" · ");
    const item = make("li", { className: "seat" }, dot(setting.colours[setting.suspects[seat]]),
      make("span", { className: "names" }, make("span", { className: "seat-name", textContent: setting.names[seat] }), make("span", { className: "sub", textContent: sub })));
    item.title = `${setting.names[seat]} · ${sub} · ${fill(words.cards, { count: setting.sizes[seat] })}`;
    item.classList.toggle("me", now.you === seat);
    item.classList.toggle("out", now.out.includes(seat));
    item.classList.toggle("gone", tableSeat.away || offline);
    if (now.to_act === seat) item.append(this.clock);
    return item;
  }

  /** Marks whose turn it is, and who must show a card meanwhile. */
  mark(whose, asked) {
    [...this.row.children].forEach((item, seat) => {
      item.classList.toggle("active", seat === whose);
      item.classList.toggle("asked", seat === asked && seat !== whose);
      item.ariaCurrent = seat === whose ? "true" : null;
    });
    const active = this.row.querySelector(".active");
    if (active) this.row.scrollLeft = active.offsetLeft - this.row.offsetLeft - (this.row.clientWidth - active.offsetWidth) / 2;
  }

  tick() {
    if (!this.clock) return;
    const left = this.end === null ? null : Math.max(0, Math.ceil((this.end - Date.now()) / 1000));
    this.clock.textContent = left === null || left > FAR_S ? "" : fill(this.words.seconds, { count: left });
    this.clock.classList.toggle("short", left !== null && left <= SHORT_S);
  }
}
