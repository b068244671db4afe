import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rest, startServer, until, type Command, type Server } from '../measure/command.ts';
import { bytesRead, cpuSeconds, memoryNow } from '../measure/process.ts';
import { WrongResult } from '../measure/run.ts';
import { createProse } from '../tree/prose.ts';
import { createRandom } from '../tree/random.ts';
import type { IdleResult } from './job.ts';
import { isIdle } from './start.ts';

export type IdleOrder = {
  readonly command: Command;
  readonly folder: string;
  readonly files: number;
  readonly seconds: number;
  readonly seed: number;
};

/** What it costs to watch many files in which nothing happens. */
export const measureIdle = async ({ command, folder, files, seconds, seed }: IdleOrder): Promise<IdleResult> => {
  const tree = join(folder, 'tree');
  const lines = writeFiles(tree, files, seed);
  const home = join(folder, 'board');
  const server = await startServer(command, home, tree);
  await rest(1000);
  const { entries } = await until('imported', () => isIdle(server), 200, 600_000);
  if (entries !== lines) throw new WrongResult(`${lines} lines in ${files} files, ${entries} entries on the log`);
  await rest(3000);
  const memoryAfterImport = memoryNow(server.pid);
  await server.stop();
  const again = await startServer(command, home, tree);
  await rest(1000);
  await until('idle', () => isIdle(again), 200);
  // Texts are still read for what they mean when they can be found by their words.
  await until('read for meaning', () => isMeant(again), 500, 600_000);
  await rest(4000);
  const { pid } = again;
  const before = { cpu: cpuSeconds(pid) ?? 0, reads: bytesRead(pid) };
  await rest(seconds * 1000);
  const result = {
    files,
    seconds,
    cpuShare: ((cpuSeconds(pid) ?? Infinity) - before.cpu) / seconds,
    reads: bytesRead(pid) - before.reads,
    memory: memoryNow(pid),
    memoryAfterImport,
  };
  await again.stop();
  return result;
};

const isMeant = async (server: Server): Promise<true | null> => {
  type Found = { readonly coverage: { readonly position: number; readonly of: number } | null };
  const found = await server.get<Found>('/api/v1/search?q=how+do+people+talk+about+this&mode=semantic&limit=1');
  return found?.coverage != null && found.coverage.position >= found.coverage.of ? true : null;
};

/** Two sessions of four lines, the second with a sub-agent; and again. Returns how many lines there are. */
const writeFiles = (tree: string, files: number, seed: number): number => {
  const random = createRandom(seed);
  const prose = createProse(random);
  let at = Date.UTC(2026, 0, 5);
  const fileOf = (sessionId: string, agentId: string | null): string =>
    Array.from({ length: LINES }, (_, i) => {
      at += 1000;
      const frame = `"parentUuid":null,"isSidechain":${agentId !== null},"cwd":"/home/dev/idle","sessionId":"${sessionId}","version":"2.1.220",${agentId === null ? '' : `"agentId":"${agentId}",`}"uuid":"${random.uuid()}","timestamp":"${new Date(at).toISOString()}"`;
      return i % 2 === 0
        ? `{${frame},"type":"user","message":{"role":"user","content":"${prose.body(300)}"}}\n`
        : `{${frame},"type":"assistant","message":{"id":"${random.apiId('msg')}","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"${prose.body(500)}"}],"usage":{"input_tokens":3,"output_tokens":200}}}\n`;
    }).join('');
  for (let made = 0; made < files; made += 3) {
    const project = join(tree, 'projects', `-home-dev-idle-${made % 24}`);
    const [one, two, agentId] = [random.uuid(), random.uuid(), random.agentId()];
    mkdirSync(join(project, two, 'subagents'), { recursive: true });
    writeFileSync(join(project, `${one}.jsonl`), fileOf(one, null));
    writeFileSync(join(project, `${two}.jsonl`), fileOf(two, null));
    writeFileSync(join(project, two, 'subagents', `agent-${agentId}.jsonl`), fileOf(two, agentId));
  }
  return Math.ceil(files / 3) * 3 * LINES;
};

const LINES = 4;
