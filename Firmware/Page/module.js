// Runs the tracker's module: what WASI gives it are the bytes of a log, and three files for what it writes.
// Source: WASI preview 1, wasi_snapshot_preview1.witx.

const badFile = 8;
const moduleName = "wasi_snapshot_preview1";

// How a module ends itself.
class Exit extends Error {
  /** @param {number} code */
  constructor(code) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

// Bytes that come piece by piece.
class Output {
  constructor() {
    /** @type {Uint8Array[]} */
    this.pieces = [];
    this.length = 0;
  }

  /** @param {Uint8Array} piece */
  append(piece) {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  get bytes() {
    const all = new Uint8Array(this.length);
    let place = 0;
    for (const piece of this.pieces) {
      all.set(piece, place);
      place += piece.length;
    }
    return all;
  }
}

// Runs it once, to its end.
/** @type {(module: WebAssembly.Module, log: Uint8Array, words?: string[]) => import("./types").Run} */
export const runModule = (module, log, words = []) => {
  const files = [new Output(), new Output(), new Output()];
  let place = 0;
  const view = () => new DataView(memory.buffer);
  // The pieces that a call names: where each begins and how long it is.
  const pieces = (start, count) => Array.from({ length: count }, (_, index) => {
    const at = start + 8 * index;
    return { start: view().getUint32(at, true), length: view().getUint32(at + 4, true) };
  });
  const system = {
    args_sizes_get: (count, bytes) => {
      view().setUint32(count, 1 + words.length, true);
      view().setUint32(bytes, words.reduce((sum, word) => sum + word.length + 1, 1), true);
      return 0;
    },
    fd_read: (file, start, count, done) => {
      if (file !== 0) return badFile;
      const before = place;
      for (const piece of pieces(start, count)) {
        const part = log.subarray(place, place + piece.length);
        new Uint8Array(memory.buffer).set(part, piece.start);
        place += part.length;
      }
      view().setUint32(done, place - before, true);
      return 0;
    },
    fd_write: (file, start, count, done) => {
      if (file < 1 || file > files.length) return badFile;
      let written = 0;
      for (const piece of pieces(start, count)) {
        files[file - 1].append(new Uint8Array(memory.buffer.slice(piece.start, piece.start + piece.length)));
        written += piece.length;
      }
      view().setUint32(done, written, true);
      return 0;
    },
    proc_exit: (code) => {
      throw new Exit(code);
    },
  };
  const { exports } = new WebAssembly.Instance(module, { [moduleName]: system });
  const memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  let code = 0;
  try {
    /** @type {() => void} */ (exports._start)();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    code = error.code;
  }
  const [output, report, course] = files.map((file) => file.bytes);
  return { code, output, report, course };
};
