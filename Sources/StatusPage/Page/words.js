// Phases, packets and events in words.

import { alarmSentence } from "./alarmtext.js";
import { count, fixed, isNumber, metres, span } from "./numbers.js";

export const phases = ["starting", "riding", "settling", "parked", "suspicious", "alarmed", "stolen"];
export const meanings = {
  starting: "No fix or movement yet",
  riding: "Under way",
  settling: "Standing; not parked yet",
  parked: "Standing where it was parked",
  suspicious: "Movement; not confirmed yet",
  alarmed: "Being moved",
  stolen: "Stolen",
};
const packetNames = {
  location: "Location", parking: "Parking place", movement: "Movement alert", ride: "Ride", status: "Status", fence: "Fence alert",
  transition: "Fence crossed",
};
export const packetName = (kind) => packetNames[kind] || String(kind);
const grounds = (event) => {
  const parts = [];
  if (event.detector) parts.push(`${event.detector} at ${fixed(event.ratio, 1)} × its threshold`);
  if (isNumber(event.tilt)) parts.push(`tilted by ${fixed(event.tilt, 0)}°`);
  if (isNumber(event.turn)) parts.push(`turned by ${fixed(event.turn, 0)}°`);
  if (isNumber(event.displacement)) parts.push(`${metres(event.displacement)} from its place`);
  return parts.length ? `: ${parts.join(", ")}` : "";
};
const refusals = {
  tooLong: "too long", unreadable: "not a request", noKey: "signed, and there is no key", forged: "wrong token or key",
  notAllowed: "not allowed there", answerToAnswer: "an answer to an answer", replayed: "not newer than the last one", stale: "too old",
  early: "signed ahead of time", flooded: "too many at once", owned: "the tracker has an owner",
  keyInFile: "the owner's key is in the configuration file", unsupported: "a command that it can't do",
};
export const refusalWords = (reason) => (Object.hasOwn(refusals, reason) ? refusals[reason] : String(reason));
const answers = {
  alertsOn: "alerts are on", alertsOff: "alerts are off", dismissed: "the alert is dismissed", unknownAlert: "there is no such alert",
  settingsChanged: "settings changed", settingsRefused: "settings refused", settingsFull: "too many changed settings",
  settingsTakenBack: "settings restored: no server was reached",
  repeated: "already done", located: "position sent", tracking: "live tracking on", pong: "the tracker answers",
  info: "information sent", asked: "status sent", setting: "setting sent", stateDamaged: "the saved state is damaged",
  armed: "armed where it is parked", disarmed: "not armed until the next parking", enabled: "the tracker is enabled",
  disabled: "the tracker is disabled", claimed: "the tracker has an owner", unclaimed: "the tracker has no owner",
  near: "the owner is near", away: "the owner is away", pending: "the alert is held back", withdrawn: "the alert is withdrawn",
  found: "the alarm is over",
  nothingToFind: "there was no alarm", rebooting: "restarting", rebooted: "restarted", sounding: "the buzzer sounds",
  privacyOn: "positions are withheld", privacyOff: "positions are sent", ruleChanged: "changed", ruleRefused: "refused",
  rules: "answered", secured: "now a secure place", temporary: "not a secure place",
  unknownParking: "there is no such parking", movedInPlace: "movement at a secure place", returned: "it is back",
  alarmRang: "an alarm rang",
  alarmMissed: "an alarm was missed", snoozed: "rings again later", hushed: "silent",
  touched: "it was touched", profile: "answered", profileChanged: "the profile is changed", profileRefused: "profile refused",
  settings: "answered", fences: "answered", steps: "answered", checkpoint: "marked",
  trackingOff: "live tracking has ended", odometerMeasured: "answered",
  odometerImported: "the odometer, with imported distance", odometerCorrected: "the odometer, as corrected",
  trip: "answered", overspeed: "it is too fast", hardAcceleration: "a hard start", hardBraking: "hard braking",
  hardCornering: "a hard bend", newerAlert: "a newer alert has come since: answer that one",
  gear: "answered", gearChanged: "gear changed", gearRefused: "gear refused", gearDue: "a service is due",
  cameHome: "it came home",
};
export const answerWords = (reason) => (Object.hasOwn(answers, reason) ? answers[reason] : String(reason));
const ruleProblems = {
  tableFull: "the table is full; delete one first", unknownNumber: "no entry has this number",
  badNumber: "the number must be 1 to 255", badName: "the name is empty, too long, or has invalid characters",
  badWidth: "the radius or width is not 1 to 1,000,000 m", tooFewPoints: "it has too few corners",
  tooManyPoints: "it has more than eight corners",
  crossing: "two edges cross or touch that are not neighbours", zeroArea: "the corners are in a line",
  duplicatePoint: "two corners are at the same place", outOfRange: "a corner is not a valid position", tooLarge: "it is too large",
  holeOutside: "the hole is not inside the outline", noPosition: "the position of the tracker is unknown",
  noTime: "the tracker does not know the time", badZone: "the tracker does not know such a time zone",
  unknownFence: "that fence no longer exists",
  usedByAlarm: "an alarm depends on it: change or delete that first", pastDate: "its date is over",
};
// Why a fence, a place, an alarm or a time zone was not taken.
export const ruleProblemWords = (reason) => {
  // A number may stand behind the word.
  const word = String(reason || "").split(" ")[0];
  return Object.hasOwn(ruleProblems, word) ? ruleProblems[word] : String(reason || "the tracker gave no reason");
};

