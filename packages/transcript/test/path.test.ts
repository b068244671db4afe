import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activePath, branchesOf, isMessage, offPath, pathThrough, type Node, type Session } from '../src/index.ts';
import { at, beside, fixture, mainOf, prompt, reply, result, shapeOf, text, times, use } from './reading.ts';

const names = (nodes: readonly Node[]): string => nodes.map((node) => node.uuid).join(' ');
const pathIn = (...lines: readonly (string | object)[]): string => pathOf(mainOf(...lines));
const pathOf = (session: Session): string => names(activePath(session, shapeOf(session)).nodes);
const leafIn = (...lines: readonly object[]): string | undefined => leafOf(mainOf(...lines));
const leafOf = (session: Session): string | undefined => activePath(session, shapeOf(session)).leaf?.uuid;

const through = (session: Session, uuid: string): { readonly leaf: string | undefined; readonly nodes: string } => {
  const node = session.graph.nodes.get(uuid) as Node;
  const path = pathThrough(session, shapeOf(session), node);
  return { leaf: path.leaf?.uuid, nodes: names(path.nodes) };
};

const leftOf = (session: Session): Readonly<Record<string, string>> => {
  const shape = shapeOf(session);
  return Object.fromEntries([...offPath(session, shape, activePath(session, shape))].map(([node, reason]) => [node.uuid, reason]));
};

const lastPrompt = (leafUuid: string): object => ({ type: 'last-prompt', leafUuid, lastPrompt: '…' });

const start = [prompt('u1', null), reply('a1', 'u1', 'm1')];
/** Two branches under a1: u2 a2, and u3 a3. */
const forked = [...start, prompt('u2', 'a1'), reply('a2', 'u2', 'm2'), prompt('u3', 'a1'), reply('a3', 'u3', 'm3')];

const copy = (name: string): readonly object[] => [
  prompt(`u${name}`, 'a1', 'go', at(1)),
  reply(`b${name}`, `u${name}`, 'm2', [use('t1')]),
  reply(`c${name}`, `b${name}`, 'm2', [use('t2')]),
  result(`r${name}`, `b${name}`, 't1'),
  result(`s${name}`, `c${name}`, 't2'),
];

const marked = (uuid: string): readonly object[] =>
  forked.map((line) => (line['uuid'] === uuid ? { ...line, is_active: true } : { ...line, is_active: false }));

const child = (uuid: string, more: object = {}): object => ({
  type: 'assistant',
  uuid,
  parentUuid: 'msg_parent',
  message: { content: [text(uuid)] },
  ...more,
});

const command = (uuid: string): object => prompt(uuid, 'c', '<command-name>/model</command-name>');

