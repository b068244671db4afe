import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { branchesOf, type Session } from '../src/index.ts';
import { anyRecords } from './any-records.ts';
import { at, beside, fixture, grown, mainOf, prompt, record, reply, result, shapeOf, text, times, use } from './reading.ts';

type Found = { readonly parent: string; readonly children: readonly string[] };

const found = (session: Session): readonly Found[] =>
  branchesOf(shapeOf(session)).map(({ parent, children }) => ({ parent: parent.uuid, children: children.map(({ node }) => node.uuid) }));
const branchesIn = (...lines: readonly (string | object)[]): readonly Found[] => found(mainOf(...lines));

const seedReply = (uuid: string, parentUuid: string | null, more: object = {}): object => ({
  type: 'assistant',
  uuid,
  parentUuid,
  message: { content: [text(uuid)] },
  ...more,
});

const start = [prompt('u1', null), reply('a1', 'u1', 'm1')];

const going = (parent: string): readonly object[] => [reply('b', parent, 'm2'), prompt('u2', 'b'), reply('c', 'u2', 'm3')];

const command = (i: number): readonly object[] => [
  prompt(`n${i}`, 'c', '<command-name>/model</command-name>'),
  prompt(`o${i}`, `n${i}`, '<local-command-stdout>ok</local-command-stdout>'),
];

test('[BRANCH-7] blocks of one message are never two children of a branch, whatever comes', () => {
  fc.assert(
    fc.property(anyRecords, (records) => {
      for (const { parent, children } of branchesOf(shapeOf(grown(records)))) {
        const message = parent.entry.role === 'reply' ? parent.entry.messageId : null;
        const blocks = children.filter(({ node }) => message !== null && node.entry.role === 'reply' && node.entry.messageId === message);
        expect(blocks.length).toBeLessThan(2);
      }
    }),
    times(3),
  );
});

describe('real branches', () => {
  test('[BRANCH-1] a rewind is a branch: a second prompt under an old reply', () => {
    expect(branchesIn(...start, prompt('u2', 'a1'), reply('a2', 'u2', 'm2'), prompt('u3', 'a1'))).toEqual([{ parent: 'a1', children: ['u2', 'u3'] }]);
  });

  test('[BRANCH-1] a prompt that was edited twice is a branch of three', () => {
    const edited = ['x', 'y', 'z'].flatMap((name) => [prompt(`u-${name}`, 'a1', name), reply(`a-${name}`, `u-${name}`, `m-${name}`)]);
    expect(branchesIn(...start, ...edited)).toEqual([{ parent: 'a1', children: ['u-x', 'u-y', 'u-z'] }]);
  });

  test('[BRANCH-1] a regenerated reply is a branch, its blocks after the first are not', () => {
    expect(branchesIn(...start, reply('b1', 'u1', 'm2'), reply('b2', 'b1', 'm2'), reply('b3', 'b2', 'm2'))).toEqual([
      { parent: 'u1', children: ['a1', 'b1'] },
    ]);
  });

  test("[BRANCH-1] the seed's example, replies without message id, is a branch of three", () => {
    const parent = { type: 'human', uuid: 'msg_parent', parentUuid: null, message: { content: 'go' } };
    expect(branchesIn(parent, ...['A', 'B', 'C'].map((name) => seedReply(name, 'msg_parent')))).toEqual([
      { parent: 'msg_parent', children: ['A', 'B', 'C'] },
    ]);
  });

  test("[BRANCH-1] a prompt beside the rest of its parent's message is a branch once a tool use of the rest has a result", () => {
    const resumedAt = [
      prompt('u1', null),
      reply('a1', 'u1', 'm1'),
      reply('a2', 'a1', 'm1', [use('t1')]),
      reply('a3', 'a2', 'm1', [use('t2')]),
      prompt('u2', 'a1'),
    ];
    expect(branchesIn(...resumedAt)).toEqual([]);
    expect(branchesIn(...resumedAt, result('r2', 'a3', 't2'))).toEqual([{ parent: 'a1', children: ['a2', 'u2'] }]);
  });

  test("[BRANCH-1] the SDK's resumeSessionAt, as it is written, is one branch", () => {
    expect(
      branchesIn(...fixture('sdk-0.2.50/resumeat')).map(({ parent, children }) => [parent.slice(0, 8), children.map((uuid) => uuid.slice(0, 8))]),
    ).toEqual([['733c76c1', ['f865302f', '2b4872d6']]]);
  });

  test('[BRANCH-1] branches within branches are all found, in order of the file', () => {
    const lines = [
      ...start,
      prompt('u2', 'a1'),
      reply('a2', 'u2', 'm2'),
      prompt('u3', 'a1'),
      reply('a3', 'u3', 'm3'),
      reply('b3', 'u3', 'm4'),
      prompt('u4', 'a2'),
      prompt('u5', 'a2'),
    ];
    expect(branchesIn(...lines)).toEqual([
      { parent: 'a1', children: ['u2', 'u3'] },
      { parent: 'a2', children: ['u4', 'u5'] },
      { parent: 'u3', children: ['a3', 'b3'] },
    ]);
  });

  test('[BRANCH-1] children are listed in order of the file, an orphan that goes on there among them', () => {
    expect(branchesIn(...start, prompt('lost', 'gone'), prompt('u2', 'a1'))).toEqual([{ parent: 'a1', children: ['lost', 'u2'] }]);
  });
});

