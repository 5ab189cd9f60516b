// The log: a line for each event. It stays at its end, also where it becomes shorter, unless somebody reads further up.

import { make } from "./page.js";
import { dot } from "./pictures.js";

const NEAR = 60;

export class Log {
  constructor(list, setting) {
    Object.assign(this, { list, setting, turn: 0, following: true, at: 0 });
    list.addEventListener("scroll", () => this.scrolled());
    new ResizeObserver(() => { if (this.following) this.toEnd(); }).observe(list);
  }

  /** Begins anew; it goes to its end once, when all is said, since that takes longer with every line. */
  clear() {
    this.list.replaceChildren();
    this.turn = 0;
    this.following = false;
  }

  say({ seat, turn, text }, strong) {
    const colour = this.setting.colours[this.setting.suspects[seat]];
    const line = make("li", { className: strong ? "strong" : "" }, dot(colour), make("span", { textContent: text }));
    if (turn !== this.turn) line.classList.add("new-turn");
    this.turn = turn;
    this.list.append(line);
    if (this.following) this.toEnd();
  }

  scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    if (scrollHeight - scrollTop - clientHeight < NEAR) this.following = true;
    else if (scrollTop < this.at) this.following = false;  // else lines have come since it was scrolled
    this.at = scrollTop;
  }

  toEnd() {
    this.following = true;
    this.list.scrollTop = this.list.scrollHeight;
  }
}