describe('what a path holds', () => {
  const calls = [prompt('u1', null), reply('a1', 'u1', 'm1', [use('t1')]), reply('a2', 'a1', 'm1', [use('t2')])];
  const fan = [result('r1', 'a1', 't1'), result('r2', 'a2', 't2')];

  test.each([
    ['chained', [...calls, result('r1', 'a2', 't1'), result('r2', 'r1', 't2'), reply('b', 'r2', 'm2')]],
    ['fanned out, going on from the first', [...calls, ...fan, reply('b', 'r1', 'm2')]],
    ['fanned out, going on from the last', [...calls, ...fan, reply('b', 'r2', 'm2')]],
    ['fanned out, not yet gone on', [...calls, ...fan]],
    [
      'between the blocks',
      [...calls.slice(0, 2), result('r1', 'a1', 't1'), reply('a2', 'r1', 'm1', [use('t2')]), result('r2', 'a2', 't2'), reply('b', 'r2', 'm2')],
    ],
  ])('[PATH-1] all calls and results of a message with parallel tools are on the path: %s', (_, lines) => {
    expect(pathIn(...lines)).toBe(lines.map((line) => line['uuid']).join(' '));
  });

  test.each(['1.0.100/partools', '2.1.220/partools', '2.1.220/killpar'])(
    '[PATH-1] a transcript with parallel tools is all on its path: %s',
    (name) => {
      const session = mainOf(...fixture(name));
      expect(pathOf(session)).toBe(names(session.main.nodes));
      expect(leftOf(session)).toEqual({});
    },
  );

  test('[PATH-1] attachments, progress, system records and local commands that hang on the path are on it, those of another branch are not', () => {
    const others = [
      beside('progress', 'p', 'a3'),
      beside('attachment', 'x', 'p'),
      beside('system', 's', 'u1', { subtype: 'turn_duration' }),
      beside('attachment', 'y', 'a2'),
      prompt('c', 'a3', '<command-name>/model</command-name>'),
    ];
    expect(pathIn(...forked, ...others)).toBe('u1 a1 u3 a3 p x s c');
  });

  test('[PATH-1] an attachment under a result that leads to a prompt off the path stays with that prompt', () => {
    expect(pathIn(...calls, ...fan, beside('attachment', 'x', 'r1'), prompt('u2', 'x'), beside('attachment', 'y', 'r1'), prompt('u3', 'r2'))).toBe(
      'u1 a1 a2 r1 r2 y u3',
    );
  });

  test('[PATH-1] records inside the chain are walked through', () => {
    const lines = [
      prompt('u1', null),
      beside('attachment', 'x1', 'u1'),
      beside('attachment', 'x2', 'x1'),
      reply('a1', 'x2', 'm1'),
      beside('system', 's', 'a1'),
      beside('progress', 'p', 's'),
      beside('new-kind', 'n', 'p'),
      prompt('u2', 'n'),
    ];
    expect(pathIn(...lines)).toBe('u1 x1 x2 a1 s p n u2');
  });

  test('[PATH-1] the rest of a message is not on the path of a prompt that went back into the middle of it', () => {
    const lines = [
      ...start,
      reply('a2', 'a1', 'm1', [use('t')]),
      result('r', 'a2', 't'),
      reply('a3', 'r', 'm2'),
      prompt('u2', 'a1'),
      reply('b', 'u2', 'm3'),
    ];
    const session = mainOf(...lines);
    expect([pathOf(session), through(session, 'a2').nodes]).toEqual(['u1 a1 u2 b', 'u1 a1 a2 r a3']);
  });

  test('[PATH-1] a path through history that was written again shows every reply and result once', () => {
    const session = mainOf(...start, ...copy('-old'), reply('d', 's-old', 'm3'), ...copy('-new'), reply('e', 'r-new', 'm4'));
    expect([pathOf(session), through(session, 'd').nodes]).toEqual([
      'u1 a1 u-new b-new c-new r-new s-new e',
      'u1 a1 u-old b-old c-old r-old s-old d',
    ]);
  });

  test('[PATH-1] what a partial replay lacks comes from the original', () => {
    const old = [
      prompt('u2', 'a1', 'go', at(1)),
      reply('b', 'u2', 'm2', [text('x')], at(2)),
      reply('c', 'b', 'm2', [use('t')], at(3)),
      result('r', 'c', 't'),
    ];
    expect(pathIn(...start, ...old, prompt('v2', 'a1', 'go', at(1)), reply('b2', 'v2', 'm2', [text('x')], at(2)), prompt('u3', 'b2'))).toBe(
      'u1 a1 c r v2 b2 u3',
    );
  });

  test('[PATH-1] a result that only the abandoned rest of the message leads to is not on the path', () => {
    expect(pathIn(...calls, result('r1', 'a2', 't1'), result('r2', 'r1', 't2'), reply('b', 'r2', 'm2'), prompt('u2', 'a1'))).toBe('u1 a1 u2');
  });

  test('[PATH-1] messages are counted, attachments and progress are not', () => {
    const session = mainOf(...start, beside('attachment', 'x', 'a1'), beside('progress', 'p', 'a1'), beside('system', 's', 'a1'));
    const { leaf, messages } = activePath(session, shapeOf(session));
    expect({ leaf: leaf?.uuid, messages }).toEqual({ leaf: 'a1', messages: 3 });
  });

  test('[PATH-1] everything before a compaction is on the path', () => {
    const compact = (more: object): string =>
      pathIn(
        ...start,
        beside('system', 'b', null, { subtype: 'compact_boundary', ...more }),
        prompt('s', 'b', 'continued', { isCompactSummary: true }),
        prompt('u2', 's'),
      );
    expect([compact({ logicalParentUuid: 'a1' }), compact({ logicalParentUuid: 'gone' }), compact({})]).toEqual(
      Array.from({ length: 3 }, () => 'u1 a1 b s u2'),
    );
    expect(pathIn(...start, prompt('s', null, 'continued', { isCompactSummary: true }), prompt('u2', 's'))).toBe('u1 a1 s u2');
  });

  test('[PATH-1] a compacted transcript of the CLI is all on its path', () => {
    const session = mainOf(...fixture('2.0.76/compact'));
    expect(pathOf(session)).toBe(names(session.main.nodes));
  });

  test('[PATH-1] orphans and what comes after them are on the path of what comes before them', () => {
    expect(pathIn(...start, prompt('o1', 'gone'), reply('o2', 'o1', 'm2'), prompt('o3', 'gone too'))).toBe('u1 a1 o1 o2 o3');
  });

  test('[PATH-1] a session without conversation shows what it has, and an empty one nothing', () => {
    const session = mainOf(beside('system', 's', null), beside('attachment', 'x', null), { type: 'summary', summary: 's' });
    expect(activePath(session, shapeOf(session))).toEqual({ leaf: null, nodes: session.main.nodes, messages: 1 });
    expect(activePath(mainOf(), shapeOf(mainOf()))).toEqual({ leaf: null, nodes: [], messages: 0 });
  });
});

