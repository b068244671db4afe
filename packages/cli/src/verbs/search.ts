import { printableLine } from '@yarnboard/transcript';
import type { OutputOf } from '@yarnboard/protocol';
import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { oneOf, readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { Refusal } from '../refusal.ts';

/** `yarnboard search`: finds words, phrases and code in all messages. Exit code 1 without results. */
export const search = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('search', args, {
    ...BOARD_OPTIONS,
    json: { type: 'boolean', default: false },
    limit: { type: 'string' },
    cursor: { type: 'string' },
    reveal: { type: 'boolean', default: false },
    project: { type: 'string' },
    session: { type: 'string' },
    agent: { type: 'string' },
    actor: { type: 'string' },
    tool: { type: 'string' },
    'session-tool': { type: 'string' },
    model: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    'min-cost': { type: 'string' },
    errors: { type: 'boolean' },
    standing: { type: 'boolean' },
    mode: { type: 'string' },
  });
  const q = positionals.join(' ').trim();
  if (q === '') throw new Refusal(2, 'search for what? `yarnboard search WORDS`; `yarnboard help search` lists the filters');
  const { db: _db, demo: _demo, json, 'min-cost': minCost, 'session-tool': sessionTool, errors, actor, mode, ...filters } = values;
  if (mode !== undefined) oneOf('mode', mode, ['words', 'semantic', 'hybrid']);
  if (actor !== undefined) oneOf('actor', actor, ['human', 'agent', 'system']);
  return withBoard(placeOf(values, io), io, {}, async ({ call, board }) => {
    await board?.indexer.drain();
    const answer = await call('search', { q, ...filters, session_tool: sessionTool, mode, actor, min_cost_usd: minCost, has_error: errors });
    await io.out(json ? `${toJson({ version: 1, ...answer })}\n` : printHits(answer, io));
    return answer.items.length > 0 ? 0 : 1;
  });
};

const printHits = (answer: OutputOf<'search'>, io: Io): string => {
  const lines = answer.corrected.map(({ word, instead }) => `no "${printableLine(word)}"; looked for ${instead.map(printableLine).join(', ')}`);
  lines.push(...loosenedLines(answer));
  lines.push(...hitLines(answer.items, io));
  if (answer.items.length === 0) lines.push('nothing found');
  const { coverage } = answer;
  if (coverage?.problem !== undefined) lines.push(`(searched by words only: ${printableLine(coverage.problem)})`);
  else if (coverage?.unknown === true) lines.push('(none of these words is known to the model, so meaning went by their characters)');
  else if (coverage !== null && coverage.position < coverage.of)
    lines.push(`(only ${Math.floor((100 * coverage.position) / coverage.of)}% indexed by meaning so far, with ${printableLine(coverage.model)})`);
  else if (!answer.is_complete) lines.push('(the index is still being made: there may be more)');
  if (answer.next_cursor !== null) lines.push(`more: --cursor ${answer.next_cursor}`);
  return `${lines.join('\n')}\n`;
};

type Hit = OutputOf<'search'>['items'][number];

/** Two lines per hit: its place and metadata, and its text. */
export const hitLines = (hits: readonly Hit[], io: Io): readonly string[] =>
  hits.flatMap((hit) => {
    const where = [
      hit.ref ?? `entry ${hit.position}`,
      hit.timestamp?.slice(0, 16).replace('T', ' ') ?? '',
      hit.agent_id === null ? hit.actor : `sub-agent ${hit.agent_id}`,
      ...(hit.by === 'words' ? [] : [hit.by === 'both' ? 'by words and meaning' : 'by meaning']),
      ...hit.marks.map((mark) =>
        mark === 'superseded' && hit.superseded_by !== null ? `superseded by ${hit.superseded_by}` : mark.replace('-', ' '),
      ),
    ];
    return [`${where.join('  ')}  ${printableLine(hit.session_title ?? hit.session_id)}`, `  ${highlighted(hit, io)}`];
  });

const loosenedLines = ({ loosened }: OutputOf<'search'>): readonly string[] => {
  if (loosened === null) return [];
  const { wanted, ignored, widened } = loosened;
  return [
    ...(wanted === 'most'
      ? [`nothing has every word; looked for most of them${ignored.length === 0 ? '' : `, without ${ignored.map(printableLine).join(', ')}`}`]
      : []),
    ...(widened.length === 0
      ? []
      : [`also looked for ${widened.map(({ word, instead }) => `${instead.map(printableLine).join(', ')} (${printableLine(word)})`).join('; ')}`]),
  ];
};

// Transcript text is made printable piece by piece, so that the highlights still fit.
const highlighted = ({ snippet, highlights }: Hit, io: Io): string => {
  let text = '';
  let at = 0;
  for (const { from, to } of highlights) {
    text +=
      plain(snippet.slice(at, from)) + (io.isOutTerminal ? `\u001b[1m${plain(snippet.slice(from, to))}\u001b[22m` : plain(snippet.slice(from, to)));
    at = to;
  }
  return text + plain(snippet.slice(at));
};

const plain = (text: string): string => {
  const shown = printableLine(text.replaceAll(/\s+/gu, ' '));
  return `${text.startsWith(' ') && !shown.startsWith(' ') ? ' ' : ''}${shown}${text.length > 1 && text.endsWith(' ') && !shown.endsWith(' ') ? ' ' : ''}`;
};
