import { expect, test } from 'vitest';
import { createTextReader, type Reading } from '../../src/ui/text-reader.ts';
import type { TameTree } from '../../src/ui/tame-tree.ts';
import type { Writing } from '../../src/ui/writing.ts';

const markdown = (text: string): Writing => ({ kind: 'markdown', text });
const treeOf = (text: string): TameTree => ({ type: 'root', children: [{ type: 'text', value: text }] });

/** Threads that answer when they are told to, and a clock that is moved by hand. */
const open = (mostHeld = 1000) => {
  const log: string[] = [];
  const clocks = new Set<() => void>();
  let answer: (tree: TameTree | null) => void = () => {};
  let threads = 0;
  const reader = createTextReader({
    mostHeld,
    startThread: () => {
      threads += 1;
      const name = `thread ${threads}`;
      let listener: (event: { data: unknown }) => void = () => {};
      return {
        addEventListener: (type: string, given: unknown) => {
          if (type === 'message') listener = given as typeof listener; // as a worker's
        },
        postMessage: ({ id, writing }: { readonly id: number; readonly writing: Writing }) => {
          log.push(`${name} reads ${writing.text}`);
          answer = (tree) => listener({ data: { id, tree } });
        },
        terminate: () => log.push(`${name} ends`),
      };
    },
    later: (_, work) => {
      clocks.add(work);
      return () => void clocks.delete(work);
    },
  });
  const heard: [string, Reading][] = [];
  return {
    reader,
    log,
    heard,
    clocks,
    want: (text: string) => reader.want(markdown(text), (reading) => heard.push([text, reading])),
    answer: (tree: TameTree | null) => answer(tree),
    timeout: () => {
      const due = [...clocks]; // those that are set meanwhile wait
      for (const work of due) work();
    },
  };
};

test('[PAGE-6] what is wanted last is read first, what nobody wants any more is not read', () => {
  const { want, answer, log, heard } = open();
  want('a');
  const drop = want('b');
  want('c');
  want('d');
  drop();
  for (const text of ['a', 'd', 'c']) answer(treeOf(text));
  expect(log).toEqual(['thread 1 reads a', 'thread 1 reads d', 'thread 1 reads c']);
  expect(heard).toEqual(['a', 'd', 'c'].map((text) => [text, treeOf(text)]));
});

test('[PAGE-6] a text that takes too long is shown as it is, and the next is read by another thread', () => {
  const { want, answer, log, heard, timeout, clocks } = open();
  want('tangled');
  want('plain');
  timeout();
  answer(treeOf('plain'));
  expect(log).toEqual(['thread 1 reads tangled', 'thread 1 ends', 'thread 2 reads plain']);
  expect(heard).toEqual([
    ['tangled', 'as-it-is'],
    ['plain', treeOf('plain')],
  ]);
  expect(clocks.size).toBe(0);
});

test('[PAGE-6] what was read is known until there is too much of it; what is looked at again stays longest', () => {
  const { reader, want, answer, log } = open(30);
  for (const text of ['aaaaaaaaa', 'bbbbbbbbb', 'ccccccccc']) {
    want(text);
    answer(treeOf(text));
  }
  expect(reader.known(markdown('aaaaaaaaa'))).toEqual(treeOf('aaaaaaaaa'));
  want('ddddddddd');
  answer(null);
  expect(['aaaaaaaaa', 'bbbbbbbbb', 'ccccccccc', 'ddddddddd'].map((text) => reader.known(markdown(text)))).toEqual([
    treeOf('aaaaaaaaa'),
    null,
    treeOf('ccccccccc'),
    'as-it-is',
  ]);
  want('aaaaaaaaa');
  expect(log).toHaveLength(4);
});

test('[PAGE-6] what may soon be wanted is read when there is nothing else to read', () => {
  const { reader, want, answer, log, heard } = open();
  reader.readAhead(['a', 'b', 'c'].map(markdown));
  want('x');
  for (const text of ['a', 'x', 'b']) answer(treeOf(text));
  reader.readAhead(['b', 'd'].map(markdown));
  want('b');
  answer(treeOf('c'));
  answer(treeOf('d'));
  expect(log).toEqual(['a', 'x', 'b', 'c', 'd'].map((text) => `thread 1 reads ${text}`));
  expect(heard).toEqual([
    ['x', treeOf('x')],
    ['b', treeOf('b')],
  ]);
});

test('[PAGE-6] a reader that is closed ends its thread, and answers nobody', () => {
  const { reader, want, answer, log, heard, timeout } = open();
  want('a');
  reader.close();
  answer(treeOf('a'));
  timeout();
  expect([log, heard]).toEqual([['thread 1 reads a', 'thread 1 ends'], []]);
});
