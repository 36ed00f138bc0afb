import assert from "node:assert/strict";
import test from "node:test";
import { happeningWords, meanings, packetName, phases } from "../../../Sources/StatusPage/Page/words.js";

const event = (content) => happeningWords({ what: "event", json: JSON.stringify(content) });

test("every phase has its meaning in words", () => {
  for (const phase of phases) assert.ok(meanings[phase], phase);
});

test("an alert says what decided, and looks like one", () => {
  assert.deepEqual(event({ event: "movement", detector: "tilt", ratio: 3.94, tilt: 12.2, displacement: 30 }),
    ["alert", "Alarm: tilt at 3.9 × its threshold, tilted by 12°, 30 m from its place"]);
  assert.deepEqual(event({ event: "movement" }), ["alert", "Alarm"]);
});

test("damage of what was kept is told part by part", () => {
  assert.deepEqual(event({ event: "stateDamaged", sections: ["trip", "place"], packets: 2, alerts: 1, setBack: true }),
    ["alert", "What was kept is damaged: lost: trip, place; 2 packets lost, of them 1 alert; it is older than its mark"]);
  assert.deepEqual(event({ event: "stateDamaged", sections: [], packets: 0 }),
    ["alert", "What was kept is damaged: nothing was lost"]);
});

test("what this page does not know is shown as it came", () => {
  assert.deepEqual(event({ event: "levitated" }), ["", "levitated"]);
  assert.deepEqual(event({ event: "constructor" }), ["", "constructor"]);
  assert.deepEqual(happeningWords({ what: "event", json: "{" }), ["", "{"]);
  assert.equal(packetName("letter"), "letter");
});

test("packets have their number and name, and an alert looks like one", () => {
  assert.deepEqual(happeningWords({ what: "packet", json: '{"type":"movement","sequence":7}' }),
    ["alert", "Packet 7: Movement alert"]);
  assert.deepEqual(happeningWords({ what: "packet", json: '{"type":"ride","sequence":8}' }), ["packet", "Packet 8: Ride"]);
});
