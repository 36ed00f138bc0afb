// Phases, packets and events in words.

import { count, fixed, isNumber, metres, span } from "./numbers.js";

export const phases = ["starting", "riding", "settling", "parked", "suspicious", "alarmed", "stolen"];
export const meanings = {
  starting: "Has not seen a fix or a movement yet",
  riding: "On the way",
  settling: "Stands; not parked yet",
  parked: "Stands where it was parked",
  suspicious: "Something moved; not confirmed yet",
  alarmed: "It is being moved",
  stolen: "It is stolen",
};
const packetNames = {
  location: "Location", parking: "Parking place", movement: "Movement alert", ride: "Ride", status: "Status",
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
const eventWords = {
  rideStarted: () => "Ride started",
  standing: (event) => (event.cause === "silence" ? "Stands: no fixes come any more" : "Stands"),
  resumed: () => "The ride goes on",
  travelledUnseen: (event) => `Travelled ${isNumber(event.distance) ? `${metres(event.distance)} ` : ""}without being seen`,
  parked: () => "Parked",
  armed: () => "Armed: movement raises an alert from now on",
  disarmed: () => "Disarmed",
  suspicious: (event) => `Suspicious${grounds(event)}`,
  calmed: () => "Calm again",
  movement: (event) => `Alarm${grounds(event)}`,
  stolen: () => "Stolen: until the owner answers",
  quiet: (event) => `Quiet again${isNumber(event.displacement) ? `, ${metres(event.displacement)} from where it was` : ""}`,
  fixAcquired: (event) => `Position found${isNumber(event.after) ? ` after ${span(event.after)}` : ""}`,
  fixLost: () => "Position lost",
  dismissed: (event) => `Alert ${event.alert} dismissed by the owner`,
  presence: (event) => `${event.near ? "Owner near" : "Owner away"}${event.token ? `, tag ${event.token}` : ""}`,
  pending: (event) => `Alert ${event.alert} held back: the owner is near`,
  withdrawn: (event) => `Alert ${event.alert} withdrawn: the owner's own doing`,
  liveTracking: () => "Live tracking",
  settingChanged: (event) => `Setting changed: ${event.setting} ${event.value}`,
  packetRefused: (event) => `Outbox full of alerts: ${packetName(event.packet)} refused`,
  restored: (event) => `Started again: ${event.phase}, ${count(event.packets, "packet waits", "packets wait")}`,
  stateDamaged: (event) => {
    const parts = [];
    if (event.sections.length) parts.push(`lost: ${event.sections.join(", ")}`);
    if (event.packets) parts.push(`${count(event.packets, "packet", "packets")} lost, of them ${count(event.alerts, "alert", "alerts")}`);
    if (event.setBack) parts.push("it is older than its mark");
    return `What was kept is damaged: ${parts.join("; ") || "nothing was lost"}`;
  },
};
export const isGrave = (event) => ["movement", "stolen", "packetRefused", "stateDamaged"].includes(event);
export const happeningWords = (happening) => {
  let content;
  try {
    content = JSON.parse(happening.json);
  } catch {
    return ["", happening.json];
  }
  if (happening.what === "packet") {
    const text = `Packet ${content.sequence}: ${packetName(content.type)}`;
    return [content.type === "movement" ? "alert" : "packet", text];
  }
  const words = Object.hasOwn(eventWords, content.event) ? eventWords[content.event](content) : String(content.event);
  return [isGrave(content.event) ? "alert" : "", words];
};