describe('no branches', () => {
  const calls = [
    prompt('u1', null),
    reply('a0', 'u1', 'm1'),
    reply('a1', 'a0', 'm1', [use('t1')]),
    reply('a2', 'a1', 'm1', [use('t2')]),
    reply('a3', 'a2', 'm1', [use('t3')]),
  ];
  const fan = [result('r1', 'a1', 't1'), result('r3', 'a3', 't3'), result('r2', 'a2', 't2')];

  test.each<[string, readonly object[]]>([
    ['chained one behind the other', [...calls, result('r1', 'a3', 't1'), result('r3', 'r1', 't3'), result('r2', 'r3', 't2'), ...going('r2')]],
    ['fanned out, going on from the first', [...calls, ...fan, ...going('r1')]],
    ['fanned out, going on from the middle', [...calls, ...fan, ...going('r2')]],
    ['fanned out, going on from the last', [...calls, ...fan, ...going('r3')]],
    [
      'fanned out, results before the later calls',
      [...calls.slice(0, 3), result('r1', 'a1', 't1'), ...calls.slice(3), result('r2', 'a2', 't2'), result('r3', 'a3', 't3'), ...going('r3')],
    ],
    [
      'between the blocks',
      [
        ...calls.slice(0, 3),
        result('r1', 'a1', 't1'),
        reply('a2', 'r1', 'm1', [use('t2')]),
        result('r2', 'a2', 't2'),
        reply('a3', 'r2', 'm1', [use('t3')]),
        result('r3', 'a3', 't3'),
        ...going('r3'),
      ],
    ],
    [
      'in one record each',
      [
        prompt('u1', null),
        reply('a', 'u1', 'm1', [use('t1'), use('t2')]),
        record({
          uuid: 'r',
          parentUuid: 'a',
          message: {
            content: [
              { type: 'tool_result', tool_use_id: 't1' },
              { type: 'tool_result', tool_use_id: 't2' },
            ],
          },
        }),
        ...going('r'),
      ],
    ],
    ['all under the last call', [...calls, result('r1', 'a3', 't1'), result('r2', 'a3', 't2'), result('r3', 'a3', 't3'), ...going('r3')]],
    ['missing but one', [...calls, result('r1', 'a1', 't1'), ...going('r1')]],
  ])('[BRANCH-2] parallel results make no branch: %s', (_, lines) => {
    expect(branchesIn(...lines)).toEqual([]);
  });

  test.each(['1.0.100/partools', '2.1.220/partools', '2.1.220/killpar'])(
    '[BRANCH-2] parallel tools as the CLI writes them make no branch: %s',
    (name) => {
      expect(branchesIn(...fixture(name))).toEqual([]);
    },
  );

  test('[BRANCH-2] progress, attachments, system records, hooks and injected texts beside a reply make no branch', () => {
    const others = [
      beside('progress', 'p1', 'u1'),
      beside('attachment', 't1', 'u1'),
      beside('system', 's1', 'u1', { subtype: 'api_error' }),
      beside('system', 's2', 'u1', { subtype: 'stop_hook_summary' }),
      beside('new-kind', 'n1', 'u1'),
      prompt('i1', 'u1', 'injected', { isMeta: true }),
      prompt('i2', 'u1', '[Request interrupted by user]'),
      prompt('i3', 'u1', '<task-notification>\n<task-id>x</task-id>'),
      prompt('i4', 'u1', '<bash-input>ls</bash-input>'),
      prompt('i5', 'u1', '<user-memory-input>x</user-memory-input>'),
    ];
    expect(branchesIn(prompt('u1', null), ...others, reply('a1', 'u1', 'm1'))).toEqual([]);
  });

  test('[BRANCH-2] local commands that hang on an old caveat make no branch, even where a prompt follows them', () => {
    const caveat = prompt('c', 'a1', 'Caveat: The messages below were generated by the user while running local commands.', { isMeta: true });
    expect(
      branchesIn(...start, caveat, ...command(1), prompt('u2', 'o1'), reply('a2', 'u2', 'm2'), ...command(2), ...command(3), prompt('u3', 'o3')),
    ).toEqual([]);
  });

  test('[BRANCH-2] synthetic replies beside real ones make no branch', () => {
    const synthetic = record({
      type: 'assistant',
      uuid: 's',
      parentUuid: 'u1',
      message: { id: 'x', model: '<synthetic>', content: [text('No response requested.')] },
    });
    expect(
      branchesIn(prompt('u1', null), reply('e', 'u1', 'm0', [text('API Error')], { isApiErrorMessage: true }), synthetic, reply('a1', 'u1', 'm1')),
    ).toEqual([]);
  });

  test('[BRANCH-3] a prompt and its reply written again under new uuids make no branch', () => {
    const once = [prompt('u2', 'a1', 'go', at(1)), reply('a2', 'u2', 'm2', [use('t')]), result('r2', 'a2', 't'), reply('a3', 'r2', 'm3')];
    const again = [
      prompt('v2', 'a1', 'go', at(1)),
      reply('b2', 'v2', 'm2', [use('t')]),
      result('s2', 'b2', 't'),
      reply('b3', 's2', 'm3'),
      prompt('u4', 'b3'),
    ];
    expect(branchesIn(...start, ...once, ...again)).toEqual([]);
  });

  test('[BRANCH-3] a reply written again under its prompt, block by block, makes no branch', () => {
    expect(
      branchesIn(
        ...start,
        reply('a2', 'a1', 'm1', [use('t')]),
        result('r', 'a2', 't'),
        reply('b1', 'u1', 'm1'),
        reply('b2', 'b1', 'm1', [use('t')]),
        result('s', 'b2', 't'),
      ),
    ).toEqual([]);
  });

  test('[BRANCH-3] the same words at another time are a new prompt', () => {
    expect(branchesIn(...start, prompt('u2', 'a1', 'go', at(1)), prompt('v2', 'a1', 'go', at(2)))).toEqual([
      { parent: 'a1', children: ['u2', 'v2'] },
    ]);
  });

  test('[BRANCH-4] a kill in a tool, then a prompt, as the CLI writes it, is no branch', () => {
    expect(branchesIn(...fixture('2.1.220/killbash'))).toEqual([]);
  });

  test.each<[string, readonly object[], string]>([
    ['after a text of the same message', [...start, reply('a2', 'a1', 'm1', [use('t')])], 'a1'],
    ['alone in its message', [prompt('u1', null), reply('a2', 'u1', 'm1', [use('t')])], 'u1'],
    [
      'alone in its message after a result',
      [prompt('u1', null), reply('a0', 'u1', 'm0', [use('t0')]), result('r0', 'a0', 't0'), reply('a2', 'r0', 'm1', [use('t')])],
      'r0',
    ],
    ['behind an attachment', [prompt('u1', null), beside('attachment', 'x', 'u1'), reply('a2', 'x', 'm1', [use('t')])], 'u1'],
  ])('[BRANCH-4] a tool use without result beside a prompt is abandoned: %s', (_, lines, parent) => {
    const killed = [...lines, prompt('u2', parent), reply('b', 'u2', 'm9')];
    expect(branchesIn(...killed)).toEqual([]);
    const first = parent === 'u1' && lines.length === 3 ? 'x' : 'a2';
    expect(branchesIn(...killed, result('r', 'a2', 't'))).toEqual([{ parent, children: [first, 'u2'] }]);
  });

  test('[BRANCH-4] a tool use without result that a prompt goes on from is not abandoned', () => {
    expect(branchesIn(prompt('u1', null), reply('a1', 'u1', 'm1', [use('t')]), prompt('u2', 'a1'), prompt('u3', 'u1'))).toEqual([
      { parent: 'u1', children: ['a1', 'u3'] },
    ]);
  });

  test('[BRANCH-5] attachments, progress and system records between a parent and a prompt or reply are walked through', () => {
    const lines = [
      ...start,
      beside('attachment', 'x1', 'a1'),
      beside('system', 'x2', 'x1'),
      beside('progress', 'x3', 'x2'),
      prompt('u2', 'x3'),
      beside('attachment', 'y1', 'a1'),
      prompt('u3', 'y1'),
    ];
    expect(branchesIn(...lines)).toEqual([{ parent: 'a1', children: ['x1', 'y1'] }]);
    expect(branchesIn(...lines.slice(0, -1))).toEqual([]);
  });

  test('[BRANCH-5] two prompts behind one attachment are a branch there and nowhere above', () => {
    expect(branchesIn(...start, beside('attachment', 'x', 'a1'), prompt('u2', 'x'), prompt('u3', 'x'))).toEqual([
      { parent: 'x', children: ['u2', 'u3'] },
    ]);
  });
});
