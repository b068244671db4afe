import { parentPort, workerData } from 'node:worker_threads';
import { faultOf, serve } from './rpc.ts';
import { makeWriter, type ThreadTask } from './threads.ts';
import type { WriterEvent } from './writer.ts';

// Entry point of the writer's thread.
if (parentPort !== null) {
  const port = parentPort;
  let send: (event: WriterEvent) => void = () => {};
  try {
    const writer = await makeWriter(workerData as ThreadTask, (event) => send(event)); // posted by threads.ts
    send = serve<WriterEvent>(port, {
      ...writer,
      close: async () => {
        await writer.close();
        setImmediate(() => port.close());
      },
    });
    port.postMessage({ ready: true });
  } catch (cause) {
    port.postMessage({ fault: faultOf(cause) });
  }
}
