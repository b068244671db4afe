import { basename, join } from 'node:path';
import { existsSync, readdirSync } from 'node:fs';
import { StoreFault } from '@yarnboard/store';
import { reasonOf } from '../home/reason.ts';
import { isWithin } from './discover.ts';
import type { ImportCounts, Ingest } from './ingest.ts';
import { concernsKept } from './kept.ts';
import { isSource, splitRoots } from './sources.ts';
import { DIALECTS, type Dialects } from '@yarnboard/transcript';
import { TreeWatcher, type WatchOptions } from './watch.ts';

export type LiveOptions = {
  readonly ingest: Ingest;
  readonly roots: () => readonly string[];
  readonly dialects?: Dialects;
  readonly onState: (state: LiveState) => void;
  /** ING-72: something that affects only speed, or whose misses are caught otherwise, fails, or works again (null). */
  readonly onFailing?: (what: 'watching' | 'sweeping', why: string | null) => void;
  readonly watch?: WatchOptions['watch'];
  /** How often all files are checked, whatever the watcher reports; in milliseconds. */
  readonly sweepEvery?: number;
  /** How long hints are collected before they are followed. */
  readonly quiet?: number;
};

export type LiveState =
  | { readonly kind: 'importing' }
  | { readonly kind: 'watching'; readonly watched: number }
  /** The store refuses to write; writing is retried. */
  | { readonly kind: 'stuck'; readonly why: string; readonly retryIn: number }
  /** The store is damaged: nothing is written any more. */
  | { readonly kind: 'stopped'; readonly why: string };

export type Live = { readonly start: () => Promise<ImportCounts | null>; readonly poke: () => void; readonly close: () => Promise<void> };

