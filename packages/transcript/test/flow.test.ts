import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  activePath,
  flowOf,
  isMessage,
  parentsFirst,
  partsOf,
  readEntry,
  stepAt,
  type Flow,
  type JsonObject,
  type Node,
  type Session,
} from '../src/index.ts';
import { anyRecords } from './any-records.ts';
import { add, beside, emptySession, fixture, grown, mainOf, prompt, record, reply, result, shapeOf, text, times, use } from './reading.ts';

const thinking = (words: string): unknown => ({ type: 'thinking', thinking: words });
const pathIn = (session: Session): readonly Node[] => activePath(session, shapeOf(session)).nodes;
const told = (flow: Flow): readonly string[] =>
  flow.steps.map((step) =>
    step.kind === 'resumption' ? `resumption ${JSON.stringify(step.resumed)} > ${step.next.uuid}` : `${step.kind} ${namesOf(step.nodes)}`,
  );
const namesOf = (nodes: readonly Node[]): string => nodes.map((node) => node.uuid).join(' ');
const flowIn = (...lines: readonly object[]): readonly string[] => told(flowOf(pathIn(grown(lines))));
const nodeIn = (session: Session, uuid: string): Node => session.graph.nodes.get(uuid) ?? expect.unreachable(`no ${uuid}`);

/** The flow's whole state, with names instead of nodes. */
const view = ({ steps, stepOf, taken }: Flow): object => ({
  steps: steps.map(({ nodes, ...step }) => ({ ...step, next: 'next' in step ? step.next.uuid : null, nodes: nodes.map((node) => node.uuid) })),
  stepOf: [...stepOf].map(([node, step]) => `${node.uuid} ${step}`).toSorted(),
  taken,
});

describe('words', () => {
  const content = fc.oneof(
    fc.constantFrom('', '  \n', 'words', null, 5),
    fc.array(
      fc.constantFrom('', 'words', null, {}, text(''), text(' \t'), text('words'), thinking('hm'), use('t'), { type: 'image' }, { type: 'text' }),
    ),
  );
  const hasText = (value: JsonObject): boolean => partsOf(value).some((part) => part.kind === 'text' && part.text.trim() !== '');

  test('[FLOW-1] a record of the model or the system says something exactly when a reader finds text in it', () => {
    fc.assert(
      fc.property(fc.constantFrom('assistant', 'system'), content, fc.boolean(), fc.boolean(), (type, words, isBare, isTool) => {
        const value = {
          type,
          uuid: 'a',
          ...(isBare ? { content: words } : { message: { content: words } }),
          ...(isTool ? { subtype: 'tool_use', toolName: 'Read' } : {}),
        } as JsonObject; // whatever JSON there may be
        expect(readEntry(value, { line: 1, part: 0, offset: 0, length: 1 }).says).toBe(hasText(value));
      }),
      times(3),
    );
  });

  test('[FLOW-1] nobody else is asked', () => {
    expect(
      ['user', 'human', 'attachment', 'mode'].map((type) => grown([record({ type, uuid: 'x', message: { content: 'words' } })]).latest?.says),
    ).toEqual([false, false, false, false]);
  });
});

