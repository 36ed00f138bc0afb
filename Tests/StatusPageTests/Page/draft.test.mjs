import assert from "node:assert/strict";
import test from "node:test";
import { draft, newOutline } from "../../../Sources/StatusPage/Page/draft.js";
import { addCorner, click, drag, draftPlaces, release, takeHold, takeKey } from "../../../Sources/StatusPage/Page/drawing.js";
import { distanceToEdge, edgeAt, pointAt } from "../../../Sources/StatusPage/Page/hits.js";
import { toDegrees, toPlain, view } from "../../../Sources/StatusPage/Page/projection.js";
import { fenceRequest } from "../../../Sources/StatusPage/Page/ruletext.js";

// A map of 400 by 400 whose middle is 52, 4, one pixel a metre.
const begin = () => {
  Object.assign(view, { origin: null, x: 0, y: 0, scale: 1 });
  toPlain(52, 4);
};
const toScreen = ([x, y]) => [200 + x - view.x, 200 - (y - view.y)];
const toMap = ([x, y]) => [view.x + x - 200, view.y - (y - 200)];
const onMap = ([x, y]) => toDegrees(toMap([x, y]));
const seen = () => draft.shape.rings.map((ring) => ring.map(({ lat, lon }) => toScreen(toPlain(lat, lon)).map(Math.round)));
const open = (kind, rings, more) => {
  begin();
  draft.open({ ...newOutline("fence", 1), name: "a", kind, ...more, rings: rings.map((ring) => ring.map(onMap)) });
};
const square = [[100, 100], [300, 100], [300, 300], [100, 300]];
const hole = [[150, 150], [250, 150], [200, 250]];
const tap = (at, pointer = "mouse") => {
  if (!takeHold(at, pointer, toScreen)) click(at, pointer, toScreen, toMap);
  release();
};
const pull = (from, to, pointer = "mouse") => {
  assert.ok(takeHold(from, pointer, toScreen), String(from));
  drag([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], toMap);
  drag(to, toMap);
  release();
};

test("a corner is dragged, and the others stay", () => {
  open("polygon", [square]);
  pull([302, 98], [350, 60]);
  assert.deepEqual(seen(), [[[100, 100], [350, 60], [300, 300], [100, 300]]]);
  assert.equal(draft.corner, 1);
});

test("a finger reaches farther than a cursor, and a tremble moves nothing", () => {
  open("polygon", [square]);
  assert.equal(takeHold([320, 100], "mouse", toScreen), false);
  assert.equal(takeHold([320, 100], "touch", toScreen), true);
  drag([323, 103], toMap);
  release();
  assert.deepEqual(seen(), [square]);
  assert.equal(draft.corner, 1);
});

test("a tap on an edge puts a corner between its ends, elsewhere at the end", () => {
  open("polygon", [square]);
  tap([200, 104]);
  assert.deepEqual(seen()[0].slice(0, 3), [[100, 100], [200, 104], [300, 100]]);
  assert.equal(draft.corner, 1);
  tap([50, 200]);
  assert.deepEqual(seen()[0][5], [50, 200]);
  // The last edge leads back to the first corner.
  tap([75, 150]);
  assert.deepEqual(seen()[0][6], [75, 150]);
});

test("eight corners are the most, those of a hole as well", () => {
  open("polygon", [square]);
  for (const y of [220, 250, 280, 310, 340, 370]) tap([50, y]);
  assert.equal(seen()[0].length, 8);
  assert.equal(draft.room, 0);
  open("polygon", [square, hole]);
  assert.equal(draft.room, 1);
  tap([100, 200]);
  tap([300, 200]);
  assert.deepEqual(seen().map((ring) => ring.length), [5, 3]);
});

test("holes are edited as outlines are, and what is tapped is what is meant", () => {
  open("polygon", [square, hole]);
  pull([200, 250], [200, 270]);
  assert.deepEqual([draft.ring, draft.corner], [1, 2]);
  assert.deepEqual(seen()[1][2], [200, 270]);
  tap([200, 152]);
  assert.deepEqual(seen()[1][1], [200, 152]);
  draft.fillHole();
  assert.deepEqual(seen(), [square]);
  draft.cutHole();
  [[150, 150], [250, 150], [200, 250]].forEach((at) => tap(at));
  assert.deepEqual(seen(), [square, hole]);
  assert.match(fenceRequest(draft.shape).text, / hole /);
});

test("a corner is taken out, the one before it is meant then, and none is left to take out in the end", () => {
  open("polygon", [square]);
  draft.select(0, 2);
  draft.remove();
  assert.deepEqual(seen(), [[square[0], square[1], square[3]]]);
  assert.equal(draft.corner, 1);
  for (let step = 0; step < 4; step += 1) draft.remove();
  assert.deepEqual([seen(), draft.corner], [[[]], -1]);
});

