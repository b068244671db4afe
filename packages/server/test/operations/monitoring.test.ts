import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { createMeters } from '../../src/doors/http/metrics.ts';
import { makeBoard, type TestBoard } from './boards.ts';
import { prompt, reply, result, use } from './records.ts';

const ALERTS = readFileSync(join(fileURLToPath(new URL('../../../../', import.meta.url)), 'docs/monitoring/alerts.yml'), 'utf8');

let board: TestBoard;
beforeAll(async () => {
  board = await makeBoard({
    files: {
      'p/11111111-0000-4000-8000-000000000001.jsonl': [
        prompt('u1', null, 0, 'hello'),
        reply('u2', null, 1, [use('t1', 'Read', {})]),
        result('u3', 'u2', 2, 't1', 'x'),
        reply('u4', 'nowhere', 3, 'lost'),
        reply('u5', 'u6', 4, 'round'),
        reply('u6', 'u5', 5, 'and round'),
        { ...prompt('u1_tool_0', 'u1', 6, ''), type: 'tool_use' },
      ],
    },
  });
});

type Sample = { readonly name: string; readonly labels: string; readonly value: number };

/** The text format 0.0.4, read as strictly as it is described. */
const parse = (text: string): { readonly types: ReadonlyMap<string, string>; readonly samples: readonly Sample[] } => {
  if (!text.endsWith('\n')) throw new Error('the last line must end');
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind = '', about = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (\S.*)$/u.exec(line) ?? [];
    if (kind === 'TYPE') types.set(about, rest);
    if (kind !== '') continue;
    const [, name = '', labels = '', value = ''] =
      /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/u.exec(line) ?? [];
    if (name === '' || !types.has(name)) throw new Error(`no line of a Prometheus text: ${line}`);
    samples.push({ name, labels, value: Number(value) });
  }
  return { types, samples };
};

const served = async (): Promise<ReturnType<typeof parse>> => parse(await (await board.ask('/metrics')).text());

test('[API-9] /metrics is a text that Prometheus reads, each metric once', async () => {
  await board.ask('/api/v1/nothing');
  await board.ask('/api/v1/sessions', { headers: { host: 'evil.example' } });
  const response = await board.ask('/metrics');
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const { types, samples } = parse(await response.text());
  expect(samples.length).toBeGreaterThan(15);
  expect(new Set(samples.map(({ name, labels }) => `${name}{${labels}}`)).size).toBe(samples.length);
  for (const { name, value } of samples) {
    expect(name).toMatch(/^yarnboard_/u);
    expect(value).toBeGreaterThanOrEqual(0);
    expect(types.get(name)).toBe(name.endsWith('_total') ? 'counter' : 'gauge');
  }
  expect(samples).toContainEqual({ name: 'yarnboard_http_requests_total', labels: 'method="GET",status="404"', value: 1 });
  expect(samples).toContainEqual({ name: 'yarnboard_http_requests_total', labels: 'method="GET",status="403"', value: 1 });
});

test('[API-9] /metrics counts what monitoring must see: lost parents, unflagged tool messages, circles, lag, answers', async () => {
  await board.get('stats');
  const values = Object.fromEntries((await served()).samples.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({
    yarnboard_messages_without_parent: 1,
    yarnboard_messages_parent_missing: 1,
    yarnboard_tool_messages_unflagged: 1,
    yarnboard_parent_cycles: 1,
    yarnboard_ingest_lag_bytes: 0,
    yarnboard_index_lag_entries: 0,
    yarnboard_ingest_stuck: 0,
    yarnboard_ingest_troubled_files: 0,
    yarnboard_api_answers_malformed: 0,
    yarnboard_log_entries: 7,
    yarnboard_sessions: 1,
  });
  expect(values['yarnboard_api_answers_checked']).toBeGreaterThan(0);
});

test('[API-9] an answer that does not fit its schema is noticed', () => {
  const meters = createMeters();
  for (let i = 0; i < 100; i += 1) meters.answered(() => i !== 50);
  expect(meters.formats().checked).toBeGreaterThan(1);
  const all = createMeters();
  all.answered(() => false);
  expect(all.formats()).toEqual({ checked: 1, wrong: 1 });
});

test('[API-9] every alert rule asks for metrics that are served, and says what to do', async () => {
  const names = new Set((await served()).types.keys());
  const rules = ALERTS.split(/^ {6}- alert: /mu).slice(1);
  expect(rules.length).toBeGreaterThan(8);
  for (const rule of rules) {
    const [title = ''] = rule.split('\n', 1);
    expect(title).toMatch(/^Yarnboard[A-Z]\w+$/u);
    const expression = /^ {8}expr: (.+)$/mu.exec(rule)?.[1] ?? '';
    const asked = [...expression.matchAll(/\byarnboard_\w+/gu)].map(([name]) => name);
    expect(asked.length, `for ${title}`).toBeGreaterThan(0);
    for (const name of asked) expect(names.has(name), `${title} asks for ${name}`).toBe(true);
    expect(rule).toMatch(/^ {10}severity: (?:info|warning|critical)$/mu);
    expect(rule).toMatch(/^ {10}summary: \S/mu);
    expect(rule).toMatch(/^ {10}description: \S/mu);
  }
  expect(new Set(rules.map((rule) => rule.split('\n', 1)[0])).size).toBe(rules.length);
  // What the seed asks to watch for has a rule each.
  for (const name of ['messages_without_parent', 'tool_messages_unflagged', 'parent_cycles', 'api_answers_malformed', 'ingest_lag_bytes'])
    expect(ALERTS).toContain(`yarnboard_${name}`);
});
