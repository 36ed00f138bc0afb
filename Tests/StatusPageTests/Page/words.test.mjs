import assert from "node:assert/strict";
import test from "node:test";
import {
  activityFacts, alertWords, answerWords, counterWords, happeningWords, meanings, odometerWords, packetName, petWords, phases, refusalWords,
  requestWords,
} from "../../../Sources/StatusPage/Page/words.js";

const event = (content) => happeningWords({ what: "event", json: JSON.stringify(content) });

test("what a pet did today is told with its habit, and nothing where none wears the tracker", () => {
  const activity = { steps: 8214, activeMinutes: 95, restMinutes: 310, measuredMinutes: 700, usualMinutes: 120, knownDays: 14 };
  assert.deepEqual(activityFacts(activity),
    [["Steps today", "8214"], ["Active today", "95 min, usually 120 min"], ["At rest today", "310 min"]]);
  assert.deepEqual(activityFacts({ ...activity, usualMinutes: undefined, knownDays: 1 })[1],
    ["Active today", "95 min; its habit is not known yet, of 1 day"]);
  assert.deepEqual(activityFacts(undefined), []);
});

test("a service counter is told in its own unit, and whether it is due", () => {
  assert.equal(counterWords({ name: "chain", counts: "distance", value: 812, due: 3e6, isDue: false }), "chain: 812 m of 3\u202f000 km");
  assert.equal(counterWords({ name: "brakes", counts: "moving", value: 180000, due: 180000, isDue: true }), "brakes: 50 h of 50 h, due");
  assert.equal(counterWords({ name: "service", counts: "days", value: 1, due: 365, isDue: false }), "service: 1 day of 365 days");
});

test("the odometer says who has changed it, when and from what to what", () => {
  const day = (time) => `on ${time.slice(0, 10)}`;
  const change = { beforeMetres: 800, afterMetres: 900, time: "2025-03-01T08:15:00Z" };
  const words = (odometer) => odometerWords({ odometerMetres: 950, odometer }, day);
  assert.equal(words(undefined), "950 m");
  assert.equal(words({ source: "measured", uncertaintyMetres: 6 }), "950 m");
  assert.equal(words({ source: "corrected", uncertaintyMetres: 6, change }), "950 m, corrected on 2025-03-01 from 800 m to 900 m");
  assert.equal(words({ source: "imported", uncertaintyMetres: 6, change: { ...change, time: undefined } }),
    "950 m, imported from 800 m to 900 m");
});

test("a profile is told with what is known of it", () => {
  assert.equal(petWords({ name: "Rex", kind: "dog" }), "Rex, dog");
  assert.equal(petWords({ name: "Rex", kind: "dog", ageYears: 1, weightKilograms: 12.5, colour: "brown", note: "shy of trams" }),
    "Rex, dog, 1 year, 12.5 kg, brown; shy of trams");
});

test("every phase has its meaning in words", () => {
  for (const phase of phases) assert.ok(meanings[phase], phase);
});

test("an alert says what decided, and looks like one", () => {
  assert.deepEqual(event({ event: "movement", detector: "tilt", ratio: 3.94, tilt: 12.2, displacement: 30 }),
    ["alert", "ALERT movement: tilt at 3.9 × its threshold, tilted by 12°, 30 m from its place"]);
  assert.deepEqual(event({ event: "movement" }), ["alert", "ALERT movement"]);
});

test("damage of what was kept is told part by part", () => {
  assert.deepEqual(event({ event: "stateDamaged", sections: ["trip", "place"], packets: 2, alerts: 1, setBack: true }),
    ["alert", "State damaged: lost: trip, place; 2 packets lost, including 1 alert; it is outdated"]);
  assert.deepEqual(event({ event: "stateDamaged", sections: [], packets: 0 }),
    ["alert", "State damaged: nothing was lost"]);
});

