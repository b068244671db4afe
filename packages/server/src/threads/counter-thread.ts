import { parentPort, workerData } from 'node:worker_threads';
import { answerTo, type CounterTask, type Question } from './counter.ts';
import { runThread } from './rpc.ts';
import { openReader } from './threads.ts';

// Entry point of the counting thread; the task was posted by counter.ts.
await runThread<never>(parentPort, async () => {
  const store = await openReader((workerData as CounterTask).home);
  return { answer: (question: Question) => answerTo(store, question), close: store.close };
});
