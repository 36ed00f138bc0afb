// What rows were when their forms were opened, so that nobody replaces what somebody else has changed meanwhile without knowing it.

// What a form makes anew of a row; presence and the next ring are none of it.
const parts = {
  fence: ["name", "shape", "widthMetres", "rings"],
  place: ["name", "latitudeDegrees", "longitudeDegrees", "radiusMetres"],
  alarm: ["label", "rule", "isEnabled"],
};
/** @type {(table: string, number: number, rules: import("./types").Rules) => string} */
const printOf = (table, number, rules) => {
  /** @type {any} */
  const row = /** @type {any} */ (rules)[`${table}s`].find((one) => one.number === number);
  return row ? JSON.stringify(parts[table].map((part) => row[part])) : "";
};
const opened = new Map();

// A form is opened for a row, or for a number that has none yet.
/** @type {(table: string, number: number, rules: import("./types").Rules) => void} */
export const noteOpened = (table, number, rules) => {
  opened.set(`${table} ${number}`, printOf(table, number, rules));
};
// What speaks against a request of a form that is saved; nothing the second time, as its owner knows then.
/** @type {(text: string, rules: import("./types").Rules) => string} */
export const meanwhile = (text, rules) => {
  const [table, number] = text.split(" "), name = `${table} ${number}`;
  if (!opened.has(name)) return "";
  const now = printOf(table, Number(number), rules), before = opened.get(name);
  if (now === before) return "";
  opened.set(name, now);
  if (now === "") return `Somebody has deleted ${name} meanwhile. Save again to put it back`;
  return before === "" ? `Somebody has made another ${name} meanwhile. Save again to replace it, or cancel`
    : `Somebody has changed ${name} meanwhile. Save again to replace that, or cancel to see it`;
};
