// Canvases in the screen's own pixels, in the colours of the style sheet.

import { phases } from "./words.js";

export const palette = {};
export const readPalette = () => {
  const style = getComputedStyle(document.documentElement);
  for (const name of [...phases, "ink", "soft", "line", "grid", "card", "bad", "link", "fence", "map"]) {
    palette[name] = style.getPropertyValue(`--${name}`).trim();
  }
};
export const colourOf = (phase) => palette[phases.includes(phase) ? phase : "starting"];

// Gives a canvas its size on the screen; null while it is not to be seen.
export const surface = (canvas) => {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width || !height) return null;
  const ratio = window.devicePixelRatio || 1;
  const w = Math.round(width * ratio), h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = "12px system-ui, sans-serif";
  pen.lineJoin = "round";
  pen.lineCap = "round";
  return { pen, width, height };
};

// 1, 2 or 5 times a power of ten, at least the value.
export const niceAbove = (value) => {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999) || 10 * power;
};

// Text with an edge in the ground's colour, to be read over lines.
export const label = (pen, text, x, y, colour, ground) => {
  pen.lineWidth = 4;
  pen.strokeStyle = ground;
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
};

// Where the middle of a text goes so that it is whole on the map and not behind the buttons in its corner; one of something that is out
// of sight stays there.
export const besideButtons = (pen, text, x, y, width) => {
  if (x < 0 || x > width) return x;
  const half = pen.measureText(text).width / 2 + 4, buttons = 56, lowest = 118;
  return Math.max(half + (y < lowest ? buttons : 0), Math.min(width - half, x));
};
