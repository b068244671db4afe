import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A package that stands in for the Claude Agent SDK: it is somebody else's, so this is no mock of ours. Like the real one it starts a process, which
 * writes transcripts, outlives whoever started it, and ends when its turn is over. What it does in a turn is told by the words of the prompt:
 *
 * | word          | what it does                                                                            |
 * | ------------- | --------------------------------------------------------------------------------------- |
 * | `text`        | says something                                                                          |
 * | `big:KB`      | says so much, of which nothing can be compressed away                                   |
 * | `think`       | thinks                                                                                  |
 * | `tool:MS`     | says something and uses a tool that takes so long                                       |
 * | `pair:MS`     | uses two tools at once                                                                  |
 * | `ask:MS`      | asks whether it may use a tool, and uses it                                             |
 * | `agent:MS`    | has a sub-agent use a tool                                                              |
 * | `agentask:MS` | has a sub-agent that asks first                                                         |
 * | `bg:MS`       | has one in the background, and goes on; when it is done, there is a turn of its own      |
 * | `hang`        | uses a tool that never ends                                                             |
 * | `tool:@NAME`  | uses a tool that takes until there is a file of that name where it works                |
 * | `mortal`      | its process dies with whoever started it, as all do when a machine is switched off      |
 */
export const standInSdk = (folder: string): string => {
  const home = join(folder, 'agent-sdk');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'stand-in', version: '0.3.325', type: 'module', exports: { '.': './sdk.mjs' } }));
  writeFileSync(join(home, 'sdk.mjs'), SDK);
  writeFileSync(join(home, 'claude.mjs'), CLAUDE);
  return home;
};

const SDK = String.raw`
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const query = ({ prompt, options }) => {
  const { cwd, env, abortController, canUseTool, sessionId, resume, forkSession, resumeSessionAt, permissionMode } = options;
  const task = JSON.stringify({ cwd, sessionId, resume, forkSession, resumeSessionAt, permissionMode });
  const child = spawn(process.execPath, [fileURLToPath(new URL('claude.mjs', import.meta.url)), task], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stderr.on('data', (text) => options.stderr?.(String(text)));
  child.stdin.on('error', () => {});
  const send = (message) => child.stdin.writable && child.stdin.write(JSON.stringify(message) + '\n');
  const ended = new Promise((resolve) => child.once('close', resolve));
  const receipts = new Map();
  const questions = new Map();
  let isAborted = false;
  abortController.signal.addEventListener('abort', () => {
    isAborted = true;
    child.stdin.end();
    setTimeout(() => child.kill('SIGKILL'), 300);
  });
  (async () => {
    for await (const message of prompt) send(message);
    child.stdin.end();
  })();
  const ask = async ({ id, tool, input, about }) => {
    const taking = new AbortController();
    questions.set(id, taking);
    const result = await canUseTool(tool, input, { ...about, requestId: id, signal: taking.signal });
    questions.delete(id);
    send({ type: 'answer', id, result });
  };
  const messages = async function* () {
    let last = null;
    for await (const line of createInterface({ input: child.stdout })) {
      const message = JSON.parse(line);
      if (message.type === 'question') void ask(message);
      else if (message.type === 'taken-back') questions.get(message.id)?.abort();
      else if (message.type === 'receipt') receipts.get(message.id)?.();
      else {
        if (message.type === 'result') last = message;
        yield message;
      }
    }
    const code = await ended;
    for (const receive of receipts.values()) receive();
    if (isAborted) throw new Error('Claude Code process aborted by user');
    if (last?.is_error) throw new Error('Claude Code returned an error result: ' + last.errors.join('; '));
    if (code !== 0) throw new Error('Claude Code process exited with code ' + code);
  };
  let requests = 0;
  return {
    [Symbol.asyncIterator]: messages,
    interrupt: () => new Promise((resolve) => {
      const id = String((requests += 1));
      receipts.set(id, () => resolve({ still_queued: [] }));
      send({ type: 'interrupt', id });
    }),
  };
};
`;

