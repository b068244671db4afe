import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { maskSecrets, OPERATOR, type Command } from '@yarnboard/domain';
import { createLanguage, createTriggerIndex } from '@yarnboard/language';
import { openStore } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { createEngine, type Engine } from '../../packages/server/src/engine/engine.ts';
import { WrongResult } from '../measure/run.ts';
import { createRandom } from '../tree/random.ts';
import { refIn, sayIn } from './boards.ts';
import { openAt, refuse } from './home.ts';
import { measureBareHttp, measureHttp } from './http.ts';
import type { CommandsOrder, CommandsResult, Spent } from './job.ts';
import { commitRaw, rowsOnLog, startWatch } from './raw.ts';
import { createTalk } from './talk.ts';

/** Durable commands of many clients, against the same rows without anything around them, and over HTTP. */
export const measureCommands = async (order: CommandsOrder): Promise<CommandsResult> => {
  const { folder, clients, commands, rounds } = order;
  const best = { engine: NEVER, alone: NEVER, raw: NEVER, http: Infinity, bareHttp: Infinity };
  let shared = 0;
  let bytes = 0;
  // They take turns, so that a busy moment of the machine hits all of them.
  for (let round = 0; round < rounds; round += 1) {
    const place = join(folder, `commands-${clients}-${round}`);
    const ours = await executeAll(await openAt(place, order.programs), order);
    shared = commands / ours.commits;
    best.engine = quicker(best.engine, ours.spent);
    const rows = await rowsOnLog(place, ours.from);
    if (rows.length !== commands) throw new WrongResult(`${commands} commands of ${clients} clients: ${rows.length} entries behind ${ours.from}`);
    bytes = rows.reduce((sum, [, , payload]) => sum + (payload?.length ?? 0), 0);
    best.raw = quicker(best.raw, commitRaw(join(folder, 'raw.db'), rows, clients));
    rmSync(place, { recursive: true });
    const alone = await executeAll(await openAlone(join(folder, 'alone.db')), order);
    best.alone = quicker(best.alone, alone.spent);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `alone.db${suffix}`), { force: true });
    const http = join(folder, `http-${clients}-${round}`);
    const { seconds, answerBytes } = await measureHttp(http, order);
    best.http = Math.min(best.http, seconds);
    rmSync(http, { recursive: true });
    best.bareHttp = Math.min(best.bareHttp, await measureBareHttp(order, answerBytes));
  }
  const perSecond = (seconds: number): number => commands / seconds;
  const cpuEach = ({ cpu }: Spent): number => (cpu / commands) * 1e6;
  return {
    clients,
    commands,
    bytesEach: bytes / commands,
    shared,
    engine: perSecond(best.engine.seconds),
    alone: perSecond(best.alone.seconds),
    raw: perSecond(best.raw.seconds),
    cpu: { engine: cpuEach(best.engine), alone: cpuEach(best.alone), raw: cpuEach(best.raw) },
    http: perSecond(best.http),
    bareHttp: perSecond(best.bareHttp),
  };
};

const quicker = (a: Spent, b: Spent): Spent => (b.seconds < a.seconds ? b : a);
const NEVER: Spent = { seconds: Infinity, cpu: Infinity };

type Ours = { readonly spent: Spent; readonly commits: number; readonly from: number };

type Opened = { readonly engine: Engine; readonly close: () => Promise<void> };

/** The engine on a store in its own thread: nobody searches, listens or watches. */
const openAlone = async (path: string): Promise<Opened> => {
  const store = await openStore(`sqlite:${path}`, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => 'bench' });
  const engine = await createEngine({
    store,
    append: (items, decidedAt) => store.log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) }),
    now: () => Date.now(),
    snapshot: null,
    language: createLanguage({ mask: (text) => maskSecrets(text).text }),
    createIndex: createTriggerIndex,
    onFault: refuse,
  });
  return {
    engine,
    close: async () => {
      await engine.close();
      await store.close();
    },
  };
};

const executeAll = async (board: Opened, { clients, commands, seed }: CommandsOrder): Promise<Ours> => {
  const { engine } = board;
  const sidebars = await spawnSome(engine);
  const talk = createTalk(createRandom(seed));
  const asked = Array.from({ length: commands }, (_, i) => sayIn(sidebars[i % sidebars.length] ?? '', talk.message(CHARACTERS)));
  const from = engine.position();
  let commits = 0;
  const stop = engine.onCommitted(() => {
    commits += 1;
  });
  const seqs = new Set<number>();
  let next = 0;
  const client = async (): Promise<void> => {
    for (let command = asked[next]; command !== undefined; command = asked[next]) {
      next += 1;
      const outcome = await engine.execute({ command, actor: OPERATOR, messageId: `bench-${next}` });
      if (outcome.kind === 'done') seqs.add(outcome.seq);
    }
  };
  const watch = startWatch();
  await Promise.all(Array.from({ length: clients }, client));
  const spent = watch();
  stop();
  await board.close();
  if (seqs.size !== commands) throw new WrongResult(`${commands} commands of ${clients} clients: ${seqs.size} acknowledged`);
  return { spent, commits, from };
};

const spawnSome = async (engine: Engine): Promise<readonly string[]> => {
  const spawn: Command = { type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'why is login slow?' };
  const outcomes = Array.from({ length: SIDEBARS }, (_, i) => engine.execute({ command: spawn, actor: OPERATOR, messageId: `spawn-${i}` }));
  return (await Promise.all(outcomes)).map(refIn);
};

const SIDEBARS = 8;
export const CHARACTERS = 200;
