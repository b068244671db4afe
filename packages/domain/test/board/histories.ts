import { assertNever, OPERATOR, rowsOf, SYSTEM, type Actor, type Command, type Sidebar, type Status } from '../../src/index.ts';
import { madeBy } from './random-commands.ts';
import { AGENTS, anyRefs, anyVerdict, chance, CLAIMS, newSidebar, pick, type Scene } from './random-scene.ts';

export type Wish = { readonly command: Command; readonly actor: Actor };

/** Numbers from 0 up to 1 that are the same for the same seed. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** The commands with which a history begins: three agents are there, and work together. */
export const beginning = (): readonly Wish[] => [
  ...AGENTS.map((agent, at): Wish => {
    const tokenHash = String(at).repeat(64);
    return {
      command: { type: 'agent.register', agent, kind: 'agent', specialties: ['testing'], preferredCollaborators: [], tokenHash },
      actor: OPERATOR,
    };
  }),
  {
    command: {
      type: 'sidebar.spawn',
      origin: { kind: 'session', sessionId: 'session-1', leafUuid: null, upTo: null },
      task: 'find out why the login times out',
      participants: AGENTS.slice(0, 2),
      curator: AGENTS[2],
    },
    actor: OPERATOR,
  },
];

/** Something that somebody may want next: what fits where a sidebar stands, or anything at all. */
export const anyCommand = (scene: Scene): Wish => {
  const sidebar = pick(scene, rowsOf(scene.board.sidebars).slice(-6), undefined);
  if (sidebar === undefined || chance(scene, 0.35)) return { command: madeBy(scene)(scene), actor: anyActor(scene) };
  const fitting = nextSteps(scene, sidebar);
  const command = pick(scene, fitting, undefined)?.() ?? madeBy(scene)(scene);
  const doers = [OPERATOR.id, sidebar.coordinator, sidebar.curator, ...sidebar.participants];
  const id = pick(scene, doers, OPERATOR.id);
  return { command, actor: id === OPERATOR.id ? OPERATOR : { id, type: 'agent' } };
};

const nextSteps = (scene: Scene, sidebar: Sidebar): readonly (() => Command)[] => [
  ...stepsFrom(scene, sidebar),
  ...sidebar.proposals.map(({ number }) => (): Command => ({
    type: 'proposal.answer',
    sidebar: sidebar.ref,
    proposal: `PROPOSAL-${number}`,
    isAccepted: chance(scene, 0.7),
  })),
];

const stepsFrom = (scene: Scene, { ref: sidebar, status, scratchpad, golds }: Sidebar): readonly (() => Command)[] => {
  const finding = `FINDING-${pick(scene, scratchpad.findings, undefined)?.number ?? 1}`;
  const gold = scene.board.golds.get(pick(scene, golds, ''))?.ref ?? 'GOLD-1';
  const validate = (): Command => ({ type: 'finding.validate', sidebar, finding, status: anyVerdict(scene), notes: 'looked at it' });
  const submit = (): Command => ({ type: 'finding.submit', sidebar, content: pick(scene, CLAIMS, 'a claim'), sourceRefs: anyRefs(scene) });
  const revise = (): Command => ({ type: 'finding.submit', sidebar, content: pick(scene, CLAIMS, 'a claim'), supersedes: finding });
  const consolidate = (): Command => ({ type: 'sidebar.consolidate', sidebar });
  const archive = (): Command => ({ type: 'sidebar.archive', sidebar });
  const resume = (): Command => ({ type: 'sidebar.resume', sidebar });
  const move = (to: Status): Command => ({ type: 'sidebar.move', sidebar, to, reason: 'it is time' });
  switch (status) {
    case 'ACTIVE':
      return [
        submit,
        submit,
        validate,
        validate,
        validate,
        revise,
        consolidate,
        () => ({ type: 'gold.validate', gold, status: anyVerdict(scene), notes: 'looked at it' }),
        () => ({
          type: 'gold.create',
          sidebar,
          sourceRefs: [`SCRATCH-${sidebar.slice(3)}:${finding}`],
          keyInsight: 'the login times out',
          reusePattern: 'look at the cache',
          triggerConditions: ['times out'],
        }),
        () => ({ type: 'checkpoint.create', sidebar, summary: 'so far' }),
        () => ({ type: 'sidebar.spawn-child', sidebar, upTo: null, isWaiting: chance(scene, 0.3), ...newSidebar(scene) }),
        () => move(pick(scene, ['REVIEWING', 'FAILED'], 'REVIEWING')),
      ];
    case 'TESTING':
      return [submit, validate, archive, () => ({ type: 'sidebar.test-result', sidebar, description: 'run', result: 'pass' }), () => move('ACTIVE')];
    case 'REVIEWING':
      return [validate, validate, consolidate, () => move('ACTIVE')];
    case 'CONSOLIDATING': {
      const check = (): Command => ({ type: 'merge.check', sidebar, isFit: chance(scene, 0.9), notes: 'looked at it' });
      const merge = (): Command => ({ type: 'sidebar.merge', sidebar });
      const elsewhere = (): Command => ({ type: 'sidebar.merge', sidebar, target: { kind: 'session', sessionId: 'session-1' } });
      return [check, check, merge, merge, elsewhere, validate, consolidate];
    }
    case 'PAUSED':
    case 'WAITING':
      return [resume, resume, archive];
    case 'MERGED':
    case 'FAILED':
      return [archive];
    case 'ARCHIVED':
      return chance(scene, 0.2) ? [() => ({ type: 'sidebar.fork', sidebar, reason: 'it matters again' })] : [];
    case 'SPAWNING_CHILD':
      return [];
    default:
      return assertNever(status);
  }
};

const anyActor = (scene: Scene): Actor => {
  if (chance(scene, 0.4)) return OPERATOR;
  if (chance(scene, 0.05)) return SYSTEM;
  return chance(scene, 0.02) ? { id: 'AGENT-nobody', type: 'agent' } : { id: pick(scene, AGENTS, AGENTS[0]), type: 'agent' };
};
