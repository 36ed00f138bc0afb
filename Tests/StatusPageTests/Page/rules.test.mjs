import assert from "node:assert/strict";
import test from "node:test";
import { alarmSentence } from "../../../Sources/StatusPage/Page/alarmtext.js";
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
  assert.equal(fenceWords(fence, 2), "corridor of 30 m, one of 2 to stay in: outside");
  const rings = [{ corners: [{}, {}, {}] }, { corners: [{}, {}, {}] }];
  assert.equal(fenceWords({ ...fence, shape: "polygon", widthMetres: undefined, isActive: false, presence: "unknown", rings }),
    "polygon of 6 corners, off: unknown");
  const alarm = { number: 1, label: "a", isEnabled: true, rule: "at 07:30 daily", next: "2026-11-25 07:30", nextSeconds: 60,
    isSnoozed: false };
  const told = (seconds) => `${seconds} s`;
  const words = (more) => alarmWords({ ...alarm, ...more }, [{ number: 1, name: "garden" }], told);
  assert.equal(words({}), "at 07:30 every day; next 2026-11-25 07:30, in 60 s");
  assert.equal(words({ isSnoozed: true, nextSeconds: undefined }), "at 07:30 every day; snoozed until 2026-11-25 07:30");
  assert.equal(words({ isEnabled: false, rule: "quiet disabled" }), "quiet: other alarms do not sound; off");
  assert.equal(words({ next: undefined, rule: "leave inside 1" }), "when it leaves garden");
  assert.equal(words({ next: undefined, rule: "quiet from 08:00 to 08:00 daily" }),
    "quiet: other alarms do not sound, the whole day from 08:00 every day");
});

test("each part of an alarm is told in plain words, and what this page does not know as it came", () => {
  const words = (rule) => alarmSentence({ label: "a", isEnabled: true, rule }, [{ number: 1, name: "garden" }]);
  assert.equal(words("at 18:00 daily inside 1 nofix ring sound 60 snooze 5"),
    "at 18:00 every day, inside garden, also without a fix, sounds 60 s, snooze 5 min");
  assert.equal(words("at 09:15 2031-12-24 outside 2 nofix skip sound 0"),
    "at 09:15 on 2031-12-24, outside fence 2, which is gone, not without a fix, silent");
  assert.equal(words("arrive inside 1 from 06:00 to 22:00 mon,wed,fri"), "when it comes to garden, 06:00 to 22:00 Mon, Wed, Fri");
  assert.equal(words("stay 90 inside 1"), "90 min in garden");
  assert.equal(words("quiet from 22:00 to 06:30 sat,sun"), "quiet: other alarms do not sound, 22:00 to 06:30 Saturday and Sunday");
  assert.equal(words("guard inside 1 from 08:00 to 18:00 mon,tue,wed,thu,fri"),
    "movement is an alert only then, inside garden, 08:00 to 18:00 Monday to Friday");
  assert.equal(words("dance 5"), "dance 5");
});

test("what happens to fences is told, and that it is outside is grave", () => {
  const told = (content) => happeningWords({ what: "event", json: JSON.stringify(content) });
  assert.deepEqual(told({ event: "outside", alert: 4, fence: 0, repetition: 2 }),
    ["alert", "ALERT outside its fences: alert 4, repeated (2)"]);
  assert.deepEqual(told({ event: "outside", alert: 4, fence: 1 }), ["alert", "ALERT outside its fences, the nearest is 1: alert 4"]);
  assert.deepEqual(told({ event: "left", fence: 7 }), ["", "Left: fence 7"]);
  assert.deepEqual(happeningWords({ what: "packet", json: JSON.stringify({ type: "fence", sequence: 9, alert: { id: 4 } }) }),
    ["alert", "Packet 9: Fence alert 4"]);
});

test("events call fences, places and alarms by their names, and by their numbers when they are gone", () => {
  const rules = {
    fences: [{ number: 1, name: "garden" }], places: [{ number: 1, name: "home" }], alarms: [{ number: 1, label: "Feed her" }],
  };
  const told = (content) => happeningWords({ what: "event", json: JSON.stringify(content) }, rules)[1];
  assert.equal(told({ event: "arrived", fence: 1 }), "Arrived: fence “garden”");
  assert.equal(told({ event: "left", fence: 1 }), "Left: fence “garden”");
  assert.equal(told({ event: "left", fence: 2 }), "Left: fence 2");
  assert.equal(told({ event: "outside", alert: 4, fence: 1 }), "ALERT outside its fences, the nearest is “garden”: alert 4");
  assert.equal(told({ event: "alarmRang", number: 1 }), "Alarm: “Feed her” rang");
  assert.equal(told({ event: "alarmMissed", number: 3 }), "Alarm missed: 3 was due while the tracker was off");
  assert.equal(told({ event: "ruleChanged", table: "place", number: 1 }), "Rule changed: place “home”");
  assert.equal(told({ event: "ruleChanged", table: "alarm", number: 1 }), "Rule changed: alarm “Feed her”");
  assert.equal(told({ event: "ruleChanged", table: "fence", number: 0 }), "Rule changed: fence");
});
