// The fence or place that is being edited, on the map: its corners to be dragged, clicked and moved by keys.

import { besideButtons, label, palette } from "./canvas.js";
import { draft } from "./draft.js";
import { edgeAt, pointAt } from "./hits.js";
import { circle, toDegrees, toPlain, view } from "./projection.js";
import { metresOf } from "./ruletext.js";

// What is being dragged: a corner of a ring, or the edge of a circle; `moved` once it has left its place.
/** @type {{ ring: number, corner: number, isRadius: boolean, moved: boolean, from: import("./types").XY } | null} */
let grip = null;
const reaches = { touch: 26, mouse: 13 };
const plain = (corner) => toPlain(corner.lat, corner.lon);
const widthOf = (shape) => metresOf(shape.width) || 0;
const isClosed = (shape) => shape.kind === "polygon";

// Where the edge of a circle is taken hold of.
const radiusHandle = (shape) => {
  const [x, y] = plain(shape.rings[0][0]);
  return /** @type {import("./types").XY} */ ([x + widthOf(shape), y]);
};
const hasRadiusHandle = (shape) => shape.kind === "circle" && shape.rings[0].length > 0 && widthOf(shape) > 0;
const drawHandle = (pen, [x, y], radius, isMeant, isSquare = false) => {
  pen.beginPath();
  if (isSquare) pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = isMeant ? palette.link : palette.card;
  pen.fill();
  pen.lineWidth = 2.5;
  pen.strokeStyle = isMeant ? palette.card : palette.link;
  pen.stroke();
  if (!isMeant) return;
  pen.beginPath();
  pen.arc(x, y, radius + 3, 0, 2 * Math.PI);
  pen.lineWidth = 2;
  pen.strokeStyle = palette.link;
  pen.stroke();
};
// Its area: what is inside the outline and not in the hole, a circle, or the way along a line.
const drawArea = (pen, shape, toScreen) => {
  pen.beginPath();
  for (const ring of shape.rings) {
    const points = shape.kind === "circle" ? ring.flatMap((middle) => circle(plain(middle), widthOf(shape))) : ring.map(plain);
    points.forEach((xy, place) => (place ? pen.lineTo(...toScreen(xy)) : pen.moveTo(...toScreen(xy))));
    if (shape.kind !== "corridor") pen.closePath();
  }
  pen.strokeStyle = pen.fillStyle = palette.link;
  pen.globalAlpha = 0.14;
  if (shape.kind === "corridor") {
    pen.lineWidth = Math.max(2, 2 * widthOf(shape) * view.scale);
    pen.stroke();
  } else {
    pen.fill("evenodd");
  }
  pen.globalAlpha = 1;
  pen.lineWidth = 2;
  pen.stroke();
};
export const drawDraft = (pen, toScreen) => {
  const { shape } = draft;
  if (!shape) return;
  drawArea(pen, shape, toScreen);
  pen.textAlign = "center";
  shape.rings.forEach((ring, number) => {
    const corners = ring.map((corner) => toScreen(plain(corner)));
    const isMeant = (corner) => number === draft.ring && corner === draft.corner;
    // Where an edge may be clicked for one more.
    if (draft.room > 0 && shape.kind !== "circle") {
      corners.forEach(([x, y], place) => {
        const next = corners[place + 1] || (isClosed(shape) && corners.length > 2 ? corners[0] : null);
        if (next) drawHandle(pen, [(x + next[0]) / 2, (y + next[1]) / 2], 3, false);
      });
    }
    corners.forEach((xy, place) => {
      const isRing = number === draft.ring;
      drawHandle(pen, xy, isMeant(place) ? 8 : isRing ? 7 : 5, isMeant(place));
      if (shape.kind !== "circle" && isRing) label(pen, String(place + 1), xy[0], xy[1] - 14, palette.ink, palette.map);
    });
  });
  if (hasRadiusHandle(shape)) drawHandle(pen, toScreen(radiusHandle(shape)), 6, false, true);
};
export const drawPlaces = (pen, places, toScreen, width) => {
  for (const place of places) {
    if (draft.shape && draft.shape.table === "place" && draft.shape.number === place.number) continue;
    const middle = toPlain(place.latitudeDegrees, place.longitudeDegrees);
    pen.beginPath();
    circle(middle, place.radiusMetres).forEach((xy, step) => (step ? pen.lineTo(...toScreen(xy)) : pen.moveTo(...toScreen(xy))));
    pen.fillStyle = pen.strokeStyle = palette.parked;
    pen.globalAlpha = 0.1;
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = 1.8;
    pen.setLineDash([2, 5]);
    pen.stroke();
    pen.setLineDash([]);
    const [x, y] = toScreen([middle[0], middle[1] - place.radiusMetres]);
    pen.textAlign = "center";
    label(pen, place.name, besideButtons(pen, place.name, x, y, width), y + 15, palette.parked, palette.map);
  }
};