// Where a fence is, and whether somebody is there.
/** @type {(fence: import("./types").Fence) => string} */
export const fenceWords = (fence) => {
  const corners = fence.rings.reduce((sum, ring) => sum + ring.corners.length, 0);
  const size = typeof fence.widthMetres === "number" ? `of ${metres(fence.widthMetres)}` : `of ${count(corners, "corner", "corners")}`;
  const where = { inside: "inside", outside: "outside" }[fence.presence] || "unknown";
  return `${fence.shape} ${size}, ${fence.isActive ? "must not be left" : "off"}: ${where}`;
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
  const [outcome, words] = {
    unanswered: ["Unanswered", "Nobody has answered"],
    dismissed: ["Dismissed", `Dismissed by the owner${then}`],
    found: ["Found", `The owner has it back${then}`],
    ride: ["Over", `It became a ride${then}`],
    disarmed: ["Over", `Alerts were switched off${then}`],
    returned: ["Over", `It is back within its fences${then}`],
    removed: ["Over", `Its fences were changed${then}`],
    notice: ["Notice", "Movement at a secure place, or where no rule guards it"],
  }[alert.outcome] || ["Over", ""];
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
const eventWords = {
  rideStarted: () => "Riding",
  standing: (event) => (event.cause === "silence" ? "Standing: no more fixes" : "Standing"),
  resumed: () => "Ride continued",
  travelledUnseen: (event) => `Moved ${isNumber(event.distance) ? `${metres(event.distance)} ` : ""}while signal was lost`,
  parked: () => "Parked",
  armed: () => "Armed: movement now raises an alert",
  suspicious: (event) => `Suspicious${grounds(event)}`,
  calmed: () => "Calm again",
  movement: (event) => `ALERT movement${grounds(event)}`,
  movedInPlace: (event) => `Moved in place, no alert${grounds(event)}`,
  stolen: () => "STOLEN: until the owner answers",
  quiet: (event) => `Quiet again${isNumber(event.displacement) ? `, ${metres(event.displacement)} from where it was` : ""}`,
  fixAcquired: (event) => `Position known${isNumber(event.after) ? ` after ${span(event.after)}` : ""}`,
  fixLost: () => "Position lost",
  request: (event) => `Request: ${event.request}${event.number ? ` #${event.number}` : ""}`,
  requestRefused: (event) => `Request refused: ${refusalWords(event.reason)}`,
  presence: (event) => `${event.near ? "Owner near" : "Owner away"}${event.token ? `, tag ${event.token}` : ""}`,
  pending: (event) => `Held back: alert ${event.alert}, the owner is near`,
  withdrawn: (event) => `Withdrawn: alert ${event.alert}, it was the owner`,
  liveTracking: () => "Live tracking",
  arrived: (event, name) => `Arrived: fence ${name("fence", event.fence)}`,
  left: (event, name) => `Left: fence ${name("fence", event.fence)}`,
  alarmRang: (event, name) => `Alarm: ${name("alarm", event.number)} rang`,
  alarmMissed: (event, name) => `Alarm missed: ${name("alarm", event.number)} was due while the tracker was off`,
  outside: (event, name) => `ALERT outside its fences${event.fence ? `, the nearest is ${name("fence", event.fence)}` : ""}: `
    + `alert ${event.alert}${event.repetition ? `, repeated (${event.repetition})` : ""}`,
  outsideEnded: (event) => `Outside ended: alert ${event.alert} is over`,
  ruleChanged: (event, name) => `Rule changed: ${event.table}${event.number ? ` ${name(event.table, event.number)}` : ""}`,
  settingChanged: (event) => `Setting changed: ${event.setting} ${event.value}`,
  packetRefused: (event) => `Packet refused: the outbox is full of alerts, ${packetName(event.packet)}`,
  restored: (event) => `Restarted: ${event.phase}, ${count(event.packets, "packet waits", "packets wait")}`,
  stateDamaged: (event) => {
    const parts = [];
    if (event.sections.length) parts.push(`lost: ${event.sections.join(", ")}`);
    if (event.packets) parts.push(`${count(event.packets, "packet", "packets")} lost, including ${count(event.alerts, "alert", "alerts")}`);
    if (event.setBack) parts.push("it is outdated");
    return `State damaged: ${parts.join("; ") || "nothing was lost"}`;
  },
};
// `powerLost` in words, "Power lost".
const inWords = (name) => {
  const words = String(name).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
// An event without words of its own: its name and its members.
const plainWords = (event) => {
  const members = Object.keys(event).filter((key) => !["type", "event", "utc", "uptime"].includes(key))
    .map((key) => `${inWords(key).toLowerCase()} ${{ true: "yes", false: "no" }[event[key]] || event[key]}`);
  return inWords(event.event) + (members.length ? `: ${members.join(", ")}` : "");
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
  const words = Object.hasOwn(eventWords, content.event) ? eventWords[content.event](content, name) : plainWords(content);
  return [isGrave(content.event) ? "alert" : "", words];
};
