import { randomUUID } from 'node:crypto';
import { REGISTRY, type OperationName } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { serveBoard, type Frame, type TestServer } from './sockets.ts';

const OPERATOR = 'AGENT-operator';
const sb = { sidebar_id: 'SB-1' };

type Sent = {
  readonly type: OperationName;
  /** Every field that section 6 of the seed gives the message, and what else it cannot do without. */
  readonly fields: Frame;
  /** Fields that Yarnboard knows by itself, with something that is not so. */
  readonly untrue?: Frame;
  /** As what it is told, where that is not the same; null where it is none of the seed's. */
  readonly told?: { readonly type?: string; readonly without?: readonly string[] } | null;
};

/** Whatever the seed has besides: it puts the board where the next message makes sense. */
const step = (type: OperationName, fields: Frame): Sent => ({ type, fields, told: null });

/** All messages of section 6 that clients send, in an order in which they can be sent. */
const STORY: readonly Sent[] = [
  step('agent_register', { agent_id: 'scout' }),
  {
    type: 'sidebar_spawn',
    fields: { parent_id: null, participants: [OPERATOR], task_description: 'why is login slow?', priority: 'HIGH' },
  },
  {
    type: 'chat_message',
    fields: { ...sb, role: 'user', content: 'it takes three seconds', citations: ['SB-1'], confidence_score: 0.8 },
    untrue: { role: 'assistant' },
  },
  {
    type: 'mention_route',
    fields: { target_agents: ['AGENT-scout'], message: 'please look', context_refs: ['MSG-1'], priority: 'HIGH' },
  },
  {
    type: 'citation_created',
    fields: { citation_id: 'CITE-1', source: 'MSG-1', content: 'three seconds', relevance_score: 0.9 },
    untrue: { citation_id: 'CITE-7' },
    told: { without: ['source'] },
  },
  {
    type: 'media_uploaded',
    fields: {
      ...sb,
      media_id: 'MEDIA-1',
      media_type: 'code',
      file_path: 'pool.ts',
      file_size: 1,
      processing_status: 'pending',
      uploaded_during: 'SB-1',
      in_response_to: 'MSG-1',
      uploaded_by: OPERATOR,
      uploaded_at: '2026-01-01T00:00:00Z',
      content: 'YQ==',
    },
    untrue: {
      media_id: 'MEDIA-2',
      file_size: 2,
      processing_status: 'complete',
      uploaded_during: 'SB-9',
      uploaded_by: 'AGENT-scout',
    },
    told: { without: ['sidebar_id', 'content', 'uploaded_at'] },
  },
  {
    type: 'scratchpad_entry_submitted',
    fields: {
      ...sb,
      entry_id: 'SCRATCH-1:FINDING-1',
      content: 'The connection pool size is 10',
      source_refs: ['MSG-1'],
      relevance_to_task: 'explains it',
    },
    untrue: { entry_id: 'SCRATCH-2:FINDING-1' },
  },
  {
    type: 'scratchpad_entry_validated',
    fields: { ...sb, entry_id: 'SCRATCH-1:FINDING-1', status: 'confirmed', validation_notes: 'seen in the settings' },
  },
  {
    type: 'scratchpad_checkpoint',
    fields: { ...sb, checkpoint_id: 'CHECKPOINT-1', summary: 'the pool is small', findings_at_checkpoint: ['SCRATCH-1:FINDING-1'] },
    untrue: { checkpoint_id: 'CHECKPOINT-2', findings_at_checkpoint: [] },
    told: { without: ['checkpoint_id'] },
  },
  {
    type: 'gold_created',
    fields: {
      gold_id: 'GOLD-1',
      source_refs: ['MSG-1'],
      key_insight: 'small pools make logins slow',
      reuse_pattern: 'look at the pool first',
      trigger_conditions: ['login is slow'],
    },
    untrue: { gold_id: 'GOLD-2' },
  },
  {
    type: 'agent_recruited',
    fields: { agent_id: 'AGENT-scout', ...sb, recruited_by: OPERATOR },
    untrue: { recruited_by: 'AGENT-scout' },
  },
  { type: 'agent_left', fields: { agent_id: 'AGENT-scout', ...sb, reason: 'done here' } },
  {
    type: 'agent_presence',
    fields: { agent_id: OPERATOR, status: 'busy', current_context: 'SB-1', active_sidebars: ['SB-1'] },
    untrue: { agent_id: 'AGENT-scout', active_sidebars: ['SB-1', 'SB-2'] },
  },
  { type: 'sidebar_pause', fields: { ...sb, reason: 'hold that thought', resume_condition: 'tomorrow' } },
  { type: 'sidebar_resume', fields: { ...sb, reason: 'tomorrow came' }, told: { type: 'sidebar_resumed' } },
  {
    type: 'sidebar_status_update',
    fields: { ...sb, old_status: 'ACTIVE', new_status: 'REVIEWING', reason: 'look at it' },
    untrue: { old_status: 'PAUSED' },
  },
  step('sidebar_status_update', { ...sb, old_status: null, new_status: 'ACTIVE' }),
  {
    type: 'sidebar_child_spawn',
    fields: { parent_sidebar_id: 'SB-1', child_sidebar_id: 'SB-2', sub_task_description: 'measure the queries' },
    untrue: { child_sidebar_id: 'SB-1' },
  },
  {
    type: 'sidebar_waiting_update',
    fields: { ...sb, waiting_for: 'the child', description: 'it measures', dependency_refs: ['SB-2'] },
  },
  {
    type: 'sidebar_archive',
    fields: { sidebar_id: 'SB-2', archive_reason: 'manual', final_status: 'ACTIVE' },
    untrue: { final_status: 'MERGED' },
  },
  {
    type: 'sidebar_fork',
    fields: { original_sidebar_id: 'SB-2', new_sidebar_id: 'SB-3', fork_reason: 'it is slow again' },
    untrue: { new_sidebar_id: randomUUID() },
  },
  step('sidebar_spawn', { parent_id: null, task_description: 'try a larger pool', testing: true }),
  {
    type: 'sidebar_test_result',
    fields: { sidebar_id: 'SB-4', test_description: 'a pool of 20', result: 'passed', findings: ['no more waiting'] },
  },
  step('sidebar_consolidate', sb),
  step('sidebar_check_merge', sb),
  {
    type: 'sidebar_merge',
    fields: { ...sb, parent_id: 'SB-3', consolidated_findings: ['SCRATCH-1:FINDING-1'], success: true },
  },
];