describe('steps', () => {
  test('[FLOW-2] whatever somebody asks or does, and whatever the program says, is a step', () => {
    const lines = [
      prompt('u', null),
      prompt('c', 'u', '<command-name>/model</command-name>'),
      prompt('o', 'c', '<local-command-stdout>set</local-command-stdout>'),
      prompt('b', 'o', '<bash-input>ls</bash-input>'),
      prompt('m', 'b', '<user-memory-input>remember</user-memory-input>'),
      prompt('n', 'm', '<task-notification>done</task-notification>'),
      reply('e', 'n', 'x', [text('API Error: 500')], { isApiErrorMessage: true }),
      beside('system', 's', 'e', { subtype: 'informational', content: 'Switched to another model' }),
      prompt('i', 's', '[Request interrupted by user]'),
    ];
    expect(flowIn(...lines)).toEqual(['prompt u', 'prompt c', 'system o', 'prompt b', 'prompt m', 'system n', 'system e', 'system s', 'prompt i']);
  });

  test('[FLOW-2] an API that is busy is reported once', () => {
    const busy = (uuid: string, parent: string): object =>
      beside('system', uuid, parent, { subtype: 'api_error', error: { formatted: '529 Overloaded' } });
    const lines = [prompt('u', null), busy('e1', 'u'), beside('attachment', 'x', 'e1'), busy('e2', 'x'), reply('a', 'e2', 'm'), busy('e3', 'a')];
    expect(flowIn(...lines)).toEqual(['prompt u', 'system e1 e2', 'reply a', 'system e3']);
  });

  test('[FLOW-3] what no reader asks for is in no step', () => {
    const lines = [
      prompt('u', null),
      beside('attachment', 'x', 'u'),
      prompt('meta', 'x', 'injected', { isMeta: true }),
      beside('system', 's', 'meta', { subtype: 'turn_duration' }),
      reply('a', 's', 'm', [use('t')]),
      beside('progress', 'p', 'a'),
      result('r', 'p', 't'),
      result('lost', 'r', 'nobody'),
      beside('new-kind', 'k', 'lost'),
    ];
    expect(flowIn(...lines)).toEqual(['prompt u', 'reply a r']);
  });

  test('[FLOW-3] every record of a path is in one step, or in none if it may be', () => {
    const MAY_BE_LEFT_OUT = new Set(['attachment', 'progress', 'state', 'meta', 'system', 'synthetic', 'result']);
    fc.assert(
      fc.property(anyRecords, (values) => {
        const nodes = pathIn(grown(values));
        const { steps, stepOf } = flowOf(nodes);
        const placed = steps.flatMap((step, at) => step.nodes.map((node) => ({ node, at })));
        expect(new Set(placed.map(({ node }) => node)).size).toBe(placed.length);
        expect(new Map(placed.map(({ node, at }) => [node, at]))).toEqual(stepOf);
        expect(steps.filter((step) => step.kind !== 'resumption' && step.nodes.length === 0)).toEqual([]);
        const left = nodes.filter((node) => !stepOf.has(node));
        expect(left.filter((node) => isMessage(node.entry) && !MAY_BE_LEFT_OUT.has(node.entry.role))).toEqual([]);
        expect(left.length + placed.length).toBe(nodes.length);
      }),
      times(4),
    );
  });
});

