import { printable } from '@yarnboard/transcript';
import { common, createLowlight } from 'lowlight';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { tameTree, type TameTree, type WildNode } from './tame-tree.ts';
import type { Writing } from './writing.ts';

/** Makes trees that are safe to show; null for a text that is better shown as it is. */
export const createTreeMaker = (): ((writing: Writing) => TameTree | null) => {
  const lowlight = createLowlight(common);

  const codeTree = (text: string, language: string): TameTree | null =>
    lowlight.registered(language) ? highlighted(lowlight.highlight(language, printable(text))) : null;

  return (writing) => {
    // Parsers recurse for each level of nesting, and hostile texts have thousands: that overflows the stack, and must not break the page.
    try {
      return writing.kind === 'markdown' ? markdownTree(writing.text) : codeTree(writing.text, writing.language);
    } catch {
      return null;
    }
  };
};

const markdownTree = (text: string): TameTree | null => {
  let tree: TameTree | null = null;
  // The parser is accessible only through the component: its input to the renderer is intercepted and tamed.
  const take = () => (root: WildNode) => {
    tree = tameTree(root);
    return { type: 'root' as const, children: [] };
  };
  Markdown({ children: printable(text), remarkPlugins: [remarkGfm], rehypePlugins: [take as never] }); // a plugin; its types aren't available
  return tree;
};

/** Only spans with the highlighter's classes. */
const highlighted = (root: WildNode): TameTree => {
  const tame = (node: WildNode): TameTree['children'] => {
    if (node.type === 'text') return [{ type: 'text', value: String(node.value) }];
    const names = node.properties?.['className'];
    const className = Array.isArray(names) ? names.map(String).join(' ') : '';
    return [{ type: 'element', tagName: 'span', properties: { className }, children: (node.children ?? []).flatMap(tame) }];
  };
  return { type: 'root', children: (root.children ?? []).flatMap(tame) };
};
