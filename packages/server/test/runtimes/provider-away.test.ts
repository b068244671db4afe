import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentIdOf, seatRunOf } from '@yarnboard/domain';
import { readRuntimes, type OutputOf } from '@yarnboard/protocol';
import { expect, test } from 'vitest';
import { afterFile } from '../../../../tests/afterwards.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';

/** An endpoint that can be taken away and put back where it was. */
const startEndpoint = async (): Promise<{
  readonly url: string;
  readonly asked: string[];
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}> => {
  const asked: string[] = [];
  let port = 0;
  let server: Server | null = null;
  const start = async (): Promise<void> => {
    const made = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString('utf8')));
      request.on('end', () => {
        asked.push(body);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(
          `data: ${JSON.stringify({ model: 'stub-1', choices: [{ delta: { content: `Answer ${asked.length}` }, finish_reason: 'stop' }] })}\n\n`,
        );
        response.end('data: [DONE]\n\n');
      });
    });
    await new Promise<void>((resolve) => {
      made.listen(port, '127.0.0.1', resolve);
    });
    ({ port } = made.address() as AddressInfo); // a TCP server has no other kind of address
    server = made;
  };
  const stop = async (): Promise<void> => {
    server?.closeAllConnections();
    await new Promise((resolve) => {
      if (server === null) resolve(null);
      else server.close(resolve);
    });
    server = null;
  };
  await start();
  afterFile(stop);
  return { url: `http://127.0.0.1:${port}/v1`, asked, stop, start };
};

const until = async <T>({ board }: TestBoard, look: () => Promise<T | null>): Promise<T> => {
  for (;;) {
    const committed = new Promise<void>((resolve) => {
      const stop = board.engine.onCommitted(() => {
        stop();
        resolve();
      });
    });
    const found = await look();
    if (found !== null) return found;
    await committed;
  }
};

const seatWhere = (made: TestBoard, fits: (seat: OutputOf<'seat'>) => boolean): Promise<OutputOf<'seat'>> =>
  until(made, async () => {
    const seat = await made.get('seat', { sidebar_id: 'SB-1', agent_id: 'author' }).catch(() => null);
    return seat !== null && fits(seat) ? seat : null;
  });

const told = async (made: TestBoard): Promise<readonly string[]> =>
  (await made.command('inbox', {})).notices.flatMap(({ text }) => (text.includes('failed at its turn') ? [text] : []));

test('[RT-70] an endpoint that is away is asked again until it answers; that it failed is told once, no budget counts it, and nothing is lost', async () => {
  const endpoint = await startEndpoint();
  const read = readRuntimes({ model: { kind: 'openai', url: endpoint.url, model: 'stub-1' } });
  if (!read.ok) throw new Error(read.error);
  const made = await makeBoard({ settings: { excludedProjects: [], roots: [], runtimes: read.value }, isImported: false });
  await made.board.seats.start();
  await made.command('agent_register', { agent_id: 'author' });
  await made.command('agent_runtime', { agent_id: 'author', runtime: 'model' });
  await made.command('sidebar_spawn', { parent_id: null, task_description: 'Write', participants: ['author'] });
  await seatWhere(made, ({ state, turns }) => state === 'ready' && turns.used === 1);
  await endpoint.stop();
  await made.command('chat_message', { sidebar_id: 'SB-1', content: '@author which thread?' });
  const runOf = () => seatRunOf(made.board.engine.board(), agentIdOf('author'), made.board.engine.board().ids.get('SB-1') ?? '');
  const waiting = await seatWhere(made, ({ state, turn_id: turn }) => state === 'resting' && turn === null && (runOf()?.turns ?? 0) >= 3);
  // However often it was asked, the budget has only the turn that was answered.
  expect(waiting.turns.used).toBe(1);
  expect(waiting.reason).toContain('could not be reached');
  expect(await told(made)).toEqual([expect.stringMatching(/^AGENT-author failed at its turn in SB-1: unreachable: .*; it tries again by itself$/u)]);
  await endpoint.start();
  const well = await seatWhere(made, ({ state, reason }) => state === 'ready' && reason === null);
  expect(well.turns.used).toBe(2);
  expect(endpoint.asked.at(-1)).toContain('which thread?');
  const { items } = await made.get('sidebar_memory', { sidebar_id: 'SB-1', part: 'local' });
  expect(items.filter(({ sender }) => sender === 'AGENT-author').map(({ content }) => content)).toEqual(['Answer 1', 'Answer 2']);
  expect(await told(made)).toHaveLength(1);
  expect(made.faults).toEqual([]);
  await made.close();
});
