// A second opinion on a match file, written from docs/fair-dealing-wire.md alone.
//
//   node verify.js FILE...          checks match files; exit 0, or 1 and each place that is wrong, or 2 if all is right
//                                   and the end of a file is missing
//   node verify.js --vectors FILE   makes the frozen vectors of fair dealing anew
//
// It knows no game. So it does not check which cards a shuffle began with, nor which cards shares for all are of. Of votes
// it knows who said them and when, and not whether a task was owed: it never finds a vote too many void.
import { createDecipheriv } from "node:crypto";
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { decode, encode } from "@msgpack/msgpack";
import { ed25519 } from "@noble/curves/ed25519.js";
import { blake2b } from "@noble/hashes/blake2.js";

const Point = ed25519.Point;
const L = Point.Fn.ORDER;
const P25519 = Point.Fp.ORDER;
const SUITE = text("ed25519 1");

class Wrong extends Error {}
const hold = (fact, place) => { if (!fact) throw new Wrong(place); };

// -- bytes and hashes ------------------------------------------------------------------------------

function text(string) { return new TextEncoder().encode(string); }
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const unhex = (string) => new Uint8Array(Buffer.from(string, "hex"));
const same = (one, other) => hex(one) === hex(other);
function join(...parts) { return new Uint8Array(Buffer.concat(parts)); }
function little(number, size) {
  const out = new Uint8Array(size);
  for (let left = BigInt(number), at = 0; at < size; at++, left >>= 8n) out[at] = Number(left & 255n);
  return out;
}
const numberOf = (bytes) => BigInt("0x" + hex(Uint8Array.from(bytes).reverse()));
const cut = (bytes, size = 32) => {
  const out = [];
  for (let at = 0; at < bytes.length; at += size) out.push(bytes.slice(at, at + size));
  return out;
};
const personal = (name) => join(text(name), new Uint8Array(16 - name.length));
const blake = (data, person, dkLen) => blake2b(data, { dkLen, personalization: personal(person) });

function frame(...fields) {
  return join(...fields.map(field).flatMap((one) => [little(one.length, 8), one]));
}
function field(one) {
  if (typeof one === "number" || typeof one === "bigint") return little(one, 8);
  return Array.isArray(one) ? frame(one.length, ...one) : one;
}
const H = (tag, ...fields) => blake(frame(text(tag), ...fields), "tavolata fair v1", 64);
const HS = (tag, ...fields) => numberOf(H(tag, ...fields)) % L;
const HG = (tag, ...fields) => {
  const digest = H(tag, ...fields);
  return uniform(digest.slice(0, 32)).add(uniform(digest.slice(32)));
};
const scalars = (count, tag, ...fields) => {
  const seed = H(tag, ...fields);
  return Array.from({ length: count }, (_, at) => HS("scalar of a stream", seed, at));
};
function* numbers(tag, ...fields) {
  const seed = H(tag, ...fields);
  for (let block = 0; ; block++) {
    for (const piece of cut(H("block of a stream", seed, block), 8)) yield numberOf(piece);
  }
}
function below(limit, stream) {
  const whole = (2n ** 64n / BigInt(limit)) * BigInt(limit);
  for (;;) {
    const drawn = stream.next().value;
    if (drawn < whole) return Number(drawn % BigInt(limit));
  }
}
function permutation(size, stream) {
  const order = Array.from({ length: size }, (_, at) => at);
  for (let last = size - 1; last > 0; last--) {
    const place = below(last + 1, stream);
    [order[last], order[place]] = [order[place], order[last]];
  }
  return order;
}

// -- the group -------------------------------------------------------------------------------------

const mod = (number) => ((number % P25519) + P25519) % P25519;
function power(base, exponent) {
  let out = 1n;
  for (base = mod(base); exponent > 0n; exponent >>= 1n, base = mod(base * base)) {
    if (exponent & 1n) out = mod(out * base);
  }
  return out;
}
const inverse = (number) => power(number, P25519 - 2n);

/** Elligator 2 as libsodium's crypto_core_ed25519_from_uniform does it, with the cofactor cleared. */
function uniform(bytes) {
  const A = 486662n;
  const r = mod(numberOf(bytes) & ((1n << 255n) - 1n));
  let x = mod(-A * inverse(1n + 2n * r * r));
  const square = power(mod(x * x * x + A * x * x + x), (P25519 - 1n) / 2n);
  if (square === P25519 - 1n) x = mod(-x - A);
  const y = little(mod((x - 1n) * inverse(x + 1n)), 32);
  y[31] |= bytes[31] & 128;
  return Point.fromBytes(y).multiplyUnsafe(8n);
}
function point(bytes, place) {
  let found;
  try {
    found = Point.fromBytes(bytes);
  } catch {
    throw new Wrong(`${place}: not a point`);
  }
  hold(!found.is0() && found.isTorsionFree(), `${place}: not a point of the group`);
  return found;
}
function scalar(bytes, place) {
  const number = numberOf(bytes);
  hold(number > 0n && number < L, `${place}: not a scalar`);
  return number;
}
const times = (factor, one) => {
  const reduced = ((factor % L) + L) % L;
  return reduced === 0n ? Point.ZERO : one.multiplyUnsafe(reduced);
};
const G = (factor) => times(factor, Point.BASE);
const sum = (points) => points.reduce((one, other) => one.add(other), Point.ZERO);
const raw = (one) => one.toBytes();
const hs = [];
function generators(size) {
  while (hs.length <= size) hs.push(HG("gen", SUITE, hs.length));
  return hs.slice(0, size + 1);
}

// -- contexts and proofs ---------------------------------------------------------------------------

const common = (c) =>
  frame(SUITE, c.match, c.lineage, c.epoch, c.transcript ?? new Uint8Array(0), text(c.object), c.number);
const whole = (c) => frame(common(c), c.party);

