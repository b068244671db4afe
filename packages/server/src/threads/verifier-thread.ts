import { parentPort, workerData } from 'node:worker_threads';
import { verifyRange } from '@yarnboard/store';
import { faultOf } from './rpc.ts';
import { openReader, type VerifyTask } from './threads.ts';

// Entry point of a verifying thread: one part of the log, one verdict.
const { home, from, to, forgotten } = workerData as VerifyTask; // posted by threads.ts
try {
  const store = await openReader(home);
  const verdict = await verifyRange(store.log, from, to, { forgotten: new Set(forgotten) });
  await store.close();
  parentPort?.postMessage({ verdict });
} catch (cause) {
  parentPort?.postMessage({ fault: faultOf(cause) });
}
