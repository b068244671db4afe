import { parentPort, workerData } from 'node:worker_threads';
import { createBuffer } from './group.ts';
import { digestGroup, nextOf, type WorkerTask } from './tree.ts';

// Entry point of a reading thread: takes sessions from the shared counter until none is left.
const { groups, counter, now } = workerData as WorkerTask; // posted by tree.ts and by nobody else
const next = nextOf(counter);
const buffer = createBuffer();
for (let group = groups[next()]; group !== undefined; group = groups[next()]) {
  const result = digestGroup(group, now, buffer);
  const { responses, ownUuids, ownTimes, sideUuids, otherUuids, toolIds, pairedToolIds } = result.digest.across;
  const columns = [responses.messageIds, responses.requestIds, responses.modelOf, responses.sidechainOf, responses.numbers];
  parentPort?.postMessage(
    result,
    [...columns, ownUuids, ownTimes, sideUuids, otherUuids, toolIds, pairedToolIds].map((column) => column.buffer as ArrayBuffer),
  );
}
