import type { Item } from '../port.ts';
import { boundary, CHEAP_MODEL, companion, customTitle, damaged, line, prompt, reply, result, summary, use } from './records.ts';

const DAY = 24 * 60;
const AGENT = { sessionId: 'weave', agentId: 'a1' } as const;
const inAgent = { isSidechain: true, agentId: 'a1' } as const;

/**
 * Two sessions written by hand. `weave` has a response split over three lines with growing usage, a sub-agent, a failed tool, an endpoint that reuses
 * a message id, a damaged line, a companion and a compaction; `twill` is a fork of it that continues alone.
 */
export const WEAVE: readonly Item[] = [
  /* 1 */ line('weave', prompt('weave a basket', { uuid: 'u1' })),
  /* 2 */ line('weave', reply('I will look', { uuid: 'u2', parent: 'u1', minute: 1, id: 'm1', request: 'r1', tokens: { output: 1 } })),
  /* 3 */ line(
    'weave',
    reply([use('t1', 'Read', { path: '/reed' })], { uuid: 'u3', parent: 'u2', minute: 1, id: 'm1', request: 'r1', tokens: { output: 5 } }),
  ),
  /* 4 */ line(
    'weave',
    reply([use('t2', 'Task', { prompt: 'count the reeds' })], {
      uuid: 'u4',
      parent: 'u3',
      minute: 2,
      id: 'm1',
      request: 'r1',
      tokens: { input: 100, output: 20, read: 1000 },
    }),
  ),
  /* 5 */ line('weave', result('t1', 'twelve reeds', { uuid: 'u5', parent: 'u3', minute: 3 })),
  /* 6 */ line(AGENT, prompt('count the reeds', { uuid: 'x1', minute: 3, more: inAgent })),
  /* 7 */ line(
    AGENT,
    reply([use('t3', 'Bash', { command: 'wc -l' })], {
      uuid: 'x2',
      parent: 'x1',
      minute: 4,
      id: 'm2',
      request: 'r2',
      model: CHEAP_MODEL,
      tokens: { output: 50 },
      more: inAgent,
    }),
  ),
  /* 8 */ line(AGENT, result('t3', 'no such file', { uuid: 'x3', parent: 'x2', minute: 5, isError: true, more: inAgent })),
  /* 9 */ line('weave', result('t2', 'there are twelve', { uuid: 'u6', parent: 'u4', minute: 6 })),
  /* 10 */ line('weave', reply('done', { uuid: 'u7', parent: 'u6', minute: DAY, id: 'm1', request: 'r9', tokens: { output: 7 } })),
  /* 11 */ damaged('weave', Buffer.from('{"type":"user"')),
  /* 12 */ companion('weave', 'tool-results/t1.txt', Buffer.from('the whole output')),
  /* 13 */ line('weave', customTitle('Basket')),
  /* 14 */ line('weave', boundary({ uuid: 'u8', parent: 'u7', minute: DAY + 1 })),
];

const fork = { forkedFrom: { sessionId: 'weave', messageUuid: 'u2' } } as const;

export const TWILL: readonly Item[] = [
  /* 15 */ line('twill', prompt('weave a basket', { uuid: 'u1', more: fork })),
  /* 16 */ line('twill', reply('I will look', { uuid: 'u2', parent: 'u1', minute: 1, id: 'm1', request: 'r1', tokens: { output: 1 }, more: fork })),
  /* 17 */ line('twill', prompt('no, a carpet', { uuid: 'v1', parent: 'u2', minute: 10, more: { cwd: '/home/ada/carpet' } })),
  /* 18 */ line('twill', reply('a carpet', { uuid: 'v2', parent: 'v1', minute: 11, id: 'm3', model: 'mystery-1', tokens: { output: 3 } })),
  /* 19 */ line('twill', summary('A carpet instead', 'v2')),
];

export const BOTH: readonly Item[] = [...WEAVE, ...TWILL];

/** Lines of any kind, in any of three sessions, with so few ids that copies, repeats and shared responses are common. */
export type Seed = { readonly kind: number; readonly session: number; readonly agent: number; readonly id: number; readonly amount: number };

export const itemsFrom = (seeds: readonly Seed[]): readonly Item[] =>
  seeds.map(({ kind, session, agent, id, amount }) => {
    const sessionId = `s${session}`;
    const agentId = agent === 0 ? null : `a${agent}`;
    const more = agentId === null ? { version: `2.0.${amount}` } : { isSidechain: true, agentId };
    const context = { sessionId, agentId };
    // Copies have the same uuid and other bytes.
    const place = { uuid: `u${id}`, parent: id === 0 ? null : `u${id - 1}`, minute: amount, more };
    switch (kind) {
      case 0:
        return line(context, prompt(`prompt ${id}`, place));
      case 1:
        return line(context, {
          ...result(`t${amount % 4}`, `result ${id}`, { ...place, isError: amount % 3 === 0 }),
          toolUseResult: amount < 5 ? { agentId: `a${id % 3}` } : null,
        });
      case 2:
        return line(
          context,
          reply([use(`t${amount % 4}`, ['Read', 'Bash', 'Task'][amount % 3] ?? '', Object.fromEntries([['subagent_type', `kind ${id}`]]))], {
            ...place,
            id: `m${id % 3}`,
            tokens: { output: amount },
          }),
        );
      case 3:
        return line(
          context,
          reply(`reply ${id}`, {
            ...place,
            id: `m${id % 3}`,
            request: amount % 3 === 0 ? null : `r${amount % 3}`,
            model: ['claude-opus-4-5', 'claude-haiku-4-5', 'mystery-1'][amount % 3] ?? '',
            tokens: { input: amount % 5, output: amount },
          }),
        );
      case 4:
        return line(sessionId, amount % 2 === 0 ? customTitle(`title ${id}`) : summary(`summary ${id}`, `u${id}`));
      case 5:
        return damaged(sessionId, Buffer.from(`damaged ${id}`));
      case 6:
        return amount < 5
          ? companion(sessionId, `file-${id}`, Buffer.from(`file ${amount}`))
          : companion(
              sessionId,
              `subagents/agent-a${id % 3}.meta.json`,
              Buffer.from(JSON.stringify({ agentType: `kind ${amount}`, toolUseId: `t${id % 4}` })),
            );
      default:
        return line(sessionId, boundary({ ...place, more: {} }));
    }
  });
