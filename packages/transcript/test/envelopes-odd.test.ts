import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '../../../tests/cpu-time.ts';
import type { JsonObject, MapperInput } from '../src/index.ts';
import { brief, END, inputOf, mapAll, writeRecords, type Fed } from './mapping.ts';

// Orders and shapes that no version writes on purpose, and all of them have been seen.

const withMessage = (record: JsonObject, more: JsonObject): JsonObject => ({ ...record, message: { ...(record['message'] as JsonObject), ...more } });
const close = (more: Partial<Extract<MapperInput, { kind: 'close' }>>): MapperInput => ({
  kind: 'close',
  uuid: 'c',
  at: Number.NaN,
  status: null,
  isEnd: false,
  ...more,
});

describe('odd orders', () => {
  test('[ENV-19] an interruption ends the sub-agent that was waited for, and its tools', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      write.used('A', 'Task', { prompt: 'Do it.' }),
      write.user('Do it.', { isSidechain: true, parent_tool_use_id: 'A' }),
      write.used('t', 'Bash', {}, { parent_tool_use_id: 'A' }),
      write.user('[Request interrupted by user]'),
    ]);
    expect(brief(envelopes).slice(-3)).toEqual([
      'agent t1 s1 tool-call-end: t interrupted null',
      'agent t1 s1 stop: cancelled',
      'agent t1 turn-end: cancelled',
    ]);
  });

  test('[ENV-30] an end that was only assumed is reported again as it was, when that is known', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      write.used('A', 'Task', { prompt: 'Do it.' }),
      write.user('Do it.', { isSidechain: true, parent_tool_use_id: 'A' }),
      close({ isEnd: true }),
      write.said('Done.', { parent_tool_use_id: 'A' }),
      write.got('A', 'Done.'),
      write.got('A', 'Done.'),
    ]);
    expect(brief(envelopes).slice(2)).toEqual([
      'agent t1 s1 text prompt: Do it.',
      'agent t1 s1 stop: cancelled',
      'agent t1 turn-end: cancelled',
      'agent t1 s1 text: Done.',
      'agent t1 s1 start',
      'agent t1 s1 stop: completed',
    ]);
    expect(new Set(envelopes.map(({ id }) => id)).size).toBe(envelopes.length);
  });

  test('[ENV-31] a turn that was cut off after a result ends the same way, whether a prompt, an end or a process says so', () => {
    const write = writeRecords();
    const fed = [withMessage(write.used('t', 'Bash'), { stop_reason: 'tool_use' }), write.got('t')];
    const endOf = (last: Fed) => mapAll([...fed, last]).envelopes.flatMap(({ id, ev }) => (ev.t === 'turn-end' ? [{ id, status: ev.status }] : []));
    const [first] = endOf(END);
    expect(first?.status).toBe('cancelled');
    expect(endOf(write.user('Next.'))).toEqual([first]);
    expect(endOf(close({}))).toEqual([first]);
  });

  test('[ENV-30] a close that means no turn, or another one, closes none', () => {
    const write = writeRecords();
    expect(brief(mapAll([write.said('Hi.'), close({ turn: 'another' })]).envelopes).at(-1)).toBe('agent t1 text: Hi.');
    expect(brief(mapAll([write.said('Hi.'), close({ turn: '', isEnd: true })]).envelopes).at(-1)).toBe('agent t1 text: Hi.');
  });

  test('[ENV-20] two sub-agents that finish in one record are told apart by what each result says', () => {
    const write = writeRecords();
    const answer = (id: string, agentId: string) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: [
        { type: 'text', text: 'Done.' },
        { type: 'text', text: `agentId: ${agentId} (for resuming)` },
      ],
    });
    const { envelopes } = mapAll([
      write.used('A', 'Task', { prompt: 'Same.', description: 'first' }),
      write.used('B', 'Task', { prompt: 'Same.', description: 'second' }),
      inputOf(write.said('I am x1.'), 'x1'),
      inputOf(write.said('I am x2.'), 'x2'),
      write.record('user', [answer('A', 'x2'), answer('B', 'x1')], { toolUseResult: { agentId: 'x2' } }),
    ]);
    expect(envelopes.flatMap(({ ev }) => (ev.t === 'start' ? [ev.title] : ev.t === 'text' ? [ev.text] : []))).toEqual([
      'first',
      'I am x2.',
      'second',
      'I am x1.',
    ]);
  });

  test('[ENV-12] a result that comes before its call ends it once, and leaves nothing open', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([write.got('t', 'early'), write.used('t', 'Bash'), write.ended('Done.'), END]);
    expect(brief(envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 tool-call-end: t "early"',
      'agent t1 tool-call-start: Bash t',
      'agent t1 text: Done.',
      'agent t1 turn-end: completed',
    ]);
    const agent = mapAll([
      write.got('A', 'Done.', { toolUseResult: { agentId: 'x1' } }),
      write.used('A', 'Task', { prompt: 'Go.' }),
      write.ended('Done.'),
      END,
    ]);
    expect(brief(agent.envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 s1 start',
      'agent t1 s1 stop: completed',
      'agent t1 text: Done.',
      'agent t1 turn-end: completed',
    ]);
  });

  test('[ENV-17] results that name no call are all told', () => {
    const write = writeRecords();
    const nameless = (content: string) => write.record('user', [{ type: 'tool_result', content }]);
    expect(brief(mapAll([nameless('one'), nameless('two')]).envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 tool-call-end:  "one"',
      'agent t1 tool-call-end:  "two"',
    ]);
  });

  test('[ENV-13] an endpoint that counts its calls anew in every message loses none', () => {
    const write = writeRecords();
    const used = (id: string) => withMessage(write.used('call_0', 'Bash'), { id });
    const { envelopes } = mapAll([used('m1'), write.got('call_0', 'one'), used('m2'), write.got('call_0', 'two')]);
    expect(brief(envelopes).slice(1)).toEqual([
      'agent t1 tool-call-start: Bash call_0',
      'agent t1 tool-call-end: call_0 "one"',
      'agent t1 tool-call-start: Bash call_0',
      'agent t1 tool-call-end: call_0 "two"',
    ]);
    expect(new Set(envelopes.map(({ id }) => id)).size).toBe(envelopes.length);
  });

  test('[ENV-21] a sub-agent whose first record is a compaction starts before it', () => {
    const write = writeRecords();
    const boundary = write.record('system', null, { subtype: 'compact_boundary' });
    const { envelopes } = mapAll([
      write.used('A', 'Task', { prompt: 'Go.' }),
      write.got('A', 'Async agent launched', { toolUseResult: { isAsync: true, agentId: 'x1' } }),
      inputOf(boundary, 'x1'),
    ]);
    expect(brief(envelopes).slice(1)).toEqual(['agent t1 s1 start', 'agent t1 s1 service compaction: Conversation compacted']);
  });

  test('[ENV-33] what the file knows of a response that the stream did not is counted, also of a sub-agent and of an earlier message', () => {
    const write = writeRecords();
    const spent = (record: JsonObject, id: string, output: number) => withMessage(record, { id, usage: { input_tokens: 1, output_tokens: output } });
    const main = write.said('One.');
    const aside = write.said('Aside.', { parent_tool_use_id: 'A' });
    const { envelopes } = mapAll([
      spent(main, 'm1', 1),
      write.used('A', 'Task', { prompt: 'Go.' }),
      spent(aside, 'm2', 1),
      spent(write.said('Two.'), 'm3', 1),
      spent(main, 'm1', 50),
      spent(aside, 'm2', 500),
      write.got('A'),
      close({ status: 'completed' }),
    ]);
    expect(envelopes.flatMap(({ ev }) => (ev.t === 'stop' || ev.t === 'turn-end' ? [ev.usage?.output] : []))).toEqual([500, 51]);
  });

  test('[ENV-17] kinds that nobody knows are counted, beyond a hundred as one', () => {
    const { state } = mapAll(Array.from({ length: 300 }, (_, n) => ({ type: `kind-${n}`, uuid: `k${n}` })));
    expect(state.dropped.size).toBe(101);
    expect(state.dropped.get('other')).toBe(200);
  });
});

