// Asks the tracker once a second while somebody looks, and shows what it tells.

import { at, body, put, show } from "./dom.js";
import { timeOfDay } from "./numbers.js";
import { extend, keepBounded, known } from "./known.js";
import { readPalette } from "./canvas.js";
import { showAlert, showOutbox, showPhase, showPosition } from "./status.js";
import { ask as askTracker, mayAsk, prepareAsking, showAsking } from "./asking.js";
import { prepareRules, showRules } from "./rules.js";
import { showGear, showPet, showRides } from "./rides.js";
import { showDevices, showMachine } from "./devices.js";
import { forgetHappenings, showDialogue, showHappenings, showRequests } from "./happenings.js";
import { drawCurves } from "./curves.js";
import { drawMap, showLegend } from "./map.js";

const ask = async (path) => {
  const answer = await fetch(path, { cache: "no-store", signal: /** @type {any} */ (AbortSignal).timeout(8000) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return answer.json();
};
const forget = () => {
  Object.assign(known, { after: 0, dialogueAfter: 0, track: [], curve: [], happenings: [], lines: [] });
  forgetHappenings();
};
// Fences are asked for again when they are others.
const fencesOf = (status) => (status.rules
  ? status.rules.fences.map((fence) => [fence.number, fence.name, fence.rings, fence.widthMetres, fence.isActive]) : []);
let fencesText = "";
let polls = 0, failures = 0, answered = null, timer = 0, isAsking = false;
const poll = async () => {
  const status = await ask("status.json");
  // Another process counts anew.
  if (known.status && known.status.process.id !== status.process.id) forget();
  let history = await ask(`history.json?after=${known.after}`);
  if (history.newest < known.after) {
    forget();
    history = await ask("history.json?after=0");
  }
  let dialogue = await ask(`dialogue.json?after=${known.dialogueAfter}`);
  if (dialogue.newest < known.dialogueAfter) {
    Object.assign(known, { dialogueAfter: 0, lines: [] });
    showDialogue();
    dialogue = await ask("dialogue.json?after=0");
  }
  if (polls % 30 === 0 || fencesText !== JSON.stringify(fencesOf(status))) known.fences = (await ask("fences.json")).features || [];
  fencesText = JSON.stringify(fencesOf(status));
  Object.assign(known, { status, now: history.now, received: performance.now(), after: history.newest,
    dialogueAfter: dialogue.newest });
  extend(known.track, history.track);
  extend(known.curve, history.curve);
  extend(known.happenings, history.happenings);
  extend(known.lines, dialogue.lines);
  keepBounded();
};
const showAll = () => {
  showPhase(known.status);
  showAlert(known.status);
  showAsking(known.status);
  showRules(known.status, mayAsk());
  showPosition(known.status);
  showRides(known.status);
  showGear(known.status);
  showPet(known.status);
  showOutbox(known.status);
  showDevices(known.status);
  showMachine(known.status);
  showLegend();
  drawMap();
  drawCurves();
  showHappenings();
  showRequests(known.status);
  showDialogue();
};
const showLink = (error) => {
  const banner = at("lost");
  if (failures === 0) {
    body.dataset.link = "live";
    show(banner, false);
    put(at("link"), known.status && known.status.utc ? `Live · ${timeOfDay(new Date(known.status.utc))}` : "Live");
    return;
  }
  // One answer that does not come is no news.
  if (failures < 2 && answered) return;
  body.dataset.link = "lost";
  put(at("link"), "No answer");
  show(banner, true);
  const why = error && /json: \d+ /.test(error.message) ? ` It said: ${error.message}` : "";
  put(banner, answered
    ? `The tracker has not answered since ${answered.toLocaleTimeString()}; the values below are from then. Trying again.${why}`
    : `The tracker does not answer. Trying again.${why}`);
};
export const turn = async () => {
  if (isAsking) return;
  isAsking = true;
  clearTimeout(timer);
  let error = null;
  try {
    await poll();
    polls += 1;
    failures = 0;
    answered = new Date();
  } catch (problem) {
    error = problem;
    failures += 1;
  }
  isAsking = false;
  // Again whatever happens to the drawing.
  timer = setTimeout(turn, document.hidden ? 15000 : Math.min(8000, 1000 * 2 ** Math.max(0, failures - 1)));
  showLink(error);
  if (!error) showAll();
  body.dataset.polls = String(polls);
  body.dataset.width = String(innerWidth);
  body.dataset.overflow = String(Math.max(0, document.documentElement.scrollWidth - innerWidth));
};
const redraw = () => {
  readPalette();
  if (!known.status) return;
  showLegend();
  drawMap();
  drawCurves();
};

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) turn();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("resize", redraw);
readPalette();
prepareAsking(turn);
prepareRules(askTracker);
turn();
