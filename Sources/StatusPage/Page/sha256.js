// SHA-256 and HMAC. Browsers have their own on pages of HTTPS and of localhost only, and this page has to sign on others, too.
// Source: FIPS 180-4, RFC 2104.

const constants = Uint32Array.from((
  "428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe "
  + "9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 "
  + "c6e00bf3 d5a79147 06ca6351 14292967 27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b "
  + "c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 "
  + "748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2").split(" "), (word) => parseInt(word, 16));
const start = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const turned = (word, bits) => (word >>> bits) | (word << (32 - bits));

// The digest of bytes, 32 bytes.
/** @type {(bytes: Uint8Array) => Uint8Array} */
export const sha256 = (bytes) => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const hash = Uint32Array.from(start);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let place = 0; place < 16; place += 1) words[place] = view.getUint32(block + 4 * place);
    for (let place = 16; place < 64; place += 1) {
      const early = words[place - 15], late = words[place - 2];
      words[place] = words[place - 16] + words[place - 7] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3))
        + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let place = 0; place < 64; place += 1) {
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[place] + words[place];
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => {
      hash[place] += word;
    });
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, place) => digest.setUint32(4 * place, word));
  return new Uint8Array(digest.buffer);
};

// The code of bytes by a key of 64 bytes at most.
/** @type {(key: Uint8Array, bytes: Uint8Array) => Uint8Array} */
export const hmac = (key, bytes) => {
  const padded = (mask, rest) => {
    const whole = new Uint8Array(64 + rest.length).fill(mask, 0, 64);
    key.forEach((byte, place) => {
      whole[place] ^= byte;
    });
    whole.set(rest, 64);
    return whole;
  };
  return sha256(padded(0x5c, sha256(padded(0x36, bytes))));
};
