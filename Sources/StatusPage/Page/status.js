// Phase, last alert, position and outbox.

import { at, fillFacts, fillList, make, put, show } from "./dom.js";
import { ago, compass, count, degrees, fixed, grouped, isNumber, metres, moment, span } from "./numbers.js";
import { dateOf, known } from "./known.js";
import { alertWords, meanings, packetName } from "./words.js";

// How long ago and when, as far as the tracker knows the time.
const told = (seconds) => {
  const date = dateOf(known.now - seconds);
  return date ? `${ago(seconds)} (${moment(date, dateOf(known.now))})` : ago(seconds);
};
const since = (seconds) => {
  const date = dateOf(known.now - seconds);
  return date ? `since ${moment(date, dateOf(known.now))}, for ${span(seconds)}` : `for ${span(seconds)}`;
};
export const showPhase = (status) => {
  at("phase-card").dataset.phase = status.phase;
  put(at("phase"), status.phase);
  put(at("phase-meaning"), meanings[status.phase] || "");
  const chip = (id, text, isOn) => {
    put(at(id), text);
    at(id).className = isOn ? "on" : "";
  };
  chip("armed", status.isArmed ? "Armed" : "Not armed", status.isArmed);
  chip("alerts", status.isDisabled ? "Disabled" : status.alertsEnabled ? "Alerts on" : "Alerts off", status.alertsEnabled);
  const told = status.alert?.outcome === "notice" ? "notice" : "alert";
  chip("last-alert", status.lastAlert ? `Last ${told}: no. ${status.lastAlert}` : "No alert so far", false);
  const evidence = status.movementEvidence;
  put(at("evidence-now"), isNumber(evidence) ? `${fixed(evidence, 2)} × threshold` : "unknown");
  at("evidence-bar").style.width = `${Math.min(100, Math.max(0, isNumber(evidence) ? evidence * 50 : 0))}%`;
  const isParked = ["parked", "suspicious", "alarmed", "stolen"].includes(status.phase);
  show(at("parked"), isParked);
  const parked = status.parkedSeconds;
  put(at("parked"), `Parked ${isNumber(parked) ? since(parked) : "since before the tracker started"}`);
  const tilt = status.tiltSinceParkingDegrees;
  show(at("tilt"), isNumber(tilt));
  if (isNumber(tilt)) put(at("tilt"), `Tilted by ${fixed(tilt, 1)}° since parking`);
  document.title = `${status.phase} · ${status.trackerID} · Leash`;
  put(at("tracker"), status.trackerID);
};
export const showAlert = (status) => {
  const { alert } = status;
  const isOpen = alert ? alert.outcome === "unanswered" : false;
  const words = alert ? alertWords(alert, told) : { outcome: "", done: "",
    what: status.lastAlert ? `Alert ${status.lastAlert} was before the tracker started` : "No alert so far" };
  at("alert-card").className = isOpen ? "card open" : "card";
  put(at("alert-outcome"), words.outcome);
  put(at("alert-words"), words.what);
  show(at("alert-done"), words.done !== "");
  put(at("alert-done"), words.done);
};
export const showPosition = (status) => {
  const place = status.position;
  const age = at("position-age");
  if (!place) {
    put(at("position"), "No position yet");
    put(age, "");
    fillFacts(at("position-facts"), []);
    return;
  }
  put(at("position"), `${degrees(place.latitudeDegrees, "N", "S")}, ${degrees(place.longitudeDegrees, "E", "W")}`);
  put(age, place.isStale ? `Stale: ${span(place.ageSeconds)} old` : `Fresh: ${ago(place.ageSeconds)}`);
  age.className = place.isStale ? "tag warn" : "tag";
  const facts = [];
  if (isNumber(place.accuracyMetres)) facts.push(["Accuracy", `± ${metres(place.accuracyMetres)} (68 %)`]);
  if (isNumber(place.speedMetresPerSecond)) {
    const speed = place.speedMetresPerSecond;
    facts.push(["Speed", `${fixed(speed * 3.6, 1)} km/h (${fixed(speed, 1)} m/s)`]);
  }
  if (isNumber(place.courseDegrees)) facts.push(["Course", `${fixed(place.courseDegrees, 0)}° ${compass(place.courseDegrees)}`]);
  if (isNumber(place.altitudeMetres)) facts.push(["Altitude", `${fixed(place.altitudeMetres, 0)} m above the sea`]);
  if (isNumber(place.satellites)) facts.push(["Satellites", String(place.satellites)]);
  fillFacts(at("position-facts"), facts);
};
export const showOutbox = (status) => {
  const outbox = status.outbox;
  // Alarms first.
  const isAlarm = (packet) => ["movement", "fence"].includes(packet.kind);
  const waiting = [...outbox.waiting.filter(isAlarm), ...outbox.waiting.filter((packet) => !isAlarm(packet))];
  put(at("outbox-count"), `${waiting.length} of ${outbox.capacity} places taken`);
  show(at("no-outbox"), waiting.length === 0);
  show(at("outbox"), waiting.length > 0);
  fillList(at("outbox-rows"), waiting, () => make("tr", "", make("td"), make("td"), make("td"), make("td")), (row, packet) => {
    row.className = isAlarm(packet) ? "alert" : "";
    put(row.children[0], String(packet.sequence));
    put(row.children[1], packetName(packet.kind));
    put(row.children[2], packet.attempts === 0 ? "not yet" : count(packet.attempts, "time", "times"));
    put(row.children[3], isNumber(packet.ageSeconds) ? span(packet.ageSeconds) : "before restart");
  });
  const parts = [`${grouped(outbox.acknowledged)} acknowledged`, count(outbox.retries, "retry", "retries")];
  if (outbox.spooled) parts.push(`${count(outbox.spooled, "report", "reports")} in the spool`);
  if (outbox.thinned) parts.push(`${count(outbox.thinned, "report", "reports")} thinned out`);
  if (outbox.evicted) parts.push(`${count(outbox.evicted, "report", "reports")} dropped`);
  if (outbox.refused) parts.push(`${count(outbox.refused, "packet", "packets")} refused`);
  put(at("outbox-totals"), parts.join(" · "));
};
