import { rowsOf } from '@yarnboard/domain';
import { toWire } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { idOf, keyOf } from '../packages/server/src/engine/command-ids.ts';
import { sidebarView } from '../packages/server/src/operations/board/views.ts';
import { expectWhole, until } from './home.ts';
import { makeStage, randomOf, type Stage } from './live-stage.ts';
import { joinCrowd, type Acknowledged, type Member } from './sidebars-crowd.ts';
import { walkLog, type Walk } from './simulation/walk.ts';

// A short one in `npm run test:all`; one with 50 clients on 20 sidebars in `npm run soak`.
const IS_LONG = process.env['YARNBOARD_RUNS'] !== undefined;
const [CLIENTS, SIDEBARS, ROUNDS, MOST] = IS_LONG ? ([50, 20, 10, 40] as const) : ([10, 5, 3, 12] as const);
const AGENTS = 5;
const SEED = Number(process.env['YARNBOARD_SEED'] ?? 1);

test('[SIM-6] SIGKILL at random moments while many work in sidebars: what was acknowledged is there once, and what is served is what the log tells', async () => {
  const random = randomOf(SEED);
  const stage = await makeStage();
  await stage.start();
  const { people, sidebars } = await furnish(stage);
  const members = Array.from({ length: CLIENTS }, (_, n): Member => {
    const { agent, token } = people[n % people.length] ?? { agent: '', token: '' };
    return joinCrowd({ stage, agent, token, door: n % 2 === 0 ? 'socket' : 'http', sidebars, random: randomOf(SEED * 1000 + n) });
  });
  let isOver = false;
  const working = Promise.all(members.map((member) => member.work(() => isOver)));
  const done = (): number => members.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  /** Resolves when each has had so much done on the average. */
  const workFor = (each: number): Promise<true> => {
    const wanted = done() + CLIENTS * each;
    return until(() => (done() >= wanted ? true : null));
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await workFor(2 + MOST * random());
    await stage.end('SIGKILL');
    await stage.start();
  }
  await workFor(MOST / 2);
  isOver = true;
  await working;

  const store = await stage.home.open();
  const walk = await until(async () => {
    const heard = new Set(members.flatMap((member) => (member.isListening ? [member.heard.at(-1)?.seq] : [])));
    if (heard.size > 1) return null;
    const read = await walkLog(store, () => null);
    return heard.has(read.events.at(-1)?.position) ? read : null;
  });
  expect(await servedBy(stage, walk)).toEqual(foldedFrom(walk));
  for (const member of members) member.close();
  expect(walk.complaints).toEqual([]);
  expect(await expectWhole(store)).toBeGreaterThanOrEqual(walk.entries.length);
  const acknowledged = members.flatMap((member) => member.acknowledged);
  expect(lost(acknowledged, walk).slice(0, 5)).toEqual([]);
  expect(saidTwice(walk)).toEqual([]);
  const positions = walk.events.map(({ position }) => position);
  for (const { heard, isListening } of members) expect(heard.map(({ seq }) => seq)).toEqual(isListening ? positions : []);
  expect(acknowledged.length).toBeGreaterThan(CLIENTS * ROUNDS);
  expect(members.reduce((sum, { again }) => sum + again(), 0)).toBeGreaterThan(0);
  await store.close();
  expect(await stage.end('SIGTERM')).toBe(0);
  expect(stage.home.run('verify')).toMatchObject({ status: 0 });
});

type Person = { readonly agent: string; readonly token: string };

const furnish = async (stage: Stage): Promise<{ readonly people: readonly Person[]; readonly sidebars: readonly string[] }> => {
  const people: Person[] = [{ agent: 'AGENT-operator', token: stage.token() }];
  for (let n = 1; n <= AGENTS; n += 1) {
    const { agent_id: agent, token } = await stage.ask('agent_register', { agent_id: `worker_${n}` });
    people.push({ agent, token });
  }
  const participants = people.slice(1).map(({ agent }) => agent);
  const sidebars: string[] = [];
  for (let n = 0; n < SIDEBARS; n += 1) {
    const parent = n % 3 === 2 ? (sidebars[n - 1] ?? null) : null;
    const { ref } = await stage.ask('sidebar_spawn', { parent_id: parent, task_description: `work ${n}`, participants });
    sidebars.push(ref ?? '');
  }
  return { people, sidebars };
};

const servedBy = async (stage: Stage, { board }: Walk): Promise<readonly object[]> =>
  Promise.all(rowsOf(board.sidebars).map(({ ref }) => stage.ask('sidebar', { sidebar_id: ref })));

const foldedFrom = ({ board }: Walk): readonly unknown[] => rowsOf(board.sidebars).map((sidebar) => toWire(sidebarView(board, sidebar)));

/** Those of which the log does not have what was told. */
const lost = (acknowledged: readonly Acknowledged[], { entries }: Walk): readonly Acknowledged[] => {
  const places = new Map(entries.map(({ uuid, position }) => [uuid, position]));
  return acknowledged.filter(({ agent, messageId, seq, refs }) => {
    const first = places.get(idOf(keyOf(agent, messageId), 0));
    if (first === undefined || (seq !== null && seq < first)) return true;
    const made = entries.slice(first - 1, seq ?? first).flatMap((entry) => entry.refs);
    return refs.some((ref) => !made.includes(ref));
  });
};

/** What each says has a word of its own in it. */
const saidTwice = ({ events }: Walk): readonly string[] => {
  const texts = events.flatMap((event) => (event.type === 'chat.message' || event.type === 'finding.submitted' ? [event.payload.content] : []));
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
};
