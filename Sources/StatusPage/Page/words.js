// Phases, packets and events in words: those of the core, and what its members add to them.

import { alarmSentence } from "./alarmtext.js";
import { count, fixed, grouped, isNumber, metres, span } from "./numbers.js";
import { answers, ends, eventTitles, packetTitles, phaseWords, refusals, ruleProblems } from "./vocabulary.js";

export const phases = Object.keys(phaseWords);
export const meanings = phaseWords;
export const packetName = (kind) => (Object.hasOwn(packetTitles, kind) ? packetTitles[kind] : String(kind));
const grounds = (event) => {
  const parts = [];
  if (event.detector) parts.push(`${event.detector} at ${fixed(event.ratio, 1)} × its threshold`);
  if (isNumber(event.tilt)) parts.push(`tilted by ${fixed(event.tilt, 0)}°`);
  if (isNumber(event.turn)) parts.push(`turned by ${fixed(event.turn, 0)}°`);
  if (isNumber(event.displacement)) parts.push(`${metres(event.displacement)} from its place`);
  return parts.length ? `: ${parts.join(", ")}` : "";
};
export const refusalWords = (reason) => (Object.hasOwn(refusals, reason) ? refusals[reason] : String(reason));
export const answerWords = (reason) => (Object.hasOwn(answers, reason) ? answers[reason] : String(reason));
// Why a fence, a place, an alarm or a time zone was not taken.
export const ruleProblemWords = (reason) => {
  // A number may stand behind the word.
  const word = String(reason || "").split(" ")[0];
  return Object.hasOwn(ruleProblems, word) ? ruleProblems[word] : String(reason || "the tracker gave no reason");
};

// Where a fence is, and whether somebody is there; `active` is how many there are that must not be left: to be in one of them is enough.
/** @type {(fence: import("./types").Fence, active?: number) => string} */
export const fenceWords = (fence, active = 1) => {
  const corners = fence.rings.reduce((sum, ring) => sum + ring.corners.length, 0);
  const size = typeof fence.widthMetres === "number" ? `of ${metres(fence.widthMetres)}` : `of ${count(corners, "corner", "corners")}`;
  const where = { inside: "inside", outside: "outside" }[fence.presence] || "unknown";
  const duty = active > 1 ? `one of ${active} to stay in` : "must not be left";
  return `${fence.shape} ${size}, ${fence.isActive ? duty : "off"}: ${where}`;
};

// When an alarm rings; `told` makes words of a length of time.
/** @type {(alarm: import("./types").AlarmRule, fences: { number: number, name: string }[], told: (seconds: number) => string) => string} */
export const alarmWords = (alarm, fences, told) => {
  const rule = alarmSentence(alarm, fences);
  if (!alarm.isEnabled && !alarm.isSnoozed) return `${rule}; off`;
  if (!alarm.next) return rule;
  const wait = typeof alarm.nextSeconds === "number" ? `, in ${told(Math.max(0, alarm.nextSeconds))}` : "";
  return `${rule}; ${alarm.isSnoozed ? "snoozed until" : "next"} ${alarm.next}${wait}`;
};

// What a pet did today: names and values.
/** @type {(activity?: import("./types").Activity) => [string, string][]} */
export const activityFacts = (activity) => {
  if (!activity) return [];
  const usual = typeof activity.usualMinutes === "number" ? `, usually ${activity.usualMinutes} min`
    : `; its habit is not known yet, of ${count(activity.knownDays, "day", "days")}`;
  return [["Steps today", String(activity.steps)], ["Active today", `${activity.activeMinutes} min${usual}`],
    ["At rest today", `${activity.restMinutes} min`]];
};

// `Rex, dog, 5 years, 12.5 kg`
/** @type {(profile: import("./types").Profile) => string} */
export const petWords = (profile) => {
  const words = [profile.name, profile.kind];
  if (typeof profile.ageYears === "number") words.push(count(profile.ageYears, "year", "years"));
  if (typeof profile.weightKilograms === "number") words.push(`${fixed(profile.weightKilograms, 1)} kg`);
  if (profile.colour) words.push(profile.colour);
  return words.join(", ") + (profile.note ? `; ${profile.note}` : "");
};

