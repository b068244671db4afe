import { below, layOut, MB, type Verdict } from '../measure/table.ts';
import type { Opening, PageSize } from './job.ts';

const longest = (tasks: readonly number[]): string => (tasks.length === 0 ? 'none' : `${tasks.length}, longest ${Math.max(...tasks)}`);

export const describeOpenings = (openings: readonly Opening[]): string => {
  const header = ['session of', ...openings.map(({ messages }) => `${messages.toLocaleString('en')} messages`), 'ratio'];
  const ratio = (of: (one: Opening) => number): string => {
    const [small, large] = [openings[0], openings.at(-1)];
    return small === undefined || large === undefined ? '' : (of(large) / of(small)).toFixed(2);
  };
  const row = (title: string, of: (one: Opening) => number, text: (n: number) => string): readonly string[] => [
    title,
    ...openings.map((one) => text(of(one))),
    ratio(of),
  ];
  const ms = (n: number): string => `${n.toFixed(0)} ms`;
  return layOut([
    header,
    row('first paint', ({ firstPaint }) => firstPaint, ms),
    row('first message to be read', ({ firstMessage }) => firstMessage, ms),
    row('the list knows its length', ({ settled }) => settled, ms),
    ['tasks over 50 ms while opening', ...openings.map(({ openTasks }) => longest(openTasks)), ''],
    ['tasks over 50 ms while scrolling', ...openings.map(({ scrolling }) => longest(scrolling.longTasks)), ''],
    row('95 of 100 frames within', ({ scrolling }) => scrolling.p95Frame, ms),
    ['rows still missing 0.3 s after a jump', ...openings.map(({ scrolling }) => String(scrolling.unshown)), ''],
    row(
      'memory of the page after it',
      ({ heapBytes }) => heapBytes,
      (n) => `${(n / MB).toFixed(1)} MB`,
    ),
    row('elements in the page', ({ elements }) => elements, String),
  ]);
};

/** Against the short session in the same run: what depends on the length of a session is seen in the ratio. */
export const judgeOpenings = (openings: readonly Opening[]): readonly Verdict[] => {
  const [small, large] = [openings[0], openings.at(-1)];
  if (small === undefined || large === undefined) return [{ isMet: false, text: 'nothing was opened' }];
  const size = large.messages.toLocaleString('en');
  return [
    below(large.firstPaint, 1000, `${size} messages: first paint`, 'ms'),
    below(large.firstMessage, 1000, `${size} messages: first message to be read`, 'ms'),
    {
      isMet: large.scrolling.longTasks.length === 0,
      text: `${size} messages: ${longest(large.scrolling.longTasks)} tasks over 50 ms in a scripted scroll (target none)`,
    },
    below(large.heapBytes / small.heapBytes, 1.5, `${size} messages: memory of the page over that of a short session`, 'times'),
    below(large.elements / small.elements, 1.5, `${size} messages: elements over those of a short session`, 'times'),
  ];
};

export const describePageSize = ({ initialBytes, initialGzip, allGzip, files }: PageSize): string =>
  [
    `JavaScript of the first view: ${(initialGzip / 1000).toFixed(0)} KB gzipped (${(initialBytes / 1000).toFixed(0)} KB), of all views ${(allGzip / 1000).toFixed(0)} KB`,
    ...files
      .slice(0, 8)
      .map(({ name, gzip, isInitial }) => `  ${(gzip / 1000).toFixed(0).padStart(4)} KB  ${name}${isInitial ? '  (first view)' : ''}`),
  ].join('\n');

export const judgePageSize = ({ initialGzip }: PageSize): readonly Verdict[] => [
  below(initialGzip / 1000, 200, 'JavaScript of the first view, gzipped', 'KB'),
];
