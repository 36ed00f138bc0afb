// The time of a simulated life as a strip: deeds above, faults below, what was told between them.

import { at, put } from "./dom.js";
import { palette, surface } from "./canvas.js";
import { elapsed, isFault, isHarmless, spanAt, tickStep } from "./worldwords.js";

const canvas = at("timeline");
const edge = 10;

/** @type {(pen: CanvasRenderingContext2D, x: (t: number) => number, spans: import("./worldwords.js").Span[]) => void} */
const drawSpans = (pen, x, spans) => {
  for (const [from, until, kind, words] of spans) {
    const left = x(from), wide = Math.max(2, x(until) - left);
    pen.globalAlpha = isHarmless(words) ? 0.45 : 1;
    pen.fillStyle = isFault(kind) ? palette.suspicious : isHarmless(words) ? palette.soft : palette.link;
    pen.fillRect(left, isFault(kind) ? 58 : 8, wide, 18);
  }
  pen.globalAlpha = 1;
};

/** @type {(life: any) => void} */
export const drawTimeline = (life) => {
  const drawing = surface(canvas);
  if (!drawing) return;
  const { pen, width, height } = drawing;
  const x = (t) => edge + (Math.min(t, life.end) / Math.max(1, life.end)) * (width - 2 * edge);
  drawSpans(pen, x, life.timeline);
  pen.fillStyle = palette.alarmed;
  for (const [, t, kind, what] of life.entries) {
    if (kind === "packet" && what.type === "movement") pen.fillRect(x(t) - 1, 30, 2, 24);
    if (kind === "broken") pen.fillRect(x(t) - 2, 0, 4, height - 16);
  }
  pen.fillStyle = palette.soft;
  pen.textAlign = "center";
  const step = tickStep(life.end, width);
  for (let t = 0; t <= life.end; t += step) {
    pen.fillRect(Math.round(x(t)), height - 14, 1, 3);
    if (x(t) > 34 && x(t) < width - 34) pen.fillText(elapsed(t).replace(/:00$/, ""), x(t), height - 2);
  }
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(x(life.now), 0);
  pen.lineTo(x(life.now), height - 15);
  pen.stroke();
  canvas.setAttribute("aria-valuemax", String(Math.round(life.end)));
  canvas.setAttribute("aria-valuenow", String(Math.round(life.now)));
  canvas.setAttribute("aria-valuetext", elapsed(life.now));
};

/** @type {(life: any, go: (seconds: number) => void) => void} */
export const prepareTimeline = (life, go) => {
  const seconds = (event) => {
    const box = canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - edge) / Math.max(1, box.width - 2 * edge);
    return Math.min(life.end, Math.max(0, share * life.end));
  };
  canvas.addEventListener("click", (event) => go(seconds(event)));
  canvas.addEventListener("mousemove", (event) => {
    const t = seconds(event);
    const reach = (life.end * 3) / Math.max(1, canvas.clientWidth);
    const found = spanAt(life.timeline, t, reach, event.clientY - canvas.getBoundingClientRect().top > 46);
    put(at("pointed"), found ? `${elapsed(found[0])} ${found[2]}: ${found[3]}` : elapsed(t));
  });
  canvas.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 60, ArrowLeft: -60, PageUp: 3600, PageDown: -3600 }[event.key];
    if (!way) return;
    event.preventDefault();
    go(Math.min(life.end, Math.max(0, life.now + way)));
  });
};
