// Fences, secure places and alarms: how they stand, and what may be asked of them.

import { at, fillList, make, put, show } from "./dom.js";
import { metres, span } from "./numbers.js";
import { known } from "./known.js";
import { shortly } from "./asking.js";
import { newOutline, outlineOfFence, outlineOfPlace } from "./draft.js";
import { freeNumber } from "./ruletext.js";
import { alarmWords, fenceWords } from "./words.js";
import { openAlarm, prepareAlarmForm, showZone } from "./alarmform.js";
import { meanwhile, noteOpened } from "./openings.js";
import { openShape, prepareShapeForm } from "./shapeform.js";

/** @type {import("./types").Rules} */
const nothing = { fences: [], places: [], alarms: [], problems: [], state: "unassigned" };
/** @type {(text: string) => Promise<import("./types").Asking>} */
let askTracker;
let canAsk = false;
/** @type {() => import("./types").Rules} */
const rules = () => (known.status && known.status.rules) || nothing;

// What became of it stands here, too: the place for all requests may be far up.
/** @type {(text: string) => Promise<import("./types").Asking>} */
const ask = async (text) => {
  put(at("rule-result"), "");
  const result = await askTracker(text);
  put(at("rule-result"), `${shortly(text)}: ${result.words}`);
  at("rule-result").className = result.isDone ? "hint" : "problem";
  return result;
};

// What a form makes, unless somebody else has changed its row since it was opened.
/** @type {(text: string) => Promise<import("./types").Asking>} */
const save = async (text) => {
  const words = meanwhile(text, rules());
  return words ? { isDone: false, words } : ask(text);
};

// Forms that are opened from a row, and those of a new one.
const openNew = {
  fence: (number) => openShape(newOutline("fence", number)),
  place: (number) => openShape(newOutline("place", number)),
  alarm: (number) => openAlarm(number, null, rules().fences),
};
const begin = (table) => {
  const number = freeNumber(rules()[`${table}s`]);
  if (openNew[table](number)) noteOpened(table, number, rules());
};
const open = {
  fence: (number) => {
    const fence = rules().fences.find((one) => one.number === number);
    if (fence && openShape(outlineOfFence(fence))) noteOpened("fence", number, rules());
  },
  place: (number) => {
    const place = rules().places.find((one) => one.number === number);
    if (place && openShape(outlineOfPlace(place))) noteOpened("place", number, rules());
  },
  alarm: (number) => {
    const alarm = rules().alarms.find((one) => one.number === number);
    if (alarm && openAlarm(number, alarm, rules().fences)) noteOpened("alarm", number, rules());
  },
};

// A row: words, a second line, and buttons that open its form or ask something.
const makeRow = () => make("li", "", make("p", "big"), make("p", "hint"), make("div", "row-buttons"));
const press = (button) => {
  const { table, number, request } = button.dataset;
  if (request) ask(request);
  else open[table](Number(number));
};
/** @type {(row: any, table: string, number: number, name: string, hint: string, isOn?: boolean) => void} */
const fillRow = (row, table, number, name, hint, isOn) => {
  put(row.children[0], `${number} ${name}`);
  put(row.children[1], hint);
  show(row.children[1], hint !== "");
  const list = row.children[2];
  show(list, canAsk);
  const turned = isOn ? "off" : "on";
  const buttons = [["Edit", ""], ["Delete", `${table} ${number} delete`]];
  // A secure place is neither on nor off.
  if (isOn !== undefined) buttons.splice(1, 0, [isOn ? "Off" : "On", `${table} ${number} ${turned}`]);
  fillList(list, buttons, () => {
    const button = make("button", "");
    button.type = "button";
    button.addEventListener("click", () => press(button));
    return button;
  }, (button, [label, request]) => {
    put(button, label);
    button.className = label === "Delete" ? "quiet" : "";
    button.setAttribute("aria-label", `${label}: ${table} ${number} ${name}`);
    Object.assign(button.dataset, { table, number: String(number), request });
  });
};

/** @type {(status: import("./types").Status | null, mayAsk: boolean) => void} */
export const showRules = (status, mayAsk) => {
  if (!status) return;
  canAsk = mayAsk;
  const { fences, places, alarms, problems, state, openAlert, placeQuestion, timeZone } = status.rules || nothing;
  show(at("no-rules"), fences.length + places.length + alarms.length === 0 && !placeQuestion);
  const active = fences.filter((fence) => fence.isActive);
  const isOut = active.every((fence) => fence.presence === "outside");
  fillList(at("fence-rows"), fences, makeRow, (row, fence) => {
    row.className = fence.isActive && isOut ? "alert" : "";
    fillRow(row, "fence", fence.number, fence.name, fenceWords(fence, active.length), fence.isActive);
  });
  const outside = { alerting: `Outside: alert ${openAlert || ""} is repeated until it is back, or found`,
    suppressed: "Found outside: no alerts until it is back" }[state] || "";
  show(at("outside"), outside !== "");
  put(at("outside-words"), outside);
  show(at("outside-found"), canAsk && state === "alerting");
  show(at("place-question"), Boolean(placeQuestion));
  show(at("place-buttons"), canAsk);
  fillList(at("place-rows"), places, makeRow, (row, place) => fillRow(row, "place", place.number, place.name,
    `secure place, ${metres(place.radiusMetres)} around it${place.isHere ? "; parked here" : ""}`));
  fillList(at("alarm-rows"), alarms, makeRow,
    (row, alarm) => fillRow(row, "alarm", alarm.number, alarm.label, alarmWords(alarm, fences, span), alarm.isEnabled));
  show(at("alarm-buttons"), canAsk && alarms.length > 0);
  show(at("zone-line"), alarms.length > 0 || canAsk);
  showZone(timeZone);
  show(at("zone-buttons"), canAsk);
  show(at("rule-problems"), problems.length > 0);
  put(at("rule-problems"), `Refused: ${problems.join("; ")}`);
  show(at("new-rules"), canAsk);
};

// - Parameter asker: Sends a request.
export const prepareRules = (asker) => {
  askTracker = asker;
  prepareShapeForm(save);
  prepareAlarmForm(save);
  const question = () => rules().placeQuestion || 0;
  const click = (id, body) => at(id).addEventListener("click", body);
  for (const table of ["fence", "place", "alarm"]) click(`new-${table}`, () => begin(table));
  click("outside-found", () => ask("found"));
  click("place-secure", () => ask(`secure ${question()}`));
  click("place-temporary", () => ask(`temporary ${question()}`));
  click("ring-snooze", () => ask("snooze"));
  click("ring-hush", () => ask("hush"));
};
