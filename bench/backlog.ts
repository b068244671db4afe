// Commands while a backlog is imported, against the same commands on a quiet server: [--sessions 60] [--lines 2000] [--keep]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { post } from './engine/http.ts';
import { buildPrograms } from './measure/bundle.ts';
import { runBench, WrongResult } from './measure/run.ts';
import { below, layOut } from './measure/table.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '60' },
    lines: { type: 'string', default: '2000' },
    keep: { type: 'boolean', default: false },
  },
});

type Status = { readonly entries: number };

await runBench({ name: 'backlog', keep: values.keep }, async (scratch) => {
  const [sessions, lines] = [Number(values.sessions), Number(values.lines)];
  const roots = join(scratch, 'claude');
  makeTree(roots, sessions, lines);
  const programs = join(scratch, 'bundle');
  const { child } = await buildPrograms(programs, {
    child: 'bench/backlog/child.ts',
    writer: 'packages/server/src/threads/writer-thread.ts',
    indexer: 'packages/server/src/threads/indexer-thread.ts',
    verifier: 'packages/server/src/threads/verifier-thread.ts',
  });
  const server = spawn(process.execPath, [child, join(scratch, 'home'), programs, roots], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [said] = (await once(server.stdout, 'data')) as [Buffer];
    const { url, token } = JSON.parse(said.toString()) as { readonly url: string; readonly token: string }; // printed by child.ts
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (path: string, body: object): Promise<number> => {
      const startedAt = performance.now();
      const text = await post(agent, `${url}/api/v1${path}`, token, JSON.stringify(body));
      if (!/"(?:ref|MSG-)/u.test(text)) throw new WrongResult(`POST ${path} is answered with ${text.slice(0, 300)}`);
      return performance.now() - startedAt;
    };
    const entries = async (): Promise<number> => ((await (await fetch(`${url}/healthz`)).json()) as Status).entries;
    await ask('/sidebars', { parent_id: null, task_description: 'why is login slow?' });
    const during: number[] = [];
    const startedAt = performance.now();
    while ((await entries()) < sessions * lines) {
      for (let n = 0; n < 20; n += 1) during.push(await ask('/sidebars/SB-1/messages', { content: `message ${during.length}` }));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const quiet: number[] = [];
    for (let n = 0; n < 300; n += 1) quiet.push(await ask('/sidebars/SB-1/messages', { content: `afterwards ${n}` }));
    agent.destroy();
    console.log(`${sessions * lines} lines in ${seconds.toFixed(1)} s, ${during.length} commands meanwhile`);
    console.log(
      layOut([
        ['a command is answered after', 'p50 ms', 'p99 ms', 'longest'],
        ['quiet', ...rowOf(quiet)],
        ['while a backlog is imported', ...rowOf(during)],
      ]),
    );
    return [below(at(during, 0.99), 100, 'p99 of a command while a backlog is imported', 'ms')];
  } finally {
    server.kill('SIGKILL');
  }
});

function makeTree(roots: string, sessions: number, lines: number): void {
  const folder = join(roots, 'projects', '-home-ada-loom');
  mkdirSync(folder, { recursive: true });
  for (let s = 0; s < sessions; s += 1) {
    const sessionId = `${String(s).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const text = Array.from({ length: lines }, (_, n) =>
      JSON.stringify({
        type: 'user',
        sessionId,
        uuid: `${s}-${n}`,
        parentUuid: n === 0 ? null : `${s}-${n - 1}`,
        timestamp: new Date(Date.UTC(2026, 0, 1) + (n * sessions + s) * 1000).toISOString(),
        cwd: '/home/ada/loom',
        message: { role: 'user', content: `line ${n} of session ${s}: the shuttle goes through the shed, ${'and back again '.repeat(n % 20)}` },
      }),
    );
    writeFileSync(join(folder, `${sessionId}.jsonl`), `${text.join('\n')}\n`);
  }
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}

function rowOf(times: readonly number[]): readonly string[] {
  return [at(times, 0.5), at(times, 0.99), Math.max(...times)].map((ms) => ms.toFixed(1));
}
