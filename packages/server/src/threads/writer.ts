import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { draftOfDeed, ENTRY_TYPES, type Draft } from '@yarnboard/domain';
import { forgottenIn, readingOf, type Appended, type Integrity, type Item, type MediaPort, type Store } from '@yarnboard/store';
import { DIALECTS, type Dialects } from '@yarnboard/transcript';
import { createRunner, type FollowerState } from '../followers/runner.ts';
import { tidying } from '../followers/tidying.ts';
import type { Home } from '../home/home.ts';
import { reasonOf } from '../home/reason.ts';
import { createIngest, type ImportCounts, type PendingSession, type Progress, type Trouble } from '../ingest/ingest.ts';
import { createLive, type LiveState } from '../ingest/live.ts';
import { createCheckpoints } from './checkpoints.ts';
import { epochDraft } from './epoch.ts';
import { createAppendQueue } from './queue.ts';
import { verifyLog, type Verdict } from './verification.ts';
import { createFailings } from './failings.ts';
import { watchWriting } from './write-watch.ts';

export type WriterEvent =
  /** `isDecided`: only decisions of people and agents, which are in no session. */
  | { readonly kind: 'committed'; readonly position: number; readonly isDecided: boolean }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'pending'; readonly sessions: readonly PendingSession[] }
  | { readonly kind: 'state'; readonly state: LiveState }
  | { readonly kind: 'dropped'; readonly positions: readonly number[] }
  /** The writer's other tasks, failing or recovered: `writing` itself, `checkpoints`. */
  | { readonly kind: 'task'; readonly state: FollowerState };

export type WriterOptions = {
  readonly home: Home;
  readonly store: Store;
  readonly now: () => number;
  readonly newId: () => string;
  readonly roots: readonly string[];
  readonly isExcluded: (path: string, project: string | null) => boolean;
  readonly onEvent: (event: WriterEvent) => void;
  readonly sweepEvery?: number;
  readonly dialects?: Dialects;
};

export type Repaired = {
  readonly backup: string | null;
  readonly rebuilt: number;
  readonly added: number;
  readonly verdict: Verdict;
  readonly integrity: Integrity;
};

/** The writer of a board. Its inputs and outputs are plain data: it may live in a thread of its own. */
export type Writer = {
  readonly append: (items: readonly Item[], decidedAt?: number) => Promise<readonly Appended[]>;
  /** Finds out whether the log is writable; throws if it isn't. */
  readonly probe: () => Promise<void>;
  readonly importPaths: (paths: readonly string[]) => Promise<ImportCounts>;
  readonly stopImport: () => Promise<void>;
  /** Imports existing files, then follows them until it is closed. Resolves when it begins to follow. */
  readonly follow: () => Promise<ImportCounts | null>;
  readonly poke: () => Promise<void>;
  /** Follows another folder or file, unless it is below one that is followed already. */
  readonly followAlso: (path: string) => Promise<void>;
  /** Checks all files, and resolves when their contents are on the log. */
  readonly catchUp: () => Promise<void>;
  readonly forget: (hash: string, by: string) => Promise<{ readonly isDropped: boolean; readonly position: number | null }>;
  readonly rebuild: (sessionId: string | null) => Promise<{ readonly entries: number }>;
  readonly repair: (sessionId: string, paths: readonly string[]) => Promise<Repaired>;
  readonly backup: (path: string) => Promise<void>;
  readonly putMedia: MediaPort['put'];
  readonly finishMedia: MediaPort['finish'];
  readonly abandonMedia: MediaPort['abandon'];
  readonly claimMedia: MediaPort['claim'];
  readonly sweepMedia: MediaPort['sweep'];
  readonly dropMedia: MediaPort['drop'];
  readonly troubles: () => Promise<readonly Trouble[]>;
  readonly close: () => Promise<void>;
};

