import { err, maskSecrets, ok, type Result } from '@yarnboard/domain';
import type { Appended, Item, Store } from '@yarnboard/store';
import type { Launches } from './launches.ts';
import { createOnce } from './once.ts';
import type { After } from './outgoing.ts';
import type { PromptImage } from './prompt-content.ts';
import { reconcile } from './reconcile.ts';
import { endedUuid, settledItem, startedItem, streamedUuid, turnClosedItem, type By, type RunStarted } from './run-entries.ts';
import type { Answer, Patience, QueuedPrompt } from './run-progress.ts';
import { directoryFault, envOf } from './run-place.ts';
import type { RunRefusal } from './run-refusal.ts';
import type { RunView } from './run-view.ts';
import { startRun, type Run, type RunSetting } from './run.ts';
import { createRunsHistory, viewOfLogged, type LoggedRun } from './runs-history.ts';
import { createRunsListing, type RunsListing } from './runs-listing.ts';
import { createOthers, type OthersOptions } from './runs-others.ts';
import { endOfCutOff } from './runs-recovery.ts';
import type { LoadSdk, Sdk } from './sdk.ts';

export type RunsOptions = Omit<OthersOptions, 'history'> & {
  readonly store: Pick<Store, 'log' | 'library'>;
  readonly append: (items: readonly Item[]) => Promise<readonly Appended[]>;
  /** Reads new lines of the files; resolves when they are on the log. */
  readonly catchUp: () => Promise<void>;
  readonly launches: Pick<Launches, 'of' | 'release' | 'takeBack'>;
  readonly loadSdk: LoadSdk;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isExcluded: (cwd: string) => boolean;
  readonly newId: () => string;
  readonly after: After;
  readonly onFault: (cause: unknown) => void;
  readonly patience?: Patience;
  /** How long to wait for a run's files after its end, in milliseconds. */
  readonly grace?: number;
};

export type RunRequest = Omit<RunStarted, 'runId' | 'owner'> & { /** Attached to the prompt. */ readonly images?: readonly PromptImage[] };

type Refusable<T> = Promise<Result<T, RunRefusal>>;

export type Switched =
  | { readonly to: 'remote'; readonly run: RunView }
  /** `isTaken`: its terminal continues with it. Otherwise the user has to run a command there. */
  | { readonly to: 'local'; readonly sessionId: string; readonly isTaken: boolean };

/** The Agent SDK runs that this server started, plus the listing of all others. */
export type Runs = RunsListing & {
  /** Waits for the import of existing transcripts, then ends runs that a crash cut off and settles the unsettled ones. */
  readonly recover: (imported: Promise<unknown>) => Promise<void>;
  /** Reads earlier runs from the log, once. Until then, only this server's runs are known. */
  readonly load: () => Promise<void>;
  /** Reads what other servers have logged about their runs. For boards shared by several servers. */
  readonly followOthers: () => Promise<void>;
  /** Whether a run holds this session, here or on another server, or was cut off in it and is not closed yet. */
  readonly keeps: (sessionId: string) => boolean;
  /** `setting` is for runs that belong to a seat. */
  readonly start: (request: RunRequest, by: By, setting?: RunSetting) => Refusable<RunView>;
  /** RUN-25: with a `uuid` that was already sent, nothing is sent again. */
  readonly send: (
    runId: string,
    text: string,
    options?: { readonly isQueued?: boolean; readonly uuid?: string; readonly images?: readonly PromptImage[] },
  ) => Refusable<{ readonly uuid: string; readonly run: RunView }>;
  /** Replaces the text of a message that the run has not received. */
  readonly change: (runId: string, uuid: string, text: string) => Refusable<RunView>;
  /** Takes back a message that the run has not received. */
  readonly unsend: (runId: string, uuid: string) => Refusable<RunView>;
  readonly answer: (runId: string, requestId: string, answer: Answer, by: By) => Refusable<RunView>;
  /** Ends the turn; the run continues. */
  readonly interrupt: (runId: string) => Refusable<RunView>;
  readonly abort: (runId: string) => Refusable<RunView>;
  readonly end: (runId: string) => Refusable<RunView>;
  /** `cwd` is the directory the session works in. */
  readonly toRemote: (sessionId: string, more: { readonly cwd: string; readonly prompt: string | null }, by: By) => Refusable<Switched>;
  readonly toLocal: (sessionId: string) => Refusable<Switched>;
  readonly close: () => Promise<void>;
};