/** Messages of section 6 that only the server says. */
const TOLD = ['memory_update', 'memory_archived', 'scratchpad_created', 'scratchpad_conflict', 'media_processed', 'media_error'];
const SYSTEM = ['system_shutdown', 'connection_established', 'connection_lost', 'duplicate_ack'];

type Answer = { readonly code: string | null; readonly message: string; readonly events: readonly Frame[] };
type Door = (type: OperationName, frame: Frame) => Promise<Answer>;

const eventsOf = (result: unknown): readonly Frame[] => (result as { readonly events: readonly Frame[] }).events; // a command of the board

const DOORS: Readonly<Record<string, (server: TestServer) => Promise<Door>>> = {
  websocket: async ({ connect, token }) => {
    const socket = connect({ token });
    await socket.frame('connection_established');
    return async (type, frame) => {
      socket.send({ type, ...frame });
      const answer = await socket.frame((one) => one['message_id'] === frame['message_id'] && (one['type'] === 'ack' || one['type'] === 'rejected'));
      if (answer['type'] === 'rejected') return { code: String(answer['code']), message: String(answer['message']), events: [] };
      // What is heard is what was answered.
      const events = eventsOf(answer['result']);
      await socket.heard(Number(answer['seq']));
      expect(socket.told().filter(({ seq }) => events.some((event) => event['seq'] === seq))).toEqual(events);
      return { code: null, message: '', events };
    };
  },
  http: async ({ port, token }) => {
    return async (type, frame) => {
      const { path } = REGISTRY[type];
      const inPath = Object.keys(frame).filter((key) => path.includes(`{${key}}`));
      const at = inPath.reduce((sofar, key) => sofar.replace(`{${key}}`, encodeURIComponent(String(frame[key]))), path as string);
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${at}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(Object.entries(frame).filter(([key]) => !inPath.includes(key)))),
      });
      const answer = (await response.json()) as Frame; // ours
      if (!response.ok) return { code: String(answer['code']), message: String(answer['detail']), events: [] };
      return { code: null, message: '', events: eventsOf(answer) };
    };
  },
};

