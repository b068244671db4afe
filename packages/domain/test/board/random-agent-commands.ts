import { isOpenRequest, openPermissions, rowsOf, type Command, type CommandType } from '../../src/index.ts';
import { anyAgent, anySidebar, chance, pick, type Scene } from './random-scene.ts';

export type Maker = (scene: Scene) => Command;
export type Makers<T extends CommandType> = { readonly [K in T]: { readonly weight: number; readonly make: Maker } };

/** What agents, their seats and whoever lets them act ask for. */
export const AGENT_MAKERS = {
  'agent.register': {
    weight: 3,
    make: (scene) => ({
      type: 'agent.register',
      agent: anyAgent(scene),
      kind: 'agent',
      specialties: [],
      preferredCollaborators: [],
      tokenHash: String(Math.floor(scene.random() * 10)).repeat(64),
    }),
  },
  'agent.change': {
    weight: 1,
    make: (scene) => ({ type: 'agent.change', agent: anyAgent(scene), specialties: ['debugging'], accepts: chance(scene, 0.3) ? 'ask' : 'auto' }),
  },
  'agent.retire': { weight: 0.3, make: (scene) => ({ type: 'agent.retire', agent: anyAgent(scene) }) },
  'agent.crash': { weight: 0.5, make: (scene) => ({ type: 'agent.crash', agent: anyAgent(scene) }) },
  'agent.presence': {
    weight: 1,
    make: (scene) => ({ type: 'agent.presence', agent: anyAgent(scene), status: pick(scene, ['available', 'busy', 'offline'] as const, 'busy') }),
  },
  'agent.recruit': {
    weight: 3,
    make: (scene) => ({
      type: 'agent.recruit',
      sidebar: anySidebar(scene),
      ...(chance(scene, 0.9) ? { agent: anyAgent(scene) } : { capability: pick(scene, ['testing', 'debugging', 'gardens'], 'testing') }),
      ...(chance(scene, 0.1) ? { queue: false } : {}),
      ...(chance(scene, 0.3) ? { reason: 'for a while' } : {}),
    }),
  },
  'agent.limit': {
    weight: 1,
    make: (scene) => ({
      type: 'agent.limit',
      agent: anyAgent(scene),
      maxConcurrentPerInstance: Math.floor(scene.random() * 4),
      maxInstances: Math.floor(scene.random() * 3),
    }),
  },
  'recruitment.answer': {
    weight: 1,
    make: (scene) => ({ type: 'recruitment.answer', request: anyRequest(scene), isAccepted: chance(scene, 0.6), code: 'overloaded' }),
  },
  'recruitment.withdraw': { weight: 1, make: (scene) => ({ type: 'recruitment.withdraw', request: anyRequest(scene) }) },
  'agent.leave': { weight: 1, make: (scene) => ({ type: 'agent.leave', sidebar: anySidebar(scene), agent: anyAgent(scene) }) },
  'inbox.read': { weight: 1, make: (scene) => ({ type: 'inbox.read', upTo: Math.floor(scene.random() * 1000) }) },
  'agent.equip': { weight: 0.5, make: (scene) => ({ type: 'agent.equip', agent: anyAgent(scene), runtime: 'echo' }) },
  'agents.rest': { weight: 0.5, make: () => ({ type: 'agents.rest', isResting: true }) },
  'seat.call': { weight: 0.5, make: (scene) => ({ type: 'seat.call', sidebar: anySidebar(scene), agent: anyAgent(scene), wish: 'restart' }) },
  'budget.grant': { weight: 0.5, make: (scene) => ({ type: 'budget.grant', sidebar: anySidebar(scene), agent: anyAgent(scene), turns: 5 }) },
  'seat.tell': {
    weight: 0.5,
    make: (scene) => ({
      type: 'seat.tell',
      sidebar: anySidebar(scene),
      agent: anyAgent(scene),
      state: 'ready',
      runtime: 'echo',
      model: null,
      sessionId: 's',
      contextKind: 'briefing',
      why: null,
      isCrash: false,
    }),
  },
  'turn.tell': {
    weight: 0.5,
    make: (scene) => ({
      type: 'turn.tell',
      sidebar: anySidebar(scene),
      agent: anyAgent(scene),
      turn: 'turn-1',
      status: 'begun',
      upTo: 1,
      isAgain: false,
      usage: null,
      model: null,
      why: null,
      briefing: null,
    }),
  },
  'seat.hold': {
    weight: 0.5,
    make: (scene) => ({
      type: 'seat.hold',
      sidebar: anySidebar(scene),
      agent: anyAgent(scene),
      server: pick(scene, ['one', 'two', null], null),
      host: null,
      from: pick(scene, ['one', 'two', null], null),
    }),
  },
  'limit.tell': { weight: 0.5, make: (scene) => ({ type: 'limit.tell', sidebar: anySidebar(scene), agent: anyAgent(scene), of: 'turns', share: 1 }) },
  'permission.ask': {
    weight: 1,
    make: (scene) => ({
      type: 'permission.ask',
      sidebar: anySidebar(scene),
      agent: anyAgent(scene),
      key: 'k',
      tool: 'Bash',
      input: '{"command":"npm test"}',
      directory: '/src',
      refusal: chance(scene, 0.1) ? 'no' : null,
    }),
  },
  'permission.answer': {
    weight: 1,
    make: (scene) => ({
      type: 'permission.answer',
      request: anyPermission(scene),
      decision: chance(scene, 0.6) ? 'allow' : 'deny',
      scope: pick(scene, ['once', 'seat', 'agent'], 'once'),
      breadth: pick(scene, ['exact', 'alike'], 'exact'),
    }),
  },
  'token.misuse': { weight: 0.2, make: (scene) => ({ type: 'token.misuse', sidebar: anySidebar(scene), agent: anyAgent(scene) }) },
  'permission.remind': { weight: 0.5, make: (scene) => ({ type: 'permission.remind', request: anyPermission(scene) }) },
  'permission.withdraw': { weight: 0.5, make: (scene) => ({ type: 'permission.withdraw', sidebar: anySidebar(scene), agent: anyAgent(scene) }) },
  'permission.rule': { weight: 0.5, make: (scene) => ({ type: 'permission.rule', agent: anyAgent(scene), tool: 'Bash', pattern: 'npm *' }) },
  'permission.revoke': {
    weight: 0.5,
    make: (scene) => ({ type: 'permission.revoke', rule: pick(scene, rowsOf(scene.board.permissionRules).flat(), undefined)?.id ?? 'no rule' }),
  },
} as const satisfies Partial<Makers<CommandType>>;

const anyPermission = (scene: Scene): string => pick(scene, openPermissions(scene.board), undefined)?.id ?? 'no request';

const anyRequest = (scene: Scene): string => pick(scene, rowsOf(scene.board.requests).filter(isOpenRequest), undefined)?.id ?? 'no request';
