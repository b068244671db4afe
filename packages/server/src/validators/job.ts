import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { VALIDATION_TYPES } from '@yarnboard/domain';
import type { DeclaredProgram, DeclaredService } from '@yarnboard/protocol';
import { check, type Checked, type Question } from './check.ts';
import { createPrograms, type OnGroup } from './programs.ts';
import type { Surroundings } from './port.ts';
import { createReach } from './reach.ts';
import { isIn, rootsOf, type Forbidden, type Roots } from './roots.ts';
import type { SessionCalls } from './tool-calls.ts';
import { validatorOf } from './validators.ts';

/** What a check may access. */
export type Place = {
  readonly roots: Roots;
  readonly cwd: string | null;
  readonly services: readonly DeclaredService[];
  readonly mayAskContainers: boolean;
  readonly programs?: readonly DeclaredProgram[];
  readonly ownPids: readonly number[];
  readonly calls: SessionCalls | null;
  /** An additional root, if it may be one. The child process finds out: the server itself must not wait for a file system. */
  readonly project?: { readonly folder: string; readonly forbidden: Forbidden } | null;
};

/** The child's task: check a claim, report the current stamps of files, or list which methods work here. */
export type Job =
  | { readonly kind: 'check'; readonly place: Place; readonly question: Question }
  | { readonly kind: 'stamps'; readonly place: Place; readonly paths: readonly string[] }
  | { readonly kind: 'methods'; readonly place: Place };

/** The child's answer, piece by piece: what it reported before being killed counts. */
export type Piece =
  | { readonly kind: 'checked'; readonly checked: readonly Checked[] }
  | { readonly kind: 'stamp'; readonly path: string; readonly stamp: string | null }
  | { readonly kind: 'method'; readonly type: Question['type']; readonly method: string; readonly why: string | null }
  /** A process group that it started, or that has ended. */
  | { readonly kind: 'group'; readonly pid: number; readonly isOver: boolean };

/** Does a job in this process. It has no token, database or home. */
export const doJob = async (job: Job, tell: (piece: Piece) => void): Promise<void> => {
  const around = await surroundingsOf(job.place, (pid, isOver) => tell({ kind: 'group', pid, isOver }));
  if (job.kind === 'check') {
    await check(job.question, { around, now: () => Date.now(), onChecked: (checked) => tell({ kind: 'checked', checked }) });
  } else if (job.kind === 'stamps') {
    for (const path of job.paths) {
      const seen = await around.reach.look(path);
      // Report nothing about a path we may no longer look at.
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
  const { services, mayAskContainers, ownPids, calls, programs = [] } = place;
  const { roots, cwd } = await withProject(place);
  return {
    reach: createReach(roots, cwd),
    programs: createPrograms(undefined, onGroup, { declared: programs, roots: roots.folders }),
    services,
    mayAskContainers,
    ownPids: new Set([...ownPids, process.pid]),
    calls,
  };
};

/** VAL-16: a session's folder counts only if it may be a root. Relative paths start there only if it is inside a root. */
const withProject = async ({ roots, cwd, project = null }: Place): Promise<Pick<Place, 'roots' | 'cwd'>> => {
  const own = project === null || !(await isAnswering(project.folder)) ? [] : rootsOf([project.folder], project.forbidden).folders;
  const folders = [...new Set([...roots.folders, ...own])];
  const [only] = folders.length === 1 ? folders : [];
  return { roots: { ...roots, folders }, cwd: cwd !== null && folders.some((root) => isIn(cwd, root)) ? cwd : (only ?? null) };
};

/** Whether the folder's file system answers. If not, we don't look there. */
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
