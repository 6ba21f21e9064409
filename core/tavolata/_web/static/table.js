"use strict";
// The page of a seat. It draws scenes and sends what is tapped. It knows forms and regions, but no game and no rules;
// all texts come from the host, and are set as text, never as HTML.

const WORDS = JSON.parse(document.body.dataset.words);
const SCREEN = !!document.body.dataset.screen;
const GIVEN_UP = 6; // seconds without a connection after which the page names other machines
const ASLEEP = 120; // seconds without a connection after which the page says how to wake the machine
const MUTE = 20000; // milliseconds without a word after which a machine is silent: it says something every eight seconds
const TRAIN = 400; // milliseconds: taps that are closer are one train, and what is new can't be meant for so long
const $ = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let socket = null;
let state = null;
let host = document.body.dataset.host; // whose machine this is; the newest state says it, and the link, anew
let door = JSON.parse(document.body.dataset.link); // the link for others, and the rows of its QR code
let waits = 500;
let comes = false; // this person has tapped to be back at the table
let over = null; // why this person is at the table no more, as the machine has said it
let asked = ["", 0]; // the question on view, and when it was drawn first
let taps = { place: "", on: null, last: 0 }; // the train of taps: where, and the question on which it began
let pressed = null; // on what the finger is that is down now, and since when
let deeds = ["", 0]; // what may be done about the next step, and when it was drawn first
let opened = { id: null, at: 0 }; // the reaction window on view, and when its card was painted
let cue = { key: "", tallies: "", at: 0, counts: false }; // the verdict on view, since when, and whether its cards are counted now
let rehearsed = null; // what a match shows, each thing at its largest, by its rehearsal
let stage = null; // the place of everything in this match, at this size; null where each thing has the room that it needs now
let page = 0; // which choices are on view, where they are too many for the room
let story = ""; // the newest sentence that was read aloud
let sought = ""; // what has come into view last, of a board that is higher than its room
let onBoard = false; // the final board is on view in place of the result
let sheet = ""; // which sheet is open
let loud = null; // the sound, once it was switched on by a tap
let lock = null;
let lost = 0; // when the connection was lost; 0 while it is there
let heard = 0; // when the machine was heard last
let looks = null; // the next look for the machine
let rulebook = null; // the rules of the game, once they were asked for
let draft = { name: null, hue: null, mark: null }; // what is changed of the own name and look

const tab = (() => {
  try {
    const kept = sessionStorage.getItem("tab") || String(Math.random()).slice(2);
    sessionStorage.setItem("tab", kept);
    return kept;
  } catch {
    return String(Math.random()).slice(2);
  }
})();

// -- small tools ---------------------------------------------------------------------------------

function el(tag, cls = "", text = null, ...inside) {
  const made = document.createElement(tag);
  if (cls) made.className = cls;
  if (text !== null && text !== undefined) made.textContent = bound(text);
  made.append(...inside.filter(Boolean));
  return made;
}

// A number stays in one line with its unit, which is a sign or a word of one or two letters.
function bound(text) {
  return String(text).replace(/(\d) (?=(?:\p{L}{1,2}|[%€$£¥°])(?![\p{L}\d_]))/gu, "$1\u00a0");
}

// Televisions lack what browsers have for these two: they'd leave the page blank.
function put(box, ...inside) {
  box.textContent = "";
  box.append(...inside);
}

function newest(list) {
  return list[list.length - 1];
}

function button(cls, text, does, label = "") {
  const made = el("button", cls, text);
  made.type = "button";
  if (label) made.setAttribute("aria-label", label);
  if (does) made.onclick = does;
  return made;
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

function send(act, said = {}) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: act, ...said }));
}

// How long something was on view before the act that is carried out now: a tap begins as the finger goes down.
function stood(moment) {
  return (pressed ? pressed.at : performance.now()) - moment;
}

function answer(act, said = {}) {
  // A tap counts for what was on view when its train began, as a key does (KeyTrigger).
  const [now, place] = [performance.now(), JSON.stringify([act, said])];
  if (place !== taps.place || now - taps.last >= TRAIN) taps = { place, on: stood(asked[1]) >= TRAIN ? asked[0] : null };
  taps.last = now;
  if (state.question && taps.on === state.question) send(act, { question: state.question, ...said });
}

function panel(seat) {
  return (state.scene.panels || []).find((one) => one.seat === seat);
}

function mark(seat) {
  const one = panel(seat);
  const made = el("span", "mark", one ? one.mark + " " : "");
  if (one) made.classList.add("hue" + one.hue);
  made.setAttribute("aria-hidden", "true");
  return made;
}

function region(id, children) {
  // Who was on a button stays on it: the one that stands for the same thing gets the focus again.
  const box = $(id);
  const focus = focused(box);
  const [left, top] = [box.scrollLeft, box.scrollTop];
  put(box, ...children.filter(Boolean));
  [box.scrollLeft, box.scrollTop] = [left, top];
  refocus(box, focus);
}

function focused(box) {
  return box.contains(document.activeElement) && document.activeElement.dataset.key;
}

