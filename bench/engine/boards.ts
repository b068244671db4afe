import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maskSecrets, OPERATOR, type Command } from '@yarnboard/domain';
import { createLanguage, createTriggerIndex } from '@yarnboard/language';
import { openStore, uuidFor, type Item } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { createEngine } from '../../packages/server/src/engine/engine.ts';
import type { Outcome } from '../../packages/server/src/engine/outcomes.ts';
import { WrongResult } from '../measure/run.ts';
import { createRandom } from '../tree/random.ts';
import { homeIn, refuse } from './home.ts';
import type { BoardPlan, Made } from './job.ts';
import { createTalk } from './talk.ts';

/** Where boards stay between runs: whoever starts one only reads it, or works on a copy. */
export const cachedBoard = (plan: BoardPlan): { readonly folder: string; readonly made: Made | null } => {
  const key = createHash('sha256')
    .update(JSON.stringify([BOARD_VERSION, plan]))
    .digest('hex')
    .slice(0, 12);
  const folder = join(tmpdir(), 'yarnboard-bench-engine-boards', `${plan.name}-${key}`);
  const note = join(folder, 'made.json');
  return { folder, made: existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as Made) : null }; // written by makeBoard
};

/** Makes a board with few, large commits: sessions straight into the store, everything that is decided by the engine. */
export const makeBoard = async (folder: string, plan: BoardPlan): Promise<Made> => {
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  const made = await fillBoard(part, plan);
  writeFileSync(join(part, 'made.json'), JSON.stringify(made));
  rmSync(folder, { recursive: true, force: true });
  renameSync(part, folder);
  return made;
};

const fillBoard = async (folder: string, plan: BoardPlan): Promise<Made> => {
  const home = homeIn(folder);
  mkdirSync(home.folder, { recursive: true });
  const store = await openStore(home.database, { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => uuidFor('bench'), isIndexing: true });
  const random = createRandom(plan.seed);
  const talk = createTalk(random);
  const engine = await createEngine({
    store,
    append: (items, decidedAt) => store.log.append({ items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) }),
    now: () => Date.now(),
    snapshot: null,
    language: createLanguage({ mask: (text) => maskSecrets(text).text }),
    createIndex: createTriggerIndex,
    onFault: refuse,
    limits: { batch: AT_ONCE },
  });
  let asked = 0;
  const run = async (commands: readonly Command[]): Promise<readonly string[]> => {
    const outcomes = await Promise.all(
      commands.map((command) => {
        asked += 1;
        return engine.execute({ command, actor: OPERATOR, messageId: `made-${asked}` });
      }),
    );
    return outcomes.map((outcome) => refIn(outcome));
  };

  const mixed = createMixed(talk, random, run);
  const sessionIds: string[] = [];
  const totalLines = plan.sessions.reduce((sum, { count, messages }) => sum + count * messages, 0);
  let lines = 0;
  let decidedMixed = 0;
  const keepUp = async (isLast: boolean): Promise<void> => {
    // Both kinds in turns, as on a board that grows.
    while (decidedMixed < (isLast ? plan.mixed : Math.floor((plan.mixed * lines) / totalLines))) {
      const before = (await store.log.head()).count;
      await mixed(Math.min(AT_ONCE, plan.mixed - decidedMixed));
      decidedMixed += (await store.log.head()).count - before;
    }
    if (plan.isIndexed) while ((await store.search.advance(AT_ONCE)) > 0);
  };
  for (const { count, messages } of plan.sessions) {
    for (let i = 0; i < count; i += 1) {
      const sessionId = random.uuid();
      if (i === 0) sessionIds.push(sessionId);
      for (const items of inParts(talk.lines(sessionId, messages), AT_ONCE)) {
        await store.log.append({ items, files: [] });
        lines += items.length;
        await keepUp(false);
      }
    }
  }
  await keepUp(true);

  const talkRefs = await run(plan.talks.map((count) => ({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: `${count} messages` })));
  for (const [i, count] of plan.talks.entries()) {
    for (let said = 0; said < count; said += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - said) }, () => sayIn(talkRefs[i] ?? '', talk.message(200)));
      await run(some);
    }
  }
  const chainRefs: string[] = [];
  for (let depth = 0; depth < plan.depth; depth += 1) {
    const parent = chainRefs.at(-1);
    const task = `level ${depth}`;
    const [ref = ''] = await run([
      parent === undefined
        ? { type: 'sidebar.spawn', origin: { kind: 'none' }, task }
        : { type: 'sidebar.spawn-child', sidebar: parent, upTo: null, task },
    ]);
    chainRefs.push(ref);
    await run([sayIn(ref, talk.message(200))]);
  }
  if (plan.isIndexed) {
    await keepUp(true);
    await store.search.settle();
  }
  const { count: entries } = await store.log.head();
  const made: Made = { entries, decided: entries - lines, sidebars: engine.board().sidebars.size(), sessionIds, talkRefs, chainRefs };
  await engine.close();
  await store.close();
  return made;
};

/** As a board has it: mostly talk, some findings of which many are confirmed, now and then a new sidebar, a waypoint. */
const createMixed = (
  talk: ReturnType<typeof createTalk>,
  random: ReturnType<typeof createRandom>,
  run: (commands: readonly Command[]) => Promise<readonly string[]>,
): ((about: number) => Promise<void>) => {
  let sidebars: readonly string[] = [];
  const some = (): string => sidebars[random.between(Math.max(0, sidebars.length - 200), sidebars.length - 1)] ?? '';
  return async (about) => {
    // A sidebar is two entries, one in fifty; a finding that is confirmed is two.
    const fresh = await run(
      Array.from({ length: Math.ceil(about / 100) }, () => ({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: talk.message(60) })),
    );
    sidebars = [...sidebars, ...fresh];
    const findings = Array.from({ length: Math.floor(about / 20) }, () => ({ sidebar: some(), content: talk.finding() }));
    const refs = await run(findings.map((finding) => ({ type: 'finding.submit', ...finding })));
    const done = fresh.length * 2 + findings.length * 2;
    await run([
      ...findings.map(({ sidebar }, i): Command => ({ type: 'finding.validate', sidebar, finding: refs[i] ?? '', status: 'confirmed' })),
      ...Array.from({ length: Math.floor(about / 500) }, (): Command => ({ type: 'gold.create', sourceRefs: [refs[0] ?? ''], ...talk.gold() })),
      ...Array.from({ length: Math.max(0, about - done - Math.floor(about / 500)) }, () => sayIn(some(), talk.message(200))),
    ]);
  };
};

export const sayIn = (sidebar: string, content: string): Command => ({ type: 'chat.say', sidebar, content });

export const refIn = (outcome: Outcome): string => {
  if (outcome.kind !== 'done') throw new WrongResult(`a command of the bench is not done: ${JSON.stringify(outcome)}`);
  return outcome.refs[0] ?? '';
};

function* inParts(items: Iterable<Item>, size: number): Generator<readonly Item[], void, void> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Another one when boards are made in another way. */
const BOARD_VERSION = 1;
const AT_ONCE = 4000;
