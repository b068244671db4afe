import { OPERATOR, rowsOf, SYSTEM, type Actor, type Board, type Command, type CommandType } from '@yarnboard/domain';
import { anyCommand, type Wish } from '../../packages/domain/test/board/histories.ts';
import type { Chance } from './chance.ts';

/** The session that is on every board. */
export const SESSION = 'session-1';

/** Nobody has registered it, whatever it believes. */
export const STRANGER: Actor = { id: 'AGENT-stranger', type: 'agent' };

/** What somebody wants next, looking at the board as it is told to him. In what is said there is a word of its own, so that it is seen when it is said twice. */
export const wishFor = ({ random, happens }: Chance, board: Board, said: readonly string[], nonce: string): Wish => {
  const messages = said.filter((ref) => ref.startsWith('MSG-'));
  const exchanges = said.filter((ref) => ref.startsWith('EXCH-'));
  const { command, actor } = anyCommand({ board, random, messages, exchanges, sessions: [SESSION] });
  return { command: withNonce(command, nonce), actor: happens(0.06) ? STRANGER : actor };
};

const withNonce = (command: Command, nonce: string): Command =>
  (command.type === 'chat.say' || command.type === 'finding.submit') && command.content.trim() !== ''
    ? { ...command, content: `${command.content} (${nonce})` }
    : command;

/** The sidebar that a wish is about; null when it is about none, or one that is not there. */
export const sidebarIn = (board: Board, command: Command): string | null => {
  const named = 'sidebar' in command ? (command.sidebar ?? null) : null;
  return rowsOf(board.sidebars).find(({ id, ref }) => id === named || ref === named)?.id ?? null;
};

/** Every kind of command that is done in some history. */
export const WISHED: readonly CommandType[] = [
  'chat.say',
  'finding.submit',
  'finding.validate',
  'finding.annotate',
  'conflict.resolve',
  'checkpoint.create',
  'sidebar.spawn',
  'sidebar.spawn-child',
  'sidebar.fork',
  'sidebar.pause',
  'sidebar.resume',
  'sidebar.wait',
  'sidebar.move',
  'sidebar.change',
  'sidebar.escalate',
  'sidebar.test-result',
  'sidebar.consolidate',
  'merge.check',
  'sidebar.merge',
  'sidebar.archive',
  'sidebar.finish',
  'sidebar.reopen',
  'proposal.answer',
  'mention.route',
  'relevance.score',
  'focus.change',
  'citation.create',
  'media.upload',
  'gold.create',
  'gold.validate',
  'gold.answer',
  'agent.register',
  'agent.retire',
  'agent.presence',
  'agent.recruit',
  'agent.leave',
  'inbox.read',
  'automerge.configure',
  'claim.verify',
  'claim.settle',
  'claim.validate',
  'validation.configure',
  'validation.overrule',
];

/** What somebody does who knows what he wants: the way to a merge is too long to be found by chance. Others come in between. */
export const planFor = (chance: Chance): readonly Wish[] =>
  (chance.one(PLANS) ?? []).map((step, n) => {
    const [make, actor] = typeof step === 'function' ? [step, OPERATOR] : step;
    return { command: make(`(n${PLANNED + n})`), actor };
  });

type Step = (nonce: string) => Command;
/** The operator's, unless it says whose. */
type Planned = Step | readonly [Step, Actor];

const sidebar = 'SB-1';
const submit: Step = (nonce) => ({ type: 'finding.submit', sidebar, content: `The retry limit is 3. ${nonce}` });
const contradict: Step = (nonce) => ({ type: 'finding.submit', sidebar, content: `The retry limit is 5. ${nonce}` });
const confirm: Step = () => ({ type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'confirmed' });
const reject: Step = (nonce) => ({ type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'rejected', notes: nonce });
const consolidate: Step = () => ({ type: 'sidebar.consolidate', sidebar, keyFindings: ['FINDING-1'] });
const review: Step = () => ({ type: 'sidebar.move', sidebar, to: 'REVIEWING' });
const check: Step = () => ({ type: 'merge.check', sidebar, isFit: true });
const merge: Step = () => ({ type: 'sidebar.merge', sidebar, target: { kind: 'session', sessionId: SESSION } });
const archive: Step = () => ({ type: 'sidebar.archive', sidebar });
const fork: Step = (nonce) => ({ type: 'sidebar.fork', sidebar, reason: nonce });

