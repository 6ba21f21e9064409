// CPace over a code, the caller's side (draft-irtf-cfrg-cpace-21, suite CPACE-X25519-SHA512).
import crypto from "node:crypto";
import { blake2s, dh, keyPair, utf8 } from "./crypto.js";

const P = 2n ** 255n - 19n, A = 486662n, BLOCK = 128;

const sha512 = (data) => crypto.createHash("sha512").update(data).digest();

/** Each part behind its length in LEB128. */
const lvCat = (...parts) => Buffer.concat(parts.flatMap((part) => [Buffer.from(leb128(part.length)), part]));

const leb128 = (size) => (size < 128 ? [size] : [(size & 127) | 128, ...leb128(size >> 7)]);

function power(base, exponent) {
  let result = 1n;
  for (base %= P; exponent; exponent >>= 1n, base = (base * base) % P) if (exponent & 1n) result = (result * base) % P;
  return result;
}

/** Elligator 2 for Curve25519 (RFC 9380, section 6.7.1), the u coordinate alone. */
function elligator2(uniform) {
  const field = BigInt(`0x${Buffer.from(uniform).reverse().toString("hex")}`) & (2n ** 255n - 1n);
  const first = (P - A) * power(1n + 2n * field * field, P - 2n);
  const square = (first ** 3n + A * first * first + first) % P;
  const u = (power(square, (P - 1n) / 2n) === P - 1n ? -first - A : first) % P;
  return Buffer.from(((u + P) % P).toString(16).padStart(64, "0"), "hex").reverse();
}

export function generator(code, channel, sid) {
  const dsi = utf8("CPace255");
  const padding = Buffer.alloc(Math.max(0, BLOCK - 1 - lvCat(code).length - lvCat(dsi).length));
  return elligator2(sha512(lvCat(dsi, code, padding, channel, sid)).subarray(0, 32));
}

/** One run: `point` is sent to the host, whose point and the two ephemeral keys then make the handshake's key. */
export class Share {
  constructor(code, sid, scalar = crypto.randomBytes(32)) {
    this.sid = sid;
    this.scalar = keyPair("x25519", scalar);
    this.point = dh(this.scalar, generator(utf8(code), utf8("tavolata 1"), sid));
  }

  psk(point, ownEphemeral, theirEphemeral) {
    const secret = dh(this.scalar, point); // Node refuses points of small order
    const transcript = Buffer.concat([lvCat(this.point, ownEphemeral), lvCat(point, theirEphemeral)]);
    const isk = sha512(Buffer.concat([lvCat(utf8("CPace255_ISK"), this.sid, secret), transcript]));
    return blake2s(isk, 32, "tv-code");
  }
}
