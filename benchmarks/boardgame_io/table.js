// A table of boardgame.io, a process a player, for ../boardgame_io.py:
//
//   node table.js server PORT            the server, its state in memory
//   node table.js player PORT ME PLAYERS player ME of so many
//
// Each prints "ready". A player is told on its stdin `act TIMES PAUSE`: it moves so often, after a pause of so many
// milliseconds each, and prints a list: which state each move made, when it began and when the state was here, in seconds
// of the clock that all processes of a machine share. `seen COUNT TIMES` prints when the states from COUNT on were here.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const { ActivePlayers } = require('boardgame.io/dist/cjs/core.js');

const game = {
  name: 'count',
  setup: () => ({ count: 0 }),
  disableUndo: true, // else its state grows with each move
  turn: { activePlayers: ActivePlayers.ALL },
  // The server alone moves, so that what a player sees is what the server has decided.
  moves: { act: { client: false, move: ({ G }, word) => { G.count += 1; G.word = word; } } },
};

const now = () => Number(process.hrtime.bigint()) / 1e9;

async function serve(port) {
  const { Server, Origins } = require('boardgame.io/dist/cjs/server.js');
  console.log = () => {}; // it says where it listens
  const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
  await server.run({ port, callback: () => {} });
  process.stdout.write('ready\n');
}

async function play(port, me, players) {
  const { Client } = require('boardgame.io/dist/cjs/client.js');
  const { SocketIO } = require('boardgame.io/dist/cjs/multiplayer.js');
  const client = Client({
    game,
    numPlayers: players,
    playerID: String(me),
    multiplayer: SocketIO({ server: `http://127.0.0.1:${port}` }),
    debug: false,
  });
  const seen = [];
  let arrived = () => {};
  client.subscribe((state) => {
    if (state !== null && seen[state.G.count] === undefined) {
      seen[state.G.count] = now();
      arrived();
    }
  });
  client.start();
  while (client.getState() === null) await sleep(10);
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, times, pause] = line.split(' ');
    if (word === 'seen') {
      const [first, after] = [Number(times), Number(times) + Number(pause)];
      while (seen.length < after) await sleep(1);
      process.stdout.write(`${JSON.stringify(seen.slice(first, after))}\n`);
      continue;
    }
    const moves = [];
    for (let done = 0; done < Number(times); done += 1) {
      if (Number(pause) > 0) await sleep(Number(pause));
      const count = client.getState().G.count + 1;
      const next = new Promise((resolve) => { arrived = resolve; });
      const began = now();
      client.moves.act(`action ${count}`);
      await next;
      moves.push([count, began, seen[count]]);
    }
    process.stdout.write(`${JSON.stringify(moves)}\n`);
  }
  process.exit(0);
}

const [role, port, me, players] = process.argv.slice(2);
if (role === 'server') await serve(Number(port));
else await play(Number(port), Number(me), Number(players));
