import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainedEntry } from '@yarnboard/domain';
import { connect as connectMcp } from '../../doors/mcp/connections.ts';
import { connect, serveBoard, type Frame, type TestServer } from '../../doors/ws/sockets.ts';

let server: TestServer;
let url: string;
beforeAll(async () => {
  server = await serveBoard();
  url = `http://127.0.0.1:${server.port}`;
  await post('agents', { agent_id: 'scout' });
  await post('sidebars', { parent_id: null, task_description: 'why is login slow?', participants: ['scout'] });
});
afterAll(() => server.close());

const post = async (path: string, body: Frame, headers: Readonly<Record<string, string>> = {}): Promise<Frame> => {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Frame; // our own answer
};

/** The entries that a message made, the first of them first. */
const said = async (body: Frame): Promise<readonly ChainedEntry[]> => {
  const { count } = await server.board.store.log.head();
  expect(await post('sidebars/SB-1/messages', body)).toMatchObject({ duplicate: false });
  return server.board.store.log.entriesAfter(count, 10);
};

describe('how something came about', () => {
  const how = {
    processing_time_ms: 1200,
    token_count: 345,
    agent_model_version: 'claude-opus-4-5',
    tools_invoked: ['Read', 'Grep'],
    flagged_uncertain: true,
    error_ref: 'SB-1',
  };

  test('[LOG-15] is kept beside what was said, once, and told by the log', async () => {
    const [message, mention] = await said({ content: 'the pool is small, @scout', ...how });
    expect(message).toMatchObject({
      type: 'chat.message',
      processingTimeMs: 1200,
      tokenCount: 345,
      agentModelVersion: 'claude-opus-4-5',
      toolsInvoked: ['Read', 'Grep'],
      flaggedUncertain: true,
      errorOccurred: true,
      errorRef: 'SB-1',
    });
    expect(mention).toMatchObject({ type: 'mention.routed', agentModelVersion: 'claude-opus-4-5', tokenCount: null, flaggedUncertain: false });
    const listed = (await (await fetch(`${url}/api/v1/log?after=${(message?.position ?? 0) - 1}&limit=1`)).json()) as {
      readonly items: readonly Frame[];
    };
    expect(listed.items[0]).toMatchObject({ ...how, error_occurred: true });
    expect((await server.board.store.log.head()).count).toBe(mention?.position);
  });

  test('[LOG-15] is left open by whoever does not say it', async () => {
    const [message] = await said({ content: 'plain' });
    expect(message).toMatchObject({
      processingTimeMs: null,
      tokenCount: null,
      agentModelVersion: null,
      toolsInvoked: null,
      flaggedUncertain: false,
      errorOccurred: false,
      errorRef: null,
    });
  });

  test.each([
    ['an error told by a reference that stands for nothing', { error_ref: 'MSG-999' }, 'bad-reference'],
    ['a negative time', { processing_time_ms: -1 }, 'bad-request'],
    ['tools that are not a list', { tools_invoked: 'Read' }, 'bad-request'],
    ['a field that the log does not have', { mood: 'good' }, 'bad-request'],
  ])('[LOG-15] %s is refused', async (_what, fields, code) => {
    expect(await post('sidebars/SB-1/messages', { content: 'x', ...fields })).toMatchObject({ code });
  });

  test('[LOG-15] an error may be told at a path or an address', async () => {
    const [message] = await said({ content: 'it broke', error_ref: '/var/log/app.log:12' });
    expect(message).toMatchObject({ errorOccurred: true, errorRef: '/var/log/app.log:12' });
  });

  test('[LOG-16] a message that is all code is code, and whoever sends it may say what it is', async () => {
    const kinds = [];
    for (const body of [
      { content: '```ts\nlet pool = 10;\n```' },
      { content: 'see ```pool```' },
      { content: 'let pool = 10;', content_type: 'code' },
      { content: '```\nquoted words\n```', content_type: 'text' },
    ])
      kinds.push((await said(body))[0]?.contentType);
    expect(kinds).toEqual(['code', 'text', 'code', 'text']);
  });
});

describe('which client it was', () => {
  const lastClient = async (): Promise<readonly [string | undefined, string | null | undefined]> => {
    const { count } = await server.board.store.log.head();
    const entry = await server.board.store.log.entryAt(count);
    return [entry?.originatingClient, entry?.clientVersion];
  };
  const message = { content: 'who am I?' };

  test.each([
    ['a program', {}, ['api', null]],
    ['one that says what it is', { 'yarnboard-client': 'terminal/0.2.0' }, ['terminal', '0.2.0']],
    ['one without a version', { 'yarnboard-client': 'editor' }, ['editor', null]],
    ['one that says something odd', { 'yarnboard-client': '<b>/1' }, ['api', null]],
    ['one that poses as Yarnboard itself', { 'yarnboard-client': 'yarnboard/1' }, ['api', null]],
  ])('[LOG-17] %s, over HTTP', async (_what, headers, client) => {
    await post('sidebars/SB-1/messages', message, headers);
    expect(await lastClient()).toEqual(client);
  });

  test('[LOG-17] the page, over HTTP', async () => {
    await post('sidebars/SB-1/messages', message, { origin: url });
    expect(await lastClient()).toEqual(['web', '0']);
  });

  test('[LOG-17] an agent, over MCP', async () => {
    const { answer } = await connectMcp(url, { token: server.token });
    await answer('chat_message', { sidebar_id: 'SB-1', ...message });
    expect(await lastClient()).toEqual(['mcp', null]);
  });

  test.each([
    ['a program', '/ws', {}, ['websocket', null]],
    ['one that says what it is', '/ws?client=terminal%2F0.2.0', {}, ['terminal', '0.2.0']],
    ['the page', '/ws', { origin: true }, ['web', '0']],
  ])('[LOG-17] %s, over WebSocket', async (_what, path, { origin = false }: { readonly origin?: boolean }, client) => {
    const socket = connect(server.port, { token: server.token }, origin ? { origin: url } : {}, path);
    await socket.frame('connection_established');
    const id = randomUUID();
    socket.send({ type: 'chat_message', message_id: id, sidebar_id: 'SB-1', ...message });
    expect(await socket.frame((frame) => frame['message_id'] === id)).toMatchObject({ type: 'ack' });
    expect(await lastClient()).toEqual(client);
  });
});
