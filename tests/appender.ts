// Appends to a log until it is killed, and says of every entry that it is durable: its position and uuid, one line each.
import { randomUUID } from 'node:crypto';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { draftOfLine, openStore } from '@yarnboard/store';
import { createAppendQueue } from '../packages/server/src/threads/queue.ts';

const [database = '', writers = '8'] = process.argv.slice(2);
const store = await openStore(database, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => randomUUID() });
const queue = createAppendQueue(store.log);
const line = draftOfLine({
  context: { sessionId: 'appender', agentId: null },
  reading: null,
  fault: 'none',
  length: 1,
  occurrence: 1,
  fallbackAt: 1,
});

const write = async (): Promise<void> => {
  for (;;) {
    const uuid = randomUUID();
    const draft = { ...line, uuid, occurrence: null, numbers: ['MSG'] as const, note: null };
    const [result] = await queue.append([{ draft, payload: Buffer.from(uuid), reading: null }]);
    process.stdout.write(`${result?.position ?? 0} ${uuid}\n`);
  }
};
await Promise.all(Array.from({ length: Number(writers) }, write));
