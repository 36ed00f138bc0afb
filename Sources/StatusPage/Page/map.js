// The track on its plain map, and moving about on it.

import { at, fillList, make, put, show } from "./dom.js";
import { count, isNumber, metres } from "./numbers.js";
import { known } from "./known.js";
import { phases } from "./words.js";
import { besideButtons, colourOf, label, niceAbove, palette, surface } from "./canvas.js";
import { draft } from "./draft.js";
import { click, drag, draftPlaces, drawDraft, drawPlaces, release, takeHold, takeKey } from "./drawing.js";
import { fenceShapes, frame, lastPlace, lookAt, toPlain, view } from "./projection.js";

export const canvas = at("map");
const drawGrid = (pen, width, height, step) => {
  pen.strokeStyle = palette.grid;
  pen.lineWidth = 1;
  pen.beginPath();
  const west = view.x - width / 2 / view.scale, south = view.y - height / 2 / view.scale;
  for (let x = Math.ceil(west / step) * step; (x - west) * view.scale < width; x += step) {
    const edge = Math.round((x - west) * view.scale) + 0.5;
    pen.moveTo(edge, 0);
    pen.lineTo(edge, height);
  }
  for (let y = Math.ceil(south / step) * step; (y - south) * view.scale < height; y += step) {
    const edge = Math.round(height - (y - south) * view.scale) + 0.5;
    pen.moveTo(0, edge);
    pen.lineTo(width, edge);
  }
  pen.stroke();
};
const drawScale = (pen, width, height, step) => {
  const length = step * view.scale, x = 14, y = height - 16;
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(x, y - 5);
  pen.lineTo(x, y);
  pen.lineTo(x + length, y);
  pen.lineTo(x + length, y - 5);
  pen.stroke();
  pen.textAlign = "left";
  label(pen, step < 1000 ? `${step} m` : `${step / 1000} km`, x + 5, y - 6, palette.ink, palette.map);
  pen.fillStyle = palette.ink;
  pen.beginPath();
  pen.moveTo(width - 20, 12);
  pen.lineTo(width - 14, 28);
  pen.lineTo(width - 20, 24);
  pen.lineTo(width - 26, 28);
  pen.fill();
  pen.textAlign = "center";
  label(pen, "N", width - 20, 43, palette.ink, palette.map);
};
const drawFences = (pen, shapes, toScreen, width) => {
  for (const { number, name, isActive, rings, widthMetres } of shapes) {
    // What is being edited is drawn as it will be.
    if (draft.shape && draft.shape.table === "fence" && draft.shape.number === number) continue;
    pen.beginPath();
    for (const ring of rings) {
      ring.forEach((xy, place) => (place ? pen.lineTo(...toScreen(xy)) : pen.moveTo(...toScreen(xy))));
      if (!widthMetres) pen.closePath();
    }
    pen.globalAlpha = isActive ? 0.16 : 0.08;
    pen.fillStyle = palette.fence;
    pen.strokeStyle = palette.fence;
    if (widthMetres) {
      // A corridor: its line, as wide as it is.
      pen.lineCap = pen.lineJoin = "round";
      pen.lineWidth = Math.max(2, 2 * widthMetres * view.scale);
      pen.stroke();
    } else {
      pen.fill("evenodd");
    }
    pen.globalAlpha = 1;
    pen.lineWidth = isActive ? 2.6 : 1.8;
    // What must not be left has a whole line.
    pen.setLineDash(isActive ? [] : [7, 4]);
    pen.stroke();
    pen.setLineDash([]);
    const highest = rings[0].reduce((top, xy) => (xy[1] > top[1] ? xy : top), rings[0][0]);
    const [x, y] = toScreen(highest);
    pen.textAlign = "center";
    if (name) label(pen, name, besideButtons(pen, name, x, y, width), y - 7, palette.fence, palette.map);
  }
};

