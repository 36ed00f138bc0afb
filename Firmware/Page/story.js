// What a run of the module tells: its report, and its events, packets and phases in the order of time.

import { count, grouped, metres } from "../../Sources/StatusPage/Page/numbers.js";
import { happeningWords, isGrave } from "../../Sources/StatusPage/Page/words.js";

// The lines of a report, a name and a value each.
/** @type {(text: string) => import("./types").Report} */
export const readReport = (text) => {
  const value = (name) => {
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    return line ? line.slice(name.length + 1) : undefined;
  };
  const trouble = /^trouble: (.*)$/m.exec(text);
  const cut = value("cut off at byte");
  return {
    ...(trouble ? { trouble: trouble[1] } : {}),
    ...(cut === undefined ? {} : { cutOffAtByte: Number(cut) }),
    inputs: Number(value("inputs")), events: Number(value("events")), packets: Number(value("packets")), kept: Number(value("kept")),
    outputHash: value("output hash") || "", stateHash: value("state hash") || "",
    damagedStretches: Number(value("damaged stretches")), overlongRecords: Number(value("overlong records")),
  };
};

// What is wrong with a file, in one line; empty if nothing is.
/** @type {(name: string, report: import("./types").Report) => string} */
export const troubleWords = (name, report) => {
  const { trouble } = report;
  if (!trouble) return report.inputs ? "" : `${name} is a Leash log without any inputs.`;
  const setting = /line (\d+)$/.exec(trouble);
  if (setting) return `${name} has a setting that this version does not know, in line ${setting[1]} of its configuration.`;
  if (trouble.startsWith("no configuration")) {
    return `${name} has no configuration at its beginning: its first record is damaged or missing.`;
  }
  if (trouble.startsWith("it continues")) {
    return `${name} continues an earlier log, and this page replays a log from its beginning only; leash replay takes both.`;
  }
  return `${name} is no Leash log of this version; leash replay --record makes one of other recordings.`;
};

// What was passed over in a log that was replayed all the same; empty if nothing was.
/** @type {(report: import("./types").Report) => string} */
export const damageWords = (report) => {
  const parts = [];
  if (report.damagedStretches) parts.push(`${count(report.damagedStretches, "damaged stretch was", "damaged stretches were")} passed over`);
  if (report.overlongRecords) parts.push(`${count(report.overlongRecords, "record was", "records were")} too long`);
  if (report.cutOffAtByte !== undefined) parts.push(`the log is cut off in the record at byte ${report.cutOffAtByte}`);
  return parts.length ? `Not the whole log was replayed: ${parts.join("; ")}.` : "";
};

// The lines of JSON that a tracker wrote.
/** @type {(text: string) => import("./types").Item[]} */
export const readOutput = (text) => text.split("\n").filter((line) => line).map((json) => {
  const content = JSON.parse(json);
  const isEvent = content.type === "event";
  const name = isEvent ? content.event : content.type;
  return { t: content.uptime, utc: content.utc, what: isEvent ? "event" : "packet", name, json, content };
});

// The course of a run: a time in microseconds, a phase, and a speed in millimetres a second in each line.
/** @type {(text: string) => { phases: import("./types").PhaseSpan[], speeds: import("./types").SpeedPoint[] }} */
const readCourse = (text) => {
  /** @type {import("./types").PhaseSpan[]} */
  const phases = [];
  const speeds = [];
  for (const line of text.split("\n")) {
    const [time, phase, speed] = line.split(" ");
    if (speed === undefined) continue;
    const t = Number(time) / 1e6;
    const last = phases[phases.length - 1];
    if (last) last.to = Math.max(t, last.from);
    if (!last || last.phase !== phase) phases.push({ from: t, to: t, phase });
    if (speed !== "-") speeds.push({ t, speed: Number(speed) / 1000 });
  }
  return { phases, speeds };
};

// Rides as the tracker dates them when they are over; one that is under way at the end is open.
/** @type {(items: import("./types").Item[], end: number) => import("./types").Ride[]} */
const ridesOf = (items, end) => {
  const rides = [];
  let open = null;
  for (const { t, name, content } of items) {
    if (name === "rideStarted") open = content.onset === undefined ? t : content.onset;
    if (name !== "parked") continue;
    const { rideStart = open, rideEnd } = content;
    if (rideEnd !== undefined && rideStart !== null) rides.push({ from: rideStart, to: rideEnd, isOpen: false });
    open = null;
  }
  if (open !== null) rides.push({ from: open, to: end, isOpen: true });
  return rides;
};