describe('growth', () => {
  const shapes: Readonly<Record<string, (count: number) => readonly Fed[]>> = {
    'calls without a result in one turn': (count) => {
      const write = writeRecords();
      return Array.from({ length: count }, (_, n) => write.used(`t${n}`, 'Bash'));
    },
    'blocks of one record': (count) => [
      writeRecords().record(
        'assistant',
        Array.from({ length: count }, (_, n) => ({ type: 'tool_use', id: `t${n}`, name: 'Bash', input: {} })),
      ),
    ],
    'calls of agents with one prompt in one record': (count) => [
      writeRecords().record(
        'assistant',
        Array.from({ length: count }, (_, n) => ({ type: 'tool_use', id: `c${n}`, name: 'Task', input: { prompt: 'Same.' } })),
      ),
    ],
    'a command that never ends': (count) => [writeRecords().user('<command-name>'.repeat(count))],
  };

  test.each(Object.keys(shapes))('[ENV-36] %s cost their number, not its square', (name) => {
    const build = shapes[name];
    const secondsFor = (count: number): number => {
      const fed = build?.(count) ?? [];
      return cpuTimeOf(() => void mapAll([...fed, END]));
    };
    secondsFor(500);
    const [small, large] = [Math.min(secondsFor(1000), secondsFor(1000)), secondsFor(16_000)];
    // Sixteen times as many: the square would be 256 times as long.
    expect(large / Math.max(small, 0.5)).toBeLessThan(80);
  });
});
