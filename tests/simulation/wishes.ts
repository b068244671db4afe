import {
  FINDING_STATUSES,
  isEnded,
  OPERATOR,
  PRIORITIES,
  rowsOf,
  standingFindings,
  STATUSES,
  type Actor,
  type Board,
  type Command,
  type CommandType,
  type FindingStatus,
  type NewSidebar,
  type Sidebar,
  type Status,
} from '@yarnboard/domain';
import { sha256 } from '@yarnboard/store';
import type { Chance } from './chance.ts';

export const SESSION = '5e551011-0000-4000-8000-000000000001';

export const AGENTS = ['scout', 'curator', 'critic', 'tester'] as const;

export const actorOf = (agent: string): Actor => ({ id: `AGENT-${agent}`, type: 'agent' });

/** What somebody could want, looking at the board as it is told to him; often, not always, something that is allowed. */
export const wishFor = (chance: Chance, board: Board, actor: Actor, nonce: string): Command => {
  const ask: Asking = { chance, board, actor, nonce, sidebars: rowsOf(board.sidebars) };
  // Most often something that there is an occasion for.
  const occasions = chance.happens(0.9) ? WISHES.filter(({ fits }) => fits?.(ask) !== false) : WISHES;
  return (chance.weighed(occasions) ?? WISHES[0]).make(ask);
};

type Asking = {
  readonly chance: Chance;
  readonly board: Board;
  readonly actor: Actor;
  /** In every text, so that it is seen when something is done twice. */
  readonly nonce: string;
  readonly sidebars: readonly Sidebar[];
};

/** A sidebar, most often one that fits. */
const some = ({ chance, sidebars }: Asking, ...statuses: readonly Status[]): string => {
  if (chance.happens(0.03)) return 'SB-99';
  const fit = sidebars.filter(({ status }) => (statuses.length === 0 ? !isEnded(status) : statuses.includes(status)));
  const found = chance.one(chance.happens(0.9) && fit.length > 0 ? fit : sidebars);
  if (found === undefined) return 'SB-1';
  return chance.happens(0.2) ? found.id : found.ref;
};

const rowOf = ({ board }: Asking, sidebar: string): Sidebar | undefined => board.sidebars.get(board.ids.get(sidebar) ?? sidebar);

const somebody = ({ chance }: Asking): string => (chance.happens(0.04) ? 'nobody' : (chance.one([...AGENTS, 'operator']) ?? ''));

const exchange = ({ chance }: Asking): string => `EXCH-${1 + chance.below(4)}`;

const about = (ask: Asking): readonly string[] => {
  const { chance, board } = ask;
  const known = chance.one([...board.ids.entries()])?.[0] ?? 'SB-1';
  return [`MSG-${1 + chance.below(9)}`, exchange(ask), known].filter(() => chance.happens(0.25));
};

const finding = (ask: Asking, sidebar: string): string => {
  const { chance } = ask;
  const found = chance.one(rowOf(ask, sidebar)?.scratchpad.findings ?? []);
  return found === undefined ? 'FINDING-1' : (chance.one([found.id, found.ref, `FINDING-${found.number}`]) ?? '');
};

const text = ({ chance, nonce }: Asking): string => `${chance.one(TEXTS) ?? ''} (${nonce})`;

const news = (ask: Asking): NewSidebar => {
  const { chance } = ask;
  return {
    task: text(ask),
    participants: chance.happens(0.6) ? [somebody(ask), somebody(ask)] : undefined,
    coordinator: chance.happens(0.3) ? somebody(ask) : undefined,
    curator: chance.happens(0.4) ? somebody(ask) : undefined,
    priority: chance.one([undefined, ...PRIORITIES]),
    isTesting: chance.happens(0.15) ? true : undefined,
    testGroup: chance.happens(0.1) ? 'pools' : undefined,
    successCriteria: chance.happens(0.5) ? 'it is known' : undefined,
    taskType: chance.one([undefined, 'debugging']),
  };
};

/** Every kind of command that somebody may wish for. */
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
  'mention.route',
  'relevance.score',
  'focus.change',
  'citation.create',
  'media.upload',
  'gold.create',
  'gold.validate',
  'agent.register',
  'agent.retire',
  'agent.presence',
  'agent.recruit',
  'agent.leave',
  'inbox.read',
];

