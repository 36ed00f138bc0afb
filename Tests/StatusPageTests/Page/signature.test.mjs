import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import test from "node:test";
import { hmac, sha256 } from "../../../Sources/StatusPage/Page/sha256.js";
import { keyOf, numberOf, signed } from "../../../Sources/StatusPage/Page/signature.js";

const hexadecimal = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const utf8 = (text) => new TextEncoder().encode(text);

test("the published vectors of SHA-256 come out", () => {
  for (const [text, digest] of [
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
    ["a".repeat(1000000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ]) assert.equal(hexadecimal(sha256(utf8(text))), digest);
});

test("the published vectors of HMAC with SHA-256 come out", () => {
  assert.equal(hexadecimal(hmac(new Uint8Array(20).fill(0x0b), utf8("Hi There"))),
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  assert.equal(hexadecimal(hmac(utf8("Jefe"), utf8("what do ya want for nothing?"))),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  assert.equal(hexadecimal(hmac(new Uint8Array(20).fill(0xaa), new Uint8Array(50).fill(0xdd))),
    "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
});

test("digests and codes are those of another library, for every length around a block", () => {
  for (let length = 0; length <= 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 151 + length * 7) & 255);
    assert.equal(hexadecimal(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
    const key = bytes.slice(0, 64);
    assert.equal(hexadecimal(hmac(key, bytes)), createHmac("sha256", key).update(bytes).digest("hex"));
  }
});

// The same request stands in the tests of the tracker.
test("a request is signed as the tracker reads it", () => {
  const key = keyOf("correct horse battery staple");
  assert.equal(key, "c4bbcb1fbec99d65bf59d85c8cb62ee2db963f0fe106f483d9afa73bd4e39a8a");
  assert.equal(signed("#17 alerts off", key, "leash", 1764000000000), "#17 alerts off !1764000000000:21a2548b7a4f8934460d4ba6f36fca37");
});

test("a token of 64 hexadecimal digits is a key itself, and no other text is", () => {
  const digits = "000102030405060708090A0B0c0d0e0f101112131415161718191a1b1c1d1e1f";
  assert.equal(keyOf(digits), digits.toLowerCase());
  for (const token of [digits.slice(1), `${digits}0`, `${digits.slice(1)}g`, `${digits}\n`]) {
    assert.equal(keyOf(token), createHash("sha256").update(token).digest("hex"));
  }
  assert.equal(keyOf("schlüssel für mein rad"), createHash("sha256").update("schlüssel für mein rad").digest("hex"));
});

test("numbers are those that a request can have, and differ for eleven days", () => {
  for (const [counter, number] of [[0, 1], [999999998, 999999999], [999999999, 1], [1764000000000, 1765]]) {
    assert.equal(numberOf(counter), number);
  }
});
