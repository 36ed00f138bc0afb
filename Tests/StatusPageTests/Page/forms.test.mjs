import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { alarmRequest, formOf, newAlarm } from "../../../Sources/StatusPage/Page/alarmtext.js";
import { newOutline, outlineOfFence, outlineOfPlace } from "../../../Sources/StatusPage/Page/draft.js";
import {
  commonZones, decimals, fenceRequest, freeNumber, nameProblem, placeOf, placeRequest, widthProblem, zoneRequest, zoneWords,
} from "../../../Sources/StatusPage/Page/ruletext.js";
import { ruleProblemWords } from "../../../Sources/StatusPage/Page/words.js";

const at = (...numbers) => {
  const ring = [];
  for (let place = 0; place < numbers.length; place += 2) ring.push({ lat: numbers[place], lon: numbers[place + 1] });
  return ring;
};
const fence = (number, name, kind, rings, more) => fenceRequest({ ...newOutline("fence", number), name, kind, rings, ...more });
const place = (number, name, rings, more) => placeRequest({ ...newOutline("place", number), name, rings, ...more });
const alarm = (number, label, trigger, more) => alarmRequest(number, { ...newAlarm(), label, trigger, ...more });
const triangle = at(52, 4, 52.001, 4, 52.001, 4.001);
const oddCorners = at(-1e-7, -1e-9, 0, 0.001, 0.001, 0.001, 0.001, 0.0005, 0.0015, 0, 0.001, -0.0005, 0.0005, -0.001, 0.0002, -0.0005);
const yard = at(52.001, 3.999, 52.001, 4.001, 51.999, 4);

// What forms make, line by line as in requests.txt, which the tracker is asked in PageRuleTests.
const all = () => [
  fence(1, "garden", "polygon", [at(52.0001, 4, 52, 4.0003, 51.9999, 4, 52, 3.9997)]),
  fence(2, "park", "circle", [at(52.002, 4)], { width: "80" }),
  fence(3, " the way there ", "corridor", [at(52, 4, 52.001, 4.0001, 52.002, 4)], { width: " 15,52 " }),
  fence(4, "yard", "polygon", [yard, at(52.0005, 3.9998, 52.0005, 4.0002, 52, 4)]),
  fence(4, "yard", "polygon", [at(52.001, 3.999, 52.001, 4.0012, 51.99900009, 4)]),
  fence(1, "é".repeat(16), "polygon", [oddCorners]),
  fence(5, "over the line", "polygon", [at(10, 179.9999, 10.001, -179.9999, 9.999, -179.9999)]),
  fence(5, "as wide as can be", "circle", [at(0, 0)], { width: "1000000" }),
  fence(5, "here", "circle", [at(52, 4)], { isHere: true }),
  fence(5, "knot", "polygon", [at(52, 4, 52.001, 4.001, 52.001, 4, 52, 4.001)]),
  fence(5, "bow", "polygon", [at(52, 4, 52.001, 4.002, 52.001, 4, 52, 4.001)]),
  fence(5, "line", "polygon", [at(52, 4, 52.001, 4, 52.002, 4)]),
  fence(5, "twice", "polygon", [at(52, 4, 52, 4, 52.002, 4.001)]),
  fence(5, "hole beside", "polygon", [triangle, at(53, 4, 53.001, 4, 53.001, 4.001)]),
  fence(6, "one too many", "circle", [at(52, 4)]),
  place(1, "home", [at(52, 4)]),
  place(1, "home, moved", [at(52.0000001, 4.5)], { width: "1" }),
  place(2, "here", [[]], { isHere: true }),
  alarm(1, "up", "at", { days: "weekdays" }),
  alarm(2, "Feed her", "at", { time: "18:00", where: "inside", fence: "1", sound: "60", snooze: "5" }),
  alarm(3, "the vet", "at", { time: "09:15", days: "date", date: "2031-12-24", where: "outside", fence: "2", noFix: "ring" }),
  alarm(3, "some", "at", { time: "23:59", days: "some", some: ["sun", "wed", "mon"], sound: "0", isEnabled: false }),
  alarm(4, "home again", "arrive", { fence: "1", hasWindow: true, from: "06:00", to: "22:00" }),
  alarm(4, "gone", "leave", { where: "outside", fence: "1" }),
  alarm(5, "too long", "stay", { minutes: "090", fence: "2", snooze: "120" }),
  alarm(6, "night", "quiet", { hasWindow: true, from: "22:00", to: "06:30", windowDays: "weekend", sound: "5" }),
  alarm(6, "at work", "guard", {
    where: "inside", fence: "2", noFix: "skip", hasWindow: true, windowDays: "some", windowSome: ["thu", "tue"],
  }),
  alarm(6, "always", "guard", { fence: "2", noFix: "skip" }),
  alarm(6, "no such fence", "leave", { fence: "9" }),
  ...commonZones.map(([text]) => zoneRequest(text)),
  zoneRequest(" CET-1CEST,M13.5.0,M10.5.0/3"),
];
const lines = readFileSync(new URL("requests.txt", import.meta.url), "utf8").split("\n").filter((line) => line.includes(" → "));

