import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import test from "node:test";
import { runModule } from "../../../Firmware/Page/module.js";

// A module in C that reads pieces of three and of two bytes until there are none, writes all of them to file 1 and the second pieces to
// file 3, and ends with 10 × its words + their bytes; with 99 unless file 4 can't be written and file 1 can't be read.
const code = ("AGFzbQEAAAABFgRgAn9/AX9gBH9/f38Bf2ABfwBgAAACjwEEFndhc2lfc25hcHNob3RfcHJldmlldzEOYXJnc19zaXplc19nZXQAABZ3YXNpX3"
  + "NuYXBzaG90X3ByZXZpZXcxB2ZkX3JlYWQAARZ3YXNpX3NuYXBzaG90X3ByZXZpZXcxCGZkX3dyaXRlAAEWd2FzaV9zbmFwc2hvdF9wcmV2aWV3"
  + "MQlwcm9jX2V4aXQAAgMCAQMFAwEAAQYHAX8BQaAoCwcTAgZtZW1vcnkCAAZfc3RhcnQABAqiAgGfAgMBfwJ+An8jgICAgABBMGsiACSAgICAAC"
  + "AAQSxqIABBKGoQgICAgAAaQQApA4iIgIAAIQFBACkDgIiAgAAhAgJAA0AgACABNwMYIAAgAjcDEEEAIABBEGpBAiAAQSRqEIGAgIAADQEgACgC"
  + "JCIDRQ0BIAAgA0EDIANBA0kbIgQ2AhQgACADIARrNgIcQQEgAEEQakECIABBJGoQgoCAgAAaIAAgACkDGDcCCEEDIABBCGpBASAAQSRqEIKAgI"
  + "AAGgwACwsCQAJAQQRBAEEAIABBJGoQgoCAgABBCEcNAEEBQQBBACAAQSRqEIGAgIAAQQhGDQELQeMAEIOAgIAACyAAKAIsQQpsIAAoAihqEIOA"
  + "gIAAIABBMGokgICAgAALCxcBAEGACAsQEAQAAAMAAAATBAAAAgAAAA==");
const module = new WebAssembly.Module(Buffer.from(code, "base64"));
const run = (text, words) => runModule(module, new TextEncoder().encode(text), words);
const text = (bytes) => new TextDecoder().decode(bytes);

test("a module reads all of a log and nothing behind it, in the pieces that it wants", () => {
  for (const log of ["", "a", "abc", "abcd", "abcde", "abcdefghijklm"]) assert.equal(text(run(log).output), log);
});

test("each file has what was written to it", () => {
  const { output, report, course } = run("abcdefghij");
  assert.deepEqual([text(output), text(report), text(course)], ["abcdefghij", "", "deij"]);
});

test("the exit code and the words are those of the run, and a second run knows nothing of the first", () => {
  assert.equal(run("abc").code, 11);
  assert.equal(run("", ["arithmetic"]).code, 32);
  assert.equal(text(run("xyz").output), "xyz");
});

test("what goes wrong in a module is an error, and no end", () => {
  // (module (func (export "_start") unreachable) (memory (export "memory") 1))
  const bytes = "AGFzbQEAAAABBAFgAAADAgEABQMBAAEHEwIGX3N0YXJ0AAAGbWVtb3J5AgAKBQEDAAAL";
  assert.throws(() => runModule(new WebAssembly.Module(Buffer.from(bytes, "base64")), new Uint8Array()), WebAssembly.RuntimeError);
});
