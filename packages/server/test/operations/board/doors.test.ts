import { randomUUID } from 'node:crypto';
import { actionsOf, createClient, REGISTRY, TOOLS, type Operation, type OperationName, type ToolGroup } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connect as connectMcp } from '../../doors/mcp/connections.ts';
import { serveBoard as serve, type TestServer as Served } from '../../doors/ws/sockets.ts';

type TestServer = Served & { readonly url: string };

const serveBoard = async (): Promise<TestServer> => {
  const server = await serve();
  return { ...server, url: `http://127.0.0.1:${server.port}` };
};

type Given = Readonly<Record<string, unknown>>;
type Outcome = { readonly refs: readonly string[]; readonly events: readonly string[] } | { readonly code: string };
type Door = { readonly send: (name: OperationName, given: Given) => Promise<Outcome>; readonly close: () => Promise<void> | void };

const commands = Object.values<Operation>(REGISTRY).filter(({ method, who }) => method === 'POST' && who === 'member');

const sb = { sidebar_id: 'SB-1' };

/** A life of sidebars in which every command is used, some of them in vain. */
const STORY: readonly (readonly [OperationName, Given])[] = [
  ['sidebar_spawn', { parent_id: null, task_description: 'Why do logins time out?', success_criteria: 'The cause is known' }],
  ['agent_presence', { status: 'busy', current_context: 'SB-1' }],
  ['chat_message', { ...sb, content: 'The pool is exhausted at noon.' }],
  ['chat_message', { ...sb, content: '' }],
  ['chat_message', { sidebar_id: 'SB-9', content: 'x' }],
  ['mention_route', { target_agents: ['operator'], message: 'look', ...sb }],
  ['mention_route', { target_agents: ['nobody'], message: 'look' }],
  ['citation_created', { ...sb, url: 'https://example.org/pools', title: 'Pools' }],
  ['media_uploaded', { ...sb, media_type: 'code', file_path: 'a.ts', content: 'YQ==' }],
  ['scratchpad_entry_submitted', { ...sb, content: 'The retry limit is 3.', source_refs: ['MSG-1'] }],
  ['scratchpad_entry_submitted', { ...sb, content: 'The retry limit is 5.' }],
  ['scratchpad_entry_validated', { ...sb, entry_id: 'FINDING-1', status: 'confirmed' }],
  ['scratchpad_entry_validated', { ...sb, entry_id: 'FINDING-2', status: 'confirmed' }],
  ['conflict_resolve', { ...sb, conflict_id: 'CONFLICT-1', notes: 'one of them is the limit of staging' }],
  ['scratchpad_annotate', { ...sb, entry_id: 'FINDING-1', note: 'seen in the settings' }],
  ['scratchpad_checkpoint', { ...sb, summary: 'so far' }],
  ['checkpoint_annotate', { ...sb, checkpoint_id: 'CHECKPOINT-1', note: 'good' }],
  [
    'gold_created',
    {
      ...sb,
      source_refs: ['MSG-1'],
      key_insight: 'Retries exhaust the pool',
      reuse_pattern: 'count',
      trigger_conditions: ['pool exhausted + retries'],
    },
  ],
  ['gold_validated', { gold_id: 'GOLD-1', status: 'confirmed' }],
  ['relevance_score', { ...sb, scores: { 'EXCH-1': 'HIGH' } }],
  ['focus_set', { ...sb, add: ['EXCH-1'] }],
  ['sidebar_update', { ...sb, priority: 'high', tags: ['login'] }],
  ['sidebar_escalate', { ...sb, reason: 'too hard' }],
  ['sidebar_child_spawn', { parent_sidebar_id: 'SB-1', sub_task_description: 'staging: the pool is exhausted after retries', wait: true }],
  ['gold_answered', { gold_id: 'GOLD-1', answer: 'useful', where: 'SB-2' }],
  ['claim_verify', { sidebar_id: 'SB-2', claim_id: 'EXCH-1', verification: 'confirmed', confidence: 0.7 }],
  ['claim_validate', { sidebar_id: 'SB-2', claim_id: 'EXCH-1' }],
  ['claim_settle', { sidebar_id: 'SB-2', claim_id: 'CLAIM-1', verification: 'confirmed', notes: 'nobody disagrees' }],
  ['auto_merge_problem', { ...sb, ref: 'MSG-1', notes: 'it was not automatic' }],
  ['sidebar_archive', sb],
  ['sidebar_archive', { sidebar_id: 'SB-2' }],
  ['memory_archive', { refs: ['MSG-1'], tags: ['kept'] }],
  ['memory_finalise', { episodes: ['SB-1:EPISODE-1'] }],
  ['confidence_set', { about: 'MSG-1', confidence: 0.5, reason: 'long ago' }],
  ['sidebar_pause', { ...sb, reason: 'lunch' }],
  ['sidebar_resume', sb],
  ['sidebar_waiting_update', { ...sb, waiting_for: 'an answer', timeout_seconds: 3600 }],
  ['sidebar_resume', sb],
  ['sidebar_test_result', { ...sb, test_description: 'x', result: 'y' }],
  ['agent_recruited', sb],
  ['recruitment_answer', { request_id: 'SB-1', answer: 'accept' }],
  ['recruitment_withdraw', { request_id: 'nothing' }],
  ['seat_cancel', { ...sb, agent_id: 'operator' }],
  ['seat_stop', { ...sb, agent_id: 'operator' }],
  ['seat_restart', { ...sb, agent_id: 'operator' }],
  ['agent_left', sb],
  ['agent_update', { agent_id: 'operator', specialties: ['all'] }],
  ['sidebar_status_update', { ...sb, new_status: 'REVIEWING' }],
  ['sidebar_consolidate', sb],
  ['sidebar_merge', sb],
  ['sidebar_check_merge', sb],
  ['sidebar_spawn', { parent_id: null, task_description: 'where it goes' }],
  ['sidebar_merge', { ...sb, parent_id: 'SB-3' }],
  ['sidebar_archive', sb],
  ['sidebar_fork', { original_sidebar_id: 'SB-1', fork_reason: 'again' }],
  ['sidebar_child_spawn', { parent_sidebar_id: 'SB-3', sub_task_description: 'alone' }],
  ['sidebar_finish', { sidebar_id: 'SB-5', summary: 'done' }],
  ['proposal_answer', { sidebar_id: 'SB-3', proposal_id: 'PROPOSAL-1', accept: true }],
  ['inbox_ack', { seq: 1 }],
];

