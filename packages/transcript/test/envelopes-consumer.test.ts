import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversationOf, normalise, normaliseEnvelope, rebuild, type Envelope, type EnvelopeEvent, type Json, type Refusal } from '../src/index.ts';
import { prompt, record, reply, result, task, text, times, use } from './reading.ts';
import { asks, envelope, legacy, OTHER, says, side, SUB, TURN } from './wire-messages.ts';

const refusalOf = (message: Json): Refusal | null => {
  const read = normalise({ type: 'legacy', id: 'x', time: 5, message });
  return read.ok ? null : read.error;
};

describe('normalising', () => {
  test('[ENV-41] the seed’s example: a sub-agent’s text is part of a sidechain that is known by its cuid2', () => {
    expect(normaliseEnvelope(says('Subagent: found 3 files.', SUB))).toMatchObject({
      role: 'agent',
      turn: TURN,
      parentUUID: SUB,
      isSidechain: true,
      isShadow: false,
      content: [{ type: 'text', text: 'Subagent: found 3 files.', isPrompt: false, parentUUID: SUB }],
    });
    expect(normaliseEnvelope(says('main'))).toMatchObject({ parentUUID: null, isSidechain: false, content: [{ parentUUID: null }] });
  });

  const events: readonly (readonly [EnvelopeEvent, object])[] = [
    [
      { t: 'text', text: 'a', thinking: true },
      { type: 'thinking', text: 'a' },
    ],
    [
      { t: 'text', text: 'a', prompt: true },
      { type: 'text', text: 'a', isPrompt: true },
    ],
    [
      { t: 'tool-call-start', call: 'c', name: 'Bash', title: 'Bash call', description: 'd', args: { a: 1 } },
      { type: 'tool-call', id: 'c', name: 'Bash', description: 'd', input: { a: 1 } },
    ],
    [
      { t: 'tool-call-end', call: 'c', result: 'r', isError: true },
      { type: 'tool-result', toolCallId: 'c', result: 'r', isError: true, isInterrupted: false },
    ],
    [
      { t: 'tool-call-end', call: 'c', result: null, isError: true, isInterrupted: true },
      { type: 'tool-result', toolCallId: 'c', result: null, isError: true, isInterrupted: true },
    ],
    [{ t: 'turn-start' }, { type: 'turn-start' }],
    [
      { t: 'turn-end', status: 'failed' },
      { type: 'turn-end', status: 'failed', usage: null },
    ],
    [
      { t: 'start', title: 'Count', agent: 'Explore', parent: OTHER },
      { type: 'start', title: 'Count', agent: 'Explore', parent: OTHER, isOrphan: false },
    ],
    [
      { t: 'start', isOrphan: true },
      { type: 'start', title: null, agent: null, parent: null, isOrphan: true },
    ],
    [
      { t: 'stop', status: 'cancelled' },
      { type: 'stop', status: 'cancelled', usage: null },
    ],
    [
      { t: 'service', kind: 'compaction', text: 'x' },
      { type: 'service', kind: 'compaction', text: 'x', data: null },
    ],
    [
      { t: 'file', ref: 'u/0', name: 'a.png', size: 3, mimeType: 'image/png' },
      { type: 'file', ref: 'u/0', name: 'a.png', size: 3, mimeType: 'image/png', call: null },
    ],
  ];

  test.each(events)('[ENV-40] the event %j is one block of content', (ev, block) => {
    expect(normaliseEnvelope(envelope(ev, { subagent: SUB })).content).toEqual([{ ...block, parentUUID: SUB }]);
  });

  test('[ENV-42] a text that a user sent before there were envelopes is a user’s text', () => {
    const expected = {
      id: 'x',
      time: 5,
      role: 'user',
      isSidechain: false,
      content: [{ type: 'text', text: 'hello', isPrompt: false, parentUUID: null }],
    };
    for (const content of ['hello', { type: 'text', text: 'hello' }])
      expect(normalise({ type: 'legacy', id: 'x', time: 5, message: { role: 'user', content } })).toMatchObject({ ok: true, value: expected });
  });

  test('[ENV-42] a raw record belongs to the call that it names, in either spelling', () => {
    const blocks = [
      text('found'),
      { type: 'thinking', thinking: 'hm' },
      { type: 'thinking', thinking: '' },
      use('t2', 'Bash', { description: 'd' }),
      { type: 'image' },
    ];
    for (const name of ['parent_tool_use_id', 'parentToolUseId'])
      expect(legacy(reply('a', 'before', 'm', blocks, { [name]: 't1' }))).toMatchObject({
        uuid: 'a',
        after: 'before',
        parentUUID: 't1',
        isSidechain: true,
        content: [
          { type: 'text', text: 'found', parentUUID: 't1' },
          { type: 'thinking', text: 'hm' },
          { type: 'tool-call', id: 't2', name: 'Bash', description: 'd', input: { description: 'd' } },
          { type: 'other', block: 'image' },
        ],
      });
  });

  test('[ENV-42] without a call it belongs to what the record before it belongs to; in the main conversation to nothing', () => {
    expect(legacy(side(reply('a', 'before', 'm')))).toMatchObject({ parentUUID: 'before', after: 'before', isSidechain: true });
    expect(legacy(reply('a', 'before', 'm'))).toMatchObject({ parentUUID: null, after: null, isSidechain: false });
  });

  test('[ENV-42] a sidechain’s root only has its prompt; a later prompt is one, too', () => {
    expect(legacy(side(prompt('a', null, 'Count')))).toMatchObject({
      role: 'agent',
      isSidechain: true,
      content: [{ type: 'sidechain', prompt: 'Count' }],
    });
    expect(legacy(side(prompt('a', 'b', 'Go on')))).toMatchObject({ role: 'agent', content: [{ type: 'text', text: 'Go on', isPrompt: true }] });
    expect(legacy(prompt('a', null, 'Hello'))).toMatchObject({ role: 'user', content: [{ type: 'text', text: 'Hello', isPrompt: false }] });
  });

  test('[ENV-42] results keep what they returned, in both spellings of a block', () => {
    const blocks = [
      { type: 'tool_result', tool_use_id: 't1', content: [text('a')], is_error: true },
      { type: 'tool-call-result', callId: 't2', output: 'b' },
    ];
    expect(legacy(record({ uuid: 'r', message: { role: 'user', content: blocks } })).content).toEqual([
      { type: 'tool-result', toolCallId: 't1', result: [text('a')], isError: true, isInterrupted: false, parentUUID: null },
      { type: 'tool-result', toolCallId: 't2', result: 'b', isError: false, isInterrupted: false, parentUUID: null },
    ]);
  });

  test('[ENV-42] commands, compactions and what a launcher told are service', () => {
    expect(legacy(prompt('a', null, '<command-name>/clear</command-name>')).content).toMatchObject([{ type: 'service', kind: 'command' }]);
    expect(legacy({ type: 'system', subtype: 'compact_boundary', content: 'Compacted', uuid: 'a' }).content).toMatchObject([
      { type: 'service', kind: 'compaction', text: 'Compacted' },
    ]);
    const event = (data: Json): unknown => normalise({ type: 'legacy', id: 'x', time: 5, message: { content: { type: 'event', id: 'e', data } } });
    expect(event({ type: 'switch', mode: 'remote' })).toMatchObject({
      ok: true,
      value: { content: [{ type: 'service', kind: 'run', text: 'switch' }] },
    });
    expect(event({ type: 'message', message: 'Aborted' })).toMatchObject({ ok: true, value: { content: [{ text: 'Aborted' }] } });
  });

  const refused: readonly (readonly [Json, Refusal])[] = [
    [null, { kind: 'not-an-object', field: 'message' }],
    [{}, { kind: 'not-an-object', field: 'content' }],
    [{ content: [] }, { kind: 'not-an-object', field: 'content' }],
    [{ content: { type: 'output' } }, { kind: 'not-an-object', field: 'data' }],
    [{ content: { type: 'event', data: 'x' } }, { kind: 'not-an-object', field: 'data' }],
    [{ content: { type: 'event', data: {} } }, { kind: 'unknown-content', type: null }],
    [{ content: { type: 'codex', data: {} } }, { kind: 'unknown-content', type: 'codex' }],
    [{ content: {} }, { kind: 'unknown-content', type: null }],
    [{ content: { type: 'output', data: { type: 'telepathy' } } }, { kind: 'unknown-record', type: 'telepathy' }],
    [{ content: { type: 'output', data: {} } }, { kind: 'unknown-record', type: null }],
    [{ content: { type: 'session', data: {} } }, { kind: 'undecoded-envelope' }],
    [{ content: '' }, { kind: 'empty' }],
    [{ content: { type: 'output', data: { type: 'assistant', message: { content: [] } } } }, { kind: 'empty' }],
    [{ content: { type: 'output', data: { type: 'user', isMeta: true, message: { content: 'x' } } } }, { kind: 'silent', role: 'meta' }],
    [{ content: { type: 'output', data: { type: 'user', isCompactSummary: true, message: { content: 'x' } } } }, { kind: 'silent', role: 'summary' }],
    [{ content: { type: 'output', data: { type: 'system', subtype: 'init' } } }, { kind: 'silent', role: 'system' }],
    [{ content: { type: 'output', data: { type: 'summary', summary: 'x' } } }, { kind: 'silent', role: 'state' }],
  ];

  test.each(refused)('[ENV-43] %j is refused with its reason', (message, refusal) => {
    expect(refusalOf(message)).toEqual(refusal);
  });

  test('[ENV-43] no message makes the normaliser throw: it is read or refused', () => {
    const odd = fc.jsonValue({ maxDepth: 3 });
    const wrapped = fc.oneof(
      odd,
      odd.map((content) => ({ content })),
      odd.map((data) => ({ content: { type: 'output', data } })),
      fc
        .record({
          type: fc.constantFrom('user', 'assistant', 'system'),
          message: odd,
          isSidechain: odd,
          uuid: odd,
          parentUuid: odd,
          parent_tool_use_id: odd,
        })
        .map((data) => ({ content: { type: 'output', data } })),
      fc
        .record({ type: fc.constantFrom('user', 'assistant'), isSidechain: fc.boolean(), content: fc.array(odd) })
        .map(({ type, isSidechain, content }) => ({
          content: { type: 'output', data: { type, isSidechain, message: { content } } },
        })),
    );
    fc.assert(
      fc.property(wrapped, (message) => {
        const read = normalise({ type: 'legacy', id: 'x', time: 5, message: message as Json }); // jsonValue makes nothing else
        const isRead =
          read.ok &&
          read.value.content.length > 0 &&
          (read.value.isSidechain || read.value.parentUUID === null) &&
          read.value.content.every((block) => block.parentUUID === read.value.parentUUID);
        expect(isRead || (!read.ok && read.error.kind.length > 0)).toBe(true);
      }),
      times(3),
    );
  });
});

