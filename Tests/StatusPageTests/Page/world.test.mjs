import assert from "node:assert/strict";
import test from "node:test";
import { elapsed, isFault, isHarmless, plane, spanAt, tickStep, words } from "../../../Sources/StatusPage/Page/worldwords.js";

test("times of a life are days, hours, minutes and seconds", () => {
  assert.equal(elapsed(0), "00:00:00");
  assert.equal(elapsed(86399.9999), "23:59:59");
  assert.equal(elapsed(86400), "1 d 00:00:00");
  assert.equal(elapsed(3 * 86400 + 3661), "3 d 01:01:01");
  assert.equal(elapsed(-1), "00:00:00");
});

test("an entry is a line", () => {
  assert.equal(words([1, 0, "deed", "lift"]), "lift");
  assert.equal(words([1, 0, "power", false]), "the tracker has no power");
  assert.equal(words([1, 0, "power", true]), "the tracker has power again");
  assert.equal(words([1, 0, "received", 7]), "has packet 7");
  assert.equal(words([1, 0, "received", null]), "bytes that are no packet");
  assert.equal(words([1, 0, "event", { type: "event", event: "movement", detector: "lift", ratio: 1.26 }]),
    "movement: lift at 1.3 × its threshold");
  assert.equal(words([1, 0, "packet", { type: "status", sequence: 9, request: 3, reason: "ruleChanged" }]),
    "status packet 9: request 3, ruleChanged");
});

const spans = [[0, 100, "ride", "may be told"], [40, 60, "gust", "harmless"], [50, 50, "power", "no supply for 10 s"]];

test("what is pointed at is the shortest span there, deeds above and faults below", () => {
  assert.equal(spanAt(spans, 50, 0, false)[2], "gust");
  assert.equal(spanAt(spans, 39, 0, false)[2], "ride");
  assert.equal(spanAt(spans, 39, 1, false)[2], "gust");
  assert.equal(spanAt(spans, 51, 1, true)[2], "power");
  assert.equal(spanAt(spans, 52, 1, true), undefined);
  assert.equal(isFault("owner"), true);
  assert.equal(isFault("ride"), false);
  assert.equal(isHarmless("harmless"), true);
  assert.equal(isHarmless("told within 5 s"), false);
});

test("ticks are at least 90 pixels apart", () => {
  for (const length of [600, 5000, 86400, 400 * 86400]) {
    for (const width of [300, 1200]) assert.ok((tickStep(length, width) / length) * width >= 90, `${length} ${width}`);
  }
  assert.equal(tickStep(86400, 1200), 7200);
});

test("a plane about a place is in metres, over the date line, too", () => {
  const [east, north] = plane([52, 4], [52.001, 4.001]);
  assert.ok(Math.abs(north - 111.195) < 0.01 && Math.abs(east - 68.46) < 0.05, `${east} ${north}`);
  assert.ok(Math.abs(plane([0, 179.9995], [0, -179.9995])[0] - 111.195) < 0.01);
});
