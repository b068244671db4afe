import type { OutputOf } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { printServers } from '../src/print/recovery.ts';

const since = '2026-03-14T12:00:00.000Z';
const server: OutputOf<'servers'>['servers'][number] = {
  server_id: 'S-1',
  host: 'loom',
  version: '1.2.3',
  since,
  state: 'up',
  is_this: true,
  agents: ['AGENT-scout'],
};

test('[MANY-14] a terminal shows a line for each server, who is there because of it, and how it stands with Redis', () => {
  const answer = {
    seen_at: since,
    servers: [server, { ...server, server_id: 'S-2', host: 'shuttle\u001b[2J', is_this: false, state: 'lost' as const, agents: [] }],
    redis: { name: 'Redis 127.0.0.1:6379', is_up: false, why: 'no answer within a second', since },
  };
  const text = printServers(answer, { columns: 140 });
  expect(text).toContain('loom (this one)');
  expect(text).toContain('AGENT-scout');
  expect(text).toMatch(/shuttle.*lost.*S-2/u);
  expect(text).toContain('Redis 127.0.0.1:6379: away (no answer within a second)');
  expect(text).not.toContain('\u001b');
  expect(printServers({ ...answer, redis: null }, { columns: 140 })).not.toContain('Redis');
});
