import { STRING_WORDS, wordOfString, type OutputOf } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';

type Trace = OutputOf<'trace'>;
type Node = Trace['nodes'][number];

/** A trace as a tree: each thing once, below the thing it was reached from, with the word of the string between them; then what was left out. */
export const printTrace = (answer: Trace): string => {
  const { root, ways, next_cursor: next } = answer;
  const lines =
    ways !== null
      ? wayLines(answer, ways)
      : root.includes('..') && answer.nodes.every(({ ref }) => ref !== root)
        ? stretchLines(answer)
        : treeLines(answer);
  if (answer.unknown_calls > 0) lines.push(`(${counted(answer.unknown_calls, 'shell command')} may have touched other files)`);
  if (next !== null) lines.push(`more: --cursor ${next}`);
  return `${lines.join('\n')}\n`;
};

const treeLines = ({ root, nodes, edges, cut }: Trace): string[] => {
  const byRef = new Map(nodes.map((node) => [node.ref, node]));
  const at = new Map<string, Trace['edges']>();
  for (const edge of edges) for (const end of [edge.from, edge.to]) at.set(end, [...(at.get(end) ?? []), edge]);
  const more = new Map(cut.map((one) => [one.ref, one.more]));
  // Built breadth first, so that each thing is as near to the root as possible; printed depth first, with a stack.
  const below = new Map<string, { readonly word: string; readonly ref: string }[]>();
  const seen = new Set([root]);
  for (const ref of seen) {
    for (const edge of at.get(ref) ?? []) {
      const other = edge.from === ref ? edge.to : edge.from;
      if (seen.has(other)) continue;
      seen.add(other);
      below.set(ref, [...(below.get(ref) ?? []), { word: wordOfString(edge, ref), ref: other }]);
    }
  }
  const lines: string[] = [];
  const stack = [{ ref: root, word: '', indent: 0 }];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    const node = byRef.get(one.ref);
    const pad = '  '.repeat(one.indent);
    lines.push(`${pad}${one.word === '' ? '' : `${one.word} `}${node === undefined ? printableLine(one.ref) : lineOf(node)}`);
    const left = Object.entries(more.get(one.ref) ?? {}).map(([kind, count]) => `${count} ${STRING_WORDS[kind as keyof typeof STRING_WORDS].words}`); // the keys of its schema
    if (left.length > 0) lines.push(`${pad}  (not shown: ${left.join(', ')})`);
    const { indent } = one;
    stack.push(...(below.get(one.ref) ?? []).toReversed().map((child) => ({ ...child, indent: indent + 1 })));
  }
  return lines;
};

const wayLines = ({ nodes, edges }: Trace, ways: NonNullable<Trace['ways']>): string[] => {
  if (ways.length === 0) return ['no way between them within 12 steps'];
  const byRef = new Map(nodes.map((node) => [node.ref, node]));
  return ways.flatMap((way, nth) => [
    ...(nth === 0 ? [] : ['']),
    ...way.map((ref, at) => {
      const before = way[at - 1];
      const edge = edges.find(({ from, to }) => (from === before && to === ref) || (to === before && from === ref));
      const node = byRef.get(ref);
      const told = node === undefined ? printableLine(ref) : lineOf(node);
      return before === undefined || edge === undefined ? told : `  ${wordOfString(edge, before)} ${told}`;
    }),
  ]);
};

const stretchLines = ({ nodes }: Trace): string[] => nodes.map(lineOf);

const lineOf = ({ ref, title, at, by, marks }: Node): string => {
  const told = [
    printableLine(ref),
    ...(title === null || title === ref ? [] : [printableLine(title)]),
    at?.slice(0, 16).replace('T', ' ') ?? '',
    by ?? '',
  ];
  return `${told.filter((part) => part !== '').join('  ')}${marks.length === 0 ? '' : ` [${marks.join(', ')}]`}`;
};

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
