import { expect, test } from 'vitest';
import { foldTree } from '../../../src/features/graph/folding.ts';
import { gistIn, placeOf } from '../../../src/features/graph/gist.ts';
import { lookOf, marksOf, sizeText, spoken } from '../../../src/features/graph/item-words.ts';
import { pictureOf } from '../../../src/features/graph/picture.ts';
import { waysOf } from '../../../src/features/graph/ways.ts';
import { node, sidechain, tree } from './trees.ts';

const session = tree(
  [
    node('p1', null, { role: 'prompt', ref: 'MSG-1' }),
    node('a1', 'p1', { ref: 'MSG-2' }),
    node('r1', 'a1', { role: 'result', isError: true, ref: 'MSG-3' }),
    node('p2', 'r1', { role: 'prompt', ref: 'MSG-4' }),
    node('p3', 'r1', { role: 'prompt', ref: 'MSG-5' }),
    node('b', null, { role: 'boundary', ref: 'MSG-6' }),
    node('lost', 'gone', { role: 'prompt', ref: 'MSG-7' }),
    node('s', null, { role: 'prompt', agentId: 'x', isSidechain: true }),
  ],
  {
    sidechains: [sidechain('x', ['use'], { state: 'running', messages: 12, toolUses: 3 })],
    calls: new Map([['use', 'a1']]),
    branches: [
      {
        parentUuid: 'r1',
        children: [
          { uuid: 'p2', active: false, messages: 1 },
          { uuid: 'p3', active: true, messages: 2 },
        ],
      },
    ],
    leafUuid: 'b',
  },
);
const picture = pictureOf(foldTree(session), { detail: 'turns', toggled: new Map([['branch:p2', false]]) });

test('[PAGE-74] whatever stands out is said in words', () => {
  expect(
    picture.items.map(
      (item) =>
        `${lookOf(item).name} | ${sizeText(item)} | ${marksOf(item)
          .map(({ text }) => text)
          .join(', ')}`,
    ),
  ).toEqual([
    'Prompt | 3 messages · 1 operation | error',
    'Explore | 12 messages · 3 operations | running',
    'Other branch | 1 message | branch 1 of 2',
    'Prompt | 1 message | branch 2 of 2',
    'Compaction | MSG-6 | latest',
    'Prompt | 1 message | parent missing',
  ]);
  expect(picture.items.map((item) => spoken(item, item.kind === 'turn' ? 'Why?' : null))).toEqual([
    'Prompt, Why?, 3 messages · 1 operation, error, on the current branch',
    'Explore, 12 messages · 3 operations, running',
    'Other branch, 1 message, branch 1 of 2',
    'Prompt, Why?, 1 message, branch 2 of 2, on the current branch',
    'Compaction, MSG-6, latest, on the current branch',
    'Prompt, Why?, 1 message, parent missing',
  ]);
});

test('[PAGE-76] a card leads to its message, in the thread it is in', () => {
  expect(picture.items.map((item) => placeOf('f/1', item))).toEqual([
    '/sessions/f%2F1?at=p1',
    '/sessions/f%2F1?at=s&thread=x',
    '/sessions/f%2F1?at=p2',
    '/sessions/f%2F1?at=p3',
    '/sessions/f%2F1?at=b',
    '/sessions/f%2F1?at=lost',
  ]);
});

test('[PAGE-75] arrows go from card to card: on and back, to what stands beside and back', () => {
  const [turn, agent, branch, active, compaction] = picture.items.map((_, i) => i) as [number, number, number, number, number];
  const beside = new Set([agent, branch]);
  const go = waysOf(picture.lines, (card) => beside.has(card));
  expect([go(turn, 'down'), go(active, 'down'), go(compaction, 'up'), go(active, 'up'), go(turn, 'up')]).toEqual([
    active,
    compaction,
    active,
    turn,
    -1,
  ]);
  expect([go(turn, 'right'), go(agent, 'left'), go(agent, 'down'), go(branch, 'up'), go(branch, 'right'), go(branch, 'left')]).toEqual([
    agent,
    turn,
    branch,
    agent,
    -1,
    turn,
  ]);
});

const operation = (uuid: string, summary: string) => ({
  uuid,
  summary,
  ref: null,
  toolUseId: 't',
  name: 'Read',
  startedAt: null,
  durationMs: null,
  mentions: [],
  state: 'done' as const,
  resultUuid: null,
  agentId: null,
});

const step = (uuids: readonly [string, ...string[]], text: string, operations: readonly ReturnType<typeof operation>[]) => ({
  index: 0,
  kind: 'reply' as const,
  uuid: uuids[0],
  uuids,
  ref: null,
  exchange: null,
  parentUuid: null,
  role: 'reply',
  speaker: 'agent',
  timestamp: null,
  model: null,
  text,
  textLength: text.length,
  thinking: '',
  thinkingLength: 0,
  images: 0,
  usage: null,
  costUsd: null,
  isError: false,
  isCopy: false,
  isForgotten: false,
  operations,
  operationsTotal: operations.length,
  branch: null,
  note: null,
});

test('[PAGE-74] a card says what was said, a use of a tool what it did, a result what was done', () => {
  const items = [step(['a1', 'a2', 'r2'], '## I look\n at  `it`.', [operation('a2_tool_0', '📖 Reading /etc/hosts')])];
  expect([
    gistIn({ items }, 'a1', null),
    gistIn({ items }, 'a2', null),
    gistIn({ items }, 'r2', 'a2'),
    gistIn({ items }, 'r2', 'gone'),
    gistIn({ items }, 'z', null),
  ]).toEqual(['I look at it.', 'Reading /etc/hosts', 'Reading /etc/hosts', null, null]);
  const mute = [step(['a2'], '', [operation('a2_tool_0', '📖 Reading /etc/hosts')])];
  expect(gistIn({ items: mute }, 'a2', null)).toBe('Reading /etc/hosts');
});
