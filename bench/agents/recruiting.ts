import { SYSTEM, tryOn, type Board, type Command } from '@yarnboard/domain';
import { apply, boardWith, createLedger, type Ledger } from '../engine/ledger.ts';

export type Roster = { readonly agents: number; readonly sidebars: number; readonly queued: number };

/** Microseconds a decision takes, with what follows from it, on a board of this size. */
export type Recruiting = { readonly recruit: number; readonly join: number; readonly say: number; readonly capability: number };

const FIELDS = ['databases', 'caches', 'frontend', 'security', 'networks', 'documentation', 'testing', 'compilers', 'deployment', 'search'] as const;

/** Everybody available, one of them full, with so many who wait for it. */
const boardOf = ({ agents, sidebars, queued }: Roster): Board => {
  const board = boardWith(sidebars);
  const ledger = later(10_000_000);
  for (let n = 0; n < agents; n += 1) {
    const agent = `AGENT-agent_${n}`;
    const hash = n.toString(16).padStart(64, '0');
    const specialties = [FIELDS[n % FIELDS.length] ?? 'search', `area_${n % 97}`];
    apply(board, { type: 'agent.register', agent, kind: 'agent', specialties, preferredCollaborators: [], tokenHash: hash }, ledger);
    apply(board, { type: 'agent.presence', agent, status: 'available' }, by(ledger));
  }
  apply(board, { type: 'agent.limit', agent: FULL, maxConcurrentPerInstance: 1, maxInstances: 1 }, ledger);
  for (let n = 0; n <= queued; n += 1) apply(board, { type: 'agent.recruit', sidebar: `SB-${n + 1}`, agent: FULL }, ledger);
  return board;
};

/** They take turns; the best round of each counts. */
export const measureRecruiting = (roster: Roster, rounds: number): Recruiting => {
  const board = boardOf(roster);
  const best = { recruit: Infinity, join: Infinity, say: Infinity, capability: Infinity };
  const sidebarAt = (n: number): string => `SB-${roster.sidebars - n}`;
  const recruit = (n: number): Command => ({ type: 'agent.recruit', sidebar: sidebarAt(n), agent: FULL });
  const join = (n: number): Command => ({ type: 'agent.recruit', sidebar: sidebarAt(n), agent: `AGENT-agent_${(n % (roster.agents - 1)) + 1}` });
  const say = (n: number): Command => ({
    type: 'chat.say',
    sidebar: sidebarAt(n),
    content: `The cache of part ${n} was cold when the build began, and warm an hour later.`,
  });
  const match = (n: number): Command => ({ type: 'agent.recruit', sidebar: sidebarAt(n), capability: FIELDS[n % FIELDS.length] ?? 'search' });
  for (let round = 0; round < rounds; round += 1) {
    best.say = Math.min(best.say, time(board, say));
    best.join = Math.min(best.join, time(board, join));
    best.recruit = Math.min(best.recruit, time(board, recruit));
    best.capability = Math.min(best.capability, time(board, match));
  }
  return best;
};

/** On one layer, as a batch of the engine is decided; the board underneath stays as large as it is. */
const time = (board: Board, commandAt: (n: number) => Command): number => {
  const layer = tryOn(board);
  const ledger = later(20_000_000);
  const startedAt = performance.now();
  for (let n = 0; n < DECISIONS; n += 1) apply(layer, commandAt(n), ledger);
  return ((performance.now() - startedAt) / DECISIONS) * 1000;
};

/** A ledger whose ids and places are behind those of the board. */
const later = (start: number): Ledger => {
  const { facts, record } = createLedger();
  let ids = start;
  let position = start;
  return {
    facts: { ...facts, newId: () => `later-${(ids += 1)}` },
    record: (happening) => ({ ...record(happening), position: (position += 1) }),
  };
};

const by = ({ facts, record }: Ledger): Ledger => ({ facts: { ...facts, actor: SYSTEM }, record });

const FULL = 'AGENT-agent_0';
const DECISIONS = 50;
