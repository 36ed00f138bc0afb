import assert from "node:assert/strict";
import test from "node:test";
import { circleRequest, cleanName, draft, freeNumber, polygonRequest } from "../../../Sources/StatusPage/Page/draft.js";
import { alarmWords, fenceWords, happeningWords } from "../../../Sources/StatusPage/Page/words.js";
import { toDegrees, toPlain, view } from "../../../Sources/StatusPage/Page/projection.js";

const corner = (lat, lon) => ({ lat, lon });
const corners = (number) => Array.from({ length: number }, (_, place) => corner(52 + place / 100, 4 + (place * place) / 1000));

test("a polygon is told with seven decimals and as the tracker reads it", () => {
  const { text, problem } = polygonRequest(3, " the \"garden\" ", [corner(52.123456789, -4.1), corner(52, 4), corner(-0.00000004, 4.5)]);
  assert.equal(problem, "");
  assert.equal(text, "fence 3 set \"the  garden\" polygon 52.1234568,-4.1 52,4 0,4.5");
});

test("three to eight corners make a fence, and it needs a name", () => {
  assert.match(polygonRequest(1, "a", corners(2)).problem, /three corners/);
  assert.equal(polygonRequest(1, "a", corners(3)).problem, "");
  assert.equal(polygonRequest(1, "a", corners(8)).problem, "");
  assert.match(polygonRequest(1, "a", corners(9)).problem, /8 corners at most/);
  assert.match(polygonRequest(1, " \"\" ", corners(3)).problem, /name/);
  assert.match(circleRequest(1, "", 50).problem, /name/);
});

test("a circle here has a radius of a metre to a thousand kilometres", () => {
  assert.equal(circleRequest(2, "home", 50.04).text, "fence 2 set \"home\" circle here 50");
  for (const [radius, isRight] of [[0.9, false], [1, true], [1e6, true], [1e6 + 1, false], [Number("x"), false]]) {
    assert.equal(circleRequest(2, "home", radius).problem === "", isRight, String(radius));
  }
});

test("a name has 32 bytes at most, whole letters and no quotes", () => {
  assert.equal(cleanName("é".repeat(17)), "é".repeat(16));
  assert.equal(cleanName("x".repeat(33)), "x".repeat(32));
  assert.equal(cleanName("a\nb\"c"), "a b c");
});

test("a new fence has the lowest number that is free", () => {
  assert.equal(freeNumber([]), 1);
  assert.equal(freeNumber([{ number: 1 }, { number: 3 }]), 2);
  assert.equal(freeNumber([{ number: 2 }, { number: 1 }]), 3);
});

test("clicks are corners only while a fence is drawn, and eight at most", () => {
  draft.add(corner(1, 1));
  assert.equal(draft.corners.length, 0);
  draft.begin();
  corners(10).forEach((one) => draft.add(one));
  assert.equal(draft.corners.length, 8);
  draft.end();
  assert.deepEqual([draft.isDrawing, draft.corners.length], [false, 0]);
});

test("a place of the map is found again in degrees, over the antimeridian too", () => {
  for (const [lat, lon] of [[52, 4], [-33, 179.9999]]) {
    view.origin = null;
    toPlain(lat, lon);
    const there = toDegrees(toPlain(lat + 0.001, lon + 0.001));
    assert.ok(Math.abs(there.lat - lat - 0.001) < 1e-9);
    assert.ok(Math.abs(((there.lon - lon - 0.001 + 540) % 360) - 180) < 1e-9, String(there.lon));
  }
});

test("fences and alarms are told in words", () => {
  const fence = { number: 1, name: "a", isActive: true, presence: "outside", shape: "corridor", widthMetres: 30, rings: [] };
  assert.equal(fenceWords(fence), "corridor of 30 m, must not be left: outside");
  const rings = [{ corners: [{}, {}, {}] }, { corners: [{}, {}, {}] }];
  assert.equal(fenceWords({ ...fence, shape: "polygon", widthMetres: undefined, isActive: false, presence: "unknown", rings }),
    "polygon of 6 corners, off: not known yet");
  const alarm = { number: 1, label: "a", isEnabled: true, rule: "at 07:30 daily", next: "2026-11-25 07:30", nextSeconds: 60,
    isSnoozed: false };
  const told = (seconds) => `${seconds} s`;
  assert.equal(alarmWords(alarm, told), "at 07:30 daily; next 2026-11-25 07:30, in 60 s");
  assert.equal(alarmWords({ ...alarm, isSnoozed: true, nextSeconds: undefined }, told), "at 07:30 daily; snoozed until 2026-11-25 07:30");
  assert.equal(alarmWords({ ...alarm, isEnabled: false, rule: "quiet disabled" }, told), "quiet; off");
  assert.equal(alarmWords({ ...alarm, next: undefined, rule: "leave inside 1" }, told), "leave inside 1");
});

test("what happens to fences is told, and that it is outside is grave", () => {
  const told = (content) => happeningWords({ what: "event", json: JSON.stringify(content) });
  assert.deepEqual(told({ event: "outside", alert: 4, fence: 1, repetition: 2 }), ["alert", "Outside its fences: alert 4, told again (2)"]);
  assert.deepEqual(told({ event: "left", fence: 7 }), ["", "Left fence 7"]);
  assert.deepEqual(happeningWords({ what: "packet", json: JSON.stringify({ type: "fence", sequence: 9, alert: { id: 4 } }) }),
    ["alert", "Packet 9: Fence alert 4"]);
});
