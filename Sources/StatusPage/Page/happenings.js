// Events and packets as a list, and the dialogue with the modem.

import { at, fillList, make, put, show } from "./dom.js";
import { ago, fixed, span, timeOfDay } from "./numbers.js";
import { dateOf, known, trackerNow } from "./known.js";
import { happeningWords } from "./words.js";

let happeningsShown = "";
export const showHappenings = () => {
  const list = at("happenings");
  const newest = known.happenings.slice(-100).reverse();
  show(at("no-happenings"), newest.length === 0);
  show(list, newest.length > 0);
  // Times of day change only when the time becomes known; without it, ages are shown.
  const hasTime = dateOf(0) !== null;
  const state = `${hasTime} ${newest.length ? newest[0].n : 0} ${newest.length}`;
  if (hasTime && state === happeningsShown) return;
  happeningsShown = state;
  fillList(list, newest, () => make("li", "", make("time"), make("span")), (row, happening) => {
    const [className, words] = happeningWords(happening);
    const date = dateOf(happening.t);
    put(row.children[0], date ? timeOfDay(date) : span(trackerNow() - happening.t));
    row.children[0].title = ago(trackerNow() - happening.t);
    row.children[1].className = className;
    put(row.children[1], words);
  });
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
