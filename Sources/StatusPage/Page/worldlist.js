// What has happened in a simulated life, as a list.

import { at, make, put } from "./dom.js";
import { elapsed, words } from "./worldwords.js";

const kinds = {
  deed: "vehicle", fault: "fault", event: "tracker", packet: "packet", received: "server", power: "power", broken: "broken",
};

const most = 300;
/** @type {(entries: import("./worldwords.js").Entry[]) => void} */
export const showEntries = (entries) => {
  const shown = entries.slice(-most).reverse();
  const list = at("entries");
  const newest = shown.length ? String(shown[0][0]) : "";
  const count = String(shown.length);
  if (list.dataset.newest === newest && list.dataset.count === count) return;
  list.dataset.newest = newest;
  list.dataset.count = count;
  list.replaceChildren(...shown.map((entry) => {
    const line = make("li", "");
    line.dataset.kind = entry[2];
    const [time, kind, text] = [make("time", ""), make("b", ""), make("span", "")];
    put(time, elapsed(entry[1]));
    put(kind, kinds[entry[2]] || entry[2]);
    put(text, words(entry));
    line.append(time, kind, text);
    return line;
  }));
};
