import { CRASHED_AFTER, contextIdOfSidebar, leftBehind, rowsOf, SYSTEM, type Board } from '@yarnboard/domain';
import { uuidFor, type LogPort } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import type { Follower } from './runner.ts';

export type CrashDutiesOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute'>;
  readonly log: Pick<LogPort, 'entriesBefore'>;
  readonly now: () => number;
};

/** CRASH-1: when an agent has been missing for a minute, those now responsible for its work are notified. */
export const crashDuties = ({ engine, log, now }: CrashDutiesOptions): Follower => ({
  name: 'crashes',
  pass: async () => {
    const board = engine.board();
    for (const { id, absence } of rowsOf(board.agents)) {
      if (absence?.kind !== 'lost' || now() - absence.since < CRASHED_AFTER || leftBehind(board, id).length === 0) continue;
      const lastWords = await lastWordsOf(log, board, id);
      await engine.execute({
        command: { type: 'agent.crash', agent: id, ...(lastWords === null ? {} : { lastWords }) },
        actor: SYSTEM,
        // The same on every server: only the first one has an effect.
        messageId: uuidFor(`crash|${id}|${absence.since}`),
        client: 'yarnboard',
      });
    }
    return null;
  },
  timing: { every: EVERY },
});

/** MSG-n of an agent's last message where it left something behind. */
const lastWordsOf = async (log: CrashDutiesOptions['log'], board: Board, agent: string): Promise<string | null> => {
  const said = await Promise.all(
    leftBehind(board, agent).map(async ({ sidebarId }) => {
      const entries = await log.entriesBefore(contextIdOfSidebar(sidebarId), Number.MAX_SAFE_INTEGER, LOOKED_AT);
      return entries.filter(({ type, sender }) => type === 'chat.message' && sender === agent);
    }),
  );
  const [last] = said.flat().toSorted((a, b) => b.position - a.position);
  return last?.refs.find((ref) => ref.startsWith('MSG-')) ?? null;
};

const EVERY = 5000;
const LOOKED_AT = 500;