export const createWriter = async (options: WriterOptions): Promise<Writer> => {
  const { home, store, now, onEvent, dialects = DIALECTS } = options;
  const { library } = store;
  const watch = watchWriting({ log: store.log, now, onChange: (state) => onEvent({ kind: 'task', state }) });
  const { log } = watch;
  const checkpoints = createCheckpoints(home, log.boardId, now);
  let signedCount = checkpoints.latest()?.count ?? 0;
  let signedAt = 0;
  let importing = new AbortController();

  const sign = async (): Promise<void> => {
    const head = await log.head();
    if (head.count === signedCount) return;
    checkpoints.write(head);
    signedCount = head.count;
    signedAt = now();
  };

  // Reported on failure, and on the next success.
  let isTidyTold = false;
  const tellTidying = (): void => {
    const state = tidier.state();
    if (isTidyTold || state.failure !== null) onEvent({ kind: 'task', state });
    isTidyTold = state.failure !== null;
  };
  const packs = tidying(log);
  const tidier = createRunner(
    {
      ...packs,
      pass: async (signal) => {
        const next = await packs.pass(signal);
        if (isTidyTold) setImmediate(tellTidying);
        return next;
      },
    },
    { onFault: () => setImmediate(tellTidying), wallClock: now },
  );

  const noteHead = async (): Promise<void> => checkpoints.note(await log.head());

  const committed = (results: readonly Appended[], isDecided = false): void => {
    // With other writers, this would cost another query per commit: there it is noted when it is signed.
    if (!store.capabilities.isSharedByServers) void noteHead().catch(() => {}); // the next commit retries; earlier notes still hold
    const last = results.reduce((highest, { position }) => Math.max(highest, position), 0);
    onEvent({ kind: 'committed', position: last, isDecided });
    tidier.wake();
    // LIFE-83: the clock may have been set back by more than that.
    if (Math.abs(now() - signedAt) > SIGN_EVERY) void signOrTell();
  };

  let signed = 0;
  let signingFailure: FollowerState['failure'] = null;
  /** SRV-35: the next commit retries; until then, health reports that new entries aren't signed. */
  const signOrTell = async (): Promise<void> => {
    const before = signingFailure;
    try {
      await sign();
      signed += 1;
      signingFailure = null;
    } catch (cause) {
      signingFailure = { why: reasonOf(cause), since: before?.since ?? now(), times: (before?.times ?? 0) + 1 };
    }
    if (before?.why !== signingFailure?.why) onEvent({ kind: 'task', state: { name: 'checkpoints', passes: signed, failure: signingFailure } });
  };

  // LOG-32: before anyone reads or writes, so that nobody continues from a position that has changed its meaning.
  const lost = await checkpoints.lookBack(log);
  if (lost !== null) {
    const { count } = await log.head();
    const note = { by: 'found', had: count, why: lost.why } as const;
    await log.append({ items: [{ draft: epochDraft(note, options.newId(), now()), payload: null, reading: null }], files: [] });
    const head = await log.head();
    checkpoints.write(head, true);
    signedCount = head.count;
  }

  // After a crash between the announcing entry and the deletion, the promise is kept now.
  for (const hash of await forgottenIn(log)) if ((await log.payloadByHash(hash)) !== null) await log.dropPayload(hash);

  const queue = createAppendQueue(log, committed);
  const roots = [...options.roots];
  const failings = createFailings(now, (state) => onEvent({ kind: 'task', state }));
  let isServing = false;
  const ingest = await createIngest({
    log,
    isAlone: () => !isServing,
    isShared: store.capabilities.isSharedByServers,
    now,
    roots: () => roots,
    dialects,
    isExcluded: options.isExcluded,
    onCommit: (results) => committed(results),
    onProgress: (progress) => onEvent({ kind: 'progress', progress }),
    onPending: (sessions) => onEvent({ kind: 'pending', sessions }),
  });
  const live = createLive({
    ingest,
    roots: () => roots,
    dialects,
    onState: (state) => onEvent({ kind: 'state', state }),
    onFailing: (what, why) => failings.tell(what, why),
    ...(options.sweepEvery === undefined ? {} : { sweepEvery: options.sweepEvery }),
  });

  const forget = async (hash: string, by: string): Promise<{ readonly isDropped: boolean; readonly position: number | null }> => {
    const payload = await log.payloadByHash(hash);
    if (payload === null) {
      // Deleted before, perhaps by a process that was killed before it left the index, too.
      onEvent({ kind: 'dropped', positions: await log.positionsWith(hash) });
      return { isDropped: false, position: null };
    }
    // The announcing entry comes first: after a crash in between, the promise is kept on the next request.
    const [said] = await queue.append([{ draft: forgottenDraft(hash, by, now(), options.newId()), payload: null, reading: null }]);
    const positions = await log.positionsWith(hash); // looked up now: the same may have been said again in the meantime
    for (const position of positions) {
      const entry = await log.entryAt(position);
      if (entry === null) continue;
      const reading = readingOf(entry, payload); // null for a companion, of which the library may still know something
      await library.scrub(
        position,
        entry.sessionId,
        [reading?.text, reading?.more?.title?.text].filter((text): text is string => text != null),
      );
    }
    const isDropped = await log.dropPayload(hash);
    onEvent({ kind: 'dropped', positions });
    await sign();
    return { isDropped, position: said?.position ?? null };
  };

  const repair = async (sessionId: string, paths: readonly string[]): Promise<Repaired> => {
    const backup = store.capabilities.hasFileBackup
      ? join(home.folder, 'backups', `before-repair-${new Date(now()).toISOString().replaceAll(/[:.]/gu, '-')}.db`)
      : null;
    if (backup !== null) {
      mkdirSync(join(home.folder, 'backups'), { recursive: true, mode: 0o700 });
      await store.backup(backup);
    }
    const { entries } = await library.rebuild(sessionId);
    const marks = await log.files();
    const own = marks.filter((mark) => mark.sessionId === sessionId);
    for (const mark of own) await log.forgetFile(mark.path);
    // Every line is offered again from the start of its file; the log takes what it lacks.
    const fresh = await createIngest({
      log,
      now,
      dialects,
      roots: () => roots,
      isExcluded: options.isExcluded,
      onCommit: (results) => committed(results),
    });
    const counts = await fresh.importAll([...new Set([...own.map((mark) => mark.path), ...paths])].filter((path) => existsSync(path)));
    await fresh.close();
    await sign();
    return {
      backup,
      rebuilt: entries,
      added: counts.added + counts.copied,
      verdict: await verifyLog(log, checkpoints),
      integrity: await library.integrity(sessionId),
    };
  };

  return {
    append: queue.append,
    probe: () => store.log.probe(),
    importPaths: async (paths) => {
      importing = new AbortController();
      const counts = await ingest.importAll(paths, importing.signal);
      await sign();
      return counts;
    },
    stopImport: async () => importing.abort(),
    follow: async () => {
      isServing = true;
      await watch.look();
      const counts = await live.start();
      await sign();
      return counts;
    },
    poke: async () => live.poke(),
    followAlso: async (path) => {
      if (roots.some((root) => isBelow(path, root))) return;
      roots.push(path);
      live.poke();
    },
    // Even if nothing seems new: what was read a moment ago may wait for its commit.
    catchUp: async () => void (await ingest.readFiles(ingest.findChanged())),
    forget,
    rebuild: async (sessionId) =>
      library.rebuild(sessionId ?? undefined, (done, all) =>
        onEvent({ kind: 'progress', progress: { doneBytes: done, allBytes: all, files: 0, allFiles: 0 } }),
      ),
    repair,
    backup: store.backup,
    putMedia: store.media.put,
    finishMedia: store.media.finish,
    abandonMedia: store.media.abandon,
    claimMedia: store.media.claim,
    sweepMedia: store.media.sweep,
    dropMedia: store.media.drop,
    troubles: async () => ingest.troubles(),
    close: async () => {
      importing.abort();
      watch.close();
      await tidier.close();
      await live.close();
      await signOrTell(); // a broken store was reported already; the older checkpoint stays
      checkpoints.close();
      await store.close();
    },
  };
};

const isBelow = (path: string, root: string): boolean => `${realOf(path)}${sep}`.startsWith(`${realOf(root)}${sep}`);

// The path without links, even if it doesn't exist yet.
const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realOf(above), basename(path));
  }
};

const forgottenDraft = (hash: string, by: string, timestamp: number, uuid: string): Draft =>
  draftOfDeed({
    uuid,
    type: ENTRY_TYPES.forgotten,
    timestamp,
    sender: by,
    senderType: 'human',
    contextId: 'board',
    sessionId: 'board',
    contentLength: 0,
    note: hash,
  });

const SIGN_EVERY = 60_000;