// Everything of the draft that ought to be seen.
/** @type {() => { xy: import("./types").XY, radius: number }[]} */
export const draftPlaces = () => {
  const { shape } = draft;
  const corners = shape ? shape.rings.flat() : [];
  // A corner or two are no outline: there is to be room for others.
  const radius = shape && shape.kind !== "polygon" ? widthOf(shape) : corners.length < 3 ? 60 : 0;
  return corners.map((corner) => ({ xy: plain(corner), radius }));
};

// The nearest handle under a pointer.
const handleAt = (shape, at, reach, toScreen) => {
  let found = null, least = reach;
  shape.rings.forEach((ring, number) => {
    const points = ring.map((corner) => toScreen(plain(corner)));
    const corner = pointAt(points, at, least);
    if (corner < 0) return;
    least = Math.hypot(points[corner][0] - at[0], points[corner][1] - at[1]);
    found = { ring: number, corner, isRadius: false, moved: false, from: at };
  });
  if (!hasRadiusHandle(shape)) return found;
  const isRadius = pointAt([toScreen(radiusHandle(shape))], at, least) === 0;
  return isRadius ? { ring: 0, corner: 0, isRadius, moved: false, from: at } : found;
};
// A pointer comes down; true when it takes hold of something.
/** @type {(at: import("./types").XY, pointer: string, toScreen: any) => boolean} */
export const takeHold = (at, pointer, toScreen) => {
  grip = draft.shape ? handleAt(draft.shape, at, reaches[pointer] || reaches.mouse, toScreen) : null;
  return grip !== null;
};
/** @type {(at: import("./types").XY, toMap: (at: import("./types").XY) => import("./types").XY) => void} */
export const drag = (at, toMap) => {
  const { shape } = draft;
  if (!grip || !shape) return;
  // A finger that only taps trembles, too.
  if (!grip.moved && Math.hypot(at[0] - grip.from[0], at[1] - grip.from[1]) < 5) return;
  grip.moved = true;
  const xy = toMap(at);
  if (!grip.isRadius) return draft.move(grip.ring, grip.corner, toDegrees(xy));
  const [x, y] = plain(shape.rings[0][0]);
  shape.width = String(Math.min(1000000, Math.max(1, Math.round(Math.hypot(xy[0] - x, xy[1] - y)))));
  draft.then();
};
// It lets go; a corner that was only clicked is meant from now on.
export const release = () => {
  if (grip && !grip.moved && !grip.isRadius && draft.shape) draft.select(grip.ring, grip.corner);
  grip = null;
};
// A click beside all handles: on an edge a corner between two, elsewhere one at the end of the ring.
/** @type {(at: import("./types").XY, pointer: string, toScreen: any, toMap: (at: import("./types").XY) => import("./types").XY) => void} */
export const click = (at, pointer, toScreen, toMap) => {
  const { shape } = draft;
  // Where nothing is drawn nothing is clicked.
  if (!shape || !view.origin) return;
  const place = toDegrees(toMap(at));
  if (shape.kind === "circle") return void draft.add(place);
  const edges = shape.rings.map((ring) => edgeAt(ring.map((corner) => toScreen(plain(corner))), isClosed(shape), at,
    reaches[pointer] || reaches.mouse));
  const ring = edges[draft.ring] >= 0 ? draft.ring : edges.findIndex((edge) => edge >= 0);
  if (ring >= 0) draft.insert(ring, edges[ring], place);
  else draft.add(place);
};

// Moves the corner that is meant so many metres.
/** @type {(east: number, north: number) => void} */
export const nudge = (east, north) => {
  const corner = draft.corners[draft.corner];
  if (!corner) return;
  const [x, y] = plain(corner);
  draft.move(draft.ring, draft.corner, toDegrees([x + east, y + north]));
};
// A key for the corner that is meant: arrows move it by a metre, with Shift by ten; true when it was one.
/** @type {(event: any) => boolean} */
export const takeKey = (event) => {
  if (draft.corner < 0 || event.ctrlKey || event.altKey || event.metaKey) return false;
  const step = event.shiftKey ? 10 : 1;
  const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
  if (ways[event.key]) nudge(ways[event.key][0], ways[event.key][1]);
  else if (event.key === "Delete" || event.key === "Backspace") draft.remove();
  // None is meant then, and the arrows move the map again.
  else if (event.key === "Escape") draft.select(draft.ring, -1);
  else return false;
  event.preventDefault();
  return true;
};
// One more corner without a pointer: behind the one that is meant, halfway to the next, or about the middle of the map. False while it is
// not known what the map shows.
/** @type {() => boolean} */
export const addCorner = () => {
  const { shape, corners } = draft;
  if (!shape || !view.origin) return false;
  const next = corners[draft.corner + 1] || (isClosed(shape) && corners.length > 2 ? corners[0] : null);
  if (draft.corner >= 0 && next) {
    const [a, b] = [plain(corners[draft.corner]), plain(next)];
    return draft.insert(draft.ring, draft.corner, toDegrees([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]));
  }
  // No two at the same place, and three of them in no line.
  const angle = Math.PI / 2 - (corners.length * 2 * Math.PI) / 5, away = 60 / view.scale;
  return draft.insert(draft.ring, corners.length - 1, toDegrees([view.x + away * Math.cos(angle), view.y + away * Math.sin(angle)]));
};
