// The board: pieces that move, places that are lit, and two fingers that look closer.

import { svg } from "./pictures.js";

const STEP_MS = 70;
const MOST_ZOOM = 4;

export class Board {
  constructor(house, setting, choose) {
    Object.assign(this, { house, setting, choose });
    this.svg = house.querySelector("svg");
    if (!this.svg) return;
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    this.whole = { x, y, width, height };
    this.box = { ...this.whole };
    house.style.aspectRatio = `${width} / ${height}`; // so it stays where it is while what is below grows
    this.over = svg("g", {});
    this.svg.querySelector(".wall").before(this.over);
    this.svg.setAttribute("preserveAspectRatio", "xMidYMid");
    this.pawns = [...this.svg.querySelectorAll(".pawn")];
    this.weapons = [...this.svg.querySelectorAll(".weapon")];
    this.pawns.forEach((pawn, suspect) => pawn.classList.toggle("bystander", !setting.suspects.includes(suspect)));
    this.svg.setAttribute("role", "group");
    this.over.addEventListener("keydown", (event) => this.pressed(event));
    this.watchFingers();
  }

  put(scene) {
    if (!this.svg || !scene?.pawns) return;
    const place = (pieces, points) => points.forEach(([x, y], k) => { pieces[k].style.transform = `translate(${x}px, ${y}px)`; });
    place(this.pawns, scene.pawns);
    place(this.weapons, scene.weapons);
  }

  mark(suspect, mine) {
    this.pawns?.forEach((pawn, k) => {
      pawn.classList.toggle("active", k === suspect);
      pawn.classList.toggle("mine", k === mine);
    });
  }

  /** Lets a pawn walk over squares; the wait ends early where nobody wants to see it. */
  async walk(suspect, points, pause) {
    if (!this.svg || points.length < 1) return;
    const trail = svg("polyline", { class: "trail", points: points.map((point) => point.join(",")).join(" ") });
    this.over.append(trail);
    const pawn = this.pawns[suspect];
    pawn.style.transitionDuration = `calc(${STEP_MS}ms * var(--pace, 1))`;
    const motionless = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const [x, y] of motionless ? points.slice(-1) : points) {
      pawn.style.transform = `translate(${x}px, ${y}px)`;
      await pause(STEP_MS);
    }
    pawn.style.transitionDuration = "";
    setTimeout(() => trail.remove(), 900);
  }

  light(walk) {
    if (!this.svg) return;
    this.svg.querySelectorAll(".room.open").forEach((room) => { room.classList.remove("open"); room.onclick = null; });
    this.over.querySelectorAll(".lit").forEach((lit) => lit.remove());
    this.squares = [];
    for (const { place, at, name: label, do: command } of walk) {
      if (at) {
        const first = this.squares.length === 0; // one stop for the Tab key; from there the arrow keys lead on
        const lit = svg("rect", { class: "lit", x: at[0] + .06, y: at[1] + .06, width: .88, height: .88, rx: .18, role: "button", tabindex: first ? 0 : -1, "aria-label": label });
        lit.onclick = () => this.tapped(command);
        this.squares.push({ lit, at, command });
        this.over.append(lit);
      } else {
        const room = this.svg.getElementById(`room-${place - this.setting.rooms}`);
        room?.classList.add("open");
        if (room) room.onclick = () => this.tapped(command);
      }
    }
  }

  /** Enter chooses the square that has the focus; an arrow leads to the nearest one on that side. */
  pressed(event) {
    const here = this.squares.find(({ lit }) => lit === event.target);
    const side = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!here || !(side || ["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    event.stopPropagation();
    if (!side) { this.choose(here.command); return; }
    const away = ({ at: [x, y] }) => {
      const [right, down] = [x - here.at[0], y - here.at[1]];
      const [ahead, aside] = [right * side[0] + down * side[1], right * side[1] + down * side[0]];
      return ahead > 0 ? ahead + 2 * Math.abs(aside) : Infinity;
    };
    const next = this.squares.reduce((best, one) => (away(one) < away(best) ? one : best), here);
    here.lit.setAttribute("tabindex", -1);
    next.lit.setAttribute("tabindex", 0);
    next.lit.focus();
  }

  tapped(command) {
    if (!this.dragged) this.choose(command);
  }

  // ---- looking closer

  watchFingers() {
    const fingers = new Map();
    let start = null;
    const measure = () => {
      const points = [...fingers.values()];
      const middle = { x: points.reduce((sum, p) => sum + p.x, 0) / points.length, y: points.reduce((sum, p) => sum + p.y, 0) / points.length };
      const apart = points.length > 1 ? Math.hypot(points[0].x - points[1].x, points[0].y - points[1].y) : 0;
      return { middle, apart, box: { ...this.box } };
    };
    this.house.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button")) return;
      if (!fingers.size) this.dragged = false;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      start = measure();
    });
    this.house.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const now = measure();
      if (Math.hypot(now.middle.x - start.middle.x, now.middle.y - start.middle.y) > 8 || Math.abs(now.apart - start.apart) > 8) this.dragged = true;
      if (!this.dragged) return;
      const zoom = now.apart && start.apart ? now.apart / start.apart : 1;
      this.look(start.box, zoom, start.middle, now.middle);
    });
    for (const event of ["pointerup", "pointercancel", "pointerleave"]) {
      this.house.addEventListener(event, ({ pointerId }) => { fingers.delete(pointerId); if (fingers.size) start = measure(); });
    }
    this.house.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // a wheel alone scrolls the page; two fingers on a touchpad come with this key
      event.preventDefault();
      this.look({ ...this.box }, event.deltaY < 0 ? 1.15 : 1 / 1.15, { x: event.clientX, y: event.clientY }, { x: event.clientX, y: event.clientY });
    }, { passive: false });
    this.fit = this.house.querySelector(".fit");
    this.fit.addEventListener("click", () => { this.box = { ...this.whole }; this.show(); });
  }

  look(box, zoom, from, to) {
    const area = this.house.getBoundingClientRect();
    const unit = Math.max(box.width / area.width, box.height / area.height);
    const width = Math.min(this.whole.width, Math.max(this.whole.width / MOST_ZOOM, box.width / zoom));
    const shrunk = width / box.width;
    const height = box.height * shrunk;
    const across = (x) => (x - area.left - area.width / 2) * unit + box.width / 2;
    const down = (y) => (y - area.top - area.height / 2) * unit + box.height / 2;
    const x = box.x + across(from.x) - across(to.x) * shrunk;
    const y = box.y + down(from.y) - down(to.y) * shrunk;
    this.box = {
      x: Math.max(this.whole.x, Math.min(x, this.whole.x + this.whole.width - width)),
      y: Math.max(this.whole.y, Math.min(y, this.whole.y + this.whole.height - height)), width, height,
    };
    this.show();
  }

  show() {
    const { x, y, width, height } = this.box;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.fit.hidden = width > this.whole.width - .01;
  }
}
