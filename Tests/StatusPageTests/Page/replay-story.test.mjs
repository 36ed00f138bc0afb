import assert from "node:assert/strict";
import test from "node:test";
import {
  damageWords, elapsed, factsOf, readReport, readStory, rowsOf, troubleWords,
} from "../../../Firmware/Page/story.js";

const report = (...lines) => `${lines.map((line) => `${line}\n`).join("")}inputs 152\nevents 3\npackets 2\nkept 4\n`
  + "output hash C94B85B2\nstate hash A599BF50\ndamaged stretches 0\noverlong records 0\n";
const event = (name, uptime, more = {}) => JSON.stringify({ type: "event", event: name, uptime, ...more });
const packet = (type, uptime, more = {}) => JSON.stringify({ type, sequence: 1, uptime, ...more });
const story = (lines, course = "0 starting -\n1000000000 parked -\n") => readStory(lines.map((line) => `${line}\n`).join(""), course);

test("a report is read line by line", () => {
  assert.deepEqual(readReport(report()), {
    inputs: 152, events: 3, packets: 2, kept: 4, outputHash: "C94B85B2", stateHash: "A599BF50", damagedStretches: 0, overlongRecords: 0,
  });
});

test("a file that can't be replayed gets one line that says why", () => {
  const words = (...lines) => troubleWords("ride.leash", readReport(report(...lines)));
  assert.equal(words(), "");
  assert.match(words("trouble: no Leash log of this version"), /^ride\.leash is no Leash log of this version; leash replay --record/);
  assert.match(words("trouble: no configuration at the beginning"), /^ride\.leash has no configuration at its beginning/);
  assert.match(words("trouble: no setting of this version in line 12"), /^ride\.leash has a setting .* in line 12 of its configuration\.$/);
  assert.match(words("trouble: it continues another log"), /^ride\.leash continues an earlier log/);
  assert.match(troubleWords("ride.leash", { ...readReport(report()), inputs: 0 }), /without any inputs/);
});

test("what was passed over in a damaged log is told", () => {
  const plain = readReport(report());
  assert.equal(damageWords(plain), "");
  assert.equal(damageWords({ ...plain, damagedStretches: 1 }), "Not the whole log was replayed: 1 damaged stretch was passed over.");
  assert.equal(damageWords({ ...plain, damagedStretches: 2, overlongRecords: 1 }),
    "Not the whole log was replayed: 2 damaged stretches were passed over; 1 record was too long.");
  assert.equal(damageWords(readReport(`${report()}cut off at byte 4711\n`)),
    "Not the whole log was replayed: the log is cut off in the record at byte 4711.");
});

test("phases follow each other without a gap, and speeds are metres a second", () => {
  const { phases, speeds, start, end } = story([],
    "5000000 starting -\n8000000 riding 2500\n9500000 riding 3000\n12000000 settling -\n20000000 settling -\n");
  assert.deepEqual(phases, [
    { from: 5, to: 8, phase: "starting" }, { from: 8, to: 12, phase: "riding" }, { from: 12, to: 20, phase: "settling" },
  ]);
  assert.deepEqual(speeds, [{ t: 8, speed: 2.5 }, { t: 9.5, speed: 3 }]);
  assert.deepEqual([start, end], [5, 20]);
});

test("a ride is dated as the tracker dates it when it is over, and one under way lasts to the end", () => {
  const over = story([event("rideStarted", 8, { onset: 4 }), event("parked", 540, { rideStart: 3, rideEnd: 240 })]);
  assert.deepEqual(over.rides, [{ from: 3, to: 240, isOpen: false }]);
  assert.deepEqual(story([event("rideStarted", 8, { onset: 4 })]).rides, [{ from: 4, to: 1000, isOpen: true }]);
  assert.deepEqual(story([event("parked", 300, { lastMotion: 0 })]).rides, []);
});

test("a tracker is armed from the event on, or from the first packet that says so", () => {
  const told = [packet("parking", 10, { armed: true }), event("disarmed", 20), event("armed", 30), packet("location", 40, { armed: false }),
    event("armed", 50)];
  assert.deepEqual(story(told).armed, [{ from: 10, to: 20 }, { from: 30, to: 40 }, { from: 50, to: 1000 }]);
});

test("alerts and suspicions are marked, and only alerts are grave", () => {
  const { marks } = story([event("suspicious", 1, { detector: "touch", ratio: 2 }), event("movement", 2), event("stolen", 3),
    event("armed", 4)]);
  assert.deepEqual(marks.map((mark) => [mark.t, mark.isGrave]), [[1, false], [2, true], [3, true]]);
  assert.equal(marks[0].words, "Suspicious: touch at 2.0 × its threshold");
});

test("the time of day is that of the last item that knows it", () => {
  assert.equal(story([event("armed", 4)]).utcOffset, null);
  const told = [event("fixAcquired", 5, { utc: "2024-05-01T10:00:00.000Z" }), event("armed", 10, { utc: "2024-05-01T10:00:06.000Z" })];
  assert.equal(story(told).utcOffset, Date.parse("2024-05-01T10:00:06Z") / 1000 - 10);
});

test("packets with a position only are told together, unless each is wanted", () => {
  const told = story([packet("location", 1), packet("location", 2), event("parked", 3), packet("location", 4),
    packet("movement", 5, { alert: { id: 1 } })]);
  assert.deepEqual(rowsOf(told, false).map((row) => [row.t, row.words]), [
    [1, "2 packets with a position"], [3, "Parked"], [4, "1 packet with a position"], [5, "Packet 1: Movement alert 1"],
  ]);
  assert.equal(rowsOf(told, true).length, 5);
});

test("times since the beginning are hours, minutes and seconds", () => {
  assert.deepEqual([0, 59.999, 60, 843.41, 36061].map(elapsed), ["0:00:00", "0:00:59", "0:01:00", "0:14:03", "10:01:01"]);
});

test("an alert that is repeated counts once", () => {
  const told = story([event("movement", 1), event("outside", 2, { fence: 1 }), event("outside", 3, { fence: 1, repetition: 1 }),
    packet("ride", 4, { ride: { distance: 900 } })]);
  const facts = Object.fromEntries(factsOf(told, readReport(report())));
  assert.equal(facts.Alerts, "2");
  assert.equal(facts.Rides, "0, 900 m");
  assert.equal(facts.Inputs, "152");
  assert.equal(facts.Duration, "0:16:40");
});
