import { assertNever } from '../never.ts';
import { pageHead, pageFoot, escape, written, type HtmlOptions } from './html.ts';
import { escapeHtml, inline } from './markdown.ts';
import { printable, printableLine } from './printable.ts';

/** A message outside of any transcript. */
export type Said = { readonly id: string; readonly head: string; readonly text: string; readonly kind: 'human' | 'agent' | 'system' | 'merged' };

/** A conversation other than a session: a sidebar with its messages; or one message with its place. */
export type Talk = { readonly title: string; readonly facts: readonly string[]; readonly items: readonly Said[] };

type TalkFormat = 'text' | 'md' | 'html';

/** SHOW-13: written like a session, in the same three formats. */
export function* renderTalk({ title, facts, items }: Talk, format: TalkFormat, options: HtmlOptions = {}): Generator<string, void, undefined> {
  switch (format) {
    case 'text':
      // Facts are aligned in columns, which must stay.
      yield `${[title, ...facts].map((line) => printable(line).replaceAll('\n', ' ')).join('\n')}\n`;
      for (const { head, text } of items) yield `\n${printableLine(head)}\n${printable(text).split('\n').map(indented).join('\n')}\n`;
      return;
    case 'md':
      yield `# ${inline(title)}\n\n${facts.map(inline).join('  \n')}\n`;
      for (const { head, text } of items) yield printable(`\n### ${inline(head)}\n\n${escapeHtml(text)}\n`);
      return;
    case 'html':
      yield printable(pageHead(title, facts));
      for (const { id, head, text, kind } of items) {
        yield printable(`<article class="${kind}" id="message-${escape(id)}"><h2>${escape(head)}</h2>${written(text, options)}</article>\n`);
      }
      yield pageFoot([]);
      return;
    default:
      assertNever(format);
  }
}

const indented = (line: string): string => `  ${line}`.trimEnd();
