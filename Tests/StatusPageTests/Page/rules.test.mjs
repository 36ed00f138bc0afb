import assert from "node:assert/strict";
import test from "node:test";
import { alarmWords, fenceWords, happeningWords } from "../../../Sources/StatusPage/Page/words.js";
import { toDegrees, toPlain, view } from "../../../Sources/StatusPage/Page/projection.js";

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
