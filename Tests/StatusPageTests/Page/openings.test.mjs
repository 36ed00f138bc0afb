import assert from "node:assert/strict";
import test from "node:test";
import { meanwhile, noteOpened } from "../../../Sources/StatusPage/Page/openings.js";

const fence = (number, more) => ({
  number, name: "garden", isActive: true, presence: "inside", shape: "circle", widthMetres: 50,
  rings: [{ corners: [{ latitudeDegrees: 52, longitudeDegrees: 4 }] }], ...more,
});
const place = (more) => ({
  number: 2, name: "home", latitudeDegrees: 52, longitudeDegrees: 4, radiusMetres: 60, isHere: false, ...more,
});
const alarm = (more) => ({
  number: 3, label: "up", rule: "at 07:30", isEnabled: true, isSnoozed: false, next: "a", nextSeconds: 5, ...more,
});
const rules = (fences, places = [], alarms = []) => ({ fences, places, alarms, problems: [], state: "unassigned" });

test("a row that nobody else has touched is saved at once", () => {
  noteOpened("fence", 1, rules([fence(1)]));
  assert.equal(meanwhile("fence 1 set \"a\" circle 52,4 60", rules([fence(1, { presence: "outside", isActive: false }), fence(7)])), "");
  noteOpened("place", 2, rules([], [place()]));
  assert.equal(meanwhile("place 2 set \"a\" 52,4 60", rules([], [place({ isHere: true })])), "");
  noteOpened("alarm", 3, rules([], [], [alarm()]));
  assert.equal(meanwhile("alarm 3 set \"a\" at 08:00", rules([], [], [alarm({ next: "b", nextSeconds: 4, isSnoozed: true })])), "");
  noteOpened("fence", 4, rules([]));
  assert.equal(meanwhile("fence 4 set \"a\" circle 52,4 60", rules([fence(1)])), "", "a new one whose number is still free");
  assert.equal(meanwhile("zone CET-1", rules([])), "", "what is no row");
});

test("what somebody else has changed is replaced when it is saved again, and not before", () => {
  const changes = [
    ["fence", 1, rules([fence(1)]), rules([fence(1, { name: "park" })])],
    ["fence", 1, rules([fence(1)]), rules([fence(1, { widthMetres: 51 })])],
    ["fence", 1, rules([fence(1)]), rules([fence(1, { rings: [{ corners: [{ latitudeDegrees: 52, longitudeDegrees: 4.1 }] }] })])],
    ["place", 2, rules([], [place()]), rules([], [place({ radiusMetres: 61 })])],
    ["alarm", 3, rules([], [], [alarm()]), rules([], [], [alarm({ rule: "at 07:31" })])],
    ["alarm", 3, rules([], [], [alarm()]), rules([], [], [alarm({ isEnabled: false })])],
  ];
  for (const [table, number, before, after] of changes) {
    noteOpened(table, number, before);
    assert.match(meanwhile(`${table} ${number} set`, after), /changed .* meanwhile/);
    assert.equal(meanwhile(`${table} ${number} set`, after), "", "saved again");
    assert.match(meanwhile(`${table} ${number} set`, before), /changed .* meanwhile/, "and changed once more");
  }
});

test("a number that somebody else has taken or freed is told", () => {
  noteOpened("fence", 5, rules([]));
  assert.match(meanwhile("fence 5 set", rules([fence(5)])), /another fence 5/);
  noteOpened("fence", 5, rules([fence(5)]));
  assert.match(meanwhile("fence 5 set", rules([])), /deleted fence 5/);
  assert.equal(meanwhile("fence 5 set", rules([])), "");
});
