// Where a vehicle is, and where its tracker believes it to be, on a plane.

import { at } from "./dom.js";
import { colourOf, label, niceAbove, palette, surface } from "./canvas.js";
import { plane } from "./worldwords.js";

/** @typedef {[number, number, number, number, string?]} Point Number, seconds, latitude, longitude, and the phase that was believed. */

const canvas = at("world-map");
/** @type {(pen: CanvasRenderingContext2D, points: { xy: [number, number], colour: string }[], dash: number[], width: number) => void} */
const drawWay = (pen, points, dash, width) => {
  pen.lineWidth = width;
  pen.setLineDash(dash);
  for (let place = 1; place < points.length; place += 1) {
    pen.strokeStyle = points[place].colour;
    pen.beginPath();
    pen.moveTo(...points[place - 1].xy);
    pen.lineTo(...points[place].xy);
    pen.stroke();
  }
  pen.setLineDash([]);
};

/** @type {(life: any) => void} */
export const drawWorld = (life) => {
  const drawing = surface(canvas);
  if (!drawing) return;
  const { pen, width, height } = drawing;
  /** @type {Point[]} */
  const all = life.places;
  if (!all.length) {
    pen.fillStyle = palette.soft;
    pen.textAlign = "center";
    pen.fillText("no position yet", width / 2, height / 2);
    return;
  }
  /** @type {[number, number]} */
  const origin = [all[0][2], all[0][3]];
  const flat = all.map((point) => plane(origin, [point[2], point[3]]));
  const xs = flat.map(([x]) => x), ys = flat.map(([, y]) => y);
  const [west, east] = [Math.min(...xs), Math.max(...xs)], [south, north] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((width - 70) / Math.max(60, east - west), (height - 70) / Math.max(60, north - south));
  /** @type {(xy: [number, number]) => [number, number]} */
  const toScreen = ([x, y]) => [
    width / 2 + (x - (west + east) / 2) * scale, height / 2 - (y - (south + north) / 2) * scale,
  ];
  const told = all.flatMap((point, place) => (point[4] ? [{ xy: toScreen(flat[place]), colour: colourOf(point[4]) }] : []));
  const truth = all.flatMap((point, place) => (point[4] ? [] : [{ xy: toScreen(flat[place]), colour: palette.soft }]));
  drawWay(pen, told, [], 3);
  drawWay(pen, truth, [5, 5], 1.6);
  const mark = (xy, colour, isFull, radius) => {
    pen.beginPath();
    pen.arc(...xy, radius, 0, 2 * Math.PI);
    pen.fillStyle = pen.strokeStyle = colour;
    pen.lineWidth = 2.5;
    if (isFull) pen.fill();
    else pen.stroke();
  };
  if (life.tracker && life.tracker.fix) {
    const xy = toScreen(plane(origin, life.tracker.fix));
    const colour = colourOf(life.tracker.phase);
    if (typeof life.tracker.accuracy === "number") {
      pen.globalAlpha = 0.15;
      mark(xy, colour, true, Math.max(1, life.tracker.accuracy * scale));
      pen.globalAlpha = 1;
    }
    mark(xy, colour, true, 6);
  }
  if (life.truth) mark(toScreen(plane(origin, life.truth)), palette.ink, false, 9);
  const step = niceAbove(90 / scale);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(14, height - 14);
  pen.lineTo(14 + step * scale, height - 14);
  pen.stroke();
  pen.textAlign = "left";
  label(pen, step < 1000 ? `${step} m` : `${step / 1000} km`, 16, height - 20, palette.ink, palette.map);
};