// `57.8 km, corrected 1 March from 57.2 km to 57.8 km`, its last change by a request in the words of `day`.
/** @type {(status: Pick<import("./types").Status, "odometerMetres" | "odometer">, day: (time: string) => string) => string} */
export const odometerWords = (status, day) => {
  const { source, change } = status.odometer || {};
  if (!change) return metres(status.odometerMetres);
  const when = change.time ? ` ${day(change.time)}` : "";
  return `${metres(status.odometerMetres)}, ${source}${when} from ${metres(change.beforeMetres)} to ${metres(change.afterMetres)}`;
};

// `chain: 812 m of 3000 km`, with `due` where it is.
/** @type {(counter: import("./types").ServiceCounter) => string} */
export const counterWords = (counter) => {
  const amount = (value) => (counter.counts === "distance" ? metres(value) : counter.counts === "moving" ? `${grouped(value / 3600)} h`
    : count(value, "day", "days"));
  return `${counter.name}: ${amount(counter.value)} of ${amount(counter.due)}${counter.isDue ? ", due" : ""}`;
};

// What was asked and what became of it: a class and words.
/** @type {(asked: import("./types").Asked) => string[]} */
export const requestWords = (asked) => {
  if (asked.refused) {
    const times = asked.times && asked.times > 1 ? `, ${count(asked.times, "time", "times")}` : "";
    return ["refused", `Refused from the ${asked.channel}: ${refusalWords(asked.refused)}${times}`];
  }
  const number = asked.number ? ` #${asked.number}` : "";
  return ["", `${asked.request}${number} from the ${asked.channel}: ${asked.answer ? answerWords(asked.answer) : "accepted"}`];
};