describe('the leaf', () => {
  test.each([
    ['a prompt', prompt('z', 'a1')],
    ['a reply', reply('z', 'u1', 'm1')],
    ['a tool result', result('z', 'a1', 't')],
  ])('[PATH-2] the last line is the leaf when it is %s', (_, line) => {
    expect(leafIn(...start, line)).toBe('z');
  });

  test.each([
    ['a local command', prompt('z', null, '<command-name>/exit</command-name>')],
    ['its output', prompt('z', 'gone', '<local-command-stdout>Bye!</local-command-stdout>')],
    ['a shell line', prompt('z', 'u1', '<bash-input>ls</bash-input>')],
    ['a memory note', prompt('z', null, '<user-memory-input>x</user-memory-input>')],
    ['a caveat', prompt('z', null, 'Caveat: The messages below were generated by the user while running local commands.', { isMeta: true })],
    ['an interruption', prompt('z', 'u1', '[Request interrupted by user]')],
    ['a notice', prompt('z', 'u1', '<task-notification><task-id>x</task-id>')],
    ['a synthetic reply', reply('z', 'u1', 'm', [text('No response requested.')], { isApiErrorMessage: true })],
    ['an attachment', beside('attachment', 'z', 'u1')],
    ['a system record', beside('system', 'z', null, { subtype: 'local_command' })],
    ['a boundary', beside('system', 'z', null, { subtype: 'compact_boundary' })],
    ["a sidechain's reply", reply('z', null, 'm9', [], { isSidechain: true })],
  ])('[PATH-2] the last line is not the leaf when it is %s, and hides nothing', (_, line) => {
    const session = mainOf(...start, line);
    expect(leafOf(session)).toBe('a1');
    expect(pathOf(session)).toMatch(/^u1 a1/u);
  });

  test('[PATH-2] a parent that is written after its child is not the leaf', () => {
    expect(pathIn(prompt('u1', null), reply('a1', 'r0', 'm1'), prompt('u2', 'a1'), beside('attachment', 'x', 'u2'), prompt('r0', 'u1'))).toBe(
      'u1 a1 u2 x r0',
    );
    expect(leafIn(prompt('u1', null), reply('a1', 'r0', 'm1'), prompt('u2', 'a1'), beside('attachment', 'x', 'u2'), prompt('r0', 'u1'))).toBe('u2');
  });

  test('[PATH-2] of two branches below a parent that is written last, the newer one has the leaf', () => {
    expect(leafIn(prompt('u2', 'a1'), reply('a2', 'u2', 'm2'), prompt('u3', 'a1'), reply('a1', null, 'm1'))).toBe('u3');
  });
});

