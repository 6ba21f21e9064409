#!/usr/bin/env node
// A bot for Tavolata that plays any game, with nothing but Node's own modules.
//
//     tt play zompa --seat-program "node examples/bot.js"
//
// It reads one JSON object a line and answers each "ask" with a legal answer at random; what it knows
// of the table, it keeps in `table`, for you to do something better with. docs/ndjson.md has the rest.
"use strict";

const readline = require("node:readline");

const below = (limit) => Math.floor(Math.random() * limit);
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");

/** A legal answer to a question, or to a part of one. */
function legal(kind) {
  switch (kind.kind) {
    case "one_of":
      return kind.choices[below(kind.choices.length)].id;
    case "some_of": {
      const ids = kind.choices.map((choice) => choice.id);
      for (let last = ids.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [ids[last], ids[other]] = [ids[other], ids[last]];
      }
      const chosen = ids.slice(0, kind.low + below(kind.high - kind.low + 1));
      return kind.ordered ? chosen : chosen.sort((one, other) => one - other);
    }
    case "amount":
      return kind.low + kind.step * below(Math.floor((kind.high - kind.low) / kind.step) + 1);
    case "text": // any legal text is an answer; who knows no better takes a suggestion
      return kind.suggestions[below(kind.suggestions.length)];
    case "form":
      if (kind.allowed) return kind.allowed[below(kind.allowed.length)]; // my own cards forbid some answers
      return kind.fields.map((field) => legal(field.kind));
    case "branch": {
      const choice = kind.choices[below(kind.choices.length)];
      return choice.then ? [choice.id, legal(choice.then)] : [choice.id];
    }
    default:
      throw new Error(`a kind of question that this bot does not know: ${kind.kind}`);
  }
}

let table = {};

readline.createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  if (line.type === "full") {
    table = Object.fromEntries(line.zones.map((zone) => [zone.id, zone.content]));
  } else if (line.type === "ask") {
    console.error(`I see ${Object.keys(table).length} zones and answer question ${line.id}`);
    say({ type: "answer", id: line.id, answer: legal(line) });
  } else if (line.type === "error") {
    console.error(line.text);
  } // everything else may be passed over, types and fields that come later too
});
