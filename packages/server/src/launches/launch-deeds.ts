import { basename, dirname, join } from 'node:path';
import { assertNever, ENTRY_TYPES } from '@yarnboard/domain';
import { uuidFor, type Appended, type Item, type LogPort } from '@yarnboard/store';
import { inTime } from '../ingest/patience.ts';
import { itemOfDeed, type TurnClosed } from './deeds.ts';
import type { Happening, Launch } from './launch.ts';

/** What one line of a spool caused, ready for the log. */
export type Step = {
  readonly launch: Launch;
  readonly line: number;
  readonly at: number;
  /** Each with its index among all happenings of the line. The others did not matter. */
  readonly happenings: readonly (readonly [number, Happening])[];
};

export type DeedOptions = {
  readonly writer: {
    readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
    readonly followAlso: (path: string) => Promise<void>;
    readonly catchUp: () => Promise<void>;
  };
  readonly log: Pick<LogPort, 'entryByUuid'>;
  /** When a session's last record was written. */
  readonly lastAt: (sessionId: string) => Promise<number | null>;
  /** How long to wait for a session's files before closing its turn anyway. */
  readonly patience?: number;
};

/** Puts a step on the log. LAUNCH-5: reading a line again yields the same uuids, so nothing is logged twice. */
export const createDeeds =
  ({ writer, log, lastAt, patience = PATIENCE }: DeedOptions): ((step: Step) => Promise<void>) =>
  async (step) => {
    for (const [, happening] of step.happenings)
      if (happening.kind === 'moved' && happening.transcriptPath !== '')
        for (const root of rootsFor(happening.sessionId, happening.transcriptPath)) await writer.followAlso(root);
    const items = step.happenings.flatMap(([index, happening]) => {
      const item = itemOf(step, index, happening);
      return item === null ? [] : [{ item, happening }];
    });
    const [first] = items;
    // We append them together: if one is on the log, all are.
    if (first === undefined || (await log.entryByUuid(first.item.draft.uuid ?? '')) !== null) return;
    // LAUNCH-10: everything said in the turn goes on the log before the turn's end.
    if (items.some(({ happening }) => happening.kind === 'closed')) await inTime(writer.catchUp(), patience).catch(() => {}); // append reports faults
    const timely: Item[] = [];
    for (const { item, happening } of items) if (!(await isStale(happening, step.at))) timely.push(item);
    if (timely.length > 0) await writer.append(timely);

    // The session has continued since: the turn that is open now is not ours to close.
    async function isStale(happening: Happening, at: number): Promise<boolean> {
      return happening.kind === 'closed' && ((await lastAt(happening.sessionId)) ?? 0) > at;
    }
  };

const itemOf = ({ launch, line, at }: Step, index: number, happening: Happening): Item | null => {
  const { launchId } = launch;
  const uuid = uuidFor(`launch|${launchId}|${line}|${index}`);
  switch (happening.kind) {
    case 'started':
      return itemOfDeed({
        uuid,
        at,
        type: ENTRY_TYPES.launchStarted,
        sessionId: BOARD,
        payload: { launchId, pid: launch.launcher?.pid ?? null, cwd: launch.cwd },
      });
    case 'moved': {
      const { sessionId, from, source } = happening;
      return itemOfDeed({ uuid, at, type: ENTRY_TYPES.launchMoved, sessionId, payload: { launchId, from, source } });
    }
    case 'closed': {
      const { sessionId, status, isEnd, by } = happening;
      return itemOfDeed({ uuid, at, type: ENTRY_TYPES.turnClosed, sessionId, payload: { status, isEnd, by } satisfies TurnClosed });
    }
    case 'ended':
      return itemOfDeed({
        uuid,
        at,
        type: ENTRY_TYPES.launchEnded,
        sessionId: happening.sessionId ?? BOARD,
        payload: { launchId, state: launch.state, ...launch.exit },
      });
    case 'released':
    case 'wants-back':
    case 'taken-back':
      return null;
    default:
      return assertNever(happening);
  }
};

/**
 * LAUNCH-9: where to find a session's files. In Claude Code's own layout each project has a folder, and we follow all of it. Any other folder may be
 * someone's home directory, so there we follow only the session's own files.
 */
const rootsFor = (sessionId: string, transcriptPath: string): readonly string[] => {
  const folder = dirname(transcriptPath);
  return basename(dirname(folder)) === 'projects' ? [folder] : [transcriptPath, join(folder, sessionId)];
};

/** The session id of entries that belong to no session. */
const BOARD = 'board';
const PATIENCE = 10_000;
