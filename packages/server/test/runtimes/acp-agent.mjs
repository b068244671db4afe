// An agent that speaks the Agent Client Protocol, and does what it is told in double brackets. It uses the tools it is given as any agent does: as a client of MCP.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const [, , manner = 'well', kept] = process.argv;
const sessions = new Map();
let begun = 0;

/** Starts a server of tools and speaks MCP with it. */
const toolsOf = async ({ command, args, env }) => {
  const child = spawn(command, args, {
    env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  let asked = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    waiting.get(id)?.(error === undefined ? result : { content: [{ type: 'text', text: error.message }], isError: true });
  });
  const request = (method, params) =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: asked, method, params })}\n`);
    });
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'acp-agent', version: '1' } });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return { list: () => request('tools/list', {}), use: (name, input) => request('tools/call', { name, arguments: input }), request };
};

/** Words that it asks for come in hexadecimal, so that asking for them is not hearing them. */
const plain = (input) =>
  JSON.parse(JSON.stringify(input).replaceAll(/"hex:([0-9a-f]+)"/g, (_, hex) => JSON.stringify(Buffer.from(hex, 'hex').toString())));

/** Kept in one file, or in a folder with one for each sidebar. */
const keep = (text, heard = '') => {
  const [, sidebar = ''] = /take part in (SB-\d+)/.exec(heard) ?? [];
  if (kept !== undefined) appendFileSync(kept.endsWith('/') ? `${kept}${sidebar}` : kept, `${text}\n`);
};

const work = async (session, text, client) => {
  const update = (one) => client.notify('session/update', { sessionId: session.id, update: one });
  const say = (words) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });
  const [, sidebar = 'SB-1'] = /take part in (SB-\d+)/.exec(session.heard) ?? [];
  const call = async (name, input) => {
    begun += 1;
    const toolCallId = `call-${begun}`;
    await update({ sessionUpdate: 'tool_call', toolCallId, title: `Uses ${name}`, name, kind: 'other', status: 'pending' });
    await update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress', rawInput: input });
    const { content, isError = false } = await session.tools.use(name, input);
    const output = content.map((one) => one.text).join('\n');
    await update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: isError ? 'failed' : 'completed',
      content: [{ type: 'content', content: { type: 'text', text: output } }],
    });
    return output;
  };
  await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } });
  if (text.includes('[[die]]')) process.exit(7);
  if (text.includes('[[limit]]')) throw new RequestError(-32_603, 'Rate limit exceeded, try again later');
  if (text.includes('[[refuse]]')) return { stopReason: 'refusal' };
  if (text.includes('[[garbage]]')) process.stdout.write('this is no JSON\n{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":7}}\n');
  if (/\bfinding\b/i.test(text)) {
    await say('I submit it.');
    await call('scratchpad_entry_submitted', { sidebar_id: sidebar, content: 'The cache is cold.' });
  }
  const [, wanted] = /\[\[(ask|ours|posing .+)\]\]/.exec(text) ?? [];
  if (wanted !== undefined) {
    // As Claude Code's adapter names a tool of a server: of the one it was given, or of one that a project has.
    const tool = { title: wanted === 'ours' ? `mcp__${session.server}__finding` : wanted.replace('posing ', ''), kind: 'other' };
    const about = wanted === 'ask' ? { title: 'Run the tests', kind: 'execute' } : tool;
    const toolCall = { toolCallId: `call-${(begun += 1)}`, ...about, rawInput: { command: 'npm test' } };
    const options = [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    const { outcome } = await client.request('session/request_permission', { sessionId: session.id, toolCall, options });
    await say(`It was ${outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome}.`);
  }
  const [, wishes] = /> @\w+ use (\[.*\])$/m.exec(text) ?? [];
  for (const [name, input] of wishes === undefined ? [] : JSON.parse(wishes)) keep(await call(name, plain(input)), session.heard);
  for (const method of wishes === undefined ? [] : ['resources/list', 'resources/templates/list', 'prompts/list'])
    keep(JSON.stringify(await session.tools.request(method, {})), session.heard);
  if (text.includes('[[slow]]') && !session.isCancelled)
    await new Promise((resolve) => {
      session.cancel = resolve;
    });
  if (session.isCancelled) return { stopReason: 'cancelled' };
  await update({ sessionUpdate: 'usage_update', used: 1000, size: 200_000, cost: { amount: 0.25 * session.turns, currency: 'USD' } });
  const { tools } = await session.tools.list();
  await say(wishes === undefined ? `I have ${tools.length} tools and heard: ` : 'Asked for everything. ');
  await say(wishes === undefined ? text.slice(-40) : '');
  return { stopReason: 'end_turn', usage: { totalTokens: 15, inputTokens: 10, outputTokens: 5 } };
};

agent({ name: 'acp-agent' })
  .onRequest('initialize', () => ({
    protocolVersion: manner === 'old' ? 99 : 1,
    agentInfo: { name: 'acp-agent', version: '1.2.3' },
    authMethods: [{ id: 'web', name: 'Web login' }],
  }))
  .onRequest('session/new', async ({ params }) => {
    if (manner === 'signed-out') throw new RequestError(-32_000, 'Authentication required');
    const id = `session-${sessions.size + 1}`;
    const [server] = params.mcpServers;
    sessions.set(id, { id, server: server.name, tools: await toolsOf(server), heard: '', turns: 0, isCancelled: false, cancel: () => {} });
    const options = [
      { value: 'small', name: 'Small' },
      { value: 'large', name: 'Large' },
    ];
    return { sessionId: id, configOptions: [{ type: 'select', id: 'model', name: 'Model', category: 'model', currentValue: 'small', options }] };
  })
  .onRequest('session/set_config_option', ({ params }) => {
    keep(`model ${params.value}`);
    return { configOptions: [] };
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    const session = sessions.get(params.sessionId);
    const text = params.prompt.map((one) => one.text).join('\n');
    session.heard += text;
    keep(text, session.heard);
    session.turns += 1;
    session.isCancelled = false;
    return work(session, text, client);
  })
  .onNotification('session/cancel', ({ params }) => {
    const session = sessions.get(params.sessionId);
    session.isCancelled = true;
    session.cancel();
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
