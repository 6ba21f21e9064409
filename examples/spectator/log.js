// The agreed log as a learner follows it: catch-up, entries, their chain and signatures, signed commits.
import crypto from "node:crypto";
import { EventEmitter } from "node:events";
import { decode } from "@msgpack/msgpack";
import { blake2b, sign, utf8, verify } from "./crypto.js";
import { bytes, pack } from "./session.js";

const NO_HASH = Buffer.alloc(32);
const CHUNK = 1024, AT_ONCE = 16;

/** A map of an application may have bytes as keys: they are read as hexadecimal digits. */
const KEYS = { mapKeyConverter: (key) => (key instanceof Uint8Array ? bytes(key).toString("hex") : key) };

/** Events: "snapshot" (its number and the application's state), "final" (an entry, in order), "member",
 *  "wrong" (a sentence: the log can't be believed). */
export class Log extends EventEmitter {
  constructor(session, identity) {
    super();
    Object.assign(this, { session, identity });
    this.birth = crypto.randomBytes(8);
    this.entries = [{ number: 0, chain: blake2b(session.table, 32, "tavolata genesis"), end: 0 }];
    this.final = 0;
    this.commits = 0;
    this.covered = 0;
    this.count = 0;
    this.waiting = [];
    this.signed = new Map(); // signed commits of numbers that are not here yet
    this.timer = setInterval(() => this.tick(), 1000);
    session.on("message", (message) => this.guarded(() => this.receive(decode(message))));
    this.tick();
  }

  end() {
    clearInterval(this.timer);
  }

  guarded(act) {
    try {
      act();
    } catch (error) {
      this.end();
      this.emit("wrong", error.message);
    }
  }

  get last() {
    return this.entries.at(-1);
  }

  tick() {
    if (this.session.timer === null) return this.end();
    if (!this.member) this.session.send([1, this.birth], false);
    for (const one of this.waiting) this.session.send([3, this.lineage, one.signed, one.signature]);
    if (this.fetch && Date.now() - this.fetch.asked > 900) this.ask();
  }

  /** Propose a body; again each second, until it is final. */
  propose(body) {
    const signed = pack([0, this.lineage, this.identity.public, ++this.count, pack(body)]);
    const one = { signed, signature: sign(this.identity, "tavolata entry 1", signed) };
    this.waiting.push(one);
    this.session.send([3, this.lineage, one.signed, one.signature]);
  }

  receive([tag, ...fields]) {
    if (tag === 6) this.onAppend(...fields);
    else if (tag === 8) this.onOffer(...fields);
    else if (tag === 10) this.onChunk(...fields);
    else if (tag === 19) this.onCommit(...fields.slice(1));
  }

  // -- entries --------------------------------------------------------------------------------------

  /** Read and check an entry that comes after the last one. */
  read(wire, previous) {
    const [term, number, signed, signature] = decode(wire);
    const [kind, lineage, author, count, body] = decode(signed);
    if (number !== previous.number + 1) throw new Error(`Entry ${number} came after entry ${previous.number}.`);
    if (!verify(bytes(author), "tavolata entry 1", bytes(signed), bytes(signature))) {
      throw new Error(`Entry ${number} was not signed by its author.`);
    }
    if (kind !== 0) {
      const [ownTerm, ownNumber] = decode(body);
      if (ownTerm !== term || ownNumber !== number) throw new Error(`Entry ${number} was made for another place.`);
    }
    const chain = blake2b(Buffer.concat([previous.chain, wire]), 32, "tavolata chain");
    const entry = { term, number, kind, lineage: bytes(lineage), author: bytes(author), count, body: bytes(body), chain };
    entry.signed = bytes(signed);
    entry.end = previous.end + 4 + wire.length;
    return entry;
  }

  finalise(number) {
    for (; this.final < Math.min(number, this.last.number); ) {
      const entry = this.entries[++this.final];
      this.waiting = this.waiting.filter((one) => !one.signed.equals(entry.signed));
      if (entry.kind === 2) this.members(decode(entry.body)[2]);
      this.emit("final", entry);
      const commit = this.signed.get(entry.number);
      if (commit) this.compare(entry.number, commit);
    }
  }

  members(members) {
    const here = members.some(([peer]) => bytes(peer).equals(this.identity.public));
    if (here && !this.member) {
      this.member = true;
      this.emit("member");
    }
  }

  // -- messages of the leader -----------------------------------------------------------------------

  answer(matches, number, beat) {
    const message = [7, this.lineage, this.term, this.birth, matches, number, beat, this.covered, 0, Buffer.alloc(0)];
    this.session.send(message, beat === 0);
  }

