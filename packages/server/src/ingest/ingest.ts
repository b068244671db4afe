import { setImmediate as breathe } from 'node:timers/promises';
import { classifyFile, DIALECTS, type Dialects } from '@yarnboard/transcript';
import type { Appended, LogPort } from '@yarnboard/store';
import { createBatch, WANTED_ALONE, type ImportCounts } from './batch.ts';
import { discover, isWithin, realOf } from './discover.ts';
import { openLines } from './lines.ts';
import { mergeByTime, type Waiting } from './merge.ts';
import { HEAD, type Outline } from './outline.ts';
import { createOutliner } from './outlines.ts';
import { createWaitingList, type PendingSession } from './pending.ts';
import type { Source, SourceFile, SourceOptions } from './source.ts';
import { isSource, planSources, sizeAt, sizesOf, splitRoots, type Size } from './sources.ts';
import { createTakenBack } from './taken-back.ts';
import { createTroubles, type Trouble } from './troubles.ts';
import { isView } from './views.ts';
import { openWhole } from './whole.ts';

export type { ImportCounts } from './batch.ts';
export type { PendingSession } from './pending.ts';
export type { Trouble } from './troubles.ts';

export type IngestOptions = {
  readonly log: LogPort;
  readonly now: () => number;
  /** Folders or files to read, and to watch. */
  readonly roots: () => readonly string[];
  /** `project` is the directory named by a transcript; null while it names none; '' asks what the path alone proves. */
  readonly isExcluded: (path: string, project: string | null) => boolean;
  readonly onCommit?: (results: readonly Appended[]) => void;
  readonly onProgress?: (progress: Progress) => void;
  readonly onPending?: (pending: readonly PendingSession[]) => void;
  /** How long one stretch of a file may take before the others continue without it. */
  readonly patience?: number;
  readonly dialects?: Dialects;
  /** Whether other machines read files onto the same log. */
  readonly isShared?: boolean;
  /** Whether nobody else writes at the time, so that large batches delay nobody. */
  readonly isAlone?: () => boolean;
  /** A clock for durations. */
  readonly ticks?: () => number;
};

export type Progress = { readonly doneBytes: number; readonly allBytes: number; readonly files: number; readonly allFiles: number };

/** One thing at a time: callers wait for the read in progress. */
export type Ingest = {
  /**
   * Reads everything new, in order of time. It ends when all is on the log, or when the signal is aborted: what is on the log stays. `isNamed` is
   * false for paths that only the file system reported: they may not lead elsewhere.
   */
  readonly importAll: (paths: readonly string[], signal?: AbortSignal, isNamed?: boolean) => Promise<ImportCounts>;
  /** Reads the new parts of single files, now. */
  readonly readFiles: (paths: readonly string[]) => Promise<ImportCounts>;
  /** Checks all files, or those below the roots that contain this path; returns those that differ from the log. */
  readonly findChanged: (near?: string) => readonly string[];
  /** How many bytes of these files are not on the log yet. */
  readonly unreadIn: (paths: readonly string[]) => number;
  readonly troubles: () => readonly Trouble[];
  readonly pending: () => readonly PendingSession[];
  readonly close: () => Promise<void>;
};

