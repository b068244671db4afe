import type { ChainedEntry } from '@yarnboard/domain';
import { uuidFor, type LogPort } from '@yarnboard/store';

/** ENGINE-4: the ids of a command's entries derive from its sender and message id: they show that it was executed. */
export const idOf = (key: string, n: number): string => uuidFor(n === 0 ? key : `${key}|${n}`);

export const keyOf = (actorId: string, messageId: string): string => `command|${actorId}|${messageId}`;

/** All entries of an executed command: they are next to the one with its first id, in one commit. */
export const entriesOfCommand = async (log: LogPort, key: string, first: ChainedEntry): Promise<readonly ChainedEntry[]> => {
  const ids = new Set<string>();
  const knows = (uuid: string, upTo: number): boolean => {
    for (let n = ids.size; n <= upTo; n += 1) ids.add(idOf(key, n));
    return ids.has(uuid);
  };
  const found: ChainedEntry[] = [first];
  const start = Math.max(0, first.position - 1 - BEFORE);
  const before = await log.entriesAfter(start, first.position - 1 - start);
  for (const entry of before.toReversed()) {
    if (!knows(entry.uuid, BEFORE + SPARE)) break;
    found.unshift(entry);
  }
  for (let from = first.position; ;) {
    const more = await log.entriesAfter(from, STEP);
    const others = more.findIndex(({ uuid }, i) => !knows(uuid, found.length + i + SPARE));
    found.push(...(others < 0 ? more : more.slice(0, others)));
    if (others >= 0 || more.length === 0) return found;
    from += more.length;
  }
};

// Ids may be allocated and unused, and the first one need not belong to the first entry.
const SPARE = 100;
const BEFORE = 20;
const STEP = 200;
