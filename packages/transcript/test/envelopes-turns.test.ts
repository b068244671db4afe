import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '../../../tests/cpu-time.ts';
import { idOf, isId, SENDERS, type Envelope, type JsonObject, type MapperInput, type TurnStatus } from '../src/index.ts';
import { brief, END, inputOf, mapAll, writeRecords, type Fed } from './mapping.ts';

const close = (status: TurnStatus | null, isEnd = false): MapperInput => ({ kind: 'close', uuid: 'close', at: Number.NaN, status, isEnd });

describe('turns', () => {
  test('[ENV-10] a turn begins with the first thing the agent says or does, not with the prompt', () => {
    const write = writeRecords();
    expect(brief(mapAll([write.user('Hello')]).envelopes)).toEqual(['user text: Hello']);
    expect(brief(mapAll([write.user('Hello'), write.used('t', 'Bash')]).envelopes).slice(1)).toEqual([
      'agent t1 turn-start',
      'agent t1 tool-call-start: Bash t',
    ]);
  });

  test('[ENV-11] what the model says is its last word ends the turn with the next thing that is said', () => {
    const write = writeRecords();
    const first = mapAll([write.user('Hello'), write.ended('Hi.')]);
    expect(brief(first.envelopes).at(-1)).toBe('agent t1 text: Hi.');
    expect(brief(mapAll([close(null)], {}, first.state).envelopes)).toEqual(['agent t1 turn-end: completed']);
    const next = mapAll([write.user('<command-name>/clear</command-name>')], {}, first.state);
    expect(brief(next.envelopes)).toEqual(['agent t1 turn-end: completed', 'agent service command: /clear']);
  });

  test('[ENV-11] several blocks of one message stay in one turn, also when each says that it is the last', () => {
    const write = writeRecords();
    const block = (text: string): JsonObject => {
      const made = write.ended(text);
      return { ...made, message: { ...(made['message'] as JsonObject), id: 'msg_1' } };
    };
    expect(brief(mapAll([block('One.'), block('Two.'), write.user('Next.')]).envelopes)).toEqual([
      'agent t1 turn-start',
      'agent t1 text: One.',
      'agent t1 text: Two.',
      'agent t1 turn-end: completed',
      'user text: Next.',
    ]);
  });

  test('[ENV-12] a turn that is left with open calls was cut off: they end before it does', () => {
    const write = writeRecords();
    const expected = [
      'agent t1 turn-start',
      'agent t1 tool-call-start: Bash t',
      'agent t1 tool-call-end: t interrupted null',
      'agent t1 turn-end: cancelled',
    ];
    expect(brief(mapAll([write.used('t', 'Bash'), close(null)]).envelopes)).toEqual(expected);
    expect(brief(mapAll([write.used('t', 'Bash'), close('cancelled')]).envelopes)).toEqual(expected);
    expect(brief(mapAll([write.used('t', 'Bash'), write.user('Again.')]).envelopes).slice(0, -1)).toEqual(expected);
  });

  test('[ENV-12] an answer that comes after its call was taken for cut off is reported all the same, in its own turn', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      write.used('t', 'Bash'),
      close('cancelled'),
      write.user('Go on.'),
      write.got('t', 'late'),
      write.got('t', 'again'),
    ]);
    expect(brief(envelopes).slice(-2)).toEqual(['user text: Go on.', 'agent t1 tool-call-end: t "late"']);
    expect(new Set(envelopes.map(({ id }) => id)).size).toBe(envelopes.length);
  });

  test('[ENV-18] notifications, injected text, summaries of compactions and what commands print are no user text', () => {
    const write = writeRecords();
    const { envelopes, state } = mapAll([
      write.user('<task-notification><task-id>x</task-id></task-notification>'),
      write.user('Context from a hook', { isMeta: true }),
      write.user('This session is being continued …', { isCompactSummary: true }),
      write.user('<local-command-stdout>Compacted</local-command-stdout>'),
      write.user('<bash-stdout>x</bash-stdout>'),
    ]);
    expect(envelopes).toEqual([]);
    expect(Object.fromEntries(state.dropped)).toEqual({ notice: 1, meta: 1, summary: 1, output: 1, bash: 1 });
  });

  test('[ENV-18] what is typed while the agent works is user text and ends nothing', () => {
    const write = writeRecords();
    const typed: JsonObject = { type: 'attachment', uuid: 'q', attachment: { type: 'queued_command', prompt: 'Also this.', commandMode: 'prompt' } };
    expect(brief(mapAll([write.used('t', 'Bash'), typed, write.got('t')]).envelopes).slice(2)).toEqual([
      'user text: Also this.',
      'agent t1 tool-call-end: t "ok"',
    ]);
  });

  test('[ENV-18] a prompt that a run was sent in the middle of a turn is reported once, by the stream or by the file, and ends nothing', () => {
    const write = writeRecords();
    const sent = write.user('Also this.', { isQueued: true });
    const filed: JsonObject = {
      type: 'attachment',
      uuid: 'q',
      attachment: { type: 'queued_command', prompt: 'Also this.', commandMode: 'prompt', source_uuid: sent['uuid'] ?? null },
    };
    const told = (fed: readonly Fed[]) => mapAll([write.used('t', 'Bash'), ...fed, write.got('t')]).envelopes.slice(2);
    expect(brief(told([sent, filed]))).toEqual(['user text: Also this.', 'agent t1 tool-call-end: t "ok"']);
    expect(
      told([filed, sent])
        .map(({ id }) => id)
        .slice(0, 1),
    ).toEqual(
      told([sent])
        .map(({ id }) => id)
        .slice(0, 1),
    );
    expect(told([filed, sent])).toHaveLength(2);
  });

  test('[ENV-19] an interruption closes the turn as cancelled, an API error as failed', () => {
    const write = writeRecords();
    const interrupted = mapAll([write.said('Well'), write.user([{ type: 'text', text: '[Request interrupted by user]' }])]);
    expect(brief(interrupted.envelopes).at(-1)).toBe('agent t1 turn-end: cancelled');
    const failed = mapAll([write.user('Hello'), write.said('API Error: 529', { isApiErrorMessage: true })]);
    expect(brief(failed.envelopes).slice(1)).toEqual(['agent t1 turn-start', 'agent t1 text: API Error: 529', 'agent t1 turn-end: failed']);
  });

  test('[ENV-19] a call that was rejected and never followed by a word leaves a cancelled turn', () => {
    const write = writeRecords();
    const rejected = write.got('t', '[Tool call interrupted: the session ended]', {}, true);
    expect(brief(mapAll([write.used('t', 'Bash'), rejected, write.user('Again.')]).envelopes).at(-2)).toBe('agent t1 turn-end: cancelled');
    expect(brief(mapAll([write.used('t', 'Bash'), rejected, write.said('All right.'), write.user('Again.')]).envelopes).at(-2)).toBe(
      'agent t1 turn-end: completed',
    );
  });

  test('[ENV-30] whoever runs the session closes the turn as completed, failed or cancelled; without a turn nothing is reported', () => {
    const write = writeRecords();
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      expect(brief(mapAll([write.said('Hi.'), close(status)]).envelopes).at(-1)).toBe(`agent t1 turn-end: ${status}`);
      expect(mapAll([write.user('Hello'), close(status)]).envelopes).toHaveLength(1);
    }
  });

  test('[ENV-30] when everything is over, so are the sub-agents that nobody ended', () => {
    const write = writeRecords();
    const root = write.user('Do it.', { isSidechain: true, parent_tool_use_id: 'A' });
    const fed = [write.used('A', 'Task', { prompt: 'Do it.' }), root, write.used('t', 'Bash', {}, { parent_tool_use_id: 'A' })];
    expect(brief(mapAll([...fed, close('failed', true)]).envelopes).slice(4)).toEqual([
      'agent t1 s1 tool-call-end: t interrupted null',
      'agent t1 s1 stop: failed',
      'agent t1 turn-end: failed',
    ]);
  });

  test('[ENV-19] [ENV-30] a turn that is closed as cancelled stops the sub-agents it waited for; one that is completed leaves them alone', () => {
    const write = writeRecords();
    const root = write.user('Do it.', { isSidechain: true, parent_tool_use_id: 'A' });
    const fed = [write.used('A', 'Task', { prompt: 'Do it.' }), root, write.used('t', 'Bash', {}, { parent_tool_use_id: 'A' })];
    expect(brief(mapAll([...fed, close('cancelled', false)]).envelopes).slice(4)).toEqual([
      'agent t1 s1 tool-call-end: t interrupted null',
      'agent t1 s1 stop: cancelled',
      'agent t1 turn-end: cancelled',
    ]);
    expect(brief(mapAll([...fed, close('completed', false)]).envelopes).slice(4)).toEqual(['agent t1 turn-end: completed']);
  });

  test('[ENV-31] the end of a turn is named after the turn, whatever ended it', () => {
    const write = writeRecords();
    const said = write.said('Hi.');
    const endOf = (last: Fed): string | undefined => mapAll([said, last]).envelopes.find(({ ev }) => ev.t === 'turn-end')?.id;
    const ids = [close('completed'), close('failed'), END, write.user('Next.'), write.user('[Request interrupted by user]')].map(endOf);
    expect(new Set(ids).size).toBe(1);
    expect(isId(ids[0] ?? '')).toBe(true);
  });

  test('[ENV-32] pictures and documents are reported as files, without their bytes', () => {
    const write = writeRecords();
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const { envelopes } = mapAll([
      write.user([{ type: 'text', text: 'Look:' }, image]),
      write.used('t', 'Read'),
      write.got('t', [{ type: 'text', text: 'see' }, image]),
    ]);
    expect(brief(envelopes)).toEqual([
      'user text: Look:',
      'user file: image-2.png 3',
      'agent t1 turn-start',
      'agent t1 tool-call-start: Read t',
      'agent t1 tool-call-end: t [{"type":"text","text":"see"},{"type":"file","ref":"r3/0/1"}]',
      'agent t1 file: image-1-2.png 3',
    ]);
    expect(JSON.stringify(envelopes)).not.toContain('AAAA');
    expect(envelopes[5]?.ev).toMatchObject({ t: 'file', ref: 'r3/0/1', mimeType: 'image/png', call: 't' });
  });

  test('[ENV-33] a turn ends with what it took, each response counted once, a sub-agent with its own', () => {
    const write = writeRecords();
    const spent = (record: JsonObject, id: string, output: number): JsonObject => ({
      ...record,
      message: { ...(record['message'] as JsonObject), id, usage: { input_tokens: 10, output_tokens: output } },
    });
    const { envelopes } = mapAll([
      spent(write.said('One.'), 'm1', 1),
      spent(write.used('A', 'Task', { prompt: 'Do it.' }), 'm1', 7),
      spent(write.said('Done.', { parent_tool_use_id: 'A' }), 'm2', 100),
      write.got('A'),
      spent(write.said('Two.'), 'm3', 5),
      close('completed'),
    ]);
    const usageOf = (t: 'stop' | 'turn-end') => envelopes.flatMap(({ ev }) => (ev.t === t ? [ev.usage] : []));
    expect(usageOf('turn-end')).toEqual([{ input: 20, output: 12, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 }]);
    expect(usageOf('stop')).toEqual([{ input: 10, output: 100, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 }]);
  });

  test('[ENV-1] compactions, commands and what runs report are reported as service', () => {
    const write = writeRecords();
    const { envelopes } = mapAll([
      write.record('system', null, { subtype: 'compact_boundary', compactMetadata: { trigger: 'manual', preTokens: 12 } }),
      write.user('<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>src</command-args>'),
      { kind: 'service', uuid: 's', at: 0, service: 'permission-request', text: 'Bash', data: { request_id: 'q' } },
    ]);
    expect(brief(envelopes)).toEqual([
      'agent service compaction: Conversation compacted (12 tokens before)',
      'agent service command: /review src',
      'agent service permission-request: Bash',
    ]);
  });

  test('[ENV-2] the user may send text and files, the agent everything', () => {
    const mayBeSentBy = (role: Envelope['role']) =>
      Object.entries(SENDERS).flatMap(([event, roles]) => ((roles as readonly string[]).includes(role) ? [event] : []));
    expect(mayBeSentBy('user')).toEqual(['text', 'file']);
    expect(mayBeSentBy('agent')).toEqual(Object.keys(SENDERS));
    expect(mayBeSentBy('session')).toEqual(['text']);
  });
});