describe('the active child', () => {
  test('[BRANCH-6] without any mark the newest record decides', () => {
    expect(pathIn(...forked)).toBe('u1 a1 u3 a3');
    expect(pathIn(...forked, prompt('u4', 'a2'))).toBe('u1 a1 u2 a2 u4');
  });

  test('[BRANCH-6] the newest last-prompt names the branch, by any record on it', () => {
    expect(['u2', 'a2', 'x'].map((leaf) => pathIn(...forked, beside('attachment', 'x', 'a2'), lastPrompt('a3'), lastPrompt(leaf)))).toEqual(
      Array.from({ length: 3 }, () => 'u1 a1 u2 a2 x'),
    );
  });

  test('[BRANCH-6] what came after the leaf that last-prompt names is on the path', () => {
    expect(pathIn(...forked, lastPrompt('u2'), reply('b2', 'a2', 'm4'))).toBe('u1 a1 u2 a2 b2');
  });

  test('[BRANCH-6] a last-prompt is stale once a prompt came after it', () => {
    expect(pathIn(...forked.slice(0, 4), lastPrompt('a2'), ...forked.slice(4))).toBe('u1 a1 u3 a3');
  });

  test('[BRANCH-6] a last-prompt that names nothing known, or a record above the branch, changes nothing', () => {
    expect(['gone', 'a1', 'u1'].map((leaf) => pathIn(...forked, lastPrompt(leaf)))).toEqual(Array.from({ length: 3 }, () => 'u1 a1 u3 a3'));
  });

  test('[BRANCH-6] is_active decides where it is set, before last-prompt and before the newest record', () => {
    expect(pathIn(...marked('u2'))).toBe('u1 a1 u2 a2');
    expect(pathIn(...marked('u2'), lastPrompt('a3'))).toBe('u1 a1 u2 a2');
    expect(pathIn(...marked('u3'), lastPrompt('a2'))).toBe('u1 a1 u3 a3');
  });

  test('[BRANCH-6] is_active false alone leaves the choice to the newest record', () => {
    expect(pathIn(...marked('nobody'))).toBe('u1 a1 u3 a3');
  });

  test("[BRANCH-6] the seed's example: of three children the one with the highest line is active, or the marked one", () => {
    const parent = { type: 'human', uuid: 'msg_parent', parentUuid: null, message: { content: 'go' } };
    expect(pathIn(parent, child('A'), child('B'), child('C'))).toBe('msg_parent C');
    expect(pathIn(parent, child('A'), child('B', { is_active: true }), child('C'))).toBe('msg_parent B');
  });

  test('[BRANCH-6] every branch point on the way is decided for itself', () => {
    const nested = [...forked, prompt('u4', 'a2'), reply('a4', 'u4', 'm4'), prompt('u5', 'a2', 'x', { is_active: true }), prompt('u6', 'a3')];
    expect([pathIn(...nested), pathIn(...nested, lastPrompt('a4'))]).toEqual(['u1 a1 u3 a3 u6', 'u1 a1 u2 a2 u5']);
  });

  test('[BRANCH-6] resumeSessionAt goes on with the new prompt', () => {
    expect(leafOf(mainOf(...fixture('sdk-0.2.50/resumeat')))?.slice(0, 8)).toBe('f6b3620e');
  });
});