const outcomeOf = (answer: unknown): Outcome => {
  const { refs, events } = answer as { readonly refs: readonly string[]; readonly events: readonly { readonly type: string }[] }; // a command of the board
  return { refs, events: events.map(({ type }) => type) };
};

const DOORS: Readonly<Record<string, (server: TestServer) => Promise<Door>>> = {
  http: async ({ url, token }) => ({
    send: async (name, given) => {
      const { path } = REGISTRY[name];
      const inPath = Object.keys(given).filter((key) => path.includes(`{${key}}`));
      const at = inPath.reduce((sofar, key) => sofar.replace(`{${key}}`, encodeURIComponent(String(given[key]))), path as string);
      const response = await fetch(`${url}/api/v1${at}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(Object.entries(given).filter(([key]) => !inPath.includes(key)))),
      });
      const answer: unknown = await response.json();
      return response.ok ? outcomeOf(answer) : { code: (answer as { readonly code: string }).code };
    },
    close: () => {},
  }),
  websocket: async ({ url, token }) => {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/ws`,
      token,
      WebSocket,
      onEntry: () => {},
      onState: () => {},
      newId: () => randomUUID(),
      later: (ms, work) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
      random: () => 0.5,
    });
    return {
      send: async (name, given) => {
        const outcome = await client.call(name, given);
        if (outcome.kind === 'rejected') return { code: outcome.code };
        if (outcome.kind !== 'done') throw new Error(`${name}: ${outcome.kind}`);
        return outcomeOf(outcome.result);
      },
      close: () => client.close(),
    };
  },
  mcp: async ({ url, token }) => {
    const { client } = await connectMcp(url, { token });
    return {
      send: async (name, given) => {
        const { content, isError } = await client.callTool({ name, arguments: given });
        const [first] = content;
        const text = first?.type === 'text' ? first.text : '';
        return isError === true ? { code: text.split(':')[0] ?? '' } : outcomeOf(JSON.parse(text));
      },
      close: () => client.close(),
    };
  },
};

/** What a board shows of a sidebar, without what differs by chance. */
const shownBy = async ({ url }: TestServer): Promise<string> => {
  const pages = await Promise.all(
    ['sidebars', 'sidebars/SB-1', 'sidebars/SB-1/scratchpad', 'sidebars/SB-4', 'gold', 'episodes', 'citations', 'media/MEDIA-1'].map(async (path) =>
      (await fetch(`${url}/api/v1/${path}`)).text(),
    ),
  );
  return pages
    .join('\n')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'TIME')
    .replaceAll(/"(?:seq|position)":\d+/gu, '"seq":N');
};

describe('the doors', () => {
  test('[WIRE-28] the story uses every command that a member may give', () => {
    expect([...new Set(STORY.map(([name]) => name))].sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  test('[WIRE-28] every command does the same through every door, and is refused alike', async () => {
    const told: Record<string, readonly Outcome[]> = {};
    const shown: Record<string, string> = {};
    for (const [name, open] of Object.entries(DOORS)) {
      const server = await serveBoard();
      const door = await open(server);
      const outcomes: Outcome[] = [];
      for (const [command, given] of STORY) outcomes.push(await door.send(command, given));
      told[name] = outcomes;
      shown[name] = await shownBy(server);
      await door.close();
      await server.close();
    }
    const refused = told['http']?.filter((outcome) => 'code' in outcome).length ?? 0;
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(20);
    expect(told['websocket']).toEqual(told['http']);
    expect(told['mcp']).toEqual(told['http']);
    expect(shown['websocket']).toBe(shown['http']);
    expect(shown['mcp']).toBe(shown['http']);
  });

  test('[WIRE-28] no door has a command of its own', async () => {
    const server = await serveBoard();
    const mcp = await connectMcp(server.url, { token: server.token });
    const names = Object.keys(REGISTRY).sort();
    // MCP-1: by tools that each have several of them, and by one that has the others.
    const listed = (await mcp.client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual([...Object.keys(TOOLS), 'more', 'continue']);
    const { operations: further } = (await mcp.answer('more')) as { readonly operations: Readonly<Record<string, string>> };
    const inTools = Object.values<ToolGroup>(TOOLS).flatMap((group) => actionsOf(group).map(([, { operation }]) => operation));
    const tools: readonly string[] = [...new Set([...inTools, ...Object.keys(further)])];
    expect(tools.filter((name) => !names.includes(name))).toEqual([]);
    // What only a browser has a use for.
    expect([...tools, 'page_link', 'demo_link', 'enter'].sort()).toEqual(names);
    const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
    };
    expect(
      Object.values(paths)
        .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
        .sort(),
    ).toEqual(names);
    await server.close();
  });
});
