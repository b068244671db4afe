import fc from 'fast-check';
import type { SessionTree, Sidechain, TreeNode } from '../../../src/features/graph/session-tree.ts';

export const node = (uuid: string, parentUuid: string | null, more: Partial<TreeNode> = {}): TreeNode => ({
  uuid,
  parentUuid,
  ref: null,
  type: 'user',
  role: 'reply',
  agentId: null,
  timestamp: null,
  isSidechain: false,
  isError: false,
  ...more,
});

export const sidechain = (agentId: string, toolUseIds: readonly string[] = [], more: Partial<Sidechain> = {}): Sidechain => ({
  agent: 'Explore',
  agentId,
  toolUseIds,
  parentAgentId: null,
  messages: 1,
  toolUses: 0,
  state: 'complete',
  ...more,
});

export const tree = (nodes: readonly TreeNode[], more: Partial<SessionTree> = {}): SessionTree => ({
  nodes,
  sidechains: [],
  branches: [],
  calls: new Map(),
  leafUuid: nodes.at(-1)?.uuid ?? null,
  trail: null,
  ...more,
});

/** A conversation without branches: a prompt and six records after it, again and again. */
export const chain = (length: number): SessionTree =>
  tree(Array.from({ length }, (_, i) => node(`u${i}`, i === 0 ? null : `u${i - 1}`, { role: i % 7 === 0 ? 'prompt' : 'reply' })));

const ROLES = ['prompt', 'reply', 'result', 'boundary', 'summary', 'command', 'bash', 'attachment', 'progress', 'system', 'interruption'] as const;

/** Anything that a file may say: parents that come later, are missing or lead in a circle, sub-agents that call one another, branches of nothing. */
export const anyTree: fc.Arbitrary<SessionTree> = fc
  .array(
    fc.record({
      parent: fc.oneof({ weight: 6, arbitrary: fc.constant('before' as const) }, fc.integer({ min: -2, max: 40 })),
      role: fc.constantFrom(...ROLES),
      agent: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 5 }),
      isInline: fc.boolean(),
      isError: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .chain((drafts) => {
    const uuids = drafts.map((_, i) => `u${i}`);
    const uuid = uuids.length === 0 ? fc.constant('gone') : fc.constantFrom(...uuids, 'gone');
    return fc.record({
      nodes: fc.constant(
        drafts.map(({ parent, role, agent, isInline, isError }, i) =>
          node(`u${i}`, parent === 'before' ? (i === 0 ? null : `u${i - 1}`) : parent === -1 ? null : parent === -2 ? 'gone' : `u${parent}`, {
            role,
            isError,
            agentId: agent,
            isSidechain: agent !== null || (isInline && i % 9 === 0),
          }),
        ),
      ),
      sidechains: fc
        .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'u3'), { maxLength: 5 })
        .map((ids) => ids.map((id) => sidechain(id, [`call-${id}`]))),
      calls: fc.array(fc.tuple(fc.constantFrom('call-a', 'call-b', 'call-c'), uuid)).map((pairs) => new Map(pairs)),
      branches: fc.array(
        fc.record({
          parentUuid: uuid,
          children: fc.array(fc.record({ uuid, active: fc.boolean(), messages: fc.nat(9) }), { minLength: 2, maxLength: 3 }),
        }),
        { maxLength: 3 },
      ),
      leafUuid: fc.option(uuid),
      trail: fc.option(
        fc.record({
          joins: fc.array(fc.tuple(uuid, fc.option(uuid))).map((pairs) => new Map(pairs)),
          turns: fc.array(uuid).map((uuids) => new Set(uuids)),
        }),
      ),
    });
  });