describe('the conversation', () => {
  test('[ENV-48] turns, texts, tools with their results, and sub-agents with their own', () => {
    const first = asks('Count');
    const told: readonly Envelope[] = [
      first,
      envelope({ t: 'turn-start' }),
      envelope({ t: 'text', text: 'hm', thinking: true }),
      says('Delegating.'),
      envelope({ t: 'start', title: 'Count files', agent: 'Explore' }, { subagent: SUB }),
      envelope({ t: 'text', text: 'Count them', prompt: true }, { subagent: SUB }),
      envelope({ t: 'tool-call-start', call: 'c1', name: 'Bash', title: 'Bash call', description: 'ls', args: { command: 'ls' } }, { subagent: SUB }),
      envelope({ t: 'start', parent: SUB }, { subagent: OTHER }),
      envelope({ t: 'tool-call-end', call: 'c1', result: 'a b', isError: false }, { subagent: SUB }),
      envelope({ t: 'stop', status: 'cancelled' }, { subagent: OTHER }),
      envelope({ t: 'stop', status: 'completed' }, { subagent: SUB }),
      envelope({ t: 'tool-call-start', call: 'c2', name: 'Read', title: 'Read call', description: '', args: {} }),
      envelope({ t: 'tool-call-end', call: 'c2', result: null, isError: true, isInterrupted: true }),
      envelope({ t: 'tool-call-start', call: 'c3', name: 'Read', title: 'Read call', description: '', args: {} }),
      envelope({ t: 'tool-call-end', call: 'c0', result: 'late', isError: false }),
      envelope({ t: 'service', kind: 'compaction', text: 'Compacted' }),
      envelope({ t: 'turn-end', status: 'cancelled' }),
      envelope({ t: 'start', isOrphan: true }, { subagent: 'f6a2s8ydz2lh6ry5od3r2n6n' }),
      says('Who called me?', 'f6a2s8ydz2lh6ry5od3r2n6n'),
    ];
    const { turns, main, sidechains, counts } = conversationOf(told);
    const brief = (items: readonly object[]): readonly object[] =>
      items.map(({ id: _id, time: _time, turn: _turn, ...item }: { id?: string; time?: number; turn?: string }) => item);
    expect(turns).toEqual([{ id: TURN, status: 'cancelled', startedAt: told[1]?.time, endedAt: told[16]?.time, usage: null }]);
    expect(brief(main)).toEqual([
      { kind: 'user', text: 'Count' },
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: 'Delegating.' },
      { kind: 'subagent', subagent: SUB },
      { kind: 'tool', call: 'c2', name: 'Read', args: {}, result: null, isError: true, state: 'interrupted' },
      { kind: 'tool', call: 'c3', name: 'Read', args: {}, result: null, isError: false, state: 'open' },
      { kind: 'tool', call: 'c0', name: null, args: null, result: 'late', isError: false, state: 'ended' },
      { kind: 'service', service: 'compaction', text: 'Compacted', data: null },
    ]);
    expect(main[0]).toMatchObject({ id: first.id, time: first.time, turn: TURN });
    expect(sidechains.map(({ items, ...one }) => ({ ...one, items: brief(items) }))).toEqual([
      {
        subagent: SUB,
        parent: null,
        title: 'Count files',
        agent: 'Explore',
        isOrphan: false,
        status: 'completed',
        usage: null,
        items: [
          { kind: 'prompt', text: 'Count them' },
          { kind: 'tool', call: 'c1', name: 'Bash', args: { command: 'ls' }, result: 'a b', isError: false, state: 'ended' },
          { kind: 'subagent', subagent: OTHER },
        ],
      },
      { subagent: OTHER, parent: SUB, title: null, agent: null, isOrphan: false, status: 'cancelled', usage: null, items: [] },
      {
        subagent: 'f6a2s8ydz2lh6ry5od3r2n6n',
        parent: null,
        title: null,
        agent: null,
        isOrphan: true,
        status: 'running',
        usage: null,
        items: [{ kind: 'text', text: 'Who called me?' }],
      },
    ]);
    expect(counts).toEqual({ duplicates: 0, shadows: 0, waiting: 0, orphans: 2 });
  });

  test('[ENV-48] a conversation that was sent twice, or with migration copies, is the same', () => {
    const told = [asks('a'), envelope({ t: 'turn-start' }), says('b'), says('c', SUB), envelope({ t: 'turn-end', status: 'completed' })];
    const shadowed = told.flatMap((one) => (one.role === 'user' ? [one, { ...one, id: `${one.id}s`, role: 'session' as const }] : [one]));
    const { counts: _once, ...once } = conversationOf(told);
    expect(conversationOf([...told, ...told])).toEqual({ ...once, counts: { duplicates: 5, shadows: 0, waiting: 0, orphans: 0 } });
    expect(conversationOf(shadowed)).toEqual({ ...once, counts: { duplicates: 0, shadows: 1, waiting: 0, orphans: 0 } });
  });

  test('[ENV-48] a legacy conversation is rebuilt, too: its calls say what their sidechains are', () => {
    const { main, sidechains } = rebuild([
      legacy(prompt('u', null, 'Go')),
      legacy(reply('a', null, 'm', [task('t1', 'Count', 'Explore', { description: 'Count files' })])),
      legacy(side(prompt('s1', null, 'Count'))),
      legacy(side(reply('s2', 's1', 'n', [text('two')]))),
      legacy(result('r', null, 't1', 'two')),
    ]);
    expect(main.map((item) => item.kind)).toEqual(['user', 'tool']);
    expect(main[1]).toMatchObject({ call: 't1', result: 'two', state: 'ended' });
    expect(sidechains).toMatchObject([
      {
        subagent: 't1',
        parent: null,
        title: 'Count files',
        agent: 'Explore',
        status: 'completed',
        usage: null,
        items: [
          { kind: 'prompt', text: 'Count' },
          { kind: 'text', text: 'two' },
        ],
      },
    ]);
  });
});
