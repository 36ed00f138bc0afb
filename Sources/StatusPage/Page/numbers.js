// Numbers as people read them.

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
export const fixed = (value, digits) => {
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(text) !== 0 ? "−" : "") + text;
};
export const grouped = (value) => fixed(value, 0).replace(/\B(?=(\d{3})+$)/g, "\u202f");
export const count = (number, one, many) => `${grouped(number)} ${number === 1 ? one : many}`;
export const metres = (value) => (value < 9.95 ? `${fixed(value, 1)} m` : value < 9950 ? `${fixed(value, 0)} m`
  : value < 99500 ? `${fixed(value / 1000, 1)} km` : `${grouped(value / 1000)} km`);
export const bytes = (value) => (value < 1000 ? `${value} B` : value < 999500 ? `${fixed(value / 1000, 0)} kB`
  : value < 999.5e6 ? `${fixed(value / 1e6, 1)} MB` : `${fixed(value / 1e9, 2)} GB`);
export const span = (seconds) => {
  const s = Math.max(0, seconds);
  if (s < 9.95) return `${fixed(s, 1)} s`;
  if (s < 119.5) return `${fixed(s, 0)} s`;
  if (s < 5400) return `${Math.floor(s / 60)} min`;
  if (s < 172800) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} days`;
};
export const ago = (seconds) => (seconds < 1.5 ? "just now" : `${span(seconds)} ago`);
const digits = (value) => String(value).padStart(2, "0");
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
// Times are of the zone that the browser is in.
export const timeOfDay = (date) => [date.getHours(), date.getMinutes(), date.getSeconds()].map(digits).join(":");
export const moment = (date, now) => (date.toDateString() === now.toDateString() ? timeOfDay(date).slice(0, 5)
  : `${date.getDate()} ${months[date.getMonth()]} ${timeOfDay(date).slice(0, 5)}`);
export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "this browser";
export const degrees = (value, positive, negative) => `${Math.abs(value).toFixed(6)}° ${value < 0 ? negative : positive}`;
export const compass = (course) => ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Math.round(course / 45) % 8];
