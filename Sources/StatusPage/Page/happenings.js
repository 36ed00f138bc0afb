// Alarms, events, packets and requests as lists, and the dialogue with the modem.

import { at, fillList, make, put, show } from "./dom.js";
import { ago, count, fixed, span, timeOfDay } from "./numbers.js";
import { dateOf, known } from "./known.js";
import { happeningWords, requestWords } from "./words.js";

const makeRow = () => make("li", "", make("time"), make("span"));
const fillRow = (row, age, className, words) => {
  const date = dateOf(known.now - age);
  put(row.children[0], date ? timeOfDay(date) : span(age));
  row.children[0].title = ago(age);
  row.children[1].className = className;
  put(row.children[1], words);
};
let happeningsShown = "";
export const showHappenings = () => {
  const newest = known.happenings.slice(-200).reverse();
  show(at("no-happenings"), newest.length === 0);
  // Times of day change only when the time becomes known; without it, ages are shown.
  const hasTime = dateOf(0) !== null;
  const rules = (known.status && known.status.rules) || undefined;
  const rows = rules ? [...rules.fences, ...rules.places, ...rules.alarms] : [];
  const names = rows.map((row) => [row.number, "label" in row ? row.label : row.name]);
  const state = `${hasTime} ${newest.length ? newest[0].n : 0} ${newest.length} ${JSON.stringify(names)}`;
  if (hasTime && state === happeningsShown) return;
  happeningsShown = state;
  const told = newest.map((happening) => ({ happening, words: happeningWords(happening, rules) }));
  const isPacket = ({ happening }) => happening.what === "packet";
  const fill = (list, rows) => {
    show(at(list), rows.length > 0);
    fillList(at(list), rows, makeRow, (row, { happening, words }) => fillRow(row, known.now - happening.t, words[0], words[1]));
  };
  // Alarms first, and what a tracker reports all day folded away.
  fill("alarms", told.filter((one) => !isPacket(one) && one.words[0] === "alert").slice(0, 20));
  fill("happenings", told.filter((one) => !isPacket(one) && one.words[0] !== "alert").slice(0, 100));
  const packets = told.filter(isPacket).slice(0, 100);
  fill("reports-rows", packets);
  show(at("reports"), packets.length > 0);
  put(at("reports-title"), `Reports: ${count(packets.length, "packet", "packets")}`);
};
export const showRequests = (status) => {
  show(at("no-requests"), status.requests.length === 0);
  show(at("requests"), status.requests.length > 0);
  fillList(at("requests"), status.requests, makeRow, (row, asked) => fillRow(row, asked.ageSeconds, ...requestWords(asked)));
};
let lineShown = 0;
export const showDialogue = () => {
  const list = at("dialogue");
  show(at("no-dialogue"), known.lines.length === 0);
  show(list, known.lines.length > 0);
  if (known.lines.length === 0) {
    list.replaceChildren();
    lineShown = 0;
    return;
  }
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
  for (const line of known.lines) {
    if (line.n <= lineShown) continue;
    const date = dateOf(line.t);
    list.append(make("div", line.out ? "out" : "in",
      make("span", "", date ? timeOfDay(date) : fixed(line.t, 1)),
      make("span", "", line.out ? "→" : "←"), make("span", "", line.text)));
    lineShown = line.n;
  }
  while (list.children.length > 500) list.firstElementChild.remove();
  if (isAtEnd) list.scrollTop = list.scrollHeight;
};

// Begins both lists anew, as another life of the tracker counts anew.
export const forgetHappenings = () => {
  happeningsShown = "";
  lineShown = 0;
  at("dialogue").replaceChildren();
};