// The last alert and what was done about it; `told` makes words of how long ago something was.
/** @type {(alert: import("./types").LastAlert, told: (seconds: number) => string) => { what: string, outcome: string, done: string }} */
export const alertWords = (alert, told) => {
  const when = typeof alert.ageSeconds === "number" ? `, ${told(alert.ageSeconds)}` : ", before the tracker started";
  const again = alert.repetitions ? `repeated ${count(alert.repetitions, "time", "times")}` : "";
  const then = typeof alert.outcomeSeconds === "number" ? `, ${told(alert.outcomeSeconds)}` : "";
  const [outcome, said] = Object.hasOwn(ends, alert.outcome) ? ends[alert.outcome] : ["Over", ""];
  const words = said && `${said}${then}`;
  const kind = alert.outcome === "notice" ? "Notice" : "Alert";
  return {
    what: `${kind} ${alert.number}: ${alert.detector} at ${fixed(alert.ratio, 1)} × its threshold${when}`,
    outcome, done: [words, again].filter((part) => part).join("; "),
  };
};
// A fence, a place or an alarm as its owner calls it; by its number when there is none of it any more.
/** @type {(rules: import("./types").Rules | undefined, table: string, number: number) => string} */
const ruleName = (rules, table, number) => {
  const { fences = [], places = [], alarms = [] } = rules || {};
  const name = {
    fence: fences.find((one) => one.number === number)?.name, place: places.find((one) => one.number === number)?.name,
    alarm: alarms.find((one) => one.number === number)?.label,
  }[table];
  return name ? `“${name}”` : String(number);
};
// What the members of an event say behind its title.
const eventDetails = {
  standing: (event) => (event.cause === "silence" ? ": no sign of movement for a while" : ""),
  travelledUnseen: (event) => (isNumber(event.distance) ? `: ${metres(event.distance)}` : ""),
  armed: () => ": movement now raises an alert",
  suspicious: grounds,
  movement: grounds,
  movedInPlace: (event) => `, no alert${grounds(event)}`,
  stolen: () => ": until the owner answers",
  quiet: (event) => (isNumber(event.displacement) ? `, ${metres(event.displacement)} from where it was` : ""),
  fixAcquired: (event) => (isNumber(event.after) ? ` after ${span(event.after)}` : ""),
  request: (event) => `: ${event.request}${event.number ? ` #${event.number}` : ""}`,
  requestRefused: (event) => `: ${refusalWords(event.reason)}${event.times ? `, ${event.times} more` : ""}`,
  presence: (event) => ` ${event.near ? "near" : "away"}${event.token ? `, tag ${event.token}` : ""}`,
  pending: (event) => `: alert ${event.alert}, the owner is near`,
  withdrawn: (event) => `: alert ${event.alert}, it was the owner`,
  rideStarted: () => "",
  resumed: () => "",
  parked: () => "",
  fixLost: () => "",
  liveTracking: () => "",
  calmed: () => "",
  arrived: (event, name) => `: fence ${name("fence", event.fence)}`,
  left: (event, name) => `: fence ${name("fence", event.fence)}`,
  alarmRang: (event, name) => `: ${name("alarm", event.number)} rang`,
  alarmMissed: (event, name) => `: ${name("alarm", event.number)} was due while the tracker was off`,
  outside: (event, name) => ` its fences${event.fence ? `, the nearest is ${name("fence", event.fence)}` : ""}: `
    + `alert ${event.alert}${event.repetition ? `, repeated (${event.repetition})` : ""}`,
  outsideEnded: (event) => `: alert ${event.alert} is over`,
  ruleChanged: (event, name) => `: ${event.table}${event.number ? ` ${name(event.table, event.number)}` : ""}`,
  settingChanged: (event) => `: ${event.setting} ${event.value}`,
  packetRefused: (event) => `: the outbox is full, ${packetName(event.packet)}`,
  restored: (event) => `: ${event.phase}, ${count(event.packets, "packet waits", "packets wait")}`,
  stateDamaged: (event) => {
    const parts = [];
    if (event.sections.length) parts.push(`lost: ${event.sections.join(", ")}`);
    if (event.packets) parts.push(`${count(event.packets, "packet", "packets")} lost, including ${count(event.alerts, "alert", "alerts")}`);
    if (event.setBack) parts.push("it is outdated");
    return `: ${parts.join("; ") || "nothing was lost"}`;
  },
};
// `powerLost` in words, "Power lost".
const inWords = (name) => {
  const words = String(name).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
const eventTitle = (name) => (Object.hasOwn(eventTitles, name) ? eventTitles[name] : inWords(name));
// The members of an event without details of its own.
const plainDetails = (event) => {
  const members = Object.keys(event).filter((key) => !["type", "event", "utc", "uptime"].includes(key))
    .map((key) => `${inWords(key).toLowerCase()} ${{ true: "yes", false: "no" }[event[key]] || event[key]}`);
  return members.length ? `: ${members.join(", ")}` : "";
};
export const isGrave = (event) => ["movement", "stolen", "outside", "packetRefused", "stateDamaged"].includes(event);
// A class and words of what happened; rules have the names of fences, places and alarms as they are now.
/** @type {(happening: { what: string, json: string }, rules?: import("./types").Rules) => string[]} */
export const happeningWords = (happening, rules) => {
  let content;
  try {
    content = JSON.parse(happening.json);
  } catch {
    return ["", happening.json];
  }
  const name = (table, number) => ruleName(rules, table, number);
  if (happening.what === "packet") {
    const alert = content.alert;
    const which = alert ? ` ${alert.id}${alert.repetition ? `, repeated (${alert.repetition})` : ""}` : "";
    const reason = content.status ? `, ${content.status.reason}` : "";
    const kind = ["movement", "fence"].includes(content.type) ? "alert" : "packet";
    return [kind, `Packet ${content.sequence}: ${packetName(content.type)}${which}${reason}`];
  }
  const details = Object.hasOwn(eventDetails, content.event) ? eventDetails[content.event](content, name) : plainDetails(content);
  return [isGrave(content.event) ? "alert" : "", eventTitle(content.event) + details];
};
