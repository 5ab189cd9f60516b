// The sheet: what was seen fills itself in; the rest is the player's, sign by sign, with notes.

import { fill, make } from "./page.js";
import { dot, picture } from "./pictures.js";
import { enterSheet } from "./sheet_keys.js";

const SIGNS = ["", "✓", "✗", "?"];

/** Writes a mark or a note into a sheet as the server tells it, if it tells one; what was seen stays. */
export function putMark(sheet, { card, column, sign, note }) {
  if (!sheet) return;
  if (note !== undefined) sheet.notes[card] = note;
  else if (!sheet.cells.some(([row, place,, seen]) => row === card && place === column && seen)) sheet.cells.push([card, column, sign, 0]);
}

export class Sheet {
  constructor(table, setting, words, write, note) {
    Object.assign(this, { table, setting, words, write, note, signs: new Map(), known: new Map(), buttons: new Map() });
    this.heads = [words.envelope, ...setting.names];
    this.lay();
  }

  lay() {
    const head = make("tr", {}, make("td"));
    this.heads.forEach((name, column) => {
      const cell = make("th", { scope: "col" });
      if (column) cell.append(dot(this.setting.colours[this.setting.suspects[column - 1]]));
      else cell.append(make("span", { ariaHidden: "true", textContent: "✉" }), make("br"));
      const short = make("span", { ariaHidden: "true", textContent: [...name].slice(0, 3).join("") });
      cell.append(short, make("span", { className: "unseen", textContent: name }));
      head.append(cell);
    });
    this.table.replaceChildren(make("thead", {}, head));
    for (const [title, start, stop] of this.setting.categories) {
      const body = make("tbody", {}, make("tr", { className: "kind" }, make("th", { scope: "colgroup", colSpan: this.heads.length + 1, textContent: title })));
      for (let card = start; card < stop; card++) body.append(this.row(card));
      this.table.append(body);
    }
    enterSheet();
  }

  row(card) {
    const name = make("button", { type: "button", className: "card-name", textContent: this.setting.cards[card] });
    name.onclick = () => this.note(card);
    this.buttons.set(`${card},-1`, name);
    const row = make("tr", {}, make("th", { scope: "row" }, name));
    for (let column = 0; column < this.heads.length; column++) {
      const button = make("button", { type: "button", className: "cell" });
      button.onclick = () => this.cycle(card, column);
      this.buttons.set(`${card},${column}`, button);
      row.append(make("td", {}, button));
    }
    return row;
  }

  show(sheet, hand) {
    const before = this.known;
    this.known = new Map(sheet.cells.map(([card, column, sign, seen]) => [`${card},${column}`, { sign, seen }]));
    this.notes = sheet.notes;
    for (const [at, button] of this.buttons) {
      const [card, column] = at.split(",").map(Number);
      if (column < 0) {
        button.classList.toggle("mine", hand.includes(card));
        button.title = this.notes[card] ?? "";
        button.replaceChildren(picture(this.setting, card), this.setting.cards[card], ...(this.notes[card] ? [make("span", { className: "has-note", textContent: " *" })] : []));
        continue;
      }
      const cell = this.known.get(at) ?? { sign: "", seen: 0 };
      const was = before.get(at);
      button.parentElement.classList.toggle("fresh", before.size > 0 && Boolean(cell.seen) && !was?.seen);
      this.draw(button, card, column, cell);
    }
  }

  draw(button, card, column, { sign, seen }) {
    button.textContent = sign;
    button.className = seen ? `cell ${sign === "✓" ? "yes" : "no"}` : "cell";
    button.setAttribute("aria-disabled", seen ? "true" : "false");
    button.setAttribute("aria-label", fill(this.words.sheet_cell, { card: this.setting.cards[card], who: this.heads[column], sign: sign || this.words.nothing }));
  }

  cycle(card, column) {
    const at = `${card},${column}`;
    const cell = this.known.get(at) ?? { sign: "", seen: 0 };
    if (cell.seen) return;
    const sign = SIGNS[(SIGNS.indexOf(cell.sign) + 1) % SIGNS.length];
    this.known.set(at, { sign, seen: 0 });
    this.draw(this.buttons.get(at), card, column, { sign, seen: 0 });
    this.write({ card, column, sign });
  }

  /** What stands in the envelope's column, for who chooses cards. */
  remark(card) {
    return this.known.get(`${card},0`)?.sign ?? "";
  }
}
