// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { terminalRuns, TerminalText } from '../../src/ui/terminal-text.tsx';

afterEach(cleanup);

const ESC = '\u001b';

test.each([
  [
    'colours',
    `${ESC}[31mred${ESC}[0m plain ${ESC}[1;42mbold`,
    [
      { text: 'red', look: 'terminal-ink-red' },
      { text: ' plain ', look: '' },
      { text: 'bold', look: 'terminal-ground-green terminal-bold' },
    ],
  ],
  [
    'a bright colour and one of a palette',
    `${ESC}[92mok${ESC}[38;5;200m!${ESC}[38;2;1;2;3m?`,
    [
      { text: 'ok', look: 'terminal-ink-green' },
      { text: '!?', look: '' },
    ],
  ],
  [
    'moves, erasing, titles and links',
    `${ESC}[2J${ESC}[1;1Ha${ESC}]0;title\u0007b${ESC}]8;;https://example.com${ESC}\\c${ESC}]8;;${ESC}\\${ESC}[?25l${ESC}(Bd`,
    [{ text: 'abcd', look: '' }],
  ],
  ['a progress bar', '10%\r50%\r100%\r\ndone', [{ text: '100%\ndone', look: '' }]],
  ['hidden text', `${ESC}[8msecret`, [{ text: 'secret', look: 'terminal-hidden' }]],
  ['a code that breaks off', `a${ESC}[`, [{ text: 'a\u241b[', look: '' }]],
  ['signs that turn what follows', 'a\u202eb\u0008c', [{ text: 'a\ufffdb\u2408c', look: '' }]],
])('[PAGE-3] %s', (_, text, runs) => {
  expect(terminalRuns(text)).toEqual(runs);
});

test('[PAGE-3] whatever comes, no code is left to obey', () => {
  const part = fc.oneof(
    fc.constantFrom(ESC, '[', ']', '31m', ';', '\u0007', '\u009b', '\r', '\n', '\u202e', 'x', '8;;', '\\', 'P', '?25h', '38;5;', '\u0000'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = terminalRuns(parts.join(''))
        .map((run) => run.text)
        .join('');
      // oxlint-disable-next-line no-control-regex -- escape codes are what this is about
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('[PAGE-3] more codes than words: the words', () => {
  expect(terminalRuns(`${ESC}[1m`.repeat(100_000) + 'end')).toEqual([{ text: 'end', look: '' }]);
});

test('[PAGE-3] markup in an output is text', () => {
  const { container } = render(<TerminalText text={`${ESC}[31m<b onclick="x">bold</b>${ESC}[0m`} />);
  expect([container.querySelectorAll('pre *').length, container.textContent]).toEqual([1, '<b onclick="x">bold</b>']);
});
