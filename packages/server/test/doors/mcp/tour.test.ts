import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { afterFile } from '../../../../../tests/afterwards.ts';
import { MOST_BYTES } from '../../../src/doors/mcp/answers.ts';
import { homeOf } from '../../../src/home/home.ts';
import { startServer, type RunningServer } from '../../../src/serving.ts';
import { makeFolder } from '../../operations/boards.ts';
import { prompt, reply } from '../../operations/records.ts';
import { scriptAgent, type Knowledge, type ScriptedAgent } from './scripted-agent.ts';

const SESSION = '33333333-0000-4000-8000-000000000001';
const MESSAGES = 3000;
const FINDINGS = 300;
const LONG = Array.from({ length: 9000 }, (_, i) => `step${i}`).join(' ');

let server: RunningServer;
beforeAll(async () => {
  const folder = makeFolder();
  const project = join(folder, 'claude/projects/-home-dev-proj');
  mkdirSync(project, { recursive: true });
  const records = Array.from({ length: MESSAGES }, (_, i) => {
    const parent = i === 0 ? null : `u${i - 1}`;
    if (i % 2 === 1) return reply(`u${i}`, parent, i, `The pool was ${i} connections wide, and each of them waited for the lock. `.repeat(8));
    return prompt(`u${i}`, parent, i, i === 2 ? LONG : `Why does login ${i} time out at noon?`);
  });
  writeFileSync(join(project, `${SESSION}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  const roots = [join(folder, 'claude')];
  server = await startServer({ home, settings: { excludedProjects: [], roots: [] }, roots, version: '0', programs: null, port: 0 });
  await server.imported;
  await server.drain();
});
afterAll(() => server.close());

const agentWith = async (token: string): Promise<ScriptedAgent> => {
  const client = new Client({ name: 'scripted', version: '0' });
  afterFile(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit }));
  return scriptAgent(client);
};

const over = async (path: string): Promise<string> => (await fetch(`${server.url}/api/v1${path}`)).text();

/** Words that nothing contradicts. */
const wordOf = (n: number): string =>
  Array.from(String(n * 7919), (digit) => 'bdfghklmnp'.charAt(Number(digit)) + 'aeiou'.charAt(Number(digit) % 5)).join('');

/** Others report much at once. */
const submitAll = async (sidebar: string, findings: readonly string[]): Promise<void> => {
  await Promise.all(
    findings.map(async (content) => {
      const response = await fetch(`${server.url}/api/v1/sidebars/${sidebar}/findings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content }),
      });
      expect(response.status).toBe(200);
      await response.text();
    }),
  );
};

type Items<T> = readonly T[];

