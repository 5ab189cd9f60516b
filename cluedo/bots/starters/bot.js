// A bot in JavaScript (Node.js, nothing to install): it listens to every question at the table, and beats the level medium.
//
//     cluedo autoplay --players "exec:node bot.js,medium,medium,medium"
// The protocol is described in docs/reference/bot-protocol.md.
"use strict";

class Sleuth {
  // Notes where each card may be: with which of the seats, in the pool, face up, or in the envelope.
  constructor(game) {
    Object.assign(this, { seat: game.seat, players: game.players, hand: game.hand, rules: game.rules, grid: game.map.grid || [] });
    [this.pool, this.envelope] = [game.players.length, game.players.length + 2];
    this.sizes = [...game.players.map((player) => player.cards), game.pool, game.open_cards.length];
    this.kinds = [game.deck.suspects, game.deck.weapons, game.deck.rooms];
    this.cards = this.kinds.flat();
    Object.assign(this, { shown: [], shownTo: new Set(), lookedAt: new Set() }); // shown: [place, cards], one at least is there
    this.chance = parseInt(game.seed.slice(0, 8), 16);
    this.roomOf = new Map(game.map.rooms.map((room) => [room.symbol, room.name]));
    const others = [...this.sizes.keys(), this.envelope].filter((place) => place !== this.seat);
    const dealt = (card) => (game.hand.includes(card) ? [this.seat] : game.open_cards.includes(card) ? [this.pool + 1] : others);
    this.may = new Map(this.cards.map((card) => [card, new Set(dealt(card))]));
    this.conclude();
  }

  hear(events) {
    for (const event of events) {
      if (event.type === "hypothesis") this.asked = event.cards;
      else if (event.type === "pass") this.asked.forEach((card) => this.may.get(card).delete(event.seat));
      else if (event.type === "show") this.shown.push([event.seat, event.card === undefined ? this.asked : [event.card]]);
      else if (event.type === "hand") event.cards.forEach((card) => this.shown.push([event.seat, [card]]));
      else if (event.type === "peek" && event.card) { this.shown.push([this.pool, [event.card]]); this.lookedAt.add(event.position); }
    }
    this.conclude();
  }

  // Three simple rules, repeated until they say nothing new.
  conclude() {
    const size = () => this.cards.reduce((sum, card) => sum + this.may.get(card).size, 0);
    for (let before = -1; before !== size(); ) {
      before = size();
      for (const [place, some] of this.shown) {
        const left = some.filter((card) => this.may.get(card).has(place));
        if (left.length === 1) this.may.set(left[0], new Set([place]));
      }
      this.sizes.forEach((size, place) => this.fill(place, this.cards, size));
      this.kinds.forEach((kind) => this.fill(this.envelope, kind, 1));
    }
  }

  // This place holds so many of these cards.
  fill(place, cards, size) {
    const possible = cards.filter((card) => this.may.get(card).has(place));
    const sure = possible.filter((card) => this.may.get(card).size === 1);
    for (const card of possible) {
      if (possible.length === size) this.may.set(card, new Set([place]));
      else if (sure.length === size && !sure.includes(card)) this.may.get(card).delete(place);
    }
  }

  open(kind) {
    return kind.filter((card) => this.may.get(card).has(this.envelope));
  }

  // Cards that may be in the envelope; where that is settled, those that nobody else can show.
  named(kind) {
    const unknown = this.open(kind);
    const safe = kind.filter((card) => [...this.may.get(card)].every((at) => at === this.seat || at >= this.pool));
    return unknown.length > 1 ? unknown : safe.length ? safe : kind;
  }

  // Chance comes from the game's own seed, so that the same game is played the same way again.
  pick(list) {
    this.chance = (Math.imul(this.chance, 1664525) + 1013904223) >>> 0;
    return list[Math.floor((this.chance / 4294967296) * list.length)];
  }

  // The rooms to go to; not the one that is used up, where nothing may be asked yet.
  wanted(state) {
    const unused = (room) => room !== state.used[this.seat];
    const rooms = this[this.rules.accuse_in === "room" ? "open" : "named"](this.kinds[2]).filter(unused);
    return rooms.length ? rooms : this.kinds[2].filter(unused);
  }

  choose_move(allowed, state) {
    const wanted = this.wanted(state);
    if (wanted.includes(state.pawns[this.players[this.seat].suspect])) return { type: "stay" };
    if (wanted.includes(allowed.secret_passage)) return { type: "secret_passage" };
    return allowed.roll ? { type: "roll" } : this.choose_walk(allowed, state);
  }

  choose_walk(allowed, state) {
    if (!allowed.move.length) return { type: "stay" };
    const wanted = this.wanted(state);
    const steps = this.steps(wanted);
    const far = (place) => (wanted.includes(place) ? 0 : steps.get(String(place)) ?? 999);
    const nearest = Math.min(...allowed.move.map(far));
    return { type: "move", to: this.pick(allowed.move.filter((place) => far(place) === nearest)) };
  }

  // By corridor square, the steps from there to the nearest door of these rooms.
  steps(rooms) {
    const corridor = (sign) => sign === "." || /^[a-z]$/.test(sign || "");
    const edge = [];
    const door = (sign) => /[a-z]/.test(sign) && rooms.includes(this.roomOf.get(sign.toUpperCase()));
    this.grid.forEach((row, y) => [...row].forEach((sign, x) => door(sign) && edge.push([x, y])));
    const steps = new Map(edge.map((at) => [String(at), 1]));
    for (const [x, y] of edge) // it grows while it is gone through
      for (const at of [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]])
        if (!steps.has(String(at)) && corridor(this.grid[at[1]]?.[at[0]])) {
          steps.set(String(at), steps.get(String([x, y])) + 1);
          edge.push(at);
        }
    return steps;
  }

  choose_hypothesis(allowed) {
    const cards = [...this.kinds.slice(0, 2).map((kind) => this.pick(this.named(kind))), allowed.rooms[0]];
    return allowed.not_all_own && cards.every((card) => this.hand.includes(card)) ? null : { type: "hypothesis", cards };
  }

  // A card that this asker has seen before, if there is one: it learns nothing new.
  choose_card(allowed) {
    const again = allowed.show.filter((card) => this.shownTo.has(allowed.to + card));
    const card = this.pick(again.length ? again : allowed.show);
    this.shownTo.add(allowed.to + card);
    return { type: "show", card };
  }

  choose_peek(allowed) {
    const unseen = allowed.positions.filter((position) => !this.lookedAt.has(position));
    return unseen.length ? { type: "peek", position: this.pick(unseen) } : null;
  }

  choose_accusation(allowed) {
    const left = this.kinds.map((kind) => this.open(kind));
    const sure = left.every((cards) => cards.length === 1) && allowed.rooms.includes(left[2][0]);
    return sure ? { type: "accusation", cards: left.flat() } : null;
  }
}

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
let bot;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "hello", protocol: 1, name: "my bot in JavaScript", version: "1" });
  if (message.type === "game") bot = new Sleuth(message);
  if (message.type !== "question") return;
  bot.hear(message.events);
  say({ id: message.id, answer: bot["choose_" + message.ask]?.(message.allowed, message.state) ?? null }); // null: unknown
});
