import { expect, test } from 'vitest';
import { plainTextOf } from '../../src/ui/plain-text.ts';
import { createTreeMaker } from '../../src/ui/text-trees.ts';

const plain = (markdown: string): string => {
  const tree = createTreeMaker()({ kind: 'markdown', text: markdown });
  return tree === null ? markdown : plainTextOf(tree);
};

test.each([
  ['**Bold** and `code`.\n\nNext *one*.', 'Bold and code.\n\nNext one.'],
  ['# Title\n\n- one\n- two **2**\n\nEnd', 'Title\n\n- one\n- two 2\n\nEnd'],
  ['- one\n\n- two', '- one\n- two'],
  ['```ts\nconst a = 1;\n\n\nb();\n```', 'const a = 1;\n\n\nb();'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a\tb\n1\t2'],
  ['[here](https://example.org)', 'here'],
  ['', ''],
])('[PAGE-554] plain text has the words without the marks: %j', (markdown, text) => {
  expect(plain(markdown)).toBe(text);
});
