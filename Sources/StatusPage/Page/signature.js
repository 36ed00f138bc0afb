// What stands behind a request so that the tracker obeys it: as `leash request` signs.

import { hmac, sha256 } from "./sha256.js";

const hexadecimal = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const utf8 = (text) => new TextEncoder().encode(text);

// The key that a token stands for, 64 hexadecimal digits: its own when it is that, as the owner's key is, else its SHA-256.
/** @type {(token: string) => string} */
export const keyOf = (token) => (/^[0-9a-f]{64}$/i.test(token) ? token.toLowerCase() : hexadecimal(sha256(utf8(token))));

// A request with its signature.
/** @type {(text: string, key: string, trackerID: string, counter: number) => string} */
export const signed = (text, key, trackerID, counter) => {
  const bytes = Uint8Array.from((key.match(/../g) || []).map((digits) => parseInt(digits, 16)));
  const counted = `${text} !${counter}`;
  return `${counted}:${hexadecimal(hmac(bytes, utf8(`${trackerID}\n${counted}`))).slice(0, 32)}`;
};

// A number from a counter: the tracker obeys a number once, and tells what became of it by that.
/** @type {(counter: number) => number} */
export const numberOf = (counter) => (counter % 999999999) + 1;
