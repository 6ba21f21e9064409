// Noise_XXpsk3_25519_ChaChaPoly_BLAKE2s, the initiator's side only (noiseprotocol.org, revision 34).
import { dh, hash, hmac, keyPair, seal, unseal, utf8 } from "./crypto.js";

function derive(chaining, material, count) {
  const secret = hmac(chaining, material);
  const made = [Buffer.alloc(0)];
  for (let number = 1; number <= count; number++) made.push(hmac(secret, made.at(-1), Buffer.from([number])));
  return made.slice(1);
}

export class Initiator {
  constructor(prologue, ephemeral = keyPair("x25519"), fixed = keyPair("x25519")) {
    this.ephemeral = ephemeral;
    this.fixed = fixed;
    this.h = hash(utf8("Noise_XXpsk3_25519_ChaChaPoly_BLAKE2s"));
    this.ck = this.h;
    this.mixHash(prologue);
  }

  mixHash(data) {
    this.h = hash(this.h, data);
  }

  mixKey(material) {
    [this.ck, this.k] = derive(this.ck, material, 2);
    this.n = 0;
  }

  nonce() {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64LE(BigInt(this.n++), 4);
    return nonce;
  }

  encrypt(plain) {
    const sealed = seal(this.k, this.nonce(), plain, this.h);
    this.mixHash(sealed);
    return sealed;
  }

  decrypt(sealed) {
    const plain = unseal(this.k, this.nonce(), sealed, this.h);
    if (plain === null) throw new Error("A handshake message does not open.");
    this.mixHash(sealed);
    return plain;
  }

  /** Message 1: e. As in every handshake with a psk, e is mixed into the key, so the payload is encrypted. */
  write1(payload) {
    this.mixHash(this.ephemeral.public);
    this.mixKey(this.ephemeral.public);
    return Buffer.concat([this.ephemeral.public, this.encrypt(payload)]);
  }

  /** Message 2: e, ee, s, es; returns the payload, and `remote` is the responder's static key. */
  read2(message) {
    const ephemeral = message.subarray(0, 32);
    this.mixHash(ephemeral);
    this.mixKey(ephemeral);
    this.mixKey(dh(this.ephemeral, ephemeral));
    this.remote = this.decrypt(message.subarray(32, 80));
    this.mixKey(dh(this.ephemeral, this.remote));
    this.remoteEphemeral = ephemeral;
    return this.decrypt(message.subarray(80));
  }

  /** Message 3: s, se, psk. */
  write3(psk, payload) {
    const own = this.encrypt(this.fixed.public);
    this.mixKey(dh(this.fixed, this.remoteEphemeral));
    const [chaining, mixed, key] = derive(this.ck, psk, 3);
    this.ck = chaining;
    this.mixHash(mixed);
    this.k = key;
    this.n = 0;
    return Buffer.concat([own, this.encrypt(payload)]);
  }

  /** The two keys of the session: the first is ours for sending. */
  split() {
    return derive(this.ck, Buffer.alloc(0), 2);
  }
}
