// A program of the Speed Clue contest that takes nothing but what the contest sends; usage and manners as of strict.py.
// It keeps one set of tables for all games, which it clears at each reset.
"use strict";
const assert = require("assert");
const fs = require("fs");
const net = require("net");

const [ident, port] = process.argv.slice(-2);
const manners = process.argv.slice(2, -2);
const kinds = ["Gr Mu Pe Pl Sc Wh", "Ca Kn Pi Re Ro Wr", "Ba Bi Co Di Ha Ki Li Lo St"].map((row) => row.split(" "));
const holder = new Map(kinds.flat().map((card) => [card, null])); // by card, who is known to hold it
const asked = new Set();
const end = manners.includes("nul") ? "\0" : manners.includes("line") ? "\n" : "";
let players = 0, me = 0, games = 0, active = -1, over = false, showed = null;

const known = (card) => {
  assert(holder.has(card), `no card is called ${card}`);
  return holder.get(card);
};
const mine = (cards) => cards.filter((card) => known(card) === me);
const open = (cards) => cards.filter((card) => known(card) === null);
const any = (cards) => cards[Math.floor(Math.random() * cards.length)];

const answers = {
  reset(count, index, ...hand) {
    players = Number(count);
    me = Number(index);
    assert.strictEqual(hand.length, Math.floor(18 / players) + (18 % players > me ? 1 : 0));
    for (const card of holder.keys()) holder.set(card, null);
    hand.forEach((card) => { assert.strictEqual(known(card), null); holder.set(card, me); });
    asked.clear();
    games += 1;
    over = false;
    active = -1;
    return "ok";
  },
  suggest() {
    assert(!over);
    let from = kinds.map((cards) => (open(cards).length ? open(cards) : cards));
    let said = from.map(any).join(" ");
    while (asked.has(said)) said = (from = kinds).map(any).join(" ");
    asked.add(said);
    return `suggest ${said}`;
  },
  disprove(asker, ...three) {
    assert.notStrictEqual(Number(asker), me);
    assert(mine(three).length > 1);
    showed = any(mine(three));
    return `show ${showed}`;
  },
  suggestion(asker, suspect, weapon, room, shower, card) {
    const three = [suspect, weapon, room];
    assert.deepStrictEqual(three.map((said) => kinds.findIndex((cards) => cards.includes(said))), [0, 1, 2]);
    assert(!over);
    active = Number(asker);
    const told = shower !== "-" && (active === me || Number(shower) === me);
    assert.strictEqual(card !== undefined, told);
    if (told) {
      assert(three.includes(card));
      assert(showed === null || showed === card);
      if (active === me) holder.set(card, Number(shower));
    }
    if (shower === "-" && active !== me) assert.strictEqual(mine(three).length, 0);
    showed = null;
    return "ok";
  },
  accuse() {
    assert.strictEqual(active, me);
    const left = kinds.map(open);
    const sure = left.every((cards) => cards.length === 1);
    return sure || manners.includes("rash") ? `accuse ${left.map((cards) => cards[0]).join(" ")}` : "-";
  },
  accusation(player, suspect, weapon, room, verdict) {
    assert.strictEqual(Number(player), active);
    assert(!over);
    assert(["+", "-"].includes(verdict));
    over = verdict === "+";
    if (over) assert.strictEqual(open([suspect, weapon, room]).length, 3);
    return "ok";
  },
  done: () => "dead",
};

const log = fs.openSync(`${ident}.log`, "wx");
const channel = net.connect(Number(port), "127.0.0.1", () => channel.write(`${ident} alive${end}`));
channel.on("data", (data) => {
  assert(data.length <= 512);
  const message = data.toString("ascii").replace(/\0$/, "");
  assert(/^[A-Za-z0-9+-]+( [A-Za-z0-9+-]+)*$/.test(message), JSON.stringify(message));
  fs.writeSync(log, `${message}\n`);
  const [word, ...rest] = message.split(" ");
  assert(Object.hasOwn(answers, word));
  const answer = answers[word](...rest) + end;
  setTimeout(() => {
    channel.write(answer);
    if (word === "done") channel.end();
  }, manners.includes("slow") && games === 1 ? 10 : 0);
});
