import type { OutputOf } from '@yarnboard/protocol';
import { reasonOf } from '@yarnboard/server/entrance';
import type { Merged, MergedBehind } from '@yarnboard/transcript';
import { glanceAt, type Glance } from '../board/glance.ts';
import { placeOf, type BoardChoice } from '../board/place.ts';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';

/** CLI-31: what sidebars merged into a session, by the record each merge follows. An unreadable board doesn't prevent reading a file. */
export const mergedOf = async (choice: BoardChoice, sessionId: string, io: Io): Promise<MergedBehind> => {
  try {
    return (await glanceAt(placeOf(choice, io), io, (glance) => mergesIn(glance, sessionId), 'memory.merged')) ?? new Map();
  } catch (cause) {
    io.err(`yarnboard: what sidebars merged into the session is not shown: ${reasonOf(cause)}\n`);
    return new Map();
  }
};

const mergesIn = async ({ ask }: Glance, id: string): Promise<MergedBehind> => {
  const behind = new Map<string, Merged[]>();
  for (let cursor: string | undefined; ;) {
    const answered = await ask('merges', { id, limit: 500, cursor });
    if (!answered.isDone) {
      // The board doesn't know this session, and so nothing in it.
      if (answered.problem.code === 'not-found') return behind;
      throw new Refusal(3, answered.problem.detail);
    }
    const { items, next_cursor: next } = answered.answer as OutputOf<'merges'>; // the same registry produced it
    for (const { after_uuid: after, sidebar_id: sidebar, content: text, is_forgotten: isForgotten, ...rest } of items) {
      const known = behind.get(after ?? '') ?? [];
      known.push({ ...rest, sidebar, text, isForgotten });
      behind.set(after ?? '', known);
    }
    if (next === null) return behind;
    cursor = next;
  }
};
