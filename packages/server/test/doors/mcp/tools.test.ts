import { REGISTRY, type Operation } from '@yarnboard/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toolsOf } from '../../../src/doors/mcp/tools.ts';
import { makeBoard, type TestBoard } from '../../operations/boards.ts';
import { connectTo } from './connections.ts';

let board: TestBoard;
beforeAll(async () => {
  board = await makeBoard({});
});

const operations = Object.values<Operation>(REGISTRY);

describe('the tools', () => {
  test.each(['2025', '2026'] as const)(
    '[MCP-1] [MCP-7] a client of %s is offered every operation of the registry that needs no browser, and nothing else',
    async (era) => {
      const { client } = await connectTo(board, { era });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(
        Object.keys(REGISTRY)
          .filter((name) => name !== 'page_link' && name !== 'demo_link' && name !== 'enter')
          .sort(),
      );
      expect(tools).toEqual(toolsOf(REGISTRY));
      expect(tools.length).toBeGreaterThan(20);
      expect(client.getServerVersion()).toMatchObject({ name: 'yarnboard', version: '0' });
      expect(client.getServerCapabilities()).toEqual({ tools: {} });
    },
  );

  test('[MCP-1] an operation that is added to the registry is a tool', () => {
    const added: Operation = {
      name: 'weave',
      method: 'POST',
      path: '/looms/{loom}/weave',
      who: 'operator',
      help: 'Weaves.',
      input: z.object({ loom: z.string().describe('which'), threads: z.coerce.number().int().min(1).default(2), since: z.iso.datetime().optional() }),
      output: z.strictObject({}),
    };
    expect(toolsOf({ ...REGISTRY, weave: added }).at(-1)).toEqual({
      name: 'weave',
      description: 'Weaves. Needs a token.',
      inputSchema: {
        type: 'object',
        properties: {
          loom: { type: 'string', description: 'which' },
          threads: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 2 },
          since: { type: 'string', format: 'date-time' },
        },
        required: ['loom'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false },
    });
  });

  test.each(toolsOf(REGISTRY).map((tool) => [tool.name, tool] as const))(
    '[MCP-1] %s takes what the operation takes, in a form that every model is given',
    (name, { inputSchema, description = '' }) => {
      const operation = operations.find((one) => one.name === name);
      expect(name).toMatch(/^[a-z_]{1,64}$/u);
      expect(description.startsWith(operation?.help ?? '?')).toBe(true);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(Object.keys(inputSchema.properties ?? {})).toEqual(Object.keys(operation?.input.shape ?? {}));
      for (const [key, field] of Object.entries(operation?.input.shape ?? {})) {
        const isNeeded = !z.safeParse(field, undefined).success;
        expect((inputSchema.required ?? []).includes(key), `whether ${key} is needed`).toBe(isNeeded);
      }
      for (const key of Object.keys(inputSchema)) expect(['type', 'properties', 'required', 'additionalProperties']).toContain(key);
      expect(JSON.stringify(inputSchema)).not.toContain('$ref');
    },
  );

  test('[MCP-2] queries are marked as reading only, what needs a token says so', () => {
    const tools = new Map(toolsOf(REGISTRY).map((tool) => [tool.name, tool]));
    for (const { name, method, who } of operations.filter(({ isNoTool }) => isNoTool !== true)) {
      expect(tools.get(name)?.annotations?.readOnlyHint, `for ${name}`).toBe(method === 'GET');
      expect(tools.get(name)?.description?.endsWith(' Needs a token.'), `for ${name}`).toBe(who !== 'anyone');
    }
    expect(operations.filter(({ who }) => who === 'operator').length).toBeGreaterThan(4);
  });

  test('[MCP-2] what needs a token is listed for everyone', async () => {
    const [without, withToken] = [await connectTo(board), await connectTo(board, { token: board.token })];
    expect((await without.client.listTools()).tools).toEqual((await withToken.client.listTools()).tools);
  });

  test.each([
    ['spawn_sidebar', 'sidebar_spawn'],
    ['sidebar_find', 'scratchpad_entry_submitted'],
    ['sidebar.check', 'sidebar_check_merge'],
    ['Serch', 'search'],
    ['xyzzy', null],
    ['', null],
  ])('[MCP-4] whoever asks for %s is told what is nearest', async (wanted, nearest) => {
    const { client } = await connectTo(board);
    const meant = nearest === null ? '' : ` (did you mean ${nearest}?)`;
    await expect(client.callTool({ name: wanted, arguments: {} })).rejects.toThrow(`there is no tool "${wanted}"${meant}; there are projects, `);
  });

  test.each(['page_link', 'demo_link', 'enter'])('[MCP-1] [SEC-20] %s is no tool, also for whoever calls it by its name', async (name) => {
    const { client } = await connectTo(board, { token: board.token });
    await expect(client.callTool({ name, arguments: { key: 'x' } })).rejects.toThrow(`there is no tool "${name}"`);
    await expect(client.callTool({ name: 'pagelink', arguments: {} })).rejects.not.toThrow('page_link');
  });

  test('[MCP-13] the instructions tell of sidebars, findings, GOLD and the inbox, by tools that there are', async () => {
    const { client } = await connectTo(board);
    const said = client.getInstructions() ?? '';
    for (const word of ['sidebars', 'findings', 'GOLD', 'inbox', 'token', 'next_cursor']) expect(said).toContain(word);
    const tools = [...said.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/gu)].map(([name]) => name).filter((name) => name !== 'next_cursor');
    expect(tools.filter((name) => !Object.hasOwn(REGISTRY, name))).toEqual([]);
  });
});
