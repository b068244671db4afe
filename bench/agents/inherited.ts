import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { briefSeat } from '../../packages/server/src/runtimes/briefing.ts';
import { WrongResult } from '../measure/run.ts';
import type { Stage } from './seats.ts';

/** Milliseconds at best to onboard somebody and to brief a seat, by how many messages the sidebar inherited. */
export type Inherited = { readonly messages: number; readonly onboarding: number; readonly briefing: number };

/** Sidebars that hang on the last message of a session, each of another length. */
export const measureInherited = async (
  { board, ask }: Stage,
  scratch: string,
  lengths: readonly number[],
  rounds: number,
): Promise<readonly Inherited[]> => {
  const folder = join(scratch, 'sessions');
  for (const length of lengths) writeSession(folder, length);
  await board.writer.importPaths([folder]);
  await board.indexer.drain();
  await board.engine.follow();
  const places: { readonly messages: number; readonly ref: string }[] = [];
  for (const messages of lengths) {
    const { ref: last } = await ask('GET', `/messages/${uuidOf(messages, messages - 1)}`);
    const { ref } = await ask('POST', '/sidebars', { parent_id: last, task_description: `after ${messages} messages` });
    places.push({ messages, ref: String(ref) });
  }
  const best = new Map(places.map(({ messages }) => [messages, { onboarding: Infinity, briefing: Infinity }]));
  // They take turns; the best round of each counts.
  for (let round = 0; round < rounds * 5; round += 1) {
    for (const { messages, ref } of places) {
      const before = best.get(messages) ?? { onboarding: Infinity, briefing: Infinity };
      const onboarding = await timed(() => ask('GET', `/sidebars/${ref}/onboarding`));
      const briefing = await timed(() => brief({ board }, ref, messages));
      best.set(messages, { onboarding: Math.min(before.onboarding, onboarding), briefing: Math.min(before.briefing, briefing) });
    }
  }
  return places.map(({ messages }) => ({ messages, ...(best.get(messages) ?? { onboarding: 0, briefing: 0 }) }));
};

const brief = async ({ board }: Pick<Stage, 'board'>, ref: string, messages: number): Promise<void> => {
  const { engine } = board;
  const sidebar = engine.board().sidebars.get(engine.board().ids.get(ref) ?? '');
  if (sidebar === undefined) throw new WrongResult(`there is no ${ref}`);
  const { text } = await briefSeat({
    memory: engine.memory,
    board: engine.board(),
    sidebar,
    agent: 'AGENT-operator',
    upTo: engine.position(),
    now: Date.now(),
  });
  if (!text.includes(`message ${messages - 1} of`)) throw new WrongResult(`the briefing of ${ref} lacks what was said last`);
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

const uuidOf = (length: number, n: number): string => `${String(length).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;

const writeSession = (folder: string, length: number): void => {
  const sessionId = uuidOf(length, 999_999_999);
  const file = join(folder, '-home-ada-loom', `${sessionId}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const lines = Array.from({ length }, (_, n) =>
    JSON.stringify({
      parentUuid: n === 0 ? null : uuidOf(length, n - 1),
      isSidechain: false,
      userType: 'external',
      cwd: '/home/ada/loom',
      sessionId,
      version: '2.1.325',
      type: n % 2 === 0 ? 'user' : 'assistant',
      message:
        n % 2 === 0
          ? { role: 'user', content: `message ${n} of the loom: which thread is it?` }
          : {
              id: `m${length}-${n}`,
              role: 'assistant',
              model: 'claude-opus-4-5',
              content: [{ type: 'text', text: `message ${n} of the loom: the blue one.` }],
            },
      uuid: uuidOf(length, n),
      timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
    }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
};
