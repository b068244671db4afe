import { VALIDATION_TYPES } from '@yarnboard/domain';
import type { DeclaredService } from '@yarnboard/protocol';
import { check, type Checked, type Question } from './check.ts';
import { createPrograms } from './programs.ts';
import type { Surroundings } from './port.ts';
import { createReach } from './reach.ts';
import type { Roots } from './roots.ts';
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
  | { readonly kind: 'method'; readonly type: Question['type']; readonly method: string; readonly why: string | null };

/** Does a job, here and now. It knows neither token nor database nor home. */
export const doJob = async (job: Job, tell: (piece: Piece) => void): Promise<void> => {
  const around = surroundingsOf(job.place);
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

const surroundingsOf = ({ roots, cwd, services, mayAskContainers, ownPids, calls }: Place): Omit<Surroundings, 'signal'> => ({
  reach: createReach(roots, cwd),
  programs: createPrograms(),
  services,
  mayAskContainers,
  ownPids: new Set([...ownPids, process.pid]),
  calls,
});

const NEVER = new AbortController().signal;
