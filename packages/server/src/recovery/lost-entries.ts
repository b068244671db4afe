import { currentNotes, openWrites, SYSTEM, WHILE_AWAY, type EmergencyAddition, type EmergencyDocument, type PendingWrite } from '@yarnboard/domain';
import { StoreFault, type Appended, type EmergencyCache, type Item, type LogPort } from '@yarnboard/store';
import type { Queued } from '../engine/waiting-room.ts';
import { emergencyItem, lastPlaceIn, resolvedId } from './emergency-entry.ts';
import { emptyDocument, pendingWriteOf, type DocumentFacts, type Words } from './pending-document.ts';
import { FORMER, LOST } from './present-names.ts';

export type LostEntriesOptions = DocumentFacts & {
  readonly cache: Pick<EmergencyCache, 'write' | 'add'>;
  readonly log: Pick<LogPort, 'entryByUuid'>;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
};

/** MANY-24: remembers the commands that this server knows to be on the log, and recovers them if a database without them takes the log's place. */
export type LostEntries = {
  /** These commands are done. */
  readonly note: (done: readonly Queued[]) => void;
  /** Something was forgotten, so its words must not be offered again. We don't search for it: all commands so far are dropped. */
  readonly forget: () => void;
  /** The log went back: caches the commands it no longer has, for the operator to replay. */
  readonly offer: () => Promise<void>;
  /** The original log is back: what was offered is on it after all. */
  readonly settle: () => Promise<void>;
  readonly cacheId: () => string | null;
  /** REC-3: the latest messages of each context. */
  readonly words: () => ReadonlyMap<string, Words>;
};

export const createLostEntries = (given: Omit<LostEntriesOptions, 'words'>): LostEntries => {
  const words = (): ReadonlyMap<string, Words> => wordsIn(done);
  const options: LostEntriesOptions = { ...given, words };
  const { cache, log, now } = options;
  let done: Queued[] = [];
  let weight = 0;
  let offered: EmergencyDocument | null = null;
  /** Whether any place has what is offered. */
  let isKept = false;
  let isLooking = false;
  let turn: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {}); // the caller reports it
    return mine;
  };

  const lostNow = async (): Promise<readonly Queued[]> => {
    const lost: Queued[] = [];
    for (const one of done) if (!isPassing(one) && (await log.entryByUuid(one.uuid)) === null) lost.push(one);
    return lost;
  };

  return {
    note: (more) => {
      done.push(...more);
      weight += more.reduce((sum, one) => sum + weightOf(one), 0);
      if (done.length < 2 * MOST && weight <= MOST_CHARACTERS) return;
      let from = Math.max(0, done.length - MOST);
      const heavy = done.map(weightOf);
      let kept = heavy.slice(from).reduce((sum, one) => sum + one, 0);
      for (; kept > MOST_CHARACTERS / 2 && from < done.length; from += 1) kept -= heavy[from] ?? 0;
      [done, weight] = [done.slice(from), kept];
    },
    forget: () => {
      [done, weight] = [[], 0];
    },
    offer: async () => {
      // The previous look is not finished, or has already offered everything.
      if (isLooking || isKept) return;
      isLooking = true;
      await inTurn(async () => {
        const lost = await lostNow();
        if (lost.length === 0) return;
        const document: EmergencyDocument = {
          // Under the same name as before: a place that is back may take an earlier attempt as well.
          ...(offered ?? emptyDocument({ ...options, reason: () => 'log_went_back' }, 'lost')),
          pendingWrites: lost.map((one, at) => lostWrite(pendingWriteOf({ ...one, n: at + 1 }, options.describe), one)),
        };
        offered = { ...document, recoveryNotes: currentNotes(document) };
        isKept = (await cache.write(offered)).durableIn.length > 0;
      }).finally(() => {
        isLooking = false;
      });
    },
    settle: () =>
      inTurn(async () => {
        if (offered === null) return;
        const { cacheId } = offered;
        const known: EmergencyAddition[] = [];
        for (const { uuid } of offered.pendingWrites) {
          const entry = await log.entryByUuid(uuid);
          if (entry !== null) known.push({ kind: 'outcome', uuid, outcome: { kind: 'known', position: entry.position, refs: entry.refs } });
        }
        await cache.add(cacheId, known);
        const outcomes = new Map(known.flatMap((one) => (one.kind === 'outcome' ? [[one.uuid, one.outcome] as const] : [])));
        const document = {
          ...offered,
          pendingWrites: offered.pendingWrites.map((write) => ({ ...write, outcome: outcomes.get(write.uuid) ?? write.outcome })),
        };
        [offered, isKept] = [null, false];
        if (openWrites(document).length > 0) return;
        const at = new Date(now()).toISOString();
        const over = {
          ...document,
          recoveryNotes: currentNotes(document),
          updatedAt: at,
          resolvedAt: at,
          resolutionNotes: 'The log that has them is back.',
        };
        await options.append([emergencyItem(over, { uuid: resolvedId(cacheId, lastPlaceIn(over)), isOver: true }, SERVER, now())]);
        await cache.write(over);
      }),
    cacheId: () => offered?.cacheId ?? null,
    words,
  };
};

