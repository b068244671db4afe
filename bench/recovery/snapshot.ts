import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { maskSecrets, OPERATOR, type Command } from '@yarnboard/domain';
import { createLanguage } from '@yarnboard/language';
import { createEmergencyCache, folderPlace, openStore, tablesPlace, uuidFor } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { createEngine, type Engine } from '../../packages/server/src/engine/engine.ts';
import { createCacheKeeper } from '../../packages/server/src/recovery/queue-keeper.ts';
import { WrongResult } from '../measure/run.ts';
import { below, type Verdict } from '../measure/table.ts';

/** How long it takes to write down a large board when the log goes away, and whom that holds up. */
export const benchSnapshot = async (folder: string): Promise<readonly Verdict[]> => {
  mkdirSync(folder, { recursive: true });
  const store = await openStore(`sqlite:${join(folder, 'board.db')}`, {
    prices: DEFAULT_PRICES,
    now: () => Date.now(),
    newId: () => uuidFor('bench'),
  });
  const engine = await createEngine({
    store,
    append: (items, decidedAt) => store.log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) }),
    now: () => Date.now(),
    snapshot: null,
    language: createLanguage({ mask: (text) => maskSecrets(text).text }),
    limits: { batch: 500 },
    onFault: (cause) => {
      throw cause;
    },
  });
  await fill(engine);
  const cache = createEmergencyCache({
    places: [
      folderPlace({ name: 'home', survives: 'crashes', isLocal: true, folder: join(folder, 'home'), reserve: 0 }),
      folderPlace({ name: 'state', survives: 'a mount', isLocal: true, folder: join(folder, 'state'), reserve: 0 }),
      tablesPlace(join(folder, 'cache.db')),
    ],
    patience: 60_000,
    onFault: (cause) => {
      throw cause;
    },
  });
  await cache.prepare();
  const about = { boardId: store.log.boardId, serverId: 'bench', host: 'bench', version: '0' };
  const keeper = createCacheKeeper({
    ...about,
    cache,
    now: () => Date.now(),
    newId: () => uuidFor('cache'),
    board: engine.board,
    reason: () => 'working_memory_down',
    servicesDown: () => ['working_memory'],
    words: () => new Map(),
    describe: () => ({ context: null, wouldDo: '' }),
    head: () => ({ position: 1, checksum: '0'.repeat(64) }),
    limits: { writes: 10_000, bytes: 64 * 1024 * 1024 },
  });
  let isDone = false;
  const began = performance.now();
  keeper.begin();
  const written = keeper.settle([]).then(() => {
    isDone = true;
  });
  let longest = performance.now() - began;
  for (let last = performance.now(); !isDone;) {
    await setImmediate();
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
  }
  await written;
  const ms = performance.now() - began;
  const { documents } = await cache.find();
  const found = Object.keys(documents[0]?.sidebarSnapshots ?? {}).length;
  if (found !== SIDEBARS) throw new WrongResult(`${SIDEBARS} sidebars were at work, ${found} are in the cache`);
  await cache.close();
  await engine.close();
  await store.close();
  return [
    below(ms, 500, `${SIDEBARS} sidebars with ${FINDINGS} findings each are written down in three places`, 'ms'),
    below(longest, 50, 'the longest piece of that without a pause', 'ms'),
  ];
};

const fill = async ({ execute, board }: Engine): Promise<void> => {
  let asked = 0;
  const run = async (commands: readonly Command[]): Promise<void> => {
    const outcomes = await Promise.all(commands.map((command) => execute({ command, actor: OPERATOR, messageId: `made-${(asked += 1)}` })));
    const wrong = outcomes.find(({ kind }) => kind !== 'done');
    if (wrong !== undefined) throw new WrongResult(`a command was not done: ${JSON.stringify(wrong)}`);
  };
  await run(Array.from({ length: SIDEBARS }, (_, n): Command => ({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: `task ${n}` })));
  for (let n = 0; n < FINDINGS; n += 1)
    await run(
      Array.from({ length: SIDEBARS }, (_, i): Command => ({
        type: 'finding.submit',
        sidebar: `SB-${i + 1}`,
        content: `Part ${n} of module ${i} is read twice.`,
      })),
    );
  if (board().sidebars.size() !== SIDEBARS) throw new WrongResult('not all sidebars were made');
};

const SIDEBARS = 1000;
const FINDINGS = 20;
