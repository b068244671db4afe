import { existsSync, readdirSync, rmSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '@yarnboard/domain';
import { makePrivateFolder, readTextIfThere } from '../home/home.ts';
import { reasonOf } from '../home/reason.ts';
import type { Trouble } from '../ingest/troubles.ts';
import { findCopy } from './copies.ts';
import { evolveLaunch, initialLaunch, type Happening, type Launch } from './launch.ts';
import { createDeeds, type DeedOptions, type Step } from './launch-deeds.ts';
import { createSpoolReader, type NumberedLine, type SpoolReader } from './spool-reader.ts';
import { appendSpool, faultFileOf, isGoing, isLaunchId, launchFiles, writeControl, type ControlCommand, type SpoolLine } from './spool.ts';

export type LaunchesOptions = DeedOptions & {
  /** Where launchers and hooks write. */
  readonly folder: string;
  /** This machine. We can't tell whether a launch on another machine is still running. */
  readonly host: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly poke: () => Promise<void>;
  readonly isExcluded: (path: string, project: string) => boolean;
  /** Called when someone at a terminal asks for a session back that was moved elsewhere. The terminal shows any error it throws. */
  readonly onWantsBack: (sessionId: string) => Promise<void>;
  readonly onFault: (cause: unknown) => void;
  /** How often to check everything, regardless of the watcher; in milliseconds. */
  readonly sweepEvery: number;
};

/** Why a launch did not do what we asked. */
export type LaunchRefusal = { readonly kind: 'no-launch' | 'ended' | 'no-answer'; readonly why: string };

/** The sessions started in terminals through Yarnboard. */
export type Launches = {
  /** Waits until the existing transcripts are imported, reads the spools and follows them. Resolves when everything already in them is on the log. */
  readonly start: (imported: Promise<unknown>) => Promise<void>;
  /** Newest first. */
  readonly list: () => readonly Launch[];
  /** The launch that holds this session now: either working in it, or waiting to take it back. */
  readonly of: (sessionId: string) => Launch | null;
  /** Tells the terminal to end its `claude`. When this resolves, the turn is closed as cancelled. */
  readonly release: (sessionId: string) => Promise<Result<Launch, LaunchRefusal>>;
  /** Tells the terminal to continue, under the session's current id. */
  readonly takeBack: (sessionId: string, resumeAs?: string) => Promise<Result<Launch, LaunchRefusal>>;
  readonly troubles: () => readonly Trouble[];
  readonly close: () => Promise<void>;
};

/** How often the server checks the launches, at the least. */
export const LAUNCH_SWEEP = 5000;

export const createLaunches = (options: LaunchesOptions): Launches => {
  const { folder, host, now, sweepEvery } = options;
  const putOnLog = createDeeds(options);
  const readers = new Map<string, SpoolReader>();
  const launches = new Map<string, Launch>();
  const unreadable = new Map<string, Trouble>();
  const queue: Step[] = [];
  const asked = new Map<string, { readonly launchId: string; readonly settle: (result: Result<Launch, LaunchRefusal>) => void }>();
  /** Ended launches whose copy we searched for in vain: it won't turn up any more. */
  const givenUp = new Set<string>();
  /** Transcripts outside the watched folders that don't exist yet. */
  const awaited = new Set<string>();
  /** Files in the folder other than spools, as of the last scan. */
  let beside: readonly Beside[] = [];
  const wanting = new Set<string>();
  /** Launches to whose spool we appended a line ourselves. */
  const added = new Set<string>();
  let ready: Promise<unknown> | null = null;
  let onClosing: () => void = () => {};
  const closing = new Promise<void>((resolve) => {
    onClosing = resolve;
  });
  let watcher: FSWatcher | null = null;
  let timers: NodeJS.Timeout[] = [];
  let working: Promise<void> = Promise.resolve();
  let isWorking = false;
  let isClosed = false;
  let lastFault: string | null = null;

  /** Reads new lines of all spools and folds them in the order they were written, across launches. */
  const scan = (): void => {
    const fresh: { readonly launchId: string; readonly order: number; readonly numbered: NumberedLine }[] = [];
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const ids = idsIn(names);
    beside = besideSpools(names);
    for (const launchId of ids.filter(isWorthReading)) {
      const path = join(folder, `${launchId}.jsonl`);
      const reader = readers.get(launchId) ?? createSpoolReader(path);
      readers.set(launchId, reader);
      try {
        let order = 0; // if the clock is set back, a launch's own lines keep their order
        for (const numbered of reader.read()) fresh.push({ launchId, order: (order = Math.max(order, numbered.line.at)), numbered });
        unreadable.delete(path);
      } catch (cause) {
        unreadable.set(path, { path, why: reasonOf(cause), since: unreadable.get(path)?.since ?? now() });
      }
    }
    const there = new Set(ids);
    for (const launchId of [...readers.keys()].filter((one) => !there.has(one))) drop(launchId);
    for (const { launchId, numbered } of fresh.sort((a, b) => a.order - b.order)) fold(launchId, numbered);
  };

  /** After a launch ends, nothing is added to its spool except by a slow hook. */
  const isWorthReading = (launchId: string): boolean => {
    const endedAt = launches.get(launchId)?.endedAt ?? null;
    return endedAt === null || endedAt > now() - LATE || added.delete(launchId);
  };

  const fold = (launchId: string, { number, line }: NumberedLine): void => {
    const { launch, happenings } = evolveLaunch(launches.get(launchId) ?? initialLaunch(launchId), line);
    launches.set(launchId, launch);
    const told = happenings.map((happening, index) => [index, happening] as const).filter(([, happening]) => isTold(launch, happening));
    if (told.length > 0) queue.push({ launch, line: number, at: line.at, happenings: told });
  };

  const isTold = (launch: Launch, happening: Happening): boolean => {
    if (isHidden(launch, 'sessionId' in happening ? happening.sessionId : null)) return false;
    // Two terminals share this session: the turn belongs to the other one, too.
    return happening.kind !== 'closed' || !all().some((other) => other.launchId !== launch.launchId && isIn(other, happening.sessionId));
  };

  /** LAUNCH-14: an excluded project is neither logged nor shown. */
  const isHidden = (launch: Launch, sessionId: string | null): boolean =>
    options.isExcluded(launch.transcripts.get(sessionId ?? '') ?? '', launch.cwd ?? '');

  const all = (): readonly Launch[] => [...launches.values()];

  const work = (): void => {
    if (isWorking || ready === null || isClosed) return;
    isWorking = true;
    working = drain(ready);
  };

  const drain = async (imported: Promise<unknown>): Promise<void> => {
    try {
      await imported;
      for (let step = queue[0]; step !== undefined && !isClosed; step = queue[0]) {
        await putOnLog(step);
        queue.shift();
        answer(step);
      }
      lastFault = null;
    } catch (cause) {
      // Every sweep retries; we report the fault once.
      if (lastFault !== reasonOf(cause)) options.onFault(cause);
      lastFault = reasonOf(cause);
    } finally {
      isWorking = false;
    }
  };

  /** Answers the callers waiting for this step, now that it is on the log. */
  const answer = ({ launch, happenings }: Step): void => {
    for (const [, happening] of happenings) {
      if (happening.kind === 'released' || happening.kind === 'taken-back') settle(happening.nonce, ok(current(launch)));
      else if (happening.kind === 'wants-back') wantBack(launch.launchId, happening.sessionId);
      else if (happening.kind === 'moved' && happening.transcriptPath !== '' && !existsSync(happening.transcriptPath))
        awaited.add(happening.transcriptPath);
      else if (happening.kind === 'ended') {
        const gone = err({ kind: 'ended', why: 'the terminal that had this session is closed' } as const);
        for (const [nonce, { launchId }] of asked) if (launchId === launch.launchId) settle(nonce, gone);
        for (const path of launch.transcripts.values()) awaited.delete(path);
        removeBeside();
      }
    }
  };

  const current = (launch: Launch): Launch => launches.get(launch.launchId) ?? launch;

  const settle = (nonce: string | null, result: Result<Launch, LaunchRefusal>): void => {
    asked.get(nonce ?? '')?.settle(result);
  };

  const wantBack = (launchId: string, sessionId: string): void => {
    // After a restart we may be reading an old request. Pressing Enter twice counts once.
    if (launches.get(launchId)?.state !== 'released' || wanting.has(launchId)) return;
    wanting.add(launchId);
    options
      .onWantsBack(sessionId)
      .catch((cause: unknown) => writeControl(folder, launchId, { kind: 'refuse', at: now(), nonce: options.newId(), why: reasonOf(cause) }))
      .catch(options.onFault)
      .finally(() => wanting.delete(launchId));
  };

  const ask = (launch: Launch, command: ControlCommand): Promise<Result<Launch, LaunchRefusal>> =>
    new Promise((resolve) => {
      const done = (result: Result<Launch, LaunchRefusal>): void => {
        clearTimeout(timer);
        asked.delete(command.nonce);
        resolve(result);
      };
      const timer = setTimeout(
        () => done(err({ kind: 'no-answer', why: `the terminal (process ${launch.launcher?.pid ?? 0}) did not answer within ${PATIENCE / 1000} s` })),
        PATIENCE,
      );
      asked.set(command.nonce, { launchId: launch.launchId, settle: done });
      writeControl(folder, launch.launchId, command);
    });

  const of = (sessionId: string): Launch | null =>
    all()
      .filter((launch) => launch.exit === null && launch.sessionId === sessionId && !isHidden(launch, sessionId))
      .sort(byAge)[0] ?? null;

  const look = (): void => {
    try {
      scan();
    } catch (cause) {
      unreadable.set(folder, { path: folder, why: reasonOf(cause), since: unreadable.get(folder)?.since ?? now() });
    }
    work();
  };

  const sweep = (): void => {
    if (isClosed) return;
    try {
      sweepOnce();
    } catch (cause) {
      options.onFault(cause);
    }
  };

  const sweepOnce = (): void => {
    // Checked before reading the last lines: a process writes its end before it exits.
    const gone = all().filter((launch) => launch.exit === null && isGone(launch));
    look();
    removeBeside();
    for (const { launchId } of gone) if (launches.get(launchId)?.exit === null) add(launchId, { kind: 'lost', at: now() });
    for (const launch of all()) {
      nameCopy(launch);
      if (launch.exit !== null && (launch.endedAt ?? 0) < now() - KEPT && queue.length === 0) {
        rmSync(launchFiles(folder, launch.launchId).spool, { force: true });
        drop(launch.launchId);
      }
    }
    if (added.size > 0) look();
    else work();
  };

  /** LAUNCH-8: the launcher and its `claude` are both gone, and neither wrote an end. */
  const isGone = ({ launcher, claude, launchId }: Launch): boolean => {
    // A spool without a start, or from another machine: after this long, nobody adds to it.
    if (launcher === null || launcher.host !== host) return (readers.get(launchId)?.modified() ?? 0) < now() - KEPT;
    return !isGoing(launcher) && (claude === null || !isGoing(claude));
  };

  const add = (launchId: string, line: SpoolLine): void => {
    appendSpool(folder, launchId, line);
    added.add(launchId);
  };

  const nameCopy = ({ launchId, copying, startedAt, exit, transcripts }: Launch): void => {
    if (copying === null || copying.source === null || givenUp.has(launchId)) return;
    const isTaken = (sessionId: string): boolean => transcripts.has(sessionId) || all().some((other) => other.transcripts.has(sessionId));
    const copy = findCopy(copying.transcriptPath, startedAt, isTaken);
    if (copy !== null) add(launchId, { kind: 'session', at: now(), source: 'fork', cwd: '', ...copy });
    else if (exit !== null) givenUp.add(launchId);
  };

  /** A folder outside the watched ones may appear long after the hook named it. */
  const lookForAwaited = (): void => {
    const there = [...awaited].filter((path) => existsSync(path));
    for (const path of there) awaited.delete(path);
    if (there.length > 0) options.poke().catch(() => {}); // if the writer has ended, its other calls say so
  };

  const drop = (launchId: string): void => {
    readers.delete(launchId);
    launches.delete(launchId);
    unreadable.delete(join(folder, `${launchId}.jsonl`));
  };

  /** Removes files that a launcher could not: a copy of the user's settings must not outlive its use. */
  const removeBeside = (): void => {
    const isOver = ({ launchId }: Beside): boolean => (launches.get(launchId)?.exit ?? null) !== null;
    for (const { name } of beside.filter(isOver)) rmSync(join(folder, name), { force: true });
    beside = beside.filter((one) => !isOver(one));
  };

  const troubles = (): readonly Trouble[] => {
    const bad = [...readers].flatMap(([launchId, reader]): readonly Trouble[] => {
      const lines = reader.bad();
      if (lines === null) return [];
      const why = `${lines.count} ${lines.count === 1 ? 'line' : 'lines'} of this launch cannot be read (${lines.first})`;
      return [{ path: join(folder, `${launchId}.jsonl`), why, since: launches.get(launchId)?.startedAt ?? 0 }];
    });
    return [...bad, ...unreadable.values(), ...hookFaults(folder, now() - KEPT)];
  };

  look();
  return {
    start: (imported) => {
      // LAUNCH-5: stopping does not wait for the rest of an import. The importer reports its own errors.
      ready = Promise.race([imported.catch(() => {}), closing]);
      makePrivateFolder(folder);
      try {
        watcher = watch(folder, look);
        watcher.on('error', () => watcher?.close()); // the sweeps take over
      } catch {
        // The system's limit of watchers is reached: the sweeps take over.
      }
      timers = [setInterval(sweep, sweepEvery), setInterval(lookForAwaited, SOON)];
      sweep();
      return working;
    },
    list: () =>
      all()
        .filter((launch) => !isHidden(launch, launch.sessionId))
        .sort(byAge),
    of,
    release: async (sessionId) => {
      const launch = of(sessionId);
      if (launch?.state !== 'running') return err({ kind: 'no-launch', why: 'no terminal has this session through `yarnboard claude`' });
      return ask(launch, { kind: 'release', at: now(), nonce: options.newId(), sessionId });
    },
    takeBack: async (sessionId, resumeAs = sessionId) => {
      const launch = of(sessionId);
      if (launch?.state !== 'released') return err({ kind: 'no-launch', why: 'no terminal waits to take this session back' });
      return ask(launch, { kind: 'take-back', at: now(), nonce: options.newId(), sessionId: resumeAs });
    },
    troubles,
    close: async () => {
      isClosed = true;
      onClosing();
      for (const timer of timers) clearInterval(timer);
      watcher?.close();
      for (const { settle: done } of asked.values()) done(err({ kind: 'no-answer', why: 'the server stops' }));
      await working;
    },
  };
};

const isIn = (launch: Launch, sessionId: string): boolean => launch.state === 'running' && launch.sessionId === sessionId;

const byAge = (a: Launch, b: Launch): number => b.startedAt - a.startedAt || (a.launchId < b.launchId ? -1 : 1);

const idsIn = (names: readonly string[]): readonly string[] =>
  names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .filter(isLaunchId);

type Beside = { readonly launchId: string; readonly name: string };

const besideSpools = (names: readonly string[]): readonly Beside[] =>
  names.filter((name) => !name.endsWith('.jsonl')).map((name) => ({ launchId: name.split('.', 1)[0] ?? '', name }));

/** LAUNCH-4: recent failures of hooks. */
const hookFaults = (folder: string, since: number): readonly Trouble[] => {
  const path = faultFileOf(folder);
  try {
    const faults = readTextIfThere(path)?.trim().split('\n') ?? [];
    const last = faults.at(-1) ?? '';
    const at = last === '' ? 0 : statSync(path).mtimeMs;
    return at > since ? [{ path, why: `${faults.length} ${faults.length === 1 ? 'hook' : 'hooks'} failed; the last: ${last}`, since: at }] : [];
  } catch (cause) {
    return [{ path, why: reasonOf(cause), since: 0 }];
  }
};

const SOON = 500;
const LATE = 60_000;
/** LAUNCH-12 */
const KEPT = 7 * 24 * 3_600_000;
/** The launcher gives a `claude` that won't end some seconds before it kills it. */
const PATIENCE = 30_000;
