import { maskSecrets } from '@yarnboard/domain';
import type { FollowerState } from '../followers/runner.ts';

/** FOLLOW-9: a follower that fails, as people want to know it: what no longer happens, why, and what to do. */
export type Failing = {
  readonly name: string;
  readonly effect: string;
  readonly why: string;
  readonly remedy: string;
  readonly since: number;
};

export const failingAmong = (followers: readonly FollowerState[]): readonly Failing[] =>
  followers.flatMap(({ name, failure }) => {
    if (failure === null) return [];
    const { effect, remedy = RESTART } = WORDS[name] ?? { effect: `The background task “${name}” is not running` };
    return [{ name, effect, why: maskSecrets(failure.why).text, remedy, since: failure.since }];
  });

type Words = { readonly effect: string; readonly remedy?: string };

const RESTART = 'Yarnboard keeps retrying. If it doesn’t recover, fix the cause, then restart Yarnboard with `yarnboard stop` and `yarnboard start`.';

const WORDS: Readonly<Record<string, Words>> = {
  search: {
    effect: 'Search doesn’t find new entries',
    remedy:
      'Yarnboard keeps retrying. If it doesn’t recover, run `yarnboard stop`, delete `search.db` next to the board, and run `yarnboard start`: the index is rebuilt from the log.',
  },
  listeners: { effect: 'Open pages and clients don’t receive new entries' },
  turns: { effect: 'Finished turns may still be shown as open' },
  symptoms: { effect: 'New symptoms in sessions aren’t noticed' },
  duties: { effect: 'Overdue sidebars aren’t ended or archived' },
  'others-decisions': { effect: 'Changes made through other servers on this board aren’t picked up' },
  'others-runs': { effect: 'Runs on other servers of this board aren’t up to date' },
};
