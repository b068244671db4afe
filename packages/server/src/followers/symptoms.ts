import { ENTRY_TYPES, SYSTEM, type Entry } from '@yarnboard/domain';
import { sourceTextOf, StoreFault, uuidFor, type LogPort } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { createLogCursor } from './log-cursor.ts';
import type { Follower } from './runner.ts';

export type SymptomsOptions = {
  readonly log: LogPort;
  readonly engine: Pick<Engine, 'board' | 'execute' | 'match'>;
  readonly now: () => number;
};

/**
 * GOLD-8: searches new messages of Claude Code sessions for the symptoms of waypoints; old messages need no help any more. A waypoint is shown once
 * per session.
 */
export const watchSymptoms = async ({ log, engine, now }: SymptomsOptions): Promise<Follower> => {
  const shown = new Set<string>();

  const take = async (entries: readonly Entry[]): Promise<void> => {
    const fresh = entries.filter((entry) => isFresh(entry, now()));
    const payloads = await log.payloadsOf(fresh.map(({ position }) => position));
    for (const entry of fresh) await surface(entry, payloads.get(entry.position) ?? null);
  };

  const surface = async (entry: Entry, bytes: Uint8Array | null): Promise<void> => {
    // An unreadable record isn't a message.
    const text = entry.note === null ? sourceTextOf(entry, bytes).text.slice(0, MOST_TEXT) : '';
    for (const { gold, score, condition } of text === '' ? [] : engine.match(text).slice(0, MOST_SHOWN)) {
      const key = `surface|${gold}|${entry.sessionId}`;
      if (shown.has(key)) continue;
      const about = entry.refs[0] ?? entry.uuid;
      // The id is derived from what is shown where: it is logged once, even after a restart and by several servers.
      await engine.execute({
        command: { type: 'gold.surface', gold, contextId: entry.sessionId, score, condition, about },
        actor: SYSTEM,
        messageId: uuidFor(key),
      });
      shown.add(key);
    }
  };

  const cursor = createLogCursor({ log, batch: STEP, take });
  await cursor.skip().catch((cause: unknown) => {
    // REC-78: it starts at the end of the log, once that is available.
    if (!(cause instanceof StoreFault)) throw cause;
  });
  return {
    name: 'symptoms',
    pass: async () => {
      if (engine.board().golds.size() > 0) return cursor.advance();
      await cursor.skip();
      return null;
    },
  };
};

const isFresh = ({ type, copyOf, timestamp }: Entry, now: number): boolean =>
  type === ENTRY_TYPES.line && copyOf === null && now - timestamp < FRESH && timestamp - now < FRESH;

const STEP = 500;
const FRESH = 3_600_000;
const MOST_TEXT = 100_000;
const MOST_SHOWN = 3;