function knows(c, item, base, proof, place, ...statement) {
  const [x, s] = cut(proof).map((one) => scalar(one, place));
  const t = G(s).subtract(times(x, base));
  const found = HS("knowledge", whole(c), text(item), raw(base), raw(t), statement.length, ...statement);
  hold(found === x, `${place}: the proof of knowledge does not hold`);
}
function equal(c, item, key, bases, data, place) {
  hold(data.length === 32 * bases.length + 64, `${place}: wrong size`);
  const images = cut(data.slice(0, -64)).map((one) => point(one, place));
  const [x, s] = cut(data.slice(-64)).map((one) => scalar(one, place));
  const said = [whole(c), text(item), raw(key), bases.map(raw), images.map(raw)];
  const w = [1n, ...scalars(bases.length - 1, "equality weights", ...said)];
  const base = sum(bases.map((one, at) => times(w[at], one)));
  const image = sum(images.map((one, at) => times(w[at], one)));
  const t = [G(s).subtract(times(x, key)), times(s, base).subtract(times(x, image))];
  hold(HS("equality", ...said, ...t.map(raw)) === x, `${place}: the proof of equality does not hold`);
  return images;
}
function cardsOf(data, place) {
  return cut(data, 64).map((one) => cut(one).map((half) => point(half, place)));
}
function isShuffle(c, joint, before, after, proof, place) {
  const n = before.length;
  if (after.length !== n || proof.length !== 128 * n + 160) return false;
  const points = cut(proof.slice(0, 64 * n)).map((one) => point(one, place));
  const given = cut(proof.slice(64 * n)).map((one) => scalar(one, place));
  const [cs, chain, [x, s1, s2, s3, s4]] = [points.slice(0, n), points.slice(n), given];
  const [own, s] = [given.slice(5, 5 + n), given.slice(5 + n)];
  const h = generators(n);
  const said = [
    whole(c), raw(joint), h.map(raw), before.flat().map(raw), after.flat().map(raw),
  ];
  const u = scalars(n, "shuffle weights", ...said, cs.map(raw));
  const product = u.reduce((one, other) => (one * other) % L, 1n);
  const links = [h[0], ...chain];
  const weighed = (factors, all) => sum(all.map((one, at) => times(factors[at], one)));
  const half = (at, mask) =>
    weighed(s, after.map((one) => one[at])).subtract(times(s4, mask))
      .subtract(times(x, weighed(u, before.map((one) => one[at]))));
  const t = [
    G(s1).subtract(times(x, sum(cs).subtract(sum(h.slice(1))))),
    G(s2).subtract(times(x, links[n].subtract(times(product, h[0])))),
    G(s3).add(weighed(s, h.slice(1))).subtract(times(x, weighed(u, cs))),
    half(0, Point.BASE),
    half(1, joint),
  ];
  const steps = links.slice(1).map((link, at) =>
    G(own[at]).add(times(s[at], links[at])).subtract(times(x, link)));
  return HS("shuffle challenge", ...said, cs.map(raw), chain.map(raw), ...t.map(raw), steps.map(raw)) === x;
}
function combined(threshold, given) {
  const parties = [...given.keys()].sort((one, other) => one - other).slice(0, threshold);
  return sum(parties.map((party) => {
    let [above, under] = [1n, 1n];
    for (const other of parties.filter((one) => one !== party)) {
      above = (above * BigInt(other)) % L;
      under = (under * BigInt(other - party)) % L;
    }
    return times(above * Point.Fn.inv(((under % L) + L) % L), given.get(party));
  }));
}

// -- keys, boxes, seals ------------------------------------------------------------------------------

/** What a seed becomes when it is hashed so many times. */
const hashed = (c, seed, times) =>
  Array.from({ length: times }).reduce((one) => H("mixing seed", whole(c), one).slice(0, 32), seed);

const rosterOf = (ids, threshold, origin) => frame(ids.length, threshold, ids, origin);
const promised = (c, roster, data) => H("dealing", whole(c), roster, data).slice(0, 32);

function readDealing(c, roster, count, commitment, data, place) {
  hold(same(promised(c, roster, data), commitment), `${place}: not the dealing that was promised`);
  const [mailbox, ...coefficients] = cut(data.slice(0, -64)).map((one) => point(one, place));
  knows(c, "key", coefficients[0], data.slice(-64), place, roster, raw(mailbox), coefficients.map(raw));
  const shares = Array.from({ length: count }, (_, at) =>
    coefficients.reduceRight((value, one) => times(BigInt(at + 1), value).add(one), Point.ZERO));
  hold(!shares.some((one) => one.is0()), `${place}: a share of nothing`);
  return { mailbox, coefficients, shares };
}
function keysOf(base, ids, threshold, origin, commitments, dealings, place) {
  const roster = rosterOf(ids, threshold, origin);
  const read = dealings.map((data, at) =>
    readDealing({ ...base, party: at + 1 }, roster, ids.length, commitments[at], data, `${place}, ${at + 1}`));
  return {
    ...base, threshold, ids,
    joint: sum(read.map((one) => one.coefficients[0])),
    shares: ids.map((_, at) => sum(read.map((one) => one.shares[at]))),
    mailboxes: read.map((one) => one.mailbox),
    transcript: H("keys", common(base), roster, dealings),
  };
}
function checkBox(c, receiver, mailbox, data, place) {
  hold(data.length >= 112, `${place}: wrong size`);
  knows(c, "box", point(data.slice(0, 32), place), data.slice(32, 96), place,
        receiver, raw(mailbox), data.slice(96));
}
function openBox(c, receiver, mailbox, secret, data) {
  const K = point(data.slice(0, 32), "box");
  const key = H("box key", whole(c), receiver, raw(mailbox), raw(K), raw(times(secret, K))).slice(0, 32);
  const open = createDecipheriv("chacha20-poly1305", key, new Uint8Array(12), { authTagLength: 16 });
  open.setAuthTag(data.slice(-16));
  return join(open.update(data.slice(96, -16)), open.final());
}
function masked(c, joint, R, shared, data) {
  const key = H("seal key", whole(c), raw(joint), raw(R), raw(shared));
  const mask = join(...Array.from({ length: Math.ceil(data.length / 64) }, (_, at) => H("seal stream", key, at)));
  return data.map((one, at) => one ^ mask[at]);
}
function checkSeal(c, joint, data, place) {
  hold(data.length > 130, `${place}: wrong size`);
  const R = point(data.slice(0, 32), place);
  knows(c, "seal", R, data.slice(-64), place, raw(joint), data.slice(32, -64));
  return { R, box: data.slice(32, -64) };
}
function opened(c, joint, sealed, opening, place) {
  const length = Number(numberOf(opening.slice(0, 2)));
  const [value, nonce] = [opening.slice(2, 2 + length), opening.slice(-32)];
  hold(opening.length === sealed.box.length && length <= opening.length - 34, `${place}: wrong size`);
  hold(opening.slice(2 + length, -32).every((one) => one === 0), `${place}: wrongly filled`);
  const r = HS("seal exponent", whole(c), raw(joint), value, nonce);
  hold(G(r).equals(sealed.R), `${place}: the seal is another's`);
  const again = masked(c, joint, sealed.R, times(r, joint), opening);
  hold(same(again, sealed.box), `${place}: the seal holds something else`);
  return value;
}

// -- a match file ------------------------------------------------------------------------------------

const MAGIC = text("tavolata match 2\n");
const [HEADER, ENTRY, OUTCOME, BASE, LOG, SEEN, BOOK, JUDGED] = [0, 1, 5, 6, 7, 8, 9, 10];
/** What this program reads of a file: the rest follows from the rules, or can only be believed. */
const READ = [HEADER, ENTRY, BASE, LOG, SEEN, JUDGED];
const [START, PLAY, IN] = [6, 7, 23];
const [SEALED, OPENED, DEAL, UNDONE] = [5, 6, 11, 19];
const STEP = { HASH: 1, PART: 2, SHARES: 3, AGREED: 4, DECK: 6, PROOF: 7, SEED: 8, LOT: 10, CARDS: 11, FORCE: 13, SELF: 15, VOTE: 16,
               PROOFS: 17 };
/** By step, the kinds of its parts: number, bytes, list, truth value. Anything else is void, whoever says it. */
const SHAPES = { 1: "nb", 2: "nb", 3: "nl", 4: "nb", 6: "nnb", 7: "nnb", 8: "nnnb", 9: "nnlb", 10: "nnb", 11: "nl", 12: "bb",
                 13: "nnb", 14: "b", 15: "nn", 16: "nnntn", 17: "nnlb", 18: "n" };
const kindOf = (one) =>
  one instanceof Uint8Array ? "b" : Array.isArray(one) ? "l" : typeof one === "boolean" ? "t"
    : Number.isInteger(one) || typeof one === "bigint" ? "n" : "?";
