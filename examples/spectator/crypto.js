// Cryptography of the wire: BLAKE2 with a personalisation, which Node lacks, and raw keys for what Node has.
import crypto from "node:crypto";

export const utf8 = (text) => Buffer.from(text, "utf8");

const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const COLUMNS = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const FRACTIONS = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];

/** RFC 7693 with words of 64 bits (BLAKE2b) or 32 (BLAKE2s); no key. */
function blake2(bits, data, size, person) {
  const bytes = bits / 8, block = 16 * bytes, wide = BigInt(bits);
  const cut = (value) => BigInt.asUintN(bits, value);
  const turn = (value, by) => cut((value >> by) | (value << (wide - by)));
  const [first, second, third, fourth] = bits === 64 ? [32n, 24n, 16n, 63n] : [16n, 12n, 8n, 7n];
  const word = (source, at) => {
    let value = 0n;
    for (let one = bytes - 1; one >= 0; one--) value = (value << 8n) | BigInt(source[at * bytes + one]);
    return value;
  };
  const start = FRACTIONS.map((one) => (bits === 64 ? one : one >> 32n));
  const parameters = Buffer.alloc(8 * bytes);
  parameters.set([size, 0, 1, 1]);
  parameters.set(utf8(person), 6 * bytes);
  const state = start.map((one, at) => one ^ word(parameters, at));
  const blocks = Math.max(1, Math.ceil(data.length / block));
  for (let number = 0; number < blocks; number++) {
    const last = number === blocks - 1;
    const part = Buffer.alloc(block);
    part.set(data.subarray(number * block, (number + 1) * block));
    const message = Array.from({ length: 16 }, (_, at) => word(part, at));
    const v = [...state, ...start];
    v[12] ^= cut(BigInt(last ? data.length : (number + 1) * block));
    if (last) v[14] = cut(~v[14]);
    for (let round = 0; round < (bits === 64 ? 12 : 10); round++) {
      const order = SIGMA[round % 10];
      COLUMNS.forEach(([a, b, c, d], at) => {
        v[a] = cut(v[a] + v[b] + message[order[2 * at]]);
        v[d] = turn(v[d] ^ v[a], first);
        v[c] = cut(v[c] + v[d]);
        v[b] = turn(v[b] ^ v[c], second);
        v[a] = cut(v[a] + v[b] + message[order[2 * at + 1]]);
        v[d] = turn(v[d] ^ v[a], third);
        v[c] = cut(v[c] + v[d]);
        v[b] = turn(v[b] ^ v[c], fourth);
      });
    }
    for (let at = 0; at < 8; at++) state[at] ^= v[at] ^ v[at + 8];
  }
  const out = Buffer.alloc(8 * bytes);
  state.forEach((value, at) => {
    for (let one = 0; one < bytes; one++) out[at * bytes + one] = Number((value >> BigInt(8 * one)) & 0xffn);
  });
  return out.subarray(0, size);
}

export const blake2b = (data, size, person) => blake2(64, data, size, person);
export const blake2s = (data, size, person) => blake2(32, data, size, person);
export const hash = (...parts) => crypto.createHash("blake2s256").update(Buffer.concat(parts)).digest();
export const hmac = (key, ...parts) => crypto.createHmac("blake2s256", key).update(Buffer.concat(parts)).digest();

const PRIVATE = { x25519: "302e020100300506032b656e04220420", ed25519: "302e020100300506032b657004220420" };
const PUBLIC = { x25519: "302a300506032b656e032100", ed25519: "302a300506032b6570032100" };

function privateKey(kind, raw) {
  const der = Buffer.concat([Buffer.from(PRIVATE[kind], "hex"), raw]);
  return crypto.createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

function publicKey(kind, raw) {
  const der = Buffer.concat([Buffer.from(PUBLIC[kind], "hex"), raw]);
  return crypto.createPublicKey({ key: der, format: "der", type: "spki" });
}

/** A new key pair: `{ key, public }`, the public one as 32 bytes. */
export function keyPair(kind, raw = crypto.randomBytes(32)) {
  const key = privateKey(kind, raw);
  return { key, public: crypto.createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32) };
}

export const dh = (pair, other) =>
  crypto.diffieHellman({ privateKey: pair.key, publicKey: publicKey("x25519", other) });

const statement = (context, message) => Buffer.concat([Buffer.from([context.length]), utf8(context), message]);
export const sign = (pair, context, message) => crypto.sign(null, statement(context, message), pair.key);
export const verify = (identity, context, message, signature) =>
  crypto.verify(null, statement(context, message), publicKey("ed25519", identity), signature);

export function seal(key, nonce, plain, associated) {
  const cipher = crypto.createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: 16 });
  cipher.setAAD(associated, { plaintextLength: plain.length });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The plaintext; null if the bytes are not authentic. */
export function unseal(key, nonce, sealed, associated) {
  if (sealed.length < 16) return null;
  const body = sealed.subarray(0, -16);
  const cipher = crypto.createDecipheriv("chacha20-poly1305", key, nonce, { authTagLength: 16 });
  cipher.setAAD(associated, { plaintextLength: body.length });
  cipher.setAuthTag(sealed.subarray(-16));
  try {
    return Buffer.concat([cipher.update(body), cipher.final()]);
  } catch {
    return null;
  }
}
