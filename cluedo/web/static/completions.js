// A line of text that may be completed: what the server offers for it is listed below, for keys and for a finger.

import { make } from "./page.js";
import { ask } from "./send.js";

const WAIT_MS = 150;

export class Completions {
  /** `address` gives where to ask about a line. */
  constructor(line, list, address) {
    Object.assign(this, { line, list, address, asked: 0, at: -1 });
    line.addEventListener("input", () => this.look());
    line.addEventListener("keydown", (event) => this.pressed(event));
    line.addEventListener("blur", () => this.hide());
  }

  /** The completion that the arrow keys have reached. */
  get chosen() {
    return this.list.hidden ? undefined : this.list.children[this.at];
  }

  look() {
    const now = (this.asked += 1);
    if (!this.line.value) {
      this.hide();
      return;
    }
    setTimeout(async () => {
      if (now !== this.asked) return;
      const [status, found] = await ask(this.address(this.line.value));
      if (now === this.asked) this.show(status === 200 ? found : []);
    }, WAIT_MS);
  }

  show(found) {
    this.list.replaceChildren(...found.map((one, index) => {
      const item = make("li", { textContent: one.word, id: `offer-${index}` });
      item.setAttribute("role", "option");
      item.dataset.whole = one.line;
      item.addEventListener("mousedown", (event) => event.preventDefault()); // the line keeps the focus
      item.addEventListener("click", () => this.take(item));
      return item;
    }));
    this.choose(-1);
    this.list.hidden = !found.length;
    this.line.setAttribute("aria-expanded", Boolean(found.length));
  }

  hide() {
    this.asked += 1;
    this.list.hidden = true;
    this.line.setAttribute("aria-expanded", false);
    this.choose(-1);
  }

  choose(index) {
    this.at = index;
    [...this.list.children].forEach((item, number) => item.setAttribute("aria-selected", number === index));
    if (index >= 0) this.line.setAttribute("aria-activedescendant", `offer-${index}`);
    else this.line.removeAttribute("aria-activedescendant");
  }

  take(item) {
    this.line.value = item.dataset.whole;
    this.line.focus();
    this.line.dispatchEvent(new Event("input"));
  }

  pressed(event) {
    const count = this.list.hidden ? 0 : this.list.children.length;
    if (event.key === "Escape") this.hide();
    else if (count && event.key === "ArrowDown") this.choose((this.at + 1) % count);
    else if (count && event.key === "ArrowUp") this.choose((this.at + count) % count);
    else if (count && event.key === "Tab" && !event.shiftKey) this.take(this.list.children[Math.max(this.at, 0)]);
    else return;
    event.preventDefault();
  }
}