const kindsOf = (parts) => parts.map(kindOf).join("");
const isStep = (entry) =>
  kindsOf(entry.slice(1, 4)) === "nbn" && entry[2].length === 40 && kindsOf(entry.slice(4)) === SHAPES[entry[3]];
const [OUT, BACK, LEFT] = [0, 1, 2];
const [AWAY, STALL, TIME, END] = [0, 1, 2, 3];
const LEAST = { [AWAY]: 15, [STALL]: 40, [TIME]: 0, [END]: 0 };
const ROOM = 222;
const DRAWS = 64;

function records(data) {
  hold(same(data.slice(0, MAGIC.length), MAGIC), "byte 0: no match file");
  const found = [];
  for (let at = MAGIC.length; at < data.length;) {
    const view = new DataView(data.buffer, data.byteOffset + at);
    hold(data.length >= at + 12 && crc32(data.slice(at, at + 8)) === view.getUint32(8, true), `byte ${at}: broken head`);
    const [size, check] = [view.getUint32(0, true), view.getUint32(4, true)];
    const body = data.slice(at + 12, at + 12 + size);
    hold(body.length === size && crc32(body) === check, `byte ${at}: broken record`);
    found.push(decode(body));
    at += 12 + size;
  }
  return found;
}

/** All parts of a list, the largest first. */
function subsets(list) {
  const found = Array.from({ length: 2 ** list.length }, (_, bits) => list.filter((_, at) => (bits >> at) & 1));
  return found.sort((one, other) => other.length - one.length);
}

