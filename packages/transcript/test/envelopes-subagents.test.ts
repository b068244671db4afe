import { describe, expect, test } from 'vitest';
import type { JsonObject, MapperInput } from '../src/index.ts';
import { brief, END, inputOf, mapAll, writeRecords, type Fed } from './mapping.ts';

const task = (write: ReturnType<typeof writeRecords>, id: string, prompt: string, more: JsonObject = {}) =>
  write.used(id, 'Task', { prompt, ...more });
const meta = (agentId: string, toolUseId: string): MapperInput => ({
  kind: 'meta',
  agentId,
  meta: { agentType: null, description: null, toolUseId, parentAgentId: null, spawnDepth: null },
});
const notified = (agentId: string, more = '', status = 'completed'): string =>
  `<task-notification>\n<task-id>${agentId}</task-id>${more}\n<status>${status}</status>\n</task-notification>`;

/** An agent's file: what it was asked, what it said. */
const agentFile = (write: ReturnType<typeof writeRecords>, agentId: string, prompt: string, answer: string): readonly MapperInput[] => {
  const root = write.user(prompt, { parentUuid: null });
  return [inputOf(root, agentId), inputOf(write.said(answer, { parentUuid: root['uuid'] ?? null }), agentId)];
};

describe('whose conversation it is', () => {
  test('[ENV-20] ids are believed before the call that a record names, that before the record it hangs on, that before its prompt', () => {
    const write = writeRecords();
    const [a, b] = [task(write, 'A', 'Do it.'), task(write, 'B', 'Do that.')];
    const asked = (more: JsonObject): JsonObject => write.user('Do it.', { isSidechain: true, ...more });
    const ownerOf = (fed: readonly Fed[]): string => {
      const [own] = brief(mapAll([a, b, ...fed, END]).envelopes.filter(({ ev }) => ev.t === 'text'));
      return own ?? '';
    };
    const subagentOf = (fed: readonly Fed[]) => mapAll([a, b, ...fed]).envelopes.find(({ ev }) => ev.t === 'text')?.subagent;
    const [ofA, ofB] = ['A', 'B'].map((id) => subagentOf([write.user('x', { isSidechain: true, parent_tool_use_id: id })]));
    expect(ofA).not.toBe(ofB);
    expect(subagentOf([asked({ parentUuid: null })])).toBe(ofA);
    expect(subagentOf([asked({ parentUuid: b['uuid'] ?? null })])).toBe(ofB);
    expect(subagentOf([asked({ parentUuid: a['uuid'] ?? null, parent_tool_use_id: 'B' })])).toBe(ofB);
    expect(subagentOf([asked({ parentUuid: a['uuid'] ?? null, parentToolUseId: 'B' })])).toBe(ofB);
    expect(subagentOf([meta('x1', 'B'), inputOf(asked({ parent_tool_use_id: 'A' }), 'x1')])).toBe(ofB);
    expect(ownerOf([asked({ parentUuid: null })])).toContain('prompt: Do it.');
  });

  test('[ENV-20] a record goes on in the conversation of its parent', () => {
    const write = writeRecords();
    const root = write.user('Do it.', { isSidechain: true, parentUuid: null });
    const next = write.said('Doing.', { isSidechain: true, parentUuid: root['uuid'] ?? null });
    const { envelopes } = mapAll([task(write, 'A', 'Do it.'), root, task(write, 'B', 'Do that.'), next]);
    expect(brief(envelopes)).toEqual(['agent t1 turn-start', 'agent t1 s1 start', 'agent t1 s1 text prompt: Do it.', 'agent t1 s1 text: Doing.']);
  });

  test('[ENV-20] an agent’s file is linked by its meta file, by the result, by progress and by a notification', () => {
    const write = writeRecords();
    const evidence: readonly (readonly Fed[])[] = [
      [meta('x1', 'A')],
      [write.got('A', 'Launched', { toolUseResult: { status: 'async_launched', agentId: 'x1' } })],
      [{ type: 'progress', uuid: 'p', parentToolUseID: 'A', data: { type: 'agent_progress', agentId: 'x1' } }],
      [{ type: 'queue-operation', operation: 'enqueue', content: '{"task_id":"x1","tool_use_id":"A"}' }],
    ];
    for (const proof of evidence) {
      // Nothing but the id says that it belongs to the call: not even the prompt is the same.
      const file = agentFile(writeRecords(), 'x1', 'Something else.', 'Done.').map((input) =>
        input.kind === 'record' ? { ...input, uuid: `x-${input.uuid}` } : input,
      );
      const late = mapAll([task(write, 'A', 'Do it.'), task(write, 'B', 'Do that.'), ...file]);
      expect(late.envelopes.filter(({ subagent }) => subagent !== undefined)).toEqual([]);
      const { envelopes } = mapAll(proof, {}, late.state);
      expect(brief(envelopes)).toEqual(['agent t1 s1 start', 'agent t1 s1 text prompt: Something else.', 'agent t1 s1 text: Done.']);
    }
  });

  test('[ENV-26] equal prompts wait for an id that tells them apart; the last one is told by what is left', () => {
    const write = writeRecords();
    const start = mapAll([
      task(write, 'A', 'Same.'),
      task(write, 'B', 'Same.'),
      ...agentFile(write, 'x1', 'Same.', 'One.'),
      ...agentFile(write, 'x2', 'Same.', 'Two.'),
    ]);
    expect(brief(start.envelopes)).toEqual(['agent t1 turn-start']);
    const { envelopes } = mapAll([write.got('B', 'One.', { toolUseResult: { agentId: 'x1' } })], {}, start.state);
    // Of call A nothing was said yet: only x2 is left for it.
    expect(brief(envelopes)).toEqual([
      'agent t1 s1 start',
      'agent t1 s1 text prompt: Same.',
      'agent t1 s1 text: One.',
      'agent t1 s2 start',
      'agent t1 s2 text prompt: Same.',
      'agent t1 s2 text: Two.',
      'agent t1 s1 stop: completed',
    ]);
  });

  test('[ENV-26] equal prompts that nothing ever tells apart go by the order of their calls, at the end', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      task(write, 'A', 'Same.', { description: 'first' }),
      task(write, 'B', 'Same.', { description: 'second' }),
      ...agentFile(write, 'x1', 'Same.', 'One.'),
      ...agentFile(write, 'x2', 'Same.', 'Two.'),
      END,
    ]);
    const titles = new Map(envelopes.flatMap(({ subagent, ev }) => (ev.t === 'start' ? [[subagent, ev.title]] : [])));
    const texts = envelopes.flatMap(({ subagent, ev }) =>
      ev.t === 'text' && ev.prompt === undefined ? [`${titles.get(subagent) ?? ''}: ${ev.text}`] : [],
    );
    expect(texts).toEqual(['first: One.', 'second: Two.']);
  });

  test('[ENV-25] [ENV-27] a root that matches no call is not given to one, however many are open; it is told at the end, marked', () => {
    const write = writeRecords();
    const start = mapAll([task(write, 'A', 'Do it.'), ...agentFile(write, 'warm', 'Warmup', 'Ready.')]);
    expect(brief(start.envelopes)).toEqual(['agent t1 turn-start']);
    const { envelopes } = mapAll([write.got('A', 'Done.', { toolUseResult: { agentId: 'other' } }), END], {}, start.state);
    expect(brief(envelopes)).toEqual([
      'agent t1 s1 start',
      'agent t1 s1 stop: completed',
      'agent s2 start orphan',
      'agent s2 text prompt: Warmup',
      'agent s2 text: Ready.',
      'agent s2 stop: completed',
      'agent t1 turn-end: completed',
    ]);
  });

  test('[ENV-24] inline, the block right before a result belongs to its call', () => {
    const write = writeRecords();
    const inline = (text: string): readonly JsonObject[] => {
      const root = write.user('Same.', { isSidechain: true, parentUuid: null });
      return [root, write.said(text, { isSidechain: true, parentUuid: root['uuid'] ?? null })];
    };
    const { envelopes } = mapAll([
      task(write, 'A', 'Same.', { description: 'first' }),
      task(write, 'B', 'Same.', { description: 'second' }),
      ...inline('Answer to B.'),
      write.got('B', 'Answer to B.'),
      ...inline('Answer to A.'),
      write.got('A', 'Answer to A.'),
    ]);
    expect(envelopes.flatMap(({ ev }) => (ev.t === 'start' ? [ev.title] : ev.t === 'text' && ev.prompt === undefined ? [ev.text] : []))).toEqual([
      'second',
      'Answer to B.',
      'first',
      'Answer to A.',
    ]);
  });
});

