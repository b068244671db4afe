import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCode } from '../src/index.ts';

const line = fc.string().filter((text) => !/[`~\r\n]/u.test(text));
const lines = fc.array(line, { maxLength: 8 }).map((all) => all.join('\n'));
const word = fc.stringMatching(/^[a-z]{1,10}$/u);
const fence = fc.constantFrom('```', '````', '~~~');
const block = fc.tuple(fence, fc.option(word, { nil: '' }), lines).map(([mark, name, inner]) => `${mark}${name}\n${inner}\n${mark}`);

describe('what is code', () => {
  test('[LOG-16] one fenced block is code, whatever is in it and around it is only space', () => {
    fc.assert(
      fc.property(block, (text) => {
        expect([isCode(text), isCode(`\n${text}\n`)]).toEqual([true, true]);
      }),
    );
  });

  test('[LOG-16] words before or behind it, and a second block, make a text of it', () => {
    fc.assert(
      fc.property(block, word, (text, said) => {
        expect([isCode(`${said}\n${text}`), isCode(`${text}\n${said}`), isCode(`${text}\n${text}`), isCode(said)]).toEqual([
          false,
          false,
          false,
          false,
        ]);
      }),
    );
  });

  test('[LOG-16] a fence that nobody closes is a text', () => {
    expect([isCode('```'), isCode('```ts'), isCode('```ts\nlet a;'), isCode('')]).toEqual([false, false, false, false]);
  });
});
