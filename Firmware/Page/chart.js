// The timeline of a run as shapes: phases, rides, arming, alerts and speed over time.

import { fixed } from "../../Sources/StatusPage/Page/numbers.js";
import { elapsed } from "./story.js";

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
const kilometresPerHour = 3.6;
const edge = 10, heading = 18, gap = 8;

// The end of an axis, such that its half is a short number.
/** @type {(value: number) => number} */
export const topAbove = (value) => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value * 0.999) || 10 * power;
};

// Times of the axis, at round distances from the beginning and at least so many pixels apart.
/** @type {(story: import("./types").Story, view: import("./types").Span, room: number) => number[]} */
export const ticksOf = (story, view, room) => {
  const length = view.to - view.from;
  const least = (76 / room) * length, week = 604800;
  const step = steps.find((one) => one >= least) || Math.ceil(least / week) * week;
  const ticks = [];
  for (let time = Math.ceil((view.from - story.start) / step - 1e-9) * step; story.start + time <= view.to + 1e-6; time += step) {
    ticks.push(story.start + time);
  }
  return ticks;
};

// The largest speed of each column of pixels, so that no peak is lost; a silence of more than a while is a gap.
/** @type {(points: import("./types").SpeedPoint[], view: import("./types").Span, x: (t: number) => number) =>
 *   import("./types").SpeedPoint[][]} */
export const columnsOf = (points, view, x) => {
  /** @type {import("./types").SpeedPoint[][]} */
  const lines = [];
  let before = null;
  for (const point of points) {
    if (point.t < view.from - 30 || point.t > view.to + 30) continue;
    const line = lines[lines.length - 1];
    const last = line && line[line.length - 1];
    if (before === null || point.t - before > 15) lines.push([{ ...point }]);
    else if (Math.floor(x(last.t)) !== Math.floor(x(point.t))) line.push({ ...point });
    else last.speed = Math.max(last.speed, point.speed);
    before = point.t;
  }
  return lines;
};

// The piece of a line that is in view; at the edges the line is cut where it crosses them.
/** @type {(line: import("./types").SpeedPoint[], view: import("./types").Span) => import("./types").SpeedPoint[]} */
export const cutLine = (line, view) => {
  const cut = [];
  const at = (t, one, other) => ({ t, speed: one.speed + ((t - one.t) / (other.t - one.t)) * (other.speed - one.speed) });
  line.forEach((point, place) => {
    const before = line[place - 1];
    if (before && before.t < view.from && point.t > view.from) cut.push(at(view.from, before, point));
    if (before && before.t < view.to && point.t > view.to) cut.push(at(view.to, before, point));
    if (point.t >= view.from && point.t <= view.to) cut.push(point);
  });
  return cut;
};

/** @type {(story: import("./types").Story, view: import("./types").Span, width: number) => import("./types").Drawing} */
export const drawTimeline = (story, view, width) => {
  /** @type {import("./types").Shape[]} */
  const shapes = [];
  const left = edge + 26, right = width - edge, room = right - left;
  const scale = room / (view.to - view.from);
  const x = (t) => left + (t - view.from) * scale;
  const clipped = (span) => {
    const from = Math.max(span.from, view.from), to = Math.min(span.to, view.to);
    return to < from ? null : { x: x(from), width: Math.max((to - from) * scale, 2) };
  };
  let top = 0;
  // A row with a heading of its own; its upper edge.
  const begin = (words, height) => {
    shapes.push(["text", { x: left, y: top + 13, class: "lane" }, words]);
    const upper = top + heading;
    top = upper + height + gap;
    return upper;
  };
  const bars = (spans, upper, height, attributes) => {
    for (const span of spans) {
      const place = clipped(span);
      if (place) shapes.push(["rect", { ...place, y: upper, height, rx: 3, ...attributes(span) }]);
    }
  };

  const phaseTop = begin("Phase", 26);
  for (const span of story.phases) {
    const place = clipped(span);
    if (!place) continue;
    shapes.push(["rect", { ...place, y: phaseTop, height: 26, "data-phase": span.phase }]);
    if (place.width > 8 * span.phase.length + 8) {
      shapes.push(["text", { x: place.x + place.width / 2, y: phaseTop + 18, class: "in-phase" }, span.phase]);
    }
  }
  const rideTop = begin("Rides", 12);
  bars(story.rides, rideTop, 12, (ride) => ({ class: ride.isOpen ? "ride open" : "ride" }));
  const armedTop = begin("Armed", 12);
  bars(story.armed, armedTop, 12, () => ({ class: "armed" }));
  const markTop = begin("Alerts and suspicions", 14);
  const speedTop = begin("Speed, km/h", 110);
  const lower = speedTop + 110;
  // Marks go through all rows, behind what is in them; grave ones last, so that no suspicion hides them.
  const marks = story.marks.filter((mark) => mark.t >= view.from && mark.t <= view.to)
    .sort((one, other) => Number(one.isGrave) - Number(other.isGrave));
  for (const mark of marks) {
    const kind = mark.isGrave ? "mark grave" : "mark";
    const place = x(mark.t);
    shapes.push(["line", { x1: place, x2: place, y1: markTop + 12, y2: lower, class: kind }]);
    shapes.push(["path", { d: `M${place.toFixed(1)} ${markTop}l6 12h-12z`, class: kind }, mark.words]);
  }

  const shown = columnsOf(story.speeds, view, x).map((line) => cutLine(line, view)).filter((line) => line.length);
  const fastest = shown.flat().reduce((most, point) => Math.max(most, point.speed), 0) * kilometresPerHour;
  const axisTop = topAbove(fastest);
  const y = (speed) => lower - (Math.min(speed * kilometresPerHour, axisTop) / axisTop) * 104;
  for (const value of [0, axisTop / 2, axisTop]) {
    const at = Math.round(y(value / kilometresPerHour)) + 0.5;
    shapes.push(["line", { x1: left, x2: right, y1: at, y2: at, class: value ? "grid" : "axis" }]);
    shapes.push(["text", { x: left - 5, y: at + 4, class: "value" }, fixed(value, axisTop < 2 ? 1 : 0)]);
  }
  for (const line of shown) {
    const inside = line.map((point) => ({ x: x(point.t), y: y(point.speed) }));
    const d = inside.map((point, place) => `${place ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("");
    shapes.push(["path", { d: `${d}V${lower}H${inside[0].x.toFixed(1)}z`, class: "speed-area" }], ["path", { d, class: "speed" }]);
  }
  if (!shown.length) shapes.push(["text", { x: (left + right) / 2, y: lower - 50, class: "none" }, "no speed is known here"]);

  const ticks = ticksOf(story, view, room);
  for (const time of ticks) {
    const place = x(time);
    const anchor = place < left + 24 ? "start" : place > right - 24 ? "end" : "middle";
    const begin = { x: anchor === "start" ? left : place, "text-anchor": anchor };
    shapes.push(["line", { x1: place, x2: place, y1: lower, y2: lower + 5, class: "axis" }]);
    shapes.push(["text", { ...begin, y: lower + 18, class: "tick" }, elapsed(time - story.start)]);
    if (story.utcOffset === null) continue;
    const utc = new Date((time + story.utcOffset) * 1000).toISOString();
    shapes.push(["text", { ...begin, y: lower + 33, class: "tick utc" }, utc.slice(11, 19)]);
  }
  return { height: lower + (story.utcOffset === null ? 24 : 40), shapes };
};
