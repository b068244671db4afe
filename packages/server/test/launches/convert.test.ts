import * as fc from 'fast-check';
import { assertNever, type JsonObject } from '@yarnboard/transcript';
import { describe, expect, test } from 'vitest';
import { convertPrompt, initialConverter, interrupt, observe, type Converter } from '../../src/launches/convert.ts';
import { AT, S, play, playToEnd, readingOf, uuidOf, parentsOf, of, text, call, result, within, task } from './converting.ts';
import { textOf } from './streams.ts';

describe('messages', () => {
  test('[RUN-1] results keep what the tool returned, responses their request, and times are those of the message', () => {
    const { records } = play([
      call('a', 't', 'Bash', {}, { request_id: 'req', timestamp: '2026-02-03T04:05:06.789Z' }),
      result('b', 't', 'x', { tool_use_result: { stdout: 'x' } }),
    ]);
    expect(records).toMatchObject([
      { uuid: 'a', requestId: 'req', timestamp: '2026-02-03T04:05:06.789Z', sessionId: S, isSidechain: false },
      { uuid: 'b', toolUseResult: { stdout: 'x' }, timestamp: new Date(AT).toISOString(), parentUuid: 'a' },
    ]);
  });

  test('[RUN-1] whatever makes no record is counted by its type', () => {
    const { state, records } = play([
      of('stream_event', {}),
      of('stream_event', {}),
      of('system', { subtype: 'never_heard_of' }),
      of('tomorrow', {}),
      of('assistant', { uuid: 'no message' }),
      {},
      null,
      'text',
      [1],
    ]);
    expect(records).toEqual([]);
    expect(Object.fromEntries(state.left)).toEqual({
      stream_event: 2,
      'system/never_heard_of': 1,
      tomorrow: 1,
      assistant: 1,
      'without a type': 1,
      unreadable: 3,
    });
  });

  test('[RUN-1] a message without a uuid is given one that is always the same', () => {
    const messages = [text('', 'one'), text('', 'one'), text('', 'two')];
    const { records, state } = play(messages);
    expect(new Set(records.map(uuidOf)).size).toBe(3);
    expect(play(messages).records).toEqual(records);
    expect(state.unnamed).toBe(3);
  });

  test('[RUN-1] an answer of the API that is an error is marked as one', () => {
    const [record = {}] = play([text('a', 'API Error: 400', { error: 'invalid_request' })]).records;
    expect(readingOf(record).role).toBe('synthetic');
  });

  test('[RUN-3] a result hangs on the call it answers, and what follows on the last result', () => {
    const { records } = play([call('a1', 't1'), call('a2', 't2'), result('r1', 't1'), result('r2', 't2'), text('a3', 'done')]);
    expect(parentsOf(records)).toEqual([null, 'a1', 'a1', 'a2', 'r2']);
  });

  test('[RUN-3] each sub-agent has a chain of its own, however they are mixed', () => {
    const { records } = play([
      task('a', 'x', 'do x'),
      task('b', 'y', 'do y'),
      text('x1', 'x begins', within('x')),
      text('y1', 'y begins', within('y')),
      call('x2', 'tx', 'Bash', {}, within('x')),
      call('y2', 'ty', 'Bash', {}, within('y')),
      result('x3', 'tx', 'ok', within('x')),
      text('c', 'main goes on'),
      text('x4', 'x ends', within('x')),
    ]);
    const chain = (id: string | undefined): readonly unknown[] => records.filter((record) => record['parent_tool_use_id'] === id).map(uuidOf);
    expect(chain(undefined)).toEqual(['a', 'b', 'c']);
    expect(chain('x').slice(1)).toEqual(['x1', 'x2', 'x3', 'x4']);
    for (const id of [undefined, 'x', 'y']) {
      const own = records.filter((record) => record['parent_tool_use_id'] === id);
      expect(parentsOf(own)).toEqual([null, ...own.slice(0, -1).map(uuidOf)]);
      expect(own.every((record) => record['isSidechain'] === (id !== undefined))).toBe(true);
    }
  });

  test('[RUN-3] the chain begins anew only in another session', () => {
    const first = play([text('a', 'one')], initialConverter({ tip: 'before' }));
    expect(parentsOf(first.records)).toEqual(['before']);
    expect(first.facts).toContainEqual({ kind: 'session', id: S });
    const same = play([of('system', { subtype: 'init' }), text('b', 'two')], first.state);
    expect(parentsOf(same.records)).toEqual(['a']);
    expect(same.facts.filter(({ kind }) => kind === 'session')).toEqual([]);
    const other = play([text('c', 'three', { session_id: 'other' }), text('d', 'four', { session_id: 'other' })], same.state);
    expect(parentsOf(other.records)).toEqual([null, 'c']);
    expect(other.facts.filter(({ kind }) => kind === 'session')).toEqual([{ kind: 'session', id: 'other' }]);
    expect(other.records.map((record) => record['sessionId'])).toEqual(['other', 'other']);
  });

  test('[RUN-4] the prompt is made up before the first word, before the result, or when the agent is in the background; never after the stream told it', () => {
    const roots = (messages: readonly unknown[]): readonly number[] =>
      play(messages).records.flatMap((record, i) => (record['synthetic'] === 'root' ? [i] : []));
    const asked = of('user', { uuid: 'own', message: { role: 'user', content: [{ type: 'text', text: 'do x' }] }, ...within('x') });
    const started = (isBackground: boolean): object =>
      of('system', { subtype: 'task_started', task_id: 'agent', tool_use_id: 'x', task_type: 'local_agent', is_backgrounded: isBackground });
    expect(roots([task('a', 'x', 'do x'), text('x1', 'w', within('x'))])).toEqual([1]);
    expect(roots([task('a', 'x', 'do x'), result('r', 'x')])).toEqual([1]);
    expect(roots([task('a', 'x', 'do x'), started(true)])).toEqual([1]);
    expect(roots([task('a', 'x', 'do x'), started(false)])).toEqual([]);
    expect(roots([task('a', 'x', 'do x'), started(false), asked, text('x1', 'w', within('x')), result('r', 'x')])).toEqual([]);
    expect(roots([task('a', 'x', 'do x'), text('other', 'main')])).toEqual([]);
    const again = (): readonly string[] => play([task('a', 'x', 'do x'), result('r', 'x')]).records.map(uuidOf);
    expect(again()).toEqual(again());
  });

  test('[RUN-4] records of a sub-agent name it as soon as it is known', () => {
    const { records } = play([
      task('a', 'x', 'do x'),
      text('x1', 'nobody knows', within('x')),
      of('system', { subtype: 'task_started', task_id: 'agent-x', tool_use_id: 'x', task_type: 'local_agent' }),
      text('x2', 'now they do', within('x')),
      task('b', 'y', 'do y'),
      result('r', 'y', 'launched', { tool_use_result: { status: 'async_launched', agentId: 'agent-y' } }),
      text('y1', 'from the result', within('y')),
      text('z1', 'it says so itself', { ...within('z'), agent_id: 'agent-z' }),
    ]);
    const named = Object.fromEntries(records.map((record) => [uuidOf(record), record['agentId']]));
    expect(named).toMatchObject({ x1: undefined, x2: 'agent-x', y1: 'agent-y', z1: 'agent-z', a: undefined });
  });

  test('[RUN-5] the innermost call is cut off first, each with the call that began its agent', () => {
    const { state } = play([
      task('a', 'outer', 'o'),
      task('b', 'inner', 'i', within('outer')),
      call('c', 'bash', 'Bash', {}, within('inner')),
      call('d', 'other', 'Read'),
    ]);
    const { records, state: after } = interrupt(state, AT, 'everything');
    expect(
      records.map((record) => [readingOf(record).results[0]?.toolUseId, record['parent_tool_use_id'], record['parentUuid'], record['isSidechain']]),
    ).toEqual([
      ['bash', 'inner', 'c', true],
      ['inner', 'outer', 'b', true],
      ['outer', undefined, 'a', false],
      ['other', undefined, 'd', false],
    ]);
    for (const record of records) {
      expect(record).toMatchObject({
        message: { content: [{ type: 'tool_result', is_error: true, content: '[Request interrupted by user for tool use]' }] },
      });
      expect(readingOf(record).results[0]?.answer).toBe('void');
    }
    expect(interrupt(after, AT, 'everything').records).toEqual([]);
  });

  test('[RUN-5] the end of a turn leaves what runs in the background alone', () => {
    const { state } = play([
      task('a', 'bg', 'o'),
      result('r', 'bg', 'Async agent launched successfully.'),
      call('c', 'in background', 'Bash', {}, within('bg')),
      task('d', 'fg', 'o'),
      call('e', 'in foreground', 'Bash', {}, within('fg')),
    ]);
    const ids = (which: 'turn' | 'everything'): readonly unknown[] =>
      interrupt(state, AT, which).records.map((record) => readingOf(record).results[0]?.toolUseId);
    expect(ids('turn')).toEqual(['in foreground', 'fg']);
    expect(ids('everything')).toEqual(['in background', 'in foreground', 'fg']);
  });

  test('[RUN-5] what an agent still does when its call is answered is cut off before the answer; what it has left in the background is not', () => {
    const { records, state } = play([
      task('a', 'outer', 'o'),
      task('b', 'inner', 'i', within('outer')),
      call('c', 'deep', 'Bash', {}, within('inner')),
      task('d', 'left behind', 'l', within('outer')),
      result('e', 'left behind', 'Async agent launched successfully.', within('outer')),
      call('f', 'goes on', 'Bash', {}, within('left behind')),
      result('g', 'outer', "The user doesn't want to proceed with this tool use."),
    ]);
    expect(records.slice(-3).map((record) => readingOf(record).results[0]?.toolUseId)).toEqual(['deep', 'inner', 'outer']);
    expect(records.at(-1)?.['uuid']).toBe('g');
    expect([...state.open.keys()]).toEqual(['goes on']);
  });

  test('[RUN-5] calls that claim to have begun each other, or themselves, are cut off all the same', () => {
    const { state } = play([
      call('a', 'self', 'Task', {}, within('self')),
      call('b', 'one', 'Task', {}, within('two')),
      call('c', 'two', 'Task', {}, within('one')),
    ]);
    const results = interrupt(state, AT, 'everything').records.flatMap((record) => readingOf(record).results.map(({ toolUseId }) => toolUseId));
    expect([...results].sort()).toEqual(['one', 'self', 'two']);
  });

  test('[RUN-14] a prompt is a record under the uuid it is sent with, and is not told a second time', () => {
    const told = convertPrompt(initialConverter({ sessionId: S, cwd: '/w' }), { uuid: 'mine', text: 'hello', at: AT, isQueued: false });
    expect(told.records).toMatchObject([
      { type: 'user', uuid: 'mine', parentUuid: null, sessionId: S, cwd: '/w', message: { role: 'user', content: 'hello' } },
    ]);
    expect(told.records.map((record) => readingOf(record).role)).toEqual(['prompt']);
    const queued = convertPrompt(told.state, { uuid: 'next', text: 'and', at: AT, isQueued: true });
    expect(queued.records).toMatchObject([{ uuid: 'next', parentUuid: 'mine', isQueued: true }]);
    const echo = of('user', { uuid: 'mine', isReplay: true, message: { role: 'user', content: 'hello' } });
    const { records, state } = play([echo, text('a', 'hi')], told.state);
    expect(parentsOf(records)).toEqual(['mine']);
    expect(state.left.get('user/replay')).toBe(1);
  });

  test.each([
    ['completed', { subtype: 'success', is_error: false, result: 'ok', total_cost_usd: 0.5 }, { kind: 'ready', costUsd: 0.5 }],
    ['failed', { subtype: 'success', is_error: true, result: 'API Error: 400' }, { kind: 'failed', why: 'API Error: 400' }],
    ['failed', { subtype: 'error_max_turns' }, { kind: 'failed', why: 'as many turns as it was allowed are used up' }],
    ['failed', { subtype: 'error_during_execution', is_error: true, errors: ['a', 'b'] }, { kind: 'failed', why: 'a; b' }],
    ['failed', { subtype: 'error_tomorrow' }, { kind: 'failed', why: 'the SDK says "error_tomorrow"' }],
    ['cancelled', { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' }, { kind: 'cancelled' }],
  ])('[RUN-7] a turn is %s when the SDK says %j', (_, said, fact) => {
    expect(play([of('result', said)]).facts.at(-1)).toEqual(fact);
  });
});

describe('any stream', () => {
  const id = fc.constantFrom('t1', 't2', 't3', 't4', 't5');
  const owner = fc.option(id, { nil: null });
  const anySaid = fc.oneof(
    fc.record({ what: fc.constant('text' as const), owner }),
    fc.record({ what: fc.constant('prompt' as const), owner }),
    fc.record({ what: fc.constant('call' as const), owner, id, isTask: fc.boolean() }),
    fc.record({ what: fc.constant('result' as const), owner, id, isStub: fc.boolean() }),
    fc.record({ what: fc.constant('started' as const), id, isBackground: fc.boolean() }),
    fc.record({ what: fc.constant('ended' as const), id }),
    fc.record({ what: fc.constant('done' as const) }),
    fc.record({ what: fc.constant('init' as const) }),
  );
  const messageOf = (said: typeof anySaid extends fc.Arbitrary<infer T> ? T : never, i: number): object => {
    const uuid = `u${i}`;
    switch (said.what) {
      case 'text':
        return text(uuid, 'words', { parent_tool_use_id: said.owner });
      case 'prompt':
        return of('user', { uuid, message: { role: 'user', content: 'please' }, parent_tool_use_id: said.owner });
      case 'call':
        return call(uuid, said.id, said.isTask ? 'Task' : 'Bash', { prompt: 'please' }, { parent_tool_use_id: said.owner });
      case 'result':
        return result(uuid, said.id, said.isStub ? 'Async agent launched' : 'done', { parent_tool_use_id: said.owner });
      case 'started':
        return of('system', {
          subtype: 'task_started',
          uuid,
          task_id: `a-${said.id}`,
          tool_use_id: said.id,
          task_type: 'local_agent',
          is_backgrounded: said.isBackground,
        });
      case 'ended':
        return of('system', { subtype: 'task_notification', uuid, task_id: `a-${said.id}`, tool_use_id: said.id, status: 'completed' });
      case 'done':
        return of('result', { subtype: 'success' });
      case 'init':
        return of('system', { subtype: 'init' });
      default:
        return assertNever(said);
    }
  };
  const anyStream = fc.array(anySaid, { maxLength: 40 }).map((all) => all.map(messageOf));

  test('[RUN-1] no message is lost, none is reported twice, and all keep their uuid', () => {
    fc.assert(
      fc.property(anyStream, (messages) => {
        const { records } = playToEnd(messages);
        const uuids = records.map(uuidOf);
        const said = messages.filter((message) => ['user', 'assistant'].includes(textOf((message as JsonObject)['type'])));
        expect(uuids).toEqual(expect.arrayContaining(said.map((message) => uuidOf(message as JsonObject))));
        const own = records.filter((record) => record['synthetic'] === undefined).map(uuidOf);
        expect(own).toEqual(said.map((message) => uuidOf(message as JsonObject)));
      }),
    );
  });

  test('[RUN-3] every parent was told before, in the same session', () => {
    fc.assert(
      fc.property(anyStream, (messages) => {
        const seen = new Set<unknown>([null]);
        for (const record of playToEnd(messages).records) {
          expect(seen.has(record['parentUuid'])).toBe(true);
          seen.add(record['uuid']);
        }
      }),
    );
  });

  test('[RUN-5] nothing is open at the end, and what is cut off is cut off once', () => {
    fc.assert(
      fc.property(anyStream, (messages) => {
        const { state, records } = playToEnd(messages);
        expect({ open: state.open.size, unasked: state.unasked.size }).toEqual({ open: 0, unasked: 0 });
        const open = new Set<string>();
        for (const reading of records.map(readingOf)) {
          for (const { id: made } of reading.uses) open.add(made);
          for (const { toolUseId } of reading.results) open.delete(toolUseId);
        }
        expect([...open]).toEqual([]);
      }),
    );
  });

  test('[RUN-13] the log alone tells which calls are open', () => {
    fc.assert(
      fc.property(anyStream, (messages) => {
        const { state, records } = play(messages);
        const observed = records.reduce(observe, initialConverter({ sessionId: S }));
        expect([...observed.open.keys()].sort()).toEqual([...state.open.keys()].sort());
        const cut = (from: Converter): readonly unknown[] =>
          interrupt(from, AT, 'everything')
            .records.filter((record) => record['synthetic'] === 'interrupted')
            .map(uuidOf)
            .sort();
        expect(cut(observed)).toEqual(cut(state));
      }),
    );
  });

  test('[RUN-1] anything at all can be fed to it', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 10 }), (messages) => {
        expect(() => play(messages)).not.toThrow();
      }),
    );
  });
});