describe('properties', () => {
  /** Any conversation: prompts, texts, tools, agents and their records, in any order, with repetitions. */
  const anyFed = fc
    .array(
      fc.oneof(
        fc.record({ do: fc.constantFrom('prompt', 'said', 'ended', 'interrupted', 'error'), n: fc.nat(3) }),
        fc.record({ do: fc.constantFrom('use', 'got', 'task', 'answer', 'stub', 'notice', 'meta'), n: fc.nat(4) }),
        fc.record({ do: fc.constantFrom('aside', 'asked', 'nested', 'inline', 'aside-use', 'aside-got'), n: fc.nat(4) }),
        fc.record({ do: fc.constantFrom('close', 'again'), n: fc.nat(20) }),
      ),
      { maxLength: 60 },
    )
    .map((deeds): readonly Fed[] => {
      const write = writeRecords();
      const fed: Fed[] = [];
      for (const { do: deed, n } of deeds) {
        const prompt = `Prompt ${n % 2}.`;
        const made: Record<typeof deed, () => Fed | undefined> = {
          prompt: () => write.user(`Text ${n}`),
          said: () => write.said(`Said ${n}`),
          ended: () => write.ended(`Ended ${n}`),
          interrupted: () => write.user('[Request interrupted by user]'),
          error: () => write.said('API Error', { isApiErrorMessage: true }),
          use: () => write.used(`t${n}`, 'Bash'),
          got: () => write.got(`t${n}`),
          task: () => write.used(`c${n}`, n % 2 === 0 ? 'Task' : 'Agent', { prompt }),
          answer: () => write.got(`c${n}`, 'Done.', { toolUseResult: { agentId: `x${n}` } }),
          stub: () => write.got(`c${n}`, 'Async agent launched', { toolUseResult: { isAsync: true, agentId: `x${n}` } }),
          notice: () => write.user(`<task-notification><task-id>x${n}</task-id><status>completed</status></task-notification>`),
          meta: () => ({
            kind: 'meta',
            agentId: `x${n}`,
            meta: { agentType: null, description: null, toolUseId: `c${n}`, parentAgentId: null, spawnDepth: null },
          }),
          aside: () => inputOf(write.said(`Aside ${n}`), `x${n}`),
          asked: () => inputOf(write.user(prompt, { parentUuid: null }), `x${n}`),
          nested: () => inputOf(write.used(`d${n}`, 'Task', { prompt }), `x${n}`),
          inline: () => write.user(prompt, { isSidechain: true, parentUuid: null }),
          'aside-use': () => inputOf(write.used(`u${n}`, 'Bash'), `x${n}`),
          'aside-got': () => inputOf(write.got(`u${n}`), `x${n}`),
          close: () => close(([null, 'completed', 'failed', 'cancelled'] as const)[n % 4] ?? null),
          again: () => fed[n % Math.max(1, fed.length)],
        };
        const one = made[deed]();
        if (one !== undefined) fed.push(one);
      }
      return [...fed, END];
    });

  test('[ENV-3] ids have the shape of a cuid2 and are the same for the same parts only', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, n) => {
        expect(isId(idOf(text, n))).toBe(true);
        expect(idOf(text, n)).toBe(idOf(text, n));
        expect(idOf(text, n)).not.toBe(idOf(text, n + 1));
      }),
    );
  });

  test('[ENV-3] no id is given twice, whatever happens', () => {
    fc.assert(
      fc.property(anyFed, (fed) => {
        const { envelopes } = mapAll(fed);
        expect(new Set(envelopes.map(({ id }) => id)).size).toBe(envelopes.length);
        expect(
          envelopes.every(({ id, turn, subagent }) => isId(id) && (turn === undefined || isId(turn)) && (subagent === undefined || isId(subagent))),
        ).toBe(true);
      }),
    );
  });

  test('[ENV-5] time never goes back', () => {
    fc.assert(
      fc.property(anyFed, (fed) => {
        const times = mapAll(fed).envelopes.map(({ time }) => time);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
    );
  });

  test('[ENV-6] lines mapped twice, a whole file again, and a start anew after a crash anywhere give the same envelopes', () => {
    fc.assert(
      fc.property(anyFed, fc.nat(), (fed, at) => {
        const whole = mapAll(fed);
        expect(mapAll(fed.flatMap((one) => [one, ...('kind' in one && one.kind === 'close' ? [] : [one])])).envelopes).toEqual(whole.envelopes);
        const cut = at % fed.length;
        const before = mapAll(fed.slice(0, cut));
        expect([...before.envelopes, ...mapAll(fed.slice(cut), {}, before.state).envelopes]).toEqual(whole.envelopes);
      }),
    );
  });

  test('[ENV-10] turns open and close one after the other, and the end leaves none open', () => {
    fc.assert(
      fc.property(anyFed, (fed) => {
        const marks = mapAll(fed).envelopes.flatMap(({ turn, ev }) => (ev.t === 'turn-start' || ev.t === 'turn-end' ? [{ turn, t: ev.t }] : []));
        const turns = marks.filter(({ t }) => t === 'turn-start').map(({ turn }) => turn);
        expect(new Set(turns).size).toBe(turns.length);
        expect(marks).toEqual(
          turns.flatMap((turn) => [
            { turn, t: 'turn-start' },
            { turn, t: 'turn-end' },
          ]),
        );
      }),
    );
  });

  test('[ENV-21] every sub-agent starts before it says anything, and stops as often as it starts', () => {
    fc.assert(
      fc.property(anyFed, (fed) => {
        const events = new Map<string, string[]>();
        for (const { subagent, ev } of mapAll(fed).envelopes) {
          if (subagent !== undefined) events.set(subagent, [...(events.get(subagent) ?? []), ev.t]);
        }
        for (const own of events.values()) {
          const marks = own.filter((t) => t === 'start' || t === 'stop');
          expect(own[0]).toBe('start');
          expect(marks).toEqual(marks.map((_, i) => (i % 2 === 0 ? 'start' : 'stop')));
          expect(marks.length % 2).toBe(0);
        }
      }),
    );
  });

  test('[ENV-14] the ids of Task and Agent calls appear nowhere, also when their results come first', () => {
    fc.assert(
      fc.property(anyFed, (fed) => {
        const calls = mapAll(fed).envelopes.flatMap(({ ev }) => ('call' in ev && ev.call !== undefined ? [ev.call] : []));
        expect(calls.filter((call) => !/^[tu]/u.test(call))).toEqual([]);
      }),
    );
  });
});

test('[ENV-36] the cost of a record does not grow with the session', () => {
  const build = (count: number): readonly Fed[] => {
    const write = writeRecords();
    return Array.from({ length: count }, (_, n) => n).flatMap((n) => [
      write.user(`Do ${n}`),
      write.used(`t${n}`, 'Bash'),
      write.got(`t${n}`),
      write.used(`c${n}`, 'Task', { prompt: 'The same.' }),
      inputOf(write.user('The same.', { parentUuid: null }), `x${n}`),
      write.got(`c${n}`, 'Done.', { toolUseResult: { agentId: `x${n}` } }),
      write.ended('Done.'),
    ]);
  };
  const secondsFor = (fed: readonly Fed[]): number => cpuTimeOf(() => void mapAll(fed));
  const [small, large] = [build(500), build(8000)];
  secondsFor(small);
  const each = Math.min(secondsFor(small), secondsFor(small)) / small.length;
  // Far from any noise, and far below what anything quadratic would take: that would be 16.
  expect(secondsFor(large) / large.length / each).toBeLessThan(6);
});
