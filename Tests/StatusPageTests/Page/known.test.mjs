import assert from "node:assert/strict";
import test from "node:test";
import { dateOf, extend, keepBounded, known } from "../../../Sources/StatusPage/Page/known.js";

test("an answer that comes twice adds its entries once", () => {
  const list = [];
  extend(list, [{ n: 1 }, { n: 2 }]);
  extend(list, [{ n: 2 }, { n: 3 }]);
  extend(list, [{ n: 1 }]);
  assert.deepEqual(list.map((entry) => entry.n), [1, 2, 3]);
});

test("a page that is open for weeks keeps no more than it shows", () => {
  known.now = 1e6;
  known.track = Array.from({ length: 8001 }, (_, n) => ({ n, t: n, lat: 0, lon: 0, phase: "riding" }));
  known.curve = Array.from({ length: 2000 }, (_, n) => ({ n, t: 1e6 - 2000 + n }));
  known.happenings = Array.from({ length: 301 }, (_, n) => ({ n }));
  known.lines = Array.from({ length: 501 }, (_, n) => ({ n }));
  keepBounded();
  // Every second place of the older part goes, and the newest stays.
  assert.equal(known.track.length, 3001 + 2000);
  assert.equal(known.track.at(-1).n, 8000);
  assert.equal(known.curve[0].t, 1e6 - 660);
  assert.deepEqual([known.happenings.length, known.happenings[0].n], [300, 1]);
  assert.deepEqual([known.lines.length, known.lines[0].n], [500, 1]);
  const before = known.track;
  keepBounded();
  assert.equal(known.track, before);
});

test("the time of day is that of the tracker, and unknown until it knows it", () => {
  known.now = 100;
  known.status = { utc: "2026-11-24T10:00:00Z" };
  assert.equal(dateOf(40).toISOString(), "2026-11-24T09:59:00.000Z");
  for (const status of [null, {}, { utc: "nonsense" }]) {
    known.status = status;
    assert.equal(dateOf(40), null);
  }
});