type Wish = { readonly weight: number; readonly fits?: (ask: Asking) => boolean; readonly make: (ask: Asking) => Command };

const isThere =
  (...statuses: readonly Status[]) =>
  ({ sidebars }: Asking): boolean =>
    sidebars.some(({ status }) => statuses.includes(status));

const hasFindings =
  (...statuses: readonly FindingStatus[]) =>
  ({ sidebars }: Asking): boolean =>
    sidebars.some(({ status, scratchpad }) => !isEnded(status) && scratchpad.findings.some((one) => statuses.includes(one.status)));

const WISHES: readonly [Wish, ...Wish[]] = [
  {
    weight: 9,
    make: (ask) => ({
      type: 'chat.say',
      sidebar: some(ask),
      content: `${ask.chance.happens(0.2) ? `@${somebody(ask)} ` : ''}${text(ask)}`,
      citations: about(ask),
      inReplyTo: ask.chance.happens(0.3) ? (about(ask)[0] ?? undefined) : undefined,
    }),
  },
  {
    weight: 7,
    make: (ask) => {
      const sidebar = some(ask);
      const supersedes = ask.chance.happens(0.15) ? finding(ask, sidebar) : undefined;
      return { type: 'finding.submit', sidebar, content: `${ask.chance.one(FINDINGS) ?? ''} (${ask.nonce})`, sourceRefs: about(ask), supersedes };
    },
  },
  {
    weight: 14,
    fits: hasFindings('pending'),
    make: (ask) => {
      const pending = ask.sidebars.filter(({ scratchpad }) => scratchpad.findings.some(({ status }) => status === 'pending'));
      const sidebar = ask.chance.one(pending)?.ref ?? some(ask);
      const status = ask.chance.one([...FINDING_STATUSES, 'confirmed', 'confirmed'] as const) ?? 'confirmed';
      return { type: 'finding.validate', sidebar, finding: finding(ask, sidebar), status, notes: text(ask) };
    },
  },
  {
    // What was proposed for a merge falls before it is merged.
    weight: 6,
    fits: isThere('CONSOLIDATING'),
    make: (ask) => {
      const sidebar = some(ask, 'CONSOLIDATING');
      return { type: 'finding.validate', sidebar, finding: finding(ask, sidebar), status: 'rejected', notes: text(ask) };
    },
  },
  {
    weight: 4,
    fits: hasFindings('confirmed'),
    make: (ask) => {
      const sidebar = some(ask);
      return { type: 'finding.annotate', sidebar, finding: finding(ask, sidebar), note: text(ask) };
    },
  },
  {
    weight: 4,
    fits: ({ sidebars }) => sidebars.some(({ scratchpad }) => scratchpad.conflicts.length > 0),
    make: (ask) => {
      const sidebar = ask.chance.one(ask.sidebars.filter(({ scratchpad }) => scratchpad.conflicts.length > 0))?.ref ?? some(ask);
      return { type: 'conflict.resolve', sidebar, conflict: rowOf(ask, sidebar)?.scratchpad.conflicts.at(-1)?.id ?? 'none', notes: text(ask) };
    },
  },
  { weight: 2, make: (ask) => ({ type: 'checkpoint.create', sidebar: some(ask), summary: text(ask) }) },
  { weight: 2, make: (ask) => ({ type: 'sidebar.spawn', origin: { kind: 'none' }, ...news(ask) }) },
  {
    weight: 2,
    make: (ask) => ({ type: 'sidebar.spawn', origin: { kind: 'session', sessionId: SESSION, leafUuid: null, upTo: null }, ...news(ask) }),
  },
  {
    weight: 5,
    make: (ask) => ({
      type: 'sidebar.spawn-child',
      sidebar: some(ask),
      upTo: ask.chance.happens(0.2) ? ask.chance.below(60) : null,
      isWaiting: ask.chance.happens(0.3),
      ...news(ask),
    }),
  },
  { weight: 6, fits: isThere('ARCHIVED'), make: (ask) => ({ type: 'sidebar.fork', sidebar: some(ask, 'ARCHIVED'), reason: text(ask) }) },
  { weight: 2, make: (ask) => ({ type: 'sidebar.pause', sidebar: some(ask, 'ACTIVE'), reason: text(ask) }) },
  { weight: 3, fits: isThere('PAUSED', 'WAITING'), make: (ask) => ({ type: 'sidebar.resume', sidebar: some(ask, 'PAUSED', 'WAITING') }) },
  {
    weight: 2,
    make: (ask) => ({
      type: 'sidebar.wait',
      sidebar: some(ask, 'ACTIVE'),
      waitingFor: text(ask),
      dependencies: ask.chance.happens(0.5) ? [some(ask)] : undefined,
      timeoutMs: ask.chance.happens(0.6) ? 1 + ask.chance.below(7_200_000) : undefined,
    }),
  },
  { weight: 3, make: (ask) => ({ type: 'sidebar.move', sidebar: some(ask), to: ask.chance.one(STATUSES) ?? 'ACTIVE', reason: text(ask) }) },
  {
    weight: 2,
    make: (ask) => ({
      type: 'sidebar.change',
      sidebar: some(ask),
      priority: ask.chance.one([undefined, ...PRIORITIES]),
      curator: ask.chance.happens(0.3) ? somebody(ask) : undefined,
      coordinator: ask.chance.happens(0.2) ? somebody(ask) : undefined,
      task: ask.chance.happens(0.4) ? text(ask) : undefined,
    }),
  },
  { weight: 1, make: (ask) => ({ type: 'sidebar.escalate', sidebar: some(ask), reason: text(ask) }) },
  {
    weight: 4,
    fits: isThere('TESTING'),
    make: (ask) => ({ type: 'sidebar.test-result', sidebar: some(ask, 'TESTING'), description: text(ask), result: 'slower' }),
  },
  {
    weight: 8,
    make: (ask) => {
      const ready = ask.sidebars.filter((one) => one.status === 'ACTIVE' && standingFindings(one.scratchpad).length > 0);
      const sidebar =
        ask.chance.happens(0.6) && ready.length > 0 ? (ask.chance.one(ready)?.id ?? '') : some(ask, 'ACTIVE', 'REVIEWING', 'CONSOLIDATING');
      return { type: 'sidebar.consolidate', sidebar, keyFindings: ask.chance.happens(0.3) ? [finding(ask, sidebar)] : undefined };
    },
  },
  {
    weight: 20,
    fits: isThere('CONSOLIDATING'),
    make: (ask) => ({ type: 'merge.check', sidebar: some(ask, 'CONSOLIDATING'), isFit: ask.chance.happens(0.85), notes: text(ask) }),
  },
  {
    weight: 24,
    fits: isThere('CONSOLIDATING'),
    make: (ask) => {
      const sidebar = some(ask, 'CONSOLIDATING');
      const into = ask.chance.one(ask.sidebars);
      const target =
        ask.chance.happens(0.3) || into === undefined
          ? ({ kind: 'session', sessionId: SESSION } as const)
          : ({ kind: 'sidebar', sidebarId: into.id } as const);
      const isRoot = rowOf(ask, sidebar)?.parent === null;
      return { type: 'sidebar.merge', sidebar, target: isRoot ? target : undefined, isApproved: ask.chance.happens(0.9), reason: text(ask) };
    },
  },
  {
    weight: 3,
    fits: isThere('MERGED', 'FAILED', 'TESTING'),
    make: (ask) => ({ type: 'sidebar.archive', sidebar: some(ask, 'MERGED', 'FAILED', 'TESTING') }),
  },
  { weight: 1, make: (ask) => ({ type: 'sidebar.archive', sidebar: some(ask) }) },
  { weight: 1, make: (ask) => ({ type: 'mention.route', sidebar: some(ask), targets: [somebody(ask)], message: text(ask) }) },
  { weight: 2, make: (ask) => ({ type: 'relevance.score', sidebar: some(ask), scores: { [exchange(ask)]: ask.chance.random() } }) },
  { weight: 1, make: (ask) => ({ type: 'focus.change', sidebar: some(ask), add: [exchange(ask)] }) },
  {
    weight: 2,
    make: (ask) => ({ type: 'citation.create', sidebar: some(ask), source: { kind: 'external', url: null, title: text(ask) }, content: text(ask) }),
  },
  {
    weight: 1,
    make: (ask) => ({
      type: 'media.upload',
      sidebar: some(ask),
      mediaType: 'image',
      filePath: `${ask.nonce}.png`,
      content: 'aGk=',
      found: { size: 2, mime: 'image/png', sha256: 'ab' },
    }),
  },
  {
    weight: 2,
    make: (ask) => ({
      type: 'gold.create',
      sidebar: ask.chance.happens(0.8) ? some(ask) : undefined,
      sourceRefs: ['MSG-1', ...about(ask)],
      keyInsight: text(ask),
      reusePattern: 'pools',
      triggerConditions: ['Similar symptoms: login slow + pool exhausted'],
    }),
  },
  {
    weight: 4,
    fits: ({ board }) => board.golds.size() > 0,
    make: (ask) => ({
      type: 'gold.validate',
      gold: ask.chance.one(rowsOf(ask.board.golds))?.ref ?? 'GOLD-1',
      status: ask.chance.one(FINDING_STATUSES) ?? 'pending',
      notes: text(ask),
    }),
  },
  { weight: 1, make: (ask) => registration(somebody(ask), ask.nonce) },
  { weight: 0.5, make: (ask) => ({ type: 'agent.retire', agent: somebody(ask) }) },
  {
    weight: 1,
    make: ({ actor, chance }) => ({ type: 'agent.presence', agent: actor.id, status: chance.one(['available', 'busy'] as const) ?? 'busy' }),
  },
  { weight: 4, make: (ask) => ({ type: 'agent.recruit', sidebar: some(ask), agent: ask.chance.happens(0.7) ? ask.actor.id : somebody(ask) }) },
  { weight: 1, make: (ask) => ({ type: 'agent.leave', sidebar: some(ask), agent: ask.chance.happens(0.7) ? ask.actor.id : somebody(ask) }) },
  { weight: 1, make: ({ chance }) => ({ type: 'inbox.read', upTo: chance.below(100) }) },
];

