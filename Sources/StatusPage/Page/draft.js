// A fence that is being drawn on the map, and the request that makes it.

const most = 8;
const decimals = (value) => String(Number(value.toFixed(7)));

// Without what would end the name in a request, and no longer than the tracker takes.
/** @type {(name: string) => string} */
export const cleanName = (name) => {
  let clean = "";
  for (const letter of name.replace(/["\p{Cc}]/gu, " ").trim()) {
    if (new TextEncoder().encode(clean + letter).length > 32) break;
    clean += letter;
  }
  return clean;
};

// The lowest number that none of these has.
/** @type {(rows: { number: number }[]) => number} */
export const freeNumber = (rows) => {
  let number = 1;
  while (rows.some((row) => row.number === number)) number += 1;
  return number;
};

// What makes it a fence; what is missing stands in `problem`.
/** @type {(number: number, name: string, corners: { lat: number, lon: number }[]) => { text: string, problem: string }} */
export const polygonRequest = (number, name, corners) => {
  const clean = cleanName(name);
  if (!clean) return { text: "", problem: "A fence needs a name" };
  if (corners.length < 3) return { text: "", problem: "Click three corners or more on the map" };
  if (corners.length > most) return { text: "", problem: `A fence has ${most} corners at most` };
  const places = corners.map(({ lat, lon }) => `${decimals(lat)},${decimals(lon)}`).join(" ");
  return { text: `fence ${number} set "${clean}" polygon ${places}`, problem: "" };
};

// A circle about where the tracker is.
/** @type {(number: number, name: string, radius: number) => { text: string, problem: string }} */
export const circleRequest = (number, name, radius) => {
  const clean = cleanName(name);
  if (!clean) return { text: "", problem: "A fence needs a name" };
  if (!(radius >= 1 && radius <= 1000000)) return { text: "", problem: "The radius is 1 to 1,000,000 m" };
  return { text: `fence ${number} set "${clean}" circle here ${Math.round(radius * 10) / 10}`, problem: "" };
};

// The corners that were clicked so far.
export const draft = {
  isDrawing: false,
  /** @type {{ lat: number, lon: number }[]} */
  corners: [],
  then: () => {},
  /** @type {(corner: { lat: number, lon: number }) => void} */
  add(corner) {
    if (!draft.isDrawing || draft.corners.length >= most) return;
    draft.corners.push(corner);
    draft.then();
  },
  begin() {
    Object.assign(draft, { isDrawing: true, corners: [] });
    draft.then();
  },
  end() {
    Object.assign(draft, { isDrawing: false, corners: [] });
    draft.then();
  },
};
