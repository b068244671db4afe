// Acknowledgements on PostgreSQL with one and two servers, against a bare INSERT and COMMIT: [--commands 400] [--keep]
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadDriver } from '../packages/store/src/postgres/driver.ts';
import { findPostgres } from '../tests/postgres.ts';
import { post } from './engine/http.ts';
import { buildPrograms } from './measure/bundle.ts';
import { runBench, WrongResult } from './measure/run.ts';
import { below, layOut, type Verdict } from './measure/table.ts';

const { values } = parseArgs({ options: { commands: { type: 'string', default: '400' }, keep: { type: 'boolean', default: false } } });
const commands = Number(values.commands);

type Place = { readonly child: ChildProcess; readonly url: string; readonly token: string };
type Times = { readonly p50: number; readonly p99: number };

await runBench({ name: 'postgres', keep: values.keep }, async (scratch) => {
  const postgres = await findPostgres({ isDurable: true });
  if (postgres === null) throw new WrongResult('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
  const children: ChildProcess[] = [];
  try {
    const programs = join(scratch, 'bundle');
    const { child } = await buildPrograms(programs, {
      child: 'bench/postgres/child.ts',
      writer: 'packages/server/src/threads/writer-thread.ts',
      indexer: 'packages/server/src/threads/indexer-thread.ts',
      verifier: 'packages/server/src/threads/verifier-thread.ts',
    });
    const database = `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=bench_${process.pid}`;
    const start = async (name: string): Promise<Place> => {
      const started = spawn(process.execPath, [child, join(scratch, name), programs, database], { stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(started);
      const [said] = (await once(started.stdout, 'data')) as [Buffer];
      return { child: started, ...(JSON.parse(said.toString()) as { readonly url: string; readonly token: string }) }; // printed by child.ts
    };
    const one = await start('one');
    const sidebar = await spawnSidebar(one);
    await talk(one, sidebar, 50);
    const bare = await bareCommits(postgres.url, commands);
    const alone = await talk(one, sidebar, commands);
    const other = await start('two');
    await talk(other, sidebar, 50);
    const beside = await talk(one, sidebar, commands);
    // Both at once, each with a client that waits for its answers.
    const [here, there] = await Promise.all([talk(one, sidebar, commands), talk(other, sidebar, commands)]);
    const rows: readonly (readonly [string, Times])[] = [
      ['bare INSERT and COMMIT', bare],
      ['one server', alone],
      ['two servers, one is asked', beside],
      ['two servers, the first of both that are asked', here],
      ['two servers, the second', there],
    ];
    console.log(layOut([['acknowledged after', 'p50 ms', 'p99 ms', 'p50, × bare'], ...rows.map(([name, times]) => lineOf(name, times, bare))]));
    return [
      below(alone.p50, 15, 'p50 of an acknowledgement, one server', 'ms'),
      below(Math.max(here.p50, there.p50), 15, 'p50 of an acknowledgement, two servers that are both asked', 'ms'),
    ] satisfies Verdict[];
  } finally {
    for (const started of children) started.kill('SIGKILL');
    await postgres.stop();
  }
});

async function spawnSidebar({ url, token }: Place): Promise<string> {
  const text = await post(new Agent(), `${url}/api/v1/sidebars`, token, JSON.stringify({ parent_id: null, task_description: 'why is login slow?' }));
  const { ref } = JSON.parse(text) as { readonly ref?: string };
  if (ref === undefined) throw new WrongResult(`spawning is answered with ${text.slice(0, 300)}`);
  return ref;
}

/** One client that keeps its connection and waits for each answer. */
async function talk({ url, token }: Place, sidebar: string, count: number): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const path = `${url}/api/v1/sidebars/${sidebar}/messages`;
  const times = await timed(count, async (n) => {
    const text = await post(agent, path, token, JSON.stringify({ content: `message ${n} of ${process.pid}` }));
    if (!text.includes('MSG-')) throw new WrongResult(`POST ${path} is answered with ${text.slice(0, 300)}`);
  });
  agent.destroy();
  return times;
}

async function bareCommits(url: string, count: number): Promise<Times> {
  const pg = await loadDriver();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE bare_commits (id bigserial PRIMARY KEY, content text NOT NULL)');
  const times = await timed(count, async (n) => {
    await client.query('BEGIN');
    await client.query('INSERT INTO bare_commits (content) VALUES ($1)', [`message ${n}`]);
    await client.query('COMMIT');
  });
  await client.query('DROP TABLE bare_commits');
  await client.end();
  return times;
}

async function timed(count: number, work: (n: number) => Promise<void>): Promise<Times> {
  const taken: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAt = performance.now();
    await work(n);
    taken.push(performance.now() - startedAt);
  }
  taken.sort((a, b) => a - b);
  return { p50: taken[Math.floor(count * 0.5)] ?? 0, p99: taken[Math.floor(count * 0.99)] ?? 0 };
}

function lineOf(name: string, { p50, p99 }: Times, bare: Times): readonly string[] {
  return [name, p50.toFixed(1), p99.toFixed(1), (p50 / bare.p50).toFixed(1)];
}