/** Keeps the log up to date with the files: reads everything once, then what changes, and checks everything again now and then. */
export const createLive = ({
  ingest,
  roots,
  dialects = DIALECTS,
  onState,
  onFailing = () => {},
  watch,
  sweepEvery = SWEEP,
  quiet = QUIET,
}: LiveOptions): Live => {
  const dirty = new Set<string>();
  /** Files whose change may affect sessions. */
  const stirred = new Set<string>();
  const stop = new AbortController();
  let working: Promise<unknown> = Promise.resolve();
  let isWorking = false;
  let isImported = false;
  let timer: NodeJS.Timeout | null = null;
  let sweeper: NodeJS.Timeout | null = null;
  let retryIn = FIRST_RETRY;

  const watcher = new TreeWatcher({
    onChange: (path) => {
      // A database reports that something was written, but not to which session.
      if (concernsKept(path)) {
        stirred.add(path);
        schedule(Math.max(quiet, KEPT_QUIET));
        return;
      }
      dirty.add(path);
      schedule(quiet);
    },
    // Anything unwatched is swept, and the sweep reports unreadable files.
    onTrouble: (path, why) => {
      if (OWN_TROUBLE.test(why)) return;
      unwatched.set(path, why);
      tellWatching();
    },
    ...(watch === undefined ? {} : { watch }),
  });
  const unwatched = new Map<string, string>();
  const tellWatching = (): void => {
    const [first] = unwatched;
    const more = unwatched.size > 1 ? ` (and ${unwatched.size - 1} more)` : '';
    onFailing('watching', first === undefined ? null : `${first[0]}${more}: ${first[1]}`);
  };
  const schedule = (delay: number): void => {
    if (stop.signal.aborted || isWorking || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      working = work();
    }, delay);
  };

  /** One attempt; if the store refuses, its files are tried again. */
  const work = async (): Promise<ImportCounts | null> => {
    isWorking = true;
    for (const path of foundBeside()) dirty.add(path);
    const paths = [...dirty];
    dirty.clear();
    let counts: ImportCounts | null = null;
    try {
      counts = await follow(paths);
      isImported = true;
      retryIn = FIRST_RETRY;
      if (!stop.signal.aborted) onState({ kind: 'watching', watched: watcher.size });
    } catch (cause) {
      for (const path of paths) dirty.add(path);
      stuck(cause);
    } finally {
      isWorking = false;
    }
    if (dirty.size + stirred.size > 0) schedule(dirty.size > 0 ? quiet : KEPT_QUIET);
    return counts;
  };

  const foundBeside = (): readonly string[] => {
    const paths = [...stirred];
    stirred.clear();
    if (!isImported) return [];
    try {
      return [...new Set(paths.map((path) => roots().find((root) => isWithin([root], path)) ?? path))].flatMap((near) => ingest.findChanged(near));
    } catch {
      return []; // the next sweep checks again, and reports why
    }
  };

  const follow = (paths: readonly string[]): Promise<ImportCounts> => {
    if (!isImported) return ingest.importAll(splitRoots(roots()).there, stop.signal);
    return ingest.unreadIn(paths) > MUCH
      ? ingest.importAll(
          paths.filter((path) => isReadable(dialects, path, roots())),
          stop.signal,
          false,
        )
      : ingest.readFiles(paths);
  };

  const stuck = (cause: unknown): void => {
    if (cause instanceof StoreFault && cause.kind === 'corrupt') {
      stop.abort();
      watcher.close();
      if (sweeper !== null) clearInterval(sweeper);
      onState({ kind: 'stopped', why: cause.message });
      return;
    }
    if (stop.signal.aborted) return;
    onState({ kind: 'stuck', why: reasonOf(cause), retryIn });
    isWorking = false;
    schedule(retryIn);
    retryIn = Math.min(retryIn * 2, LAST_RETRY);
  };

  const watchAll = (): void => {
    unwatched.clear();
    for (const root of roots()) {
      const only = transcriptsOf(root, dialects);
      if (only === null) watcher.add(treeOf(root));
      else watcher.addFolder(root);
      for (const name of only ?? []) watcher.add(join(root, name));
    }
    tellWatching();
  };

  const sweep = (): void => {
    if (stop.signal.aborted) return;
    try {
      watchAll();
      for (const path of ingest.findChanged()) dirty.add(path);
      onFailing('sweeping', null);
    } catch (cause) {
      // A root that disappeared between two checks: the next sweep sees what is there then.
      onFailing('sweeping', (cause as NodeJS.ErrnoException).code === 'ENOENT' ? null : reasonOf(cause));
    }
    if (dirty.size > 0) schedule(0);
  };

  return {
    start: async () => {
      // Watching begins before reading: one of them sees whatever is written in between.
      watchAll();
      onState({ kind: 'importing' });
      const first = work();
      working = first;
      const counts = await first;
      if (stop.signal.aborted) return counts;
      sweeper = setInterval(sweep, sweepEvery);
      sweep();
      return counts;
    },
    poke: sweep,
    close: async () => {
      stop.abort();
      watcher.close();
      if (timer !== null) clearTimeout(timer);
      if (sweeper !== null) clearInterval(sweeper);
      await working;
      await ingest.close();
    },
  };
};

const isReadable = (dialects: Dialects, path: string, roots: readonly string[]): boolean => {
  try {
    return isSource(dialects, path, roots);
  } catch {
    return false; // the next sweep reports why
  }
};

/**
 * In a tool's home that also has other things, such as snapshots of whole projects, only the parts with sessions are watched; null for any other
 * folder.
 */
const transcriptsOf = (root: string, dialects: Dialects): readonly string[] | null => {
  try {
    const names = readdirSync(root);
    const found = dialects.filter(({ store }) => store !== undefined).map(({ transcriptsIn }) => transcriptsIn(basename(root), names));
    return found.find((only) => only !== null) ?? null;
  } catch {
    return null; // missing, or a file: nothing to watch below it
  }
};

/** In a Claude Code home, only its projects are watched. */
const treeOf = (root: string): string => {
  const projects = join(root, 'projects');
  return basename(root) !== 'projects' && existsSync(projects) ? projects : root;
};

/** Missing or unreadable files. */
const OWN_TROUBLE = /^(?:ENOENT|EACCES|EPERM)\b/u;

const QUIET = 15;
// Looking for changes costs more than continuing a file.
const KEPT_QUIET = 250;
const SWEEP = 60_000;
const FIRST_RETRY = 500;
const LAST_RETRY = 30_000;
/** From this many bytes on, files are read in order of time and with progress. */
const MUCH = 64 * 1024 * 1024;
