import { expect } from 'vitest';
import {
  sidebarOf,
  type Command,
  type CommandOf,
  type EventType,
  type Facts,
  type Happening,
  type Recorded,
  type Rejection,
  type Sidebar,
} from '../../src/index.ts';
import { actorOf, createWorld, type World } from './world.ts';

type Doing = { readonly by?: string; readonly facts?: Partial<Facts> };

/** Given what was done, when somebody wants something, then this happens, or it is refused. */
export type Stage = {
  readonly world: World;
  /** Has to be accepted; gives what happened, as it is on the log. */
  readonly does: (command: Command, doing?: Doing) => readonly Recorded[];
  /** The kinds of what happened. */
  readonly doesKinds: (command: Command, doing?: Doing) => readonly EventType[];
  /** Has to be refused. */
  readonly refuses: (command: Command, doing?: Doing) => Rejection;
  readonly code: (command: Command, doing?: Doing) => Rejection['code'];
  readonly sidebar: (ref: string) => Sidebar;
  /** SB-n of a new sidebar. */
  readonly spawns: (more?: Partial<CommandOf<'sidebar.spawn'>>, doing?: Doing) => string;
  readonly spawnsChild: (sidebar: string, more?: Partial<CommandOf<'sidebar.spawn-child'>>, doing?: Doing) => string;
  /** FINDING-n of a finding that is confirmed by the operator. */
  readonly confirms: (sidebar: string, content: string, doing?: Doing) => string;
  readonly submits: (sidebar: string, content: string, doing?: Doing & { readonly supersedes?: string }) => string;
  readonly validates: (sidebar: string, finding: string, status: 'pending' | 'confirmed' | 'rejected', doing?: Doing) => void;
  /** GOLD-n. */
  readonly golds: (more?: Partial<CommandOf<'gold.create'>>, doing?: Doing) => string;
  /** Consolidated, checked and approved by the operator. */
  readonly merges: (sidebar: string, more?: Partial<CommandOf<'sidebar.merge'>>) => readonly Recorded[];
};

/** A board with the agents ada, ben and cyd on it, and the operator. */
export const given = (): Stage => {
  const world = createWorld();

  const does: Stage['does'] = (command, { by = 'operator', facts } = {}) => {
    const from = world.log.length;
    const decision = world.perform(command, actorOf(by), facts);
    expect(decision).toMatchObject({ ok: true });
    return world.log.slice(from);
  };
  const refuses: Stage['refuses'] = (command, { by = 'operator', facts } = {}) => {
    const decision = world.decide(command, actorOf(by), facts);
    expect(decision).toMatchObject({ ok: false });
    if (decision.ok) throw new Error('it was not refused');
    return decision.error;
  };
  const sidebar: Stage['sidebar'] = (ref) => {
    const found = sidebarOf(world.board, ref);
    expect(found).not.toBeNull();
    return found as Sidebar; // the line above has looked
  };
  const firstRef = (events: readonly Recorded[], prefix: string): string =>
    events.flatMap(({ refs }) => refs).find((ref) => ref.startsWith(prefix)) ?? 'nothing';

  const submits: Stage['submits'] = (ref, content, { by = 'ada', supersedes } = {}) => {
    const [event] = does({ type: 'finding.submit', sidebar: ref, content, ...(supersedes === undefined ? {} : { supersedes }) }, { by });
    return `FINDING-${event?.type === 'finding.submitted' ? event.payload.number : 0}`;
  };
  const validates: Stage['validates'] = (ref, finding, status, doing) =>
    void does({ type: 'finding.validate', sidebar: ref, finding, status, notes: `it is ${status}` }, doing);

  for (const [at, agent] of ['ada', 'ben', 'cyd'].entries()) {
    does({ type: 'agent.register', agent, kind: 'agent', specialties: [], preferredCollaborators: [], tokenHash: String(at).repeat(64) });
  }

  return {
    world,
    does,
    refuses,
    sidebar,
    submits,
    validates,
    doesKinds: (command, doing) => does(command, doing).map(({ type }) => type),
    code: (command, doing) => refuses(command, doing).code,
    spawns: (more = {}, doing) =>
      firstRef(does({ type: 'sidebar.spawn', origin: { kind: 'none' }, task: 'Find the cause', participants: ['ada'], ...more }, doing), 'SB-'),
    spawnsChild: (of, more = {}, doing) =>
      firstRef(does({ type: 'sidebar.spawn-child', sidebar: of, upTo: null, task: 'Look closer', participants: ['ada'], ...more }, doing), 'SB-'),
    confirms: (ref, content, doing) => {
      const finding = submits(ref, content, doing);
      validates(ref, finding, 'confirmed');
      return finding;
    },
    golds: (more = {}, doing) =>
      firstRef(
        does(
          {
            type: 'gold.create',
            sourceRefs: ['SB-1'],
            keyInsight: 'Variable X breaks the login',
            reusePattern: 'Check the login before and after X',
            triggerConditions: ['timeout with partial state'],
            ...more,
          },
          doing,
        ),
        'GOLD-',
      ),
    merges: (ref, more = {}) => {
      does({ type: 'sidebar.consolidate', sidebar: ref });
      does({ type: 'merge.check', sidebar: ref, isFit: true });
      return does({ type: 'sidebar.merge', sidebar: ref, ...more });
    },
  };
};

/** What was told of one kind, in order. */
export const payloadsOf = <T extends EventType>(events: readonly (Recorded | Happening)[], type: T): readonly unknown[] =>
  events.filter((event) => event.type === type).map(({ payload }) => payload);
