// The form of a fence or a secure place; its corners are on the map, and in a row of buttons for who has no pointer.

import { at, fillList, make, put, show } from "./dom.js";
import { count } from "./numbers.js";
import { draft } from "./draft.js";
import { addCorner, takeKey } from "./drawing.js";
import { sendForm, tellProblems } from "./fields.js";
import { drawMap, lookAtDraft } from "./map.js";
import { lastPlace, toDegrees } from "./projection.js";
import { decimals, fenceRequest, mostCorners, placeOf, placeRequest } from "./ruletext.js";

const fields = ["name", "width", "corners"];
/** @type {(text: string) => Promise<import("./types").Asking>} */
let ask;
// Where the focus goes back to.
let opener = null;
const kinds = ["polygon", "circle", "corridor"];

const hint = (shape) => {
  if (shape.isHere) return "About where the tracker is when it gets the request";
  if (shape.kind === "circle") {
    return "Tap its middle on the map, drag it, or type it; the square handle is its edge.";
  }
  const thing = shape.kind === "corridor" ? "point" : "corner";
  if (draft.corners.length === 0) return `Tap the map for the first ${thing} (${draft.room} left), or type it.`;
  const room = draft.room > 0 ? `tap an edge or the map for one more (${draft.room} left)` : `${mostCorners} is the most`;
  return `Drag a ${thing} on the map; ${room}.`;
};
const keysHint = (shape) => (shape.kind === "circle" ? "With the map chosen, arrow keys move it by a metre, with Shift by ten."
  : "Arrow keys move the one that is chosen by a metre, with Shift by ten; Delete takes it out.");
const makeCorner = () => {
  const button = make("button", "");
  button.type = "button";
  const choose = () => {
    const corner = Number(button.dataset.corner);
    if (draft.corner !== corner) draft.select(draft.ring, corner);
  };
  button.addEventListener("click", choose);
  // Keys move the one that has the focus.
  button.addEventListener("focus", choose);
  return button;
};
const showCorners = (shape) => {
  const { corners } = draft, thing = shape.kind === "corridor" ? "Point" : "Corner", isCircle = shape.kind === "circle";
  const list = at("corner-buttons");
  // Who has taken a corner out by a key goes on with the next.
  const hadFocus = list.contains(document.activeElement);
  show(list, !isCircle && corners.length > 0);
  fillList(list, isCircle ? [] : corners, makeCorner, (button, corner) => {
    const place = corners.indexOf(corner);
    button.dataset.corner = String(place);
    put(button, String(place + 1));
    button.setAttribute("aria-label", `${thing} ${place + 1}: ${decimals(corner.lat)}, ${decimals(corner.lon)}`);
    button.setAttribute("aria-pressed", String(place === draft.corner));
  });
  if (hadFocus && list.children[draft.corner]) list.children[draft.corner].focus();
  const meant = corners[draft.corner], ring = draft.ring ? " of the hole" : "";
  put(at("corner-place-label"), isCircle ? "Middle: latitude, longitude"
    : meant ? `${thing} ${draft.corner + 1}${ring}: latitude, longitude` : `A new ${thing.toLowerCase()}${ring}: latitude, longitude`);
  // Not while somebody types in it.
  const input = at("corner-place");
  if (document.activeElement !== input) input.value = meant ? `${decimals(meant.lat)}, ${decimals(meant.lon)}` : "";
  show(at("corner-add"), !isCircle);
  put(at("corner-add"), `Add a ${thing.toLowerCase()}`);
  at("corner-add").disabled = draft.room < 1;
  show(at("corner-remove"), !isCircle && corners.length > 0);
  put(at("corner-remove"), `Remove ${thing.toLowerCase()} ${draft.corner + 1}`);
  at("corner-remove").disabled = !meant;
  show(at("shape-here"), isCircle);
};
const showHole = (shape) => {
  const hasHole = shape.rings.length > 1, isOutline = shape.kind === "polygon";
  show(at("ring-buttons"), isOutline && hasHole);
  at("ring-outline").setAttribute("aria-pressed", String(draft.ring === 0));
  at("ring-hole").setAttribute("aria-pressed", String(draft.ring > 0));
  show(at("hole-cut"), isOutline && !hasHole);
  // An outline and a hole have three corners each.
  at("hole-cut").disabled = draft.room < 3 || shape.rings[0].length < 3;
  put(at("hole-cut"), draft.room < 3 ? "No corners left for a hole" : "Cut a hole");
  show(at("hole-fill"), isOutline && hasHole);
};
const showShape = () => {
  const { shape } = draft;
  show(at("shape-form"), Boolean(shape));
  document.body.classList.toggle("drawing", Boolean(shape));
  if (shape) {
    const what = shape.table === "place" ? "secure place" : "fence";
    put(at("shape-title"), shape.isNew ? `New ${what}` : `Edit ${what} ${shape.number}`);
    show(at("shape-kinds"), shape.table === "fence");
    for (const kind of kinds) at(`kind-${kind}`).checked = shape.kind === kind;
    show(at("shape-width-field"), shape.kind !== "polygon");
    put(at("shape-width-label"), shape.kind === "corridor" ? "Metres on either side of the line" : "Radius, m");
    if (at("shape-width").value !== shape.width && document.activeElement !== at("shape-width")) at("shape-width").value = shape.width;
    const corners = shape.rings.reduce((sum, ring) => sum + ring.length, 0);
    put(at("shape-corners-title"), shape.kind === "circle" ? "Middle"
      : shape.kind === "corridor" ? count(corners, "point", "points") : count(corners, "corner", "corners"));
    put(at("shape-hint"), hint(shape));
    put(at("shape-keys"), keysHint(shape));
    showCorners(shape);
    showHole(shape);
  }
  drawMap();
};

