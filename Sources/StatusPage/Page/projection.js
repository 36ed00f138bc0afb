// Degrees to metres on a plane about the first place.

import { isNumber } from "./numbers.js";
import { known } from "./known.js";

// Mode "whole" keeps everything in view, "follow" the last place in the middle, "free" leaves it to the user.
/** @type {import("./types").View} */
export const view = { mode: "whole", x: 0, y: 0, scale: 1, origin: null };
const metresPerDegree = 111195;

// Metres east and north of the first place that was asked about.
/** @type {(lat: number, lon: number) => import("./types").XY} */
export const toPlain = (lat, lon) => {
  if (!view.origin) view.origin = { lat, lon, narrow: Math.max(0.01, Math.cos((lat * Math.PI) / 180)) };
  const across = ((((lon - view.origin.lon + 180) % 360) + 360) % 360) - 180;
  return [across * view.origin.narrow * metresPerDegree, (lat - view.origin.lat) * metresPerDegree];
};

// A circle as an outline.
/** @type {(middle: import("./types").XY, radius: number) => import("./types").XY[]} */
export const circle = ([x, y], radius) => Array.from({ length: 73 }, (_, place) => (place * Math.PI) / 36)
  .map((angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]);
export const fenceShapes = () => {
  /** @type {import("./types").Shape[]} */
  const shapes = [];
  for (const feature of known.fences) {
    const geometry = feature && feature.geometry;
    if (!geometry || !Array.isArray(geometry.coordinates)) continue;
    const properties = feature.properties || {};
    const name = String(properties.name || "");
    const number = isNumber(properties.number) ? properties.number : undefined;
    const isActive = Boolean(properties.isActive);
    const ring = (places) => places.map(([lon, lat]) => toPlain(lat, lon));
    if (geometry.type === "Polygon") shapes.push({ number, name, isActive, rings: geometry.coordinates.map(ring) });
    if (geometry.type === "MultiPolygon") {
      geometry.coordinates.forEach((part) => shapes.push({ number, name, isActive, rings: part.map(ring) }));
    }
    if (geometry.type === "LineString" && isNumber(properties.widthMetres)) {
      shapes.push({ number, name, isActive, rings: [ring(geometry.coordinates)], widthMetres: properties.widthMetres });
    }
    if (geometry.type === "Point" && isNumber(properties.radiusMetres)) {
      const [lon, lat] = geometry.coordinates;
      shapes.push({ number, name, isActive, rings: [circle(toPlain(lat, lon), properties.radiusMetres)] });
    }
  }
  return shapes;
};

// The place that is so far from the first one, degrees: the way back from `toPlain`.
/** @type {(xy: import("./types").XY) => { lat: number, lon: number }} */
export const toDegrees = ([x, y]) => {
  const origin = view.origin || { lat: 0, lon: 0, narrow: 1 };
  const lon = origin.lon + x / (origin.narrow * metresPerDegree);
  return { lat: origin.lat + y / metresPerDegree, lon: ((((lon + 180) % 360) + 360) % 360) - 180 };
};
export const lastPlace = () => {
  const place = known.status && known.status.position;
  if (place) return { xy: toPlain(place.latitudeDegrees, place.longitudeDegrees), place };
  const last = known.track[known.track.length - 1];
  return last ? { xy: toPlain(last.lat, last.lon), place: null } : null;
};

// Sets the view so that all of these are seen, each with so many metres about it, and so many pixels about all of them.
/** @type {(places: { xy: import("./types").XY, radius: number }[], width: number, height: number, edge?: number) => void} */
export const lookAt = (places, width, height, edge = 45) => {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { xy: [x, y], radius } of places) {
    west = Math.min(west, x - radius);
    east = Math.max(east, x + radius);
    south = Math.min(south, y - radius);
    north = Math.max(north, y + radius);
  }
  if (west > east) return;
  view.x = (west + east) / 2;
  view.y = (south + north) / 2;
  view.scale = Math.min((width - 2 * edge) / Math.max(40, east - west), (height - 2 * edge + 6) / Math.max(40, north - south));
};

// Sets the view as its mode wants it.
export const frame = (width, height, shapes, last) => {
  if (view.mode === "follow" && last) [view.x, view.y] = last.xy;
  if (view.mode !== "whole") return;
  const places = known.track.map((point) => ({ xy: toPlain(point.lat, point.lon), radius: 0 }));
  shapes.forEach((shape) => shape.rings.forEach((ring) => ring.forEach((xy) => places.push({ xy, radius: shape.widthMetres || 0 }))));
  if (last) places.push({ xy: last.xy, radius: Math.max(20, (last.place && last.place.accuracyMetres) || 0) });
  lookAt(places, width, height);
};
