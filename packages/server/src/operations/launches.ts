import type { InputOf } from '@yarnboard/protocol';
import { timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { pageOf } from './request/cursor.ts';
import type { Launches } from '../launches/launches.ts';

export type LaunchesNeeds = { readonly launches: Pick<Launches, 'list'> };

/** LAUNCH-15 */
export const listLaunches = async (needs: LaunchesNeeds, { limit, cursor }: InputOf<'launches'>): Answer<'launches'> => {
  const { items, nextCursor } = pageOf(needs.launches.list(), limit, cursor);
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
