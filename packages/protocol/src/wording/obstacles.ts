import { OBSTACLES, hasFacts, type Obstacle, type ObstacleKind, type RoutineTask } from '@yarnboard/domain';
import { vocabularyOf, type Door, type Say, type Sentence, type WordsFor } from './vocabulary.ts';

/** AUTO-2: why something doesn't merge automatically, in the words of a door. */
export const obstacleWords = ({ kind, facts }: Obstacle, door: Door): string => {
  const tell = WORDS[kind] as (facts: unknown, say: Say) => Sentence; // an obstacle and its facts belong together by its type
  const said = tell(facts, vocabularyOf(door, 'auto_merge_obstacles'));
  const parts = (typeof said === 'string' ? [said] : said).filter((part) => part !== null && part !== '');
  return door === 'page' ? parts.map((part) => `${String(part).charAt(0).toUpperCase()}${String(part).slice(1)}.`).join(' ') : parts.join('; ');
};

/** An obstacle received over the wire; null if only another version knows it. */
export const obstacleIn = (kind: string, facts: unknown): Obstacle | null =>
  Object.hasOwn(OBSTACLES, kind) && hasFacts(OBSTACLES[kind as ObstacleKind].facts, facts) ? ({ kind, facts } as Obstacle) : null; // both were checked

/** AUTO-4: what the findings of a routine task must be. */
export const CONDITIONS: Readonly<Record<RoutineTask, string>> = {
  status_check: 'Each finding is one short statement: a yes or no, a number, a version or a state.',
  documentation_lookup: 'Each finding cites a source, and none contradicts another.',
  definition_retrieval: 'Each finding cites a file and lines.',
  search_discovery: 'Findings are references and nothing else.',
  format_validation: 'Each finding says what passed or failed.',
};

const listed = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ');
const named = (refs: readonly string[]): string => refs.slice(0, 5).join(', ') + (refs.length > 5 ? ` and ${refs.length - 5} more` : '');
const none = (refs: readonly string[]): string => (refs.length === 0 ? 'the package has no findings' : named(refs));
const have = (refs: readonly string[]): string => (refs.length === 1 ? 'has' : 'have');

const CHANGED: Readonly<Record<string, string>> = {
  task: 'the task',
  task_type: 'the task type',
  coordinator: 'the coordinator',
  curator: 'the curator',
};

const WORDS: WordsFor<typeof OBSTACLES> = {
  off: (_, say) => `automatic merges are off${say.by('auto_merge_config')}`,
  'no-type': () => 'it has no task type',
  'type-not-allowed': ({ taskType, isRoutine }, say) =>
    isRoutine
      ? `${taskType} is not allowed to merge automatically${say.by('auto_merge_config')}`
      : `${taskType} is not one of the task types that can merge automatically`,
  'type-suspended': ({ taskType, sidebar }, say) => [
    `${taskType} is suspended after a problem with ${sidebar}`,
    `only the operator can allow it again${say.by('auto_merge_config')}`,
  ],
  'no-package': (_, say) => `no merge is prepared yet${say.by('sidebar_consolidate')}`,
  unchecked: ({ curator }) => `${curator} has not reviewed it as curator`,
  unfit: ({ by, notes }) => `${by} asked for changes${notes === null ? '' : `: ${notes}`}`,
  'own-check': ({ by }) => `${by} reviewed a merge that they prepared themselves`,
  'own-findings': ({ refs }) => `only the author confirmed ${named(refs)}`,
  conflict: ({ refs, isInPackage }) => (isInPackage ? `findings in it conflict: ${named(refs)}` : `the sidebar has an open conflict: ${named(refs)}`),
  'no-source': ({ refs }) => `${named(refs)} ${have(refs)} no source that stands`,
  changes: ({ words, isCode }) => `it proposes or makes ${isCode ? 'changes of code' : 'changes'}: ${listed(words)}`,
  'wrote-files': ({ refs }) => `work in it wrote files: ${named(refs)}`,
  architecture: ({ words }) => `it recommends a structure: ${listed(words)}`,
  security: ({ words }) => `it is about security: ${listed(words)}`,
  'first-time': ({ taskType, approvals, needed }) =>
    `${taskType} needs ${needed} approved ${needed === 1 ? 'merge' : 'merges'} in a row without a later problem; there ${approvals === 1 ? 'is' : 'are'} ${approvals}`,
  'type-set-late': ({ taskType }) => `the task type ${taskType} was set late, or by someone who does not coordinate`,
  'changed-late': ({ what }) => `${what.map((one) => CHANGED[one] ?? one).join(' and ')} changed after the first finding`,
  'not-routine': ({ taskType, refs }) => `not a routine result of ${taskType}: ${none(refs)}`,
  'rests-on-contradicted': ({ refs }) => `it rests on ${named(refs)}, which was contradicted here`,
  'rests-on-provisional': ({ refs }) => `it rests on ${named(refs)}, which is not confirmed for good yet`,
  'rests-on-superseded': ({ refs }) => `it rests on ${named(refs)}, which was superseded`,
  'needs-review': ({ refs }) => `it rests on ${named(refs)}, which still has to be judged`,
  escalated: ({ by }) => `${by} escalated it, and no one has answered`,
  test: () => 'it is a test',
  outdated: ({ refs }) => `the prepared merge is outdated: ${named(refs)}`,
  refused: ({ reason }) => `it cannot be merged yet: ${reason.replaceAll('-', ' ')}`,
};

type Trust = { readonly taskType: string; readonly autoMerges: number; readonly cleanRate: number | null; readonly suspended: unknown };

/** The seed's path of trust: status checks first, then look-ups, then searches; each once the previous one has proved safe. */
export const nextTrust = (
  config: { readonly isEnabled: boolean; readonly allowedTaskTypes: readonly string[]; readonly requiredApprovals: number },
  types: readonly Trust[],
): string | null => {
  const next = PATH.find((taskType) => !config.allowedTaskTypes.includes(taskType));
  if (types.some(({ suspended }) => suspended !== null)) return 'Look at the problem first, before you allow anything else.';
  if (!config.isEnabled)
    return next === PATH[0] ? `Approve merges yourself for now. Once they are routine, switch automatic merges on for ${PATH[0]} only.` : null;
  if (next === undefined) return null;
  if (next === PATH[0]) return `Start with ${PATH[0]} and watch the history.`;
  const before = types.find(({ taskType }) => taskType === PATH[PATH.indexOf(next) - 1]);
  const isProven = before !== undefined && before.autoMerges >= PROVEN && before.cleanRate === 1;
  return isProven
    ? `${before.taskType} merged ${before.autoMerges} times without a problem. You could add ${next}.`
    : `Add ${next} once ${before?.taskType ?? ''} has merged ${PROVEN} times without a problem.`;
};

const PATH = ['status_check', 'documentation_lookup', 'search_discovery'] as const;
const PROVEN = 10;
