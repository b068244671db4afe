import { ENTRY_TYPES } from '@yarnboard/domain';
import { NOWHERE, recordOf, type Item, type Store } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';
import { syntheticOf, type Synthetic } from './convert-records.ts';
import { initialConverter, observe } from './convert.ts';
import { entriesOfSession, recordsAt } from '../sessions/log-records.ts';
import { lineItem, type RunSettled } from './run-entries.ts';

export type ReconcileOptions = {
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly append: (items: readonly Item[]) => Promise<unknown>;
  /** Reads new lines of the files; resolves when they are on the log. */
  readonly catchUp: () => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
  /** How long to wait for the files, and how often to check them meanwhile; in milliseconds. */
  readonly grace?: number;
  readonly every?: number;
  readonly signal?: AbortSignal;
};

/** The part of the log that holds a run's records. */
export type Stretch = { readonly sessions: readonly string[]; readonly from: number; readonly to: number };

type Told = {
  readonly uuid: string;
  readonly position: number;
  readonly synthetic: Synthetic | null;
  /** The call that began the record's conversation; null for the main one. */
  readonly owner: string | null;
};

/**
 * RUN-11: a message that came by the stream and by its file is one message, and the file's line gets the number. If the wait ends and no file has a
 * record, the record becomes a line itself, so that everything said has a number. Null when cancelled.
 */
export const reconcile = async (stretch: Stretch, options: ReconcileOptions): Promise<Omit<RunSettled, 'runId'> | null> => {
  const { store, append, catchUp, wait, now, grace = GRACE, every = EVERY, signal } = options;
  const { log } = store;
  const { told, agents } = await readStretch(stretch, store);
  const real = told.filter(({ synthetic }) => synthetic === null);
  const isThere = async ({ uuid }: Told): Promise<boolean> => (await log.entryByUuid(uuid)) !== null;

  let missing = await without(real, isThere);
  for (let waited = 0; missing.length > 0 && waited <= grace; waited += every) {
    if (signal?.aborted === true) return null;
    await catchUp();
    missing = await without(missing, isThere);
    if (missing.length > 0) await wait(every);
  }
  if (signal?.aborted === true) return null;

  const isMissing = new Set(missing.map(({ uuid }) => uuid));
  const threads = await threadsIn(
    stretch,
    store,
    real.filter(({ uuid }) => !isMissing.has(uuid)),
    agents,
  );
  const wanted = told.filter((one) => (one.synthetic === null ? isMissing.has(one.uuid) : !threads.isFromFile(one.owner)));
  for (let at = 0; at < wanted.length; at += STEP) {
    const some = wanted.slice(at, at + STEP);
    const records = await recordsAt(
      log,
      some.map(({ position }) => position),
    );
    const items = some.flatMap(({ position, owner }) => {
      const record = records.get(position);
      return record === undefined ? [] : [lineItem(record, now(), owner === null ? null : (agents.get(owner) ?? null))]; // forgotten meanwhile: it stays forgotten
    });
    await append(items);
  }
  return { fromFiles: real.length - missing.length, fromStream: wanted.length };
};

/** Reads all records of the stretch, and which agent each call began. */
const readStretch = async (
  stretch: Stretch,
  store: ReconcileOptions['store'],
): Promise<{ readonly told: readonly Told[]; readonly agents: ReadonlyMap<string, string> }> => {
  const told: Told[] = [];
  let converter = initialConverter({});
  for await (const { position, record } of streamedIn(stretch, store)) {
    const reading = readEntry(record, NOWHERE);
    if (reading.uuid === null) continue;
    converter = observe(converter, record);
    told.push({ uuid: reading.uuid, position, synthetic: syntheticOf(record), owner: reading.more?.parentToolUseId ?? null });
  }
  return { told: told.sort((a, b) => a.position - b.position), agents: converter.agents };
};

type Streamed = { readonly position: number; readonly record: JsonObject };

/** The streamed records, session by session. */
const streamedIn = async function* ({ sessions, from, to }: Stretch, { log }: ReconcileOptions['store']): AsyncGenerator<Streamed> {
  for (const sessionId of sessions) {
    for await (const page of entriesOfSession(log, sessionId, from - 1)) {
      for (const { entry, bytes } of page) {
        const record = entry.type === ENTRY_TYPES.streamed && entry.position <= to ? recordOf({ note: null }, bytes) : null;
        if (record !== null) yield { position: entry.position, record };
      }
      if ((page.at(-1)?.entry.position ?? to) >= to) break;
    }
  }
};

// A record we made up is needed only if no file has any of that conversation.
const threadsIn = async (
  { sessions }: Stretch,
  { library }: ReconcileOptions['store'],
  found: readonly Told[],
  agents: ReadonlyMap<string, string>,
) => {
  const fromFiles = new Set(found.map(({ owner }) => owner));
  const known = new Set<string>();
  for (const sessionId of sessions) for (const { agentId, messages } of await library.agents(sessionId)) if (messages > 0) known.add(agentId);
  return {
    isFromFile: (owner: string | null): boolean => {
      if (fromFiles.has(owner)) return true;
      if (owner === null) return false;
      const agentId = agents.get(owner);
      // For an agent without a name we have only the call, which is in the main conversation.
      return agentId === undefined ? fromFiles.has(null) : known.has(agentId);
    },
  };
};

const without = async (all: readonly Told[], isThere: (one: Told) => Promise<boolean>): Promise<readonly Told[]> => {
  const left: Told[] = [];
  for (const one of all) if (!(await isThere(one))) left.push(one);
  return left;
};

const GRACE = 10_000;
const EVERY = 500;
const STEP = 500;