test("every form makes the request that the tracker is asked", () => {
  assert.deepEqual(all().map(({ text, problems }) => [text, problems]), lines.map((line) => [line.split(" → ")[0], {}]));
});

test("UTC is a time zone", () => {
  for (const zone of ["UTC", " utc "]) assert.equal(zoneRequest(zone).text, "zone UTC0", zone);
  assert.notDeepEqual(zoneRequest("UT C").problems, {});
});

test("what the tracker refuses is told in words", () => {
  const reasons = lines.map((line) => line.split("ruleRefused ")[1]).filter(Boolean);
  assert.ok(reasons.length > 8);
  for (const reason of reasons) assert.notEqual(ruleProblemWords(reason), reason);
  assert.equal(ruleProblemWords("unheardOf"), "unheardOf");
  assert.match(ruleProblemWords(undefined), /gave no reason/);
});

test("no request is longer than the page may send", () => {
  const rings = [Array.from({ length: 4 }, () => ({ lat: -12.1234567, lon: -123.1234567 })),
    Array.from({ length: 4 }, () => ({ lat: -12.1234567, lon: -123.1234567 }))];
  const { text } = fence(255, "é".repeat(16), "polygon", rings);
  const signature = "#4294967295  !1764000000000:21a2548b7a4f8934460d4ba6f36fca37";
  assert.ok(new TextEncoder().encode(text + signature).length <= 400);
});

test("a rule of an alarm comes back from its form as it was", () => {
  for (const line of lines.filter((line) => line.startsWith("alarm "))) {
    const [, number, label, rule] = line.split(" → ")[0].match(/^alarm (\d+) set "(.*)" (.*)$/);
    const form = formOf({ label, rule, isEnabled: !rule.endsWith(" disabled") });
    assert.equal(alarmRequest(Number(number), form).text, line.split(" → ")[0]);
  }
});

test("days as the tracker tells them are those that were chosen", () => {
  const days = (rule) => {
    const form = formOf({ label: "a", isEnabled: true, rule });
    return [form.days, form.some.join()];
  };
  assert.deepEqual(days("at 07:30 mon,tue,wed,thu,fri"), ["weekdays", ""]);
  assert.deepEqual(days("at 07:30 sat,sun"), ["weekend", ""]);
  assert.deepEqual(days("at 07:30 daily"), ["daily", ""]);
  assert.deepEqual(days("at 07:30 fri,sat"), ["some", "fri,sat"]);
  const window = formOf({ label: "a", isEnabled: true, rule: "quiet from 22:00 to 06:00 sat,sun" });
  assert.deepEqual([window.from, window.to, window.windowDays, window.hasWindow], ["22:00", "06:00", "weekend", true]);
});