// One stroke for each run of places of one phase; a long silence is dashed.
const drawTrack = (pen, toScreen) => {
  const places = known.track.map((point) => toScreen(toPlain(point.lat, point.lon)));
  pen.lineWidth = 3;
  for (let first = 0; first + 1 < places.length;) {
    const phase = known.track[first + 1].phase;
    const isGap = (place) => known.track[place + 1].t - known.track[place].t > 60;
    const gap = isGap(first);
    let last = first + 1;
    while (!gap && last + 1 < places.length && known.track[last + 1].phase === phase && !isGap(last)) last += 1;
    pen.strokeStyle = colourOf(phase);
    pen.setLineDash(gap ? [2, 7] : []);
    pen.beginPath();
    pen.moveTo(...places[first]);
    for (let place = first + 1; place <= last; place += 1) pen.lineTo(...places[place]);
    pen.stroke();
    first = last;
  }
  pen.setLineDash([]);
  return places;
};
const drawLast = (pen, last, toScreen) => {
  const [x, y] = toScreen(last.xy);
  const phase = known.status ? known.status.phase : "starting";
  const accuracy = last.place && last.place.accuracyMetres;
  if (isNumber(accuracy)) {
    pen.beginPath();
    pen.arc(x, y, Math.max(1, accuracy * view.scale), 0, 2 * Math.PI);
    pen.globalAlpha = 0.16;
    pen.fillStyle = colourOf(phase);
    pen.fill();
    pen.globalAlpha = 0.7;
    pen.lineWidth = 1;
    pen.strokeStyle = colourOf(phase);
    pen.stroke();
    pen.globalAlpha = 1;
  }
  pen.beginPath();
  pen.arc(x, y, 7, 0, 2 * Math.PI);
  pen.fillStyle = colourOf(phase);
  pen.fill();
  pen.lineWidth = 2.5;
  pen.strokeStyle = palette.card;
  pen.stroke();
  const text = last.place && last.place.isStale ? "last seen" : "now";
  pen.textAlign = "center";
  label(pen, text, x, y + 22, palette.ink, palette.map);
};
const drawStart = (pen, [x, y], last, toScreen) => {
  pen.beginPath();
  pen.arc(x, y, 5, 0, 2 * Math.PI);
  pen.fillStyle = palette.card;
  pen.fill();
  pen.lineWidth = 2.5;
  pen.strokeStyle = palette.ink;
  pen.stroke();
  const end = last ? toScreen(last.xy) : [x + 99, y];
  pen.textAlign = "center";
  if (Math.hypot(end[0] - x, end[1] - y) > 40) label(pen, "start", x, y - 11, palette.ink, palette.map);
};
// From metres of the plane to the canvas, and back.
const toScreen = ([x, y]) => /** @type {import("./types").XY} */ (
  [canvas.clientWidth / 2 + (x - view.x) * view.scale, canvas.clientHeight / 2 - (y - view.y) * view.scale]);
const toMap = ([x, y]) => /** @type {import("./types").XY} */ (
  [view.x + (x - canvas.clientWidth / 2) / view.scale, view.y - (y - canvas.clientHeight / 2) / view.scale]);