// Whether one is being edited: another one has to wait. It is brought to where it can be seen then.
export const isShapeOpen = () => {
  if (!draft.shape) return false;
  put(at("shape-result"), "Save this one or give up first");
  at("shape-form").scrollIntoView({ block: "nearest" });
  at("shape-save").focus();
  return true;
};
// Returns false when another one has to be saved or given up before.
/** @type {(shape: import("./types").Outline) => boolean} */
export const openShape = (shape) => {
  if (isShapeOpen()) return false;
  opener = document.activeElement;
  put(at("shape-result"), "");
  tellProblems("shape", fields, {});
  tellProblems("corner", ["place"], {});
  at("shape-name").value = shape.name;
  draft.open(shape);
  lookAtDraft();
  at("map-card").scrollIntoView({ block: "start" });
  at("shape-name").focus({ preventScroll: true });
  return true;
};
const close = () => {
  draft.close();
  if (opener && opener.isConnected) opener.focus();
  opener = null;
};
const save = async () => {
  const { shape } = draft;
  if (!shape || at("shape-save").disabled) return;
  if (await sendForm("shape", fields, shape.table === "place" ? placeRequest(shape) : fenceRequest(shape), ask)) close();
};
// A place that is typed is where the corner that is meant goes, or a new one.
const takePlace = () => {
  const text = at("corner-place").value.trim();
  const place = placeOf(text);
  const problem = text && !place ? "Two numbers in degrees, such as 52.0001, 4.0003" : "";
  tellProblems("corner", ["place"], problem ? { place: problem } : {});
  if (!place) return;
  if (draft.corner < 0) draft.add(place);
  else draft.move(draft.ring, draft.corner, place);
  lookAtDraft();
};

// - Parameter askTracker: Sends a request.
export const prepareShapeForm = (askTracker) => {
  ask = askTracker;
  draft.then = showShape;
  const click = (id, body) => at(id).addEventListener("click", body);
  at("shape-form").addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  click("shape-cancel", close);
  at("shape-name").addEventListener("input", () => draft.shape && Object.assign(draft.shape, { name: at("shape-name").value }));
  at("shape-width").addEventListener("input", () => {
    if (draft.shape) draft.shape.width = at("shape-width").value;
    drawMap();
  });
  for (const kind of kinds) at(`kind-${kind}`).addEventListener("change", () => draft.setKind(kind));
  click("corner-add", () => {
    const problem = addCorner() ? "" : "Type where the first one is: there is nothing on the map yet";
    tellProblems("corner", ["place"], problem ? { place: problem } : {});
  });
  click("corner-remove", () => draft.remove());
  click("shape-here", () => {
    const last = lastPlace();
    draft.putHere(last ? toDegrees(last.xy) : null);
    lookAtDraft();
  });
  click("ring-outline", () => draft.select(0, Math.min(0, draft.shape ? draft.shape.rings[0].length - 1 : -1)));
  click("ring-hole", () => draft.cutHole());
  click("hole-cut", () => draft.cutHole());
  click("hole-fill", () => draft.fillHole());
  at("corner-buttons").addEventListener("keydown", takeKey);
  const input = at("corner-place");
  input.addEventListener("change", takePlace);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    // Enter takes the place; it does not save yet.
    event.preventDefault();
    takePlace();
  });
};