function refocus(box, key) {
  if (key) [...box.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus();
}

function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function qr() {
  const [link, ...code] = door;
  const size = code.length;
  const made = svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": link });
  made.append(svg("rect", { width: size, height: size, fill: "#fff" }));
  const path = code.map((row, y) => [...row].map((one, x) => (one === "1" ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  made.append(svg("path", { d: path, fill: "#000" }));
  return made;
}

// How others join, as the newest state says it; nothing where this machine has no link.
function invitation(...words) {
  if (door.length < 2) return [];
  const shown = SCREEN ? door[0].replace(/^http:\/\/|\/\?.*$/g, "").replace(/:(?=\d+$)/, "\u200b:") : door[0]; // nobody types a key from a television
  const full = state && state.lobby && state.lobby.seats && !state.lobby.free;
  return [qr(), ...words, el("p", "link", shown, full && el("br"), full && WORDS.full)];
}

// -- cards ---------------------------------------------------------------------------------------

const PIPS = { A: [[50, 50]], 2: [[50, 22], [50, 78]], 3: [[50, 22], [50, 50], [50, 78]], 4: [[33, 22], [67, 22], [33, 78], [67, 78]] };
PIPS[5] = [...PIPS[4], [50, 50]];
PIPS[6] = [...PIPS[4], [33, 50], [67, 50]];
PIPS[7] = [...PIPS[6], [50, 36]];
PIPS[8] = [...PIPS[7], [50, 64]];
PIPS[9] = [...PIPS[4], [33, 41], [67, 41], [33, 59], [67, 59], [50, 50]];
PIPS[10] = [...PIPS[9].slice(0, 5), [33, 59], [67, 59], [67, 41], [50, 31], [50, 69]];
const FIGURES = { K: "♚", Q: "♛", J: "♞" };
const SUITS = "♠♥♦♣";

function card(one, size = "", option = null) {
  const made = option ? choice(option, "") : el("div");
  made.classList.add("card", ...(size ? [size] : []), ...(one.colour ? [one.colour] : []));
  if (one.new) made.classList.add("new");
  if (one.counted) made.classList.add("counted");
  if (!option) {
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", one.text || WORDS.hidden);
  } else made.setAttribute("aria-label", one.text || option.text);
  if (!one.text) {
    made.classList.add("back");
    return made;
  }
  if (!one.corner) {
    made.classList.add("words");
    made.append(el("span", "told", one.text));
    return made;
  }
  made.classList.toggle("wide", one.corner.length > 1);
  for (const corner of ["c1", "c2"]) made.append(el("span", corner, one.corner, el("span", "", one.sign)));
  if (one.title || one.tag) {
    made.classList.add("named");
    made.append(el("span", "told", one.title || ""), el("small", "", one.tag || ""));
    return made;
  }
  const places = one.sign && SUITS.includes(one.sign) ? PIPS[one.corner] : null;
  if (places) {
    for (const [x, y] of places) {
      const pip = el("span", "pip", one.sign);
      pip.style.left = x + "%";
      pip.style.top = y + "%";
      if (y > 50) pip.classList.add("down");
      made.append(pip);
    }
  } else {
    const figure = SUITS.includes(one.sign) ? FIGURES[one.corner] || one.corner : one.corner + (one.sign || "");
    made.append(el("span", "figure", null, el("span", figure.length > 1 ? "long" : "", figure)));
  }
  return made;
}

// -- choices -------------------------------------------------------------------------------------

function options() {
  return state.scene.decision.options || [];
}

function at(test) {
  // The choices that lie on a thing. Each is drawn there, and not in the list.
  return options().filter((one) => one.at && test(one.at));
}

function choice(option, text, cls = "") {
  const place = option.number - 1;
  const several = state.scene.decision.kind === "several";
  const on = several ? option.order > 0 : place === state.scene.decision.pointed;
  const made = button(cls, text, () => {
    made.classList.add("tapped"); // until the host's answer is here: a slow network shall not look like a deaf page
    return option.can ? answer("point", { at: place }) : open("cannot");
  });
  made.dataset.key = "choice" + place;
  made.dataset.choice = place;
  made.classList.add("choice");
  if (option.colour) made.classList.add("of-" + option.colour);
  if (on) made.classList.add("on");
  if (!option.can) made.classList.add("no");
  if (option.mood) made.classList.add(option.mood);
  made.setAttribute("aria-pressed", on);
  made.setAttribute("aria-label", option.text + (option.can ? "" : ", " + WORDS.cannot) + (option.order ? `, ${option.order}` : ""));
  if (several && option.order) made.append(el("span", "order", option.order));
  return made;
}

// -- items of the board --------------------------------------------------------------------------

const DRAW = {
  lanes: (item) => lanes(item),
  grid: (item) => {
    const made = el("div", "grid" + (item.hexagonal ? " hexagonal" : ""));
    const [down, across] = item.labels || [[], []];
    const wide = Math.max(1, ...(item.cells || []).map((row) => row.length));
    made.style.setProperty("--across", wide);
    const on = at((place) => place.zone === item.id && place.cells);
    const worded = item.words && wide * 58 <= $("board").clientWidth; // six letters in a cell of a small phone
    if (item.words) made.classList.add(worded ? "worded" : "signs");
    const line = (label, ...cells) => made.append(el("div", "cells", null, down.length ? el("span", "side", label) : null, ...cells));
    if (across.length) {
      line("", ...across.map((label, x) => {
        const option = on.find((one) => one.at.cells.length > 1 && one.at.cells.some((cell) => cell[1] === x));
        return option ? choice(option, label, "cell") : el("span", "cell head", label);
      }));
    }
    (item.cells || []).forEach((row, y) => line(down[y], ...row.map((cell, x) => {
      const option = on.find((one) => one.at.cells.length === 1 && one.at.cells[0][0] === y && one.at.cells[0][1] === x);
      const box = option ? choice(option, (worded ? cell.name : cell.short) || "", "cell") : el("span", "cell", (worded ? cell.name : cell.short) || "");
      if (cell.colour) box.classList.add("of-" + cell.colour);
      if (cell.colour && !cell.ground && signs(cell.short) === 1) box.classList.add("piece");
      for (const state of ["ground", "new"]) if (cell[state]) box.classList.add(state);
      if (cell.more) box.append(el("sup", "", "+" + cell.more));
      if (cell.text && !option) box.setAttribute("role", "img");
      if (cell.text) box.setAttribute("aria-label", option ? `${option.text}, ${cell.text}` : cell.text);
      return box;
    })));
    return item.words && !worded ? el("div", "", null, made, DRAW.rows(item)) : made;
  },
  fan: (item) => cards(item, "big"),
  hand: (item) => cards(item, ""),
  backs: (item) => el("div", "fan", null, item.count ? card({}, "small") : null, el("b", "", item.count || WORDS.empty)),
  row: (item) => el("div", "", null, el("div", "fan apart", null, ...(item.row || []).map(part)), words(item)),
  coins: (item) => {
    const made = el("div", "coins");
    for (let n = 0; n < (item.number || 0); n++) made.append(el("i"));
    made.append(el("b", "", item.text || String(item.number)));
    return made;
  },
  number: (item) => el("div", "number", item.text || String(item.number)),
  rows: (item) => {
    const made = el("div", "rows");
    for (const row of item.rows || []) {
      made.append(el("span", row.colour ? "of-" + row.colour : "", null, el("b", "", row.label), el("span", "", " " + row.value)));
    }
    return made;
  },
  words: (item) => words(item),
};

// A part of a row: its cards one beside the other, or how many where they are more than there's room for.
function part([n, of]) {
  const one = () => card({ text: of, corner: of }, "lapped");
  const made = el("div", "fan", null, ...(n > 4 ? [el("b", "", n + " ×"), one()] : Array.from({ length: n }, one)));
  made.setAttribute("aria-hidden", "true"); // the words say it
  return made;
}

function words(item) {
  return el("p", "text", item.text || "–");
}

function cards(item, size) {
  const seen = (item.cards || []).slice(size === "big" ? -4 : 0);
  const made = el("div", "fan " + size, null, ...seen.map((one) => {
    const [option] = at((place) => place.card === one.card);
    return card(one, size, option);
  }));
  const hidden = (item.count || 0) - (item.cards || []).length;
  if (!seen.length && item.count) made.append(card({}, size));
  if (hidden > 0) made.append(el("b", "", hidden));
  if (!seen.length && !item.count) made.append(el("span", "quiet", "–"));
  return made;
}

function lanes(item) {
  const made = el("div", "lanes");
  // A telephone has no room for the columns that are free.
  const used = (item.columns || []).map((_, n) => n).filter((n) => wide() || (item.lanes || []).some((lane) => (lane.columns || [])[n] !== "–"));
  const columns = used.map((n) => item.columns[n]);
  const some = at((place) => place.zone === item.id && place.thing);
  if (some.length || bears(item.id)) made.classList.add("acted");
  if (some.length && (item.lanes || []).length > 4) made.classList.add("many");
  if (some.length && columns.length > 1) made.classList.add("crowded");
  const head = el("div", "lane head", null, el("span"), el("span", "", item.title));
  for (const title of columns) head.append(el("span", "", title));
  made.append(head);
  made.style.setProperty("--columns", Math.max(1, columns.length + (some.length ? 1 : 0)));
  for (const lane of item.lanes || []) {
    const row = el("div", "lane");
    row.classList.add("of-" + (lane.colour || "grey"));
    const run = el("div", "run");
    for (const [square, text] of Object.entries(item.marks || {})) {
      const part = square / Math.max(1, item.length);
      const sign = el("span", part > 0.9 ? "post late" : "post", made.children.length > 1 ? "" : text); // said once
      sign.style.left = 100 * part + "%";
      run.append(sign);
    }
    if (lane.square !== undefined) {
      const horse = el("span", "horse", lane.letter);
      horse.style.left = (88 * lane.square) / Math.max(1, item.length) + "%";
      if (lane.was !== undefined) horse.classList.add("new");
      run.append(horse);
    }
    const name = el("span", "name", lane.text.replace(` (${lane.letter})`, ""));
    row.append(name, run);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", [lane.text, lane.square ?? "–", ...used.map((n) => `${item.columns[n]} ${(lane.columns || [])[n] || ""}`)].join(", "));
    for (const n of used) row.append(el("span", "value", (lane.columns || [])[n]));
    const own = some.filter((one) => one.at.thing === lane.thing);
    if (some.length) {
      const acts = el("span", "acts");
      for (const one of own) acts.append(choice(one, one.at.column || (one.at.square !== undefined ? "→ " + one.at.square : lane.letter)));
      row.append(acts);
      if (own.length) row.classList.add("acting");
    }
    made.append(row);
  }
  return made;
}

// Whether choices may lie on the tokens of a track in this match.
function bears(zone) {
  return !!rehearsed && rehearsed.asks.some((ask) => (ask.options || []).some((one) => one.at && one.at.zone === zone && one.at.thing));
}

function drawn(item) {
  const made = el("div", "item " + item.role + (item.about ? " about" : "") + (item.new ? " new" : "") + (item.gone ? " gone" : ""));
  const inside = el("div", "inside");
  made.dataset.slot = item.slot;
  if (item.draw !== "lanes" || item.gone) inside.append(el("h2", "", item.title));
  if (!item.gone) inside.append((DRAW[item.draw] || words)(item));
  if (item.delta) inside.append(delta(item.delta));
  if (stage && stage.rows) made.style.gridRow = stage.rows.indexOf(item.slot) + 1;
  made.append(inside);
  return made;
}

// A small fact. In a match it has the room of its longest text.
function aside(item) {
  const made = el("span", (item.new ? "new" : "") + (item.about ? " about" : ""));
  if (!item.gone) made.append(item.title ? item.title + " " : "", el("b", "", brief(item)));
  const size = stage && stage.rows && stage.slots[item.slot];
  if (size || !(stage && stage.rows)) made.dataset.slot = item.slot;
  else if (stage && stage.rows) made.className += " spare";
  if (size) [made.style.width, made.style.height] = size.map((one) => one + "px");
  return made;
}

function delta(number) {
  return el("span", "delta " + (number > 0 ? "up" : "down"), (number > 0 ? "+" : "−") + Math.abs(number)); // marks are shapes
}

// -- regions -------------------------------------------------------------------------------------

function drawStatus() {
  const status = state.scene.status;
  const facts = (state.scene.phase === "lobby" ? [] : status.facts || []).map(([title, text]) => (title ? title + " " : "") + text).join(" · ");
  const mine = status.seat !== undefined && status.seat === state.scene.seat && state.scene.phase !== "end";
  const menu = keyed(button("plain", "☰", () => open("menu"), WORDS.menu), "menu");
  region("status", [
    el("h1", "", status.title),
    el("span", "facts", facts),
    status.clock ? el("span", "clock", status.clock) : null,
    status.who ? el("span", "turn" + (mine ? " mine" : ""), status.who) : null,
    menu,
  ]);
}

function drawPlayers() {
  const panels = state.scene.phase === "lobby" ? [] : state.scene.panels || [];
  region("players", panels.map((one) => {
    const options = at((place) => place.seat === one.seat);
    const made = options.length ? choice(options[0], "") : el("div");
    made.classList.add("player", "hue" + one.hue, one.state);
    if (one.kind === "you") made.classList.add("you");
    made.append(el("span", "mark", one.mark), el("span", "name", one.name, light((state.lights || [])[one.seat])));
    const more = el("div", "more");
    if (one.main) {
      const goal = one.main.goal || 0;
      const text = one.main.draw === "pips" && goal ? "✗".repeat(Math.max(0, one.main.number)) + "·".repeat(Math.max(0, goal - one.main.number)) : one.main.text;
      const main = el("span", "main", text);
      main.setAttribute("aria-label", `${one.main.title}: ${one.main.text}`);
      (SCREEN && main.textContent.length > 2 ? more : made).append(main); // beside a name it's a number of two digits
    }
    if (one.main && one.main.draw === "bar" && one.main.goal) {
      const bar = el("i");
      bar.style.width = Math.min(100, (100 * one.main.number) / one.main.goal) + "%";
      more.append(el("div", "bar", null, bar));
    }
    const hidden = []; // how many cards nobody sees: that comes first
    for (const value of one.more || []) {
      if (value.draw === "cards") {
        if (value.number) hidden.push(el("span", "", null, el("i", "tiny"), el("span", "", value.number)));
        for (const card of value.cards || []) {
          const mini = el("span", "mini " + (card.colour || "") + (card.new ? " new" : "") + (card.counted ? " counted" : ""), card.corner ? card.corner + card.sign : card.text);
          mini.setAttribute("aria-label", card.text);
          more.append(mini);
        }
      } else if (value.text) more.append(el("span", value.new ? "new" : "", value.text));
    }
    more.prepend(...hidden);
    for (const text of flowsOf(one.seat)) more.append(el("span", "flow", text));
    if (one.note) more.append(el("span", "quiet", one.note));
    made.append(more);
    if (one.main && one.main.delta) made.append(delta(one.main.delta));
    if (one.says) made.append(el("span", "bubble", one.says));
    return made;
  }));
}

/** What goes from a seat or comes to it in this moment; also a dot for a seat that it passes over. */
function flowsOf(seat) {
  const name = (other) => {
    const one = panel(other);
    return one ? `${one.mark} ${one.short || one.name}` : "";
  };
  return (state.scene.flows || []).flatMap((flow) => {
    if (flow.seat === seat) return [`${flow.n} → ${name(flow.to)}`];
    if (flow.to === seat) return [`${flow.n} ← ${name(flow.seat)}`];
    return (flow.over || []).includes(seat) ? ["· · ·"] : [];
  });
}

function light(number) {
  // Whether somebody is there: a full dot says nothing new, so only the others are drawn.
  if (!number) return null;
  const made = el("i", "light l" + number);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", WORDS.lights.split(", ")[number]);
  return made;
}

let arrived = 0; // when the state came: from there the page counts by itself

function count() {
  const gone = Math.floor((performance.now() - arrived) / 1000);
  const next = state.next;
  const number = next.left !== null ? Math.max(0, next.left - gone) : next.since !== null ? next.since + gone : null;
  return number === null ? "" : `${Math.floor(number / 60)}:${String(number % 60).padStart(2, "0")}`;
}

// What happens next stands where the decision would be; above the board only where something is asked.
function drawNext() {
  const rows = nextRows();
  const above = rows.length && (SCREEN || state.question || state.window || state.scene.card || state.scene.phase !== "play");
  const guide = !SCREEN && state.scene.guide;
  const hint = guide && !guide.folded ? el("div", "guide", null, el("span", "quiet", `${WORDS.hint} ${guide.place || ""}`), el("p", "", guide.text), keyed(button("plain", WORDS.got, () => send("next")), "got")) : null;
  $("next").hidden = !above && !hint;
  $("next").className = nudged() ? "nudged" : state.next && state.next.urgent ? "urgent" : "";
  region("next", [...(above ? rows : []), hint]);
}

function nudged() {
  return state.nudged && !SCREEN;
}

function nextRows() {
  const next = state.next;
  const undo = (!SCREEN && state.undo) || "";
  const acts = !next || SCREEN ? [] : next.acts;
  const may = JSON.stringify([nudged(), undo, acts]);
  if (may !== deeds[0]) deeds = [may, performance.now()];
  const deed = (cls, text, key, act, said) => keyed(button(cls, text, () => stood(deeds[1]) >= TRAIN && send(act, said)), key);
  if (nudged() && (state.lobby.running || !next)) return [el("span", "", WORDS.nudged), state.lobby.running ? keyed(button("primary", WORDS.there, () => send("stir")), "there") : ""];
  if (undo) return [el("span", "", undo), deed("primary", WORDS.agree, "agree", "take_back")];
  if (!nudged() && !(next && (next.urgent || acts.length || SCREEN || state.scene.phase !== "play"))) return [];
  const last = next.told ? newest(state.scene.story || []) : null; // while it's told what happened, that is the news
  return [el("span", "", null, last && last.seat !== undefined ? mark(last.seat) : null, el("span", "", last ? last.text : next.text)), el("b", "count", count()), ...acts.map((label) => deed("", label, "step" + label, "step", { label }))];
}

setInterval(() => {
  const clock = state && state.next && document.querySelector(".count");
  if (clock) clock.textContent = count();
}, 1000);

function drawBoard() {
  if (state.scene.phase === "lobby") return region("board", drawLobby());
  const ends = state.scene.phase === "end" && !!state.scene.end;
  onBoard = onBoard && ends;
  const turn = ends && !SCREEN ? keyed(button("", onBoard ? WORDS.result : WORDS.board, () => { onBoard = !onBoard; drawBoard(); }), "turn") : null;
  if (ends && !onBoard) return region("board", [...drawEnd(), turn]);
  const small = el("div", "asides");
  const large = [];
  for (const item of state.scene.board || []) {
    const known = stage && (!stage.rows || item.slot in stage.slots); // what no rehearsal showed is small
    if (item.gone && !known) continue;
    if (stage ? !known || stage.small.has(item.slot) : item.role === "aside" && !item.about) small.append(aside(item));
    else large.push(drawn(item));
  }
  if (stage && stage.rows) [small.style.gridRow, small.style.height] = [stage.rows.length + 1, stage.asides + "px"];
  region("board", [state.scene.card ? opening(state.scene.card) : null, turn, ...large, verdict(), small]);
}

// A game in three sentences, for who plays it for the first time.
function opening(card) {
  return el("dl", "opening", null, ...card.rows.flatMap(([label, text]) => [el("dt", "", label), el("dd", "", text)]));
}

// What this browser's person has read already, by the title of the game.
function knows(game, learnt = false) {
  try {
    const known = JSON.parse(localStorage.getItem("games") || "[]");
    if (learnt) localStorage.setItem("games", JSON.stringify([...known, game].slice(-64)));
    return known.includes(game);
  } catch {
    return false; // no storage: it's read again
  }
}

function begun() {
  knows(state.scene.status.title, true);
  send("begun");
  delete state.scene.card;
  asked[1] = performance.now(); // the card has hidden the question
  draw();
}

const COUNT = 250; // milliseconds for each counted card, at the normal pace as all of these; see the director
const COUNTING = 3000; // the most for all cards of a count
const REST = 600; // for which the whole count stays before the stamp
const STAMP = 900; // for which the stamp is alone, before the number of its bearer

// What the last moment has come to: its cards are counted one by one, then it's stamped, then its bearer's number moves.
function verdict() {
  const now = state.scene.cue;
  const hero = (state.scene.board || []).find((item) => item.slot === "hero.0");
  clearTimeout(cue.timer);
  if (!now || (now.dim && hero && at((place) => place.zone === hero.id).length)) {
    cue = { key: "", tallies: "" };
    return null;
  }
  const told = (now.tallies || []).filter((one) => one.cards || one.need);
  const [tallies, all] = [JSON.stringify(told), told.flatMap((one) => one.cards || []).length];
  const key = now.dim ? "" : tallies + now.stamp + now.seat;
  if (key !== cue.key) cue = { key, tallies, at: performance.now(), counts: !!all && tallies !== cue.tallies };
  const still = now.dim || calm.matches || !state.pace;
  const since = still ? Infinity : (performance.now() - cue.at) / state.pace;
  const each = cue.counts ? Math.min(COUNT, COUNTING / all) : 0;
  const ends = cue.counts ? each * all + REST : 0;
  const steps = [...Array.from({ length: each ? all : 0 }, (_, n) => each * (n + 1)), ends, ends + STAMP];
  const next = steps.find((step) => step > since);
  if (next !== undefined) cue.timer = setTimeout(() => document.querySelector(".cue")?.replaceWith(verdict() || ""), (next - since) * state.pace + 10);
  const [stamped, marked] = [since >= ends, since >= ends + (now.stamp ? STAMP : 0)];
  const made = el("div", `cue ${now.tone || ""} ${now.dim ? "dim" : ""}`);
  let left = each ? Math.floor(since / each) : all;
  for (const one of told) {
    const seen = (one.cards || []).slice(0, left);
    left -= seen.length;
    const minis = seen.map((text) => el("span", "mini" + (/[♥♦]/.test(text) ? " red" : ""), text));
    const number = one.need ? fill(WORDS.counted, { n: seen.length, need: one.need }) : seen.length;
    made.append(el("p", "tally", null, el("b", "", one.of), el("span", "", null, ...minis), el("b", one.need && seen.length >= one.need ? "enough" : "", number)));
  }
  if (now.stamp) made.append(el("p", "stamp" + (stamped ? "" : " unset"), now.stamp));
  const who = panel(now.seat);
  if (who) {
    const row = el("p", `bearer hue${who.hue}${marked ? "" : " unset"}`, null, mark(who.seat), el("b", "", who.name));
    if (now.delta) row.append(el("span", "", ` ${state.scene.title || ""} ${now.number - now.delta} → `), el("b", "", now.number));
    made.append(row);
  }
  return made;
}

function brief(item) {
  if (item.rows) return item.rows.map((row) => `${row.label} ${row.value}`).join(" · ");
  if (item.text) return item.text;
  if (item.cards && item.cards.length) return item.cards.map((one) => (one.corner ? one.corner + one.sign : one.text)).join(" ");
  return String(item.number ?? item.count ?? "–");
}

function drawLobby() {
  const lobby = state.lobby;
  if (!lobby || !lobby.seats) return [el("p", "quiet", WORDS.opening)];
  const seats = el("ol", "seats");
  for (let n = 0; n < lobby.seats; n++) {
    const one = lobby.taken[n];
    const row = el("li", one ? "hue" + one.hue + (one.ready ? " ready" : "") + (one.mine ? " you" : "") : "free");
    if (one) row.append(el("span", "mark", one.mark));
    const left = lobby.seats - n;
    const many = !one && left > 3;
    row.append(el("b", "", one ? one.name : WORDS.free + (many ? ` × ${left}` : "")), (one && light(one.light)) || "", el("span", "quiet", one ? one.state : ""));
    if (one && one.mine && !lobby.running && !SCREEN) row.append(keyed(button("plain", "✎", () => open("you"), WORDS.you), "you"));
    seats.append(row);
    if (many) break;
  }
  const looking = lobby.watchers.length ? el("p", "quiet", `${WORDS.lookers}: ${lobby.watchers.join(", ")}`) : null;
  const others = el("div", "door", null, ...invitation(el("p", "quiet", WORDS.join)));
  const teams = lobby.teams.map((text) => el("p", "", text));
  const house = (lobby.changed || []).length ? el("p", "quiet", `${WORDS.rules}: ${lobby.changed.join(" · ")}`) : null;
  const problems = lobby.problems.map((text) => el("p", "wrong", text));
  return [el("div", "lobby", null, el("div", "", null, seats, ...teams, house, ...problems, looking, ...(SCREEN ? lobby.trust.slice(0, 1) : [lobby.trust[0], newest(lobby.trust)]).map((text) => el("p", "quiet", text)), SCREEN ? null : keyed(button("", WORDS.howto, () => open("rules")), "rules")), others)];
}

function drawEnd() {
  const end = state.scene.end;
  const order = el("ol", "podium");
  const all = (state.scene.panels || []).flatMap((one) => one.series || []);
  for (const one of end.order || []) {
    const who = panel(one.seat);
    const row = el("li", "hue" + (who ? who.hue : 0) + (one.won ? " won" : ""), null, el("span", "place", one.place), mark(one.seat), el("b", "", who ? who.name : ""), el("span", "value", one.text || ""));
    if (one.won) row.setAttribute("aria-label", `${one.place}: ${who ? who.name : ""}, ${one.text || ""}, ${WORDS.won}`);
    if (who && who.series && who.series.length > 2) row.append(spark(who.series, all));
    order.append(row);
  }
  const awards = el("div", "awards");
  for (const one of end.awards || []) awards.append(el("p", "", null, mark(one.seat), el("b", "", one.title), el("span", "quiet", " " + (one.why || ""))));
  const numbers = el("div", "awards");
  for (const one of end.statistics || []) numbers.append(el("p", "", null, el("b", "", one.title), ...one.values.map((value, seat) => el("span", "value", null, " ", mark(seat), value))));
  const courses = (state.scene.panels || []).filter((one) => (one.series || []).length > 2);
  const course = courses.length ? chart(courses) : null;
  return [el("h2", "headline", end.headline), end.decisive ? el("p", "quiet", end.decisive.text) : null, el("div", "ending", null, order, el("div", "after", null, awards, numbers, course))];
}

function chart(courses) {
  // The main number of every seat, turn by turn; the mark at the end of a line says whose it is.
  const all = courses.flatMap((one) => one.series);
  const [low, high] = [Math.min(0, ...all), Math.max(...all)];
  const y = (value) => 92 - (84 * (value - low)) / Math.max(1, high - low);
  const made = svg("svg", { viewBox: "0 0 200 100", class: "chart", role: "img", "aria-label": WORDS.course });
  const ends = [];
  for (const one of courses) {
    const line = one.series.map((value, n) => `${(180 * n) / (one.series.length - 1)},${y(value)}`).join(" ");
    const group = svg("g", { class: "hue" + one.hue });
    group.append(svg("polyline", { points: line, fill: "none" }));
    const last = y(newest(one.series)) + 4;
    const places = [0, -9, 9, -18, 18, -27, 27].map((by) => last + by); // marks of equal numbers stand above one another
    const at = places.find((place) => place > 8 && place < 100 && ends.every((end) => Math.abs(end - place) >= 9)) ?? last;
    ends.push(at);
    const sign = svg("text", { x: 185, y: at, "font-size": 10 });
    sign.textContent = one.mark;
    group.append(sign);
    made.append(group);
  }
  for (const value of new Set([low, high])) {
    const number = svg("text", { x: 1, y: y(value) - 1.5, "font-size": 7, class: "scale" });
    number.textContent = value;
    made.append(number);
  }
  return el("figure", "", null, el("figcaption", "quiet", WORDS.course), made);
}

function spark(series, all) {
  const [low, high] = [Math.min(0, ...all), Math.max(...all)];
  const made = svg("svg", { viewBox: "0 0 100 20", class: "spark", preserveAspectRatio: "none", "aria-hidden": "true" });
  const points = series.map((value, n) => `${(100 * n) / (series.length - 1)},${18 - (16 * (value - low)) / Math.max(1, high - low)}`);
  made.append(svg("polyline", { points: points.join(" "), fill: "none" }));
  return made;
}

function drawTicker() {
  const last = newest(state.scene.story || []);
  const made = keyed(button("last", null, () => open("story"), WORDS.story), "story");
  if (last) made.append(last.seat === undefined ? "" : mark(last.seat), el("span", "", last.text));
  const aloud = last && last.text.replace(/[●▲■✚▼◐▮✦] /g, ""); // read aloud, marks of players are noise
  if (last) made.setAttribute("aria-label", `${WORDS.story}: ${aloud}`);
  const next = state.waits > 2 ? button("plain", "»", () => send("skip"), WORDS.next) : null;
  region("ticker", [made, next]);
  if (last && last.text !== story) {
    story = last.text;
    if (!state.window) $("heard").textContent = aloud;
  }
}

function drawStory(box) {
  const lines = (state.scene.story || []).map((line) => el("p", line.role || "", null, line.seat === undefined ? null : mark(line.seat), el("span", "", line.text)));
  const list = el("div", "lines", null, ...(SCREEN ? lines.reverse() : lines)); // a television shows whole lines only, see the styles
  const before = box.querySelector(".lines");
  const back = before && before.seen && !SCREEN && before.scrollTop + before.clientHeight < before.scrollHeight - 8 ? before.scrollTop : null; // who reads what was earlier goes on there
  const typing = focused(box);
  if (before && typing === "talk") before.replaceWith(list); // in the field that's left as it is, somebody types
  else {
    put(box, el("h2", "", WORDS.story), list, ...(SCREEN ? [] : [talk()]));
    refocus(box, typing);
  }
  requestAnimationFrame(() => {
    list.scrollTop = back ?? list.scrollHeight;
    list.seen = true;
  });
}

let said = "";
let hearers = []; // the names of those whom the words are for, even if they have left; none: for all
let meant = {}; // who had each of these names when it was picked: another one may have it by now
function talk() {
  const all = [...new Set([...state.talk.to, ...hearers])];
  const same = (names) => names.length === hearers.length && names.every((name) => hearers.includes(name));
  const pick = (text, names, on, key) => {
    const made = keyed(button("", text, () => {
      for (const name of names) if (!hearers.includes(name)) meant[name] = state.talk.of[state.talk.to.indexOf(name)];
      hearers = names;
      sheet ? drawSheet() : drawStory($("story"));
    }), "to" + key);
    made.setAttribute("aria-pressed", on);
    if (on) made.classList.add("on");
    return made;
  };
  const flipped = (name) => (hearers.includes(name) ? hearers.filter((one) => one !== name) : [...hearers, name]);
  const picks = el("div", "hearers", null, pick(WORDS.all, [], !hearers.length, "all"),
    state.talk.team.length ? pick(WORDS.team, state.talk.team, same(state.talk.team), "team") : null,
    ...all.map((name) => pick(name, flipped(name), hearers.includes(name), " " + name)));
  const form = el("form", "say");
  const input = el("input");
  const label = hearers.length ? `${WORDS.only} ${hearers.join(", ")}` : WORDS.words;
  input.placeholder = label;
  input.setAttribute("aria-label", label);
  input.maxLength = 300;
  input.value = said;
  input.dataset.key = "talk";
  input.oninput = () => (said = input.value);
  const go = el("button", "", WORDS.say);
  form.append(input, go);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (said.trim()) send("say", { words: said, to: hearers, of: hearers.map((name) => meant[name]) });
    said = "";
    input.value = "";
  };
  return el("div", "", null, all.length ? picks : null, form);
}

function drawYours() {
  const made = [];
  for (const item of state.scene.yours || []) {
    if (item.gone) continue;
    if (item.draw === "hand" && (item.cards || []).length) made.push(hand(item));
    else if (item.draw === "hand" || item.draw === "backs") {
      if (item.count) made.push(el("div", "fact", null, card({}, "small"), el("span", "", item.title + " "), el("b", "", item.count)));
    } else made.push(el("div", "fact" + (item.new ? " new" : ""), null, el("span", "quiet", item.title + " "), el("b", "", brief(item))));
  }
  const facts = made.filter((one) => one.classList.contains("fact"));
  const rest = made.filter((one) => !one.classList.contains("fact"));
  region("yours", [...rest, facts.length ? el("div", "facts", null, ...facts) : null]);
  $("yours").hidden = !made.length && !(stage && stage.yours);
}

function hand(item) {
  const list = item.cards;
  const made = el("div", "hand" + (list.some((one) => !one.corner) ? " told" : ""));
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", `${item.title}, ${list.length} ${item.dice ? WORDS.dice : WORDS.cards}`);
  list.forEach((one, n) => {
    const [option] = at((place) => place.card === one.card);
    const face = card(one, "", option);
    const off = n - (list.length - 1) / 2;
    face.style.setProperty("--tilt", off * Math.min(3, 15 / list.length) + "deg");
    face.style.setProperty("--dip", Math.abs(off) * Math.min(3, 12 / list.length) + "px");
    made.append(el("div", "slot", null, face));
  });
  return made;
}

// -- the decision --------------------------------------------------------------------------------

function drawDecision() {
  const decision = state.scene.decision;
  if (focused($("decision")) === "writing" && written[0] === state.question && written[2] === state.trouble && !state.window) return; // as in `drawStory`
  const made = [];
  document.body.classList.toggle("asked", !!state.question && state.scene.phase === "play");
  if (state.window) made.push(...drawWindow());
  else if (state.scene.card && !SCREEN) {
    made.push(el("div", "row", null, keyed(button("primary act", WORDS.begin, begun), "begin")));
  } else {
    const rows = state.question || state.scene.phase !== "play" ? [] : nextRows();
    const given = (decision.entries || []).some((one) => one.value); // then they say what it's about
    const said = state.question ? (given ? "" : decision.text) : [decision.title, decision.text].filter(Boolean).join(" · ");
    if (rows.length) made.push(el("div", "waits" + (nudged() ? " nudged" : ""), null, ...rows));
    const idle = state.question && state.kind.idle;
    const asks = rows.length || given || idle ? null : el("p", "ask" + (state.question ? "" : " quiet"), said);
    made.push(el("div", "asks", null, el("div", "", null, asks, decision.entries ? entries(decision) : null), ...chips(decision)));
    if (decision.amount) made.push(amount(decision));
    if (decision.writing) made.push(writing(decision));
    if (decision.timeline) made.push(timeline(decision));
    made.push(...(idle ? atOnce() : [listed(), ...acts(decision)]));
  }
  const there = made.filter(Boolean);
  const act = newest(there) && newest(there).matches(".row") ? there.pop() : null; // it stays where it is, and the others scroll
  if (state.trouble) {
    const trouble = el("p", "wrong", state.trouble);
    trouble.setAttribute("role", "alert");
    there.push(trouble);
  }
  const before = $("decision").querySelector(".what");
  const what = el("div", "what", null, ...there);
  what.dataset.asked = state.question;
  region("decision", [what, act]);
  what.scrollTop = what.seen = state.trouble ? what.scrollHeight : before && before.dataset.asked === what.dataset.asked ? before.seen : 0;
  what.onscroll = () => (what.seen = what.scrollTop);
}

// What may be done while nothing is asked: the first is what comes next, and each is done by its own tap.
function atOnce() {
  const mine = state.lobby && state.lobby.taken.find((one) => one.mine);
  const act = (one, cls) => keyed(button(cls, one.text, () => answer("send", { at: one.number - 1 })), "act" + one.number);
  const [first, ...rest] = options();
  const others = rest.length ? el("div", "row", null, ...rest.map((one) => act(one, ""))) : null;
  return [others, el("div", "row", null, act(first, mine && mine.ready ? "act" : "primary act"))];
}

function entries(decision) {
  return el("div", "entries", null, ...decision.entries.map((one) => el("span", one.now ? "now" : one.value ? "given" : "", [one.label, one.value].filter(Boolean).join(": "))));
}

function amount(decision) {
  const field = decision.amount;
  const step = field.step || 1;
  const low = field.low;
  let number = Number(field.typed || low);
  const shown = el("output", "", field.typed || "–");
  shown.setAttribute("aria-live", "polite");
  const range = keyed(el("input"), "range");
  Object.assign(range, { type: "range", min: low, max: field.high, step, value: number });
  range.setAttribute("aria-label", decision.text);
  const put = (value, tell) => {
    number = Math.min(field.high, Math.max(low, value));
    shown.textContent = number;
    range.value = number;
    if (tell) answer("number", { number });
  };
  range.oninput = () => put(Number(range.value), false);
  range.onchange = () => put(Number(range.value), true);
  const less = keyed(button("", "−", () => put(number - step, true), WORDS.less), "less");
  const more = keyed(button("", "+", () => put(number + step, true), WORDS.more), "more");
  return el("div", "stake", null, less, shown, more, range);
}

let written = ["", "", ""]; // the question and the text so far, which outlives a page that is drawn again, and what was wrong with it

function signs(text) {
  return [...text].length; // code points, as the rules count them
}

function writing(decision) {
  // The machine that serves the page tidies the text and says what is wrong with it.
  const { low, high, typed } = decision.writing;
  if (written[0] !== state.question) written = [state.question, typed || ""];
  written[2] = state.trouble;
  const field = keyed(el("input"), "writing");
  Object.assign(field, { type: "text", value: written[1], autocomplete: "off", placeholder: decision.note });
  field.setAttribute("aria-label", decision.text);
  const count = el("output", "quiet");
  const told = () => {
    count.textContent = `${signs(written[1])}/${high}`;
    const act = document.querySelector("#decision .act");
    if (act) act.disabled = signs(written[1]) < low || signs(written[1]) > high;
  };
  field.oninput = () => {
    written[1] = field.value;
    told();
  };
  field.onchange = () => answer("write", { text: field.value });
  field.onkeydown = (event) => {
    if (event.key === "Enter" && !event.isComposing) document.querySelector("#decision .act").click();
  };
  told();
  return el("div", "writing", null, field, count);
}

function timeline(decision) {
  // A match that is shown again: a slider over its moments, and four buttons.
  const { at, last } = decision.timeline;
  const range = keyed(el("input"), "moments");
  Object.assign(range, { type: "range", min: 0, max: last, step: 1, value: at });
  range.setAttribute("aria-label", WORDS.moments);
  range.onchange = () => send("again", { what: "go", n: Number(range.value) });
  const say = (what, n) => () => send("again", { what, n });
  const row = el("div", "row", null,
    keyed(button("plain", "«", say("peak", -1), WORDS.earlier), "earlier"),
    keyed(button("primary act", decision.act, say("play", 0)), "play"),
    keyed(button("plain", "»", say("peak", 1), WORDS.later), "later"),
    keyed(button("plain", "✕", say("stop", 0), WORDS.close), "stop"));
  return el("div", "timeline", null, range, row);
}

function room() {
  const [wide, high] = [innerWidth, innerHeight];
  if (wide >= 900 && high > 520) return 12;
  if (wide > high) return 4;
  const lanes = document.querySelector("#board .many") ? 2 : 0; // buttons on lanes need the room, too
  return (high < 700 ? 4 : 6) - lanes;
}

const LEVELS = ["", "tight", "tight bare", "tight bare short"]; // what goes where there's no room: counts, small facts, then what players have
const COUNTS = ["backs", "coins", "number"];
const LEAST = 94; // the least height of a decision: a sentence and the act
const GOOD = 200; // that with two rows of choices: a smaller board is no price for more, which scroll

// The places of a match are those of its rehearsal: the page draws everything once at its largest, and measures it. So
// they depend on nothing that is on the table now, and are the same for who comes back.
function rehearse() {
  const [table, board] = [$("table"), $("board")];
  const typing = focused($("decision")) === "writing"; // a keyboard leaves no room for what may come
  const cast = inPlay() && rehearsed && rehearsed.parts.length ? rehearsed : null;
  if (cast ? stage && stage.cast === cast && stage.wide === innerWidth && stage.high === innerHeight : !stage) return;
  stage = null;
  board.style.gridTemplateRows = table.className = "";
  board.classList.remove("scrolls");
  unset();
  if (!cast || typing) return;
  const kept = [state, asked, page, written, cue];
  const below = wide() || innerWidth <= innerHeight || innerHeight > 520; // else the decision has the whole height
  const crowd = cast.parts.some((one) => (one.lanes || []).length > 4 && bears(one.id)) ? " crowd" : cast.parts.some((one) => one.draw === "grid") ? " gridded" : "";
  for (const level of SCREEN ? LEVELS.slice(0, 2) : LEVELS) {
    unset();
    table.className = "rehearsal " + level + crowd;
    const tallest = measure(kept, cast, level);
    const large = [...new Set(cast.parts.filter((one) => one.role !== "yours" && !stage.small.has(one.slot)).map((one) => one.slot))];
    const hero = large.includes("hero.0") ? "hero.0" : large[0];
    const style = getComputedStyle(board);
    const gaps = parseFloat(style.rowGap) * Math.max(0, large.length - !stage.asides) + parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
    if (stage.seat) table.style.setProperty("--seat", stage.seat + "px");
    if (stage.yours) $("yours").style.height = stage.yours + "px";
    table.style.setProperty("--decision", LEAST + "px");
    const more = SCREEN && hero ? Math.max(0, 0.6 * board.clientHeight - stage.slots[hero][1]) : 0;
    let room = large.reduce((left, slot) => left - stage.slots[slot][1], board.clientHeight - stage.asides - gaps - more); // beside the least decision
    if (room < 0 && level.includes("short") && stage.yours > 80) {
      // Lanes come first: what one has scrolls.
      const less = Math.min(-room, stage.yours - 80);
      [stage.yours, room] = [stage.yours - less, room + less];
      $("yours").style.height = stage.yours + "px";
    }
    const wish = below && !level.includes("bare") ? Math.min(tallest, GOOD) - LEAST : 0; // of the decision
    const line = 1.3 * parseFloat(style.fontSize) + 6;
    const spare = stage.asides && room >= wish + line ? line : 0; // a place for what no rehearsal showed
    stage.asides += spare;
    stage.decision = Math.max(LEAST, Math.min(tallest, Math.floor(LEAST + room - spare)));
    stage.scrolls = room < 0 && !SCREEN;
    stage.level = level + crowd;
    const high = (slot) => (SCREEN ? `minmax(0, ${stage.slots[slot][1]}px)` : stage.slots[slot][1] + "px");
    stage.template = [...large.map((slot) => (slot === hero ? `minmax(${SCREEN ? "60%" : high(slot)}, 1fr)` : high(slot))), stage.asides ? stage.asides + "px" : ""].join(" ");
    Object.assign(stage, { cast, wide: innerWidth, high: innerHeight, rows: large });
    if (room >= wish) break;
  }
  [state, asked, page, written, cue] = kept;
  board.style.gridTemplateRows = stage.template;
}

function unset() {
  $("yours").style.height = "";
  for (const name of ["--seat", "--decision", "--most"]) $("table").style.removeProperty(name);
}

// Draws the moments in which things are at their largest; returns the height of the highest decision.
function measure(kept, cast, level) {
  const [before] = kept;
  const board = cast.parts.filter((one) => one.role !== "yours");
  const counts = (slot) => board.every((one) => one.slot !== slot || COUNTS.includes(one.draw));
  const small = board.filter((one) => one.role === "aside" || cast.rare.includes(one.id) || (level && one.slot !== "hero.0" && counts(one.slot)));
  stage = { slots: {}, small: new Set(small.map((one) => one.slot)), asides: 0, yours: 0, seat: 0 };
  const cards = Array.from({ length: cast.shown }, () => ({ corner: "10", sign: "♥", text: "10♥" }));
  const panels = (before.scene.panels || []).map((one) => ({
    ...one, state: "idle", says: "", note: "", more: [{ text: "0" }, { draw: "cards", cards }],
    main: cast.main && { title: "", ...one.main, text: cast.main, number: 0, delta: 0 },
  }));
  const scene = {
    ...before.scene, phase: "play", panels, flows: [], board, yours: cast.parts.filter((one) => one.role === "yours"),
    card: null, cue: null, guide: null,
  };
  const base = {
    ...before, lights: panels.map(() => 1), nudged: false, undo: "", next: null, trouble: "", offers: [], draft: true, window: null,
    question: "rehearsal", kind: { low: 1, high: 1 },
  };
  const asks = cast.asks.length ? cast.asks : [{ kind: "wait", text: "" }];
  const moments = [...asks.map((decision) => ({ decision })), ...cast.windows.map((one) => ({ decision: asks[0], window: { ...one, id: opened.id, go: !!one.goes } }))];
  let tallest = LEAST;
  for (const { decision, window } of moments) {
    [state, asked] = [{ ...base, window, scene: { ...scene, decision } }, [...kept[1]]];
    drawPlayers();
    drawBoard();
    drawYours();
    drawDecision();
    for (const one of $("board").querySelectorAll("[data-slot]")) {
      const [box, [wide, high]] = [one.getBoundingClientRect(), stage.slots[one.dataset.slot] || [0, 0]];
      stage.slots[one.dataset.slot] = [Math.max(wide, box.width), Math.max(high, Math.ceil(box.height))];
    }
    const asides = $("board").querySelector(".asides");
    if (asides.getClientRects().length) stage.asides = Math.max(stage.asides, 20, Math.ceil(asides.getBoundingClientRect().height) + 1);
    const tall = (one) => Math.ceil(one.getBoundingClientRect().height);
    stage.seat = Math.max(stage.seat, ...[...document.querySelectorAll("#players .player")].map(tall));
    stage.yours = Math.max(stage.yours, tall($("yours")));
    tallest = Math.max(tallest, tall($("decision")));
  }
  return tallest;
}

function inPlay() {
  return ["play", "window"].includes(state.scene.phase);
}

function fit() {
  const [table, board, yours] = [$("table"), $("board"), $("yours")];
  table.style.setProperty("--players", $("players").offsetHeight + "px"); // beside the board, the story begins below them
  board.classList.remove("scrolls");
  yours.classList.remove("scrolls");
  table.className = stage ? "staged " + stage.level : "";
  if (SCREEN) {
    // Seats come first: the story goes where there's no room for a sentence of two lines, then seats say less, if there are too many.
    const [players, lines] = [$("players"), $("story").querySelector(".lines")];
    const full = () => players.scrollHeight > players.clientHeight + 1;
    table.style.removeProperty("--lines");
    if (lines.clientHeight < 3.3 * parseFloat(getComputedStyle(lines).fontSize)) table.classList.add("full");
    if (full()) table.classList.add("brief");
    for (let most = 6; most > 1 && full(); most--) table.style.setProperty("--lines", most);
    if (full()) table.classList.add("packed");
    return;
  }
  if (!inPlay()) return;
  if (stage) {
    // A decision that is larger than its place lies over what it isn't about, but for the corners of a hand.
    const chosen = (id) => !!$(id).querySelector("[data-choice]");
    table.style.setProperty("--decision", state.scene.card ? "auto" : stage.decision + "px");
    const hides = yours.querySelector(".hand") ? Math.max(0, stage.yours - 44) : stage.yours + (chosen("board") ? 0 : board.clientHeight / 2);
    const over = chosen("yours") ? 0 : hides;
    table.style.setProperty("--most", state.scene.card ? "none" : stage.decision + over + "px");
    yours.classList.toggle("scrolls", yours.scrollHeight > yours.clientHeight + 2);
  }
  board.classList.toggle("scrolls", stage ? stage.scrolls : board.scrollHeight > board.clientHeight + 2);
  // Of a board that scrolls, what's judged, asked about or new comes into view, once: then a person may look elsewhere.
  const part = board.querySelector(".cue:not(.dim)") || board.querySelector(".about") || board.querySelector(".item.new");
  const seeks = part ? [state.question, part.dataset.slot, story].join() : "";
  if (part && seeks !== sought) board.scrollTop = Math.min(part.offsetTop, Math.max(board.scrollTop, part.offsetTop + part.offsetHeight - board.clientHeight));
  sought = seeks;
}

function listed() {
  // The choices that lie on nothing, without those that are impossible. What has a mood, such as Liar!, is always
  // on view; of the others as many as there's room for, and a button for the next ones.
  const seen = new Set([...document.querySelectorAll("#board [data-choice], #yours [data-choice], #players [data-choice]")].map((one) => Number(one.dataset.choice)));
  const rest = options().filter((one) => one.can && !seen.has(one.number - 1));
  if (!rest.length || options().length === 1) return null; // the act says it
  const marked = rest.filter((one) => one.mood);
  const bold = marked.length > 2 ? marked.filter((one) => one.mood === "bold").slice(0, 2) : marked;
  const others = rest.filter((one) => !bold.includes(one));
  const most = room() - bold.length;
  const size = Math.max(1, others.length > most ? most - 1 : most);
  const pages = Math.ceil(others.length / size);
  const pointed = others.findIndex((one) => one.number - 1 === state.scene.decision.pointed);
  if (asked[2] !== state.question) {
    asked[2] = state.question;
    page = pointed < 0 ? 0 : Math.floor(pointed / size);
  }
  page = Math.max(0, Math.min(page, pages - 1));
  const shown = others.slice(page * size, page * size + size);
  const made = el("div", "choices" + (shown.some((one) => one.text.length > 22) ? " long" : ""));
  for (const one of shown) made.append(choice(one, one.text));
  if (pages > 1) {
    made.append(keyed(button("plain", `${page + 1}/${pages} ›`, () => {
      page = (page + 1) % pages;
      drawDecision();
      fit();
    }, WORDS.next), "page"));
  }
  made.append(...bold.map((one) => choice(one, one.text)));
  return made;
}

function chips(decision) {
  const made = [];
  if (decision.cannot || options().some((one) => !one.can)) made.push(keyed(button("plain", WORDS.why, () => open("cannot")), "cannot"));
  if (state.draft) made.push(keyed(button("plain", "↶", () => answer("undo"), WORDS.undo), "undo"));
  if (state.offers.length && !decision.own) made.push(keyed(button("plain", WORDS.may, () => open("offers")), "offers"));
  return made;
}

function acts(decision) {
  const made = [];
  const row = el("div", "row");
  if (state.watch && state.lobby && !state.lobby.running && state.lobby.free > 0 && !SCREEN) {
    row.append(keyed(button("primary", WORDS.sit, () => send("sit")), "sit"));
  }
  if (state.question) {
    let text = decision.act || WORDS.next;
    let ready = !decision.writing || (signs(written[1]) >= decision.writing.low && signs(written[1]) <= decision.writing.high);
    if (decision.kind === "several") {
      const { low, high } = state.kind;
      const chosen = options().filter((one) => one.order > 0).length;
      ready = chosen >= low && chosen <= high;
      const first = options().find((one) => one.order > 0);
      const told = low === high ? (state.kind.ordered ? WORDS.pick : WORDS.choose) : WORDS.any;
      text = !ready ? fill(told, { n: low, low, high }) : chosen ? (first && !first.verb.includes(first.text) ? first.verb : fill(WORDS.done, { n: chosen })) : WORDS.none;
    }
    const act = keyed(button("primary act" + (text.length > 44 ? " lengthy" : ""), text, () => {
      const range = document.querySelector("#decision input[type=range]");
      const field = document.querySelector("#decision input[data-key=writing]");
      answer("send", range ? { number: Number(range.value) } : field ? { text: field.value } : {});
    }), "act");
    act.disabled = !ready;
    const pointed = options()[decision.pointed || 0];
    if (pointed && pointed.more && decision.kind === "choices") made.push(el("p", "more", pointed.more));
    row.append(act);
  }
  if (row.children.length) made.push(row);
  return made;
}

function keyed(made, key) {
  made.dataset.key = key;
  return made;
}

function drawWindow() {
  const { id, text, acts, go, goes, others } = state.window;
  const made = [el("p", "ask", text)];
  const react = (at) => (event) => {
    if (opened.id !== id || !opened.at) return;
    const taken = Math.round((event.timeStamp || performance.now()) - opened.at);
    if (taken < 0) return; // meant for the card before
    send("react", { window: id, at, ms: taken });
    buzz(30);
    for (const one of document.querySelectorAll("#decision button")) one.disabled = true;
  };
  const quick = (cls, label, at) => {
    const one = keyed(button(cls, label), "quick" + at);
    one.onpointerdown = react(at);
    one.onkeydown = (event) => {
      if ((event.key === "Enter" || event.key === " ") && !event.repeat) react(at)(event);
    };
    return one;
  };
  acts.forEach((label, n) => made.push(quick("bang" + (acts.length > 1 ? " half" : ""), label, n)));
  if (go) made.push(el("div", "row", null, quick("primary act", goes, "go")));
  else if (others) made.push(el("div", "row", null, el("p", "quiet", others)));
  if (opened.id !== id) {
    opened = { id, at: 0 };
    // The time runs from the frame in which the card is painted: that is before the second callback.
    requestAnimationFrame(() => requestAnimationFrame((painted) => {
      if (opened.id !== id) return;
      opened.at = painted;
      send("drawn", { window: id });
    }));
  }
  return made;
}

// -- sheets --------------------------------------------------------------------------------------

let leaves = false; // this person has tapped once to leave, and is asked whether that's meant

function open(which) {
  sheet = sheet === which ? "" : which;
  leaves = false;
  drawSheet();
  if (sheet) $("sheet").querySelector("button").focus();
}

function drawSheet() {
  const box = $("sheet");
  const before = box.dataset.sheet === sheet && box.querySelector(".inside"); // somebody reads it
  box.dataset.sheet = sheet;
  box.hidden = !sheet;
  if (!sheet) return;
  if (before && sheet === "story") return drawStory(before);
  const top = before ? before.scrollTop : 0;
  const typing = focused(box);
  const close = keyed(button("plain close", "✕", () => open(sheet), WORDS.close), "close");
  const inside = el("div", "inside");
  if (sheet === "story") drawStory(inside);
  if (sheet === "cannot") {
    inside.append(el("h2", "", WORDS.cannot), ...[...(state.scene.decision.cannot || []), ...options().filter((one) => one.why).map((one) => [one.text, one.why])].map(([what, why]) => el("p", "", null, el("b", "", what + ": "), el("span", "", why))));
  }
  if (sheet === "offers") {
    inside.append(el("h2", "", WORDS.may), ...state.offers.map((label) => button("", label, () => {
      send("offer", { label });
      open(sheet);
    })));
  }
  if (sheet === "menu") menu(inside);
  if (sheet === "rules") rules(inside);
  if (sheet === "you") you(inside);
  box.setAttribute("aria-label", { story: WORDS.story, cannot: WORDS.cannot, offers: WORDS.may, menu: WORDS.menu, rules: WORDS.howto, you: WORDS.you }[sheet]);
  put(box, close, inside);
  inside.scrollTop = top;
  refocus(box, typing);
}

function rules(inside) {
  if (!rulebook) {
    fetch("/rules").then((answer) => answer.json()).then((blocks) => {
      rulebook = blocks;
      if (sheet === "rules") drawSheet();
    }).catch(() => open(sheet)); // no connection: the page says so itself
    return;
  }
  const runs = (tag, list) => el(tag, "", null, ...list.map(([part, text]) => (part ? el(part, "", text) : document.createTextNode(bound(text)))));
  const made = el("div", "rules");
  const house = (state.lobby && state.lobby.rules) || [];
  if (house.length) made.append(el("h2", "", WORDS.rules), ...house.map((text) => el("p", "listed", text)));
  let table = null;
  for (const block of rulebook) {
    const row = block.tag === "th" || block.tag === "td";
    if (row && !table) made.append(el("div", "wide", null, (table = el("table"))));
    if (row) table.append(el("tr", "", null, ...block.cells.map((cell) => runs(block.tag, cell))));
    else table = null;
    if (block.tag === "li") {
      const item = el("p", "listed", null, el("span", "", block.mark), runs("span", block.cells[0]));
      item.style.setProperty("--deep", block.deep);
      made.append(item);
    } else if (!row) made.append(runs(block.tag, block.cells[0]));
  }
  inside.append(made);
}

function you(inside) {
  const lobby = state.lobby;
  const mine = lobby && lobby.taken.find((one) => one.mine);
  if (!mine || lobby.running) return open(sheet);
  const form = el("form", "say");
  const input = el("input");
  Object.assign(input, { maxLength: 24, autocomplete: "nickname", value: draft.name ?? mine.name, oninput: () => (draft.name = input.value) });
  input.setAttribute("aria-label", WORDS.name);
  input.dataset.key = "name";
  form.append(input, keyed(el("button", "", WORDS.rename), "rename"));
  form.onsubmit = (event) => {
    event.preventDefault();
    send("name", { name: input.value });
    draft.name = null;
    open(sheet);
  };
  const own = [mine.hue, [...lobby.marks].indexOf(mine.mark)];
  const taken = (hue, sign) => lobby.taken.some((one) => one !== mine && one.hue === hue && one.mark === lobby.marks[sign]);
  const pick = (title, names, at, look) => {
    const made = el("div", "picks");
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", title);
    names.forEach((name, n) => {
      const [hue, sign] = look(n);
      const one = keyed(button("hue" + hue + (n === own[at] ? " on" : ""), lobby.marks[sign], () => send("look", { hue, mark: sign }), `${title}: ${name}`), title + n);
      one.setAttribute("aria-pressed", n === own[at]);
      one.disabled = taken(hue, sign);
      made.append(one);
    });
    return [el("h2", "", title), made];
  };
  inside.append(
    el("h2", "", WORDS.name), form,
    ...pick(WORDS.colour, WORDS.hues.split(" "), 0, (hue) => [hue, own[1]]),
    ...pick(WORDS.sign, [...lobby.marks], 1, (sign) => [own[0], sign]),
  );
}

function menu(inside) {
  const lobby = state && state.lobby;
  const leave = button("", leaves ? WORDS.sure : WORDS.leave, () => {
    if (leaves) {
      send("leave");
      return open(sheet);
    }
    [leaves, leave.textContent] = [true, WORDS.sure];
  });
  const sound = button("", WORDS.sound + (loud ? " ✓" : ""), () => {
    loud = loud ? null : new AudioContext();
    beep(660);
    drawSheet();
  });
  inside.append(
    el("div", "row", null, button("", "− " + WORDS.slower, () => send("pace", { by: -1 })), button("", "+ " + WORDS.faster, () => send("pace", { by: 1 }))),
    el("div", "row", null, button("", WORDS.howto, () => open("rules")), sound),
    ...(state && state.takes ? [el("div", "row", null, button("", WORDS.takes, () => {
      send("take_back");
      open(sheet);
    }))] : []),
    ...(lobby && lobby.running && lobby.seated ? [el("div", "row", null, keyed(button("", WORDS.stop, () => {
      send("stop");
      open(sheet);
    }), "stop"))] : []),
    el("div", "row", null, lobby && !lobby.running && lobby.taken.some((one) => one.mine) ? button("", WORDS.you, () => open("you")) : null, leave),
  );
  if (lobby) {
    inside.append(el("h2", "", WORDS.trust), ...lobby.trust.map((text) => el("p", "", text)));
    if (lobby.rules.length) inside.append(el("h2", "", WORDS.rules), el("p", "", lobby.rules.join(", ")));
  }
  if (door.length > 1) inside.append(el("h2", "", WORDS.join), el("div", "door", null, ...invitation()));
}

// -- calls ---------------------------------------------------------------------------------------

function beep(tone) {
  if (!loud) return;
  const [source, volume] = [loud.createOscillator(), loud.createGain()];
  source.frequency.value = tone;
  volume.gain.setValueAtTime(0.15, loud.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, loud.currentTime + 0.2);
  source.connect(volume).connect(loud.destination);
  source.start();
  source.stop(loud.currentTime + 0.2);
}

function buzz(milliseconds) {
  if (navigator.vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate(milliseconds);
}

async function wake(yes) {
  // Browsers grant this on secure pages only, so mostly not here; then the telephone sleeps as it likes.
  try {
    if (yes && !lock && navigator.wakeLock) lock = await navigator.wakeLock.request("screen");
    if (!yes && lock) {
      lock.release();
      lock = null;
    }
  } catch {
    lock = null;
  }
}

// -- the connection ------------------------------------------------------------------------------

function curtain(text, label = "", does = null) {
  const box = $("curtain");
  box.hidden = !text;
  delete box.dataset.lost;
  put(box, ...(text ? [el("p", "", text), does ? button("primary", label, does) : null].filter(Boolean) : []));
}

function keep(said) {
  // The door greets with it, too, if there is another table first.
  try {
    if (said) localStorage.setItem("farewell", JSON.stringify(said));
    else localStorage.removeItem("farewell");
  } catch {
    // no storage: only this page shows it
  }
}

// What a page shows until its match is resumed: who one is, how to continue, and until when.
function farewell(said) {
  keep(said);
  const last = new Date(1000 * said.last).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" });
  const box = $("curtain");
  box.hidden = false;
  put(box,
    el("h1", "", said.title), el("p", "", said.match), el("p", "", said.how), el("p", "command", said.command),
    el("p", "", said.page), el("p", "quiet", fill(said.until, { date: last })),
    ...(said.until ? [] : ways((state && state.pages) || [])), // without a day, the others play on
  );
}

// The machine of this seat may be dead. The table goes on at the others, and some of them have pages, too.
function ways(pages) {
  const there = pages.map(([name, link]) => button("primary", fill(WORDS.goto, { name }), () => location.assign(link)));
  return there.length ? [el("p", "quiet", WORDS.moved), ...there] : [];
}

// The machine of this page is silent, or has said that the table is closed there.
function drawLost() {
  if (over && (over.farewell || (state && state.scene.phase === "end"))) return; // that, and the end of the match, stay on view
  const seconds = Math.floor((performance.now() - lost) / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const text = over ? over.text : fill(seconds < 5 ? WORDS.looking : WORDS.silent, { host, time });
  const pages = (seconds >= GIVEN_UP && state && state.pages) || [];
  const wake = !over && seconds >= ASLEEP;
  const kind = `${pages.length} ${wake}`;
  if ($("curtain").dataset.lost === kind) return void ($("curtain").firstChild.textContent = text); // no button moves
  curtain(text);
  $("curtain").dataset.lost = kind;
  $("curtain").append(...ways(pages));
  if (wake) $("curtain").append(el("p", "quiet", fill(WORDS.wake, { host })));
}

function show(said) {
  const before = state;
  state = said;
  if (before && before.scene.status.title !== state.scene.status.title) rulebook = null; // of another game
  over = null;
  if (said.link) [host, door] = [said.host, said.link];
  if (SCREEN) put(document.querySelector(".corner"), ...invitation());
  if (said.lobby && said.lobby.running) keep(null);
  if (state.scene.card && !SCREEN && knows(state.scene.status.title)) {
    delete state.scene.card;
    send("begun");
  }
  arrived = performance.now();
  curtain("");
  if (state.nudged && !(before && before.nudged)) {
    beep(880);
    buzz([200, 100, 200]);
  }
  document.body.dataset.phase = state.scene.phase;
  document.documentElement.lang = state.scene.lang;
  const called = state.question && state.scene.phase === "play";
  if (asked[0] !== state.question) {
    asked = [state.question, performance.now(), ""];
    if (called && !state.scene.decision.own) {
      $("called").textContent = `${WORDS.turn}: ${state.scene.decision.text || state.scene.decision.act}`;
      beep(880);
      buzz(30);
    }
  }
  wake(!!called);
  document.title = (called ? "● " : "") + state.scene.status.title;
  draw();
  const told = (one) => one && JSON.stringify([one.scene.story, one.offers, one.lobby, one.talk, one.link]);
  if (sheet && told(before) !== told(state)) drawSheet();
}

function draw() {
  const on = focused($("table"));
  drawStatus();
  drawNext();
  drawTicker();
  rehearse();
  drawPlayers();
  drawBoard();
  drawYours();
  drawDecision();
  if (wide()) drawStory($("story"));
  fit();
  if (on !== focused($("table"))) refocus($("table"), on);
}

function wide() {
  return SCREEN || (innerWidth >= 900 && innerHeight > 520);
}

// While a finger is down, what it touches stays: a tap on something that was drawn again meanwhile would be lost.
let held = null; // the newest state since then
let touch = 0; // the timer after which it's shown in any case
const hold = (time) => {
  clearTimeout(touch);
  touch = setTimeout(release, time);
};

function release() {
  const said = held;
  clearTimeout(touch);
  touch = 0;
  held = null;
  if (pressed && pressed.up) pressed = null;
  if (said) show(said);
}

// What a tap is on: the same thing, if it was drawn again.
function thing(event) {
  return event.target.closest && (event.target.closest("[data-key]") || event.target).dataset.key;
}

function hear(said) {
  if (touch && said.type === "state" && !said.window) return void (held = said);
  if (said.type !== "beat") release();
  switch (said.type) {
    case "cast":
      return void (rehearsed = said.cast);
    case "state":
      return show(said);
    case "elsewhere":
      return curtain(WORDS.elsewhere, WORDS.here, () => send("here"));
    case "taken":
      return curtain(WORDS.taken, WORDS.here, () => send("here"));
    case "over":
      over = said;
      if (said.farewell) return farewell(said.farewell);
      // A button back would be dead where the machine itself has gone.
      if (!state || state.scene.phase !== "end") return said.closed ? curtain(said.text) : curtain(said.text, WORDS.back, back);
      curtain(""); // the end of the match stays on view
      return region("decision", [el("p", "ask", said.text), said.closed ? null : el("div", "row", null, button("primary", WORDS.back, back))]);
  }
}

// A page that was left stays away, whoever loads it again, until its person taps.
function back() {
  over = null;
  comes = true;
  if (socket.readyState === WebSocket.OPEN) come();
  else connect();
}

function come() {
  if (comes) send("here");
  comes = false;
}

// Nobody needs to reload a page: it asks by itself whether its machine is there again, and still knows it.
async function look() {
  if ((over && !over.closed) || (socket && socket.readyState < WebSocket.CLOSING)) return;
  clearTimeout(looks);
  looks = setTimeout(look, waits);
  waits = Math.min(4000, waits * 1.5);
  let answer = null;
  try {
    answer = await fetch("/here", { cache: "no-store", signal: AbortSignal.timeout?.(4000) });
    if (!answer.ok) throw new Error(answer.status);
    answer = await answer.json();
  } catch {
    return; // silence: the clock says so
  }
  if (answer.known && answer.version !== document.body.dataset.version) location.reload(); // there is a newer script
  else if (answer.known) connect();
  else if (SCREEN) over || knock();
  else if (!over || over.farewell) location.assign("/?lost"); // it knows this page no more: the door says so
}

// A television that its machine knows no more asks to come in again: nobody at it could type a name.
function knock() {
  const form = el("form", "", null, Object.assign(el("input"), { name: "screen", value: "yes" }));
  Object.assign(form, { method: "post", action: "/knock", hidden: true });
  clearTimeout(looks);
  document.body.append(form);
  form.submit();
}

function connect() {
  if (socket && socket.readyState < WebSocket.CLOSING) return;
  socket = new WebSocket(`ws://${location.host}/ws?tab=${tab}`);
  heard = performance.now();
  socket.onopen = () => {
    clearTimeout(looks);
    waits = 500;
    lost = 0;
    come();
    alive();
  };
  socket.onmessage = (event) => {
    heard = performance.now();
    hear(JSON.parse(event.data));
  };
  socket.onclose = () => {
    if (over && !over.closed) return;
    lost = lost || performance.now();
    drawLost();
    looks = setTimeout(look, waits);
  };
}

setInterval(() => {
  if (!document.hidden && socket.readyState < WebSocket.CLOSING && performance.now() - heard > MUTE) {
    // A machine that dies closes nothing. What this connection still says comes too late.
    const closed = socket.onclose;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    if (!over || over.closed) lost = heard; // else its person has left, and keeps the button back
    closed();
  }
  if (lost) drawLost();
}, 1000);

for (const [id, tag, label] of [["status", "header", "table"], ["ticker", "section", "story"], ["players", "section", "players"], ["next", "section", "step"], ["board", "section", "table"], ["yours", "section", "yours"], ["decision", "section", "decision"], ["story", "aside", "story"]]) {
  const made = el(tag);
  made.id = id;
  made.setAttribute("aria-label", WORDS[label]);
  $("table").append(made);
}
document.body.classList.toggle("screen", SCREEN);
if (SCREEN) $("table").append(el("div", "corner"));
addEventListener("online", look);
const lift = (then) => () => {
  if (pressed) pressed.up = true;
  then();
};
addEventListener("pointerdown", (event) => {
  pressed = { on: thing(event), at: performance.now() };
  hold(event.target.type === "range" ? 10000 : 500); // who drags a slider takes longer
});
addEventListener("pointerup", lift(() => hold(100))); // the click comes after it
addEventListener("pointercancel", lift(release));
addEventListener("click", (event) => {
  // What has come under a finger that was down before isn't meant by it.
  if (!pressed || pressed.on === thing(event)) return;
  event.stopPropagation();
  event.preventDefault();
}, true);
addEventListener("click", lift(release));
addEventListener("keydown", () => (pressed = null), true);
addEventListener("pageshow", look);
// The page itself says that it's in view: a browser answers pings for a page that it has stopped.
const alive = () => send(document.hidden ? "hidden" : "alive");
setInterval(() => document.hidden || alive(), 5000);
// Who comes back to it waits half as long for a machine that may have gone meanwhile.
document.addEventListener("visibilitychange", () => (alive(), (heard = performance.now() - MUTE / 2), document.hidden || look()));
addEventListener("resize", () => state && !over && draw());
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && sheet) return open(sheet);
  if (!state || sheet || event.target.type === "text") return;
  const many = options().length;
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (event.repeat && (state.question || state.window) && (by || ["Enter", "b"].includes(event.key))) return event.preventDefault(); // a key that's held down would be too many acts
  if (event.target.tagName === "INPUT") return;
  if (state.window && event.key === "b") document.querySelector("#decision .bang")?.dispatchEvent(new PointerEvent("pointerdown"));
  else if (by && many && !state.scene.decision.amount && state.scene.decision.kind !== "several") {
    event.preventDefault();
    answer("point", { at: ((state.scene.decision.pointed || 0) + by + many) % many });
  } else if (event.key === "Enter" && event.target === document.body) document.querySelector("#decision .act")?.click();
});
calm.addEventListener("change", () => state && show(state));
connect();