/** Whether something can be done without finding anything wrong. */
function holds(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** What a peer said; an empty list if it is no list at all, which everybody passes over. */
function listOf(body) {
  try {
    const said = decode(body);
    return Array.isArray(said) ? said : [];
  } catch {
    return [];
  }
}

const taskNumber = (step, of, rest) => {
  const digest = blake2b(encode([step, of, rest]), { dkLen: 7, personalization: personal("tavolata task") });
  return numberOf(digest);
};

/**
 * What is decided about people. Where only the rules of the game tell whether something counts, it counts here: so
 * nothing that was decided lawfully is called wrong, and what too few have voted for is.
 */
class People {
  constructor(parties, header, absent, goesAway) {
    this.many = parties;
    this.header = header;
    this.all = Array.from({ length: parties }, (_, at) => at + 1);
    this.absence = new Map(this.all.map((one) => [one, 0]));
    this.gone = new Set(absent);
    this.atStart = parties - this.gone.size;
    this.out = new Set();
    this.decided = new Map(); // by party, what at least t have voted: away, or without part in the deal
    this.back = new Map(); // by party, how many keys were made when it was last back
    this.keys = 0;
    this.votes = new Map();
    this.counts = { votes: 0, void: 0, away: 0, out: 0, left: 0, back: 0 };
    this.goesAway = goesAway;
    this.refused = new Map(this.all.map((one) => [one, new Set()])); // the draws that it may have refused
  }

  /** How many votes it takes now. */
  get t() {
    const m = this.header.fixed ? this.atStart : this.many - this.gone.size;
    return Math.max(2, this.header.dealer === "strict" ? m : Math.ceil((2 * m) / 3));
  }

  say(party, word, absence) {
    const present = !this.out.has(party) && !this.decided.has(party);
    if (this.gone.has(party) || this.absence.get(party) !== absence) return;
    if (word === LEFT) {
      this.gone.add(party);
      this.counts.left += 1;
    } else if (word === OUT && !this.out.has(party)) {
      this.out.add(party);
      this.counts.out += 1;
      this.goesAway(party);
    } else if (word === BACK && !present) {
      this.absence.set(party, absence + 1);
      this.back.set(party, this.keys);
      for (const kept of [this.out, this.decided]) kept.delete(party);
      for (const [key, cast] of this.votes) if (cast.target === party && cast.kind !== TIME) this.votes.delete(key);
      this.counts.back += 1;
    }
  }

  vote(voter, [kind, target, about, yes, seconds]) {
    const known = this.all.includes(target);
    const key = `${kind} ${target} ${about}`;
    const motion = this.votes.get(key) ?? { kind, target, about, by: new Map() };
    if (!yes) {
      motion.by.delete(voter);
      return;
    }
    const fits =
      LEAST[kind] !== undefined && seconds >= LEAST[kind] && voter !== target &&
      !this.gone.has(voter) && !this.out.has(voter) && !this.gone.has(target) &&
      (known || ((kind === TIME || kind === END) && target === 0)) &&
      (kind !== AWAY || about === this.absence.get(target));
    this.counts[fits ? "votes" : "void"] += 1;
    if (!fits) return;
    motion.by.set(voter, seconds);
    this.votes.set(key, motion);
    if (known) this.decide(target);
  }

  /** AWAY and STALL about one party count together, by their authors. */
  decide(target) {
    const accusers = new Set();
    for (const { kind, target: one, by } of this.votes.values()) {
      if (one === target && (kind === AWAY || kind === STALL)) for (const voter of by.keys()) accusers.add(voter);
    }
    if (this.many - this.gone.size - 1 >= this.t && accusers.size >= this.t) {
      if (!this.decided.has(target)) this.counts.away += 1;
      this.decided.set(target, [...accusers]);
      this.goesAway(target);
    }
  }

  /** Whether a party is neither gone nor away, by its own word or by votes. */
  isHere(party) {
    return !this.gone.has(party) && !this.out.has(party) && !this.decided.has(party);
  }

  /**
   * Whether keys may be made without this party: it is away by its own word, by evidence or by t votes, or was so since
   * the keys before, or it may have refused two draws.
   */
  mayLeaveOut(party) {
    return !this.isHere(party) || this.back.get(party) === this.keys || this.refused.get(party).size > 1;
  }
}

class Match {
  constructor(file) {
    const all = records(file);
    const of = (kind) => all.filter((one) => one[0] === kind).map((one) => one[1]);
    [this.header] = of(HEADER);
    const [base] = of(BASE);
    hold(base, "the file has no beginning in a log");
    const isAtItsPlace = all[0][0] === HEADER && all[1][0] === BASE && of(HEADER).length + of(BASE).length === 2;
    hold(isAtItsPlace, "the file does not begin with a header and a head, once each");
    [this.head, this.table] = base;
    this.records = all;
    this.kinds = new Map();
    for (const [kind] of all) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.together = ["fair", "strict"].includes(this.header.dealer);
    hold(of(JUDGED).length === new Set(of(JUDGED).map(([key]) => hex(key))).size, "somebody is convicted twice");
    this.mailboxes = new Map();
    this.parcels = [];
    this.judged = new Map(of(JUDGED).map(([key, , entries]) => [hex(entries.at(-1) ?? []), { key, entries }]));
    this.all = new Set();
    this.counts = { entries: 0, keys: 0, boxes: 0, shuffles: 0, begun: 0, seeds: 0, lots: 0, seals: 0, opened: 0, agreed: 0, seen: 0 };
    this.makings = new Map();
    this.origins = new Map();
    this.keys = new Map();
    this.piles = new Map();
    this.seals = new Map();
    this.lots = new Map();
    this.chains = [];
    this.caught = new Map();
    this.unjudged = [];
  }

  verify() {
    let chain = this.head.slice(8);
    let number = numberOf(Uint8Array.from(this.head.slice(0, 8)).reverse());
    let term = 0;
    let said; // the entry of the match in the last entry of the log, until the file repeats it
    for (const [at, [kind, wire]] of this.records.entries()) {
      if (kind === ENTRY && this.together) {
        hold(said && same(encode(said), encode(wire)), `record ${at + 1}: not the entry that was signed`);
        said = undefined;
      }
      if (kind === SEEN) {
        const next = this.records[at + 1]?.[0];
        hold([undefined, ENTRY, OUTCOME, BOOK].includes(next), `record ${at + 1}: not before an entry`);
        this.seen(wire, `record ${at + 1}`);
      }
      if (kind === JUDGED) hold(this.all.has(hex(wire[2].at(-1) ?? [])), `record ${at + 1}: judged too early`);
      if (kind !== LOG) continue;
      number += 1n;
      chain = blake(join(chain, wire), "tavolata chain", 32);
      const [placedTerm, placedAt, signed, signature] = decode(wire);
      const [sort, lineage, author, , body] = decode(signed);
      this.place = `entry ${number} of the log`;
      hold(BigInt(placedAt) === number && placedTerm >= term, `${this.place}: not at its place`);
      term = placedTerm;
      const context = text("tavolata entry 1");
      const message = join(Uint8Array.of(context.length), context, signed);
      hold(ed25519.verify(signature, message, author), `${this.place}: not signed by its author`);
      this.counts.entries += 1;
      const list = sort === 0 ? listOf(body) : [];
      if (sort === 0) this.entry(lineage, author, list, chain);
      said = list[0] === PLAY ? list[2] : undefined;
    }
    const isEmpty = [...this.kinds.keys()].every((kind) => [HEADER, BASE, LOG].includes(kind));
    hold(this.id || isEmpty, "the match never begins");
    for (const { key, entries } of this.judged.values()) {
      hold(this.parties.some((one) => same(one, key)), "a conviction of somebody else");
      hold(entries.every((one) => this.all.has(hex(one))), "a conviction from an entry that is not there");
    }
    return this.counts;
  }

  entry(lineage, author, body, chain) {
    this.chains.push(chain);
    this.all.add(hex(chain));
    if (body[0] === START && !this.start) this.begin(lineage, body[1], chain);
    else if (body[0] === IN && this.start && !this.id) this.takePart(lineage, author, body, chain);
    else if (body[0] === PLAY && this.id && body[1] === this.header.id) {
      const judged = this.judged.get(hex(chain));
      const convicted = judged && this.parties.findIndex((one) => same(one, judged.key)) + 1;
      this.play(author, Array.isArray(body[2]) ? body[2] : [], convicted);
      if (convicted) this.people.gone.add(convicted);
    }
  }

  begin(lineage, header, chain) {
    this.start = { header, chain, lineage };
    const agreed = decode(header);
    const told = { ...this.header, id: "" };
    hold(same(encode(agreed), encode(told)), `${this.place}: the file names other terms than START`);
    this.parties = [...new Set(agreed.keys.map(hex))].map(unhex);
    // Who is not in a match that goes on from another one says no IN, and counts as gone.
    this.absent = new Set((agreed.before?.absent ?? []).map(([seat]) => this.owner(seat)));
    this.ins = new Map();
    this.headerHash = H("header", header).slice(0, 32);
  }

  takePart(lineage, author, [, named, nonce, mailbox], chain) {
    const party = this.parties.findIndex((one) => same(one, author)) + 1;
    if (!party || this.absent.has(party) || this.ins.has(party) || !same(named, this.headerHash) || !same(lineage, this.start.lineage)) return;
    const c = { match: new Uint8Array(0), lineage, epoch: 0, object: "mailbox", number: 0, party };
    knows(c, "mailbox", point(mailbox.slice(0, 32), this.place), mailbox.slice(32), this.place, named, nonce);
    this.ins.set(party, nonce);
    this.mailboxes.set(party, mailbox.slice(0, 32));
    if (this.ins.size < this.parties.length - this.absent.size) return;
    const said = [...this.ins.keys()].sort((one, other) => one - other)
      .map((one) => join(this.parties[one - 1], this.ins.get(one)));
    const id = H("match", this.table, this.start.chain, this.start.header, said).slice(0, 16);
    hold(hex(id) === this.header.id, `${this.place}: the file gives the match another id`);
    this.id = id;
    this.chains = [chain];
    this.people = new People(this.parties.length, this.header, this.absent, (party) => this.goesAway(party));
  }

  play(author, entry, convicted) {
    if (entry[0] === SEALED && kindsOf(entry.slice(1, 4)) === "nnb") this.seal(entry);
    else if (entry[0] === OPENED && kindsOf(entry.slice(1, 4)) === "nnb" && entry.length === 5) this.open(entry);
    else if (entry[0] === UNDONE && kindsOf(entry.slice(1)) === "nnt") this.undo(author, entry);
    else if (entry[0] === DEAL && isStep(entry) && same(this.parties[entry[1] - 1] ?? new Uint8Array(0), author)) {
      const [, party, , step, ...parts] = entry;
      if (this.people.gone.has(party)) return; // it deals no more
      try {
        this.step(party, step, parts);
      } catch (error) {
        if (error.fatal) throw error;
        if (convicted === party) this.caught.set(party, error.message); // all go on without this party
        else this.unjudged.push(`party ${party}, ${error.message}`);
      }
    }
  }

  step(party, step, parts) {
    if (step >= STEP.HASH && step <= STEP.AGREED) this.keyStep(party, step, ...parts);
    else if (step === STEP.DECK) this.deck(party, ...parts);
    else if (step === STEP.PROOF) this.proof(party, ...parts);
    else if (step === STEP.SEED) this.seed(party, ...parts);
    else if (step === STEP.LOT) this.lot(party, ...parts);
    else if (step === STEP.CARDS) this.parcels.push(...parts[1].map((one) => ({ sender: party, epoch: parts[0], parcel: one })));
    else if (step === STEP.PROOFS) this.proofs(party, ...parts);
    else if (step === STEP.FORCE) this.force(party, ...parts);
    else if (step === STEP.SELF) this.people.say(party, ...parts);
    else if (step === STEP.VOTE && !this.people.gone.has(party)) this.people.vote(party, parts);
  }

  context(keys, object, number, party) {
    return { match: this.id, lineage: this.start.lineage, epoch: keys.epoch, transcript: keys.transcript,
             object, number, party };
  }

  /** What is said for keys that nobody is making is void, and so this keeps all that was said, until T tells what counts. */
  keyStep(party, step, epoch, data) {
    if (!this.makings.has(epoch)) this.makings.set(epoch, { said: new Map(), agreed: new Map() });
    const { said, agreed } = this.makings.get(epoch);
    if (step !== STEP.AGREED) {
      const key = `${step} ${party}`;
      said.set(key, [...(said.get(key) ?? []), data]);
      return;
    }
    if (this.keys.has(epoch)) {
      hold(same(this.keys.get(epoch).transcript, data), `${this.place}: another transcript of the keys`);
      return;
    }
    hold(data.length === 64, `${this.place}: no transcript`);
    const found = this.dealt(epoch, said, party, data);
    hold(found, `${this.place}: nobody has made such keys`);
    hold(found.holders.length >= this.people.t, `${this.place}: keys of ${found.holders.length}`);
    agreed.set(party, { data, people: `${this.people.t} ${[...this.people.gone]}` });
    const all = found.holders.map((one) => agreed.get(one));
    if (!all.every((one) => one && same(one.data, data))) return;
    // Whoever goes while keys are made makes them begin anew.
    const now = `${this.people.t} ${[...this.people.gone]}`;
    hold(all.every((one) => one.people === now), `${this.place}: keys that were not finished in time`);
    try {
      this.finishKeys(epoch, found, said);
    } catch (error) {
      error.fatal = true; // honest parties agree to no such keys
      throw error;
    }
  }

  /** The holders, the origin, the commitments and the dealings that have this transcript; nothing if there are none. */
  dealt(epoch, said, author, transcript) {
    const of = (step, party) => said.get(`${step} ${party}`) ?? [];
    const able = this.people.all.filter((one) => of(STEP.HASH, one).length && of(STEP.PART, one).length);
    const base = { match: this.id, lineage: this.start.lineage, epoch, object: "keys", number: 0 };
    for (const holders of subsets(able).filter((one) => one.includes(author))) {
      const ids = holders.map((one) => this.parties[one - 1]);
      for (const part of of(STEP.PART, holders[0])) {
        const threshold = (part.length - 96) / 32;
        const fits = (origin, data, at) => {
          const promise = promised({ ...base, party: at + 1 }, rosterOf(ids, threshold, origin), data);
          return of(STEP.HASH, holders[at]).some((one) => same(one, promise));
        };
        if (!Number.isInteger(threshold)) continue;
        const origin = this.origin(`${epoch} ${holders} ${of(STEP.HASH, holders[0]).length}`, part, (one) => fits(one, part, 0));
        const dealings = origin && holders.map((one, at) => of(STEP.PART, one).find((data) => fits(origin, data, at)));
        if (!dealings || !dealings.every(Boolean)) continue;
        const roster = rosterOf(ids, threshold, origin);
        if (!same(H("keys", common(base), roster, dealings), transcript)) continue;
        const commitments = dealings.map((data, at) => promised({ ...base, party: at + 1 }, roster, data));
        return { base, holders, ids, threshold, origin, commitments, dealings };
      }
    }
    return undefined;
  }

  /** The latest entry that fits; what was looked at before is not looked at again. */
  origin(name, part, fits) {
    const key = `${name} ${hex(part)}`;
    const known = this.origins.get(key) ?? { to: 0, found: undefined };
    known.found = this.chains.slice(known.to).findLast(fits) ?? known.found;
    known.to = this.chains.length;
    this.origins.set(key, known);
    return known.found;
  }

  finishKeys(epoch, { base, holders, ids, threshold, origin, commitments, dealings }, said) {
    hold(!holders.some((one) => this.people.gone.has(one)), `${this.place}: who was caught or has left made keys`);
    hold(threshold === this.people.t && threshold <= holders.length,
         `${this.place}: ${threshold} of ${holders.length} is no threshold`);
    for (const party of this.people.all) {
      hold(holders.includes(party) || this.people.mayLeaveOut(party),
           `${this.place}: party ${party} was left out of the keys, and fewer than t have voted so`);
    }
    const made = keysOf(base, ids, threshold, origin, commitments, dealings, this.place);
    for (const [at, sender] of holders.entries()) {
      const c = { ...base, object: "key shares", party: at + 1 };
      const tried = (said.get(`${STEP.SHARES} ${sender}`) ?? []).map((sent) => () => {
        hold(sent.length === holders.length, `${this.place}: not a box for each`);
        for (const [to, box] of sent.entries()) {
          if (to !== at) checkBox(c, to + 1, made.mailboxes[to], box, `${this.place}, box for ${to + 1}`);
        }
      });
      hold(tried.some(holds), `${this.place}: party ${sender} has sent no boxes that hold`);
      this.counts.boxes += holders.length - 1;
    }
    this.keys.set(epoch, { ...made, epoch, holders });
    this.counts.keys += 1;
    this.people.keys += 1;
  }

  deck(party, number, round, data) {
    if (!this.piles.has(number)) this.piles.set(number, []);
    const links = this.piles.get(number);
    if (round !== links.at(-1)?.round) [links.draw, links.openers] = [undefined, []];
    links.push({ party, round, commitment: data.slice(0, 32), cards: cardsOf(data.slice(32), this.place), draws: new Set() });
  }

  link(party, number, round) {
    return this.piles.get(number)?.find((one) => one.party === party && one.round === round);
  }

  *contexts(party, object, number) {
    for (const keys of [...this.keys.values()].reverse()) {
      const place = keys.holders.indexOf(party) + 1;
      if (place) yield [keys, this.context(keys, object, number, place)];
    }
  }

  proof(party, number, round, data) {
    const link = this.link(party, number, round);
    if (!link) return;
    const earlier = this.piles.get(number).slice(0, this.piles.get(number).indexOf(link)).reverse();
    if (!earlier.length) {
      this.counts.begun += 1; // what it began with follows from the rules of the game
      link.proven = true;
      return;
    }
    for (const [keys, c] of this.contexts(party, `pile ${number}`, round)) {
      if (earlier.some((one) => isShuffle(c, keys.joint, one.cards, link.cards, data, this.place))) {
        this.counts.shuffles += 1;
        link.proven = true;
        return;
      }
    }
    throw new Wrong(`${this.place}: the proof of the shuffle does not hold`);
  }

  /**
   * A party is away from here on. It may have refused each draw that it had committed to and that isn't done: at most
   * one for each making of keys, and for each of its decks. Whether it owed anything at this moment, only the rules say.
   */
  goesAway(party) {
    const refused = this.people.refused.get(party);
    const last = Math.max(0, ...this.keys.keys());
    for (const [epoch, { said, agreed }] of this.makings) {
      if (epoch > last && said.has(`${STEP.HASH} ${party}`) && !agreed.has(party)) refused.add(`keys ${epoch}`);
    }
    for (const [number, links] of this.piles) {
      const mine = links.filter((one) => one.party === party && one.proven && !this.isMade(links));
      for (const link of mine) {
        link.wasAway = true;
        refused.add(`pile ${number}${link.round ? ` in round ${link.round}` : ""}`);
      }
    }
  }

  /** Whether all who had shuffled and were here when the latest draw began to be opened have opened it. */
  isMade(links) {
    return Boolean(links.openers?.length) && links.openers.every((one) => one.draws.has(links.draw));
  }

  /** Each further draw of a pile takes a party that had shuffled it and went away. One party alone may say anything. */
  checkDraw(party, number, draw) {
    const links = this.piles.get(number);
    const lost = links.filter((one) => one.proven && (one.wasAway || this.people.gone.has(one.party)));
    const few = new Set(lost.map((one) => one.party)).size;
    if (draw > few) {
      links.unpaid = (links.unpaid ?? new Set()).add(party);
      const why = new Wrong(`${this.place}: draw ${draw} of pile ${number}, and ${few} could have refused one`);
      why.fatal = links.unpaid.size >= this.people.t;
      throw why;
    }
    if (draw <= links.draw) return;
    links.draw = draw;
    links.openers = links.filter((one) => one.proven && this.people.isHere(one.party));
  }

  seed(party, number, round, draw, data) {
    const link = this.link(party, number, round);
    if (!link) return;
    for (const [, c] of this.contexts(party, `pile ${number}`, round)) {
      if (draw < DRAWS && same(hashed(c, data, draw + 1), link.commitment)) {
        this.checkDraw(party, number, draw);
        this.counts.seeds += 1;
        link.draws.add(draw);
        return;
      }
    }
    throw new Wrong(`${this.place}: not the seed that was promised`);
  }

  /** A share of a lot: its point has a name that follows from the rules alone, so it isn't checked here. */
  lot(party, epoch, want, data) {
    const keys = this.keys.get(epoch);
    hold(keys, `${this.place}: a lot under keys that were not made`);
    hold(keys.holders.includes(party), `${this.place}: a share of somebody without these keys`);
    hold(data.length === 96, `${this.place}: not one share`);
    this.counts.lots += 1;
  }

  /** Shares that judge what was said: of dice the points are known here, of cards the rules know them. */
  proofs(party, epoch, want, names, data) {
    const keys = this.keys.get(epoch);
    hold(keys, `${this.place}: something was to be judged under keys that were not made`);
    hold(keys.holders.includes(party), `${this.place}: shares of somebody without these keys`);
    hold(data.length === 32 * names.length + 64, `${this.place}: not one share for each name`);
    const dice = names.map((name) => /^die (\d+) of (shake \d+ of turn \d+)$/.exec(name));
    if (!dice.every(Boolean)) return;
    const points = dice.map(([, place, shake]) => HG("die", common(this.context(keys, shake, Number(place), 0))));
    const c = this.context(keys, `to judge ${names.join(", ")}`, 0, keys.holders.indexOf(party) + 1);
    equal(c, "share", keys.shares[c.party - 1], points, data, this.place);
  }

  /**
   * Faces that this machine noted for its seats: shares of t parties open each slot to its face. All but its own came
   * in a parcel that is in the log.
   */
  seen([faces, slots, batches], place) {
    this.counts.seen += faces.length;
    if (!this.together) {
      hold(!slots.length && !batches.length, `${place}: shares where one peer dealt`);
      return;
    }
    const isDie = (slot) => Array.isArray(slot[3]);
    const shakeOf = (slot) => Buffer.from(slot[4]).toString("utf8");
    const nameOf = (slot) => isDie(slot) ? `die ${slot[2]} of ${shakeOf(slot)}` : `card ${slot[2]} of pile ${slot[1]}`;
    const [images, cards, own] = [new Map(), new Map(), new Set()];
    const keysOfSlot = (slot) => {
      hold(slot && this.keys.has(slot[0]), `${place}: a slot under keys that were not made`);
      return this.keys.get(slot[0]);
    };
    const thrown = (slot) => this.context(keysOfSlot(slot), shakeOf(slot), slot[2], 0);
    for (const [sender, places, shares] of batches) {
      const all = places.map((at) => slots[at]);
      const keys = keysOfSlot(all[0]);
      hold(all.every((slot) => keysOfSlot(slot) === keys), `${place}: shares under several keys`);
      const names = all.map(nameOf).join(", ");
      const party = keys.holders.indexOf(sender) + 1;
      hold(party, `${place}: shares of somebody without these keys`);
      const points = all.map((slot) => isDie(slot) ? HG("die", common(thrown(slot))) : point(slot[4].slice(0, 32), place));
      const found = equal(this.context(keys, `shares of ${names}`, 0, party), "share", keys.shares[party - 1], points, shares, place);
      for (const [at, image] of found.entries()) {
        if (!images.has(places[at])) images.set(places[at], new Map());
        images.get(places[at]).set(party, image);
      }
      const c = this.context(keys, `box of ${names}`, 0, party);
      const sent = this.parcels.find(({ sender: by, epoch, parcel: [to, , piles, box] }) => {
        const number = keys.holders.indexOf(to) + 1;
        const mailbox = number ? keys.mailboxes[number - 1] : point(this.mailboxes.get(to) ?? [], place);
        return by === sender && epoch === keys.epoch && piles.length === all.length && all.every((slot, at) => slot[1] === piles[at]) &&
               holds(() => checkBox(c, number || 1000 + to, mailbox, box, place));
      });
      if (sent) places.forEach((at, index) => cards.set(at, sent.parcel[1][index]));
      else own.add(sender);
    }
    const shown = new Set(faces.map((one) => one[3]));
    hold(slots.every((slot, at) => shown.has(at) || !slot[3].length), `${place}: a kind of a card that was not shown`);
    hold(faces.length && own.size <= 1, `${place}: shares that nobody sent`);
    for (const [, card, face, at] of faces) {
      const slot = slots[at];
      const keys = keysOfSlot(slot);
      const given = images.get(at) ?? new Map();
      hold(given.size >= keys.threshold, `${place}: fewer shares than it takes`);
      hold((cards.get(at) ?? card) === card, `${place}: shares of another card`);
      const X = combined(keys.threshold, given);
      if (isDie(slot)) {
        const n = slot[3].length;
        hold(slot[3][below(n, numbers("die value", common(thrown(slot)), raw(X), n))] === face, `${place}: another face`);
        continue;
      }
      const decks = (this.piles.get(slot[1]) ?? []).filter((link) => link.proven);
      hold(decks.some((link) => link.cards.some((one) => same(join(...one.map(raw)), slot[4]))), `${place}: a card of no such pile`);
      const M = point(slot[4].slice(32), place).subtract(X);
      hold(M.equals(HG("face", SUITE, slot[3], face)), `${place}: another face`);
    }
  }

  owner(seat) {
    return this.header.keys[seat] === undefined ? 0 : this.parties.findIndex((one) => same(one, this.header.keys[seat])) + 1;
  }

  seal([, seat, ask, data]) {
    const party = this.owner(seat);
    if (this.header.dealer === "host" || !party || data.length !== ROOM + 130) return;
    for (const keys of [...this.keys.values()].reverse()) {
      const c = this.context(keys, `seal of seat ${seat}`, ask, keys.holders.indexOf(party) + 1 || 1000 + party);
      try {
        // Who may speak for the seat the rules know: what nobody opens was void.
        const sealed = { keys, c, seat, ...checkSeal(c, keys.joint, data, this.place) };
        this.seals.set(ask, [...(this.seals.get(ask) ?? []), sealed]);
        this.counts.seals += 1;
        return;
      } catch (error) {
        if (!(error instanceof Wrong)) throw error; // a seal under other keys is void: the question stays open
      }
    }
  }

  /** A word about taking an answer back: the rules know whether it can be, this file whether all people agreed. */
  undo(author, [, seat, ask, yes]) {
    const party = this.owner(seat);
    if (!party || !same(author, this.parties[party - 1]) || this.header.bots[seat] !== null) return;
    if (!this.people.isHere(party)) return;
    if (!this.wish || this.wish.ask !== ask) this.wish = yes ? { ask, by: seat, agreed: new Set() } : null;
    if (!this.wish) return;
    if (!yes && seat === this.wish.by) this.wish = null;
    else if (yes) this.wish.agreed.add(seat);
    else this.wish.agreed.delete(seat);
    const people = this.header.names.map((_, one) => one).filter((one) => this.header.bots[one] === null);
    const asked = people.filter((one) => this.people.isHere(this.owner(one)));
    if (!this.wish || !asked.every((one) => this.wish.agreed.has(one))) return;
    this.counts.agreed += 1;
    this.wish = null;
  }

  open([, seat, ask, opening, answer]) {
    const found = (this.seals.get(ask) ?? []).filter((one) => one.seat === seat);
    if (!found.length) return;
    const fits = found.some((sealed) => holds(() => {
      const value = opened(sealed.c, sealed.keys.joint, sealed, opening, this.place);
      hold(same(encode(decode(value)), encode(answer)), `${this.place}: the seal holds another answer`);
    }));
    if (fits) this.counts.opened += 1;
    else this.unjudged.push(`${this.place}: no seal that opens like this`); // anybody may say it
  }

  force(party, epoch, ask, data) {
    const found = (this.seals.get(ask) ?? []).filter((one) => one.keys.epoch === epoch);
    const fits = found.some((sealed) => holds(() => {
      const c = this.context(sealed.keys, `force seat ${sealed.seat}`, ask, sealed.keys.holders.indexOf(party) + 1);
      equal(c, "share", sealed.keys.shares[c.party - 1], [sealed.R], data, this.place);
    }));
    hold(fits || !found.length, `${this.place}: a share that opens no seal`);
  }
}

// -- the frozen vectors ------------------------------------------------------------------------------

function vectors(told) {
  const is = (one, other, place) => hold(String(one) === String(other), `vector ${place}`);
  const list = [text("a"), text(""), text("list")];
  const one = told.hashing;
  is(hex(frame(text("bytes"), 258, list)), one.frame, "frame");
  is(hex(H("tag", text("bytes"), 258, list)), one.H, "H");
  is("0x" + HS("tag", text("bytes")).toString(16), one.HS, "HS");
  is(hex(raw(HG("tag", text("bytes")))), one.HG, "HG");
  is(scalars(3, "tag", text("field")).map((n) => "0x" + n.toString(16)), one.scalars, "scalars");
  const stream = numbers("tag", text("field"));
  is(Array.from({ length: 10 }, () => "0x" + stream.next().value.toString(16)), one.numbers, "numbers");
  is(Array.from({ length: 10 }, () => below(6, stream)), one["below 6"], "below");
  is(permutation(9, numbers("tag", text("order"))), one["permutation of 9"], "permutation");
  is(generators(2).map(raw).map(hex), one.generators, "generators");
  is([0, 1, 2].map((n) => hex(raw(HG("face", SUITE, text("deck"), n)))), one.faces, "faces");

  const begin = told.beginning;
  const bytes = Object.fromEntries(Object.entries(begin).filter(([, v]) => typeof v === "string").map(([k, v]) => [k, unhex(v)]));
  is(hex(H("header", bytes.header).slice(0, 32)), begin.header_hash, "header hash");
  const c0 = { match: new Uint8Array(0), lineage: bytes.lineage, epoch: 0, object: "mailbox", number: 0, party: 2 };
  knows(c0, "mailbox", point(bytes.mailbox.slice(0, 32), "mailbox"), bytes.mailbox.slice(32), "vector mailbox",
        bytes.header_hash, bytes.nonce);
  const said = begin.nonces.map(([peer, nonce]) => unhex(peer + nonce));
  is(hex(H("match", bytes.table, bytes.chain, bytes.header, said).slice(0, 16)), begin.id, "match id");

  const k = told.keys;
  const base = { match: unhex(k.match), lineage: unhex(k.lineage), epoch: k.epoch, object: "keys", number: 0 };
  const [ids, dealings] = [k.ids.map(unhex), k.dealings.map(unhex)];
  is(hex(rosterOf(ids, k.threshold, unhex(k.origin))), k.roster, "roster");
  const keys = keysOf(base, ids, k.threshold, unhex(k.origin), k.commitments.map(unhex), dealings, "vector keys");
  is(hex(raw(keys.joint)), k.joint, "joint key");
  is(keys.shares.map(raw).map(hex), k.shares, "public shares");
  is(hex(keys.transcript), k.transcript, "transcript");
  is(hex(whole({ ...base, party: 2 })), one.context, "context");

  const b = told.box;
  const cBox = { ...base, object: "key shares", party: b.sender };
  checkBox(cBox, b.receiver, point(unhex(b.mailbox), "box"), unhex(b.box), "vector box");
  is(hex(H("box", unhex(b.box)).slice(0, 32)), b.hash, "box hash");
  is(hex(openBox(cBox, b.receiver, point(unhex(b.mailbox), "box"), BigInt(b.mailbox_secret), unhex(b.box))), b.plain, "opened box");
  const K = point(unhex(b.box).slice(0, 32), "box");
  equal({ ...base, party: b.receiver }, "opened-box", point(unhex(b.mailbox), "box"), [K], unhex(b.evidence), "vector evidence");

  const o = told.sealed;
  const mine = G(BigInt(o.mailbox_secret));
  for (const [what, { number, plain, box }] of Object.entries(o.boxes)) {
    const c = { ...base, epoch: 0, object: what, number, party: o.sender };
    checkBox(c, o.receiver, mine, unhex(box), `vector ${what}`);
    is(hex(openBox(c, o.receiver, mine, BigInt(o.mailbox_secret), unhex(box))), plain, `sealed ${what}`);
    is(plain.length / 2, { face: 32, answer: 267, words: 64 }[what], `length of ${what}`);
  }

  const under = (object, number, party) => ({ ...base, transcript: keys.transcript, object, number, party });
  const d = told.die;
  const die = HG("die", common(under("lot", d.number, 1)));
  is(hex(raw(die)), d.point, "die");
  const given = new Map(d.shares.map((data, at) =>
    [at + 1, equal(under("lot", d.number, at + 1), "share", keys.shares[at], [die], unhex(data), "vector share")[0]]));
  const x = combined(k.threshold, given);
  is(hex(raw(x)), d.opened, "opened die");
  is(below(20, numbers("die value", common(under("lot", d.number, 1)), raw(x), 20)), d["of 20"], "die value");

  const z = told.shaken;
  const cShaken = under(`shake ${z.shake}`, z.place, 0);
  const shaken = HG("die", common(cShaken));
  is(hex(raw(shaken)), z.point, "shaken die");
  const forAll = `all see die ${z.place} of shake ${z.shake}`;
  const halves = new Map(z.shares.map((data, at) =>
    [at + 1, equal(under(forAll, 0, at + 1), "share", keys.shares[at], [shaken], unhex(data), "vector share of a die")[0]]));
  is(hex(raw(combined(k.threshold, halves))), z.opened, "opened shaken die");
  is(below(6, numbers("die value", common(cShaken), unhex(z.opened), 6)), z["of 6"], "shaken die value");

  const j = told.judged;
  const judged = j.dice.map(([shake, place]) => HG("die", common(under(`shake ${shake}`, place, 0))));
  const toJudge = `to judge ${j.dice.map(([shake, place]) => `die ${place} of shake ${shake}`).join(", ")}`;
  const both = j.shares.map((data, at) =>
    equal(under(toJudge, 0, at + 1), "share", keys.shares[at], judged, unhex(data), "vector share to judge"));
  judged.forEach((_, at) => {
    const halves = new Map(both.map((images, party) => [party + 1, images[at]]));
    is(hex(raw(combined(k.threshold, halves))), j.opened[at], "what is judged");
  });

  const s = told.seal;
  const cSeal = under(s.object, s.number, s.party);
  const sealed = checkSeal(cSeal, keys.joint, unhex(s.seal), "vector seal");
  is(hex(opened(cSeal, keys.joint, sealed, unhex(s.opening), "vector opening")), s.value, "sealed value");
  is(hex(masked(cSeal, keys.joint, sealed.R, point(unhex(s.opened), "seal"), sealed.box)), s.opening, "forced seal");

  const f = told.shuffle;
  const cPile = under(f.object, f.round, f.party);
  const [before, after] = [f.deck, f.shuffled].map((data) => cardsOf(unhex(data), "vector deck"));
  hold(isShuffle(cPile, keys.joint, before, after, unhex(f.proof), "vector"), "vector shuffle");
  hold(!isShuffle(cPile, keys.joint, after, before, unhex(f.proof), "vector"), "vector shuffle turned round");
  f.seeds.map(unhex).forEach((seed, draw) => {
    is(hex(hashed(cPile, seed, draw + 1)), f.commitment, `commitment to the seed of draw ${draw}`);
    is(permutation(3, numbers("mixing", common(cPile), draw, 1, 2, [seed], 3)), f.orders[draw], `order of draw ${draw}`);
  });

  is("0x" + taskNumber(told.task.step, told.task.of, told.task.rest).toString(16), told.task.number, "task");

  const refused = (act, place) => {
    try {
      act();
    } catch (error) {
      if (error instanceof Wrong) return;
      throw error;
    }
    throw new Wrong(`vector ${place} is not refused`);
  };
  for (const bad of told.refused.points) refused(() => point(unhex(bad), ""), `point ${bad}`);
  for (const bad of told.refused.scalars) refused(() => scalar(unhex(bad), ""), `scalar ${bad}`);
  const other = told.refused["dealing of another origin"];
  refused(() => readDealing({ ...base, party: 1 }, rosterOf(ids, k.threshold, unhex(other.origin)), 3,
                            unhex(other.commitment), unhex(other.dealing), ""), "dealing of another origin");
  const elsewhere = told.refused["in another context"];
  const checks = {
    mailbox: ({ party }) => knows({ ...c0, party }, "mailbox", point(bytes.mailbox.slice(0, 32), ""), bytes.mailbox.slice(32), "",
                                  bytes.header_hash, bytes.nonce),
    "mailbox of another nonce": ({ nonce }) => knows(c0, "mailbox", point(bytes.mailbox.slice(0, 32), ""),
                                                     bytes.mailbox.slice(32), "", bytes.header_hash, unhex(nonce)),
    box: ({ receiver }) => checkBox(cBox, receiver, point(unhex(b.mailbox), ""), unhex(b.box), ""),
    evidence: ({ party }) => equal({ ...base, party }, "opened-box", point(unhex(b.mailbox), ""), [K], unhex(b.evidence), ""),
    die: ({ number }) => {
      const c = under("lot", number, 1);
      equal(c, "share", keys.shares[0], [HG("die", common(c))], unhex(d.shares[0]), "");
    },
    seal: ({ party }) => checkSeal(under(s.object, s.number, party), keys.joint, unhex(s.seal), ""),
    opening: ({ party }) => opened(under(s.object, s.number, party), keys.joint, sealed, unhex(s.opening), ""),
    shuffle: ({ round }) => hold(isShuffle(under(f.object, round, f.party), keys.joint, before, after, unhex(f.proof), ""), ""),
    seed: ({ round }) => hold(hex(hashed(under(f.object, round, f.party), unhex(f.seeds[0]), 1)) === f.commitment, ""),
  };
  hold(Object.keys(checks).sort().join() === Object.keys(elsewhere).sort().join(), "vector in another context: others than these");
  for (const [name, change] of Object.entries(elsewhere)) refused(() => checks[name](change), `${name} in another context`);
  const stranger = told.refused["share of another party"];
  refused(() => equal(under("lot", stranger.number, stranger.party), "share", keys.shares[stranger.party - 1],
                      [die], unhex(d.shares[stranger["made by"] - 1]), ""), "share of another party");
}

// -- --------------------------------------------------------------------------------------------------

/** A power cut may leave no more than this. */
function endsEarly() {
  console.log("The file ends before its match began, so there is nothing in it to check.");
  return 2;
}

function verify(file) {
  const bytes = new Uint8Array(readFileSync(file));
  const all = records(bytes);
  if (all.length === 1 && all[0][0] === HEADER) return endsEarly();
  const match = new Match(bytes);
  const n = match.verify();
  if (!match.id) return endsEarly();
  const kinds = [...match.kinds.keys()].sort((one, other) => one - other);
  const told = (found) => found.map((kind) => `${kind} (${match.kinds.get(kind)})`).join(", ") || "none";
  console.log(`Kinds of records read: ${told(kinds.filter((one) => READ.includes(one)))}. Not read: ${told(kinds.filter((one) => !READ.includes(one)))}.`);
  console.log(`Signatures: ${n.entries} entries, each chained to the one before; all parties said IN, the id follows.`);
  console.log(`Keys: ${n.keys}, with ${n.boxes} boxes. Shuffles: ${n.shuffles} proven; ${n.begun} that began a pile need the rules.`);
  const p = match.people.counts;
  console.log(`Votes: ${p.votes}, void ${p.void}; decided by them: ${p.away}. Own words: ${p.out} out, ${p.back} back, ${p.left} left.`);
  const draws = [...match.piles.values()].reduce((sum, links) => sum + (links.draw ?? 0), 0);
  console.log(`Draws that followed a refusal or a departure: ${draws} of piles, ${Math.max(0, ...match.makings.keys()) - n.keys} of keys.`);
  for (const [party, found] of match.people.refused) {
    if (found.size) console.log(`Was away before draws were done that it had committed to: party ${party} (${[...found].join(", ")}).`);
  }
  console.log(`Seeds: ${n.seeds}. Shares of lots, whose names only the rules know: ${n.lots}. Seals: ${n.seals}, opened by their authors: ${n.opened}.`);
  if (match.together && n.seen) console.log(`Faces that this machine noted: ${n.seen}, each proven by the shares beside it.`);
  else if (n.seen) console.log(`Assumption: this machine's own notes are right (faces: ${n.seen}).`);
  if (n.agreed) console.log(`All people who were here agreed to take an answer back: ${n.agreed} times.`);
  for (const why of match.unjudged) console.log(`Void, or false and not judged: ${why}.`);
  for (const [party, why] of match.caught) console.log(`Caught: party ${party}, ${why}.`);
  if (match.kinds.has(OUTCOME)) return 0;
  console.log(`Right as far as entry ${n.entries} of this log; the end is missing.`);
  return 2;
}

function tried(act, which) {
  try {
    return act() ?? 0;
  } catch (error) {
    const why = error instanceof Wrong ? error.message : `it can't be read (${error.message})`;
    console.error(`Wrong: ${why}${which && ` in ${which}`}`);
    return 1;
  }
}

function main(words) {
  const [first, second] = words;
  if (!first || (first === "--vectors" && words.length !== 2)) {
    console.error("Usage: node verify.js FILE..., or node verify.js --vectors FILE");
    return 2;
  }
  if (first === "--vectors") {
    return tried(() => {
      vectors(JSON.parse(readFileSync(second, "utf8")));
      console.log("All vectors are made alike.");
    }, "");
  }
  const codes = words.map((file) => tried(() => verify(file), words.length > 1 ? file : ""));
  return codes.includes(1) ? 1 : Math.max(...codes);
}

process.exitCode = main(process.argv.slice(2));
