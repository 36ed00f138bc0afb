// Fences, secure places and alarms: how they stand, and what may be asked of them.

import { at, fillList, make, put, show } from "./dom.js";
import { metres, span } from "./numbers.js";
import { known } from "./known.js";
import { circleRequest, draft, freeNumber, polygonRequest } from "./draft.js";
import { alarmWords, fenceWords } from "./words.js";
import { drawMap } from "./map.js";

/** @type {import("./types").Rules} */
const nothing = { fences: [], places: [], alarms: [], problems: [], state: "unassigned" };
/** @type {(text: string) => void} */
let ask = () => {};
let canAsk = false;
/** @type {() => import("./types").Rules} */
const rules = () => (known.status && known.status.rules) || nothing;

// A row: words, a second line, and buttons that each ask something.
const makeRow = () => make("li", "", make("p", "big"), make("p", "hint"), make("div", "row-buttons"));
const fillRow = (row, words, hint, buttons) => {
  put(row.children[0], words);
  put(row.children[1], hint);
  show(row.children[1], hint !== "");
  const list = row.children[2];
  show(list, canAsk && buttons.length > 0);
  fillList(list, buttons, () => {
    const button = make("button", "");
    button.type = "button";
    button.addEventListener("click", () => ask(button.dataset.request));
    return button;
  }, (button, [label, request]) => {
    put(button, label);
    button.dataset.request = request;
  });
};
const deletion = (table, number) => ["Delete", `${table} ${number} delete`];

/** @type {(status: import("./types").Status | null, mayAsk: boolean) => void} */
export const showRules = (status, mayAsk) => {
  if (!status) return;
  canAsk = mayAsk;
  const { fences, places, alarms, problems, state, openAlert, placeQuestion, timeZone } = status.rules || nothing;
  const isEmpty = fences.length + places.length + alarms.length === 0 && !placeQuestion;
  show(at("no-rules"), isEmpty);
  fillList(at("fence-rows"), fences, makeRow, (row, fence) => {
    row.className = fence.isActive && fence.presence === "outside" ? "alert" : "";
    fillRow(row, `${fence.number} ${fence.name}`, fenceWords(fence), [
      [fence.isActive ? "Off" : "On", `fence ${fence.number} ${fence.isActive ? "off" : "on"}`], deletion("fence", fence.number),
    ]);
  });
  const outside = { alerting: `Outside: alert ${openAlert || ""} is told until it is back, or found`,
    suppressed: "Found outside: nothing is told until it is back" }[state] || "";
  show(at("outside"), outside !== "");
  put(at("outside-words"), outside);
  show(at("outside-found"), canAsk && state === "alerting");
  show(at("place-question"), Boolean(placeQuestion));
  show(at("place-buttons"), canAsk);
  fillList(at("place-rows"), places, makeRow, (row, place) => fillRow(row, `${place.number} ${place.name}`,
    `secure place, ${metres(place.radiusMetres)} about it${place.isHere ? "; parked here" : ""}`, [deletion("place", place.number)]));
  fillList(at("alarm-rows"), alarms, makeRow, (row, alarm) => fillRow(row, `${alarm.number} ${alarm.label}`, alarmWords(alarm, span), [
    [alarm.isEnabled ? "Off" : "On", `alarm ${alarm.number} ${alarm.isEnabled ? "off" : "on"}`], deletion("alarm", alarm.number),
  ]));
  show(at("alarm-buttons"), canAsk && alarms.length > 0);
  show(at("zone"), alarms.length > 0);
  put(at("zone"), `Time zone: ${timeZone || "UTC"}`);
  show(at("rule-problems"), problems.length > 0);
  put(at("rule-problems"), `Not taken from the configuration: ${problems.join("; ")}`);
  show(at("new-fence"), canAsk);
};
const showDraft = () => {
  const count = draft.corners.length;
  put(at("draw-begin"), draft.isDrawing ? "Give up" : "Draw on the map");
  show(at("draw-end"), draft.isDrawing);
  at("draw-end").disabled = count < 3;
  put(at("draw-hint"), draft.isDrawing
    ? `Click its corners on the map: ${count} of up to 8` : "Its corners are clicked on the map; a circle is about where the tracker is.");
  document.body.classList.toggle("drawing", draft.isDrawing);
  drawMap();
};
const send = ({ text, problem }) => {
  put(at("draw-hint"), problem);
  if (!text) return;
  ask(text);
  at("fence-name").value = "";
  if (draft.isDrawing) draft.end();
};

// - Parameter askTracker: Sends a request.
export const prepareRules = (askTracker) => {
  ask = askTracker;
  draft.then = showDraft;
  const name = () => at("fence-name").value;
  const number = () => freeNumber(rules().fences);
  const question = () => rules().placeQuestion || 0;
  const click = (id, body) => at(id).addEventListener("click", body);
  click("draw-begin", () => (draft.isDrawing ? draft.end() : draft.begin()));
  click("draw-end", () => send(polygonRequest(number(), name(), draft.corners)));
  click("draw-circle", () => send(circleRequest(number(), name(), Number(at("fence-radius").value))));
  click("outside-found", () => ask("found"));
  click("place-secure", () => ask(`secure ${question()}`));
  click("place-temporary", () => ask(`temporary ${question()}`));
  click("alarm-snooze", () => ask("snooze"));
  click("alarm-hush", () => ask("hush"));
};