type Sent = Awaited<ReturnType<Runs['send']>>;

type Live = {
  readonly run: Run;
  readonly sessions: Set<string>;
  readonly from: number;
  /** The uuids of messages sent here, including those that left the queue but are not on the log yet. */
  readonly given: Set<string>;
};

export const createRuns = (options: RunsOptions): Runs => {
  const { store, append, launches, now, newId, after, onFault } = options;
  const history = createRunsHistory(store.log);
  const others = createOthers({ ...options, history });
  const live = new Map<string, Live>();
  /** Runs that ended on this server. */
  const past = new Map<string, RunView>();
  const closing = new AbortController();
  const closed = new Promise<void>((resolve) => {
    closing.signal.addEventListener('abort', () => resolve());
  });
  const settling = new Set<Promise<void>>();
  /** Sessions for which a run is being started. */
  const claimed = new Set<string>();
  let recovering: Promise<void> = Promise.resolve();
  /** Runs that still need recovery. */
  let open: LoggedRun[] = [];
  /** Why recovery has not succeeded yet. */
  let unrecovered: unknown = null;

  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        callOff();
        closing.signal.removeEventListener('abort', done);
        resolve();
      };
      const callOff = after(ms, done);
      closing.signal.addEventListener('abort', done);
    });

  const settle = (runId: string, stretch: { readonly sessions: readonly string[]; readonly from: number; readonly to: number }): void => {
    const work = (async () => {
      try {
        const { catchUp, grace } = options;
        const done = await reconcile(stretch, {
          store,
          append,
          catchUp,
          wait,
          now,
          signal: closing.signal,
          ...(grace === undefined ? {} : { grace }),
        });
        const sessionId = stretch.sessions.at(-1) ?? '';
        if (done !== null) await append([settledItem({ sessionId, at: now() }, { runId, ...done })]);
      } catch (cause) {
        onFault(cause); // the next start tries again
      }
    })();
    keep(work);
  };

  /** `close` waits for this work. */
  const keep = (work: Promise<void>): void => {
    settling.add(work);
    void work.finally(() => settling.delete(work));
  };

  const listing = createRunsListing({
    history,
    others,
    past,
    live: () => [...live.values()].map(({ run }) => run.view()),
    find: (runId) => live.get(runId)?.run.view() ?? null,
  });

  const recover = async (imported: Promise<unknown>): Promise<void> => {
    await history.load();
    open = [...history.runs.values()].filter(({ isSettled, started }) => !isSettled && options.isGone(started.owner));
    if (open.length === 0) return;
    await Promise.race([imported.catch(() => {}), closed]); // the importer reports its own errors
    if (closing.signal.aborted) return;
    const attempt = async (): Promise<void> => {
      for (let run = open[0]; run !== undefined; run = open[0]) {
        await recoverOne(run);
        open.shift();
      }
      unrecovered = null;
    };
    try {
      await attempt();
    } catch (cause) {
      onFault(cause);
      unrecovered = cause;
      keep(recoverLater(attempt));
    }
  };

  // A full disk may get room again: keep trying, so that nothing stays open until the next start.
  const recoverLater = async (attempt: () => Promise<void>): Promise<void> => {
    for (let pause = FIRST_PAUSE; unrecovered !== null; pause = Math.min(pause * 2, LAST_PAUSE)) {
      await wait(pause);
      if (closing.signal.aborted) return;
      try {
        await options.catchUp();
        await attempt();
      } catch (cause) {
        unrecovered = cause;
      }
    }
  };

  /** Nothing new may begin in a session before the remains of a crash are closed. As long as the store refuses to close them, we refuse, too. */
  const awaitRecovery = async (): Promise<RunRefusal | null> => {
    const isDone = await Promise.race([recovering.then(() => true), wait(RECOVERY).then(() => false)]);
    if (!isDone) return { kind: closing.signal.aborted ? 'stopping' : 'importing' };
    if (unrecovered !== null) throw unrecovered;
    return null;
  };

  const recoverOne = async (run: LoggedRun): Promise<void> => {
    const { runId } = run.started;
    const { sessions, from } = run;
    if (run.ended !== null) {
      settle(runId, { sessions, from, to: run.ended.position });
      return;
    }
    const at = now();
    const { items, payload } = await endOfCutOff(run, store, at);
    const position = (await append(items)).at(-1)?.position ?? from;
    past.set(runId, viewOfLogged({ ...run, ended: { payload, at, position } }));
    settle(runId, { sessions, from, to: position });
  };

  const liveIn = (sessionId: string): Live | null => [...live.values()].find(({ run }) => run.view().sessionId === sessionId) ?? null;

  const whyBusy = (sessionId: string): RunRefusal | null => {
    const other = liveIn(sessionId);
    if (other !== null) return { kind: 'busy', sessionId, runId: other.run.view().runId };
    return others.in(sessionId) ?? (launches.of(sessionId)?.state === 'running' ? { kind: 'busy', sessionId, runId: null } : null);
  };

  /** Only one caller at a time may start something in a session. */
  const claim = async <T>(sessionId: string, work: () => Refusable<T>): Refusable<T> => {
    if (claimed.has(sessionId)) return err({ kind: 'busy', sessionId, runId: null });
    claimed.add(sessionId);
    try {
      return await work();
    } finally {
      claimed.delete(sessionId);
    }
  };

  const prepare = async (cwd: string, load: LoadSdk = options.loadSdk): Refusable<Sdk> => {
    if (closing.signal.aborted) return err({ kind: 'stopping' });
    const wrong = directoryFault(cwd, options.isExcluded);
    if (wrong !== null) return err(wrong);
    const found = await load();
    return found.ok ? ok(found.sdk) : err({ kind: 'no-sdk', why: found.why });
  };

  const start: Runs['start'] = async (request, by, setting) => {
    const source = request.fork ? null : request.resume;
    const sessionId = source ?? newId();
    const early = source === null ? null : await awaitRecovery();
    if (early !== null) return err(early);
    return claim(sessionId, async () => {
      const busy = whyBusy(sessionId);
      if (busy !== null) return err(busy);
      const sdk = await prepare(request.cwd, setting?.loadSdk);
      return sdk.ok ? ok(await begin(request, sessionId, sdk.value, by, setting)) : sdk;
    });
  };

  const begin = async ({ images = [], ...request }: RunRequest, sessionId: string, sdk: Sdk, by: By, setting?: RunSetting): Promise<RunView> => {
    const startedAt = now();
    const { owner } = options;
    const started: RunStarted = { ...request, runId: newId(), prompt: request.prompt === null ? null : shortened(request.prompt), owner };
    const [first] = await append([startedItem({ sessionId, at: startedAt, by }, started)]);
    const { patience } = options;
    const run = startRun({
      started,
      startedAt,
      sessionId,
      sdk,
      env: setting === undefined ? envOf(options.env) : setting.env,
      append,
      now,
      newId,
      after,
      onFault,
      onMove: (to) => sessions.add(to),
      ...(started.fork ? { history: () => awaitHistory(sessionId) } : {}),
      ...(patience === undefined ? {} : { patience }),
      ...(setting === undefined ? {} : { setting }),
    });
    const sessions = new Set([sessionId]);
    const from = first?.position ?? 0;
    live.set(started.runId, { run, sessions, from, given: new Set() });
    const retired = run.over.then(() => retire(started.runId));
    retired.then(() => setting?.onOver(run.view().why)).catch(onFault);
    if (closing.signal.aborted) await run.stop(STOPPED);
    else if (request.prompt !== null) await run.send(request.prompt, false, undefined, images);
    return run.view();
  };

  // The copies arrive in one piece: once one is on the log, the next read has them all.
  const awaitHistory = async (sessionId: string): Promise<void> => {
    for (let waited = 0; waited < HISTORY; waited += HISTORY_STEP) {
      const hasCopies = ((await store.library.session(sessionId))?.copied ?? 0) > 0;
      await options.catchUp();
      if (hasCopies || closing.signal.aborted) return;
      await wait(HISTORY_STEP);
    }
  };

  const retire = async (runId: string): Promise<void> => {
    const one = live.get(runId);
    if (one === undefined) return;
    past.set(runId, one.run.view());
    live.delete(runId);
    const end = await store.log.entryByUuid(endedUuid(runId)).catch(() => null);
    // If its end is not on the log, the next start recovers it.
    if (end !== null && !closing.signal.aborted) settle(runId, { sessions: [...one.sessions], from: one.from, to: end.position });
  };

  const going = (runId: string): Result<Live, RunRefusal> => {
    const one = live.get(runId);
    if (one !== undefined) return ok(one);
    return err(others.of(runId) ?? { kind: past.has(runId) || history.runs.has(runId) ? 'ended' : 'no-run', runId });
  };

  const having = async (runId: string, work: (run: Run) => Promise<void>): Refusable<RunView> => {
    const found = going(runId);
    if (!found.ok) return found;
    await work(found.value.run);
    return ok(found.value.run.view());
  };

  // Of two concurrent calls with the same uuid, the second gets the first one's result.
  const once = createOnce<Sent>();
  const send: Runs['send'] = (runId, text, more = {}) =>
    more.uuid === undefined ? say(runId, text, more) : once(`${runId} ${more.uuid}`, () => say(runId, text, more));

  const say: Runs['send'] = async (runId, text, { isQueued = false, uuid: wanted, images = [] } = {}) => {
    const found = going(runId);
    if (!found.ok) return found;
    if (wanted !== undefined && (await isSaid(found.value, wanted))) return ok({ uuid: wanted, run: found.value.run.view() });
    const { queued } = found.value.run.view();
    if (isQueued && queued.length >= MOST_QUEUED) return err({ kind: 'queue-full', runId, most: MOST_QUEUED });
    if (isQueued && charactersOf(queued) + text.length > MOST_WAITING) return err({ kind: 'queue-too-long', runId, most: MOST_WAITING });
    const uuid = await found.value.run.send(text, isQueued, wanted, images);
    if (uuid === null) return err({ kind: 'ended', runId });
    found.value.given.add(uuid);
    return ok({ uuid, run: found.value.run.view() });
  };

  // Check memory before the log: queued messages are not on the log. An earlier run in the same session may have received it.
  const isSaid = async ({ given }: Live, uuid: string): Promise<boolean> =>
    given.has(uuid) || (await store.log.entryByUuid(streamedUuid(uuid))) !== null;

  const change: Runs['change'] = async (runId, uuid, text) => {
    const found = going(runId);
    if (!found.ok) return found;
    const { run } = found.value;
    const others = run.view().queued.filter((one) => one.uuid !== uuid);
    if (charactersOf(others) + text.length > MOST_WAITING) return err({ kind: 'queue-too-long', runId, most: MOST_WAITING });
    return run.change(uuid, text) ? ok(run.view()) : err({ kind: 'heard', runId, uuid });
  };

  const unsend: Runs['unsend'] = async (runId, uuid) => {
    const found = going(runId);
    if (!found.ok) return found;
    const { run } = found.value;
    return run.unsend(uuid) ? ok(run.view()) : err({ kind: 'heard', runId, uuid });
  };

  const answer: Runs['answer'] = async (runId, requestId, given, by) => {
    const found = going(runId);
    if (!found.ok) return found;
    const done = await found.value.run.answer(requestId, given, by);
    if (done === 'done') return ok(found.value.run.view());
    return err(done === 'unknown' ? { kind: 'no-request', runId, requestId } : { kind: 'settled', requestId, how: done });
  };

  const toRemote: Runs['toRemote'] = async (sessionId, { cwd, prompt }, by) => {
    const early = await awaitRecovery();
    if (early !== null) return err(early);
    return claim(sessionId, async () => {
      const other = liveIn(sessionId);
      if (other !== null) {
        const sent = prompt === null ? ok({ run: other.run.view() }) : await send(other.run.view().runId, prompt);
        return sent.ok ? ok({ to: 'remote', run: sent.value.run }) : sent;
      }
      const elsewhere = others.in(sessionId);
      if (elsewhere !== null) return err(elsewhere);
      // Checked before asking the terminal, which must not give up its session for nothing.
      const sdk = await prepare(cwd);
      if (!sdk.ok) return sdk;
      if (launches.of(sessionId)?.state === 'running') {
        const released = await launches.release(sessionId);
        if (!released.ok) return err({ kind: 'not-released', sessionId, why: released.error.why });
      } else await append([turnClosedItem({ sessionId, at: now(), by }, { status: 'cancelled', isEnd: true, by: 'switch' }, newId())]);
      return ok({ to: 'remote', run: await begin({ ...RESUMED, cwd, prompt, resume: sessionId }, sessionId, sdk.value, by) });
    });
  };

  const toLocal: Runs['toLocal'] = async (sessionId) => {
    const one = [...live.values()].find(({ sessions }) => sessions.has(sessionId));
    const current = one?.run.view().sessionId ?? sessionId;
    await one?.run.stop({ why: 'the session was switched to a terminal', by: 'switch' });
    const waiting = [...(one?.sessions ?? []), sessionId].find((id) => launches.of(id)?.state === 'released');
    if (waiting === undefined) return ok({ to: 'local', sessionId: current, isTaken: launches.of(current) !== null });
    const taken = await launches.takeBack(waiting, current);
    return taken.ok ? ok({ to: 'local', sessionId: current, isTaken: true }) : err({ kind: 'not-released', sessionId, why: taken.error.why });
  };

  return {
    recover: (imported) => (recovering = recover(imported).catch(onFault)),
    load: history.load,
    followOthers: history.follow,
    ...listing,
    keeps: (sessionId) =>
      liveIn(sessionId) !== null || others.in(sessionId) !== null || open.some((run) => run.ended === null && run.sessions.at(-1) === sessionId),
    start,
    send,
    change,
    unsend,
    answer,
    interrupt: (runId) => having(runId, (run) => run.interrupt()),
    abort: (runId) => having(runId, (run) => run.stop({ why: 'it was aborted', by: 'run' })),
    end: (runId) => having(runId, async (run) => run.end()),
    toRemote,
    toLocal,
    close: async () => {
      closing.abort();
      await Promise.all([...live.values()].map(({ run }) => run.stop(STOPPED)));
      await Promise.all(settling);
    },
  };
};

const charactersOf = (queued: readonly QueuedPrompt[]): number => queued.reduce((sum, { text }) => sum + text.length, 0);

// Mask before cutting: a truncated secret is no longer recognised.
const shortened = (prompt: string): string => (prompt.length <= MOST_PROMPT ? prompt : maskSecrets(prompt).text.slice(0, MOST_PROMPT));

const RESUMED = { fork: false, resumeAt: null, model: null, permissionMode: null, maxTurns: null } as const;
const STOPPED = { why: 'the server was stopped', by: 'run', isHurried: true } as const;
const MOST_PROMPT = 1000;
const MOST_QUEUED = 50;
/** RUN-23: characters in all. Every view of a run has what waits for it. */
const MOST_WAITING = 1_000_000;
/** How long to wait for a fork to copy its history, in milliseconds. */
const HISTORY = 3000;
const HISTORY_STEP = 100;
const FIRST_PAUSE = 500;
const LAST_PAUSE = 10_000;
/** How long a request waits for the remains of a crash to be closed, in milliseconds. */
const RECOVERY = 5000;