const type: Step = () => ({ type: 'sidebar.change', sidebar, taskType: 'status_check' });
const allow: Step = () => ({ type: 'automerge.configure', isEnabled: true, allowedTaskTypes: ['status_check'], requiredApprovals: 1 });
const routine: Step = () => ({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'Is it up?', taskType: 'status_check', participants: [] });
const second = 'SB-2';
const submitRoutine: Step = (nonce) => ({ type: 'finding.submit', sidebar: second, content: `The mirror is up. ${nonce}`, sourceRefs: ['SB-1'] });
const confirmRoutine: Step = () => ({ type: 'finding.validate', sidebar: second, finding: 'FINDING-1', status: 'confirmed' });
const consolidateRoutine: Step = () => ({ type: 'sidebar.consolidate', sidebar: second, keyFindings: ['FINDING-1'] });
const checkRoutine: Step = () => ({ type: 'merge.check', sidebar: second, isFit: true });

/** Words of the session that is on every board. */
const inherited = { sidebar, claim: 'EXCH-1', words: 'the pool is exhausted' } as const;
const [ada, ben]: readonly [Actor, Actor] = [
  { id: 'AGENT-ada', type: 'agent' },
  { id: 'AGENT-ben', type: 'agent' },
];
const believe: Step = () => ({ type: 'claim.verify', ...inherited, verification: 'confirmed' });
const doubt: Step = () => ({ type: 'claim.verify', ...inherited, verification: 'contradicted', confidence: 0 });
const settle: Step = (notes) => ({ type: 'claim.settle', sidebar, claim: 'CLAIM-1', verification: 'confirmed', notes });
const letCheck: Step = () => ({ type: 'validation.configure', isOn: true, allowed: ['current_state'] });
const checked: Step = () => ({
  type: 'claim.validate',
  ...inherited,
  isAuto: false,
  report: { kind: 'current_state', isDenied: false, subject: 'pool', attempts: [SEEN], files: [], duration: 1 },
});
const SEEN = {
  method: 'declared_metrics',
  environment: 'system',
  startedAt: 0,
  duration: 1,
  says: 'refutes',
  isDecisive: true,
  evidence: 'pool 0.2',
  fault: null,
  foundAt: [],
} as const;
const overrule: Step = (reason) => ({ type: 'validation.overrule', sidebar, claim: 'CLAIM-1', verification: 'confirmed', reason });

const annotate: Step = (note) => ({ type: 'finding.annotate', sidebar, finding: 'FINDING-1', note });
const mark: Step = (nonce) => ({
  type: 'gold.create',
  sourceRefs: ['EXCH-1'],
  keyInsight: `The pool is too small. ${nonce}`,
  reusePattern: 'requests wait for a connection',
  triggerConditions: ['times out'],
});
const surface: Step = () => ({ type: 'gold.surface', gold: 'GOLD-1', contextId: SESSION, score: 1, condition: 'times out', about: 'MSG-1' });
const answer: Step = () => ({ type: 'gold.answer', gold: 'GOLD-1', answer: 'useful' });

const PLANS: readonly (readonly Planned[])[] = [
  [],
  [],
  [submit, confirm, consolidate, check, merge, archive, fork],
  [submit, confirm, consolidate, check, reject, merge],
  [submit, contradict, confirm, review, consolidate, check, merge],
  [submit, confirm, reject, review, consolidate, check, merge],
  [submit, confirm, annotate],
  [mark, [surface, SYSTEM], answer],
  // Two who were there disagree about what was inherited; then a check does, and the human says that it was wrong.
  [[believe, ada], [doubt, ben], settle, letCheck, [checked, ben], overrule],
  // The sidebar gets its type before anything is found; once one is approved, the next merges by itself.
  [type, submit, confirm, consolidate, check, merge, allow, routine, submitRoutine, confirmRoutine, consolidateRoutine, checkRoutine],
];

// Words of their own, too.
const PLANNED = 1000;