export const drawMap = () => {
  const drawing = surface(canvas);
  if (!drawing) return;
  const { pen, width, height } = drawing;
  const last = lastPlace();
  const shapes = fenceShapes();
  canvas.dataset.points = String(known.track.length);
  canvas.dataset.fences = String(shapes.length);
  canvas.dataset.mode = view.mode;
  const places = (known.status && known.status.rules && known.status.rules.places) || [];
  if (!last && shapes.length === 0 && places.length === 0 && draftPlaces().length === 0) {
    pen.textAlign = "center";
    pen.font = "15px system-ui, sans-serif";
    pen.fillStyle = palette.soft;
    pen.fillText("No position yet", width / 2, height / 2);
    canvas.setAttribute("aria-label", "Map: no position yet");
    return;
  }
  frame(width, height, shapes, last);
  const step = niceAbove(44 / view.scale);
  drawGrid(pen, width, height, step);
  drawPlaces(pen, places, toScreen, width);
  drawFences(pen, shapes, toScreen, width);
  const track = drawTrack(pen, toScreen);
  if (track.length > 1) drawStart(pen, track[0], last, toScreen);
  if (last) drawLast(pen, last, toScreen);
  drawDraft(pen, toScreen);
  drawScale(pen, width, height, step);
  canvas.setAttribute("aria-label", `Map of the track: ${count(track.length, "place", "places")}, `
    + `${count(shapes.length, "fence", "fences")}; one square is ${metres(step)}`);
};
export const showLegend = () => {
  const seen = new Set(known.track.map((point) => point.phase));
  const items = phases.filter((phase) => seen.has(phase)).map((phase) => [phase, palette[phase]]);
  if (known.fences.length) items.push(["fence", palette.fence]);
  if (known.status && known.status.rules && known.status.rules.places.length) items.push(["secure place", palette.parked]);
  const list = at("legend");
  show(list, items.length > 0);
  fillList(list, items, () => make("li", "", make("i"), make("span")), (item, [name, colour]) => {
    item.children[0].style.color = colour;
    item.children[0].className = name === "secure place" ? "dotted" : "";
    put(item.children[1], name);
  });
};
const zoom = (factor, aboutX, aboutY) => {
  const before = view.scale;
  view.scale = Math.min(20, Math.max(2e-6, before * factor));
  // What is under the cursor stays there.
  view.x += aboutX * (1 / before - 1 / view.scale);
  view.y -= aboutY * (1 / before - 1 / view.scale);
  drawMap();
};
const setMode = (mode) => {
  view.mode = mode;
  at("mode-whole").setAttribute("aria-pressed", String(mode === "whole"));
  at("mode-follow").setAttribute("aria-pressed", String(mode === "follow"));
};
// Leaves the view to the user, with all of the draft in it; where the draft is nowhere yet, with the last place in the middle.
export const lookAtDraft = () => {
  setMode("free");
  const last = lastPlace();
  const places = draftPlaces();
  // Beside the buttons: what lies under them can't be taken hold of.
  if (places.length) lookAt(places, canvas.clientWidth, canvas.clientHeight, 66);
  else if (last) lookAt([{ xy: last.xy, radius: 120 }], canvas.clientWidth, canvas.clientHeight);
  drawMap();
};
const zoomAboutMiddle = (factor) => {
  if (view.mode === "whole") setMode("follow");
  zoom(factor, 0, 0);
};
const shift = (dx, dy) => {
  setMode("free");
  view.x -= dx / view.scale;
  view.y += dy / view.scale;
  drawMap();
};
let grip = null;
const letGo = () => {
  grip = null;
  canvas.classList.remove("moving");
};

at("mode-whole").addEventListener("click", () => {
  setMode("whole");
  drawMap();
});
at("mode-follow").addEventListener("click", () => {
  // About 400 m across, unless the user is closer already.
  view.scale = Math.max(view.scale, canvas.clientWidth / 400);
  setMode("follow");
  drawMap();
});
at("zoom-in").addEventListener("click", () => zoomAboutMiddle(1.6));
at("zoom-out").addEventListener("click", () => zoomAboutMiddle(1 / 1.6));
canvas.addEventListener("wheel", (event) => {
  if (document.activeElement !== canvas && !event.ctrlKey) return;
  event.preventDefault();
  const box = canvas.getBoundingClientRect();
  if (view.mode === "whole") setMode("free");
  const follows = view.mode === "follow";
  zoom(event.deltaY < 0 ? 1.25 : 0.8, follows ? 0 : event.clientX - box.left - box.width / 2,
    follows ? 0 : event.clientY - box.top - box.height / 2);
}, { passive: false });
const spotOf = (event) => {
  const box = canvas.getBoundingClientRect();
  // Inside the border.
  return /** @type {import("./types").XY} */ ([event.clientX - box.left - canvas.clientLeft, event.clientY - box.top - canvas.clientTop]);
};
canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || !event.isPrimary) return;
  const holds = takeHold(spotOf(event), event.pointerType, toScreen);
  grip = { x: event.clientX, y: event.clientY, moves: false, holds };
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  if (!grip || !event.isPrimary) return;
  if (grip.holds) return drag(spotOf(event), toMap);
  const dx = event.clientX - grip.x, dy = event.clientY - grip.y;
  // A click is not a move.
  if (!grip.moves && Math.hypot(dx, dy) < (event.pointerType === "touch" ? 8 : 4)) return;
  canvas.classList.add("moving");
  grip = { x: event.clientX, y: event.clientY, moves: true, holds: false };
  shift(dx, dy);
});
canvas.addEventListener("pointerup", (event) => {
  if (grip && !grip.moves && !grip.holds) click(spotOf(event), event.pointerType, toScreen, toMap);
  release();
  letGo();
});
canvas.addEventListener("pointercancel", () => {
  release();
  letGo();
});
canvas.addEventListener("keydown", (event) => {
  if (takeKey(event)) return;
  const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (steps[event.key]) shift(...steps[event.key]);
  else if (event.key === "+" || event.key === "=") zoomAboutMiddle(1.6);
  else if (event.key === "-") zoomAboutMiddle(1 / 1.6);
  else return;
  event.preventDefault();
});
