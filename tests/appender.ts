// Appends to a log until it is killed, and says of every entry that it is durable: its position and uuid, one line each. With `again`, what was refused is
// told with a `!` and sent again under the same uuid, as a client would; whoever is refused ten times in a row gives up.
import { randomUUID } from 'node:crypto';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { draftOfLine, openStore, type Item } from '@yarnboard/store';
import { createAppendQueue } from '../packages/server/src/threads/queue.ts';

const [database = '', writers = '8', again = ''] = process.argv.slice(2);
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
    const position = await appended({ draft, payload: Buffer.from(uuid), reading: null });
    process.stdout.write(`${position} ${uuid}\n`);
  }
};

const appended = async (item: Item): Promise<number> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await queue.append([item]))[0]?.position ?? 0;
    } catch (cause) {
      if (again === '' || tries === 10) throw cause;
      process.stdout.write(`! ${item.draft.uuid ?? ''}\n`);
    }
  }
};

await Promise.all(Array.from({ length: Number(writers) }, write));
