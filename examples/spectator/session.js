// A call and a session over UDP: handshake, sealed packets, acknowledgements, messages in order.
import crypto from "node:crypto";
import dgram from "node:dgram";
import net from "node:net";
import { EventEmitter } from "node:events";
import { decode, encode } from "@msgpack/msgpack";
import { blake2b, blake2s, keyPair, seal, sign, unseal, utf8, verify } from "./crypto.js";
import { Share } from "./cpace.js";
import { Initiator } from "./noise.js";

const KIND = { HELLO: 0x10, RETRY: 0x20, INIT: 0x30, RESP: 0x40, FIN: 0x50, REFUSE: 0x60, SEALED: 0x70 };
const WIRE = 2;
const OFFERED = Buffer.from([1]); // the protocol versions that we speak, a byte each
const HELLO_SIZES = [1200, 1200, 1200, 960, 720, 512, 300, 512, 300];
const REKEY_AFTER = 3600_000;

const pack = (value) => Buffer.from(encode(value));
const bytes = (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

function header(kind, connection = 0, counter = 0n) {
  const head = Buffer.alloc(14);
  head[0] = kind;
  head[1] = WIRE;
  head.writeUInt32BE(connection, 2);
  head.writeBigUInt64BE(BigInt(counter), 6);
  return head;
}

/**
 * One session with the peer at an address. Events: "open" (what it says of itself and its table), "message"
 * (bytes), "close" (the reason as a number, and a referral or null), "fail" (a sentence).
 */
export class Session extends EventEmitter {
  constructor(host, port, identity, profile, code = null) {
    super();
    Object.assign(this, { host, port, identity, profile, code });
    this.socket = dgram.createSocket(net.isIPv6(host) ? "udp6" : "udp4");
    this.socket.on("message", (data) => this.take(data));
    this.socket.on("error", (error) => this.fail(error.message));
    this.nonce = crypto.randomBytes(8);
    this.connection = crypto.randomBytes(4).readUInt32BE() || 1;
    this.stage = "HELLO";
    this.tries = 0;
    this.queue = []; // reliable messages that are not acknowledged: { number, body, sent: [counters], at }
    this.nextNumber = 0;
    this.expected = 0; // the next reliable message to hand on
    this.early = new Map(); // messages that came before it
    this.parts = new Map();
    this.pieces = new Map();
    this.received = new Set();
    this.largest = -1;
    this.counter = 0;
    this.timer = setInterval(() => this.tick(), 250);
    this.repeat();
  }

  end() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    if (this.stage === "OPEN") this.sendFrames([[5, 0, null]]);
    this.socket.close();
  }

  fail(sentence) {
    if (this.timer === null) return;
    this.stage = "OVER";
    this.end();
    this.emit("fail", sentence);
  }

  put(datagram) {
    this.socket.send(datagram, this.port, this.host);
  }

  // -- the handshake --------------------------------------------------------------------------------

  repeat() {
    if (this.tries >= 9 * 2) return this.fail(`Nobody answers at ${this.host}:${this.port}.`);
    if (this.stage === "HELLO") {
      const size = HELLO_SIZES[Math.min(this.tries >> 1, 8)];
      const padding = Buffer.alloc(size - 14 - 15);
      this.datagram = Buffer.concat([header(KIND.HELLO, 0, this.nonce.readBigUInt64BE()), pack([1, this.nonce, padding])]);
    }
    this.tries++;
    this.put(this.datagram);
  }

  moveOn(stage, datagram) {
    Object.assign(this, { stage, datagram, tries: 0 });
    this.repeat();
  }

  take(data) {
    if (this.timer === null || data.length < 14) return;
    if (data[1] !== WIRE) {
      if (this.stage === "HELLO" && (data[0] & 0xf0) === KIND.RETRY) this.fail("That table speaks another wire version.");
      return;
    }
    try {
      const kind = data[0] & 0xfe;
      if (kind === KIND.RETRY && this.stage === "HELLO") this.onRetry(data);
      else if (kind === KIND.RESP && this.stage === "INIT") this.onResp(data);
      else if (kind === KIND.SEALED && (this.stage === "FIN" || this.stage === "OPEN")) this.onSealed(data);
      else if (kind === KIND.REFUSE && this.stage === "FIN") this.fail(this.code ? "The table refused the code." : "The table refused the key.");
    } catch (error) {
      if (this.stage === "OPEN") this.fail(`The table broke the protocol: ${error.message}`); // else perhaps forged
    }
  }

  onRetry(data) {
    const [tag, nonce, cookie, versions] = decode(data.subarray(14));
    if (tag !== 2 || !bytes(nonce).equals(this.nonce)) return;
    const chosen = Math.max(...versions);
    if (!OFFERED.includes(chosen)) return this.fail("That table speaks another version of the protocol.");
    const prologue = Buffer.concat([utf8("tavolata 1"), pack([this.nonce, this.connection, OFFERED, chosen])]);
    this.noise = new Initiator(prologue);
    if (this.code) this.share = new Share(this.code, Buffer.concat([this.nonce, bytes(cookie)]));
    const first = this.noise.write1(this.share?.point ?? Buffer.alloc(0));
    const init = pack([3, this.nonce, cookie, this.connection, OFFERED, chosen, first]);
    this.moveOn("INIT", Buffer.concat([header(KIND.INIT), init]));
  }

  onResp(data) {
    if (data.readUInt32BE(2) !== this.connection) return;
    const transcript = this.noise.h; // before message 2
    const [, message] = decode(data.subarray(14));
    const [tag, identity, signature, , profile, connection, table, isPrivate, point] = decode(this.noise.read2(bytes(message)));
    if (tag !== 8 || !verify(bytes(identity), "tavolata responder", Buffer.concat([this.noise.remote, transcript]), bytes(signature))) {
      return this.fail("Whoever answers does not own the identity that it shows.");
    }
    if (isPrivate && !this.share) return this.fail("That table is private: say --code, and give its code on standard input.");
    Object.assign(this, { peer: bytes(identity), table: bytes(table), theirs: connection });
    const own = sign(this.identity, "tavolata initiator", Buffer.concat([this.noise.fixed.public, this.noise.h]));
    const proof = pack([7, this.identity.public, own, crypto.randomBytes(8), this.profile]);
    const psk = isPrivate
      ? this.share.psk(bytes(point), this.noise.ephemeral.public, this.noise.remoteEphemeral)
      : blake2s(this.table, 32, "tv-table");
    const fin = pack([5, this.noise.write3(psk, proof)]);
    [this.sendKey, this.receiveKey] = this.noise.split();
    this.phase = { send: 0, receive: 0, since: Date.now() };
    this.moveOn("FIN", Buffer.concat([header(KIND.FIN, this.theirs), fin]));
    this.remoteProfile = decode(profile);
  }

  // -- sealed packets -------------------------------------------------------------------------------

  open(data) {
    const head = data.subarray(0, 14), nonce = head.subarray(2);
    const same = (data[0] & 1) === this.phase.receive;
    const key = same ? this.receiveKey : blake2b(this.receiveKey, 32, "tavolata-rekey");
    const plain = unseal(key, nonce, data.subarray(14), head);
    if (plain !== null && !same) {
      this.receiveKey = key;
      this.phase.receive ^= 1;
    }
    return plain;
  }

  onSealed(data) {
    if (data.readUInt32BE(2) !== this.connection) return;
    const counter = Number(data.readBigUInt64BE(6));
    if (this.received.has(counter) || counter <= this.largest - 1024) return;
    const plain = this.open(data);
    if (plain === null) return;
    this.received.add(counter);
    this.largest = Math.max(this.largest, counter);
    for (const one of this.received) if (one <= this.largest - 1024) this.received.delete(one);
    if (this.stage === "FIN") {
      this.stage = "OPEN";
      this.emit("open", this.remoteProfile);
    }
    this.heard = Date.now();
    let asks = false;
    for (const frame of decode(plain)) {
      this.onFrame(frame);
      asks ||= [1, 2, 4, 8, 9].includes(frame[0]);
    }
    if (asks && this.timer !== null) this.sendFrames([this.acknowledgement()]);
  }

  onFrame([tag, ...fields]) {
    if (tag === 0) this.onAck(fields);
    else if (tag === 1) this.onWhole(fields[0], bytes(fields[1]));
    else if (tag === 2) this.onPart(...fields);
    else if (tag === 3) this.emit("message", bytes(fields[0]));
    else if (tag === 5) {
      this.stage = "OVER";
      this.end();
      this.emit("close", fields[0], fields[1]);
    } else if (tag === 6) this.sendFrames([[7, fields[0]]]);
    else if (tag === 8) this.onCut(...fields);
  }

  /** Runs downwards from the largest counter: received, missing, received... */
  acknowledgement() {
    const runs = [];
    let at = this.largest, present = true;
    while (runs.length < 31 && at >= 0 && at > this.largest - 1024) {
      let length = 0;
      while (at - length >= 0 && at - length > this.largest - 1024 && this.received.has(at - length) === present) length++;
      runs.push(length);
      at -= length;
      present = !present;
    }
    if (runs.length % 2 === 0) runs.pop();
    return [0, this.largest, 0, runs];
  }

  onAck([largest, , runs]) {
    let at = largest;
    const arrived = new Set();
    runs.forEach((length, place) => {
      if (place % 2 === 0) for (let one = 0; one < Math.min(length, 4096); one++) arrived.add(at - one);
      at -= length;
    });
    this.queue = this.queue.filter((one) => !one.sent.some((counter) => arrived.has(counter)));
  }

  onWhole(number, body) {
    if (number < this.expected) return;
    this.early.set(number, body);
    while (this.early.has(this.expected)) {
      const next = this.early.get(this.expected);
      this.early.delete(this.expected++);
      this.emit("message", next);
    }
  }

  onPart(number, index, count, body) {
    if (number < this.expected || this.early.has(number)) return;
    const whole = collect(this.parts, number, index, count, bytes(body));
    if (whole) this.onWhole(number, whole);
  }

  onCut(number, index, count, body) {
    this.doneCuts ??= new Set();
    if (this.doneCuts.has(number)) return;
    const frame = collect(this.pieces, number, index, count, bytes(body));
    if (!frame) return;
    this.doneCuts.add(number);
    this.onFrame(decode(frame));
  }

  // -- sending --------------------------------------------------------------------------------------

  sendFrames(frames) {
    if (Date.now() - this.phase.since > REKEY_AFTER) {
      this.sendKey = blake2b(this.sendKey, 32, "tavolata-rekey");
      this.phase.send ^= 1;
      this.phase.since = Date.now();
    }
    const counter = this.counter++;
    const head = header(KIND.SEALED | this.phase.send, this.theirs, counter);
    this.put(Buffer.concat([head, seal(this.sendKey, head.subarray(2), pack(frames), head)]));
    return counter;
  }

  /** Send an array as a message: in order and once, or perhaps never. */
  send(message, reliable = true) {
    const body = pack(message);
    if (!reliable) return void this.sendFrames([[3, body]]);
    if (body.length > 1024) throw new Error("This spectator says nothing that long.");
    const one = { number: this.nextNumber++, body, sent: [] };
    this.queue.push(one);
    this.transmit(one);
  }

  transmit(one) {
    one.at = Date.now();
    one.sent.push(this.sendFrames([[1, one.number, one.body]]));
  }

  tick() {
    if (this.stage !== "OPEN") return this.repeat();
    const now = Date.now();
    for (const one of this.queue) if (now - one.at > 300) this.transmit(one);
    if (now - this.heard > 15_000) this.fail("Nothing is heard of the table any more.");
    else if (now - this.heard > 3000) this.sendFrames([[4]]);
  }
}

/** Collect one of `count` pieces; all of them together, or null. */
function collect(open, number, index, count, body) {
  const have = open.get(number) ?? new Map();
  open.set(number, have);
  have.set(index, body);
  if (have.size < count) return null;
  open.delete(number);
  return Buffer.concat(Array.from({ length: count }, (_, at) => have.get(at)));
}

export { bytes, keyPair, pack };
