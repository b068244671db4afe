import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  initialTracer,
  normalise,
  normaliseEnvelope,
  releaseOrphans,
  trace,
  type LinkedMessage,
  type NormalisedMessage,
  type TracerState,
} from '../src/index.ts';
import { prompt, reply, result, task, text, times } from './reading.ts';
import { asks, envelope, legacy, OTHER, says, side, SUB } from './wire-messages.ts';

const run = (messages: readonly NormalisedMessage[], from: TracerState = initialTracer): { state: TracerState; linked: LinkedMessage[] } => {
  let state = from;
  const linked: LinkedMessage[] = [];
  for (const message of messages) {
    const traced = trace(state, message);
    state = traced.state;
    linked.push(...traced.messages);
  }
  return { state, linked };
};
const places = (linked: readonly LinkedMessage[]): readonly string[] =>
  linked.map(
    ({ message, sidechain, by, isOrphan }) => `${message.uuid ?? message.id} ${sidechain ?? 'main'} ${by ?? '-'}${isOrphan ? ' orphan' : ''}`,
  );

describe('tracing', () => {
  test('[ENV-44] a sub-agent’s cuid2 is its sidechain, whatever tool calls are known', () => {
    const start = envelope({ t: 'tool-call-start', call: SUB, name: 'Bash', title: '', description: '', args: {} });
    const { linked, state } = run([start, says('a', SUB), says('b', OTHER), says('c')].map(normaliseEnvelope));
    expect(linked.map(({ sidechain, by }) => [sidechain, by])).toEqual([
      [null, null],
      [SUB, 'subagent'],
      [OTHER, 'subagent'],
      [null, null],
    ]);
    expect(state.counts).toEqual({ duplicates: 0, shadows: 0, waiting: 0, orphans: 0 });
  });

  test('[ENV-45] a legacy message goes to the call that it names, and says which message made it', () => {
    const { linked } = run([
      legacy(reply('a', null, 'm', [task('t1', 'Count'), task('t2', 'Sum')]), 'd1'),
      legacy(reply('b', null, 'n', [text('two')], { parent_tool_use_id: 't2' })),
      legacy(reply('c', null, 'n', [text('one')], { parent_tool_use_id: 't1' })),
    ]);
    expect(places(linked)).toEqual(['a main -', 'b t2 tool-call', 'c t1 tool-call']);
    expect(linked.map(({ caller }) => caller)).toEqual([null, { messageId: 'd1', sidechain: null }, { messageId: 'd1', sidechain: null }]);
  });

  test('[ENV-45] a root goes by its prompt, what follows by ancestry; white space does not count', () => {
    const { linked } = run([
      legacy(reply('a', null, 'm', [task('t1', 'Count  the\nfiles')])),
      legacy(side(prompt('s1', null, 'Count the files'))),
      legacy(side(reply('s2', 's1', 'n'))),
      legacy(side(prompt('s3', 's2', 'And now the folders'))),
    ]);
    expect(places(linked)).toEqual(['a main -', 's1 t1 prompt', 's2 t1 ancestry', 's3 t1 ancestry']);
  });

  test('[ENV-45] a root below the record of its call goes to that call, of several to the one that asked it', () => {
    const { linked } = run([
      legacy(reply('a', null, 'm', [task('t1', 'Count'), task('t2', 'Sum')])),
      legacy(side(prompt('s1', 'a', 'Sum'))),
      legacy(reply('b', null, 'm2', [task('t3', 'Draw')])),
      legacy(side(reply('s2', 'b', 'n'))),
    ]);
    expect(places(linked)).toEqual(['a main -', 's1 t2 ancestry', 'b main -', 's2 t3 ancestry']);
  });

  test('[ENV-45] a sub-agent’s own call has a sidechain of its own', () => {
    const { linked } = run([
      legacy(reply('a', null, 'm', [task('t1', 'Outer')])),
      legacy(side(prompt('s1', null, 'Outer'))),
      legacy(side(reply('s2', 's1', 'n', [task('t2', 'Inner')]))),
      legacy(side(prompt('n1', 's2', 'Inner'))),
      legacy(side(reply('n2', 'n1', 'o'))),
      legacy(side(result('s3', 's2', 't2'))),
    ]);
    expect(places(linked)).toEqual(['a main -', 's1 t1 prompt', 's2 t1 ancestry', 'n1 t2 ancestry', 'n2 t2 ancestry', 's3 t1 ancestry']);
    expect(linked[4]?.caller?.sidechain).toBe('t1');
  });

  test('[ENV-45] equal prompts go by the order of calls, and a call whose own prompt named it is not given away', () => {
    const { linked } = run([
      legacy(reply('a', null, 'm', [task('t1', 'Same'), task('t2', 'Same'), task('t3', 'Same')])),
      legacy(prompt('x', null, 'Same', { parent_tool_use_id: 't1' })),
      legacy(side(prompt('s1', null, 'Same'))),
      legacy(side(prompt('s2', null, 'Same'))),
    ]);
    expect(places(linked).slice(1)).toEqual(['x t1 tool-call', 's1 t2 prompt', 's2 t3 prompt']);
  });

  test('[ENV-45] a root that nobody asked takes no call from another', () => {
    const { linked, state } = run([
      legacy(reply('a', null, 'm', [task('t1', 'Count')])),
      legacy(side(prompt('w', null, 'Warmup'))),
      legacy(side(reply('w2', 'w', 'n'))),
      legacy(side(prompt('s1', null, 'Count'))),
    ]);
    expect(places(linked)).toEqual(['a main -', 's1 t1 prompt']);
    expect(places(releaseOrphans(state).messages)).toEqual(['w w none orphan', 'w2 w ancestry orphan']);
  });

  test('[ENV-47] a child before its call waits for it, and so do that child’s children', () => {
    const child = legacy(side(reply('s2', 's1', 'n')));
    const root = legacy(side(prompt('s1', null, 'Count')));
    const named = legacy(reply('b', null, 'n', [text('x')], { parent_tool_use_id: 't1' }));
    const before = run([child, root, named]);
    expect(before.linked).toEqual([]);
    expect(before.state.counts.waiting).toBe(3);
    const { linked, state } = run([legacy(reply('a', null, 'm', [task('t1', 'Count')]))], before.state);
    expect(places(linked)).toEqual(['a main -', 'b t1 tool-call', 's1 t1 prompt', 's2 t1 ancestry']);
    expect(state.counts.waiting).toBe(0);
  });

  test('[ENV-47] equal prompts that wait are let go one for each call, in order', () => {
    const { state } = run(['s1', 's2', 's3'].map((uuid) => legacy(side(prompt(uuid, null, 'Same')))));
    const { linked } = run([legacy(reply('a', null, 'm', [task('t1', 'Same')])), legacy(reply('b', null, 'm2', [task('t2', 'Same')]))], state);
    expect(places(linked)).toEqual(['a main -', 's1 t1 prompt', 'b main -', 's2 t2 prompt']);
  });

  test('[ENV-47] what never finds its call is let go at the end in order of arrival, marked, together with its like', () => {
    const { state } = run([
      legacy(side(reply('c2', 'c1', 'n'))),
      legacy(reply('x', null, 'n', [text('x')], { parent_tool_use_id: 't9' })),
      legacy(side(reply('c3', 'c1', 'n'))),
      legacy(side(reply('l1', 'l2', 'n'))),
      legacy(side(reply('l2', 'l1', 'n'))),
      legacy(side(reply('alone', null, 'n'))),
    ]);
    const released = releaseOrphans(state);
    expect(places(released.messages)).toEqual([
      'c2 c1 none orphan',
      'x t9 none orphan',
      'c3 c1 none orphan',
      'alone alone none orphan',
      'l1 l2 none orphan',
      'l2 l2 ancestry orphan',
    ]);
    expect(released.state.counts).toEqual({ duplicates: 0, shadows: 0, waiting: 0, orphans: 6 });
    expect(releaseOrphans(released.state).messages).toEqual([]);
  });

  test('[ENV-47] a root whose parent never came is still found by its prompt', () => {
    const { state } = run([legacy(reply('a', null, 'm', [task('t1', 'Count')])), legacy(side(prompt('s1', 'gone', 'Count')))]);
    expect(places(releaseOrphans(state).messages)).toEqual(['s1 t1 prompt']);
  });

  test('[ENV-46] an envelope or a legacy record that comes again is counted and not shown', () => {
    const once = says('a', SUB);
    const again = reply('a', null, 'm');
    const { linked, state } = run([normaliseEnvelope(once), normaliseEnvelope(once), legacy(again, 'd1'), legacy(again, 'd2')]);
    expect(linked).toHaveLength(2);
    expect(state.counts.duplicates).toBe(2);
  });

  test('[ENV-46] of a user’s text and its migration copy the first is shown, in either order', () => {
    const original = asks('yes', { time: 7 });
    const shadow = asks('yes', { time: 7, role: 'session' });
    const later = asks('yes', { time: 8 });
    for (const order of [
      [original, shadow, later],
      [shadow, original, later],
      [original, later, shadow],
    ]) {
      const { linked, state } = run(order.map(normaliseEnvelope));
      expect(linked.map(({ message }) => message.role)).toEqual(['user', 'user']);
      expect(state.counts.shadows).toBe(1);
    }
    expect(run([normaliseEnvelope(shadow)]).linked).toHaveLength(1);
  });

  test('[ENV-46] the copy of a text that was sent in legacy form is not shown either', () => {
    const read = normalise({ type: 'legacy', id: 'x', time: 3, message: { role: 'user', content: { type: 'text', text: 'yes' } } });
    const { linked, state } = run([...(read.ok ? [read.value] : []), normaliseEnvelope(asks('yes', { role: 'session', time: 7 }))]);
    expect(linked.map(({ message }) => message.origin)).toEqual(['legacy']);
    expect(state.counts.shadows).toBe(1);
  });

  // A session in legacy form: calls, roots, replies and named messages of nested sub-agents with few different prompts.
  const legacySession = fc
    .array(fc.record({ in: fc.nat(), prompt: fc.constantFrom('p', 'q', 'r'), named: fc.boolean(), words: fc.nat({ max: 3 }) }), { maxLength: 8 })
    .map((agents) => {
      const records: object[] = [];
      agents.forEach((agent, i) => {
        const caller = i === 0 ? 0 : agent.in % (i + 1);
        const around = (value: object): object => (caller === 0 ? value : { ...value, parent_tool_use_id: `t${caller}` });
        records.push(around(reply(`call${i + 1}`, null, `m${i}`, [task(`t${i + 1}`, `${agent.prompt}${i}`)])));
        const own = (value: object): object => (agent.named ? { ...value, parent_tool_use_id: `t${i + 1}` } : side(value));
        records.push(own(prompt(`root${i + 1}`, null, `${agent.prompt}${i}`)));
        for (let word = 0; word < agent.words; word += 1)
          records.push(own(reply(`say${i + 1}.${word}`, word === 0 ? `root${i + 1}` : `say${i + 1}.${word - 1}`, `n${i}.${word}`)));
      });
      return records.map((value, i) => legacy(value, `d${i}`));
    });

  test('[ENV-45] [ENV-47] in whatever order messages come, each ends up in its sidechain, once', () => {
    fc.assert(
      fc.property(
        legacySession.chain((messages) => fc.tuple(fc.constant(messages), fc.shuffledSubarray(messages, { minLength: messages.length }))),
        ([messages, shuffled]) => {
          const where = (linked: readonly LinkedMessage[]): readonly string[] =>
            linked.map(({ message, sidechain }) => `${message.uuid} ${sidechain}`).sort();
          const straight = run(messages);
          const mixed = run(shuffled);
          expect(straight.state.counts.waiting).toBe(0);
          expect(where([...mixed.linked, ...releaseOrphans(mixed.state).messages])).toEqual(where(straight.linked));
        },
      ),
      times(2),
    );
  });

  test('[ENV-47] whatever is left out, everything that came is shown exactly once', () => {
    fc.assert(
      fc.property(
        legacySession.chain((messages) => fc.shuffledSubarray(messages)),
        (messages) => {
          const { state, linked } = run(messages);
          const all = [...linked, ...releaseOrphans(state).messages];
          expect(all.map(({ message }) => message.uuid ?? '').sort()).toEqual(messages.map(({ uuid }) => uuid ?? '').sort());
          expect(state.counts.waiting).toBe(all.length - linked.length);
        },
      ),
      times(2),
    );
  });

  test('[ENV-52] a step changes no state: taking it again gives the same', () => {
    fc.assert(
      fc.property(
        legacySession.chain((messages) => fc.shuffledSubarray(messages, { minLength: messages.length })),
        (messages) => {
          const states = [initialTracer];
          const first = messages.map((message) => {
            const traced = trace(states.at(-1) ?? initialTracer, message);
            states.push(traced.state);
            return places(traced.messages);
          });
          expect(messages.map((message, i) => places(trace(states[i] ?? initialTracer, message).messages))).toEqual(first);
        },
      ),
    );
  });

  test('[ENV-52] ten thousand messages that wait for one another, or for equal prompts, are let go without recursion', () => {
    const many = 10_000;
    const chain = Array.from({ length: many }, (_, i) => legacy(side(reply(`s${i + 1}`, `s${i}`, 'n'))));
    const { state } = run(chain.toReversed());
    const { linked } = run([legacy(reply('a', null, 'm', [task('t1', 'Count')])), legacy(side(prompt('s0', 'a', 'Count')))], state);
    expect(linked.filter(({ sidechain }) => sidechain === 't1')).toHaveLength(many + 1);
    const roots = Array.from({ length: many }, (_, i) => legacy(side(prompt(`r${i}`, null, 'Same'))));
    const calls = Array.from({ length: many }, (_, i) => legacy(reply(`c${i}`, null, 'm', [task(`t${i}`, 'Same')])));
    expect(run([...roots, ...calls]).linked.filter(({ sidechain }, i) => i % 2 === 1 && sidechain !== null)).toHaveLength(many);
  });
});
