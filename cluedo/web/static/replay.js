"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const words = data.words;
  const last = data.turns.length - 1;
  const byId = (id) => document.getElementById(id);
  let turn = 0;
  let view = data.views[0];
  let timer = null;

  const element = (tag, className = "", ...children) => {
    const made = Object.assign(document.createElement(tag), { className });
    made.append(...children);
    return made;
  };
  const heading = (scope, className, text) => Object.assign(element("th", className, text), { scope });
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  function titleOf(at) {
    if (at === 0) return words.deal;
    return fill(words.turn, { turn: at, who: data.seats[data.who[at]].name });
  }

  function sentences(into, at) {
    for (const [seat, text] of view.log[at]) {
      const dot = element("span", "dot");
      if (seat !== null) dot.style.background = data.seats[seat].colour;
      into.append(element("p", "", ...(seat === null ? [] : [dot]), text));
    }
  }

  function showPawns() {
    const active = data.who[turn] === null ? -1 : data.seats[data.who[turn]].suspect;
    data.turns[turn].pawns.forEach(([x, y], suspect) => {
      const pawn = byId(`pawn-${suspect}`);
      pawn.style.transform = `translate(${x}px, ${y}px)`;
      pawn.classList.toggle("active", suspect === active);
      pawn.classList.toggle("bystander", !data.seats.some((seat) => seat.suspect === suspect));
    });
  }

  function showWeapons() {
    data.turns[turn].weapons.forEach(([x, y], weapon) => {
      byId(`weapon-${weapon}`).style.transform = `translate(${x}px, ${y}px)`;
    });
  }

  function showBars() {
    const bars = byId("bars");
    const most = Math.max(...view.left.map(([, values]) => Math.max(...values.map((count) => count ?? 1))), 2);
    while (bars.children.length > view.left.length) bars.lastChild.remove();
    view.left.forEach(([seat, values], index) => {
      let bar = bars.children[index];
      if (!bar) {
        bar = element("div", "meter", element("span", "who"), element("span", "track", element("div", "fill")), element("span", "value"));
        bars.append(bar);
      }
      const envelopes = values[turn];
      bar.children[0].textContent = data.seats[seat].name;
      bar.children[0].title = `${data.seats[seat].name} (${data.seats[seat].player})`;
      bar.children[1].firstChild.style.width = `${(Math.log(envelopes ?? most) / Math.log(most)) * 100}%`;
      bar.children[1].firstChild.style.background = data.seats[seat].colour;
      bar.children[2].textContent = fill(words.left, { count: envelopes?.toLocaleString(data.language) ?? "?" });
    });
  }

  function cellText(value) {
    if (view.seat === null) return value === 100 ? "✓" : "";
    if (value === 100) return "✓";
    if (value === 0) return "✗";
    if (value < 0) return "?";
    if (value < 1) return "<1";
    return value > 99 ? ">99" : String(value);
  }

  function showSheet() {
    const sheet = view.sheets[view.sheetAt[turn]];
    const before = turn > 0 ? view.sheets[view.sheetAt[turn - 1]] : sheet;
    const columns = data.places.length;
    const heads = data.places.map((place, column) => heading("col", column - 1 === view.seat ? "me" : "", element("span", "upright", place)));
    const body = element("tbody");
    data.categories.forEach(([start, stop], category) => {
      const label = Object.assign(heading("colgroup", "", words.categories[category]), { colSpan: columns + 1 });
      body.append(element("tr", "kind", label));
      for (let card = start; card < stop; card += 1) {
        const row = element("tr", "", heading("row", "", data.cards[card]));
        for (let column = 0; column < columns; column += 1) {
          const at = card * columns + column;
          const value = sheet[at];
          const cell = element("td", value === 100 ? "yes" : value === 0 ? "no" : "", cellText(value));
          if (value > 0 && value < 100) cell.style.background = `color-mix(in srgb, var(--accent) ${value / 1.6}%, transparent)`;
          const proved = value === 100 || (value === 0 && before[at] !== 0);
          if (proved && value !== before[at]) cell.classList.add("new");
          row.append(cell);
        }
        body.append(row);
      }
    });
    byId("sheet").replaceChildren(element("thead", "", element("tr", "", element("td"), ...heads)), body);
  }

  function writeLog() {
    const items = data.turns.map((_, at) => {
      const go = Object.assign(element("button", "", titleOf(at)), { type: "button" });
      go.addEventListener("click", () => { stop(); show(at); });
      const item = element("li", "", go);
      sentences(item, at);
      return item;
    });
    byId("log").replaceChildren(...items);
  }

  function showLog() {
    const now = byId("now");
    now.replaceChildren();
    sentences(now, turn);
    now.scrollTo({ left: now.scrollWidth, top: now.scrollHeight, behavior: "instant" });  // where not all fits, the end says most
    const log = byId("log");
    for (const [at, item] of [...log.children].entries()) {
      item.hidden = at > turn;
      item.className = at === turn ? "here" : "";
    }
    log.scrollTop = log.scrollHeight;
  }

  function show(at) {
    turn = Math.min(Math.max(at, 0), last);
    if (byId("house")) {
      showPawns();
      showWeapons();
    }
    showBars();
    showSheet();
    showLog();
    byId("turn-title").textContent = `${titleOf(turn)} (${fill(words.of, { turn, turns: last })})`;
    byId("jump").value = turn;
    byId("jump").setAttribute("aria-valuetext", titleOf(turn));
    const held = document.activeElement;
    byId("first").disabled = byId("back").disabled = turn === 0;
    byId("last").disabled = byId("forward").disabled = turn === last;
    if (held.disabled) byId("jump").focus(); // a button at its end gives the keyboard on
    if (turn === last) stop();
  }

  function label(playing) {
    const button = byId("play");
    button.classList.toggle("runs", playing);
    button.setAttribute("aria-label", playing ? words.pause : words.play);
  }

  function stop() {
    if (timer !== null) clearInterval(timer);
    timer = null;
    label(false);
  }

  function play() {
    if (timer !== null) {
      stop();
      return;
    }
    if (turn === last) show(0);
    timer = setInterval(() => show(turn + 1), Number(byId("speed").value));
    label(true);
  }

  function see(index) {
    view = data.views[index];
    document.querySelectorAll(".review").forEach((section, at) => { section.hidden = at !== index; });
    writeLog();
    show(turn);
  }

  const steps = {
    ArrowLeft: () => turn - 1, ArrowRight: () => turn + 1, PageUp: () => turn - 5, PageDown: () => turn + 5,
    Home: () => 0, End: () => last,
  };
  /** Whether keys scroll what has the focus. */
  const scrolls = (target) => {
    const part = target.closest("[tabindex]");
    return part && (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight);
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select") || scrolls(event.target)) return;
    if (event.key === " " && event.target.closest("button")) return;
    if (event.key === " ") play();
    else if (event.key in steps) {
      stop();
      show(steps[event.key]());
    } else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => { // what a review says of a turn leads there
    const told = event.target.closest("[data-turn]");
    if (!told) return;
    stop();
    show(Number(told.dataset.turn));
    document.querySelector(".stage").scrollIntoView({ behavior: "instant" });
  });
  byId("first").addEventListener("click", () => { stop(); show(0); });
  byId("back").addEventListener("click", () => { stop(); show(turn - 1); });
  byId("play").addEventListener("click", play);
  byId("forward").addEventListener("click", () => { stop(); show(turn + 1); });
  byId("last").addEventListener("click", () => { stop(); show(last); });
  byId("jump").max = last;
  byId("jump").addEventListener("input", (event) => { stop(); show(Number(event.target.value)); });
  byId("speed").addEventListener("change", () => { if (timer !== null) { stop(); play(); } });

  let touched = null;
  const house = byId("house") ?? byId("now");
  house.addEventListener("touchstart", (event) => { touched = event.changedTouches[0]; }, { passive: true });
  house.addEventListener("touchend", (event) => {
    const end = event.changedTouches[0];
    const across = end.clientX - touched.clientX;
    if (Math.abs(across) < 40 || Math.abs(across) < 2 * Math.abs(end.clientY - touched.clientY)) return;
    stop();
    show(turn + (across < 0 ? 1 : -1));
  });

  data.views.forEach((one, index) => {
    const option = element("option", "", one.name);
    option.value = index;
    byId("view").append(option);
  });
  byId("view").addEventListener("change", (event) => see(Number(event.target.value)));
  const named = /^#(\d+)$/.exec(location.hash);
  writeLog();
  show(named ? Number(named[1]) : 0);
})();
