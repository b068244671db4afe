import { NODE_MARKS } from '@yarnboard/domain';
import { dotOf, mermaidOf } from '@yarnboard/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KIND_LOOKS, placeOfCard, spokenCard } from '../../../src/features/trace/card-words.ts';
import { MARK_LOOKS } from '../../../src/shared/mark-looks.ts';
import { NO_FILTERS } from '../../../src/features/trace/yarn-address.ts';
import { boardOf, keyOfUnfolded, looseCards } from '../../../src/features/trace/yarn-board.ts';
import { pinCards, spotOf } from '../../../src/features/trace/yarn-layout.ts';
import { svgOf } from '../../../src/features/trace/yarn-picture.ts';
import { answerTo, webOf, type Web } from './traces.ts';

const TRIANGLE = webOf(3, [
  [0, 1, 'cites'],
  [2, 0, 'rests-on'],
]);

const titled = (title: string): Web => ({ ...TRIANGLE, nodes: TRIANGLE.nodes.map((node) => ({ ...node, title })) });

const pinnedOf = (web: Web) => {
  const first = { ref: 'MSG-0', bundle: null, pages: 1 };
  const board = boardOf('MSG-0', [first], new Map([[keyOfUnfolded(first), answerTo(web, first)]]), NO_FILTERS);
  return { board, spots: new Map([...pinCards(new Map(), looseCards(board))].map(([id, cell]) => [id, spotOf(cell)])) };
};

test('[PAGE-237] a board as Mermaid, DOT and SVG has its cards and the words of its strings', () => {
  const { nodes, strings: edges } = TRIANGLE;
  expect(mermaidOf({ nodes, edges })).toBe(
    'flowchart LR\n  n0["MSG-0: Number 0"]\n  n1["MSG-1: Number 1"]\n  n2["MSG-2: Number 2"]\n  n0 -- "cites" --> n1\n  n2 -- "rests on" --> n0\n',
  );
  expect(dotOf({ nodes, edges })).toContain('  "MSG-2" -> "MSG-0" [label="rests on"];');
  const svg = svgOf(pinnedOf(TRIANGLE));
  for (const said of ['MSG-0', 'Number 2', 'cites', 'rests on']) expect(svg).toContain(said);
});

test('[PAGE-237] no title breaks out of any of them', () => {
  const anyTitle = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"]; click n0 call x()', '<script>', '"];\n}\ndigraph {', '\\"', '&lt;', '-->', '`*_`'),
  );
  fc.assert(
    fc.property(anyTitle, (title) => {
      const web = titled(title);
      const drawn = { nodes: web.nodes, edges: web.strings };
      const mermaid = mermaidOf(drawn).split('\n');
      expect(mermaid).toHaveLength(7);
      for (const line of mermaid.slice(1, 4)) expect(line).toMatch(/^ {2}n\d\["[^"<>`[\]]*"\]$/u);
      const dot = dotOf(drawn).split('\n');
      expect(dot).toHaveLength(10);
      for (const line of dot.slice(3, 6)) expect(line).toMatch(/^ {2}"MSG-\d" \[label="(?:[^"\\]|\\.)*"\];$/u);
      const svg = svgOf(pinnedOf(web));
      expect(svg.replaceAll(/<(?:\/?(?:svg|g|text)|rect|line)\b[^<>]*>/gu, '')).not.toMatch(/[<>]/u);
    }),
    { numRuns: 40 },
  );
});

test('[PAGE-234] every way something can stand has a word and an icon, and is said of the card', () => {
  const [node] = TRIANGLE.nodes;
  if (node === undefined) throw new Error('there is a card');
  for (const mark of NODE_MARKS) {
    expect(MARK_LOOKS[mark].icon).toBeDefined();
    expect(spokenCard({ ...node, marks: [mark] }, 'yesterday')).toContain(MARK_LOOKS[mark].word);
  }
  expect(new Set(Object.values(KIND_LOOKS).map(({ name }) => name)).size).toBe(Object.keys(KIND_LOOKS).length);
});

test('[PAGE-230] a card leads to the thing itself, unless it was forgotten or has no page', () => {
  const [node] = TRIANGLE.nodes;
  if (node === undefined) throw new Error('there is a card');
  expect(placeOfCard({ ...node, ref: 'SB-4', kind: 'sidebar' })).toBe('/refs/SB-4');
  expect(placeOfCard({ ...node, ref: 'a b', kind: 'session' })).toBe('/sessions/a%20b');
  expect(placeOfCard({ ...node, ref: 'u-1', uuid: 'u-1', kind: 'record', context: 'S' })).toBe('/sessions/S?at=u-1');
  expect(placeOfCard({ ...node, ref: 'src/pool.ts', kind: 'file' })).toBeNull();
  expect(placeOfCard({ ...node, marks: ['forgotten'] })).toBeNull();
});
