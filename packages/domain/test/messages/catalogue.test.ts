import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  definitionOf,
  EVENT_TYPES,
  EVENTS,
  isNewer,
  OPERATOR,
  readEvent,
  readWith,
  type EventDefinition,
  type EventType,
  type Payloads,
} from '../../src/index.ts';

/** Payloads of every type, as a board of 0.1.0 has them on its log. */
const stored = readFileSync(new URL('../../../../fixtures/boards/0.1.0/events.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly type: string; readonly version: number; readonly payload: Readonly<Record<string, unknown>> });

/** What came after it, as it is written today. */
const CONFIG = {
  isEnabled: true,
  allowedTaskTypes: ['status_check'],
  requireCuratorApproval: true,
  requireNoConflicts: true,
  requireSourcesCited: true,
  blockIfProposesChanges: true,
  requiredApprovals: 3,
};

const LATER = [
  { type: 'agent.joined', version: 3, payload: { agent: 'AGENT-ada', recruitedBy: 'AGENT-ben', note: 'the slow query', capability: 'databases' } },
  {
    type: 'agent.crashed',
    version: 1,
    payload: {
      agent: 'AGENT-ada',
      since: 1000,
      sidebars: [
        {
          sidebarId: 'id',
          sidebar: 'SB-1',
          owner: 'AGENT-operator',
          findings: ['f'],
          refs: ['SCRATCH-1:FINDING-1'],
          coordinates: true,
          curates: false,
        },
      ],
      lastWords: 'MSG-4',
    },
  },
  {
    type: 'agent.returned',
    version: 1,
    payload: { agent: 'AGENT-ada', sidebars: [{ sidebarId: 'id', findings: ['f'], coordinates: true, curates: false }] },
  },
  { type: 'confidence.set', version: 1, payload: { about: 'MSG-1', confidence: 0.4, was: null, reason: 'it was long ago' } },
  {
    type: 'episodic.archived',
    version: 2,
    payload: {
      content: 'It was the cache.',
      trigger: 'manual',
      finding: null,
      gold: null,
      sourceSidebar: 'id',
      sourceCheckpoint: null,
      isProvisional: false,
      supersedes: null,
      tags: ['cache'],
      about: 'EXCH-1',
      sources: ['MSG-1'],
      pointers: null,
      priority: 'normal',
      requiresValidation: false,
      mark: 'confirmed',
      note: 'it comes up again and again',
    },
  },
  { type: 'sidebar.proposed', version: 1, payload: { number: 1, proposal: { action: 'fail', reason: 'it is stuck' } } },
  { type: 'sidebar.proposed', version: 1, payload: { number: 2, proposal: { action: 'archive', note: 'done', tags: ['login'] } } },
  { type: 'sidebar.proposed', version: 1, payload: { number: 3, proposal: { action: 'join', agent: 'AGENT-ada', reason: 'I know this' } } },
  { type: 'sidebar.proposed', version: 1, payload: { number: 4, proposal: { action: 'change', priority: 'HIGH' } } },
  { type: 'merge.refused', version: 1, payload: { target: null, keyFindings: ['SCRATCH-1:FINDING-1'], reason: 'more proof' } },
  { type: 'proposal.answered', version: 1, payload: { proposal: 'id', isAccepted: false, reason: 'not yet' } },
  {
    type: 'claim.noted',
    version: 1,
    payload: {
      number: 1,
      exchange: 'EXCH-1',
      messages: ['MSG-1'],
      words: 'Redis is running.',
      from: 0,
      kind: 'service_status',
      isVolatile: true,
      isFound: true,
      saidBy: ['AGENT-ada'],
      confidence: 0.6,
    },
  },
  {
    type: 'claim.verified',
    version: 1,
    payload: { claim: 'id', verification: 'confirmed', confidence: 0.9, isAssumed: true, notes: 'seen', evidence: ['MSG-1'] },
  },
  { type: 'claim.disputed', version: 1, payload: { claim: 'id', exchange: 'EXCH-1', agents: ['AGENT-ada', 'AGENT-ben'] } },
  {
    type: 'claim.settled',
    version: 1,
    payload: { claim: 'id', exchange: 'EXCH-1', verification: 'contradicted', confidence: 0.1, isAssumed: true, notes: 'it is down' },
  },
  { type: 'automerge.configured', version: 1, payload: { config: CONFIG, allowedAgain: [] } },
  {
    type: 'automerge.done',
    version: 1,
    payload: {
      taskType: 'status_check',
      target: { kind: 'session', sessionId: 's' },
      config: CONFIG,
      checkedBy: 'AGENT-ben',
      isSample: true,
    },
  },
  { type: 'automerge.foregone', version: 1, payload: { taskType: 'status_check', obstacles: ['first-time'] } },
  {
    type: 'automerge.faulted',
    version: 1,
    payload: { sidebarId: 'id', taskType: 'status_check', kind: 'reported', ref: 'MSG-1', notes: 'it was down', isAutomatic: true },
  },
  { type: 'automerge.suspended', version: 1, payload: { taskType: 'status_check', sidebarId: 'id' } },
  {
    type: 'claim.validated',
    version: 1,
    payload: {
      claim: 'id',
      kind: 'file_exists',
      isDenied: false,
      subject: 'hash',
      attempts: [
        {
          method: 'as_given',
          environment: 'project',
          startedAt: 1,
          duration: 2,
          says: 'supports',
          isDecisive: true,
          evidence: 'a.ts: a file',
          fault: null,
          foundAt: [],
        },
      ],
      files: [{ path: '/p/a.ts', stamp: '1:2:3' }],
      duration: 3,
      isAuto: false,
      outcome: 'confirmed',
      confidence: 0.95,
      conflicts: [],
      foundAt: [],
      needsReview: false,
    },
  },
  { type: 'claim.outdated', version: 1, payload: { claim: 'id' } },
  {
    type: 'finding.checked',
    version: 1,
    payload: {
      finding: 'id',
      words: 'src/a.ts is there',
      kind: 'file_exists',
      isDenied: false,
      subject: 'hash',
      attempts: [],
      files: [],
      duration: 3,
      isAuto: false,
      outcome: 'inconclusive',
      confidence: null,
      conflicts: [],
      foundAt: [],
      needsReview: false,
    },
  },
  { type: 'validation.configured', version: 1, payload: { isOn: true, allowed: ['file_exists'], reason: null } },
  { type: 'validation.overruled', version: 1, payload: { claim: 'id', run: 'run', verification: 'contradicted', reason: 'another machine' } },
  { type: 'agent.limited', version: 1, payload: { agent: 'AGENT-ada', maxConcurrentPerInstance: 5, maxInstances: 1 } },
  {
    type: 'recruitment.requested',
    version: 1,
    payload: { agent: 'AGENT-ada', by: 'AGENT-ben', note: 'please', capability: null, wants: 'answer', kind: 'join' },
  },
  { type: 'recruitment.accepted', version: 1, payload: { agent: 'AGENT-ada', request: 'id' } },
  {
    type: 'recruitment.queued',
    version: 1,
    payload: { agent: 'AGENT-ada', request: 'id', by: 'AGENT-ben', place: 1, urgency: 'normal', alternatives: ['AGENT-cyd'], why: null },
  },
  { type: 'queue.moved', version: 1, payload: { agent: 'AGENT-ada', places: [{ request: 'id', by: 'AGENT-ben', sidebar: 'sidebar', place: 1 }] } },
  {
    type: 'recruitment.declined',
    version: 1,
    payload: { agent: 'AGENT-ada', request: 'id', by: 'AGENT-ben', code: 'overloaded', note: 'not now', alternatives: [] },
  },
  { type: 'recruitment.withdrawn', version: 1, payload: { agent: 'AGENT-ada', request: 'id', by: 'AGENT-ben', how: 'dropped', reason: null } },
  { type: 'agent.seated', version: 1, payload: { agent: 'AGENT-ada', request: 'id' } },
  { type: 'agent.instance', version: 1, payload: { agent: 'AGENT-ada', instance: 'AGENT-ada#2', state: 'spawned' } },
  { type: 'capacity.noticed', version: 1, payload: { agent: 'AGENT-ada', request: 'id', what: 'full', paused: null } },
  { type: 'agent.suggested', version: 1, payload: { suggestions: [{ agent: 'AGENT-ada', words: ['index'] }], to: ['AGENT-operator'] } },
  {
    type: 'agent.equipped',
    version: 1,
    payload: { agent: 'AGENT-ada', runtime: 'local', model: null, instructions: 'Be brief.', respondsTo: 'all', reach: 'board' },
  },
  { type: 'agents.rested', version: 1, payload: { agent: null, isResting: true, reason: 'lunch' } },
  { type: 'seat.called', version: 1, payload: { agent: 'AGENT-ada', wish: 'cancel', reason: null } },
  {
    type: 'permission.requested',
    version: 1,
    payload: { agent: 'AGENT-ada', key: 'k', tool: 'Bash', input: '{"command":"ls"}', directory: '/src', isOpen: true },
  },
  { type: 'permission.reminded', version: 1, payload: { agent: 'AGENT-ada', request: 'id', tool: 'Bash' } },
  {
    type: 'permission.decided',
    version: 1,
    payload: { agent: 'AGENT-ada', request: 'id', key: 'k', decision: 'allow', means: 'seat', message: null, rule: 'rule' },
  },
  { type: 'permission.ruled', version: 1, payload: { agent: 'AGENT-ada', sidebar: null, tool: 'Bash', pattern: 'npm *', directory: null } },
  { type: 'token.misused', version: 1, payload: { agent: 'AGENT-ada' } },
  { type: 'permission.revoked', version: 1, payload: { agent: 'AGENT-ada', rule: 'rule' } },
  { type: 'budget.granted', version: 1, payload: { agent: 'AGENT-ada', turns: 5, tokens: 0, usd: 1.5 } },
  {
    type: 'seat.told',
    version: 1,
    payload: {
      agent: 'AGENT-ada',
      state: 'resting',
      runtime: 'local',
      model: 'm',
      sessionId: 's',
      contextKind: 'briefing',
      why: 'it crashed',
      isCrash: true,
    },
  },
  {
    type: 'turn.told',
    version: 1,
    payload: {
      agent: 'AGENT-ada',
      turn: 'turn-1',
      status: 'completed',
      upTo: 12,
      isAgain: false,
      usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, costUsd: 0.5 },
      model: 'm',
      why: null,
      briefing: { refs: ['MSG-1'], upTo: 10, size: 100, hash: 'abc' },
    },
  },
  { type: 'seat.held', version: 1, payload: { agent: 'AGENT-ada', server: 'a1', host: 'loom' } },
  { type: 'limit.told', version: 1, payload: { agent: 'AGENT-ada', of: 'tokens', share: 0.8 } },
  { type: 'gold.answered', version: 1, payload: { gold: 'g', answer: 'not_now', rests: true } },
  { type: 'session.labelled', version: 1, payload: { sessionId: 's', isPinned: true, name: 'the loom', note: null, tags: ['warp'] } },
];

const anyStored = fc.constantFrom(...stored);

describe('the catalogue', () => {
  test('[CAT-1] every event that was ever written is in it, and every one of it is tried here', () => {
    expect([...new Set([...stored, ...LATER].map(({ type }) => type))].sort()).toEqual([...EVENT_TYPES].sort());
  });

  test('[CAT-1] each version has a way up to the next, and what is written and what remains fit the schema', () => {
    const remains = {
      by: OPERATOR,
      contextId: 'sidebar:1',
      citationsUsed: [],
      mediaAttached: [],
      senderConfidence: null,
      parentMsgId: null,
      sidebar: null,
    };
    for (const type of EVENT_TYPES) {
      const { version, upcasts, payload, remains: left } = EVENTS[type] as unknown as EventDefinition<Payloads[typeof type]>; // any row of the table
      expect(Object.keys(upcasts)).toEqual(Array.from({ length: version - 1 }, (_, i) => String(i + 1)));
      expect([type, left === null || payload.safeParse(left(remains)).success]).toEqual([type, true]);
    }
  });

  test('[CAT-1] words for search are looked for where the payload has texts', () => {
    for (const type of EVENT_TYPES) {
      for (const path of definitionOf(type).words) {
        const all: readonly { readonly type: string; readonly payload: object }[] = [...stored, ...LATER];
        const found = all.filter((one) => one.type === type).map(({ payload }) => path.split('.').reduce<unknown>((at, key) => (at as never)?.[key], payload)); // prettier-ignore
        expect([type, path, found.some((value) => typeof value === 'string' || Array.isArray(value))]).toEqual([type, path, true]);
      }
    }
  });
});

describe('reading an event', () => {
  test('[CAT-2] whatever was written is read as it is, or brought up to what it is today, however often', () => {
    for (const event of [...stored, ...LATER]) {
      const read = readEvent(event);
      const { version } = definitionOf(event.type as EventType); // the table has it, or it could not be read
      const expected = version === event.version ? event.payload : { ...event.payload, ...SINCE[event.type]?.(event.payload) };
      expect(read).toEqual({ ok: true, value: { type: event.type, payload: expected } });
      expect(readEvent({ ...event, version, payload: read.ok ? read.value.payload : null })).toEqual(read);
    }
  });

  test('[CAT-2] an older version is brought up step by step', () => {
    const catalogue = {
      'yarn.spun': {
        version: 3,
        payload: z.strictObject({ metres: z.number(), colour: z.string() }),
        upcasts: {
          1: { payload: z.strictObject({ length: z.string() }), next: ({ length }: { length: string }) => ({ metres: Number(length) }) },
          2: { payload: z.strictObject({ metres: z.number() }), next: ({ metres }: { metres: number }) => ({ metres, colour: 'undyed' }) },
        },
      },
    };
    fc.assert(
      fc.property(fc.integer(), (metres) => {
        const now = { ok: true, value: { type: 'yarn.spun', payload: { metres, colour: 'undyed' } } };
        expect(readWith(catalogue, { type: 'yarn.spun', version: 1, payload: { length: String(metres) } })).toEqual(now);
        expect(readWith(catalogue, { type: 'yarn.spun', version: 2, payload: { metres } })).toEqual(now);
        expect(readWith(catalogue, { type: 'yarn.spun', version: 3, payload: { metres, colour: 'undyed' } })).toEqual(now);
      }),
    );
    // Each version is held to what it was.
    expect(readWith(catalogue, { type: 'yarn.spun', version: 1, payload: { metres: 4 } })).toMatchObject({
      error: { kind: 'malformed', version: 1 },
    });
    expect(readWith(catalogue, { type: 'yarn.spun', version: 2, payload: { metres: '4' } })).toMatchObject({
      error: { kind: 'malformed', where: 'metres' },
    });
    expect(readWith(catalogue, { type: 'yarn.spun', version: 0, payload: {} })).toMatchObject({ error: { kind: 'malformed' } });
  });

  test('[CAT-3] what a newer version wrote is told apart from what nobody wrote', () => {
    fc.assert(
      fc.property(anyStored, fc.integer({ min: 1, max: 9 }), ({ type, version, payload }, more) => {
        const known = definitionOf(type as EventType).version; // the table has it
        const newer = readEvent({ type, version: known + more, payload });
        expect(newer).toEqual({ ok: false, error: { kind: 'newer-version', type, version: known + more, known } });
        const unknown = readEvent({ type: `${type}.again`, version, payload });
        expect(unknown).toEqual({ ok: false, error: { kind: 'unknown-type', type: `${type}.again`, version } });
        expect([newer, unknown].map((read) => !read.ok && isNewer(read.error))).toEqual([true, true]);
      }),
    );
    expect(readEvent({ type: 'constructor', version: 1, payload: {} })).toMatchObject({ error: { kind: 'unknown-type' } });
  });

  test('[CAT-3] a field too many, a field too few or a value of another kind is malformed, and where is said', () => {
    fc.assert(
      fc.property(anyStored, fc.nat(), (event, nth) => {
        const { type, payload } = event;
        const malformed = (changed: unknown): void => {
          const read = readEvent({ ...event, payload: changed });
          expect([type, changed, read]).toMatchObject([type, changed, { ok: false, error: { kind: 'malformed', type } }]);
          expect(read.ok || isNewer(read.error)).toBe(false);
        };
        malformed({ ...payload, later: 1 });
        malformed(null);
        malformed([payload]);
        const keys = Object.keys(payload).filter((key) => !OPTIONAL.has(`${type} ${key}`));
        const key = keys[nth % Math.max(1, keys.length)];
        if (key === undefined) return;
        const { [key]: _, ...rest } = payload;
        malformed(rest);
        malformed({ ...payload, [key]: { another: 'kind' }, ...(isRecord(payload[key]) ? { [key]: 7 } : {}) });
      }),
    );
  });
});

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the versions after the first added, and what it is where nobody was asked. */
const SINCE: Readonly<Record<string, (payload: Readonly<Record<string, unknown>>) => object>> = {
  'sidebar.spawned': () => ({ isOpen: null }),
  'sidebar.changed': () => ({}),
  'scratchpad.backed_up': () => ({ gold: null }),
  'episodic.archived': ({ trigger }) => ({
    about: null,
    sources: [],
    pointers: null,
    priority: trigger === 'gold' ? 'high' : 'normal',
    requiresValidation: trigger === 'gold',
    mark: null,
    note: null,
  }),
};

/** What may be left out: only these two say what has changed. */
const OPTIONAL = new Set([
  ...['task', 'successCriteria', 'taskType', 'priority', 'coordinator', 'curator', 'tags', 'crossRefs'].map((key) => `sidebar.changed ${key}`),
  ...['specialties', 'preferredCollaborators', 'tokenHash'].map((key) => `agent.changed ${key}`),
]);