/** MANY-25: checks that an acknowledged entry is still there, for any reader; `now` is where the log ends for that reader. */
export const refuseLostEnd = async (
  log: Pick<LogPort, 'entryAt'>,
  known: EmergencyDocument['head'],
  now: EmergencyDocument['head'],
): Promise<void> => {
  if (known.position === 0) return;
  const there = now.position === known.position ? now : now.position < known.position ? null : await log.entryAt(known.position);
  if (there?.checksum === known.checksum) return;
  throw new StoreFault(
    'went-back',
    `entry ${known.position} was acknowledged and is ${there === null ? 'gone' : 'another one now'}: the log ends at entry ${now.position}. Nothing is written to it. Bring back the database that has it; to go on without it, start yarnboard again`,
  );
};

/** Keeps the entry's old numbers: other entries may have the same ones by now. */
const lostWrite = (write: PendingWrite, { events }: Queued): PendingWrite => {
  const refs = events.flatMap((event) => event.refs);
  const was = `entry ${events[0]?.position ?? 0}${refs.length === 0 ? '' : ` (${refs.join(', ')})`}`;
  return {
    ...write,
    circumstances: { ...write.circumstances, [FORMER]: Object.fromEntries(events.flatMap((event) => event.refs.map((ref) => [ref, event.uuid]))) },
    wouldDo: `${write.wouldDo}; it was ${was}`,
    outcome: { kind: 'conflict', code: LOST, message: `it was ${was} of the log, and is gone from it` },
  };
};

const wordsIn = (done: readonly Queued[]): ReadonlyMap<string, Words> => {
  const words = new Map<string, Words[number][]>();
  for (const event of done.flatMap(({ events }) => events)) {
    if (event.type !== 'chat.message') continue;
    const { content } = event.payload;
    const text = content.length > MOST_OF_ONE ? `${content.slice(0, MOST_OF_ONE)}…` : content;
    const said = words.get(event.contextId) ?? [];
    words.set(event.contextId, [...said.slice(1 - MOST_WORDS), { ref: event.refs[0] ?? event.uuid, sender: event.by.id, text }]);
  }
  return words;
};

/**
 * Means nothing on another log: how far somebody had read, as a position on the log that is gone; who was there; and what Yarnboard does by itself, and
 * does again.
 */
const isPassing = ({ asked: { command, actor } }: Queued): boolean =>
  command.type === 'inbox.read' || (actor.id === SYSTEM.id && (command.type === 'agent.presence' || WHILE_AWAY[command.type] === 'blocked'));

/** A rough measure of its memory use. */
const weightOf = ({ asked: { command } }: Queued): number =>
  Object.values(command).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 100), 200);

const SERVER = { id: 'yarnboard', type: 'system' } as const;
/** As many as PostgreSQL's log keeps positions for. */
const MOST = 1024;
const MOST_WORDS = 10;
const MOST_OF_ONE = 400;
const MOST_CHARACTERS = 16_000_000;