const CLAUDE = String.raw`
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const { cwd, sessionId: given, resume, forkSession, permissionMode } = JSON.parse(process.argv[2]);
const sessionId = resume !== undefined && !forkSession ? resume : (given ?? randomUUID());
const folder = join(process.env.CLAUDE_CONFIG_DIR, 'projects', cwd.replace(/[^0-9A-Za-z]/g, '-'));
const fileOf = (id) => join(folder, id + '.jsonl');
const MAIN = { file: fileOf(sessionId), agentId: null, callId: null, tip: null };

// ---- to the disk: in order, a little later than it is said
const unwritten = [];
let writing = null;
const flush = () => {
  writing = null;
  for (const [file, text] of unwritten.splice(0)) {
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, text);
  }
};
const write = (file, record) => {
  unwritten.push([file, JSON.stringify(record) + '\n']);
  writing ??= setTimeout(flush, Math.random() * 60);
};

// ---- to whoever listens; nobody may
process.stdout.on('error', () => {});
const emit = (message) => process.stdout.write(JSON.stringify({ ...message, session_id: sessionId }) + '\n');
const system = (subtype, more) => emit({ type: 'system', subtype, uuid: randomUUID(), ...more });

// ---- what comes in
const inbox = [];
let wake = () => {};
let isOpen = true;
let turn = null;
const answers = new Map();
const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'user') {
    inbox.push(message);
    wake();
  } else if (message.type === 'answer') answers.get(message.id)?.(message.result);
  else if (message.type === 'interrupt') {
    turn?.abort();
    for (const background of running) background.abort();
    emit({ type: 'receipt', id: message.id });
  }
});
input.on('close', () => {
  isOpen = false;
  for (const answer of answers.values()) answer({ behavior: 'deny', message: 'Tool permission request failed: AbortError: Tool permission stream closed before response received' });
  wake();
});
const parent = process.ppid;
const dieWithParent = () => setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGKILL'), 5);
// What hangs must not be left behind by a test.
let alone = 0;
setInterval(() => process.ppid !== parent && (alone += 1) > 240 && process.exit(1), 500).unref();

class Interrupted extends Error {}
const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => { clearTimeout(timer); reject(new Interrupted()); };
    const timer = setTimeout(() => { signal.removeEventListener('abort', stop); resolve(); }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
const last = async (amount, signal) => {
  if (!amount.startsWith('@')) return pause(Number(amount), signal);
  while (!existsSync(join(cwd, amount.slice(1)))) await pause(10, signal);
};

// ---- records
const record = (thread, uuid, more) => {
  const head = { parentUuid: thread.tip, isSidechain: thread.agentId !== null, ...(thread.agentId === null ? {} : { agentId: thread.agentId }) };
  write(thread.file, { ...head, userType: 'external', cwd, sessionId, version: '2.1.325', ...more, uuid, timestamp: new Date().toISOString() });
  thread.tip = uuid;
};
const streamed = (thread, uuid, type, message, more = {}) =>
  emit({ type, message, parent_tool_use_id: thread.callId, ...(thread.agentId === null ? {} : { agent_id: thread.agentId }), uuid, timestamp: new Date().toISOString(), ...more });
let said = 0;
const reply = (thread, blocks, stop) => {
  const id = 'msg_' + randomUUID();
  for (const block of blocks) {
    const uuid = randomUUID();
    const message = { id, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [block], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } };
    streamed(thread, uuid, 'assistant', message);
    record(thread, uuid, { type: 'assistant', message: { ...message, stop_reason: stop, usage: { input_tokens: 10, output_tokens: 20 } }, requestId: 'req_' + id });
  }
};
const words = (name) => ({ type: 'text', text: name + ' ' + (said += 1) });
const user = (thread, content, more = {}, isTold = true) => {
  const uuid = randomUUID();
  if (isTold) streamed(thread, uuid, 'user', { role: 'user', content }, more.toolUseResult === undefined ? {} : { tool_use_result: more.toolUseResult });
  record(thread, uuid, { type: 'user', message: { role: 'user', content }, ...more });
};
const result = (thread, id, content, isError = false, more = {}, isTold = true) =>
  user(thread, [{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }], { toolUseResult: isError ? 'Error: ' + content : { stdout: content }, ...more }, isTold);
const REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
const MARKER = [{ type: 'text', text: '[Request interrupted by user for tool use]' }];
const newCall = () => 'toolu_' + randomBytes(12).toString('hex');

// ---- what it does
const permission = async (thread, id, signal) => {
  if (permissionMode === 'bypassPermissions') return { behavior: 'allow' };
  if (!isOpen) return { behavior: 'deny', message: 'Tool permission request failed: AbortError: Stream closed' };
  const request = randomUUID();
  const answer = await new Promise((resolve) => {
    answers.set(request, resolve);
    signal.addEventListener('abort', () => { emit({ type: 'taken-back', id: request }); resolve(null); }, { once: true });
    emit({ type: 'question', id: request, tool: 'Write', input: { file_path: join(cwd, 'x') }, about: { toolUseID: id, ...(thread.agentId === null ? {} : { agentID: thread.agentId }), suggestions: [], title: 'May it write?' } });
  });
  answers.delete(request);
  if (answer === null || answer.interrupt) throw new Interrupted();
  return answer;
};

const useTools = async (thread, count, amount, signal, mayAsk) => {
  const calls = Array.from({ length: count }, newCall);
  const name = mayAsk ? 'Write' : 'Bash';
  reply(thread, [words('Doing'), ...calls.map((id) => ({ type: 'tool_use', id, name, input: mayAsk ? { file_path: join(cwd, 'x') } : { command: 'sleep ' + amount } }))], 'tool_use');
  for (const [i, id] of calls.entries()) {
    try {
      const answer = mayAsk ? await permission(thread, id, signal) : { behavior: 'allow' };
      if (answer.behavior === 'deny') { result(thread, id, answer.message, true); continue; }
      await last(amount, signal);
      result(thread, id, name + ' done ' + id.slice(-4));
    } catch (cause) {
      for (const left of calls.slice(i)) result(thread, left, REJECTED, true, {}, thread.callId === null);
      throw cause;
    }
  }
};

const running = new Set();
const beginAgent = (description, prompt, isBackground) => {
  const callId = newCall();
  const agentId = 'a' + randomBytes(8).toString('hex');
  reply(MAIN, [words('Delegating'), { type: 'tool_use', id: callId, name: 'Agent', input: { description, prompt, subagent_type: 'general-purpose' } }], 'tool_use');
  system('task_started', { task_id: agentId, tool_use_id: callId, description, subagent_type: 'general-purpose', is_backgrounded: isBackground, spawn_depth: 1, task_type: 'local_agent', prompt });
  const thread = { file: join(folder, sessionId, 'subagents', 'agent-' + agentId + '.jsonl'), agentId, callId, tip: null };
  mkdirSync(dirname(thread.file), { recursive: true });
  writeFileSync(thread.file.replace('.jsonl', '.meta.json'), JSON.stringify({ agentType: 'general-purpose', description, toolUseId: callId, spawnDepth: 1 }));
  // On disk a text, in the stream a list of one; and in the background it is not streamed.
  const uuid = randomUUID();
  if (!isBackground) streamed(thread, uuid, 'user', { role: 'user', content: [{ type: 'text', text: prompt }] });
  record(thread, uuid, { type: 'user', message: { role: 'user', content: prompt } });
  return thread;
};
const endAgent = ({ agentId, callId }, status) => {
  system('task_updated', { task_id: agentId, patch: { status } });
  system('task_notification', { task_id: agentId, tool_use_id: callId, status, summary: 'It ' + status, output_file: '' });
};
const workAside = async (thread, amount, signal, mayAsk) => {
  try {
    reply(thread, [words('Looking')], 'tool_use');
    await useTools(thread, 1, amount, signal, mayAsk);
    reply(thread, [words('Found')], 'end_turn');
  } catch (cause) {
    user(thread, MARKER, {}, false);
    throw cause;
  }
};
const useAgent = async (amount, signal, mayAsk) => {
  const thread = beginAgent('Look around', 'Look around ' + randomUUID(), false);
  try {
    await workAside(thread, amount, signal, mayAsk);
  } catch (cause) {
    result(MAIN, thread.callId, REJECTED, true);
    endAgent(thread, 'stopped');
    throw cause;
  }
  endAgent(thread, 'completed');
  user(MAIN, [{ type: 'tool_result', tool_use_id: thread.callId, content: [{ type: 'text', text: 'Found it' }] }], { toolUseResult: { status: 'completed', agentId: thread.agentId, content: [{ type: 'text', text: 'Found it' }] } });
};
const beginBackground = (amount) => {
  const thread = beginAgent('Look later', 'Look later ' + randomUUID(), true);
  const text = 'Async agent launched successfully.\nagentId: ' + thread.agentId;
  user(MAIN, [{ type: 'tool_result', tool_use_id: thread.callId, content: [{ type: 'text', text }] }], { toolUseResult: { isAsync: true, status: 'async_launched', agentId: thread.agentId, description: 'Look later' } });
  const background = new AbortController();
  running.add(background);
  workAside(thread, amount, background.signal, false).then(() => 'completed', () => 'stopped').then((status) => {
    running.delete(background);
    endAgent(thread, status);
    const text = '<task-notification>\n<task-id>' + thread.agentId + '</task-id>\n<tool-use-id>' + thread.callId + '</tool-use-id>\n<status>' + status + '</status>\n<summary>It ' + status + '</summary>\n</task-notification>';
    if (status === 'completed') inbox.push({ notice: text });
    wake();
  });
};

const act = async (word, signal) => {
  const [name, amount = '0'] = word.split(':');
  if (name === 'text') reply(MAIN, [words('Saying')], 'tool_use');
  else if (name === 'big') reply(MAIN, [{ type: 'text', text: 'big ' + randomBytes(Number(amount) * 512).toString('hex') }], 'tool_use');
  else if (name === 'think') reply(MAIN, [{ type: 'thinking', thinking: 'Hm ' + (said += 1), signature: 'x' }], 'tool_use');
  else if (name === 'tool') await useTools(MAIN, 1, amount, signal, false);
  else if (name === 'pair') await useTools(MAIN, 2, amount, signal, false);
  else if (name === 'ask') await useTools(MAIN, 1, amount, signal, true);
  else if (name === 'agent') await useAgent(amount, signal, false);
  else if (name === 'agentask') await useAgent(amount, signal, true);
  else if (name === 'bg') beginBackground(amount);
  else if (name === 'hang') await useTools(MAIN, 1, '3600000', signal, false);
  else if (name === 'mortal') dieWithParent();
};

const init = () => system('init', { cwd, claude_code_version: '2.1.325', model: 'claude-opus-5-5', permissionMode: permissionMode ?? 'default', slash_commands: ['compact', 'context', 'review'] });
const takeTurn = async (message) => {
  turn = new AbortController();
  const { signal } = turn;
  const text = message.notice ?? message.message.content;
  const origin = { kind: message.notice === undefined ? 'human' : 'task-notification' };
  record(MAIN, message.uuid ?? randomUUID(), { type: 'user', message: { role: 'user', content: text }, origin });
  init();
  try {
    for (const word of message.notice === undefined ? text.split(/\s+/) : []) {
      await act(word, signal);
      await pause(10, signal);
      // What was said meanwhile is taken up between two steps.
      for (const queued of inbox.filter(({ notice }) => notice === undefined)) {
        inbox.splice(inbox.indexOf(queued), 1);
        record(MAIN, randomUUID(), { type: 'attachment', attachment: { type: 'queued_command', prompt: queued.message.content, commandMode: 'prompt', source_uuid: queued.uuid } });
        reply(MAIN, [{ type: 'text', text: 'Heard: ' + queued.message.content }], 'tool_use');
      }
    }
    reply(MAIN, [words('Done')], 'end_turn');
    emit({ type: 'result', subtype: 'success', is_error: false, result: 'Done', total_cost_usd: 0.01, uuid: randomUUID() });
  } catch (cause) {
    if (!(cause instanceof Interrupted)) throw cause;
    user(MAIN, MARKER);
    emit({ type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['[ede_diagnostic] interrupted'], terminal_reason: 'aborted_tools', uuid: randomUUID() });
  }
  turn = null;
};

// ---- the session goes on where it was
const begin = () => {
  if (resume === undefined) return;
  const lines = existsSync(fileOf(resume)) ? readFileSync(fileOf(resume), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];
  if (forkSession) for (const line of lines) write(MAIN.file, { ...line, sessionId });
  MAIN.tip = lines.findLast((line) => line.uuid !== undefined)?.uuid ?? null;
  const blocks = lines.flatMap((line) => (Array.isArray(line.message?.content) ? line.message.content : []));
  const answered = new Set(blocks.map((block) => block.tool_use_id));
  for (const { type, id } of blocks)
    if (type === 'tool_use' && !answered.has(id)) result(MAIN, id, "[Tool call interrupted: the session ended before this call's result was recorded]", true, {}, false);
};

let hasBegun = false;
for (;;) {
  const next = inbox.shift();
  if (next !== undefined) {
    if (!hasBegun) begin();
    hasBegun = true;
    await takeTurn(next);
  } else if (!isOpen && running.size === 0) break;
  else await new Promise((resolve) => { wake = resolve; });
}
if (writing !== null) clearTimeout(writing);
flush();
process.exit(0);
`;
