import { readRuntimes } from '@yarnboard/protocol';
import { describe, expect, test } from 'vitest';
import { makeBoard, type TestBoard } from '../operations/boards.ts';

const open = (): Promise<TestBoard> => {
  const read = readRuntimes({
    lines: { kind: 'stdio', command: [process.execPath, '-e', '0'] },
    model: { kind: 'openai', url: 'http://127.0.0.1:9/v1', model: 'qwen3', limits: { tokens: 9000 } },
    claude: { kind: 'claude-cli', directories: ['/tmp'] },
    keyless: { kind: 'stdio', command: [process.execPath, '-e', '0'], key_env: 'NO_SUCH_KEY' },
    gone: { kind: 'stdio', command: ['/nowhere/agent'] },
  });
  if (!read.ok) throw new Error(read.error);
  return makeBoard({
    settings: { excludedProjects: [], roots: [], runtimes: read.value },
    isImported: false,
    env: { YARNBOARD_CLAUDE: process.execPath },
  });
};

const runtimeOf = async ({ get }: TestBoard, agent: string): Promise<string | null | undefined> =>
  (await get('load', {})).items.find(({ agent_id: id }) => id === agent)?.runtime;

describe('an agent that is added', () => {
  test('[RT-72] has its runtime and model from the start; with one that nobody defined, or as a person, it is not added', async () => {
    const made = await open();
    const { events, token } = await made.command('agent_register', { agent_id: 'weaver', specialties: ['looms'], runtime: 'lines', model: 'own-1' });
    expect(token).toMatch(/\S{20}/u);
    expect(events.map(({ type }) => type)).toEqual(['agent_register', 'agent_runtime']);
    expect(await runtimeOf(made, 'AGENT-weaver')).toBe('lines');
    const post = (input: object): RequestInit => ({
      method: 'POST',
      headers: { authorization: `Bearer ${made.token}` },
      body: JSON.stringify(input),
    });
    expect((await made.problem('/api/v1/agents', post({ agent_id: 'dyer', runtime: 'nowhere' }))).code).toBe('not-found');
    expect((await made.problem('/api/v1/agents', post({ agent_id: 'ada', kind: 'human', runtime: 'lines' }))).status).toBeGreaterThanOrEqual(400);
    expect((await made.get('agents')).items.map(({ agent_id: id }) => id).toSorted()).toEqual(['AGENT-operator', 'AGENT-weaver']);
    // Added again after it was retired, it acts by what is given now.
    await made.command('agent_retire', { agent_id: 'weaver' });
    await made.command('agent_register', { agent_id: 'weaver', runtime: 'model' });
    expect(await runtimeOf(made, 'AGENT-weaver')).toBe('model');
    await made.close();
  });

  test('[RT-73] whoever gives it a model without a price is told that tokens are the limit', async () => {
    const made = await open();
    const add = async (input: object): Promise<readonly string[]> => (await made.command('agent_register', { ...input })).warnings;
    const unpriced = (model: string, tokens: string): string =>
      `no price is known for ${model}: limits in USD don’t apply; it stops at ${tokens} tokens in a sidebar`;
    expect(await add({ agent_id: 'a', runtime: 'model' })).toEqual([unpriced('qwen3', '9,000')]);
    expect(await add({ agent_id: 'b', runtime: 'claude', model: 'claude-next' })).toEqual([unpriced('claude-next', '2,000,000')]);
    expect(await add({ agent_id: 'c', runtime: 'claude', model: 'claude-sonnet-4-5-20250929' })).toEqual([]);
    expect(await add({ agent_id: 'd', runtime: 'claude' })).toEqual([]);
    expect(await add({ agent_id: 'e', runtime: 'lines' })).toEqual([]);
    const { warnings } = await made.command('agent_runtime', { agent_id: 'e', runtime: 'model', model: 'other' });
    expect(warnings).toEqual([unpriced('other', '9,000')]);
    await made.close();
  });

  test('[RT-73] whoever gives it a runtime that cannot run yet is told why', async () => {
    const made = await open();
    const add = async (input: object): Promise<readonly string[]> => (await made.command('agent_register', { ...input })).warnings;
    expect(await add({ agent_id: 'a', runtime: 'keyless' })).toEqual(['keyless can’t run yet: the environment variable NO_SUCH_KEY is not set']);
    expect(await add({ agent_id: 'b', runtime: 'gone' })).toEqual(['gone can’t run yet: there is no program "/nowhere/agent" that can be run']);
    await made.close();
  });
});
