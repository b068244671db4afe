import { ENTRY_TYPES, SYSTEM, type Entry } from '@yarnboard/domain';
import { recordOf, searchTextOf, uuidFor, type LogPort } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';

export type SymptomsOptions = {
  readonly log: LogPort;
  readonly engine: Pick<Engine, 'board' | 'execute' | 'match'>;
  readonly now: () => number;
  readonly onFault: (cause: unknown) => void;
};

export type Symptoms = {
  /** Something was committed. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
};

/**
 * GOLD-8: what is said in Claude Code sessions is looked through for the symptoms that waypoints name, while it is being said: what was said long ago
 * needs no help any more. A waypoint is shown once in a session.
 */
export const watchSymptoms = async ({ log, engine, now, onFault }: SymptomsOptions): Promise<Symptoms> => {
  let at = (await log.head()).count;
  let isLooking = false;
  let isWoken = false;
  let isClosed = false;
  let looking: Promise<void> = Promise.resolve();
  const shown = new Set<string>();

  const look = async (): Promise<void> => {
    do {
      isWoken = false;
      if (engine.board().golds.size() === 0) {
        at = (await log.head()).count;
        continue;
      }
      const entries = await log.entriesAfter(at, STEP);
      const fresh = entries.filter((entry) => isFresh(entry, now()));
      const payloads = await log.payloadsOf(fresh.map(({ position }) => position));
      for (const entry of fresh) await surface(entry, payloads.get(entry.position) ?? null);
      // Only now: what could not be said is tried again with the next commit.
      at = entries.at(-1)?.position ?? at;
      if (entries.length === STEP) isWoken = true;
    } while (isWoken && !isClosed);
  };

  const surface = async (entry: Entry, bytes: Uint8Array | null): Promise<void> => {
    const record = recordOf(entry, bytes);
    const text = record === null ? '' : searchTextOf(record).slice(0, MOST_TEXT);
    for (const { gold, score, condition } of text === '' ? [] : engine.match(text).slice(0, MOST_SHOWN)) {
      const key = `surface|${gold}|${entry.sessionId}`;
      if (shown.has(key)) continue;
      const about = entry.refs[0] ?? entry.uuid;
      // The id is made of what is shown where: it is said once, also after a restart and by several servers.
      await engine.execute({
        command: { type: 'gold.surface', gold, contextId: entry.sessionId, score, condition, about },
        actor: SYSTEM,
        messageId: uuidFor(key),
      });
      shown.add(key);
    }
  };

  return {
    wake: () => {
      isWoken = true;
      if (isLooking || isClosed) return;
      isLooking = true;
      looking = look()
        .catch(onFault) // the next commit tries again
        .finally(() => {
          isLooking = false;
        });
    },
    close: async () => {
      isClosed = true;
      await looking;
    },
  };
};

const isFresh = ({ type, copyOf, timestamp }: Entry, now: number): boolean =>
  type === ENTRY_TYPES.line && copyOf === null && now - timestamp < FRESH && timestamp - now < FRESH;

const STEP = 500;
const FRESH = 3_600_000;
const MOST_TEXT = 100_000;
const MOST_SHOWN = 3;
