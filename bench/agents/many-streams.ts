import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openStage, type Stage } from './seats.ts';

/** The median of what somebody else waits for an answer, in milliseconds: while nothing happens, and while all seats stream. */
export type ManyStreams = { readonly quiet: number; readonly busy: number };

/** So many seats on models that write at the pace of a fast one, all of them at once. */
export const measureManyStreams = async (scratch: string, seats: number, latency: (stage: Stage) => Promise<number>): Promise<ManyStreams> => {
  const model = await startPaced();
  const stage = await openStage(join(scratch, 'many'), seats + 2, model.url);
  const { board, ask } = stage;
  try {
    await ask('POST', '/agents', { agent_id: 'model' });
    await ask('POST', '/agents/model/limits', { max_concurrent_per_instance: 100 });
    const quiet = await latency(stage);
    await ask('POST', '/agents/model/runtime', { runtime: 'model' });
    for (let n = 0; n < seats; n += 1) await ask('POST', '/sidebars', { parent_id: null, task_description: `stream ${n}`, participants: ['model'] });
    while (model.open() < seats) {
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
    const busy = await latency(stage);
    model.end();
    await board.seats.settled();
    return { quiet, busy };
  } finally {
    await board.close();
    model.close();
  }
};

type Paced = { readonly url: string; readonly open: () => number; readonly end: () => void; readonly close: () => void };

const startPaced = async (): Promise<Paced> => {
  const streams = new Set<ServerResponse>();
  const one = `data: ${JSON.stringify({ model: 'stub', choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      streams.add(response);
      response.once('close', () => streams.delete(response));
    });
  });
  const timer = setInterval(() => {
    for (const stream of streams) for (let n = 0; n < TOKENS_AT_ONCE; n += 1) stream.write(one);
  }, PACE);
  const end = (): void => {
    clearInterval(timer);
    for (const stream of streams) stream.end(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // a TCP server has no other kind of address
    open: () => streams.size,
    end,
    close: () => {
      end();
      server.closeAllConnections();
      server.close();
    },
  };
};

// A hundred tokens a second.
const TOKENS_AT_ONCE = 5;
const PACE = 50;
