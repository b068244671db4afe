// One measurement in a process of its own: node child.mjs JOB ORDER. Prints one line of JSON.
import { makeBoard } from './boards.ts';
import { measureCommands } from './commands.ts';
import { measureDeciding } from './deciding.ts';
import { actAsClients } from './http.ts';
import type { BoardPlan, ClientsOrder, CommandsOrder, DecidingOrder, SpawnOrder, StartOrder } from './job.ts';
import { measureSpawns } from './spawns.ts';
import { measureStart } from './start.ts';

// Orders are written by bench/engine.ts and by http.ts, and by nobody else.
const JOBS: Readonly<Record<string, (order: unknown) => unknown>> = {
  make: (order) => {
    const { folder, plan } = order as { readonly folder: string; readonly plan: BoardPlan };
    return makeBoard(folder, plan);
  },
  commands: (order) => measureCommands(order as CommandsOrder),
  clients: (order) => actAsClients(order as ClientsOrder),
  spawns: (order) => measureSpawns(order as SpawnOrder),
  start: (order) => measureStart(order as StartOrder),
  deciding: (order) => measureDeciding(order as DecidingOrder),
};

const [job = '', order = '{}'] = process.argv.slice(2);
console.log(JSON.stringify(await JOBS[job]?.(JSON.parse(order))));
