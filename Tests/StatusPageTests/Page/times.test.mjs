/* global process */
import assert from "node:assert/strict";
import test from "node:test";
import { moment, timeOfDay, zone } from "../../../Sources/StatusPage/Page/numbers.js";

const at = (iso) => new Date(Date.parse(iso));

test("times are of the zone that the browser is in, in summer and in winter", () => {
  process.env.TZ = "Europe/Amsterdam";
  assert.equal(timeOfDay(at("2026-05-04T10:25:31Z")), "12:25:31");
  assert.equal(timeOfDay(at("2026-01-04T10:25:31Z")), "11:25:31");
  assert.equal(zone(), "Europe/Amsterdam");
  process.env.TZ = "America/Los_Angeles";
  assert.equal(timeOfDay(at("2026-05-04T10:25:31Z")), "03:25:31");
});

test("a moment of another day has its day, by the zone of the browser", () => {
  process.env.TZ = "Europe/Amsterdam";
  const now = at("2026-05-04T10:25:31Z");
  assert.equal(moment(at("2026-05-03T22:00:00Z"), now), "00:00");
  assert.equal(moment(at("2026-05-03T21:59:59Z"), now), "3 May 23:59");
  assert.equal(moment(at("2025-12-31T23:30:00Z"), now), "1 Jan 00:30");
});
