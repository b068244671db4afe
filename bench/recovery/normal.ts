import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { maskSecrets, OPERATOR } from '@yarnboard/domain';
import { createLanguage } from '@yarnboard/language';
import { createEmergencyCache, folderPlace, openStore, tablesPlace, uuidFor } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { after } from '../../packages/server/src/board-seats.ts';
import { createEngine, type Engine } from '../../packages/server/src/engine/engine.ts';
import { createOutageWatch } from '../../packages/server/src/recovery/outage-watch.ts';
import { WrongResult } from '../measure/run.ts';
import { atLeast, layOut, type Verdict } from '../measure/table.ts';
import { median, timed } from './timed.ts';

/** What looking after the log costs while all is well: the same commands by an engine with it and by one without, in turns. */
export const benchNormal = async (folder: string): Promise<readonly Verdict[]> => {
  const [bare, watched] = [await open(join(folder, 'bare'), false), await open(join(folder, 'watched'), true)];
  const rates = { bare: [] as number[], watched: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Who goes first has the disk as the other left it.
    const order = round % 2 === 0 ? (['bare', 'watched'] as const) : (['watched', 'bare'] as const);
    for (const name of order) {
      const rate = await rateOf(name === 'bare' ? bare : watched, round);
      if (round > 0) rates[name].push(rate);
    }
  }
  await bare.close();
  await watched.close();
  const [without, with_] = [median(rates.bare), median(rates.watched)];
  console.log('');
  console.log(
    layOut([
      ['commands a second while all is well', 'median', 'slowest', 'fastest'],
      ...(['bare', 'watched'] as const).map((name) => [
        name === 'bare' ? 'without the outage watch' : 'with it',
        ...[median(rates[name]), Math.min(...rates[name]), Math.max(...rates[name])].map((rate) => rate.toFixed(0)),
      ]),
    ]),
  );
  return [atLeast(with_ / without, 0.97, 'normal operation against an engine without the outage watch')];
};

type Bench = { readonly engine: Engine; readonly close: () => Promise<void> };

const open = async (folder: string, isWatched: boolean): Promise<Bench> => {
  mkdirSync(folder, { recursive: true });
  const fail = (cause: unknown): never => {
    throw cause;
  };
  const store = await openStore(`sqlite:${join(folder, 'board.db')}`, {
    prices: DEFAULT_PRICES,
    now: () => Date.now(),
    newId: () => uuidFor(folder),
  });
  const places = [
    folderPlace({ name: 'home', survives: 'crashes', isLocal: true, folder: join(folder, 'home'), reserve: 0 }),
    tablesPlace(join(folder, 'cache.db')),
  ];
  const cache = createEmergencyCache({ places, patience: 60_000, onFault: fail });
  await cache.prepare();
  const watch = createOutageWatch({
    cache,
    boardId: store.log.boardId,
    serverId: 'bench',
    host: 'bench',
    version: '0',
    now: () => Date.now(),
    newId: () => uuidFor('cache'),
    after,
    log: store.log,
    look: async () => {
      await store.log.probe();
      return store.log.head();
    },
    probe: store.log.probe,
    append: (items) => store.log.append({ items, files: [] }),
    describe: () => ({ context: null, wouldDo: '' }),
    onFault: fail,
  });
  const engine = await createEngine({
    store,
    append: (items, decidedAt) => store.log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) }),
    now: () => Date.now(),
    snapshot: null,
    language: createLanguage({ mask: (text) => maskSecrets(text).text }),
    onFault: fail,
    ...(isWatched ? { outage: watch.port } : {}),
  });
  if (isWatched) watch.watch(engine, { changed: () => {}, queued: () => {}, settled: () => {} });
  const spawned = await engine.execute({
    command: { type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'talk' },
    actor: OPERATOR,
    messageId: 'spawn',
  });
  if (spawned.kind !== 'done') throw new WrongResult(JSON.stringify(spawned));
  return {
    engine,
    close: async () => {
      await watch.close();
      await engine.close();
      await cache.close();
      await store.close();
    },
  };
};

const rateOf = async ({ engine }: Bench, round: number): Promise<number> => {
  const { ms } = await timed(COMMANDS, CLIENTS, async (n) => {
    const command = { type: 'chat.say', sidebar: 'SB-1', content: `The ${n}th word of round ${round} is said, and more besides.` } as const;
    const { kind } = await engine.execute({ command, actor: OPERATOR, messageId: `${round}-${n}` });
    if (kind !== 'done') throw new WrongResult(`a command was ${kind}`);
  });
  return COMMANDS / (ms / 1000);
};

const CLIENTS = 16;
const COMMANDS = 2000;
const ROUNDS = 9;
