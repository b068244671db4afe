import { parentPort, workerData } from 'node:worker_threads';
import { faultOf, serve } from './rpc.ts';
import { makeIndexer, type ThreadTask } from './threads.ts';

// Entry point of the indexer's thread.
if (parentPort !== null) {
  const port = parentPort;
  try {
    const indexer = await makeIndexer(workerData as ThreadTask); // posted by threads.ts
    serve<never>(port, {
      ...indexer,
      close: async () => {
        await indexer.close();
        setImmediate(() => port.close());
      },
    });
    port.postMessage({ ready: true });
  } catch (cause) {
    port.postMessage({ fault: faultOf(cause) });
  }
}
