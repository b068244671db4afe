import { parentPort, workerData } from 'node:worker_threads';
import { runThread } from './rpc.ts';
import { makeWriter, type ThreadTask } from './threads.ts';
import type { WriterEvent } from './writer.ts';

// Entry point of the writer's thread; the task was posted by threads.ts.
await runThread<WriterEvent>(parentPort, (send) => makeWriter(workerData as ThreadTask, send));
