import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rest, startServer, until, type Command, type Server } from '../measure/command.ts';
import { bytesRead } from '../measure/process.ts';
import { createTally } from '../tree/planted.ts';
import { createProse } from '../tree/prose.ts';
import { createRandom, type Random } from '../tree/random.ts';
import { writeSession } from '../tree/session.ts';
import type { LineCost, LineResult } from './job.ts';
import { isIdle } from './start.ts';

export type LineOrder = { readonly command: Command; readonly folder: string; readonly largeBytes: number; readonly seed: number };

/** What one line costs that is appended to a transcript of a kilobyte, and to a long one. */
export const measureLine = async ({ command, folder, largeBytes, seed }: LineOrder): Promise<LineResult> => {
  const tree = join(folder, 'tree');
  const project = join(tree, 'projects', '-home-dev-lines');
  mkdirSync(project, { recursive: true });
  const random = createRandom(seed);
  const order = { bytes: largeBytes / MAIN_SHARE, agents: 0, folder: project, cwd: '/home/dev/lines', startsAt: STARTS_AT, fork: null };
  const [session] = writeSession({ random, prose: createProse(random), tally: createTally() }, order);
  const small = random.uuid();
  const paths = { small: join(project, `${small}.jsonl`), large: join(project, `${session?.id ?? ''}.jsonl`) };
  const lines = { small: () => lineOf(random, small), large: () => lineOf(random, session?.id ?? '') };
  writeFileSync(paths.small, Array.from({ length: 3 }, lines.small).join(''));
  const sizes = { small: statSync(paths.small).size, large: statSync(paths.large).size };
  const server = await startServer(command, join(folder, 'board'), tree);
  await rest(1000);
  await until('imported', () => isIdle(server), 200, 600_000);
  const times = { small: [] as number[], large: [] as number[] };
  const reads = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const which of WHICH) {
      times[which].push(await timeOne(server, paths[which], lines[which]()));
      await rest(100);
    }
  }
  for (let round = 0; round < READ_ROUNDS; round += 1) {
    for (const which of WHICH) reads[which].push(await readsOfOne(server, paths[which], lines[which]()));
  }
  await server.stop();
  const costOf = (which: (typeof WHICH)[number]): LineCost => ({
    fileBytes: sizes[which],
    p50: middleOf(times[which]),
    most: Math.max(...times[which]),
    reads: middleOf(reads[which]),
  });
  return { small: costOf('small'), large: costOf('large') };
};

const timeOne = async (server: Server, path: string, line: string): Promise<number> => {
  const before = (await until('idle', () => isIdle(server))).entries;
  const startedAt = performance.now();
  appendFileSync(path, line);
  await until(
    'the line on the log',
    async () => {
      const page = await server.get<{ readonly items: readonly unknown[] }>(`/api/v1/log?after=${before}&limit=1`);
      return (page?.items.length ?? 0) > 0 ? true : null;
    },
    1,
  );
  return performance.now() - startedAt;
};

// Without asking meanwhile: questions are read, too.
const readsOfOne = async (server: Server, path: string, line: string): Promise<number> => {
  await until('idle', () => isIdle(server));
  await rest(100);
  const before = bytesRead(server.pid);
  appendFileSync(path, line);
  await rest(500);
  return bytesRead(server.pid) - before;
};

const lineOf = (random: Random, sessionId: string): string =>
  `{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/home/dev/lines","sessionId":"${sessionId}","version":"2.1.220","type":"user","message":{"role":"user","content":"One more question ${random.uuid()}"},"uuid":"${random.uuid()}","timestamp":"${new Date().toISOString()}"}\n`;

const middleOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const WHICH = ['small', 'large'] as const;
const ROUNDS = 15;
const READ_ROUNDS = 5;
/** Of a session's bytes, the part that its own transcript gets. */
const MAIN_SHARE = 0.62;
const STARTS_AT = Date.UTC(2026, 0, 5);
