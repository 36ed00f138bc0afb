import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { gunzipSync } from "node:zlib";
import { comparison, recordedLines } from "../../../Firmware/Page/recorded.js";

const head = new Array(16).fill(0);
const record = (type, ...payload) => [type, payload.length, ...payload, 1, 2, 3, 4];
const bytes = (text) => [...new TextEncoder().encode(text)];

test("actions and packets are the recorded lines, whatever the time before them, and messages to servers are none", () => {
  const log = [...head, ...record(0x01, 0x7b), ...record(0x08, 0x85, 0x7b, ...bytes('{"a":1}')), ...record(0x09, 2, 1, ...bytes('{"b":2}')),
    ...record(0x09, 2, 16, ...bytes("c")), ...record(0x0a, 2, ...bytes("d"))];
  assert.deepEqual(recordedLines(Uint8Array.from(log)), ['{"a":1}', '{"b":2}']);
  for (let end = 0; end < log.length; end += 1) {
    assert.ok(recordedLines(Uint8Array.from(log.slice(0, end))).every((line) => ['{"a":1}', '{"b":2}'].includes(line)), String(end));
  }
});

test("the log of the example has an action or a packet for each line of its output", () => {
  const log = gunzipSync(readFileSync(new URL("../../../fixtures/logs/theft.leash.gz", import.meta.url)));
  const lines = recordedLines(log);
  assert.ok(lines.length > 40 && lines.every((line) => JSON.parse(line).uptime >= 0));
});

test("the first line that differs is told, and one that is missing at the end counts", () => {
  const told = (recorded, replayed) => comparison(recorded, replayed).words;
  assert.equal(told(["a", "b"], "a\nb\n"), "the same 2 lines, byte for byte");
  assert.equal(told([], "a\n"), "the log has inputs only");
  assert.equal(told(["a", "b"], "a\nc\n"), "not the same: line 2 of 2 is the first that differs");
  assert.equal(told(["a", "b"], "a\n"), "not the same: line 2 of 2 is the first that differs");
  assert.equal(told(["a"], "a\nb\n"), "all of 1, and 1 more");
});