test('[ENV-26] equal prompts that are read before their calls are not given to the first call that comes', () => {
  const write = writeRecords();
  const [a, b] = [task(write, 'A', 'Same.'), task(write, 'B', 'Same.')];
  const sameMessage = (record: JsonObject): JsonObject => ({ ...record, message: { ...(record['message'] as JsonObject), id: 'msg_1' } });
  const early = mapAll([...agentFile(write, 'x2', 'Same.', 'Two.'), sameMessage(a), sameMessage(b), write.said('Both are at it.')]);
  expect(early.envelopes.filter(({ subagent }) => subagent !== undefined)).toEqual([]);
  const { envelopes } = mapAll([write.got('B', 'Two.', { toolUseResult: { agentId: 'x2' } })], {}, early.state);
  expect(brief(envelopes)).toEqual(['agent t1 s1 start', 'agent t1 s1 text prompt: Same.', 'agent t1 s1 text: Two.', 'agent t1 s1 stop: completed']);
});

describe('the life of a sub-agent', () => {
  test('[ENV-21] one that says nothing starts when it stops', () => {
    const write = writeRecords();
    expect(brief(mapAll([task(write, 'A', 'Do it.'), write.got('A')]).envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 s1 start',
      'agent t1 s1 stop: completed',
    ]);
  });

  test('[ENV-22] a background agent stops turns later, in the turn it was called in, and opens none', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      task(write, 'A', 'Do it.'),
      write.got('A', 'Async agent launched', { toolUseResult: { isAsync: true, status: 'async_launched', agentId: 'x1' } }),
      ...agentFile(write, 'x1', 'Do it.', 'Working.'),
      write.ended('Started.'),
      write.user('Meanwhile?'),
      write.ended('Yes.'),
      inputOf(write.used('t', 'Bash', {}, { parentUuid: null }), 'x1'),
      inputOf(write.got('t', 'ok', { parentUuid: null }), 'x1'),
      write.user(notified('x1', '<tool-use-id>A</tool-use-id>'), { origin: { kind: 'task-notification' } }),
    ]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 s1 start',
      'agent t1 s1 text prompt: Do it.',
      'agent t1 s1 text: Working.',
      'agent t1 text: Started.',
      'agent t1 turn-end: completed',
      'user text: Meanwhile?',
      'agent t2 turn-start',
      'agent t2 text: Yes.',
      'agent t1 s1 tool-call-start: Bash t',
      'agent t1 s1 tool-call-end: t "ok"',
      'agent t1 s1 stop: completed',
      'agent t2 turn-end: completed',
    ]);
  });

  test('[ENV-23] a notification that does not name the call stops the agent it names; a second one changes nothing', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      task(write, 'A', 'Do it.'),
      write.got('A', 'Async agent launched', { toolUseResult: { isAsync: true, agentId: 'x1' } }),
      { type: 'queue-operation', content: notified('x1', '', 'failed') },
      write.user(notified('x1'), { origin: { kind: 'task-notification' } }),
    ]);
    expect(brief(envelopes)).toEqual(['agent t1 turn-start', 'agent t1 s1 start', 'agent t1 s1 stop: failed']);
  });

  test('[ENV-23] a background shell that reports like an agent stops nothing', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      write.used('sh', 'Bash', { command: 'sleep 9', run_in_background: true }),
      write.got('sh', 'Command running in background'),
      write.user(notified('b1', '<tool-use-id>sh</tool-use-id>'), { origin: { kind: 'task-notification' } }),
    ]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 tool-call-start: Bash sh',
      'agent t1 tool-call-end: sh "Command running in background"',
    ]);
  });

  test('[ENV-28] nested agents keep their parent, and start and stop on their own', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      task(write, 'A', 'Outer.'),
      inputOf(write.user('Outer.', { parentUuid: null }), 'x1'),
      inputOf(write.used('B', 'Agent', { prompt: 'Inner.' }), 'x1'),
      ...agentFile(write, 'x2', 'Inner.', 'Deep.'),
      inputOf(write.got('B', [{ type: 'text', text: 'Deep.' }]), 'x1'),
      inputOf(write.said('Outer done.'), 'x1'),
      write.got('A', 'Outer done.'),
    ]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 s1 start',
      'agent t1 s1 text prompt: Outer.',
      'agent t1 s2 start under s1',
      'agent t1 s2 text prompt: Inner.',
      'agent t1 s2 text: Deep.',
      'agent t1 s2 stop: completed',
      'agent t1 s1 text: Outer done.',
      'agent t1 s1 stop: completed',
    ]);
  });

  test('[ENV-28] agents nested ten thousand deep that all wait for the first are told in order', () => {
    const write = writeRecords();
    const depth = 10_000;
    const fed: Fed[] = [];
    for (let level = depth; level >= 1; level -= 1) {
      fed.push(inputOf(write.user(`Level ${level}.`, { parentUuid: null }), `x${level}`));
      if (level < depth) fed.push(inputOf(write.used(`C${level + 1}`, 'Agent', { prompt: `Level ${level + 1}.` }), `x${level}`));
    }
    const { envelopes } = mapAll([...fed, task(write, 'C1', 'Level 1.'), END]);
    expect(envelopes.filter(({ ev }) => ev.t === 'start' && ev.isOrphan === undefined)).toHaveLength(depth);
  });

  test('[ENV-29] prompts typed while agents run change nothing about them', () => {
    const write = writeRecords();
    const root = write.user('Do it.', { isSidechain: true, parentUuid: null });
    const { envelopes } = mapAll([
      task(write, 'A', 'Do it.'),
      root,
      write.user('Are you there?'),
      write.said('Still at it.', { isSidechain: true, parentUuid: root['uuid'] ?? null }),
      write.got('A', 'Done.'),
    ]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 s1 start',
      'agent t1 s1 text prompt: Do it.',
      'agent t1 turn-end: cancelled',
      'user text: Are you there?',
      'agent t1 s1 text: Still at it.',
      'agent t1 s1 stop: completed',
    ]);
  });

  test('[ENV-21] an agent that is called again is told under its new call; one that is written to again starts again', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      task(write, 'A', 'First.'),
      ...agentFile(write, 'x1', 'First.', 'One.'),
      write.got('A', 'One.', { toolUseResult: { agentId: 'x1' } }),
      task(write, 'B', 'Second.', { resume: 'x1' }),
      ...agentFile(write, 'x1', 'Second.', 'Two.'),
      write.got('B', 'Two.', { toolUseResult: { agentId: 'x1' } }),
      ...agentFile(write, 'x1', 'Third, by message.', 'Three.'),
    ]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 s1 start',
      'agent t1 s1 text prompt: First.',
      'agent t1 s1 text: One.',
      'agent t1 s1 stop: completed',
      'agent t1 s2 start',
      'agent t1 s2 text prompt: Second.',
      'agent t1 s2 text: Two.',
      'agent t1 s2 stop: completed',
      'agent t1 s2 start',
      'agent t1 s2 text prompt: Third, by message.',
      'agent t1 s2 text: Three.',
    ]);
    expect(new Set(envelopes.map(({ id }) => id)).size).toBe(envelopes.length);
  });

  test('[ENV-21] what it was asked is told once, whether the stream, the file or both bring it', () => {
    const write = writeRecords();
    const { envelopes, state } = mapAll([
      task(write, 'A', 'Do it.'),
      write.user('Do it.', { isSidechain: true, parent_tool_use_id: 'A' }),
      meta('x1', 'A'),
      ...agentFile(write, 'x1', 'Do it.', 'Done.'),
    ]);
    expect(brief(envelopes)).toEqual(['agent t1 turn-start', 'agent t1 s1 start', 'agent t1 s1 text prompt: Do it.', 'agent t1 s1 text: Done.']);
    expect(state.dropped.get('repeated-prompt')).toBe(1);
  });
});
