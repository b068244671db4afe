// An endpoint that speaks /v1/chat/completions and has no model behind it: enough to see a runtime of the kind "openai" at work, offline and for nothing.
// node chat-model.mjs [PORT]  prints its url.  In settings.json:  { "runtimes": { "model": { "kind": "openai", "url": "…", "model": "rules-1" } } }
import { createServer } from 'node:http';

/** What it answers: a finding where one is asked for, else a sentence. After a tool was used it says so. */
const answerTo = ({ messages, tools }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: 'I have submitted what I found.' };
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const [, about] = /\bfinding about ([^\n.]{1,80})/i.exec(asked.slice(-2000)) ?? [];
  if (about === undefined || tools === undefined) return { content: `I have read it: ${messages.length} messages so far.` };
  const call = { name: 'scratchpad_entry_submitted', arguments: JSON.stringify({ content: `From what I read, ${about} takes the most time.` }) };
  return { tool_calls: [{ index: 0, id: `call-${messages.length}`, type: 'function', function: call }] };
};

const serve = async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"There is only /v1/chat/completions here."}}');
    return;
  }
  const asked = JSON.parse(body);
  const delta = answerTo(asked);
  const usage = { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: Math.ceil(JSON.stringify(delta).length / 4) };
  const chunk = (choices, more = {}) => response.write(`data: ${JSON.stringify({ model: asked.model, choices, ...more })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  chunk([{ index: 0, delta }]);
  chunk([{ index: 0, delta: {}, finish_reason: delta.tool_calls === undefined ? 'stop' : 'tool_calls' }]);
  chunk([], { usage });
  response.end('data: [DONE]\n\n');
};

const server = createServer((request, response) => void serve(request, response));
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
