import { expect, test } from 'vitest';
import { conditionsIn } from '../../../src/features/citations/gold-dialog.tsx';
import { inShort } from '../../../src/shared/reference-gist.tsx';
import { readTyped } from '../../../src/shared/reference-entry.ts';

test('[PAGE-101] several references can be typed at once; what is none is left with the reason', () => {
  expect(readTyped('msg-1, scratch-sb-2:finding-3;  CITE-04 FILE-AB12:1-2')).toEqual({
    refs: ['MSG-1', 'SCRATCH-2:FINDING-3', 'FILE-ab12:1-2'],
    left: 'CITE-04',
    why: '“CITE-04” isn’t a reference. Try CITE-12.',
  });
  expect(readTyped('  ')).toEqual({ refs: [], left: '', why: undefined });
});

test('[PAGE-101] what a reference stands for is shown in a line, without the signs of Markdown', () => {
  expect(inShort('## The **pool**\n\n```ts\nconst a_b = `1`;\n```')).toBe('The pool const a_b = 1;');
  expect(inShort('abcdef', 3)).toBe('abc…');
});

test('[PAGE-111] a waypoint has one condition for each line', () => {
  expect(conditionsIn(' a + b \n\n  c\n')).toEqual(['a + b', 'c']);
});
