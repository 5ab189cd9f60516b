// A first game: points at each thing once, when it is there to be used.

import { keepFocus } from "./focus.js";
import { byId, keep, kept, make } from "./page.js";

const KEPT = "cluedo-guide";

/** By name: where a tip points, and when its time has come. What is not visible is not pointed at. */
const TIPS = {
  hand: { at: "#hand" },
  walk: { at: "#house", when: (now) => now.offer?.walk.length },
  ask: { at: "#chooser" },
  shown: { at: "#shown .one" },
  sheet: { at: "#sheet, .switch [data-side='sheet']", when: (now, seen) => seen.includes("shown") },
  hint: { at: "#hint", when: (now) => now.offer && now.turn > 3 },
  accuse: { at: "#actions [data-key='a']", when: (now) => now.turn > 6 },
};

const PRESSED = "button:not(.shown), a, .lit, .room.open";

/** What a tip should not lie over, beside what it points at; of that only what is pressed, where it is large. */
const NEEDED = `#hand, #shown .one, #doing, ${PRESSED}`;

/** What it should not lie over if there is a choice. */
const READ = ".seat, #sheet";

/** The area that two rectangles have in common. */
const common = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** How far two rectangles are from each other. */
const gap = (a, b) => Math.hypot(Math.max(0, a.left - b.right, b.left - a.right), Math.max(0, a.top - b.bottom, b.top - a.bottom));

export class Guide {
  constructor(words) {
    this.words = words;
    this.seen = kept(KEPT) ?? [];
    this.on = new URLSearchParams(location.search).has("guide");
    // Before the table hears of it, for which Escape takes an accusation back.
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.tip || document.querySelector("dialog[open]")) return;
      event.stopImmediatePropagation();
      this.tip.querySelector(".primary").click();
    }, true);
    addEventListener("resize", () => { if (this.now) this.look(this.now); });
  }

  /** A tip stays the same element for as long as it is due: its button may be about to be pressed. */
  look(now) {
    this.now = now;
    const [name, target] = this.due(now);
    if (name !== this.name || target !== this.target) {
      this.hide();
      if (name) this.point(name, target);
    }
    if (this.tip) this.place(target.getBoundingClientRect(), this.tip.getBoundingClientRect());
  }

  /** The name of the tip whose time has come, and what it points at. */
  due(now) {
    if (!this.on || now.phase !== "playing" || now.you === null) return [];
    for (const [name, { at, when = () => true }] of Object.entries(TIPS)) {
      const target = [...document.querySelectorAll(at)].find((one) => one.checkVisibility());
      if (!this.seen.includes(name) && target && when(now, this.seen)) return [name, target];
    }
    return [];
  }

  point(name, target) {
    const next = make("button", { type: "button", className: "primary", textContent: this.words.next });
    const enough = make("button", { type: "button", className: "quiet small", textContent: this.words.enough });
    const goOn = (seen) => { this.keep(seen); keepFocus(() => this.look(this.now), byId("doing")); };
    next.onclick = () => goOn([...this.seen, name]);
    enough.onclick = () => goOn(Object.keys(TIPS));
    Object.assign(this, { name, target });
    target.classList.add("pointed");
    this.tip = make("aside", { className: "tip" }, make("p", { textContent: this.words[name] }), make("div", { className: "row spread" }, enough, next));
    this.tip.setAttribute("role", "status");
    document.body.append(this.tip);
  }

  /** Beside what it points at, at an edge, or next to what is needed: of the places that cover the least, the nearest. */
  place(there, here) {
    const [width, height] = [document.documentElement.clientWidth, document.documentElement.clientHeight];
    const areas = (what) => [...document.querySelectorAll(what)].filter((one) => !this.tip.contains(one)).map((one) => one.getBoundingClientRect());
    const [needed, read] = [areas(NEEDED), areas(READ)];
    if (!this.target.querySelector(PRESSED)) needed.push(there);
    const middle = Math.min(Math.max(8, there.left + there.width / 2 - here.width / 2), width - here.width - 8);
    const end = height - here.height - 8;
    const beside = (one) => [one.bottom + 10, one.top - here.height - 10];
    const tops = [...beside(there), 8, end, there.bottom - here.height - 10, ...needed.flatMap(beside)];
    const places = [middle, there.right - here.width, there.left, there.right + 10, there.left - here.width - 10, 8].flatMap((left) => tops.map((top) => new DOMRect(left, top, here.width, here.height)));
    const seen = places.filter((one) => one.left > 0 && one.right < width && one.top > 0 && one.bottom < height);
    const covered = (place, what) => what.reduce((sum, one) => sum + common(place, one), 0);
    const better = (one, other) => covered(one, needed) - covered(other, needed) || covered(one, read) - covered(other, read) || gap(one, there) - gap(other, there);
    const [{ left, top }] = [...seen.sort(better), { left: middle, top: end }];
    this.tip.style.top = `${top}px`;
    this.tip.style.left = `${left}px`;
  }

  hide() {
    this.tip?.remove();
    this.target?.classList.remove("pointed");
    this.tip = this.name = this.target = undefined;
  }

  keep(seen) {
    this.seen = seen;
    keep(KEPT, seen);
  }
}
