import type { InputOf } from '@yarnboard/protocol';
import { timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { pageOf } from './request/cursor.ts';
import type { Desk } from './desk.ts';

/** LAUNCH-15 */
export const listLaunches = async (desk: Desk, { limit, cursor }: InputOf<'launches'>): Answer<'launches'> => {
  const { items, nextCursor } = pageOf(desk.launches.list(), limit, cursor);
  return {
    items: items.map(({ launchId, launcher, sessionId, transcripts, state, cwd, startedAt, endedAt, exit }) => ({
      launchId,
      pid: launcher?.pid ?? null,
      sessionId,
      sessions: [...transcripts.keys()],
      state,
      cwd,
      startedAt: timeOf(startedAt),
      endedAt: timeOf(endedAt),
      exit,
    })),
    nextCursor,
  };
};
