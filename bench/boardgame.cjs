// boardgame.io's server and its players, for bench/load.py: a game of two who act in turn, as fast as answers come.
//
//   node bench/boardgame.cjs serve PORT memory|FOLDER
//   node bench/boardgame.cjs play PORT TABLES SECONDS     prints moves a second and milliseconds to the other's client
//
// A move counts when the other player's client has it from the server. FlatFile is the storage on disk that the package
// brings; it does not wait for the disk (no fsync).
const { createRequire } = require("node:module");

const load = createRequire(`${process.env.BOARDGAME_HOME || process.cwd()}/`);
const game = {
  name: "turns",
  setup: () => ({ moves: 0, cells: Array(60).fill(0) }),
  moves: {
    place: ({ G, ctx, random }) => {
      G.moves += 1;
      G.cells[random.Die(60) - 1] = Number(ctx.currentPlayer);
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
};

function serve(port, where) {
  const { Server, FlatFile, Origins } = load("boardgame.io/server");
  const db = where === "memory" ? undefined : new FlatFile({ dir: where, logging: false });
  Server({ games: [game], db, origins: [Origins.LOCALHOST] }).run({ port, callback: () => console.log("open") });
}

async function play(port, tables, seconds) {
  const { Client } = load("boardgame.io/client");
  const { SocketIO } = load("boardgame.io/multiplayer");
  const waits = [];
  let open = 0;
  let until = Number.POSITIVE_INFINITY;
  for (let table = 0; table < tables; table++) {
    let sent = 0;
    for (const playerID of ["0", "1"]) {
      const multiplayer = SocketIO({ server: `http://localhost:${port}` });
      const client = Client({ game, numPlayers: 2, matchID: `table-${table}`, playerID, multiplayer, debug: false });
      let seen = -1;
      client.subscribe((state) => {
        if (state === null || !state.isConnected || state._stateID <= seen) return;
        if (seen < 0) open += 1;
        const first = seen < 0;
        seen = state._stateID;
        if (state.ctx.currentPlayer !== playerID) return;
        if (!first && sent) waits.push([performance.now(), performance.now() - sent]);
        const act = () => {
          if (performance.now() > until) return;
          sent = performance.now();
          client.moves.place();
        };
        if (first) setTimeout(act, 3000);
        else setImmediate(act);
      });
      client.start();
    }
  }
  await new Promise((done) => setTimeout(done, 4000));
  const began = performance.now();
  until = began + seconds * 1000;
  await new Promise((done) => setTimeout(done, seconds * 1000));
  const counted = waits.filter(([at]) => at >= began && at <= until).map(([, wait]) => wait);
  counted.sort((one, other) => one - other);
  const of = (share) => counted[Math.floor(counted.length * share)] ?? 0;
  console.log(JSON.stringify({ open, rate: counted.length / seconds, median: of(0.5), slowest: of(0.99) }));
  process.exit(0);
}

const [what, port, ...rest] = process.argv.slice(2);
if (what === "serve") serve(Number(port), rest[0]);
else play(Number(port), Number(rest[0]), Number(rest[1]));
