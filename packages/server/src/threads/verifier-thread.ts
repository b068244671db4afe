import { parentPort, workerData } from 'node:worker_threads';
import { verifyRange } from '@yarnboard/store';
import { faultOf } from './rpc.ts';
import { openReader, type VerifyTask } from './threads.ts';

// Entry point of a verifying thread: one part of the log, or everything beside it; one verdict.
const task = workerData as VerifyTask; // posted by threads.ts
try {
  const store = await openReader(task.home);
  const verdict =
    task.kind === 'audit' ? await store.audit() : await verifyRange(store.log, task.from, task.to, { forgotten: new Set(task.forgotten) });
  await store.close();
  parentPort?.postMessage({ verdict });
} catch (cause) {
  parentPort?.postMessage({ fault: faultOf(cause) });
}
