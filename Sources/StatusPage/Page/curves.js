// Evidence, angular rate and specific force over the last minutes.

import { at, show } from "./dom.js";
import { fixed, isNumber } from "./numbers.js";
import { known, trackerNow } from "./known.js";
import { label, palette, surface } from "./canvas.js";

let curveSpan = 120;

// The end of an axis whose middle is a short number, too.
const topAbove = (value) => {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value * 0.999) || 10 * power;
};
const drawCurve = (id, key, options) => {
  const canvas = at(id);
  const shown = known.curve.filter((point) => isNumber(point[key]));
  show(canvas.parentElement, known.curve.length === 0 || shown.length > 0);
  const drawing = surface(canvas);
  if (!drawing) return;
  const { pen, width, height } = drawing;
  const now = trackerNow(), from = now - curveSpan;
  const points = shown.filter((point) => point.t >= from - 1);
  const largest = points.reduce((top, point) => Math.max(top, point[key]), 0);
  const top = topAbove(Math.max(largest * 1.08, options.least));
  const left = 40, right = width - 8, upper = 9, lower = height - 20;
  const x = (t) => left + ((t - from) / curveSpan) * (right - left);
  const y = (value) => lower - (value / top) * (lower - upper);
  const digits = top < 0.1 ? 3 : top < 1 ? 2 : top < 10 ? 1 : 0;

  pen.lineWidth = 1;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const value of [0, top / 2, top]) {
    pen.strokeStyle = value === 0 ? palette.soft : palette.grid;
    pen.beginPath();
    pen.moveTo(left, Math.round(y(value)) + 0.5);
    pen.lineTo(right, Math.round(y(value)) + 0.5);
    pen.stroke();
    pen.fillStyle = palette.soft;
    pen.fillText(value === 0 ? "0" : fixed(value, digits), left - 6, y(value));
  }
  pen.textBaseline = "alphabetic";
  const step = curveSpan / (right - left < 330 ? 2 : 4);
  for (let back = curveSpan; back >= 0; back -= step) {
    pen.textAlign = back === curveSpan ? "left" : back === 0 ? "right" : "center";
    pen.fillStyle = palette.soft;
    const text = back === 0 ? "now" : curveSpan > 300 ? `−${fixed(back / 60, back % 60 ? 1 : 0)} min` : `−${back} s`;
    pen.fillText(text, x(now - back), height - 4);
    pen.strokeStyle = palette.soft;
    pen.beginPath();
    pen.moveTo(x(now - back), lower);
    pen.lineTo(x(now - back), lower + 4);
    pen.stroke();
  }

  pen.save();
  pen.beginPath();
  pen.rect(left, 0, right - left + 2, lower + 1);
  pen.clip();
  pen.strokeStyle = palette.link;
  pen.lineWidth = 1.6;
  pen.beginPath();
  let before = null;
  for (const point of points) {
    // A silent sensor leaves a gap, not a line.
    if (before === null || point.t - before > 2) pen.moveTo(x(point.t), y(point[key]));
    else pen.lineTo(x(point.t), y(point[key]));
    before = point.t;
  }
  pen.stroke();
  pen.restore();
  if (options.threshold) {
    pen.strokeStyle = palette.bad;
    pen.lineWidth = 1.4;
    pen.setLineDash([6, 4]);
    pen.beginPath();
    pen.moveTo(left, y(options.threshold));
    pen.lineTo(right, y(options.threshold));
    pen.stroke();
    pen.setLineDash([]);
    pen.textAlign = "left";
    label(pen, "threshold", left + 5, y(options.threshold) - 5, palette.bad, palette.card);
  }
  canvas.dataset.points = String(points.length);
  const last = points.length ? fixed(points[points.length - 1][key], 2) : "none";
  canvas.setAttribute("aria-label",
    `${options.name}, last ${curveSpan / 60} minutes: now ${last}, largest ${fixed(largest, 2)} ${options.unit}`);
  if (points.length === 0) {
    pen.textAlign = "center";
    label(pen, "nothing measured in this time", (left + right) / 2, (upper + lower) / 2, palette.soft, palette.card);
  }
};
export const drawCurves = () => {
  const hasAny = known.curve.length > 0;
  show(at("no-curves"), !hasAny);
  show(at("curves"), hasAny);
  if (!hasAny) return;
  drawCurve("curve-evidence", "evidence",
    { name: "Evidence of movement", unit: "times the threshold", least: 1.4, threshold: 1 });
  drawCurve("curve-rate", "rate", { name: "Angular rate", unit: "rad/s", least: 0.02 });
  drawCurve("curve-force", "force", { name: "Deviation of the specific force", unit: "m/s²", least: 0.2 });
};
const showSpan = (seconds) => {
  curveSpan = seconds;
  at("span-short").setAttribute("aria-pressed", String(seconds === 120));
  at("span-long").setAttribute("aria-pressed", String(seconds === 600));
  drawCurves();
};

at("span-short").addEventListener("click", () => showSpan(120));
at("span-long").addEventListener("click", () => showSpan(600));
