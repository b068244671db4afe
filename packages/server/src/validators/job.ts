import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { VALIDATION_TYPES } from '@yarnboard/domain';
import type { DeclaredService } from '@yarnboard/protocol';
import { check, type Checked, type Question } from './check.ts';
import { createPrograms, type OnGroup } from './programs.ts';
import type { Surroundings } from './port.ts';
import { createReach } from './reach.ts';
import { isIn, rootsOf, type Forbidden, type Roots } from './roots.ts';
import type { SessionCalls } from './tool-calls.ts';
import { validatorOf } from './validators.ts';

/** Where a check may look. */
export type Place = {
  readonly roots: Roots;
  readonly cwd: string | null;
  readonly services: readonly DeclaredService[];
  readonly mayAskContainers: boolean;
  readonly ownPids: readonly number[];
  readonly calls: SessionCalls | null;
  /** A folder that is a root besides, where it may be one. It is looked up here: the server itself waits for no file system. */
  readonly project?: { readonly folder: string; readonly forbidden: Forbidden } | null;
};

/** What is asked of the process that checks: a claim, how some files look now, or which methods work here. */
export type Job =
  | { readonly kind: 'check'; readonly place: Place; readonly question: Question }
  | { readonly kind: 'stamps'; readonly place: Place; readonly paths: readonly string[] }
  | { readonly kind: 'methods'; readonly place: Place };

/** What it answers, piece by piece: what was said before it was ended counts. */
export type Piece =
  | { readonly kind: 'checked'; readonly checked: readonly Checked[] }
  | { readonly kind: 'stamp'; readonly path: string; readonly stamp: string | null }
  | { readonly kind: 'method'; readonly type: Question['type']; readonly method: string; readonly why: string | null }
  /** A group of processes that it began, or that is over. */
  | { readonly kind: 'group'; readonly pid: number; readonly isOver: boolean };

/** Does a job, here and now. It knows neither token nor database nor home. */
export const doJob = async (job: Job, tell: (piece: Piece) => void): Promise<void> => {
  const around = await surroundingsOf(job.place, (pid, isOver) => tell({ kind: 'group', pid, isOver }));
  if (job.kind === 'check') {
    await check(job.question, { around, now: () => Date.now(), onChecked: (checked) => tell({ kind: 'checked', checked }) });
  } else if (job.kind === 'stamps') {
    for (const path of job.paths) {
      const seen = await around.reach.look(path);
      // What may not be looked at any more tells nothing.
      if (seen.kind === 'denied' || seen.kind === 'unreadable') continue;
      tell({ kind: 'stamp', path, stamp: seen.kind === 'file' ? seen.stamp : null });
    }
  } else {
    for (const type of VALIDATION_TYPES)
      for (const method of validatorOf(type).methods)
        tell({ kind: 'method', type, method: method.name, why: method.missing({ ...around, signal: NEVER }) });
  }
};

const surroundingsOf = async (place: Place, onGroup: OnGroup): Promise<Omit<Surroundings, 'signal'>> => {
  const { services, mayAskContainers, ownPids, calls } = place;
  const { roots, cwd } = await withProject(place);
  return {
    reach: createReach(roots, cwd),
    programs: createPrograms(undefined, onGroup),
    services,
    mayAskContainers,
    ownPids: new Set([...ownPids, process.pid]),
    calls,
  };
};

/** VAL-16: a session's folder counts only where it may be a root, and relative paths begin there only if it lies in one. */
const withProject = async ({ roots, cwd, project = null }: Place): Promise<Pick<Place, 'roots' | 'cwd'>> => {
  const own = project === null || !(await isAnswering(project.folder)) ? [] : rootsOf([project.folder], project.forbidden).folders;
  const folders = [...new Set([...roots.folders, ...own])];
  const [only] = folders.length === 1 ? folders : [];
  return { roots: { ...roots, folders }, cwd: cwd !== null && folders.some((root) => isIn(cwd, root)) ? cwd : (only ?? null) };
};

/** Whether its file system says anything: what does not is no place to look. */
const isAnswering = async (folder: string): Promise<boolean> => {
  const late = new AbortController();
  const answered = await Promise.race([
    stat(folder).then(
      () => true,
      () => false,
    ),
    setTimeout(LONGEST, false, { signal: late.signal }).catch(() => false),
  ]);
  late.abort();
  return answered;
};

const LONGEST = 2000;
const NEVER = new AbortController().signal;