  onAppend(lineage, term, previousNumber, _previousTerm, previousHash, entries, final, _seen, beat) {
    Object.assign(this, { lineage: bytes(lineage), term });
    const previous = this.entries[previousNumber];
    if (!previous || !previous.chain.equals(bytes(previousHash))) return this.answer(false, this.final, beat);
    let before = previous;
    for (const wire of entries) {
      const entry = this.read(bytes(wire), before);
      const known = this.entries[entry.number];
      if (!known?.chain.equals(entry.chain)) {
        if (entry.number <= this.final) throw new Error(`Entry ${entry.number} was final, and is another one now.`);
        this.entries.length = entry.number;
        this.entries.push(entry);
      }
      before = entry;
    }
    this.finalise(Math.min(final, before.number));
    if (beat || entries.length) this.answer(true, before.number, beat);
  }

  onOffer(lineage, term, number, chain, end, snapshotNumber, snapshotSize, snapshotHash) {
    Object.assign(this, { lineage: bytes(lineage), term });
    if (number <= this.final) return this.answer(true, number, 0);
    this.entries.length = this.final + 1;
    this.goal = { number, chain: bytes(chain), end };
    if (snapshotNumber > this.final) {
      this.goal.hash = bytes(snapshotHash);
      this.start(snapshotNumber, 0, snapshotSize);
    } else this.start(0, this.last.end, end);
  }

  /** Fetch the bytes between two positions of a source: 0 is the log, another number a snapshot. */
  start(source, from, end) {
    this.fetch = { source, from, end, got: Buffer.alloc(0), early: new Map() };
    this.ask();
  }

  ask() {
    const fetch = this.fetch, positions = [];
    for (let at = fetch.from + fetch.got.length; at < fetch.end && positions.length < AT_ONCE; at += CHUNK) {
      if (!fetch.early.has(at)) positions.push(at);
    }
    fetch.asked = Date.now();
    fetch.open = new Set(positions);
    if (positions.length) this.session.send([9, this.lineage, fetch.source, positions]);
  }

  onChunk(_lineage, source, position, data) {
    const fetch = this.fetch;
    if (!fetch || source !== fetch.source || !fetch.open.delete(position)) return;
    fetch.early.set(position, bytes(data));
    for (let next; (next = fetch.early.get(fetch.from + fetch.got.length)); ) {
      fetch.early.delete(fetch.from + fetch.got.length);
      fetch.got = Buffer.concat([fetch.got, next]);
    }
    if (source) {
      if (fetch.got.length >= fetch.end) return this.install(fetch.got);
    } else {
      this.takeWhole(fetch);
      if (this.final >= this.goal.number) return this.arrive();
    }
    if (!fetch.open.size) this.ask();
  }

  /** Take a snapshot in place of the entries that it stands for. The leader alone vouches for the state in it. */
  install(whole) {
    if (!blake2b(whole, 32, "tavolata snap").equals(this.goal.hash)) throw new Error("The snapshot is not the one that was offered.");
    const [number, term, chain, , position, configuration, , , data] = decode(whole);
    this.entries.length = 0;
    this.entries[number] = { number, term, chain: bytes(chain), end: position };
    this.final = number;
    this.emit("snapshot", number, decode(data, KEYS));
    this.members(configuration);
    if (number < this.goal.number) this.start(0, position, this.goal.end);
    else this.arrive();
  }

  arrive() {
    const { number, chain } = this.goal;
    this.fetch = null;
    if (!this.entries[number].chain.equals(chain)) throw new Error("The log is not the one that was offered.");
    this.answer(true, number, 0);
  }

  /** Take the entries that are complete, each behind its length; what is fetched is final. */
  takeWhole(fetch) {
    while (fetch.got.length >= 4) {
      const size = fetch.got.readUInt32BE(0);
      if (fetch.got.length < 4 + size) return;
      this.entries.push(this.read(fetch.got.subarray(4, 4 + size), this.last));
      fetch.got = Buffer.from(fetch.got.subarray(4 + size));
      fetch.from = this.last.end;
      this.finalise(this.last.number);
    }
  }

  // -- signed commits -------------------------------------------------------------------------------

  onCommit(signed, signature) {
    const [, leader, , number, chain] = decode(bytes(signed));
    if (!verify(bytes(leader), "tavolata pledge 1", bytes(signed), bytes(signature))) throw new Error("A commit was not signed by its leader.");
    if (number > this.final) this.signed.set(number, bytes(chain));
    else this.compare(number, bytes(chain));
  }

  compare(number, chain) {
    this.signed.delete(number);
    if (!this.entries[number]) return; // a snapshot stands for it
    if (!this.entries[number].chain.equals(chain)) throw new Error(`The leader signed another log up to entry ${number} than it sent.`);
    this.commits++;
    this.covered = Math.max(this.covered, number);
  }
}