const base = (): Frame => ({ message_id: randomUUID(), timestamp: '2026-01-01T00:00:00Z', sender_agent_id: OPERATOR });

describe.each(Object.keys(DOORS))('the messages of section 6, over %s', (door) => {
  test('[WIRE-33] every message is taken with every field of the seed, and refused when a field is not true', async () => {
    const server = await serveBoard();
    const send = await (DOORS[door] as (typeof DOORS)[string])(server); // the table's own key
    for (const { type, fields, untrue = {}, told = {} } of STORY) {
      for (const [field, value] of Object.entries(untrue)) {
        const { count } = await server.board.store.log.head();
        const answer = await send(type, { ...base(), ...fields, [field]: value });
        expect({ type, field, ...answer }).toMatchObject({ type, field, code: 'untrue-claim' });
        expect(answer.message).toContain(field);
        expect((await server.board.store.log.head()).count).toBe(count);
      }
      const answer = await send(type, { ...base(), ...fields });
      expect({ type, ...answer }).toMatchObject({ type, code: null });
      if (told === null) continue;
      const event = answer.events.find((one) => one['type'] === (told.type ?? type)) ?? {};
      const shown = Object.entries(fields).filter(([field]) => told.without?.includes(field) !== true);
      expect({ type, event }).toMatchObject({ type, event: Object.fromEntries(shown) });
    }
    expect(server.faults).toEqual([]);
    await server.close();
  });
});

test('[WIRE-33] of two that claim the same number at once, one gets it and the other is told the next', async () => {
  const server = await serveBoard();
  const send = await (DOORS['websocket'] as (typeof DOORS)[string])(server); // the table's own key
  await send('sidebar_spawn', { ...base(), parent_id: null, task_description: 'a parent' });
  const child = { parent_sidebar_id: 'SB-1', child_sidebar_id: 'SB-2', sub_task_description: 'a part' };
  const answers = await Promise.all([1, 2, 3].map(() => send('sidebar_child_spawn', { ...base(), ...child })));
  const refused = answers.filter(({ code }) => code === 'untrue-claim');
  expect([answers.length - refused.length, ...refused.map(({ message }) => /SB-\d+/u.exec(message)?.[0])]).toEqual([1, 'SB-3', 'SB-3']);
  await server.close();
});

test('[WIRE-33] what only the server says is refused with that reason', async () => {
  const server = await serveBoard();
  const socket = server.connect({ token: server.token });
  await socket.frame('connection_established');
  for (const type of [...TOLD, ...SYSTEM]) {
    const id = randomUUID();
    socket.send({ type, message_id: id });
    expect(await socket.frame((one) => one['message_id'] === id)).toMatchObject({
      type: 'rejected',
      code: 'bad-request',
      message: `only the server sends ${type}`,
    });
  }
  await server.close();
});

test('[WIRE-34] every event has the base fields, and its message_id is its own', async () => {
  const server = await serveBoard();
  const socket = server.connect({ token: server.token });
  await socket.frame('connection_established');
  const send = await (DOORS['http'] as (typeof DOORS)[string])(server); // the table's own key
  for (const { type, fields } of STORY) await send(type, { ...base(), ...fields });
  await socket.heard((await server.board.store.log.head()).count);
  const told = socket.told();
  expect(told.length).toBeGreaterThan(STORY.length);
  expect(new Set(told.map((event) => event['message_id'])).size).toBe(told.length);
  for (const event of told) {
    expect(event).toMatchObject({ message_id: event['uuid'], sender_agent_id: expect.stringMatching(/^(?:AGENT-|system$)/u) as string });
    expect(Number.isNaN(Date.parse(String(event['timestamp'])))).toBe(false);
  }
  await server.close();
});