// When it was armed: events say so, and each packet.
/** @type {(items: import("./types").Item[], end: number) => import("./types").Span[]} */
const armedOf = (items, end) => {
  const spans = [];
  let since = null;
  for (const { t, what, name, content } of items) {
    const isArmed = what === "packet" ? content.armed : { armed: true, disarmed: false }[name];
    if (isArmed === true && since === null) since = t;
    if (isArmed !== false || since === null) continue;
    spans.push({ from: since, to: t });
    since = null;
  }
  if (since !== null) spans.push({ from: since, to: end });
  return spans;
};

const wordsOf = (item) => happeningWords({ what: item.what, json: item.json });
const noted = ["suspicious", "movedInPlace", "alarmRang"];
/** @type {(output: string, course: string) => import("./types").Story} */
export const readStory = (output, course) => {
  const items = readOutput(output);
  const { phases, speeds } = readCourse(course);
  const start = phases.length ? phases[0].from : 0;
  const end = phases.length ? phases[phases.length - 1].to : 0;
  const dated = items.filter((item) => item.utc);
  const last = dated[dated.length - 1];
  const marks = items.filter((item) => item.what === "event" && (isGrave(item.name) || noted.includes(item.name)))
    .map((item) => ({ t: item.t, isGrave: isGrave(item.name), words: wordsOf(item)[1] }));
  return {
    start, end, items, phases, speeds, marks, utcOffset: last && last.utc ? Date.parse(last.utc) / 1000 - last.t : null,
    rides: ridesOf(items, end), armed: armedOf(items, end),
  };
};

// `0:14:03`, since the beginning of the log.
/** @type {(seconds: number) => string} */
export const elapsed = (seconds) => {
  const s = Math.max(0, Math.floor(seconds + 1e-6));
  const parts = [Math.floor(s / 3600), Math.floor((s % 3600) / 60), s % 60];
  return parts.map((part, place) => (place ? String(part).padStart(2, "0") : part)).join(":");
};

// The lines of the list; packets that only say where it is are told together, unless all are wanted.
/** @type {(story: import("./types").Story, hasAll: boolean) => import("./types").Row[]} */
export const rowsOf = (story, hasAll) => {
  /** @type {import("./types").Row[]} */
  const rows = [];
  let places = 0;
  for (const item of story.items) {
    const isPlace = item.name === "location" && item.what === "packet" && !item.content.alert;
    if (!hasAll && isPlace) {
      places += 1;
      const words = count(places, "packet with a position", "packets with a position");
      const row = { t: item.t, utc: item.utc, kind: "packet", words };
      if (places > 1) Object.assign(rows[rows.length - 1], { words });
      else rows.push(row);
      continue;
    }
    places = 0;
    const [kind, words] = wordsOf(item);
    rows.push({ t: item.t, utc: item.utc, kind: item.what === "packet" ? "packet" : kind, words });
  }
  return rows;
};

// The numbers of a run: names and values.
/** @type {(story: import("./types").Story, report: import("./types").Report) => [string, string][]} */
export const factsOf = (story, report) => {
  const isAlert = (item) => item.what === "event" && ["movement", "outside"].includes(item.name) && !item.content.repetition;
  const alerts = story.items.filter(isAlert);
  const distances = story.items.filter((item) => item.name === "ride" && item.content.ride).map((item) => item.content.ride.distance);
  const total = distances.reduce((sum, one) => sum + one, 0);
  const date = story.utcOffset === null ? "" : new Date((story.start + story.utcOffset) * 1000).toISOString();
  const begin = date && `, from ${date.slice(0, 19).replace("T", " ")} UTC`;
  return [
    ["Duration", elapsed(story.end - story.start) + begin],
    ["Inputs", grouped(report.inputs)],
    ["Events", String(report.events)],
    ["Packets", String(report.packets)],
    ["Rides", `${story.rides.length}${distances.length ? `, ${metres(total)}` : ""}`],
    ["Alerts", String(alerts.length)],
    ["State kept", count(report.kept, "time", "times")],
  ];
};