describe('replies', () => {
  test('[FLOW-4] blocks of one message are one reply, with the results between them', () => {
    const lines = [
      prompt('u', null),
      reply('a1', 'u', 'm1', [thinking('hm')]),
      reply('a2', 'a1', 'm1', [text('I look')]),
      reply('a3', 'a2', 'm1', [use('t1')]),
      result('r1', 'a3', 't1'),
      reply('a4', 'r1', 'm1', [use('t2')]),
      result('r2', 'a4', 't2'),
      reply('b', 'r2', 'm2', [text('found')]),
    ];
    expect(flowIn(...lines)).toEqual(['prompt u', 'reply a1 a2 a3 r1 a4 r2', 'reply b']);
  });

  test('[FLOW-4] a message without words goes on in the reply before it, until somebody asks again', () => {
    const lines = [
      prompt('u1', null),
      reply('a', 'u1', 'm1', [text('I look')]),
      reply('b', 'a', 'm2', [thinking('hm'), use('t1')]),
      result('r1', 'b', 't1'),
      reply('c', 'r1', 'm3', [use('t2')]),
      result('r2', 'c', 't2'),
      prompt('u2', 'r2'),
      reply('d', 'u2', 'm4', [use('t3')]),
      result('r3', 'd', 't3'),
      reply('e', 'r3', 'm5', [use('t4')]),
      reply('f', 'e', 'm6', [text('found')]),
    ];
    expect(flowIn(...lines)).toEqual(['prompt u1', 'reply a b r1 c r2', 'prompt u2', 'reply d r3 e', 'reply f']);
  });

  test('[FLOW-4] what a message did before its first words comes along with them', () => {
    const lines = [
      prompt('u', null),
      reply('a', 'u', 'm1', [text('I look'), use('t1')]),
      reply('b1', 'a', 'm2', [thinking('hm')]),
      reply('b2', 'b1', 'm2', [use('t2')]),
      result('r2', 'b2', 't2'),
      result('r1', 'r2', 't1'),
      reply('b3', 'r1', 'm2', [text('and so')]),
      reply('c', 'b3', 'm3', [thinking('no words')]),
    ];
    expect(flowIn(...lines)).toEqual(['prompt u', 'reply a r1', 'reply b1 b2 r2 b3 c']);
  });

  test('[FLOW-4] a notice within a turn does not end it', () => {
    const lines = [
      prompt('u', null),
      reply('a', 'u', 'm1', [text('I wait'), use('t')]),
      prompt('n', 'a', '<task-notification>x</task-notification>'),
      reply('b', 'n', 'm2', [use('t2')]),
      result('r', 'b', 't2'),
    ];
    expect(flowIn(...lines)).toEqual(['prompt u', 'reply a b r', 'system n']);
  });

  test('[FLOW-4] what a message without words does stands under the nearest words before it in its turn, or under the first reply', () => {
    fc.assert(
      fc.property(anyRecords, (values) => {
        const nodes = pathIn(grown(values));
        const { steps, stepOf } = flowOf(nodes);
        const speaking = new Set(nodes.flatMap(({ entry }) => (entry.says && entry.messageId !== null ? [entry.messageId] : [])));
        const isOpening = (node: Node): boolean => steps[stepOf.get(node) ?? -1]?.nodes[0] === node;
        let above: Node | null = null;
        const astray = nodes.filter((node) => {
          const { role, says, messageId } = node.entry;
          if (ENDS_TURN.has(role) && isOpening(node)) above = null;
          if (role !== 'reply') return false;
          const expected = above ?? node;
          if (says || above === null) above = node;
          return !says && !speaking.has(messageId ?? '') && stepOf.get(node) !== stepOf.get(expected);
        });
        expect(namesOf(astray)).toBe('');
      }),
      times(4),
    );
  });
  const ENDS_TURN = new Set(['prompt', 'command', 'boundary', 'summary']);
});

describe('results', () => {
  test('[FLOW-5] a result that comes turns later stands with its use', () => {
    const lines = [
      prompt('u1', null),
      reply('a', 'u1', 'm1', [text('in the background'), use('t1')]),
      result('stub', 'a', 't1', 'Async agent launched'),
      prompt('u2', 'stub'),
      reply('b', 'u2', 'm2', [text('yes')]),
      result('r', 'b', 't1'),
    ];
    expect(flowIn(...lines)).toEqual(['prompt u1', 'reply a stub r', 'prompt u2', 'reply b']);
  });

  test('[FLOW-5] a result that comes before its use waits for it', () => {
    const lines = [prompt('u', null), reply('a', 'u', 'm1'), result('r', 'a', 't'), reply('b', 'r', 'm2', [text('so'), use('t')])];
    expect(flowIn(...lines)).toEqual(['prompt u', 'reply a', 'reply b r']);
    expect(flowIn(...lines.slice(0, 3))).toEqual(['prompt u', 'reply a']);
  });

  test('[FLOW-5] every result of a path is in a step that has a use it answers, or answers none of the path', () => {
    fc.assert(
      fc.property(anyRecords, (values) => {
        const nodes = pathIn(grown(values));
        const { steps, stepOf } = flowOf(nodes);
        const uses = new Set(nodes.flatMap((node) => (node.entry.role === 'reply' ? node.entry.uses.map(({ id }) => id) : [])));
        for (const node of nodes.filter(({ entry }) => entry.role === 'result')) {
          const ids = node.entry.results.map(({ toolUseId }) => toolUseId);
          const step = steps[stepOf.get(node) ?? -1];
          const beside = step?.nodes.flatMap(({ entry }) => entry.uses.map(({ id }) => id)) ?? [];
          expect(ids.some((id) => beside.includes(id))).toBe(ids.some((id) => uses.has(id)));
        }
      }),
      times(4),
    );
  });
});

