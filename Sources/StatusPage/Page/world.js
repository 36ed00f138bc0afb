// A simulated life: the world's truth beside what the tracker believes, with its time in your hand.

import { at, body, fillFacts, put, show } from "./dom.js";
import { fixed, metres, span } from "./numbers.js";
import { readPalette } from "./canvas.js";
import { drawTimeline, prepareTimeline } from "./worldtime.js";
import { drawWorld } from "./worldmap.js";
import { showEntries } from "./worldlist.js";
import { elapsed, plane } from "./worldwords.js";

/** @type {any} */
const life = { generation: 0, now: 0, end: 1, speed: 0, goal: null, entries: [], places: [], timeline: [], faults: [], thieves: [] };
let failures = 0, timer = 0, isAsking = false;
const most = 6000;

const choose = (place, names) => {
  if (place.children.length === names.length) return;
  place.replaceChildren(...names.map((name) => {
    const option = document.createElement("option");
    option.value = option.textContent = name;
    return option;
  }));
};
const takeNews = (news) => {
  if (news.generation !== life.generation) Object.assign(life, { entries: [], places: [], tracker: undefined });
  const { entries, places, ...rest } = news;
  life.entries.push(...entries);
  life.places.push(...places);
  for (const list of [life.entries, life.places]) if (list.length > most) list.splice(0, list.length - most);
  Object.assign(life, { tracker: undefined, truth: undefined }, rest);
};
const showTruth = () => {
  put(at("truth-deed"), life.deed || "stand");
  const going = life.timeline.filter(([from, until, kind]) => from <= life.now && life.now < until && kind !== life.deed);
  fillFacts(at("truth-facts"), [
    ["place", life.truth ? `${life.truth[0].toFixed(6)}, ${life.truth[1].toFixed(6)}` : "no receiver in this scene"],
    ["going on", going.length ? going.map(([, , kind, words]) => `${kind}: ${words}`).join("; ") : "nothing"],
  ]);
};
const showBelief = () => {
  const tracker = life.tracker;
  put(at("belief-phase"), tracker ? tracker.phase : "no power");
  const away = tracker && tracker.fix && life.truth ? Math.hypot(...plane(life.truth, tracker.fix)) : null;
  // Six times its stated accuracy is what the world's checker allows.
  at("belief").dataset.agrees = away !== null && away > 6 * (tracker.accuracy || 10) + 1 ? "no" : "yes";
  fillFacts(at("belief-facts"), tracker ? [
    ["armed", tracker.isArmed ? "yes" : "no"],
    ["last fix", tracker.fix ? `${metres(away || 0)} from the truth, ${span(tracker.age)} old` : "none"],
    ["odometer", metres(tracker.odometer)],
    ["last alert", tracker.alert ? String(tracker.alert) : "none"],
    ["packets that wait", String(tracker.waiting)],
  ] : []);
};
const showAll = () => {
  put(at("life"), `${life.name}, seed ${life.seed}`);
  const speed = life.goal !== null ? "on its way" : life.speed ? `${fixed(life.speed, 0)} ×` : "held";
  put(at("clock"), `${elapsed(life.now)} of ${elapsed(life.end)}, ${life.isOver ? "over" : speed}`);
  put(at("play"), life.speed ? "Hold" : "Play");
  choose(at("fault"), life.faults);
  choose(at("thief"), life.thieves);
  showTruth();
  showBelief();
  put(at("broken"), life.broken ? `${life.broken} times a promise was broken` : "no promise broken");
  at("broken").className = life.broken ? "tag warn" : "tag";
  showEntries(life.entries);
  drawTimeline(life);
  drawWorld(life);
};
const showLink = (error) => {
  show(at("lost"), failures > 1);
  body.dataset.link = failures ? "lost" : "live";
  put(at("link"), failures ? "No answer" : "Simulated");
  const why = error && /: \d+ /.test(error.message) ? ` It said: ${error.message}` : "";
  if (failures > 1) put(at("lost"), `The simulation does not answer. Trying again.${why}`);
};
const last = (list) => (list.length ? list[list.length - 1][0] : 0);
const turn = async () => {
  if (isAsking) return;
  isAsking = true;
  clearTimeout(timer);
  let error = null;
  try {
    const after = `${life.generation}.${last(life.entries)}.${last(life.places)}`;
    const answer = await fetch(`world.json?after=${after}`, { cache: "no-store", signal: /** @type {any} */ (AbortSignal).timeout(15000) });
    if (!answer.ok) throw new Error(`world.json: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
    takeNews(await answer.json());
    failures = 0;
  } catch (problem) {
    error = problem;
    failures += 1;
  }
  isAsking = false;
  timer = setTimeout(turn, document.hidden ? 5000 : failures ? 1000 : 200);
  showLink(error);
  if (!error) showAll();
  body.dataset.polls = String(Number(body.dataset.polls || 0) + 1);
  body.dataset.overflow = String(Math.max(0, document.documentElement.scrollWidth - innerWidth));
};
const refusals = {
  busy: "A thief can come only while the vehicle stands, and to one without a body of a family.",
  over: "This life is over: go back first.",
  unknown: "The simulation does not know that.",
};
const ask = async (text) => {
  try {
    const answer = await fetch("request", { method: "POST", headers: { "Leash-Request": "1" }, body: text });
    const told = await answer.json();
    put(at("hand-result"), told.refused ? refusals[told.refused] || told.refused : "Done.");
  } catch (problem) {
    put(at("hand-result"), `Not done: ${String(problem)}`);
  }
  turn();
};
const speed = () => at("speed").value;

at("play").addEventListener("click", () => ask(life.speed ? "hold" : `play ${speed()}`));
at("speed").addEventListener("change", () => life.speed && ask(`play ${speed()}`));
at("step").addEventListener("click", () => ask("step"));
at("back").addEventListener("click", () => ask(`to ${Math.max(0, life.now - 60).toFixed(3)}`));
at("begin").addEventListener("click", () => ask("to 0"));
at("drop").addEventListener("click", () => ask(`fault ${at("fault").value}`));
at("send").addEventListener("click", () => ask(`thief ${at("thief").value}`));
prepareTimeline(life, (seconds) => ask(`to ${seconds.toFixed(3)}`));
const redraw = () => {
  readPalette();
  showAll();
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("resize", redraw);
readPalette();
turn();
