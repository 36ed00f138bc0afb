// Sensors, uplinks, and the machine they run on.

import { at, fillFacts, fillList, make, put, show } from "./dom.js";
import { ago, bytes, count, fixed, grouped, isNumber, span, zone } from "./numbers.js";

const kindOf = (state) => ({ running: "good", open: "good", failed: "bad", opening: "busy" })[state] || "";
const makeDevice = () => make("li", "",
  make("div", "device-head", make("b"), make("span", "device-state")),
  make("div", "device-reason"), make("div", "device-more"), make("div", "device-more"));
const fillDevice = (row, device) => {
  row.className = kindOf(device.state);
  const [head, reason, numbers, facts] = row.children;
  put(head.children[0], device.name);
  const retry = isNumber(device.retryInSeconds) ? `, retry in ${fixed(Math.max(0, device.retryInSeconds), 0)} s` : "";
  put(head.children[1], device.state + retry);
  put(reason, device.reason || "");
  const parts = [];
  if (isNumber(device.hertz)) parts.push(`${fixed(device.hertz, device.hertz < 9.95 ? 1 : 0)} per second`);
  if (isNumber(device.inputs)) parts.push(count(device.inputs, "input", "inputs"));
  if (isNumber(device.lastInputSeconds)) parts.push(`last ${ago(device.lastInputSeconds)}`);
  if (device.failures) parts.push(count(device.failures, "failure", "failures"));
  put(numbers, parts.join(" · "));
  put(facts, (device.facts || []).map((fact) => `${fact.name} ${fact.value}`).join(" · "));
};
export const showDevices = (status) => {
  for (const kind of ["sensors", "uplinks"]) {
    show(at(`no-${kind}`), status[kind].length === 0);
    fillList(at(kind), status[kind], makeDevice, fillDevice);
  }
};
export const showMachine = (status) => {
  const { store, recording, process } = status;
  const share = process.uptimeSeconds > 0 ? ` (${fixed((100 * process.cpuSeconds) / process.uptimeSeconds, 1)} % of a core)` : "";
  const kept = [["File", store.path], ["Changes saved", grouped(store.commits)],
    ["Slowest", `${fixed(store.longestCommitMilliseconds, 1)} ms`]];
  if (store.failures) kept.push(["Not kept at once", grouped(store.failures), true]);
  if (store.unkept) kept.push(["Sent before saved", count(store.unkept, "packet", "packets"), true]);
  if (store.problem) kept.push(["Problem", store.problem, true]);
  if (store.remark) kept.push(["Remark", store.remark]);
  const recorded = [];
  if (recording) {
    recorded.push(["Folder", recording.folder]);
    if (recording.file) recorded.push(["File", recording.file]);
    recorded.push(["This run", bytes(recording.bytes)]);
    if (recording.removed) recorded.push(["Old files removed", grouped(recording.removed)]);
    if (recording.lost) recorded.push(["Records lost", grouped(recording.lost), true]);
    if (recording.problem) recorded.push(["Problem", recording.problem, true]);
  } else {
    recorded.push(["State", "off"]);
  }
  const groups = [
    ["Process", [["Running for", span(process.uptimeSeconds)], ["Processor", `${span(process.cpuSeconds)}${share}`],
      ["Memory", `${fixed(process.residentKibibytes / 1024, 1)} MiB`],
      ["Loop iterations", `${grouped(process.turns)}, longest ${fixed(process.longestTurnMilliseconds, 1)} ms`],
      ["Process number", String(process.id)]]],
    ["Store", kept], ["Recording", recorded],
    ["Counters", status.counters.length ? status.counters.map((fact) => [fact.name, fact.value])
      : [["Nothing", "was rejected"]]],
  ];
  fillList(at("machine"), groups, () => make("div", "", make("h3"), make("dl")), (group, [name, facts]) => {
    put(group.children[0], name);
    fillFacts(group.children[1], facts);
  });
  put(at("footer"), `Leash ${status.version} · times in ${zone()}${status.utc ? "" : "; no time from a receiver yet"}`);
};
