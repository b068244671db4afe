// Questions from the terminal to a running server: processor time of a command against a bare request, on a small board and a large one: [--messages 100,10000] [--keep]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isIdle } from './ingest/start.ts';
import { buildCommand, startServer, until } from './measure/command.ts';
import { runBench } from './measure/run.ts';
import { below, layOut, type Verdict } from './measure/table.ts';
import { plantSession } from './web/planted.ts';

const { values } = parseArgs({ options: { messages: { type: 'string', default: '100,10000' }, keep: { type: 'boolean', default: false } } });
const sizes = values.messages.split(',').map(Number);
if (sizes.length !== 2 || !sizes.every((size) => size > 0)) throw new Error('--messages takes two counts, such as 100,10000');

const QUESTIONS: readonly (readonly string[])[] = [['search', 'the'], ['status'], ['sidebar', 'list']];
const TIMES = 9;

await runBench({ name: 'terminal', keep: values.keep }, async (scratch) => {
  const command = buildCommand(scratch);
  const rows: (readonly string[])[] = [['messages', 'asked', 'bare request', 'command', 'x']];
  const verdicts: Verdict[] = [];
  for (const messages of sizes) {
    const [tree, home] = [join(scratch, `tree-${messages}`), join(scratch, `board-${messages}`)];
    plantSession(tree, messages, messages);
    const server = await startServer(command, home, tree);
    try {
      await until('everything is imported', () => isIdle(server), 200, 900_000);
      for (const words of QUESTIONS) {
        // In turns, so that whatever else the machine does slows both down.
        const [bare, ours]: [number[], number[]] = [[], []];
        for (let time = 0; time < TIMES; time += 1) {
          bare.push(cpuOf(['-e', `require('node:http').get('${server.url}/api/v1/status', { agent: false }, (answer) => answer.resume())`], home));
          ours.push(cpuOf([command.program, ...words], home));
        }
        const [floor, cost] = [Math.min(...bare), Math.min(...ours)];
        const what = `\`yarnboard ${words.join(' ')}\``;
        rows.push([String(messages), what, `${(floor * 1000).toFixed(0)} ms`, `${(cost * 1000).toFixed(0)} ms`, (cost / floor).toFixed(2)]);
        // What is asked every day; other questions load the registry of all operations.
        if (words[0] !== 'sidebar') verdicts.push(below(cost / floor, 4, `${messages} messages: ${what} against a bare request of Node`, 'times'));
      }
    } finally {
      await server.stop();
    }
  }
  console.log(layOut(rows));
  return verdicts;
});

/** Seconds of processor time that a program of Node takes altogether. */
function cpuOf(args: readonly string[], home: string): number {
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(home, 'user'), YARNBOARD_HOME: join(home, 'home'), YARNBOARD_STATE: join(home, 'state') };
  const { stdout, status, stderr } = spawnSync('bash', ['-c', '"$@" > /dev/null && times', 'measured', process.execPath, ...args], {
    env,
    encoding: 'utf8',
  });
  const children = stdout.trim().split('\n').at(-1) ?? '';
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/gu)].map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  if (status !== 0 || seconds.length !== 2) throw new Error(`${args.join(' ')}: ${stderr}`);
  return seconds.reduce((sum, one) => sum + one, 0);
}
