// Takes a log that is dropped or chosen, replays it in the tracker's module, and shows what it did.

import { at, fillFacts, fillList, make, put, show } from "../../Sources/StatusPage/Page/dom.js";
import { bytes as size, count } from "../../Sources/StatusPage/Page/numbers.js";
import { sha256 } from "../../Sources/StatusPage/Page/sha256.js";
import { meanings } from "../../Sources/StatusPage/Page/words.js";
import { drawTimeline } from "./chart.js";
import { runModule } from "./module.js";
import { comparison, recordedLines } from "./recorded.js";
import { damageWords, elapsed, factsOf, readReport, readStory, rowsOf, troubleWords } from "./story.js";

// What the build puts into the page: module and example, packed by gzip, as text.
const built = at("built") ? JSON.parse(at("built").textContent) : null;
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
// Newer than the types that the check knows.
const Unpacking = /** @type {any} */ (window).DecompressionStream;
const unpack = async (packed) => {
  const stream = new Blob([packed]).stream().pipeThrough(new Unpacking("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
const isPacked = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** @type {WebAssembly.Module | null} */
let tracker = null;
/** @type {import("./types").Story | null} */
let story = null;
let view = { from: 0, to: 1 };
let saved = "";

const tell = (words, isMild = false) => {
  put(at("trouble"), words);
  at("trouble").classList.toggle("mild", isMild);
  show(at("trouble"), words !== "");
};
const cards = ["timeline-card", "events-card", "facts-card", "hash-card"];
const showCards = (areShown) => cards.forEach((card) => show(at(card), areShown));

const svg = "http://www.w3.org/2000/svg";
/** @type {(shape: import("./types").Shape) => SVGElement} */
const element = ([name, attributes, words]) => {
  const made = /** @type {SVGElement} */ (document.createElementNS(svg, name));
  for (const key of Object.keys(attributes)) made.setAttribute(key, String(attributes[key]));
  // A browser shows the title of a shape under the pointer.
  if (words && name !== "text" && name !== "title") made.append(element(["title", {}, words]));
  else if (words) made.textContent = words;
  return made;
};
const draw = () => {
  const width = at("chart").clientWidth;
  if (!story || !width) return;
  const { height, shapes } = drawTimeline(story, view, width);
  const frame = element(["svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img" }]);
  frame.setAttribute("aria-label", `Timeline: ${elapsed(view.from - story.start)} to ${elapsed(view.to - story.start)}, `
    + `${count(story.marks.length, "mark", "marks")} in all; the list below has each`);
  frame.append(...shapes.map(element));
  at("chart").replaceChildren(frame);
};
// Shows a stretch of the log, of at least some seconds and within it.
const look = (from, to) => {
  if (!story) return;
  const whole = Math.max(story.end - story.start, 1);
  const length = Math.min(Math.max(to - from, Math.min(10, whole)), whole);
  const begin = Math.min(Math.max((from + to - length) / 2, story.start), story.start + whole - length);
  view = { from: begin, to: begin + length };
  draw();
};
const shift = (share) => look(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
const stretch = (share) => {
  const middle = (view.from + view.to) / 2, half = ((view.to - view.from) / 2) * share;
  look(middle - half, middle + half);
};

const showRows = () => {
  if (!story) return;
  const { start } = story;
  const makeRow = () => make("li", "", make("button"), make("time"), make("span"));
  fillList(at("events"), rowsOf(story, at("all").checked), makeRow, (row, item) => {
    const [button, time, words] = row.children;
    put(button, elapsed(item.t - start));
    button.title = "Show it in the timeline";
    button.onclick = () => look(item.t - 45, item.t + 45);
    put(time, item.utc ? item.utc.slice(11, 19) : "");
    words.className = item.kind;
    put(words, item.words);
  });
};
// The colours of the phases that occur, and what they mean.
const showLegend = () => {
  if (!story) return;
  const phases = Object.keys(meanings).filter((phase) => story && story.phases.some((span) => span.phase === phase));
  at("legend").replaceChildren(...phases.map((phase) => {
    const colour = make("i");
    colour.dataset.phase = phase;
    const item = make("li", "", colour, phase);
    item.title = meanings[phase];
    return item;
  }));
};
const hexadecimal = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const showRun = (name, log, run) => {
  const text = new TextDecoder();
  const report = readReport(text.decode(run.report));
  const trouble = troubleWords(name, report);
  tell(trouble || damageWords(report), !trouble);
  showCards(!trouble);
  if (trouble) return false;
  story = readStory(text.decode(run.output), text.decode(run.course));
  put(at("file-name"), `${name}, ${size(log.length)}`);
  fillFacts(at("facts"), factsOf(story, report));
  const { isSame, words } = comparison(recordedLines(log), text.decode(run.output));
  fillFacts(at("hashes"), [["Output", report.outputHash], ["State", report.stateHash], ["SHA-256", hexadecimal(sha256(run.output))],
    ["As recorded", words, !isSame]]);
  put(at("command"), `leash replay --json ${/^[\w.+-]+$/.test(name) ? name : "LOG"} | sha256sum`);
  URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([run.output], { type: "application/jsonl" }));
  at("save").href = saved;
  at("save").download = `${name.replace(/(\.leash)?(\.gz)?$/, "")}.jsonl`;
  showRows();
  showLegend();
  look(story.start, story.end);
  return true;
};

// A turn of the browser, in which it paints.
const painted = () => new Promise((resolve) => setTimeout(resolve, 30));
const replay = async (name, read) => {
  if (!built) return;
  story = null;
  tell("");
  put(at("doing"), `Replaying ${name}…`);
  await painted();
  let isShown = false;
  try {
    if (!tracker) tracker = await WebAssembly.compile(await unpack(bytesOf(built.module)));
    let log = await read();
    if (isPacked(log)) {
      log = await unpack(log).catch(() => {
        throw new Error(`${name} can't be unpacked: it is packed by gzip, and damaged or cut off.`);
      });
    }
    isShown = showRun(name, log, runModule(tracker, log));
  } catch (error) {
    showCards(false);
    const { message } = /** @type {Error} */ (error);
    tell(error instanceof WebAssembly.RuntimeError ? `${name} made the tracker stop: ${message}` : message);
  }
  put(at("doing"), isShown ? `Replayed ${name}` : `${name} was not replayed`);
  document.body.dataset.done = isShown ? "shown" : "refused";
};
const replayFile = (file) => replay(file.name, async () => new Uint8Array(await file.arrayBuffer()));
const replayFiles = (files) => {
  if (files.length === 1) return replayFile(files[0]);
  if (files.length > 1) tell("One log at a time, please: the page replays a single file.");
  return null;
};
const replayExample = () => replay(built.exampleName, async () => bytesOf(built.example));

const prepare = () => {
  tell("");
  at("file").addEventListener("change", () => {
    replayFiles(at("file").files);
    at("file").value = "";
  });
  at("show-example").addEventListener("click", replayExample);
  at("all").addEventListener("change", showRows);
  at("earlier").addEventListener("click", () => shift(-0.5));
  at("later").addEventListener("click", () => shift(0.5));
  at("closer").addEventListener("click", () => stretch(0.5));
  at("wider").addEventListener("click", () => stretch(2));
  at("whole").addEventListener("click", () => story && look(story.start, story.end));
  addEventListener("resize", draw);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("over");
    if (event.dataTransfer) replayFiles(event.dataTransfer.files);
  });

  // A stretch is chosen by dragging over it.
  let begun = null;
  const timeAt = (event) => {
    const box = at("chart").getBoundingClientRect();
    const share = (event.clientX - box.left - 36) / (box.width - 46);
    return view.from + Math.min(Math.max(share, 0), 1) * (view.to - view.from);
  };
  /** @type {(event: PointerEvent) => import("./types").Shape} */
  const chosen = (event) => {
    const box = at("chart").getBoundingClientRect();
    const from = Math.min(begun.x, event.clientX) - box.left;
    return ["rect", { class: "chosen", x: from, y: 0, width: Math.abs(event.clientX - begun.x), height: box.height }];
  };
  at("chart").addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    begun = { t: timeAt(event), x: event.clientX, shape: null };
    at("chart").setPointerCapture(event.pointerId);
  });
  at("chart").addEventListener("pointermove", (event) => {
    if (!begun) return;
    if (begun.shape) begun.shape.remove();
    begun.shape = element(chosen(event));
    at("chart").firstElementChild.append(begun.shape);
  });
  at("chart").addEventListener("pointerup", (event) => {
    if (!begun) return;
    const from = begun.t, moved = Math.abs(event.clientX - begun.x), to = timeAt(event);
    begun = null;
    if (moved > 6) look(Math.min(from, to), Math.max(from, to));
    else draw();
  });
  at("chart").addEventListener("pointercancel", () => {
    begun = null;
    draw();
  });
  if (location.hash === "#example") replayExample();
};
if (built && !Unpacking) tell("This browser is too old: it can't unpack the tracker.");
else if (built) prepare();
