import { findRefs } from '@yarnboard/domain';

/** What is left of a document once everything that could act, load or mislead is removed. */
export type TameText = { readonly type: 'text'; readonly value: string };
export type TameElement = {
  readonly type: 'element';
  readonly tagName: string;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  readonly children: readonly TameNode[];
};
export type TameNode = TameText | TameElement;
export type TameTree = { readonly type: 'root'; readonly children: readonly TameNode[] };

/** A parser's node, with only the fields used here. */
export type WildNode = {
  readonly type: string;
  readonly value?: unknown;
  readonly tagName?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly WildNode[];
};

/**
 * PAGE-1, PAGE-4: elements, properties and addresses that aren't known to be harmless are removed, and markup stays text. Below `MOST_DEEP` levels,
 * only the text is kept; null if there is more than a page could show (a table of 6 KB can have a million cells).
 */
export const tameTree = (root: WildNode): TameTree | null => {
  const budget = { left: MOST_NODES };
  const children = tameAll(root.children ?? [], 0, budget, { isPlain: false, isAmongBlocks: true });
  return budget.left < 0 ? null : { type: 'root', children };
};

type Budget = { left: number };
type Place = {
  /** A reference is part of something else here. */ readonly isPlain: boolean;
  /** Paragraphs are expected here, not words. */ readonly isAmongBlocks: boolean;
};

const tameAll = (nodes: readonly WildNode[], depth: number, budget: Budget, place: Place): readonly TameNode[] =>
  budget.left < 0 ? [] : nodes.flatMap((node) => tame(node, depth, budget, place));

const tame = (node: WildNode, depth: number, budget: Budget, place: Place): readonly TameNode[] => {
  budget.left -= 1;
  if (budget.left < 0) return [];
  if (node.type === 'text' || node.type === 'raw') {
    const value = typeof node.value === 'string' ? node.value : '';
    if (node.type === 'text') return place.isPlain ? [{ type: 'text', value }] : withReferences(value);
    return place.isAmongBlocks ? [{ type: 'element', tagName: 'p', properties: {}, children: [{ type: 'text', value }] }] : [{ type: 'text', value }];
  }
  if (node.type !== 'element' || typeof node.tagName !== 'string') return [];
  if (depth >= MOST_DEEP) return [{ type: 'text', value: textIn(node, budget) }];
  const children = node.children ?? [];
  const kept = ELEMENTS[node.tagName];
  if (kept === undefined) return tameAll(children, depth + 1, budget, place);
  const inside: Place = { isPlain: place.isPlain || node.tagName === 'code' || node.tagName === 'a', isAmongBlocks: node.tagName === 'blockquote' };
  return [
    {
      type: 'element',
      tagName: node.tagName,
      properties: kept(node.properties ?? {}),
      children: tameAll(children, depth + 1, budget, inside),
    },
  ];
};

/** The text of everything below a node, at any depth: without recursion. */
const textIn = (node: WildNode, budget: Budget): string => {
  const parts: string[] = [];
  const waiting: WildNode[] = [node];
  for (let next = waiting.pop(); next !== undefined && budget.left >= 0; next = waiting.pop()) {
    budget.left -= 1;
    if (typeof next.value === 'string') parts.push(next.value);
    else waiting.push(...(next.children ?? []).toReversed());
  }
  return parts.join('');
};

const withReferences = (text: string): readonly TameNode[] => {
  const found = findRefs(text);
  if (found.length === 0) return [{ type: 'text', value: text }];
  const nodes = found.flatMap(({ from, to }, n): readonly TameNode[] => {
    const spelling = text.slice(from, to);
    return [
      { type: 'text', value: text.slice(found[n - 1]?.to ?? 0, from) },
      { type: 'element', tagName: 'a', properties: { dataReference: spelling }, children: [{ type: 'text', value: spelling }] },
    ];
  });
  return [...nodes, { type: 'text', value: text.slice(found.at(-1)?.to ?? 0) }];
};

type Properties = TameElement['properties'];
type Kept = (properties: Readonly<Record<string, unknown>>) => Properties;

const nothing: Kept = () => ({});

/** The address of a link that may be opened, otherwise an empty text: a relative one would lead into the page itself. */
const outsideAddress = (address: unknown): string => {
  if (typeof address !== 'string' || !/^(?:https?:\/\/|mailto:)/iu.test(address)) return '';
  return URL.canParse(address) ? address : '';
};

const aligned: Kept = ({ align }) => (align === 'left' || align === 'right' || align === 'center' ? { align } : {});

const ELEMENTS: Readonly<Record<string, Kept | undefined>> = {
  a: ({ href }) => ({ href: outsideAddress(href) }),
  img: ({ src, alt }) => ({ src: outsideAddress(src), alt: typeof alt === 'string' ? alt : '' }),
  code: ({ className }) => {
    const language = (Array.isArray(className) ? className : []).find((one): one is string => typeof one === 'string' && one.startsWith('language-'));
    return language === undefined ? {} : { dataLanguage: language.slice('language-'.length).slice(0, 40) };
  },
  ol: ({ start }) => (typeof start === 'number' && Number.isSafeInteger(start) ? { start } : {}),
  input: ({ checked }) => ({ checked: checked === true }),
  th: aligned,
  td: aligned,
  ...Object.fromEntries(
    [
      'p',
      'strong',
      'em',
      'del',
      'pre',
      'ul',
      'li',
      'blockquote',
      'hr',
      'br',
      'table',
      'thead',
      'tbody',
      'tr',
      'sup',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
    ].map((name) => [name, nothing]),
  ),
};

const MOST_DEEP = 24;
const MOST_NODES = 20_000;
