import { parentPort, workerData } from 'node:worker_threads';
import { finderOn, type FinderTask } from './finder.ts';
import { runThread } from './rpc.ts';
import { openReader } from './threads.ts';

// Entry point of the finding thread; the task was posted by finder.ts.
const { home, settings } = workerData as FinderTask;
await runThread<never>(parentPort, async () => finderOn(await openReader(home, settings)));