export const createIngest = async (options: IngestOptions): Promise<Ingest> => {
  const { log, dialects = DIALECTS } = options;
  const patience = options.patience ?? PATIENCE;
  const closing = new AbortController();
  const tails = new Map<string, Source>();
  const troubles = createTroubles(options.now);
  const pending = createWaitingList((sessions) => options.onPending?.(sessions));
  /** SEC-36: the paths named by the settings or by an import, and the targets of their transcript folders. */
  const bounds = new Set<string>();
  const bound = <F extends { readonly bounds: readonly string[] }>(found: F): F => {
    for (const one of found.bounds) bounds.add(one);
    return found;
  };
  const boundsNow = (): readonly string[] => [...bounds, ...options.roots().map(realOf)];
  const outliner = createOutliner({ isExcluded: options.isExcluded, dialects, patience, onTrouble: troubles.note, bounds: boundsNow });
  let marks = new Map((await log.files()).map((mark) => [mark.path, mark]));
  /** The sessions that are read. */
  let sessions: ReadonlySet<string> = new Set();
  /** The files being read now: some may not have a mark yet. */
  let reading: readonly SourceFile[] = [];
  /**
   * The state of files when they were last read to their end, or skipped for good: a partial line must not cause its file to be read again and again.
   */
  const looked = new Map<string, Size>();

  /** What could not be read of a file when it was last opened. */
  const damaged = new Map<string, string>();

  const takenBack = await createTakenBack({
    log,
    now: options.now,
    marks: () => marks,
    reading: () => reading,
    isArchived: (path) => classifyFile(dialects, path).dialect?.isArchived?.(path) === true,
    isShared: options.isShared === true,
    onCommit: (results) => options.onCommit?.(results),
  });

  // After a failed commit, nothing read since the last one counts: every file returns to its mark.
  const reset = async (): Promise<void> => {
    for (const source of tails.values()) await source.close();
    tails.clear();
    looked.clear();
    marks = new Map((await log.files()).map((mark) => [mark.path, mark]));
  };

  let turn: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => reset().catch(() => {})); // reported to the caller; the store may refuse this too, and the current marks are of commits
    return mine;
  };

  const openFile = (file: SourceFile, fallbackAt: number): Source => {
    const opening: SourceOptions = {
      repeats: log.occurrences,
      fallbackAt,
      dialects,
      bounds: boundsNow,
      isSession: (id) => sessions.has(id),
      onRewritten: (uuids) => takenBack.rewritten(file, uuids),
      onProblem: (problem) => (problem === null ? damaged.delete(file.path) : damaged.set(file.path, problem)),
    };
    // A changed index is read from the start: it may name a session that wasn't read before.
    const mark = file.isIndex === true ? null : (marks.get(file.path) ?? null);
    return file.isLines ? openLines(file, mark, opening) : openWhole(file, mark, opening);
  };

  const tailOf = (file: SourceFile, fallbackAt: number): Source => {
    const known = tails.get(file.path);
    tails.delete(file.path); // and put at the end again: the least recently read goes first
    // A file without a mark may have been assigned to the wrong session while it had only a partial line.
    const isKept = known !== undefined && file.isIndex !== true && known.file.context.sessionId === file.context.sessionId;
    if (known !== undefined && !isKept) known.close().catch(() => {}); // nothing is lost with a descriptor
    const tail = isKept ? known : openFile(file, fallbackAt);
    tails.set(file.path, tail);
    const [oldest] = tails.keys();
    if (tails.size > MOST_TAILS && oldest !== undefined) tails.delete(oldest);
    return tail;
  };

  const isChanged = (path: string, size: Size | undefined): boolean => {
    if (size === undefined) return false;
    const known = looked.get(path);
    if (known !== undefined && known.bytes === size.bytes && known.modified === size.modified) return false;
    const mark = marks.get(path);
    if (mark === undefined) return size.bytes > 0;
    return size.bytes !== mark.size || size.modified !== mark.modified || (mark.offset < size.bytes && !isView(path));
  };

  type Task = {
    readonly files: readonly SourceFile[];
    readonly outlines: ReadonlyMap<string, Outline>;
    readonly sizes: ReadonlyMap<string, Size>;
    readonly open: (file: SourceFile, fallbackAt: number) => Source;
    readonly signal: AbortSignal;
    readonly onProgress?: (progress: Progress) => void;
  };

  const waitingFor = (file: SourceFile, { outlines, sizes, open }: Task): Waiting => {
    const outline = outlines.get(file.path);
    const { bytes = 0, modified = 0 } = sizes.get(file.path) ?? {};
    const written = Math.floor(modified);
    const said = outline !== undefined && Number.isFinite(outline.firstAt) ? outline.firstAt : null;
    // Files already begun go first: their next line is as old as what is on the log. So do files that may begin at any time.
    const isFirst = file.isLines && (marks.has(file.path) || (said === null && bytes > HEAD));
    return {
      firstAt: isFirst ? 0 : (said ?? written),
      rank: [outline?.isCopy === true ? 1 : 0, outline?.stateAt ?? Number.NaN, outline?.lastAt ?? Number.NaN],
      open: () => open(file, file.isLines ? (said ?? written) : 0),
    };
  };

  const readAll = async (task: Task): Promise<ImportCounts> => {
    const { files, sizes, signal, onProgress } = task;
    reading = files;
    const allBytes = files.reduce((sum, { path }) => sum + Math.max(0, (sizes.get(path)?.bytes ?? 0) - (marks.get(path)?.offset ?? 0)), 0);
    if (files.some(({ isIndex }) => isIndex === true))
      sessions = new Set([...marks.values(), ...files.map(({ context }) => context)].map(({ sessionId }) => sessionId));
    const begun = new Set<string>();
    const ended = new Set<string>();
    const ticks = options.ticks ?? (() => performance.now());
    const batch = createBatch(
      log,
      ticks,
      (results, written) => {
        for (const mark of written) marks.set(mark.path, mark);
        options.onCommit?.(results);
      },
      options.isAlone?.() === true ? WANTED_ALONE : undefined,
    );
    const commit = async (isAll: boolean): Promise<void> => {
      await batch.commit();
      pending.remove(ended);
      onProgress?.({ doneBytes: isAll ? allBytes : batch.counts().bytes, allBytes, files: begun.size, allFiles: files.length });
    };
    const merged = mergeByTime(
      files.map((file) => waitingFor(file, task)),
      {
        patience,
        onTrouble: ({ file: { path } }, cause) => {
          tails.delete(path);
          // The log keeps the contents of a deleted file; if it comes back, it is a new one.
          if ((cause as NodeJS.ErrnoException).code === 'ENOENT') troubles.clear(path);
          else troubles.note(path, cause);
        },
        onEnd: ({ file: { path } }) => {
          ended.add(path);
          const damage = damaged.get(path);
          if (damage === undefined) troubles.clear(path);
          else troubles.note(path, damage);
          const size = sizes.get(path);
          if (size !== undefined) looked.set(path, size);
        },
      },
    );
    const isStopped = (): boolean => signal.aborted || closing.signal.aborted;
    if (!isStopped()) {
      let restedAt = ticks();
      for await (const { source, line } of merged) {
        begun.add(source.file.path);
        batch.add(source, line);
        if (isStopped()) break;
        const isFull = batch.isFull();
        if (isFull) await commit(false);
        // ING-70: lines already in memory come without a pause; this gives others on this thread a turn.
        if (!isFull && ticks() - restedAt < AT_A_STRETCH) continue;
        await makeWay();
        restedAt = ticks();
      }
    }
    await commit(!isStopped());
    return { ...batch.counts(), files: begun.size };
  };

  const importAll = async (paths: readonly string[], signal: AbortSignal, isNamed: boolean): Promise<ImportCounts> => {
    const plan = planSources(paths, marks, dialects);
    if (isNamed) bound(plan);
    for (const { file, reason } of plan.skipped) if (reason.startsWith('unreadable')) troubles.note(file, reason);
    const isNew = plan.files.some(({ path, isIndex }) => isIndex !== true && !marks.has(path));
    const changed = plan.files.filter(
      // An index may have named a session before there was anything to read of it.
      ({ path, isIndex }) => (isChanged(path, plan.sizes.get(path)) || (isIndex === true && isNew)) && !options.isExcluded(path, ''),
    );
    // The newest can be listed before the others have been examined.
    const first = newestOf(changed, plan.sizes);
    const early = await outliner.outline(first, signal);
    pending.show(
      plan.groups,
      first.filter((file) => !early.failed.has(file.path) && !outliner.isExcluded(file)),
      early.outlines,
    );
    const isFirst = new Set(first);
    const late = await outliner.outline(
      changed.filter((file) => !isFirst.has(file)),
      signal,
    );
    const outlines = new Map([...early.outlines, ...late.outlines]);
    const failed = new Set([...early.failed, ...late.failed]);
    const files = changed.filter((file) => !failed.has(file.path) && !isLeftAlone(file, plan.sizes));
    pending.show(plan.groups, files, outlines);
    for (const { path } of files) {
      // It is read from its mark here; an open tail of it would fall behind.
      await tails.get(path)?.close();
      tails.delete(path);
    }
    const counts = await readAll({
      files,
      outlines,
      sizes: plan.sizes,
      open: openFile,
      signal,
      ...(options.onProgress && { onProgress: options.onProgress }),
    });
    await takenBack.tell();
    if (!signal.aborted && !closing.signal.aborted) pending.clear();
    return counts;
  };

  const isLeftAlone = (file: SourceFile, sizes: ReadonlyMap<string, Size>): boolean => {
    if (!outliner.isExcluded(file)) return false;
    const size = sizes.get(file.path);
    if (size !== undefined && outliner.isLearned(file)) looked.set(file.path, size);
    return true;
  };

  const readFiles = async (paths: readonly string[]): Promise<ImportCounts> => {
    const sizes = new Map<string, Size>();
    const all = paths.flatMap((path) => filesAt(path, sizes)).filter(({ path }) => !options.isExcluded(path, ''));
    for (const path of paths) if (all.every((file) => file.path !== path) && isMissing(path)) takenBack.missed(path);
    const unknown = all.filter((file) => !tails.has(file.path) || !outliner.isLearned(file));
    const { outlines, failed } = await outliner.outline(unknown, closing.signal);
    const files = all.filter((file) => !failed.has(file.path) && !isLeftAlone(file, sizes));
    const counts = await readAll({ files, outlines, sizes, open: tailOf, signal: closing.signal });
    await takenBack.tell();
    return { ...counts, files: files.length };
  };

  const isMissing = (path: string): boolean => marks.has(path) && isWithin(splitRoots(options.roots()).there, path);

  // Reported by the file system, not named by a person: only files that a walk would find.
  const filesAt = (path: string, sizes: Map<string, Size>): readonly SourceFile[] => {
    try {
      if (!isSource(dialects, path, options.roots())) return [];
      const plan = planSources([path], marks, dialects);
      for (const [file, size] of plan.sizes) {
        sizes.set(file, size);
        if (plan.files.every((one) => one.path !== file)) looked.set(file, size); // empty, or not a transcript after all
      }
      return plan.files;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') troubles.note(path, cause);
      return [];
    }
  };

  const findChanged = (near?: string): readonly string[] => {
    const roots = splitRoots(options.roots().filter((root) => near === undefined || isWithin([root], near)));
    const found = bound(discover(roots.there, dialects));
    const sizes = sizesOf(found);
    const unreadable = [...roots.unreadable, ...found.skipped.filter(({ reason }) => reason.startsWith('unreadable'))];
    troubles.walked(unreadable, (path) => sizes.has(path));
    const changed = [...sizes].filter(([path, size]) => isChanged(path, size) && !options.isExcluded(path, '')).map(([path]) => path);
    const becameOf = takenBack.walked({ files: found.files, roots: roots.there, unreadable: unreadable.map(({ file }) => file) });
    return [...new Set([...changed, ...becameOf])];
  };

  return {
    importAll: (paths, signal = NEVER, isNamed = true) => alone(() => importAll(paths, signal, isNamed)),
    readFiles: (paths) => alone(() => readFiles(paths)),
    findChanged,
    unreadIn: (paths) =>
      paths.reduce((sum, path) => {
        const bytes = classifyFile(dialects, path).role.role === 'foreign' ? 0 : (sizeAt(path)?.bytes ?? 0);
        return sum + Math.max(0, bytes - (marks.get(path)?.offset ?? 0));
      }, 0),
    troubles: troubles.all,
    pending: pending.all,
    close: () => {
      closing.abort();
      return alone(async () => {
        for (const source of tails.values()) await source.close();
        tails.clear();
      });
    },
  };
};

/** Yields to others: one turn of the event loop receives their requests, the next one runs them. */
const makeWay = async (): Promise<void> => {
  await breathe();
  await breathe();
};

const NEVER = new AbortController().signal;
const AT_A_STRETCH = 10;
const MOST_TAILS = 512;
const PATIENCE = 30_000;

/** The most recently written transcripts. */
const newestOf = (files: readonly SourceFile[], sizes: ReadonlyMap<string, Size>): readonly SourceFile[] =>
  files
    .filter((file) => file.role === 'main')
    .sort((a, b) => (sizes.get(b.path)?.modified ?? 0) - (sizes.get(a.path)?.modified ?? 0))
    .slice(0, LISTED_FIRST);

const LISTED_FIRST = 200;
