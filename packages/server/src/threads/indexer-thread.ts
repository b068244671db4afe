import { parentPort, workerData } from 'node:worker_threads';
import { runThread } from './rpc.ts';
import { makeIndexer, type ThreadTask } from './threads.ts';

// Entry point of the indexer's thread; the task was posted by threads.ts.
await runThread<never>(parentPort, () => makeIndexer(workerData as ThreadTask));