test("a rule of another kind is not made into one of a known kind", () => {
  for (const rule of ["dance 5", "at 07:30 daily twice", "quiet from 22:00 until 06:00 daily", ""]) {
    assert.equal(formOf({ label: "a", isEnabled: true, rule }), null, rule);
  }
});

// Fields of which one after the other is wrong.
const wrong = (trigger, more) => Object.keys(alarm(1, "a", trigger, more).problems).join();

test("what is wrong with an alarm is told at its field", () => {
  assert.equal(Object.keys(alarm(1, " ", "at").problems).join(), "label");
  for (const time of ["", "24:00", "7:30", "07:60"]) assert.equal(wrong("at", { time }), "time", time);
  assert.equal(wrong("at", { time: "23:59" }), "");
  assert.equal(wrong("at", { days: "some", some: [] }), "days");
  for (const date of ["", "2027-02-29", "2027-13-01", "27-1-1"]) assert.equal(wrong("at", { days: "date", date }), "date", date);
  assert.equal(wrong("at", { days: "date", date: "2028-02-29" }), "");
  for (const [minutes, isRight] of [["0", false], ["1", true], ["1440", true], ["1441", false], ["1.5", false], ["", false]]) {
    assert.equal(wrong("stay", { fence: "1", minutes }) === "", isRight, minutes);
  }
  for (const [sound, isRight] of [["0", true], ["3600", true], ["3601", false], ["-1", false]]) {
    assert.equal(wrong("at", { sound }) === "", isRight, sound);
  }
  for (const [snooze, isRight] of [["0", false], ["1", true], ["120", true], ["121", false]]) {
    assert.equal(wrong("at", { snooze }) === "", isRight, snooze);
  }
  // What never rings has no sound to be wrong.
  assert.equal(wrong("quiet", { sound: "x", snooze: "x" }), "");
  for (const trigger of ["arrive", "leave", "stay"]) assert.equal(wrong(trigger), "fence", trigger);
  assert.equal(wrong("at", { where: "outside" }), "fence");
  const window = { hasWindow: true, from: "08:00", to: "0800", windowDays: "some" };
  assert.equal(wrong("guard", window), "to,windowDays");
  // From a time to the same time is a whole day.
  assert.equal(wrong("guard", { ...window, to: "08:00", windowDays: "daily" }), "");
  assert.equal(wrong("guard", { ...window, from: "", to: "08:00" }), "from,windowDays");
  assert.equal(wrong("at", window), "");
});

test("a name has 32 bytes of UTF-8 at most and no quotes, and is not cut off in silence", () => {
  assert.equal(nameProblem("x".repeat(32)), "");
  assert.match(nameProblem("x".repeat(33)), /by 1 of 32 bytes/);
  assert.equal(nameProblem("é".repeat(16)), "");
  assert.match(nameProblem(`${"é".repeat(16)}x`), /by 1 of/);
  assert.match(nameProblem("🐈".repeat(9)), /by 4 of/);
  for (const name of ["the \"garden\"", "a\nb", "a\u007fb"]) assert.match(nameProblem(name), /double quotes/, name);
  assert.match(nameProblem("  "), /name is required/);
  assert.equal(nameProblem("it's mine"), "");
});

test("corners of a fence are three to eight, points two to eight, and a circle has a middle", () => {
  const ring = (length) => Array.from({ length }, (_, step) => ({ lat: 52 + step / 100, lon: 4 + step * step / 1000 }));
  const problem = (kind, rings, more) => fence(1, "a", kind, rings, more).problems.corners || "";
  assert.match(problem("polygon", [ring(2)]), /[Tt]hree or more corners/);
  assert.equal(problem("polygon", [ring(3)]), "");
  assert.equal(problem("polygon", [ring(8)]), "");
  assert.match(problem("polygon", [ring(9)]), /8 corners at most/);
  assert.match(problem("polygon", [ring(3), ring(2)]), /hole needs three/);
  assert.match(problem("polygon", [ring(3), []]), /hole needs three/);
  assert.equal(problem("polygon", [ring(5), ring(3)]), "");
  assert.match(problem("polygon", [ring(6), ring(3)]), /8 corners at most/);
  assert.match(problem("corridor", [ring(1)]), /[Tt]wo or more points/);
  assert.equal(problem("corridor", [ring(2)]), "");
  assert.match(problem("circle", [[]]), /centre/);
  assert.equal(problem("circle", [[]], { isHere: true }), "");
  assert.match(place(1, "a", [[]]).problems.corners, /centre/);
  assert.deepEqual(Object.keys(fence(1, "", "corridor", [[]], { width: "" }).problems), ["name", "width", "corners"]);
});

