import assert from "node:assert/strict";
import test from "node:test";
import { columnsOf, cutLine, drawTimeline, ticksOf, topAbove } from "../../../Firmware/Page/chart.js";

const whole = { from: 100, to: 1100 };
const story = (more = {}) => ({
  start: 100, end: 1100, utcOffset: null, items: [], rides: [], armed: [], marks: [], speeds: [],
  phases: [
    { from: 100, to: 600, phase: "riding" }, { from: 600, to: 601, phase: "alarmed" }, { from: 601, to: 1100, phase: "parked" },
  ],
  ...more,
});
const named = (drawing, name, key, value) => drawing.shapes.map(([kind, attributes]) => ({ kind, attributes }))
  .filter(({ kind, attributes }) => kind === name && attributes[key] === value).map(({ attributes }) => attributes);

test("a phase lies where its times are, and a short one can still be seen", () => {
  const drawing = drawTimeline(story(), whole, 1046);
  const [riding] = named(drawing, "rect", "data-phase", "riding");
  const [alarmed] = named(drawing, "rect", "data-phase", "alarmed");
  assert.deepEqual([riding.x, riding.width], [36, 500]);
  assert.deepEqual([alarmed.x, alarmed.width], [536, 2]);
  assert.ok(drawing.shapes.some((shape) => shape[2] === "riding") && !drawing.shapes.some((shape) => shape[2] === "alarmed"));
});

test("what is out of view is not drawn, and what is partly in it is cut", () => {
  const drawing = drawTimeline(story({ rides: [{ from: 0, to: 400, isOpen: false }] }), { from: 300, to: 550 }, 296);
  assert.equal(named(drawing, "rect", "data-phase", "parked").length, 0);
  const [ride] = named(drawing, "rect", "class", "ride");
  assert.deepEqual([ride.x, ride.width], [36, 100]);
});

test("an alert is drawn over a suspicion of the same moment", () => {
  const marks = [
    { t: 500, isGrave: true, words: "ALERT" }, { t: 500, isGrave: false, words: "Suspicious" }, { t: 5000, isGrave: true, words: "later" },
  ];
  const paths = drawTimeline(story({ marks }), whole, 1046).shapes.filter((shape) => shape[0] === "path");
  assert.deepEqual(paths.map((shape) => shape[2]), ["Suspicious", "ALERT"]);
});

test("each column of pixels keeps its largest speed, and silence is a gap", () => {
  const x = (t) => t / 10;
  const points = [{ t: 100, speed: 1 }, { t: 103, speed: 9 }, { t: 106, speed: 2 }, { t: 111, speed: 3 }, { t: 140, speed: 4 }];
  assert.deepEqual(columnsOf(points, whole, x), [[{ t: 100, speed: 9 }, { t: 111, speed: 3 }], [{ t: 140, speed: 4 }]]);
  assert.equal(points[0].speed, 1);
});

test("a line is cut where it leaves the view", () => {
  const line = [{ t: 0, speed: 0 }, { t: 10, speed: 10 }, { t: 20, speed: 0 }];
  assert.deepEqual(cutLine(line, { from: 5, to: 15 }), [{ t: 5, speed: 5 }, { t: 10, speed: 10 }, { t: 15, speed: 5 }]);
  assert.deepEqual(cutLine(line, { from: 2, to: 4 }), [{ t: 2, speed: 2 }, { t: 4, speed: 4 }]);
  assert.deepEqual(cutLine(line, { from: 30, to: 40 }), []);
});

test("ticks stand at round times since the beginning, not too close", () => {
  assert.deepEqual(ticksOf(story(), whole, 1000), [100, 220, 340, 460, 580, 700, 820, 940, 1060]);
  assert.deepEqual(ticksOf(story(), { from: 395, to: 425 }, 300), [400, 410, 420]);
  const weeks = ticksOf(story(), { from: 100, to: 100 + 90 * 86400 }, 300);
  assert.ok(weeks.length >= 2 && weeks.length <= 5);
});

test("the axis of speeds ends at a short number", () => {
  assert.deepEqual([0, 1, 3, 5, 27, 70, 99, 150].map(topAbove), [1, 1, 4, 6, 40, 80, 100, 200]);
});

test("where no speed is known the drawing says so, and each number of it is finite", () => {
  const drawing = drawTimeline(story({ utcOffset: 1.7e9 }), whole, 320);
  assert.ok(drawing.shapes.some((shape) => shape[2] === "no speed is known here"));
  for (const [, attributes] of drawing.shapes) {
    const numbers = Object.values(attributes).filter((value) => typeof value !== "string");
    assert.ok(numbers.every(Number.isFinite), JSON.stringify(attributes));
  }
});