export const registration = (agent: string, nonce: string): Command => ({
  type: 'agent.register',
  agent,
  kind: 'agent',
  specialties: [],
  preferredCollaborators: [],
  tokenHash: Buffer.from(sha256(nonce)).toString('hex'),
});

export const FIRST_WISHES: readonly { readonly actor: Actor; readonly command: Command }[] = [
  ...AGENTS.map((agent) => ({ actor: OPERATOR, command: registration(agent, agent) })),
  {
    actor: OPERATOR,
    command: { type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'why is login slow?', participants: [...AGENTS], curator: 'curator' },
  },
];

const TEXTS = [
  'login is slow and the pool is exhausted',
  'see MSG-1 and SB-1',
  'what about the cache?',
  'the pool again, see SCRATCH-1:FINDING-1',
] as const;
const FINDINGS = [
  'The retry limit is 3.',
  'The retry limit is 5.',
  'The retry limit is 7.',
  'The cache is off.',
  'Logins wait for a connection.',
] as const;

/** What somebody does who knows what he wants: the way to a merge is too long to be found by chance. Others come in between. */
export const planFor = (chance: Chance, nonce: string): readonly Command[] => chance.one(PLANS)?.map((command) => command(nonce)) ?? [];

type Step = (nonce: string) => Command;