describe('an agent that reads the definitions', () => {
  test('[MCP-19] [MCP-14] [MCP-15] goes through the life of a sidebar on a large board, and is never told more than it can hold', async () => {
    const operator = await agentWith(server.token);
    const [scout, judge] = await Promise.all(
      ['scout', 'judge'].map(async (name) => {
        const { token } = await operator.wants(/Gives an agent, or another person, a name and a token/u, [[/AGENT-name/u, name]]);
        return agentWith(String(token));
      }),
    );
    if (scout === undefined || judge === undefined) throw new Error('two agents were registered');
    expect(await scout.wants(/Who you are/u)).toMatchObject({ agent_id: 'AGENT-scout' });

    // It finds the session, and reads it.
    const sessions = (await scout.wants(/^Sessions, most recent first/u))['items'] as Items<{ readonly session_id: string }>;
    const session = sessions[0]?.session_id ?? '';
    expect(session).toBe(SESSION);
    const inSession: Knowledge = [[/a session id/u, session]];
    const first = await scout.wants(/session’s messages in order/u, inSession);
    const messages = first['messages'] as Items<{ readonly ref: string; readonly content: string }>;
    expect(messages).toHaveLength(20);
    expect(await scout.wholeOf(first, messages[2]?.content ?? '')).toBe(LONG);
    const second = await scout.wants(/session’s messages in order/u, [...inSession, [/next_cursor/u, first['next_cursor']]]);
    expect(second['messages']).toMatchObject(Array.from({ length: messages.length }, (_, i) => ({ ref: `MSG-${messages.length + i + 1}` })));
    await scout.wants(/as its clean main flow/u, inSession);
    const { items: hits } = await scout.wants(/^Searches everything/u, [[/^words/u, 'pool lock']]);
    expect((hits as Items<unknown>).length).toBeGreaterThan(9);

    // It works in a sidebar: talks, cites, reports findings, proposes GOLD.
    const { ref: sidebar } = await scout.wants(/^Branches a sidebar off/u, [
      [/where to inherit from/u, session],
      [/^the task/u, 'Why do logins time out?'],
      [/know it is done/u, 'The cause is known'],
      [/who takes part/u, ['AGENT-judge']],
      [/approves the merge/u, 'AGENT-scout'],
      [/validates findings/u, 'AGENT-judge'],
    ]);
    const here: Knowledge = [[/^SB-n, or its uuid/u, sidebar]];
    const { items: sidebars } = await scout.wants(/^Sidebars, most recently active first/u);
    expect(sidebars).toMatchObject([{ sidebar_id: sidebar }]);
    await scout.wants(/Says something in a sidebar/u, [...here, [/what to say/u, `It waits, see ${messages[1]?.ref ?? ''}. @judge, agreed?`]]);
    await scout.wants(/Cites a message/u, [...here, [/^a reference/u, messages[1]?.ref], [/why you cite it/u, 'where it was seen']]);
    const finding = (n: number): string => `${wordOf(n)} ${wordOf(n + 5000)} ${wordOf(n + 9000)}`;
    await scout.wants(/Submits a finding/u, [...here, [/what was found/u, finding(0)], [/evidence/u, [messages[1]?.ref]]]);
    await submitAll(
      String(sidebar),
      Array.from({ length: FINDINGS }, (_, n) => finding(n + 1)),
    );
    const { ref: gold } = await scout.wants(/Marks something as GOLD/u, [
      ...here,
      [/where it comes from/u, [messages[1]?.ref]],
      [/worth knowing/u, 'An exhausted pool shows as a login that times out.'],
      [/use it again/u, 'Look at the pool first.'],
      [/the symptoms that/u, ['login times out']],
    ]);

    // The other one judges what waits in its inbox.
    const inbox = await judge.wants(/What needs you/u);
    const waiting = inbox['to_validate'] as Items<{ readonly entry_id: string } | string>;
    expect(waiting).toHaveLength(21);
    for (const one of waiting.slice(0, 3))
      await judge.wants(/confirms a finding/u, [
        ...here,
        [/FINDING-n/u, typeof one === 'string' ? '' : one.entry_id],
        [/your verdict/u, 'confirmed'],
      ]);
    await judge.wants(/confirms or rejects a waypoint/u, [
      [/GOLD-n/u, gold],
      [/your verdict/u, 'confirmed'],
    ]);
    await judge.wants(/your notices as read/u, [[/seq of the inbox/u, inbox['seq']]]);
    const { matches } = await judge.wants(/Finds the waypoints/u, [[/a symptom/u, 'the login times out again']]);
    expect(matches).toMatchObject([{ gold: { gold_id: gold } }]);
    const findings = await judge.wants(/A sidebar’s findings/u, here);
    expect(findings['confirmed_findings']).toHaveLength(3);
    expect(findings['pending_findings']).toHaveLength(21);
    await judge.wants(/What a sidebar knows/u, [...here, [/what it started with/u, 'inherited']]);

    // It rejoins, and is archived. What the tools do not list is in more.
    await scout.wants(/Saves a checkpoint/u, [...here, [/how far it has come/u, 'three causes']]);
    await scout.wants(/Pauses a sidebar/u, [...here, [/^why/u, 'lunch']]);
    await scout.wants(/Resumes a paused/u, here);
    await scout.wants(/Changes tags and related sidebars/u, [...here, [/words to find it by/u, ['login']]]);
    await scout.wants(/Moves it to REVIEWING/u, here);
    await scout.wants(/^Prepares a merge/u, [...here, [/what the sidebar found out/u, 'The pool is too small.']]);
    expect((await judge.wants(/What needs you/u))['to_check']).toEqual([sidebar]);
    await judge.wants(/review of a merge package/u, here);
    // Whoever put it together does not approve it alone.
    expect((await operator.wants(/What needs you/u))['to_approve']).toEqual([sidebar]);
    const merged = await operator.wants(/The coordinator approves/u, here);
    expect(merged['events']).toContainEqual(expect.objectContaining({ type: 'sidebar_merge', sidebar_id: sidebar }));
    await scout.wants(/Archives a sidebar/u, here);
    expect(await scout.wants(/One sidebar in full/u, here)).toMatchObject({ status: 'ARCHIVED' });
    // It is found again by a misspelled word, and by what it was about; and what its insight rests on.
    const archived = /^Archived sidebars by any combination/u;
    for (const knowledge of [
      [/misspelled or cut short/u, 'exausted'],
      [/in your own words/u, 'logging in takes too long'],
    ] as const) {
      const { items } = await scout.wants(archived, [knowledge, [/near its meaning/u, 0.2], [/how alike words/u, 0.8]]);
      expect([knowledge[1], items]).toMatchObject([knowledge[1], [{ sidebar_id: sidebar, final_status: 'MERGED' }]]);
    }
    const { nodes } = await scout.wants(/^Where something comes from/u, [[/^a reference, path, session id/u, gold]]);
    expect((nodes as Items<{ readonly ref: string }>).map(({ ref }) => ref)).toEqual(expect.arrayContaining([gold, messages[1]?.ref]));
    expect(await scout.wants(/Verifies the chain/u)).toMatchObject({ is_whole: true });

    // What it cost: the definitions once, and the longest answer.
    const definitions = JSON.stringify({ tools: scout.tools }).length / 3.5;
    expect(scout.tools.length).toBeLessThanOrEqual(30);
    expect(definitions).toBeLessThanOrEqual(5000);
    const longest = Math.max(operator.longest(), scout.longest(), judge.longest());
    expect(longest).toBeGreaterThan(10_000);
    expect(longest).toBeLessThanOrEqual(MOST_BYTES);
    // The same over HTTP is more than anybody could hold.
    expect((await over(`/sidebars/${String(sidebar)}/scratchpad`)).length).toBeGreaterThan(100_000);
  });
});
