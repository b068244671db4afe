import type { OutputOf } from '@yarnboard/protocol';
import { minute } from './sidebar.ts';
import { table } from './table.ts';

/** How full the context was: now, at its peak, at each compaction, and what fills it. */
export const printContext = ({ points, window, peak, responses, compactions, tools }: OutputOf<'context'>): string => {
  const last = points.at(-1);
  if (last === undefined) return 'no token counts on record\n';
  const full = window === null ? '' : ` of ${window} (${Math.round((last.tokens / window) * 100)}%)`;
  const share = (tokens: number): string => `${Math.round((tokens / last.tokens) * 100)}%`;
  const kinds = Object.entries(last.fill).filter(([, tokens]) => tokens > 0);
  return [
    `${last.tokens} tokens${full} at the latest response, ${peak} at the peak, ${responses} responses\n`,
    table(
      ['filled by', '>tokens', '>share'],
      [
        ...kinds.map(([kind, tokens]) => [KINDS[kind as keyof typeof KINDS], String(tokens), share(tokens)]), // the keys of its schema
        ...tools.slice(0, MOST_TOOLS).map(({ name, tokens }) => [`  of ${name}`, String(tokens), share(tokens)]),
      ],
    ),
    ...compactions.map(
      ({ at, trigger, before, after }) =>
        `compacted ${minute(at)}${trigger === null ? '' : ` (${trigger})`}: ${before ?? '?'} tokens before, ${after ?? '?'} after\n`,
    ),
  ].join('');
};

const KINDS = {
  start: 'system and tools',
  prompts: 'prompts',
  replies: 'replies',
  results: 'tool results',
  agents: 'sub-agents',
  attachments: 'attachments',
  summary: 'summary',
  other: 'other',
} as const satisfies Record<keyof OutputOf<'context'>['points'][number]['fill'], string>;

const MOST_TOOLS = 8;
