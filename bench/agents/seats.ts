import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRuntimes } from '@yarnboard/protocol';
import { homeOf } from '../../packages/server/src/home/home.ts';
import { openBoard, type OpenBoard } from '../../packages/server/src/main.ts';
import { WrongResult } from '../measure/run.ts';

const PROGRAM = fileURLToPath(new URL('./quick-agent.mjs', import.meta.url));

export type Stage = { readonly board: OpenBoard; readonly ask: (method: string, path: string, input?: object) => Promise<Record<string, unknown>> };

/** A board of its own in this process, whose seats are real programs. */
export const openStage = async (scratch: string, seats: number, url: string | null): Promise<Stage> => {
  const home = homeOf({ env: { YARNBOARD_HOME: join(scratch, 'home'), YARNBOARD_STATE: join(scratch, 'state') }, home: scratch });
  const read = readRuntimes({
    quick: { kind: 'stdio', command: [process.execPath, PROGRAM] },
    ...(url === null ? {} : { model: { kind: 'openai', url, model: 'stub' } }),
  });
  if (!read.ok) throw new WrongResult(read.error);
  const board = await openBoard({
    home,
    settings: { excludedProjects: [], roots: [], runtimes: read.value, agents: { usdPerDay: 50, turnsAtOnce: seats, processes: seats } },
    roots: [],
    version: '0',
    programs: null,
    onFault: (cause) => {
      throw cause;
    },
  });
  await board.seats.start();
  const ask: Stage['ask'] = async (method, path, input) => {
    const response = await board.app.request(`http://127.0.0.1:0/api/v1${path}`, {
      method,
      headers: { host: '127.0.0.1:0', authorization: `Bearer ${board.token}`, 'content-type': 'application/json' },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    });
    const answer = (await response.json()) as Record<string, unknown>; // an object, as all answers are
    if (response.status !== 200) throw new WrongResult(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return { board, ask };
};

/** Looks again after every commit. */
export const until = async ({ board }: Stage, isSo: () => boolean): Promise<void> => {
  while (!isSo()) {
    await new Promise<void>((resolve) => {
      const stop = board.engine.onCommitted(() => {
        stop();
        resolve();
      });
    });
  }
};

/** Milliseconds from starting the same program without anything around it to its first line. */
export const startBare = async (): Promise<number> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write('{"type":"hello","sidebar_id":"SB-1"}\n');
  await once(child.stdout, 'data');
  const took = performance.now() - startedAt;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return took;
};

/** An endpoint that streams so many tokens, as fast as it is read. */
export const startTokens = async (tokens: number): Promise<{ readonly url: string; readonly close: () => void }> => {
  const one = `data: ${JSON.stringify({ model: 'stub', choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n`;
  const body = `${one.repeat(tokens)}data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body));
  });
  // It is asked again after a while, on the same connection.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // a TCP server has no other kind of address
    close: () => server.close(),
  };
};

/** Milliseconds to fetch and parse the same stream with nothing around it. */
export const readBare = async (url: string): Promise<number> => {
  const startedAt = performance.now();
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: '{}' });
  let rest = '';
  let words = 0;
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const { choices } = JSON.parse(line.slice(6)) as { readonly choices: readonly { readonly delta: { readonly content?: string } }[] }; // as written above
      words += choices[0]?.delta.content === undefined ? 0 : 1;
    }
  }
  if (words === 0) throw new WrongResult('the stream was empty');
  return performance.now() - startedAt;
};