describe('markers', () => {
  const boundary = (uuid: string, parent: string): object =>
    record({ type: 'system', subtype: 'compact_boundary', uuid, parentUuid: null, logicalParentUuid: parent, content: 'x' });

  test('[FLOW-6] a compaction is one step with its summary, and ends the turn', () => {
    const lines = [
      prompt('u', null),
      reply('a', 'u', 'm1', [text('I look')]),
      boundary('c', 'a'),
      prompt('s', 'c', 'what was said', { isCompactSummary: true }),
      beside('attachment', 'x', 's'),
      reply('b', 'x', 'm2', [use('t')]),
      result('r', 'b', 't'),
    ];
    expect(flowIn(...lines)).toEqual(['prompt u', 'reply a', 'compaction c s', 'reply b r']);
  });

  test('[FLOW-6] a summary without a compaction before it is one', () => {
    expect(flowIn(prompt('s', null, 'what was said', { isCompactSummary: true }), prompt('u', 's'))).toEqual(['compaction s', 'prompt u']);
  });

  test('[FLOW-7] a marker stands where another version or another session goes on', () => {
    const by = (version: string, sessionId = 'S'): Readonly<Record<string, unknown>> => ({ version, sessionId });
    const lines = [
      prompt('u1', null, 'x', by('2.1.0')),
      reply('a1', 'u1', 'm1', [text('x')], by('2.1.0')),
      prompt('meta', 'a1', 'x', { isMeta: true, ...by('2.1.1') }),
      prompt('u2', 'meta', 'y', by('2.1.1')),
      reply('a2', 'u2', 'm2', [text('x')], by('2.1.1')),
      prompt('u3', 'a2', 'z', by('2.1.1', 'T')),
    ];
    expect(flowIn(...lines)).toEqual([
      'prompt u1',
      'reply a1',
      'resumption {"by":"version","from":"2.1.0","to":"2.1.1"} > u2',
      'prompt u2',
      'reply a2',
      'resumption {"by":"session","from":"S","to":"T"} > u3',
      'prompt u3',
    ]);
  });

  test('[FLOW-7] a marker stands where what was copied ends: by what the records say, or by what the caller knows', () => {
    const copied = { forkedFrom: { sessionId: 'other' } };
    const lines = [prompt('u1', null, 'x', copied), reply('a1', 'u1', 'm1', [text('x')], copied), prompt('u2', 'a1', 'y')];
    expect(flowIn(...lines)).toEqual(['prompt u1', 'reply a1', 'resumption {"by":"copy"} > u2', 'prompt u2']);
    const session = grown([prompt('u1', null, 'x'), reply('a1', 'u1', 'm1'), prompt('u2', 'a1', 'y')]);
    const { nodes } = session.main;
    expect(told(flowOf(nodes, { copiedUntil: nodeIn(session, 'a1') }))).toEqual([
      'prompt u1',
      'reply a1',
      'resumption {"by":"copy"} > u2',
      'prompt u2',
    ]);
    expect(told(flowOf(nodes, { copiedUntil: nodeIn(session, 'u2') }))).toEqual(['prompt u1', 'reply a1', 'prompt u2']);
  });

  test('[FLOW-7] the files of a resumed and of a forked session are reported in their order', () => {
    const kindsOf = (name: string): readonly string[] => flowOf(pathIn(mainOf(...fixture(name)))).steps.map(({ kind }) => kind);
    expect(kindsOf('2.1.325/resume')).toEqual(['prompt', 'reply', 'prompt', 'reply', 'reply', 'reply', 'prompt', 'reply']);
    expect(kindsOf('2.0.30/compact')).toContain('compaction');
  });

  test('[FLOW-8] a record whose words are gone keeps a step of its own', () => {
    const session = grown([
      prompt('u', null),
      reply('a', 'u', 'm1'),
      prompt('gone', 'a', '', { isMeta: true }),
      reply('b', 'gone', 'm2', []),
      reply('c', 'b', 'm3', [use('t')]),
      beside('system', 's', 'c'),
    ]);
    const gone = new Set(['gone', 'b', 's']);
    expect(told(flowOf(pathIn(session), { isGone: ({ uuid }) => gone.has(uuid) }))).toEqual([
      'prompt u',
      'reply a',
      'prompt gone',
      'reply b c',
      'system s',
    ]);
  });
});

