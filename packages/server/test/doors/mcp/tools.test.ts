import { actionsOf, mayCall, REGISTRY, TOOLS, type Operation, type OperationName, type ToolGroup } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldsOf, schemaOf } from '../../../src/doors/mcp/input-schema.ts';
import { furtherFor, toolsFor } from '../../../src/doors/mcp/tools.ts';
import { makeBoard, type TestBoard } from '../../operations/boards.ts';
import { connectTo, type Connection } from './connections.ts';

let board: TestBoard;
let scout: string;
beforeAll(async () => {
  board = await makeBoard({});
  scout = (await board.command('agent_register', { agent_id: 'scout' })).token;
});

const operations = Object.values<Operation>(REGISTRY);

/** MCP-14: a cautious count. English and JSON have about four characters to a token. */
const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 3.5);

type Schema = { readonly type?: unknown; readonly anyOf?: unknown; readonly enum?: readonly unknown[]; readonly description?: string };

const CALLERS = ['anyone', 'member', 'operator'] as const;

describe('the tools', () => {
  test.each(['2025', '2026'] as const)('[MCP-1] [MCP-7] a client of %s is offered the tools of whoever it is', async (era) => {
    for (const [caller, token] of [
      ['anyone', undefined],
      ['member', scout],
      ['operator', board.token],
    ] as const) {
      const { client } = await connectTo(board, { era, ...(token === undefined ? {} : { token }) });
      const { tools } = await client.listTools();
      expect(tools).toEqual(toolsFor(caller));
      expect(client.getServerVersion()).toMatchObject({ name: 'yarnboard', version: '0' });
      expect(client.getServerCapabilities()).toEqual({ tools: {} });
    }
  });

  test('[MCP-14] a member is offered at most 30 tools in at most 5,000 tokens, an operator a few more', () => {
    const [anyone, member, operator] = CALLERS.map((caller) => toolsFor(caller));
    expect(member?.length).toBeLessThanOrEqual(30);
    expect(tokensOf({ tools: member })).toBeLessThanOrEqual(5000);
    expect(tokensOf({ tools: operator })).toBeLessThanOrEqual(7000);
    expect(anyone?.length).toBeLessThan(member?.length ?? 0);
  });

  test.each(CALLERS)('[MCP-1] everything that %s may call is offered, by a tool or by more, and nothing else', async (caller) => {
    const listed = new Set(toolsFor(caller).map(({ name }) => name));
    const inTools = Object.entries<ToolGroup>(TOOLS).flatMap(([name, group]) =>
      listed.has(name) ? actionsOf(group).map(([, { operation }]) => operation) : [],
    );
    const offered = new Set([...inTools, ...furtherFor(caller).map(({ name }) => name)]);
    const allowed = operations.filter((operation) => operation.isNoTool !== true && mayCall(caller, operation)).map(({ name }) => name);
    expect([...offered].sort()).toEqual(allowed.sort());
  });

  test('[MCP-2] [MCP-14] every tool has a title, hints, and a description of each input and of what each action takes', () => {
    for (const { name, title, description = '', inputSchema, annotations } of toolsFor('operator')) {
      expect(name).toMatch(/^[a-z_]{1,64}$/u);
      expect(title).toMatch(/^[A-Z]/u);
      const { readOnlyHint, destructiveHint, idempotentHint } = annotations ?? {};
      expect([readOnlyHint, typeof destructiveHint, typeof idempotentHint], `hints of ${name}`).toEqual(
        readOnlyHint === true ? [true, 'undefined', 'undefined'] : [false, 'boolean', 'boolean'],
      );
      const properties = Object.entries((inputSchema.properties ?? {}) as Readonly<Record<string, Schema>>); // JSON schemas
      for (const [key, schema] of properties) {
        expect(schema.description, `${name}.${key}`).toMatch(/\S{2}/u);
        expect(schema.type ?? schema.anyOf ?? schema.enum, `${name}.${key}`).toBeDefined();
      }
      const actions = Object.fromEntries(properties)['action']?.enum ?? [];
      for (const action of actions) expect(description).toMatch(new RegExp(`^${String(action)}\\(.*\\): [A-Z]`, 'mu'));
      expect(JSON.stringify(inputSchema)).not.toContain('$ref');
    }
  });

  test('[MCP-2] tools that only read say so; those that end or drop something say that', () => {
    const hints = new Map(toolsFor('operator').map(({ name, annotations }) => [name, annotations]));
    for (const [name, group] of Object.entries<ToolGroup>(TOOLS)) {
      const isRead = actionsOf(group).every(([, { operation }]) => (REGISTRY[operation] as Operation).method === 'GET');
      expect(hints.get(name)?.readOnlyHint, `for ${name}`).toBe(isRead);
    }
    const destructive = [...hints].filter(([, annotations]) => annotations?.destructiveHint === true).map(([name]) => name);
    expect(destructive).toEqual(['end', 'claude', 'manage_agents', 'administer', 'more']);
  });

  test.each(operations.map((operation) => [operation.name, operation] as const))('[MCP-14] every input of %s has a description', (_, operation) => {
    for (const { name, schema } of fieldsOf(operation, 'operator')) expect(schema['description'], `for ${name}`).toMatch(/\S{2}/u);
  });

  test('[MCP-2] what a token does not allow is not listed, and what does is', async () => {
    const [anyone, operator] = [await connectTo(board), await connectTo(board, { token: board.token })];
    const names = async ({ client }: Connection) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(anyone)).toEqual(['search', 'sessions', 'read', 'trace', 'sidebars', 'golds', 'agents', 'more', 'continue']);
    expect(await names(operator)).toEqual([...Object.keys(TOOLS), 'more', 'continue']);
    const { operations: further } = (await anyone.answer('more')) as { readonly operations: Readonly<Record<string, string>> };
    expect(Object.keys(further).filter((name) => REGISTRY[name as OperationName].who !== 'anyone')).toEqual([]);
  });

  test('[MCP-18] more lists what no other tool has, tells what it takes, and does it', async () => {
    const { answer, refusal } = await connectTo(board, { token: board.token });
    const { operations: further } = (await answer('more')) as { readonly operations: Readonly<Record<string, string>> };
    expect(further).toEqual(Object.fromEntries(furtherFor('operator').map(({ name, help }) => [name, help])));
    for (const name of Object.keys(further)) {
      const told = await answer('more', { operation: name });
      expect(told).toMatchObject({ operation: name, does: further[name], input: { type: 'object' } });
      expect(JSON.stringify(told)).not.toContain('… [+');
    }
    expect(await answer('more', { operation: 'verify', input: {} })).toEqual(await answer('verify'));
    expect(await answer('more', { operation: 'spawn.sidebar' })).toMatchObject({
      operation: 'sidebar_spawn',
      call: 'spawn {action: "sidebar"}',
      input: { properties: { test_group: { description: expect.any(String) as string } }, required: ['parent_id', 'task_description'] },
    });
    expect(await answer('more', { operation: 'end.fail' })).toMatchObject({ operation: 'sidebar_status_update' });
    expect(await refusal('more', { operation: 'weave' })).toEqual({
      code: 'bad-request',
      detail: expect.stringMatching(/^there is no operation "weave"; there are .*\bverify\b/u) as string,
    });
    expect(await refusal('more', { operation: 7 })).toEqual({ code: 'bad-request', detail: 'operation must be text' });
    expect(await refusal('more', { operation: 'verify', input: 'all' })).toEqual({
      code: 'bad-request',
      detail: 'input must be an object of names and values',
    });
    expect(await refusal('more', { verify: {} })).toEqual({ code: 'bad-request', detail: 'there is no input "verify"; it takes operation, input' });
    expect(await refusal('more', { operation: 'page_link' })).toMatchObject({ code: 'bad-request' });
  });

  test('[MCP-18] an operation that is added to the registry is offered by more', () => {
    const weave: Operation = {
      name: 'weave',
      method: 'POST',
      path: '/looms/{loom}/weave',
      who: 'operator',
      help: 'Weaves.',
      input: z.object({
        message_id: z.uuid().optional(),
        loom: z.string().describe('which'),
        threads: z.coerce.number().int().min(1).default(2).describe('how many'),
        since: z.iso.datetime().nullable().optional().describe('when it began'),
      }),
      output: z.strictObject({}),
    };
    expect(furtherFor('operator', { ...REGISTRY, weave }).at(-1)).toBe(weave);
    expect(furtherFor('member', { ...REGISTRY, weave }).map(({ name }) => name)).not.toContain('weave');
    expect(schemaOf(fieldsOf(weave, 'operator'))).toEqual({
      type: 'object',
      properties: {
        loom: { type: 'string', description: 'which' },
        threads: { type: 'integer', default: 2, description: 'how many' },
        since: { type: ['string', 'null'], description: 'when it began' },
      },
      required: ['loom'],
    });
  });

  test('[MCP-17] an action does what its operation does; every operation is still a tool by its own name', async () => {
    const { answer, refusal } = await connectTo(board, { token: board.token });
    const spawned = await answer('spawn', { action: 'sidebar', parent_id: null, task_description: 'look' });
    const { ref } = spawned as { readonly ref: string };
    expect(await answer('sidebars', { action: 'show', sidebar_id: ref })).toEqual(await answer('sidebar', { sidebar_id: ref }));
    expect(await answer('sidebars')).toEqual(await answer('sidebars', { action: 'list' }));
    expect(await answer('sidebar', { action: 'review', sidebar_id: ref })).toMatchObject({ events: [{ new_status: 'REVIEWING' }] });
    expect(await answer('sidebar_status_update', { sidebar_id: ref, new_status: 'ACTIVE' })).toMatchObject({ events: [{ new_status: 'ACTIVE' }] });
    expect(await answer('end', { action: 'fail', sidebar_id: ref, reason: 'a dead end' })).toMatchObject({ events: [{ new_status: 'FAILED' }] });
    expect(await refusal('end', { action: 'fail', sidebar_id: ref, new_status: 'ACTIVE' })).toMatchObject({
      detail: expect.stringMatching(/^there is no input "new_status"; it takes .*sidebar_id, reason/u) as string,
    });
  });

  test('[MCP-4] an action that is missing, unknown or nonsense is told with those that there are', async () => {
    const { refusal } = await connectTo(board, { token: board.token });
    const known = 'action is one of say, mention';
    expect(await refusal('talk')).toEqual({ code: 'bad-request', detail: `action is missing; ${known}` });
    expect(await refusal('talk', { action: 'shout' })).toEqual({ code: 'bad-request', detail: `talk has no action "shout"; ${known}` });
    expect(await refusal('talk', { action: 7 })).toEqual({ code: 'bad-request', detail: `talk has no action "7"; ${known}` });
    expect(await refusal('talk', { action: null })).toEqual({ code: 'bad-request', detail: `talk has no action "null"; ${known}` });
    expect(await refusal('talk', { action: 'toString' })).toMatchObject({ code: 'bad-request' });
  });

  test.each([
    ['spawn_sidebar', 'spawn {action: "sidebar"}'],
    ['sidebar_find', 'finding {action: "add"}'],
    ['sidebar.check', 'merge {action: "check"}'],
    ['Serch', 'search'],
    ['verfy', 'more {operation: "verify"}'],
    ['xyzzy', null],
    ['', null],
  ])('[MCP-4] whoever asks for %s is told what is nearest', async (wanted, nearest) => {
    const { client } = await connectTo(board);
    const meant = nearest === null ? '' : ` (did you mean ${nearest}?)`;
    await expect(client.callTool({ name: wanted, arguments: {} })).rejects.toThrow(`there is no tool "${wanted}"${meant}; there are search, `);
  });

  test.each(['page_link', 'demo_link', 'enter'])('[MCP-1] [SEC-20] %s is no tool, also for whoever calls it by its name', async (name) => {
    const { client } = await connectTo(board, { token: board.token });
    await expect(client.callTool({ name, arguments: { key: 'x' } })).rejects.toThrow(`there is no tool "${name}"`);
    await expect(client.callTool({ name: 'pagelink', arguments: {} })).rejects.not.toThrow('page_link');
  });

  test('[MCP-13] the instructions tell of sidebars, findings, GOLD and the inbox, by tools that there are', async () => {
    const { client } = await connectTo(board);
    const said = client.getInstructions() ?? '';
    for (const word of ['sidebars', 'finding', 'GOLD', 'inbox', 'token', 'next_cursor', 'MSG-n']) expect(said).toContain(word);
    const names = toolsFor('member').map(({ name }) => name);
    for (const name of ['search', 'sessions', 'read', 'spawn', 'talk', 'merge', 'inbox', 'golds', 'mark_gold', 'more', 'continue']) {
      expect(names).toContain(name);
      expect(said).toMatch(new RegExp(`\\b${name}\\b`, 'u'));
    }
    const snakes = [...said.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/gu)].map(([name]) => name).filter((name) => name !== 'next_cursor');
    expect(snakes.filter((name) => !names.includes(name))).toEqual([]);
  });
});
