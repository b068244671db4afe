import { parentPort, workerData } from 'node:worker_threads';
import { createBuffer } from '@yarnboard/server';
import { digestGroup, takerOf, type WorkerTask } from './tree.ts';

// Entry point of a reading thread: takes sessions, smallest first, until none is left.
const { groups, taken, now } = workerData as WorkerTask; // only tree.ts posts it
const next = takerOf(taken, 'back');
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
