// Words and measures of a simulated life, without a document.

import { fixed, metres } from "./numbers.js";

/** @typedef {[number, number, string, any]} Entry Number, seconds, kind and what it was. */
/** @typedef {[number, number, string, string]} Span From, until, kind and words. */

// Seconds of a life as days, hours, minutes and seconds.
/** @type {(seconds: number) => string} */
export const elapsed = (seconds) => {
  const s = Math.max(0, Math.floor(seconds + 1e-6));
  const digits = (value) => String(value).padStart(2, "0");
  const rest = `${digits(Math.floor(s / 3600) % 24)}:${digits(Math.floor(s / 60) % 60)}:${digits(s % 60)}`;
  return s < 86400 ? rest : `${Math.floor(s / 86400)} d ${rest}`;
};

// One line for an entry.
/** @type {(entry: Entry) => string} */
export const words = ([, , kind, what]) => {
  if (kind === "power") return what ? "the tracker has power again" : "the tracker has no power";
  if (kind === "received") return what === null ? "bytes that are no packet" : `has packet ${what}`;
  if (typeof what !== "object" || what === null) return String(what);
  const parts = [];
  if (what.detector) parts.push(`${what.detector} at ${fixed(what.ratio, 1)} × its threshold`);
  if (typeof what.distance === "number") parts.push(metres(what.distance));
  if (what.request !== undefined) parts.push(`request ${what.request}`);
  if (what.reason) parts.push(String(what.reason));
  const title = kind === "packet" ? `${what.type} packet ${what.sequence}` : String(what.event || what.type);
  return parts.length ? `${title}: ${parts.join(", ")}` : title;
};

// Deeds that nobody wants to hear of are quiet.
/** @type {(words: string) => boolean} */
export const isHarmless = (words) => words === "harmless" || words === "nothing to tell" || words === "all the time";
/** @type {(kind: string) => boolean} */
export const isFault = (kind) => ["modem", "line", "network", "power", "strangers", "sensors", "servers", "wheel", "owner"].includes(kind);

// What is pointed at: the shortest span there.
/** @type {(spans: Span[], seconds: number, reach: number, faults: boolean) => Span | undefined} */
export const spanAt = (spans, seconds, reach, faults) => spans
  .filter(([from, until, kind]) => isFault(kind) === faults && from - reach <= seconds && seconds <= until + reach)
  .sort((a, b) => (a[1] - a[0]) - (b[1] - b[0]))[0];

// Hours, or what suits a shorter life.
/** @type {(length: number, width: number) => number} */
export const tickStep = (length, width) => {
  const least = (length * 90) / Math.max(1, width);
  return [60, 300, 600, 1800, 3600, 7200, 21600, 86400, 172800, 604800, 2592000].find((step) => step >= least) || 31536000;
};

const metresPerDegree = 111195;

// Metres east and north of a first place.
/** @type {(from: [number, number], to: [number, number]) => [number, number]} */
export const plane = ([lat, lon], [toLat, toLon]) => {
  const across = ((((toLon - lon + 180) % 360) + 360) % 360) - 180;
  return [across * Math.cos((lat * Math.PI) / 180) * metresPerDegree, (toLat - lat) * metresPerDegree];
};