describe('growing', () => {
  test('[FLOW-9] a flow that grows is at every step the flow made at once', () => {
    fc.assert(
      fc.property(anyRecords, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (values, asked) => {
        const session = emptySession();
        let flow: Flow | null = null;
        values.forEach((value, i) => {
          add(session, value);
          if (asked[i] !== true) return;
          const path = pathIn(session);
          flow = flowOf(path, {}, flow);
          expect(view(flow)).toEqual(view(flowOf(path)));
        });
      }),
      times(6),
    );
  });

  test('[FLOW-9] a longer path goes on with the same flow, another path makes a new one', () => {
    const session = grown([prompt('u1', null), reply('a1', 'u1', 'm1')]);
    const first = flowOf(pathIn(session));
    add(session, prompt('u2', 'a1'));
    const longer = flowOf(pathIn(session), {}, first);
    add(session, prompt('u3', 'a1'));
    const other = flowOf(pathIn(session), {}, longer);
    expect([longer === first, other === first, told(other)]).toEqual([true, false, ['prompt u1', 'reply a1', 'prompt u3']]);
    expect(flowOf(pathIn(session), { copiedUntil: nodeIn(session, 'a1') }, other)).not.toBe(other);
  });

  test('[FLOW-9] a list that is given again, longer, is not compared', () => {
    const session = grown([prompt('u0', null)]);
    let read = 0;
    const watched = new Proxy(session.main.nodes, {
      get: (nodes, key, receiver): unknown => {
        if (typeof key === 'string' && /^\d+$/u.test(key)) read += 1;
        return Reflect.get(nodes, key, receiver) as unknown;
      },
    });
    const flow = flowOf(watched);
    for (let i = 1; i < 500; i += 1) {
      add(session, prompt(`u${i}`, `u${i - 1}`));
      flowOf(watched, {}, flow);
    }
    expect([flow.steps.length, read]).toEqual([500, 500]);
  });

  test('[FLOW-11] a record that was written before its parent is reported after it; everything else in the order of the file', () => {
    const inOrder = (lines: readonly object[]): string => namesOf(parentsFirst(grown(lines).main.nodes));
    const late = [reply('a', 'u', 'm'), reply('b', 'a', 'm', [use('t')]), prompt('u', null), result('r', 'b', 't'), prompt('lost', 'gone')];
    expect(inOrder(late)).toBe('u a b r lost');
    expect(inOrder([prompt('c', 'b'), prompt('x', null), prompt('b', 'a'), prompt('a', null)])).toBe('a b c x');
    const { nodes } = grown([prompt('u', null), prompt('x', 'gone'), reply('a', 'u', 'm')]).main;
    expect(parentsFirst(nodes)).toBe(nodes);
    expect(parentsFirst(grown(Array.from({ length: 50_000 }, (_, i) => prompt(`n${i}`, `n${i + 1}`))).main.nodes)).toHaveLength(50_000);
  });

  test('[FLOW-10] a record in no step is found at the step before it', () => {
    const session = grown([
      beside('attachment', 'first', null),
      prompt('u', 'first'),
      beside('attachment', 'x', 'u'),
      reply('a', 'x', 'm', [text('x'), use('t')]),
      beside('progress', 'p', 'a'),
      result('r', 'a', 't'),
      prompt('off', null),
    ]);
    const flow = flowOf(session.main.nodes.filter(({ uuid }) => uuid !== 'off'));
    const at = (uuid: string): number | null => stepAt(flow, nodeIn(session, uuid));
    expect(['first', 'u', 'x', 'a', 'p', 'r', 'off'].map(at)).toEqual([0, 0, 0, 1, 1, 1, null]);
  });
});
