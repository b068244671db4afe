import type { Item } from '@yarnboard/store';
import { expect, test } from 'vitest';
import { createSeatTranscript, type SeatTranscript } from '../../src/runtimes/seat-transcript.ts';

type Line = {
  readonly type: string;
  readonly message?: { readonly content: string | readonly { readonly text?: string }[]; readonly usage?: object };
};

/** Time goes on when the test says so. */
const watched = (): { readonly transcript: SeatTranscript; readonly pass: () => void; readonly replies: () => Promise<readonly string[]> } => {
  const items: Item[] = [];
  let waiting: (() => void)[] = [];
  const transcript = createSeatTranscript({
    place: { agent: 'AGENT-ada', sidebarId: 'one' },
    title: 'AGENT-ada in SB-1',
    cwd: '/src',
    model: 'm',
    version: '0',
    append: (more) => {
      items.push(...more);
      return Promise.resolve([]);
    },
    now: () => 0,
    newId: () => `id-${items.length}`,
    after: (_, work) => {
      waiting.push(work);
      return () => {
        waiting = waiting.filter((one) => one !== work);
      };
    },
    onFault: (cause) => {
      throw cause;
    },
  });
  const settled = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  return {
    transcript,
    pass: () => {
      for (const work of waiting.splice(0)) work();
    },
    replies: async () => {
      await settled();
      const lines = items.map(({ payload }) => JSON.parse(Buffer.from(payload ?? []).toString()) as Line); // our own lines
      return lines.flatMap(({ type, message }) =>
        type === 'assistant' && typeof message?.content === 'object' ? [message.content.map(({ text }) => text ?? '').join('')] : [],
      );
    },
  };
};

const USAGE = { model: 'm', inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null };

test('[RT-67] paragraphs that are finished are shown while more is written, the rest at the end, and nothing twice', async () => {
  const { transcript, pass, replies } = watched();
  transcript.prompt('turn-1', 'go');
  transcript.text('The first is cold.\n\nThe sec');
  expect(await replies()).toEqual([]);
  pass();
  expect(await replies()).toEqual(['The first is cold.']);
  transcript.text('ond is warm.');
  pass();
  expect(await replies()).toEqual(['The first is cold.']);
  transcript.usage(USAGE);
  pass();
  expect(await replies()).toEqual(['The first is cold.', 'The second is warm.']);
  await transcript.close();
  expect(await replies()).toHaveLength(2);
});

test('[RT-67] a block of code is not cut in two, and what has no end yet waits', async () => {
  const { transcript, pass, replies } = watched();
  transcript.prompt('turn-1', 'go');
  transcript.text('Look:\n\n```\na();\n\nb();');
  pass();
  transcript.text('\n```\n\nThat is all');
  pass();
  expect(await replies()).toEqual(['Look:\n\n```\na();\n\nb();\n```']);
  transcript.flush();
  expect((await replies()).at(-1)).toBe('That is all');
  await transcript.close();
});
