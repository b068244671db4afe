import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCounter } from '../../src/threads/counter.ts';
import { startIndexer, startWriter, type Programs, type ThreadTask } from '../../src/threads/threads.ts';
import type { WriterEvent } from '../../src/threads/writer.ts';
import { homeOf, type Home } from '../../src/home/home.ts';
import { startServer } from '../../src/serving.ts';
import { runningServer } from '../../src/home/running-server.ts';

let folder = '';
let home: Home;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yarnboard-threads-'));
  home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A thread that answers every call but one, which ends it as a mistake in the program would. */
const failing = (method: string): Programs => {
  const program = join(folder, 'thread.mjs');
  writeFileSync(
    program,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', ({ call, method }) => {
       if (method === '${method}') throw new Error('a mistake');
       parentPort.postMessage({ reply: call, result: null });
       if (method === 'close') parentPort.close();
     });
     parentPort.postMessage({ ready: true });`,
  );
  return { writer: program, indexer: program, verifier: program, counter: program };
};

const task = (): ThreadTask => ({ home, roots: [], settings: { excludedProjects: [], roots: [] }, sweepEvery: null });

test('[SRV-5] a writer that ends without being closed is reported as a state, and its calls are refused', async () => {
  const events: WriterEvent[] = [];
  const writer = await startWriter(task(), failing('poke'), (event) => events.push(event));
  await writer.troubles();
  await expect(writer.poke()).rejects.toThrow('a mistake');
  await expect(writer.troubles()).rejects.toThrow('a mistake');
  await expect.poll(() => events).toEqual([{ kind: 'state', state: { kind: 'stopped', why: 'the writer ended: a mistake; start yarnboard again' } }]);
});

test('[SRV-5] an indexer that ends is reported; threads that are closed are not', async () => {
  const told: string[] = [];
  const indexer = await startIndexer(task(), failing('wake'), (why) => told.push(why));
  await expect(indexer.wake()).rejects.toThrow('a mistake');
  await expect.poll(() => told).toEqual(['a mistake; start yarnboard again']);
  const events: WriterEvent[] = [];
  await (await startWriter(task(), failing('poke'), (event) => events.push(event))).close();
  await (await startIndexer(task(), failing('wake'), (why) => told.push(why))).close();
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect([events, told.length]).toEqual([[], 1]);
});

test('[SRV-3] a server is told to have stopped when its home is free, not before', async () => {
  const options = { home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null, port: 0 };
  const server = await startServer(options);
  await server.imported;
  expect(runningServer(home)?.database).toBe(home.database);
  const closing = server.close();
  while (existsSync(home.serverFile)) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  const next = await startServer(options);
  await Promise.all([closing, next.close()]);
});

test('[REC-66] a thread that cannot begin says why to whoever waits for it: a store that is away is no mistake of the server', async () => {
  const program = join(folder, 'away.mjs');
  writeFileSync(
    program,
    `import { parentPort } from 'node:worker_threads';
     parentPort.postMessage({ fault: { kind: 'unreachable', outcome: 'nothing', message: 'board.db is not there', stack: '' } });`,
  );
  const counter = startCounter(home, program);
  await expect(counter.answer({ kind: 'size' }, new AbortController().signal)).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'board.db is not there',
  });
  await counter.close();
});
