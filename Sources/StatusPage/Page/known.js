// What the tracker has told, and when by this browser's clock.

/** @type {import("./types").Known} */
export const known = {
  status: null, received: 0, now: 0, after: 0, dialogueAfter: 0,
  track: [], curve: [], happenings: [], lines: [], fences: [],
};

// Seconds on the tracker's clock, as far as it can be told from here.
export const trackerNow = () => known.now + (performance.now() - known.received) / 1000;

// The time of day of an instant of the tracker's clock; null while it does not know the time.
export const dateOf = (t) => {
  const utc = known.status && known.status.utc ? Date.parse(known.status.utc) : NaN;
  return Number.isNaN(utc) ? null : new Date(utc + (t - known.now) * 1000);
};

// Adds entries, once each: an answer may come twice.
export const extend = (list, entries) => {
  let newest = list.length ? list[list.length - 1].n : 0;
  for (const entry of entries) {
    if (entry.n <= newest) continue;
    newest = entry.n;
    list.push(entry);
  }
};
export const keepBounded = () => {
  if (known.track.length > 8000) known.track = known.track.filter((_, place) => place % 2 === 0 || place > 6000);
  const oldest = known.now - 660;
  if (known.curve.length && known.curve[0].t < oldest - 60) known.curve = known.curve.filter((point) => point.t >= oldest);
  known.happenings = known.happenings.slice(-300);
  known.lines = known.lines.slice(-500);
};
