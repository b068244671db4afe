import type { OutputOf } from '@yarnboard/protocol';
import type { Files, Input, TestBoard } from './boards.ts';
import { prompt, reply, result, use, type Fields } from './records.ts';

export type ConversationAnswer = OutputOf<'conversation'>;
export type Step = ConversationAnswer['items'][number];

/** A whole conversation, page by page. */
export const pagesOf = async ({ get }: TestBoard, input: Input, limit = 200): Promise<ConversationAnswer> => {
  const first = await get('conversation', { ...input, from: 0, limit });
  const items = [...first.items];
  while (items.length < (first.total ?? 0)) {
    const page = await get('conversation', { ...input, from: items.length, limit });
    if (page.items.length === 0) throw new Error(`nothing at ${items.length} of ${first.total}`);
    items.push(...page.items);
  }
  return { ...first, items };
};

export const TALK = '11111111-0000-4000-8000-000000000001';
const USAGE = { ['input_tokens']: 10, ['output_tokens']: 20 };

/** A block of an API message. */
export const block = (uuid: string, parent: string, second: number, id: string, content: Fields, more: Fields = {}): Fields => ({
  ...reply(uuid, parent, second, '', more),
  message: { role: 'assistant', id, model: 'claude-opus-4-1-20250805', content: [content], usage: USAGE },
});

export const said = (text: string): Fields => ({ type: 'text', text });

const inside = (agentId: string): Fields => ({ isSidechain: true, agentId });

/** One of everything: thinking, tools that fail, a branch, sub-agents one inside the other, a compaction, another version, an image. */
export const TALK_FILES: Files = {
  [`-home-ada-loom/${TALK}.jsonl`]: [
    prompt('u1', null, 0, 'weave it'),
    block('a1', 'u1', 1, 'm1', { type: 'thinking', thinking: 'how?' }),
    block('a2', 'a1', 2, 'm1', said('I look')),
    block('a3', 'a2', 3, 'm1', use('t1', 'Bash', { command: 'ls' })),
    result('r1', 'a3', 5, 't1', 'a\nb'),
    block('b1', 'r1', 6, 'm2', use('t2', 'Read', { ['file_path']: '/x' })),
    result('r2', 'b1', 7, 't2', 'no such file', { isError: true }),
    block('c1', 'r2', 8, 'm3', said('I ask somebody')),
    block('c2', 'c1', 9, 'm3', use('t3', 'Task', { prompt: 'count', description: 'Count', ['subagent_type']: 'counter' })),
    { ...result('r3', 'c2', 20, 't3', 'two'), toolUseResult: { agentId: 'outer' } },
    block('d1', 'r3', 21, 'm4', said('two of them')),
    prompt('old', 'd1', 30, 'weave it in blue'),
    block('old1', 'old', 31, 'm5', said('blue it is')),
    prompt('u2', 'd1', 40, 'weave it in red'),
    block('e1', 'u2', 41, 'm6', use('t4', 'Bash', { command: 'rm -r /' })),
    result('r4', 'e1', 42, 't4', "The user doesn't want to proceed with this tool use.", { isError: true }),
    prompt('stop', 'r4', 43, '[Request interrupted by user for tool use]'),
    {
      ...prompt('cut', null, 50, ''),
      type: 'system',
      subtype: 'compact_boundary',
      logicalParentUuid: 'stop',
      compactMetadata: { trigger: 'auto', preTokens: 155_000 },
    },
    prompt('sum', 'cut', 51, 'what was said so far', { isCompactSummary: true }),
    {
      ...prompt('u3', 'sum', 60, '', { version: '2.1.1' }),
      message: {
        role: 'user',
        content: [said('and this?'), { type: 'image', source: { type: 'base64', ['media_type']: 'image/png', data: 'AA==' } }],
      },
    },
    block('f1', 'u3', 61, 'm7', said('a loom'), { version: '2.1.1' }),
    block('f2', 'f1', 62, 'm7', use('t5', 'Bash', { command: 'sleep 9' }), { version: '2.1.1' }),
  ],
  [`-home-ada-loom/${TALK}/subagents/agent-outer.jsonl`]: [
    prompt('o1', null, 10, 'count', inside('outer')),
    block('o2', 'o1', 11, 'n1', use('t6', 'Task', { prompt: 'count deeper', ['subagent_type']: 'deep' }), inside('outer')),
    { ...result('o3', 'o2', 18, 't6', 'one', inside('outer')), toolUseResult: { agentId: 'inner' } },
    block('o4', 'o3', 19, 'n2', said('two'), inside('outer')),
  ],
  [`-home-ada-loom/${TALK}/subagents/agent-inner.jsonl`]: [
    prompt('i1', null, 12, 'count deeper', inside('inner')),
    block('i2', 'i1', 13, 'k1', said('one'), inside('inner')),
  ],
};
