// Requests about fences, secure places and the time zone, made of what stands in a form. docs/rules.md has their grammar.

/** The most corners of a fence, those of its hole and the points of a corridor as well. */
export const mostCorners = 8;
const longestName = 32;
const leastWidth = 1, mostWidth = 1000000;

// Degrees with seven decimals, without zeros at the end and never with an exponent.
/** @type {(value: number) => string} */
export const decimals = (value) => {
  const text = value.toFixed(7).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
};
/** @type {(corner: import("./types").LatLon) => string} */
export const placeText = ({ lat, lon }) => `${decimals(lat)},${decimals(lon)}`;

// A place as people write it, `52.1, -4.5`; null when it is none.
/** @type {(text: string) => import("./types").LatLon | null} */
export const placeOf = (text) => {
  const parts = text.trim().match(/^([+-]?\d{1,2}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?$/);
  if (!parts) return null;
  const [lat, lon] = [Number(parts[1]), Number(parts[2])];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
};

// A number as people type it, with a comma or a point; NaN when it is none.
/** @type {(text: string) => number} */
export const metresOf = (text) => (/^\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(",", ".")) : NaN);

// What is wrong with a name; nothing when the tracker takes it.
/** @type {(name: string) => string} */
export const nameProblem = (name) => {
  const length = new TextEncoder().encode(name.trim()).length;
  if (length === 0) return "A name is required";
  if (/["\p{Cc}]/u.test(name.trim())) return "The name can't contain double quotes or line breaks";
  return length > longestName ? `Too long by ${length - longestName} of ${longestName} bytes; letters with accents take two or more` : "";
};

// What is wrong with a radius or a width.
/** @type {(text: string) => string} */
export const widthProblem = (text) => {
  const width = metresOf(text);
  return width >= leastWidth && width <= mostWidth ? "" : "Metres from 1 to 1,000,000";
};
const widthText = (text) => String(Math.round(metresOf(text) * 10) / 10);

// The lowest number that none of these has.
/** @type {(rows: { number: number }[]) => number} */
export const freeNumber = (rows) => {
  let number = 1;
  while (rows.some((row) => row.number === number)) number += 1;
  return number;
};

// What is missing of a shape's corners.
const cornersProblem = ({ kind, rings, isHere }) => {
  const count = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (count > mostCorners) return `A fence has ${mostCorners} corners at most, those of its hole as well`;
  if (kind === "circle") return isHere || count > 0 ? "" : "Tap the centre on the map, type it, or use the tracker's position";
  if (kind === "corridor") return count > 1 ? "" : "Two or more points are required";
  if (rings[0].length < 3) return "Three or more corners are required";
  return rings.every((ring) => ring.length > 2) ? "" : "The hole needs three or more corners; or fill it";
};
const made = (text, told) => {
  const problems = Object.fromEntries(Object.entries(told).filter(([, words]) => words));
  return { text: Object.keys(problems).length ? "" : text(), problems };
};

// What makes a fence of a shape, or what is wrong with it by field.
/** @type {(shape: import("./types").Outline) => import("./types").Made} */
export const fenceRequest = (shape) => {
  const { number, name, kind, width, rings, isHere } = shape;
  const problems = {
    name: nameProblem(name), width: kind === "polygon" ? "" : widthProblem(width), corners: cornersProblem(shape),
  };
  return made(() => {
    const start = `fence ${number} set "${name.trim()}" ${kind}`;
    const outline = rings.map((ring) => ring.map(placeText).join(" ")).join(" hole ");
    if (kind === "circle") return `${start} ${isHere ? "here" : outline} ${widthText(width)}`;
    return kind === "corridor" ? `${start} ${widthText(width)} ${outline}` : `${start} ${outline}`;
  }, problems);
};

// What makes a circle a secure place.
/** @type {(shape: import("./types").Outline) => import("./types").Made} */
export const placeRequest = (shape) => {
  const { number, name, width, rings, isHere } = shape;
  const problems = { name: nameProblem(name), width: widthProblem(width), corners: cornersProblem(shape) };
  return made(() => `place ${number} set "${name.trim()}" ${isHere ? "here" : placeText(rings[0][0])} ${widthText(width)}`, problems);
};

/** Common time zones: as POSIX writes them, and where they hold. */
export const commonZones = [
  ["UTC0", "UTC"],
  ["GMT0BST,M3.5.0/1,M10.5.0", "London, Dublin"],
  ["WET0WEST,M3.5.0/1,M10.5.0", "Lisbon"],
  ["CET-1CEST,M3.5.0,M10.5.0/3", "Amsterdam, Berlin, Madrid, Paris, Rome"],
  ["EET-2EEST,M3.5.0/3,M10.5.0/4", "Athens, Helsinki, Kyiv"],
  ["MSK-3", "Moscow"],
  ["<+03>-3", "Istanbul"],
  ["SAST-2", "Johannesburg"],
  ["IST-5:30", "India"],
  ["CST-8", "China"],
  ["JST-9", "Japan"],
  ["AEST-10AEDT,M10.1.0,M4.1.0/3", "Melbourne, Sydney"],
  ["NZST-12NZDT,M9.5.0,M4.1.0/3", "New Zealand"],
  ["<-03>3", "Buenos Aires, São Paulo"],
  ["EST5EDT,M3.2.0,M11.1.0", "New York, Toronto"],
  ["CST6CDT,M3.2.0,M11.1.0", "Chicago"],
  ["MST7MDT,M3.2.0,M11.1.0", "Denver"],
  ["PST8PDT,M3.2.0,M11.1.0", "Los Angeles, Vancouver"],
];
/** @type {(zone: string | undefined) => string} */
export const zoneWords = (zone) => {
  if (!zone) return "UTC";
  const common = commonZones.find(([text]) => text === zone);
  return common && common[1] !== "UTC" ? `${zone} (${common[1]})` : common ? "UTC" : zone;
};

// What sets the time zone.
/** @type {(zone: string) => import("./types").Made} */
export const zoneRequest = (zone) => {
  // What everybody calls it has no hours in POSIX.
  const text = /^utc$/i.test(zone.trim()) ? "UTC0" : zone.trim();
  // The tracker has the last word; this tells what is no zone at all.
  const isOne = /^(<[A-Za-z0-9+-]{3,16}>|[A-Za-z]{3,16})[+-]?\d/.test(text) && !/\s/.test(text) && text.length <= 48;
  const problem = isOne ? "" : "POSIX form, such as CET-1CEST,M3.5.0,M10.5.0/3; 48 letters at most";
  return made(() => `zone ${text}`, { zone: problem });
};
