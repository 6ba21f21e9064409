// Zompa with the usual rules in boardgame.io's local client, for ../others.py:
//
//   node zompa.js SEATS GAMES
//
// For each line on its stdin it plays so many games, and prints the seconds of the processor for one and the cards of all.
// Each card is a move; the seat that is called moves.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const { Client } = require('boardgame.io/dist/cjs/client.js');

const [SEATS, GAMES] = process.argv.slice(2).map(Number);
const PACK = Array.from({ length: 40 }, (_, number) => 1 + (number % 10));

const alive = (fiches, seat) => {
  let next = seat % SEATS;
  while (!fiches[next]) next = (next + 1) % SEATS;
  return next;
};
const living = (fiches) => fiches.filter((number) => number > 0).length;

const zompa = {
  name: 'zompa',
  disableUndo: true, // else its state grows with each move
  setup: ({ random }) => {
    const dealer = random.Die(SEATS) - 1;
    return { fiches: Array(SEATS).fill(4), centre: 0, dealer, called: dealer, pack: random.Shuffle(PACK), cards: 0 };
  },
  turn: { minMoves: 1, maxMoves: 1, order: { first: ({ G }) => alive(G.fiches, G.called + 1), next: ({ G }) => alive(G.fiches, G.called + 1) } },
  moves: {
    turnUp: ({ G, random }) => {
      const { fiches } = G;
      G.cards += 1;
      G.called = alive(fiches, G.called + 1);
      const rank = G.pack.pop();
      if (rank === 1) {
        let payer = G.called;
        for (let paid = 0; paid < 2; paid += 1) {
          payer = alive(fiches, payer);
          fiches[payer] -= 1;
          G.centre += 1;
          if (living(fiches) === 1) return;
        }
      } else if (rank === 8 || rank === 9) {
        fiches[G.called] -= 1;
        fiches[(G.called + (rank === 8 ? SEATS - 1 : 2)) % SEATS] += 1;
      } else if (rank === 10 && G.centre > 0) {
        G.centre -= 1;
        fiches[G.called] += 1;
      }
      if (G.pack.length === 0) {
        G.pack = random.Shuffle(PACK);
        G.dealer = (G.dealer + 1) % SEATS;
        G.called = G.dealer;
      }
    },
  },
  endIf: ({ G }) => (living(G.fiches) === 1 ? { winner: G.fiches.findIndex((number) => number > 0) } : undefined),
};

for await (const line of createInterface({ input: process.stdin })) {
  if (line !== 'play') continue;
  const before = process.cpuUsage();
  let cards = 0;
  for (let seed = 0; seed < GAMES; seed += 1) {
    const client = Client({ game: { ...zompa, seed: String(seed) }, numPlayers: SEATS, debug: false });
    client.start();
    while (client.getState().ctx.gameover === undefined) client.moves.turnUp();
    cards += client.getState().G.cards;
    client.stop();
  }
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ seconds: (user + system) / 1e6 / GAMES, cards })}\n`);
}