describe('any record and every record', () => {
  /** Trees of prompts, replies, tool calls, results, attachments and replays. */
  const trees = fc
    .array(fc.record({ kind: fc.nat({ max: 6 }), pick: fc.integer({ min: -2, max: 40 }), id: fc.nat({ max: 4 }) }), { minLength: 1, maxLength: 25 })
    .map((rows) =>
      rows.map(({ kind, pick, id }, i) => {
        const above = i === 0 || pick === -1 ? null : pick === -2 ? 'gone' : `n${pick > 20 ? i - 1 : pick % i}`;
        if (kind <= 1) return prompt(`n${i}`, above, `words ${id}`, at(id));
        if (kind === 2) return reply(`n${i}`, above, `m${id}`);
        if (kind === 3) return reply(`n${i}`, above, `m${i}`, [use(`t${id}`)]);
        if (kind === 4) return result(`n${i}`, above, `t${id}`);
        return kind === 5 ? beside('attachment', `n${i}`, above) : prompt(`n${i}`, above, '<command-name>/x</command-name>');
      }),
    );

  test('[PATH-3] a branch is selected by any record on it, down to its newest record', () => {
    const session = mainOf(...forked, prompt('u4', 'a2'));
    expect(['u2', 'a2', 'u4', 'u3', 'a3'].map((uuid) => through(session, uuid).leaf)).toEqual(['u4', 'u4', 'u4', 'a3', 'a3']);
    expect(through(session, 'u1')).toEqual({ leaf: 'u4', nodes: 'u1 a1 u2 a2 u4' });
  });

  test('[PATH-3] a record in a sidechain selects nothing of the main thread', () => {
    const session = mainOf(...start, prompt('s', 'a1', 's', { isSidechain: true }));
    expect(through(session, 's')).toEqual({ leaf: undefined, nodes: '' });
  });

  test('[PATH-3] the path through any record holds it and all its ancestors, and takes one child at every branch point on it', () => {
    fc.assert(
      fc.property(trees, (lines) => {
        const session = mainOf(...lines);
        const shape = shapeOf(session);
        for (const spot of shape.spots) {
          const on = new Set(pathThrough(session, shape, spot.node).nodes);
          for (let above: typeof spot | null = spot; above !== null; above = above.up) expect(on.has(above.node)).toBe(true);
          const taken = branchesOf(shape).filter(({ parent }) => on.has(parent));
          expect(taken.filter(({ children }) => children.filter(({ node }) => on.has(node)).length > 1)).toEqual([]);
        }
      }),
      times(3),
    );
  });

  test('[PATH-4] a conversation record that no path or branch shows is named with its reason', () => {
    const replayed = [
      ...start,
      prompt('u2', 'a1', 'go', at(1)),
      reply('a2', 'u2', 'm2'),
      prompt('v2', 'a1', 'go', at(1)),
      reply('b2', 'v2', 'm2'),
      prompt('u3', 'b2'),
    ];
    expect(leftOf(mainOf(...replayed))).toEqual({ u2: 'replayed', a2: 'replayed' });
    expect(leftOf(mainOf(...start, prompt('v1', null), reply('b1', 'v1', 'm2')))).toEqual({ u1: 'other root', a1: 'other root' });
    expect(leftOf(mainOf(...start, reply('a2', 'a1', 'm1', [use('t')]), prompt('u2', 'a1')))).toEqual({});
    expect(leftOf(mainOf(prompt('u1', null), reply('a1', 'u1', 'm1', [use('t')]), prompt('u2', 'u1')))).toEqual({ a1: 'dead end' });
    expect(leftOf(mainOf(...forked))).toEqual({});
  });

  test('[PATH-4] a prompt behind a local command that another one left behind is a dead end', () => {
    const caveat = prompt('c', 'a1', 'Caveat: The messages below were generated by the user while running local commands.', { isMeta: true });
    expect(leftOf(mainOf(...start, caveat, command('n1'), prompt('u2', 'n1'), command('n2'), prompt('u3', 'n2')))).toEqual({ u2: 'dead end' });
  });

  test('[PATH-4] every message is on the path, on a branch, or left with a reason', () => {
    fc.assert(
      fc.property(trees, (lines) => {
        const session = mainOf(...lines);
        const shape = shapeOf(session);
        const path = activePath(session, shape);
        const left = offPath(session, shape, path);
        const shown = new Set(path.nodes);
        const doors = new Set(
          branchesOf(shape)
            .flatMap(({ children }) => children.map(({ spot }) => spot))
            .filter(({ node }) => !shown.has(node)),
        );
        for (const spot of shape.spots)
          for (let above: typeof spot | null = spot; above !== null; above = above.up) if (doors.has(above)) shown.add(spot.node);
        const talk = session.main.nodes.filter((node) => isMessage(node.entry));
        expect(names([...left.keys()])).toBe(names(talk.filter((node) => !shown.has(node))));
      }),
      times(3),
    );
  });
});