test("the middle of a circle is tapped or dragged, and so is its edge", () => {
  open("circle", [[[200, 200]]], { width: "50" });
  tap([120, 300]);
  assert.deepEqual(seen(), [[[120, 300]]]);
  pull([120, 300], [200, 200]);
  pull([250, 200], [200, 110]);
  assert.deepEqual([seen(), draft.shape.width], [[[[200, 200]]], "90"]);
  // Never smaller than the tracker takes.
  pull([290, 200], [200, 200]);
  assert.equal(draft.shape.width, "1");
});

test("a corridor has points along a line that does not close", () => {
  open("corridor", [[[100, 100], [300, 100], [300, 300]]]);
  tap([200, 200]);
  assert.deepEqual(seen()[0][3], [200, 200]);
  tap([300, 200]);
  assert.deepEqual(seen()[0][2], [300, 200]);
  assert.match(fenceRequest(draft.shape).text, /^fence 1 set "a" corridor 50 /);
});

test("about where the tracker is it stays until it is moved", () => {
  open("circle", [[]]);
  draft.putHere(onMap([200, 200]));
  assert.match(fenceRequest(draft.shape).text, / circle here 50$/);
  pull([200, 200], [210, 200]);
  assert.doesNotMatch(fenceRequest(draft.shape).text, /here/);
  draft.putHere(null);
  assert.equal(fenceRequest(draft.shape).text, "fence 1 set \"a\" circle here 50");
});

test("another kind and back is the same outline", () => {
  open("polygon", [square, hole]);
  draft.setKind("circle");
  assert.deepEqual(seen(), [[square[0]]]);
  draft.setKind("corridor");
  draft.setKind("polygon");
  assert.deepEqual(seen(), [square, hole]);
});

test("keys do what a pointer does", () => {
  open("polygon", [[]]);
  for (let step = 0; step < 4; step += 1) assert.ok(addCorner());
  const places = seen()[0].map(String);
  assert.equal(new Set(places).size, 4);
  assert.equal(fenceRequest(draft.shape).problems.corners, undefined);
  open("polygon", [square]);
  draft.select(0, 0);
  assert.ok(addCorner());
  assert.deepEqual(seen()[0][1], [200, 100]);
  draft.select(0, 4);
  addCorner();
  assert.deepEqual(seen()[0][5], [100, 200]);
  draft.select(0, 0);
  const key = (name, more) => takeKey({ key: name, preventDefault: () => {}, ...more });
  assert.ok(key("ArrowUp") && key("ArrowRight", { shiftKey: true }));
  assert.deepEqual(seen()[0][0], [110, 99]);
  assert.ok(key("ArrowDown") && key("ArrowLeft"));
  assert.ok(key("Delete"));
  assert.equal(seen()[0].length, 5);
  for (const [name, more] of [["Tab", {}], ["Enter", {}], ["ArrowUp", { ctrlKey: true }], ["a", {}]]) assert.equal(key(name, more), false);
  // The arrows move the map again.
  assert.ok(key("Escape"));
  assert.equal(key("ArrowUp"), false);
});

test("while nothing is edited a map is only a map, and what is given up is forgotten", () => {
  open("polygon", [square]);
  let times = 0;
  draft.then = () => (times += 1);
  draft.close();
  draft.then = () => {};
  assert.equal(times, 1);
  assert.equal(takeHold([100, 100], "touch", toScreen), false);
  tap([100, 100]);
  assert.deepEqual([draft.shape, draft.room, draft.corners, draftPlaces()], [null, 0, [], []]);
  assert.equal(addCorner(), false);
});

test("what the tracker told is not changed by editing", () => {
  const told = { ...newOutline("fence", 1), rings: [[{ lat: 52, lon: 4 }]] };
  begin();
  draft.open(told);
  draft.move(0, 0, { lat: 1, lon: 1 });
  draft.add({ lat: 2, lon: 2 });
  assert.deepEqual(told.rings, [[{ lat: 52, lon: 4 }]]);
});

test("on a map that has shown nothing yet nothing is tapped", () => {
  view.origin = null;
  draft.open(newOutline("fence", 1));
  tap([200, 200]);
  assert.equal(addCorner(), false);
  assert.deepEqual(draft.shape.rings, [[]]);
});

test("the nearest of two is hit, and nothing beyond reach", () => {
  assert.equal(pointAt([[0, 0], [10, 0]], [6, 0], 20), 1);
  assert.equal(pointAt([[0, 0]], [20, 0], 20), 0);
  assert.equal(pointAt([[0, 0]], [20.1, 0], 20), -1);
  assert.equal(distanceToEdge([5, 3], [0, 0], [10, 0]), 3);
  assert.equal(distanceToEdge([-4, 3], [0, 0], [10, 0]), 5);
  assert.equal(distanceToEdge([3, 4], [0, 0], [0, 0]), 5);
  // Two corners have one edge, however it is meant.
  assert.equal(edgeAt([[0, 0], [10, 0]], true, [5, 1], 2), 0);
  assert.equal(edgeAt([[0, 0], [10, 0], [10, 10]], false, [4, 5], 2), -1);
  assert.equal(edgeAt([[0, 0], [10, 0], [10, 10]], true, [4, 5], 2), 2);
});
