// What the entries of a table mean, in words. A spectator without the rules tells who did what, not what it means.
import { decode } from "@msgpack/msgpack";
import { bytes } from "./session.js";

const STEPS = "a step of the dealing";
const show = (value) => JSON.stringify(value, (_, one) => (one instanceof Uint8Array ? bytes(one).toString("hex") : one));
/** A text from outside on one line, without control characters. */
const clean = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?").slice(0, 200);

export class Teller {
  constructor() {
    this.names = new Map(); // by identity, hexadecimal
    this.header = null;
    this.ends = new Map();
  }

  name(author) {
    return this.names.get(author.toString("hex")) ?? author.toString("hex").slice(0, 8);
  }

  seat(number) {
    return clean(this.header?.names[number] ?? `seat ${number + 1}`);
  }

  /** The sentences for a snapshot of the table; see docs/protocol.md for the order of its fields. */
  *recall([, game, , , , dealer, , , , , host, , places, watchers]) {
    const seated = places.map((place) => [Buffer.concat([bytes(place[1]), bytes(place[8])]).toString("hex"), place[0]]);
    for (const [key, name] of [...seated, ...Object.entries(watchers)]) {
      this.names.set(key, clean(name));
    }
    yield `${this.name(bytes(host))}'s table for ${clean(game)}, dealt by ${clean(dealer)}; here: ${[...this.names.values()].join(", ")}.`;
  }

  /** The sentence for an application's entry; null where there is nothing to tell. */
  tell({ author, body }) {
    return this.said(author, decode(body));
  }

  said(author, [verb, ...rest]) {
    const who = this.name(author);
    switch (verb) {
      case 0: return `${who} opens a table for ${rest[2]}: ${clean(rest[0])}, dealt by ${clean(rest[4])}.`;
      case 1:
        this.names.set(author.toString("hex"), clean(rest[1]));
        return `${clean(rest[1])} ${rest[2] ? "watches" : "sits down"}${rest[3] === null ? "" : `, a bot (${clean(rest[3])})`}.`;
      case 2: return `${who} leaves.`;
      case 3: return `${who} says: ${clean(rest[0])}`;
      case 4: return `${who} changes the house rules: ${clean(show(rest[0]))}.`;
      case 5: return `${who} is ${rest[0] ? "" : "not "}ready.`;
      case 6:
        this.header = decode(rest[0]);
        return `${who} starts a match of ${clean(this.header.game)}: ${this.header.names.map(clean).join(", ")}.`;
      case 7: return this.played(who, rest[1]);
      case 8: return `${this.name(bytes(rest[0]))} is ${rest[1] ? "here again" : "away"}.`;
      case 23: return `${who} is in.`;
      case 29: {
        const name = clean(rest[0]), own = author.toString("hex");
        const taken = ([key, one]) => key !== own && one.toLowerCase() === name.toLowerCase();
        if (![...this.names].some(taken)) this.names.set(own, name);
        return `${who} wants to be called ${name}.`;
      }
      case 38: return `${who} plays by version ${clean(rest[0])}, code ${bytes(rest[1]).subarray(0, 16).toString("hex")}.`;
      case 39: {
        const copy = bytes(rest[0]);
        if (!copy.length) return `${who} takes the campaign off the table.`;
        const [name, matches] = decode(copy);
        return `${who} has a copy of campaign ${clean(name)}, after match ${matches}.`;
      }
      case 25: {
        const digest = bytes(rest[2]).toString("hex");
        this.ends.set(who, digest);
        return `${who} has the match in the state ${digest}, after entry ${rest[1]}.`;
      }
      case 40: return this.said(Buffer.concat([author, bytes(rest[0])]), rest[1]);
      default: return null;
    }
  }

  played(who, [kind, one, two, three]) {
    switch (kind) {
      case 0: return `Card ${one} is turned up: face ${two}.`;
      case 1: return "Cards are dealt face down.";
      case 2: return `A number of ${one}: ${two}.`;
      case 3: return `${one} cards are shuffled.`;
      case 4: return `${this.seat(one)} answers question ${two}: ${clean(show(three))}.`;
      case 5: return `${this.seat(one)} answers question ${two} under a seal.`;
      case 6: return `${this.seat(one)} opens the answer to question ${two}.`;
      case 7: return `Time is up for question ${one}.`;
      case 8: return `${this.seat(one)}: ${clean(two)} ${clean(show(three))}.`;
      case 9: return Array.isArray(two) && two.length ? `${this.seat(one)} whispers to ${two.map((seat) => this.seat(seat)).join(", ")}.` : `${this.seat(one)} says: ${clean(three)}`;
      case 10: return `${this.seat(one)} is ${clean(two)}.`;
      case 11: return `${who} makes ${STEPS}.`;
      case 12: return `${this.seat(one)} reacts.`;
      case 14: return `${this.seat(one)} declares for question ${two}: ${clean(show(three))}.`;
      case 15: return `To judge question ${one}, card ${two} is opened: face ${three}.`;
      case 19: return `${this.seat(one)} ${three ? "would have" : "would no longer have"} the answer to question ${two} taken back.`;
      case 18: return `${one} dice are shaken.`;
      default: return null;
    }
  }
}
