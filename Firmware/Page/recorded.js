// What a log says that the tracker did when it was written, against what it does in a replay: docs/recording-format.md, "Record".

import { count } from "../../Sources/StatusPage/Page/numbers.js";

const action = 0x08, output = 0x09, packetPort = 1;
const headLength = 16, checksumLength = 4;
const decoder = new TextDecoder();

// The lines of JSON of actions and packets, in the order of the log; it ends where a record is cut off.
/** @type {(log: Uint8Array) => string[]} */
export const recordedLines = (log) => {
  const lines = [];
  let place = headLength;
  // A number of seven bits a byte; only whole ones up to 2^31 matter here, of others only where they end.
  const number = () => {
    let value = 0, weight = 1;
    while (place < log.length) {
      const byte = log[place];
      place += 1;
      value += (byte & 0x7f) * weight;
      weight *= 128;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (place < log.length) {
    const type = log[place];
    place += 1;
    const length = number();
    const end = place + length;
    if (end + checksumLength > log.length) break;
    if (type === action || type === output) {
      number();
      const isPacket = type === output && log[place] === packetPort;
      if (type === action) lines.push(decoder.decode(log.subarray(place, end)));
      else if (isPacket) lines.push(decoder.decode(log.subarray(place + 1, end)));
    }
    place = end + checksumLength;
  }
  return lines;
};

// Whether both are the same, in words; a log of inputs alone has nothing to compare with.
/** @type {(recorded: string[], replayed: string) => { isSame: boolean, words: string }} */
export const comparison = (recorded, replayed) => {
  const lines = replayed.split("\n").filter((line) => line);
  if (!recorded.length) return { isSame: true, words: "the log has inputs only" };
  const differs = recorded.findIndex((line, index) => line !== lines[index]);
  if (differs < 0 && lines.length === recorded.length) {
    return { isSame: true, words: `the same ${count(lines.length, "line", "lines")}, byte for byte` };
  }
  if (differs < 0) return { isSame: false, words: `all of ${recorded.length}, and ${lines.length - recorded.length} more` };
  return { isSame: false, words: `not the same: line ${differs + 1} of ${recorded.length} is the first that differs` };
};