test("an event without words of its own is told by its name and its members", () => {
  assert.deepEqual(event({ type: "event", event: "levitatedAgain", uptime: 3, alert: 4, byWhom: "us", isOwn: true }),
    ["", "Levitated again: alert 4, by whom us, is own yes"]);
  assert.deepEqual(event({ event: "levitated" }), ["", "Levitated"]);
  assert.deepEqual(event({ event: "constructor" }), ["", "Constructor"]);
});

test("what this page does not know is shown as it came", () => {
  assert.deepEqual(happeningWords({ what: "event", json: "{" }), ["", "{"]);
  assert.equal(packetName("letter"), "letter");
});

test("packets have their number and name, and an alert looks like one", () => {
  assert.deepEqual(happeningWords({ what: "packet", json: '{"type":"movement","sequence":7}' }),
    ["alert", "Packet 7: Movement alert"]);
  assert.deepEqual(happeningWords({ what: "packet", json: '{"type":"ride","sequence":8}' }), ["packet", "Packet 8: Ride"]);
});

test("an alert that is told again says which, and a status why", () => {
  assert.deepEqual(happeningWords({ what: "packet", json: '{"type":"movement","sequence":9,"alert":{"id":3,"repetition":2}}' }),
    ["alert", "Packet 9: Movement alert 3, repeated (2)"]);
  assert.deepEqual(happeningWords({ what: "packet", json: '{"type":"status","sequence":9,"status":{"reason":"pong"}}' }),
    ["packet", "Packet 9: Status, pong"]);
});

const told = (seconds) => `${seconds} s ago`;
const alert = { number: 3, ageSeconds: 95, detector: "tilt", ratio: 3.86, repetitions: 0, outcome: "unanswered" };

test("the last alert says what was done about it", () => {
  assert.deepEqual(alertWords(alert, told),
    { what: "Alert 3: tilt at 3.9 × its threshold, 95 s ago", outcome: "Unanswered", done: "Nobody has answered" });
  assert.equal(alertWords({ ...alert, repetitions: 2 }, told).done, "Nobody has answered; repeated 2 times");
  const ended = (outcome) => alertWords({ ...alert, outcome, outcomeSeconds: 5, repetitions: 1 }, told);
  assert.deepEqual([ended("dismissed").outcome, ended("dismissed").done],
    ["Dismissed", "Dismissed by the owner, 5 s ago; repeated 1 time"]);
  assert.equal(ended("found").outcome, "Found");
  assert.deepEqual(alertWords({ ...alert, outcome: "notice" }, told), {
    what: "Notice 3: tilt at 3.9 × its threshold, 95 s ago", outcome: "Notice",
    done: "Movement at a secure place, or where no rule guards it",
  });
  for (const outcome of ["ride", "disarmed"]) {
    assert.equal(ended(outcome).outcome, "Over", outcome);
    assert.notEqual(ended(outcome).done, "told again 1 time", outcome);
  }
  assert.deepEqual(alertWords({ ...alert, ageSeconds: undefined, outcome: "over" }, told),
    { what: "Alert 3: tilt at 3.9 × its threshold, before the tracker started", outcome: "Over", done: "" });
});

test("a request says who asked what, and what became of it", () => {
  const asked = { ageSeconds: 1, channel: "local page", request: "alerts", number: 17, answer: "alertsOff" };
  assert.deepEqual(requestWords(asked), ["", "alerts #17 from the local page: alerts are off"]);
  assert.deepEqual(requestWords({ ...asked, number: undefined, answer: undefined }), ["", "alerts from the local page: accepted"]);
  assert.deepEqual(requestWords({ ageSeconds: 1, channel: "text message", refused: "forged", times: 1 }),
    ["refused", "Refused from the text message: wrong token or key"]);
  assert.deepEqual(requestWords({ ageSeconds: 1, channel: "text message", refused: "flooded", times: 12 }),
    ["refused", "Refused from the text message: too many at once, 12 times"]);
});

test("answers and refusals that this page does not know are shown as they came", () => {
  for (const word of ["levitated", "constructor"]) {
    assert.equal(answerWords(word), word);
    assert.equal(refusalWords(word), word);
  }
});
