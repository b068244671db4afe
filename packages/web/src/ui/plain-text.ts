import type { TameElement, TameText, TameTree } from './tame-tree.ts';

/** A text without its markup: paragraphs separated, list items after a dash, table rows with tabs. */
export const plainTextOf = ({ children }: TameTree): string => {
  let text = '';
  const end = (lines: number): void => {
    if (text === '') return;
    const has = /\n*$/u.exec(text)?.[0].length ?? 0;
    text += '\n'.repeat(Math.max(0, lines - has));
  };
  // An explicit stack, as deep as the document is nested.
  type Open = {
    readonly nodes: readonly (TameElement | TameText)[];
    at: number;
    readonly done: () => void;
    readonly isCode: boolean;
    readonly tagName: string;
  };
  const open: Open[] = [{ nodes: children, at: 0, done: () => {}, isCode: false, tagName: '' }];
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const node = frame.nodes[frame.at];
    frame.at += 1;
    if (node === undefined) {
      frame.done();
      open.pop();
      continue;
    }
    if (node.type === 'text') {
      // Between blocks there are only line ends.
      if (frame.isCode || node.value.trim() !== '' || !/\n/u.test(node.value)) text += node.value;
      continue;
    }
    const { tagName } = node;
    const isInItem = frame.tagName === 'li';
    // The beginning of an item follows its dash.
    if (!(isInItem && text.endsWith('- '))) {
      if (BLOCKS.has(tagName)) end(isInItem ? 1 : 2);
      else if (LINES.has(tagName)) end(1);
    }
    if (tagName === 'li') text += '- ';
    if (tagName === 'br') text += '\n';
    open.push({
      nodes: node.children,
      at: 0,
      isCode: frame.isCode || tagName === 'pre',
      tagName,
      done: () => {
        if (BLOCKS.has(tagName) && !isInItem) end(2);
        else if (LINES.has(tagName) || isInItem) end(1);
        else if (CELLS.has(tagName)) text += '\t';
      },
    });
  }
  return text.replaceAll(/\t+(?=\n|$)/gu, '').trim();
};

const BLOCKS: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'blockquote', 'ul', 'ol', 'table', 'hr']);
const LINES: ReadonlySet<string> = new Set(['li', 'tr']);
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
