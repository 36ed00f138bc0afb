import assert from "node:assert/strict";
import test from "node:test";
import * as numbers from "../../../Sources/StatusPage/Page/numbers.js";

const table = (read, rows) => rows.forEach(([value, words]) => assert.equal(read(value), words, String(value)));

test("lengths are told in the unit that people use for them", () => table(numbers.metres, [
  [0, "0.0 m"], [9.94, "9.9 m"], [9.95, "10 m"], [9949, "9949 m"], [9950, "9.9 km"], [99499, "99.5 km"],
  [99500, "100 km"], [1234567, "1\u202f235 km"],
]));

test("times are told in the unit that people use for them", () => table(numbers.span, [
  [-3, "0.0 s"], [9.9, "9.9 s"], [9.95, "10 s"], [119, "119 s"], [120, "2 min"], [5399, "89 min"], [5400, "1 h 30 min"],
  [172799, "47 h 59 min"], [172800, "2 days"],
]));

test("a moment ago is just now", () => table(numbers.ago, [[0, "just now"], [1.49, "just now"], [1.5, "1.5 s ago"]]));

test("bytes have a unit from a thousand on", () => table(numbers.bytes, [
  [999, "999 B"], [1000, "1 kB"], [999499, "999 kB"], [999500, "1.0 MB"], [2.5e9, "2.50 GB"],
]));

test("numbers have a minus sign that is one, and none in front of zero", () => {
  assert.equal(numbers.fixed(-2.5, 1), "−2.5");
  assert.equal(numbers.fixed(-0.01, 1), "0.0");
  assert.equal(numbers.grouped(-1234567), "−1\u202f234\u202f567");
  assert.equal(numbers.count(1, "place", "places"), "1 place");
  assert.equal(numbers.count(2000, "place", "places"), "2\u202f000 places");
});

test("what is no number is told apart", () => {
  for (const value of [NaN, Infinity, null, undefined, "1"]) assert.equal(numbers.isNumber(value), false);
  assert.equal(numbers.isNumber(0), true);
});

test("places and courses are on the right side", () => {
  assert.equal(numbers.degrees(-46.696437, "N", "S"), "46.696437° S");
  assert.equal(numbers.degrees(0, "E", "W"), "0.000000° E");
  table(numbers.compass, [[0, "N"], [22.4, "N"], [22.6, "NE"], [270, "W"], [337.6, "N"], [359.9, "N"]]);
});