const sidebar = 'SB-1';
const submit: Step = (nonce) => ({ type: 'finding.submit', sidebar, content: `The retry limit is 3. (${nonce})` });
const contradict: Step = (nonce) => ({ type: 'finding.submit', sidebar, content: `The retry limit is 5. (${nonce}b)` });
const confirm: Step = () => ({ type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'confirmed' });
const reject: Step = (nonce) => ({ type: 'finding.validate', sidebar, finding: 'FINDING-1', status: 'rejected', notes: nonce });
const consolidate: Step = () => ({ type: 'sidebar.consolidate', sidebar, keyFindings: ['FINDING-1'] });
const review: Step = () => ({ type: 'sidebar.move', sidebar, to: 'REVIEWING' });
const check: Step = () => ({ type: 'merge.check', sidebar, isFit: true });
const merge: Step = () => ({ type: 'sidebar.merge', sidebar, target: { kind: 'session', sessionId: SESSION } });
const archive: Step = () => ({ type: 'sidebar.archive', sidebar });
const fork: Step = (nonce) => ({ type: 'sidebar.fork', sidebar, reason: nonce });

const PLANS: readonly (readonly Step[])[] = [
  [],
  [],
  [submit, confirm, consolidate, check, merge, archive, fork],
  [submit, confirm, consolidate, check, reject, merge],
  [submit, contradict, confirm, review, consolidate, check, merge],
  [submit, confirm, reject, review, consolidate, check, merge],
];