test("a radius is one metre to a thousand kilometres, with a comma or a point", () => {
  for (const [text, isRight] of [
    ["0.9", false], ["1", true], ["1000000", true], ["1000000.1", false], ["12,5", true],
    ["x", false], ["", false], ["-5", false], ["1e3", false],
  ]) assert.equal(widthProblem(text) === "", isRight, text);
  // An outline has none.
  assert.equal(fence(1, "a", "polygon", [triangle], { width: "x" }).problems.width, undefined);
});

test("degrees have seven decimals and never an exponent", () => {
  assert.deepEqual([1e-7, -1e-7, 4e-8, -4e-8, 52, -123.12345678, 100].map(decimals),
    ["0.0000001", "-0.0000001", "0", "0", "52", "-123.1234568", "100"]);
});

test("a place is read as people write it", () => {
  for (const text of ["52.1,-4.5", "52.1, -4.5", " 52.1 -4.5 ", "52.1; -4.5", "52.1°, -4.5°"]) {
    assert.deepEqual(placeOf(text), { lat: 52.1, lon: -4.5 }, text);
  }
  for (const text of ["", "52.1", "91,0", "0,181", "a,b", "52,1,4,5", "1e1,2"]) assert.equal(placeOf(text), null, text);
});

test("a new one has the lowest number that is free", () => {
  assert.equal(freeNumber([]), 1);
  assert.equal(freeNumber([{ number: 1 }, { number: 3 }]), 2);
  assert.equal(freeNumber([{ number: 2 }, { number: 1 }]), 3);
});

test("what the tracker tells of a fence or a place makes the same one again", () => {
  const rings = [yard, at(52.0005, 3.9998, 52.0005, 4.0002, 52, 4)]
    .map((ring) => ({ corners: ring.map(({ lat, lon }) => ({ latitudeDegrees: lat, longitudeDegrees: lon })) }));
  const told = { number: 4, name: "yard", isActive: true, presence: "inside", shape: "polygon", rings };
  assert.equal(fenceRequest(outlineOfFence(told)).text, lines[3].split(" → ")[0]);
  const circle = { ...told, number: 2, name: "park", shape: "circle", widthMetres: 80,
    rings: [{ corners: [{ latitudeDegrees: 52.002, longitudeDegrees: 4 }] }] };
  assert.equal(fenceRequest(outlineOfFence(circle)).text, lines[1].split(" → ")[0]);
  const home = { number: 1, name: "home", latitudeDegrees: 52, longitudeDegrees: 4, radiusMetres: 60, isHere: false };
  assert.equal(placeRequest(outlineOfPlace(home)).text, "place 1 set \"home\" 52,4 60");
});

test("a time zone is told with where it holds, and what is none is told at its field", () => {
  assert.equal(zoneWords("CET-1CEST,M3.5.0,M10.5.0/3"), "CET-1CEST,M3.5.0,M10.5.0/3 (Amsterdam, Berlin, Madrid, Paris, Rome)");
  assert.deepEqual([zoneWords(undefined), zoneWords("UTC0"), zoneWords("HST10")], ["UTC", "UTC", "HST10"]);
  for (const zone of ["", "Europe/Paris", "CET", "CET -1", `CET-1${"0".repeat(44)}`]) assert.ok(zoneRequest(zone).problems.zone, zone);
});
