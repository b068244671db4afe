// The page in a browser: first paint, scrolling, memory and the graph with a long session against a short one, size of the page: [--messages 1000,100000] [--seed N] [--keep]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium, launch } from '../tests/chromium.ts';
import { isIdle } from './ingest/start.ts';
import { buildCommand, startServer, until } from './measure/command.ts';
import { runBench, WrongResult } from './measure/run.ts';
import { describeGraphings, judgeGraphings, measureGraphing, type Graphing } from './web/graphing.ts';
import type { Opening } from './web/job.ts';
import { measureOpening } from './web/opening.ts';
import { measurePageSize } from './web/page-size.ts';
import { plantSession } from './web/planted.ts';
import { describeOpenings, describePageSize, judgeOpenings, judgePageSize } from './web/verdict.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000,100000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const [few = 0, many = 0] = values.messages.split(',').map(Number);
if (!(few > 0 && many > few)) throw new Error('--messages takes two counts, such as 1000,100000');

type SessionItem = { readonly session_id: string; readonly messages: number };

await runBench({ name: 'web', keep: values.keep }, async (scratch) => {
  const chromium = findChromium();
  if (chromium === null) throw new Error('there is no Chromium; name one with CHROMIUM=/path');
  const command = buildCommand(scratch);
  const tree = join(scratch, 'tree');
  const ids = [few, many].map((messages) => plantSession(tree, messages, Number(values.seed) + messages));
  const home = join(scratch, 'board');
  const first = await startServer(command, home, tree);
  await until('everything is imported', () => isIdle(first), 200, 900_000);
  const counts = await Promise.all(
    ids.map(
      async (id) =>
        (await first.get<{ readonly items: readonly SessionItem[] }>('/api/v1/sessions?limit=10'))?.items.find((one) => one.session_id === id)
          ?.messages ?? 0,
    ),
  );
  await first.stop();
  counts.forEach((count, n) => {
    const wanted = n === 0 ? few : many;
    if (count < wanted) throw new WrongResult(`a session of ${wanted} messages was planted, ${count} are there`);
  });

  const browser = await launch(chromium);
  const openings: Opening[] = [];
  const graphings: Graphing[] = [];
  try {
    for (const [n, id] of ids.entries()) {
      // A server that has not read the session yet: what it keeps in memory is not what is measured.
      const server = await startServer(command, home, tree);
      try {
        await until('it watches', () => isIdle(server), 50);
        openings.push(await measureOpening(browser, { url: server.url, sessionId: id, messages: counts[n] ?? 0 }));
        graphings.push(await measureGraphing(browser, { url: server.url, sessionId: id, messages: counts[n] ?? 0 }));
      } finally {
        await server.stop();
      }
    }
  } finally {
    await browser.close();
  }
  console.log(`\n${describeOpenings(openings)}`);
  console.log(`\n${describeGraphings(graphings)}`);
  const size = measurePageSize(join(command.folder, 'page'));
  console.log(`\n${describePageSize(size)}`);
  return [...judgeOpenings(openings), ...judgeGraphings(graphings), ...judgePageSize(size)];
});
