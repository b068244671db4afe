import { maskSecrets } from '@yarnboard/domain';
import type { SearchPort } from '@yarnboard/store';
import type { FollowerState } from '../followers/runner.ts';

/** FOLLOW-9: a failing follower, put for people: what stopped working, why, and what to do. */
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

/** FIND-18: log entries that search covers only in part. This doesn't resolve by itself, so there is no "since". */
export const uncoveredBy = ({ count, first }: Uncovered): readonly (Omit<Failing, 'since'> & { readonly since: null })[] => {
  if (count === 0) return [];
  const named = first.slice(0, FEW).map(({ position }) => position);
  const more = count - named.length;
  const which = `${count === 1 ? 'entry' : 'entries'} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    {
      name: 'search',
      effect: `Search covers only part of ${which} of the log`,
      why: count === 1 ? 'its text is too long to index' : 'their texts are too long to index',
      remedy: 'The rest of the text is on the log and in its session: look there.',
      since: null,
    },
  ];
};

type Uncovered = Awaited<ReturnType<SearchPort['unindexed']>>;
const FEW = 5;

type Words = { readonly effect: string; readonly remedy?: string };

const RESTART = 'Yarnboard keeps retrying. If it doesn’t recover, fix the cause, then restart Yarnboard with `yarnboard stop` and `yarnboard start`.';

const WORDS: Readonly<Record<string, Words>> = {
  meaning: {
    effect: 'New text is not yet found by meaning; words are',
    remedy: 'Check the endpoint that "embedding" in settings.json names. It is tried again by itself.',
  },
  search: {
    effect: 'Search doesn’t find new entries',
    remedy:
      'Yarnboard keeps retrying. If it doesn’t recover, run `yarnboard stop`, delete `search.db` next to the board, and run `yarnboard start`: the index is rebuilt from the log.',
  },
  'index-lag': {
    effect: 'Search doesn’t find the newest entries',
    remedy: 'If it stays so, restart Yarnboard with `yarnboard stop` and `yarnboard start`: indexing goes on where it stopped.',
  },
  writing: {
    effect: 'Nothing can be written; commands are queued where they can wait, and refused where they can’t',
    remedy: 'Fix the cause. Yarnboard keeps trying, and goes on by itself; reading works meanwhile.',
  },
  checkpoints: {
    effect: 'New entries aren’t signed, so a log that was cut off might go unnoticed',
    remedy: 'Make room, or make the state folder writable. Yarnboard signs with the next entry.',
  },
  forgetting: {
    effect: 'Search may still find text that was forgotten',
    remedy: 'Forget it again once the cause is fixed, or run `yarnboard rebuild`.',
  },
  watching: {
    effect: 'New lines of some sessions appear up to a minute late',
    remedy: 'On Linux, raise the limit of watched folders: `sudo sysctl fs.inotify.max_user_watches=524288`. Nothing is lost meanwhile.',
  },
  sweeping: { effect: 'New lines that weren’t announced by the file system aren’t found' },
  snapshot: {
    effect: 'The state of the board isn’t saved, so the next start takes longer',
    remedy: 'Make room, or make Yarnboard’s home writable. Nothing is lost: everything is on the log.',
  },
  packs: { effect: 'Small parts of the database aren’t put together, so it grows faster' },
  media: { effect: 'Unused uploads aren’t cleaned up' },
  listeners: { effect: 'Open pages and clients don’t receive new entries' },
  turns: { effect: 'Finished turns may still be shown as open' },
  symptoms: { effect: 'New symptoms in sessions aren’t noticed' },
  clock: {
    effect: 'The system clock doesn’t match the time that has passed',
    remedy:
      'Check the system clock. Deadlines count the time that really passed, so nothing ends early. This notice goes away when the clock is back, or after a day.',
  },
  duties: { effect: 'Overdue sidebars aren’t ended or archived' },
  'others-decisions': { effect: 'Changes made through other servers on this board aren’t picked up' },
  servers: {
    effect: 'Servers on this board don’t hear of each other, and agents of a server that died may still be shown as available',
    remedy: 'Make the database reachable. Yarnboard keeps retrying, and goes on by itself.',
  },
  redis: {
    effect: 'Servers on this board hear of each other up to a second later, and there’s no copy of the emergency cache in Redis',
    remedy: 'Start Redis, or fix its address (`redis` in `settings.json`). Nothing is lost, and Yarnboard goes on with Redis by itself.',
  },
  'others-runs': { effect: 'Runs on other servers of this board aren’t up to date' },
};
