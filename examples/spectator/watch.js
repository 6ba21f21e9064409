#!/usr/bin/env node
// A spectator for Tavolata that shares no code with it: it was written from docs/protocol.md.
//
//     npm ci && node watch.js ADDRESS[:PORT] [--code]
//
// With --code it reads the code of a private table from standard input. It joins the table as a watcher, follows its log, checks every signature and the chain, and prints the
// match in words, an entry a line. It ends with 0 when the table closes, and with 1 if something is wrong.
import crypto from "node:crypto";
import dns from "node:dns/promises";
import readline from "node:readline";
import { keyPair } from "./crypto.js";
import { Log } from "./log.js";
import { Session, bytes, pack } from "./session.js";
import { Teller } from "./words.js";

const PORT = 8286, NAME = "Spectator", ELSEWHERE = 6;
const identity = keyPair("ed25519");
const teller = new Teller();
const NO_MAILBOX = Buffer.alloc(32, 0xff); // it is no point, so nobody can whisper to a spectator
let told = 0; // what was printed is not printed again after going elsewhere

function give_up(sentence) {
  console.error(`watch: ${sentence}`);
  process.exitCode = 1;
}

function summary(log) {
  for (const [who, state] of teller.ends) console.log(`= ${who} ended the match in the state ${state}`);
  const from = log.entries.findIndex(Boolean);
  const before = from ? `a snapshot for ${from} entries, then ` : "";
  console.log(`= ${before}${log.final - from} entries, each signed by its author and chained; ${log.commits} signed by the leader as final`);
  console.log(`= entry ${log.final}: ${log.entries[log.final].chain.toString("hex")}`);
}

function watch(host, port, code) {
  const session = new Session(host, port, identity, pack([NAME, true]), code);
  let log = null;
  session.on("open", ([name, game]) => {
    console.log(`= ${name}'s table: ${game}`);
    log = new Log(session, identity);
    log.on("member", () => log.propose([1, crypto.randomBytes(8), NAME, true, null, NO_MAILBOX]));
    log.on("snapshot", (number, state) => {
      for (const sentence of teller.recall(state)) console.log(`= before entry ${number + 1}: ${sentence}`);
      told = Math.max(told, number);
    });
    log.on("final", (entry) => {
      const sentence = entry.kind === 0 ? teller.tell(entry) : null;
      const chain = entry.chain.toString("hex").slice(0, 16);
      if (sentence !== null && entry.number > told) console.log(`${entry.number}: ${sentence} [${chain}]`);
      told = Math.max(told, entry.number);
    });
    log.on("wrong", (sentence) => {
      session.end();
      give_up(sentence);
    });
  });
  session.on("fail", (sentence) => {
    log?.end();
    give_up(sentence);
  });
  session.on("close", (reason, referral) => {
    log?.end();
    if (reason === ELSEWHERE && referral) watch(referral[1], referral[2], code);
    else if (log?.final) summary(log);
    else give_up(`The table ended the session (reason ${reason}).`);
  });
  process.once("SIGINT", () => {
    session.end();
    log?.end();
    if (log) summary(log);
  });
}

/** The first line of standard input: six signs, read as Crockford's alphabet has it. */
async function readCode() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const code = line.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
    if (/^[0-9A-HJKMNP-TV-Z]{6}$/.test(code)) return code;
    break;
  }
  throw new Error("A code is six letters and digits, on one line.");
}

const [, address, named] = /^(?:\[?(.*?)\]?)(?::(\d+))?$/.exec(process.argv[2] ?? "") ?? [];
const more = process.argv.slice(3).join(" ");
if (!address || !["", "--code"].includes(more)) give_up("node watch.js ADDRESS[:PORT] [--code]");
else {
  try {
    const code = more ? await readCode() : null;
    watch((await dns.lookup(address)).address, Number(named ?? PORT), code);
  } catch (error) {
    give_up(error.message);
  }
}
