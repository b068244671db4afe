import { printable } from '@yarnboard/transcript';
import { toJsxRuntime, type Components } from 'hast-util-to-jsx-runtime';
import { ExternalLink, ImageOff, SquareCheck, Square } from 'lucide-react';
import { memo, useMemo, type ReactNode } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { Code } from './code.tsx';
import './markdown.css';
import { Reference } from './reference.tsx';
import { Scroller } from './scroller.tsx';
import { useReading } from './text-reading.tsx';
import type { TameElement, TameNode, TameTree } from './tame-tree.ts';

/**
 * PAGE-1: a text of a transcript, a finding, a message: rendered as Markdown, and never more than text, links and lists. Callers cut long texts;
 * texts beyond the limit are shown as they are.
 */
export const Markdown = memo(({ text }: { readonly text: string }) => {
  const reading = useReading(text.length > MOST_READ ? null : { kind: 'markdown', text });
  const shown = useMemo(() => (reading === null || reading === 'as-it-is' ? null : elementsOf(reading)), [reading]);
  if (shown !== null) return <div className="markdown">{shown}</div>;
  return (
    <div className="markdown markdown-plain" aria-busy={reading === null || undefined}>
      {printable(text)}
    </div>
  );
});

const MOST_READ = 100_000;

const elementsOf = (tree: TameTree): ReactNode =>
  toJsxRuntime(tree as never, { Fragment, jsx, jsxs, components: COMPONENTS, passKeys: true, passNode: true }); // its nodes, without the positions in a source

/** Headings of a message aren't headings of the page: screen readers jump between those. */
const head = (level: number) => {
  const Head = ({ children }: { readonly children?: ReactNode }) => <p className={`markdown-head markdown-head-${level}`}>{children}</p>;
  return Head;
};

const propertyOf = (node: unknown, name: string): string => {
  const value = (node as TameElement | undefined)?.properties[name]; // our own tree's
  return typeof value === 'string' ? value : '';
};

const textOf = (nodes: readonly TameNode[]): string => nodes.map((node) => (node.type === 'text' ? node.value : textOf(node.children))).join('');

const COMPONENTS: Partial<Components> = {
  a: ({ node, children }) => {
    const reference = propertyOf(node, 'dataReference');
    if (reference !== '') return <Reference to={reference}>{children}</Reference>;
    const href = propertyOf(node, 'href');
    return href === '' ? (
      <span className="markdown-no-link">{children}</span>
    ) : (
      <a href={href} target="_blank" rel="noreferrer noopener" title={printable(href)}>
        {children}
      </a>
    );
  },
  img: ({ node }) => {
    const alt = propertyOf(node, 'alt') || 'image';
    const src = propertyOf(node, 'src');
    return src === '' ? (
      <span className="markdown-image">
        <ImageOff aria-hidden />
        {alt}
      </span>
    ) : (
      <a className="markdown-image" href={src} target="_blank" rel="noreferrer noopener" title={`Not loaded: ${printable(src)}`}>
        <ExternalLink aria-hidden />
        {alt}
      </a>
    );
  },
  pre: ({ node }) => {
    const pre = node as unknown as TameElement; // our own tree's
    const [code] = pre.children;
    return <Code text={textOf(pre.children).replace(/\n$/u, '')} language={code?.type === 'element' ? propertyOf(code, 'dataLanguage') : ''} />;
  },
  code: ({ children }) => <code className="markdown-code">{children}</code>,
  table: ({ children }) => (
    <Scroller className="markdown-table" label="Table">
      <table>{children}</table>
    </Scroller>
  ),
  input: ({ node }) => {
    const isDone = (node as unknown as TameElement).properties['checked'] === true; // our own tree's
    return (
      <span className="markdown-task">
        {isDone ? <SquareCheck aria-hidden /> : <Square aria-hidden />}
        <span className="visually-hidden">{isDone ? 'done: ' : 'to do: '}</span>
      </span>
    );
  },
  h1: head(1),
  h2: head(2),
  h3: head(3),
  h4: head(4),
  h5: head(4),
  h6: head(4),
};
