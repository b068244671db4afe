// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { Code } from '../../src/ui/code.tsx';

// What reads texts is loaded by the first test.

afterEach(cleanup);

const show = (text: string, language: string): HTMLElement => render(<Code text={text} language={language} />).container;

test('[PAGE-7] code is highlighted in its language, and nothing of it becomes an element', async () => {
  const code = 'const a = "<img src=x onerror=alert(1)>"; // \u202E';
  const place = show(code, 'TS');
  await waitFor(() => expect(place.querySelector('.hljs-keyword')?.textContent).toBe('const'));
  expect(new Set([...place.querySelectorAll('code *')].map(({ localName }) => localName))).toEqual(new Set(['span']));
  expect(place.querySelector('code')?.textContent).toBe(code.replace('\u202E', '\ufffd'));
});

test.each([
  ['a language nobody knows', 'let a', 'klingon'],
  ['no language', 'let a', ''],
  ['more than 30,000 characters', 'let a;\n'.repeat(5000), 'ts'],
])('[PAGE-7] code is shown plain: %s', async (_, text, language) => {
  const place = show(text, language);
  // The highlighter is there once it has read another text.
  const other = show('let b', 'ts');
  await waitFor(() => expect(other.querySelector('.hljs-keyword')).not.toBeNull());
  expect([place.querySelectorAll('code *').length, place.querySelector('code')?.textContent]).toEqual([0, text]);
});

test('[PAGE-7] what is copied is the code as it was written', async () => {
  const user = userEvent.setup();
  show('a\u202Eb', '');
  await user.click(screen.getByRole('button', { name: 'Copy code' }));
  expect(await navigator.clipboard.readText()).toBe('a\u202Eb');
});
