import { cutText, type NodeKind, type StringKind } from '@yarnboard/domain';
import { STRING_WORDS } from './strings.ts';

/** The part of a trace that is drawn. */
export type DrawnStrings = {
  readonly nodes: readonly { readonly ref: string; readonly kind: NodeKind; readonly title: string | null }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly kind: StringKind }[];
};

/** TRACE: cards and strings as a Mermaid flowchart. */
export const mermaidOf = ({ nodes, edges }: DrawnStrings): string => {
  const ids = new Map(nodes.map(({ ref }, n) => [ref, `n${n}`]));
  return [
    'flowchart LR',
    ...nodes.map((node) => `  ${ids.get(node.ref) ?? ''}["${mermaidText(labelOf(node).join(': '))}"]`),
    ...edges.flatMap(({ from, to, kind }) => {
      const [a, b] = [ids.get(from), ids.get(to)];
      return a === undefined || b === undefined ? [] : [`  ${a} -- "${STRING_WORDS[kind].words}" --> ${b}`];
    }),
    '',
  ].join('\n');
};

/** Cards and strings in Graphviz's language. */
export const dotOf = ({ nodes, edges }: DrawnStrings): string => {
  const known = new Set(nodes.map(({ ref }) => ref));
  return [
    'digraph trace {',
    '  rankdir=LR;',
    '  node [shape=box];',
    ...nodes.map((node) => `  ${quoted(node.ref)} [label=${quoted(labelOf(node).join('\n'))}];`),
    ...edges
      .filter(({ from, to }) => known.has(from) && known.has(to))
      .map(({ from, to, kind }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(STRING_WORDS[kind].words)}];`),
    '}',
    '',
  ].join('\n');
};

const labelOf = ({ ref, title }: DrawnStrings['nodes'][number]): readonly string[] => {
  const line = (title ?? '').replace(/[\p{C}\s]+/gu, ' ').trim();
  return line === '' || line === ref ? [ref] : [ref, line.length > MOST_OF_TITLE ? `${cutText(line, MOST_OF_TITLE)}…` : line];
};

/** Mermaid reads HTML and Markdown in its labels: any such character is written as its number. */
const mermaidText = (text: string): string => text.replace(/["#&<>`*_[\]{}|\\]/gu, (sign) => `#${sign.codePointAt(0) ?? 0};`);

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replace(/\r?\n/gu, '\\n')}"`;

const MOST_OF_TITLE = 80;
