// The fence or secure place that is being drawn or edited: its corners, and which of them is meant.

import { mostCorners } from "./ruletext.js";

const copy = (rings) => rings.map((ring) => ring.map(({ lat, lon }) => ({ lat, lon })));
// Outlines of the kinds that are not shown, for who changes the kind and back.
/** @type {Record<string, import("./types").LatLon[][]>} */
let others = {};

export const draft = {
  /** @type {import("./types").Outline | null} */
  shape: null,
  // Which ring is being edited, 0 for the outline, and which of its corners is meant; -1 for none.
  ring: 0,
  corner: -1,
  then: () => {},

  /** @type {(shape: import("./types").Outline) => void} */
  open(shape) {
    others = {};
    Object.assign(draft, { shape: { ...shape, rings: copy(shape.rings) }, ring: 0, corner: shape.rings[0].length ? 0 : -1 });
    draft.then();
  },
  close() {
    Object.assign(draft, { shape: null, ring: 0, corner: -1 });
    draft.then();
  },

  // The ring that is being edited.
  /** @returns {import("./types").LatLon[]} */
  get corners() {
    return draft.shape ? draft.shape.rings[draft.ring] : [];
  },
  // How many corners may be added.
  get room() {
    if (!draft.shape) return 0;
    const most = draft.shape.kind === "circle" ? 1 : mostCorners;
    return most - draft.shape.rings.reduce((sum, ring) => sum + ring.length, 0);
  },

  /** @type {(ring: number, corner: number) => void} */
  select(ring, corner) {
    Object.assign(draft, { ring, corner });
    draft.then();
  },
  // Puts a corner behind another one of a ring, and means it; false when there is no room.
  /** @type {(ring: number, after: number, place: import("./types").LatLon) => boolean} */
  insert(ring, after, place) {
    if (!draft.shape || draft.room < 1) return false;
    draft.shape.rings[ring].splice(after + 1, 0, place);
    draft.shape.isHere = false;
    draft.select(ring, after + 1);
    return true;
  },
  // Puts a corner at the end of the ring that is being edited; the middle of a circle goes there.
  /** @type {(place: import("./types").LatLon) => boolean} */
  add(place) {
    if (!draft.shape) return false;
    if (draft.shape.kind !== "circle" || draft.corners.length === 0) return draft.insert(draft.ring, draft.corners.length - 1, place);
    draft.move(0, 0, place);
    return true;
  },
  /** @type {(ring: number, corner: number, place: import("./types").LatLon) => void} */
  move(ring, corner, place) {
    if (!draft.shape) return;
    draft.shape.rings[ring][corner] = place;
    draft.shape.isHere = false;
    draft.select(ring, corner);
  },
  // Takes the corner that is meant out; the one before it is meant then.
  remove() {
    if (!draft.shape || draft.corner < 0) return;
    draft.corners.splice(draft.corner, 1);
    draft.shape.isHere = false;
    draft.select(draft.ring, Math.min(Math.max(draft.corner - 1, 0), draft.corners.length - 1));
  },

  // Begins a hole, or goes to the one that is there: eight corners are enough for one.
  cutHole() {
    if (!draft.shape || draft.shape.kind !== "polygon") return;
    if (draft.shape.rings.length < 2) draft.shape.rings.push([]);
    draft.select(1, draft.shape.rings[1].length - 1);
  },
  fillHole() {
    if (!draft.shape) return;
    draft.shape.rings.length = 1;
    draft.select(0, draft.shape.rings[0].length - 1);
  },

  /** @type {(kind: string) => void} */
  setKind(kind) {
    const { shape } = draft;
    if (!shape || shape.kind === kind) return;
    others[shape.kind] = shape.rings;
    shape.rings = others[kind] || [shape.rings[0].slice(0, kind === "circle" ? 1 : mostCorners)];
    Object.assign(shape, { kind, isHere: shape.isHere && kind === "circle" });
    draft.select(0, shape.rings[0].length - 1);
  },
  // About where the tracker is when the request comes there; `place` shows it meanwhile.
  /** @type {(place: import("./types").LatLon | null) => void} */
  putHere(place) {
    if (!draft.shape || draft.shape.kind !== "circle") return;
    draft.shape.rings = [place ? [place] : []];
    draft.shape.isHere = true;
    draft.select(0, place ? 0 : -1);
  },
};

// A fence as the tracker tells it, for editing.
/** @type {(fence: import("./types").Fence) => import("./types").Outline} */
export const outlineOfFence = ({ number, name, shape, widthMetres, rings }) => ({
  table: "fence", number, name, kind: shape, width: typeof widthMetres === "number" ? String(widthMetres) : "50",
  isHere: false, isNew: false,
  rings: rings.map((ring) => ring.corners.map((corner) => ({ lat: corner.latitudeDegrees, lon: corner.longitudeDegrees }))),
});
/** @type {(place: import("./types").SecurePlace) => import("./types").Outline} */
export const outlineOfPlace = ({ number, name, latitudeDegrees, longitudeDegrees, radiusMetres }) => ({
  table: "place", number, name, kind: "circle", width: String(radiusMetres), isHere: false, isNew: false,
  rings: [[{ lat: latitudeDegrees, lon: longitudeDegrees }]],
});
/** @type {(table: string, number: number) => import("./types").Outline} */
export const newOutline = (table, number) => ({
  table, number, name: "", kind: table === "place" ? "circle" : "polygon", width: table === "place" ? "60" : "50",
  isHere: false, isNew: true, rings: [[]],
});
