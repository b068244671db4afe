// @vitest-environment happy-dom
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Markdown } from '../../src/ui/markdown.tsx';
import type { TameNode } from '../../src/ui/tame-tree.ts';
import { createTreeMaker } from '../../src/ui/text-trees.ts';

// What reads texts is loaded by the first test.

afterEach(cleanup);

const shown = async (text: string): Promise<HTMLElement> => {
  const { container } = render(<Markdown text={text} />);
  await waitFor(() => expect(container.querySelector('.markdown-plain')).toBeNull());
  return container;
};

const elementsIn = (place: HTMLElement): readonly string[] => [...place.querySelectorAll('*')].map(({ localName }) => localName);

const attributesIn = (place: HTMLElement): ReadonlySet<string> =>
  new Set([...place.querySelectorAll('*')].flatMap((element) => [...element.attributes].map(({ name }) => name)));

test.each([
  ['a script', '<script>document.title = "taken"</script>'],
  ['an image with a handler', 'look <img src=x onerror="document.title = 1"> here'],
  ['a drawing', '<svg onload="document.title = 1"><use href="#x"/></svg>'],
  ['a style', '<div style="position:fixed;inset:0">over everything</div><style>* { display: none }</style>'],
  ['a frame', '<iframe src="https://example.com"></iframe>'],
  ['a form', '<form action="https://example.com"><input autofocus onfocus="document.title = 1"></form>'],
])('[PAGE-1] %s stays text', async (_, text) => {
  const place = await shown(text);
  expect(elementsIn(place).filter((name) => !['div', 'p'].includes(name))).toEqual([]);
  expect(place.textContent?.trim()).toBe(text);
});

test.each([
  ['javascript:alert(1)'],
  ['JaVaScRiPt:alert(1)'],
  ['data:text/html,alert(1)'],
  ['vbscript:msgbox(1)'],
  ['file:///etc/passwd'],
  ['/sessions/1'],
  ['//example.com/x'],
  ['#here'],
  ['relative.html'],
  ['blob:https://example.com/1'],
])('[PAGE-1] a link to %s is text', async (address) => {
  const place = await shown(`before [words](<${address}>) behind`);
  expect(place.querySelectorAll('a')).toHaveLength(0);
  expect(place.textContent).toBe('before words behind');
});

test.each([['https://example.com/a?b=1'], ['http://example.com'], ['mailto:a@example.com']])(
  '[PAGE-1] %s opens outside, and is not told from where',
  async (address) => {
    const [link] = (await shown(`[words](${address})`)).querySelectorAll('a');
    expect({ href: link?.getAttribute('href'), target: link?.target, rel: link?.rel, words: link?.textContent }).toEqual({
      href: address,
      target: '_blank',
      rel: 'noreferrer noopener',
      words: 'words',
    });
  },
);

test('[PAGE-1] images are never loaded: one from outside is a link, any other its description', async () => {
  const place = await shown('![a cat](https://example.com/cat.png) ![a dot](data:image/png;base64,AAAA) ![a file](/etc/icon.png)');
  expect(elementsIn(place)).not.toContain('img');
  expect([...place.querySelectorAll('a')].map(({ href, textContent }) => ({ href, textContent }))).toEqual([
    { href: 'https://example.com/cat.png', textContent: 'a cat' },
  ]);
  expect(place.textContent).toBe('a cat a dot a file');
});

test('[PAGE-1] no attribute comes from a text but addresses of links', async () => {
  const place = await shown(
    '# Head {onclick=x}\n\n[^1] ~~x~~\n\n[^1]: note\n\n| a | b |\n|:-|-:|\n| <b onclick=x> | c |\n\n```js onclick=x\na\n```\n\n<a id=main href=x>y</a>',
  );
  expect([...attributesIn(place)].filter((name) => /^(?:on|id$|name$|src$|srcset$|action$)/u.test(name))).toEqual([]);
});

test('[PAGE-2] characters that control or turn what follows are visible', async () => {
  const place = await shown('a\u202Eb\u2066c\u0000d\u001b[31me\u0007f');
  expect(place.textContent).toBe('a\ufffdb\ufffdc\u2400d\u241b[31me\u2407f');
});

const depthOf = (nodes: readonly TameNode[]): number =>
  nodes.length === 0 ? 0 : 1 + Math.max(...nodes.map((node) => (node.type === 'text' ? 0 : depthOf(node.children))));

test.each([
  ['quotes', '> '.repeat(1000) + 'deep'],
  ['quotes without spaces', '>'.repeat(1000) + 'deep'],
  ['emphasis', '*a **b '.repeat(60) + 'deep' + ' c** d*'.repeat(60)],
  ['links', '['.repeat(1000) + 'deep' + '](https://example.com)'.repeat(1000)],
  ['lists', '- '.repeat(1000) + 'deep'],
])('[PAGE-4] %s nested without end are cut to a depth that holds', (_, text) => {
  // Null, where the stack of the parser ends before: then it is shown as it is.
  const tree = createTreeMaker()({ kind: 'markdown', text }) ?? { children: [{ type: 'text', value: text }] };
  expect(depthOf(tree.children)).toBeLessThan(30);
  expect(JSON.stringify(tree)).toContain('deep');
});

test('[PAGE-4] a table of a million cells is more than a page can show, so it is shown as it is', () => {
  const text = `|${'a|'.repeat(1000)}\n|${'-|'.repeat(1000)}\n${'|\n'.repeat(1000)}`;
  expect(createTreeMaker()({ kind: 'markdown', text })).toBeNull();
});

test.each([
  ['without a space', 'a'.repeat(200_000)],
  ['of lists in lists', Array.from({ length: 1000 }, (_, n) => '  '.repeat(n) + '- deep').join('\n')],
])('[PAGE-4] a text of hundreds of KB %s is shown whole and at once, as it is', (_, text) => {
  const { container } = render(<Markdown text={text} />);
  expect([container.textContent, container.querySelectorAll('*').length]).toEqual([text, 1]);
});

test('[PAGE-5] references are links to what they stand for, but not in code and in links', async () => {
  const place = await shown('See MSG-12, **SB-3** and GOLD-1. `MSG-13` [MSG-14](https://example.com)\n\n```\nMSG-15\n```');
  expect([...place.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.textContent])).toEqual([
    ['/refs/MSG-12', 'MSG-12'],
    ['/refs/SB-3', 'SB-3'],
    ['/refs/GOLD-1', 'GOLD-1'],
    ['https://example.com', 'MSG-14'],
  ]);
});

test('[PAGE-9] heads of a text are no heads of the page, tasks say how they stand, tables can be scrolled by keyboard', async () => {
  const place = await shown('# One\n\n## Two\n\n- [x] first\n- [ ] second\n\n| a |\n|---|\n| b |');
  expect(place.querySelectorAll('h1, h2, h3, h4, h5, h6, input')).toHaveLength(0);
  expect([...place.querySelectorAll('.markdown-head')].map(({ textContent }) => textContent)).toEqual(['One', 'Two']);
  expect([...place.querySelectorAll('li')].map(({ textContent }) => textContent?.replaceAll(/\s+/gu, ' '))).toEqual(['done: first', 'to do: second']);
  expect(place.querySelector('[role=group] table')?.parentElement?.tabIndex).toBe(0);
});
