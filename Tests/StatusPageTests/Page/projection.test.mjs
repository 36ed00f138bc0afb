import assert from "node:assert/strict";
import test from "node:test";
import { known } from "../../../Sources/StatusPage/Page/known.js";
import { fenceShapes, frame, toPlain, view } from "../../../Sources/StatusPage/Page/projection.js";

const near = (value, wanted, by) => assert.ok(Math.abs(value - wanted) < by, `${value} is not ${wanted}`);
const begin = (lat, lon) => {
  view.origin = null;
  toPlain(lat, lon);
};

test("a degree has its metres, fewer to the east the farther north", () => {
  begin(60, 10);
  const [x, y] = toPlain(60.001, 10.002);
  near(y, 111.2, 0.1);
  near(x, 111.2, 0.1);
});

test("a track over the antimeridian stays together", () => {
  begin(0, 179.999);
  near(toPlain(0, -179.999)[0], 222.4, 0.2);
  begin(0, -179.999);
  near(toPlain(0, 179.999)[0], -222.4, 0.2);
});

test("at a pole the plane keeps some width", () => {
  begin(90, 0);
  assert.ok(Number.isFinite(toPlain(89.999, 90)[0]));
});

test("a fence with a radius is a circle, a polygon keeps its holes, nonsense is passed over", () => {
  begin(52, 4);
  known.fences = [
    { geometry: { type: "Point", coordinates: [4, 52] }, properties: { name: "Home", radiusMetres: 50 } },
    { geometry: { type: "Polygon", coordinates: [[[4, 52], [4.1, 52], [4, 52.1]], [[4.01, 52.01], [4.02, 52.01], [4.01, 52.02]]] } },
    { geometry: { type: "LineString", coordinates: [[4, 52], [4.1, 52]] }, properties: { name: "Way", widthMetres: 30, isActive: true } },
    { geometry: { type: "LineString", coordinates: [[4, 52], [4.1, 52]] } },
    { geometry: { type: "Point", coordinates: [4, 52] }, properties: {} }, { geometry: null }, null,
  ];
  const shapes = fenceShapes();
  assert.deepEqual(shapes.map((shape) => [shape.name, shape.rings.length]), [["Home", 1], ["", 2], ["Way", 1]]);
  assert.deepEqual(shapes.map((shape) => [shape.isActive, shape.widthMetres]), [[false, undefined], [false, undefined], [true, 30]]);
  for (const [x, y] of shapes[0].rings[0]) near(Math.hypot(x, y), 50, 1e-6);
});

test("the whole track is in view, and a single place is not blown up", () => {
  known.fences = [];
  begin(52, 4);
  known.track = [{ lat: 52, lon: 4 }, { lat: 52.01, lon: 4 }];
  Object.assign(view, { mode: "whole" });
  frame(400, 400, [], null);
  near(view.y, 555.9, 0.2);
  near(view.scale, (400 - 84) / 1111.95, 1e-3);
  known.track = [{ lat: 52, lon: 4 }];
  frame(400, 400, [], null);
  near(view.scale, (400 - 90) / 40, 0.5);
});
