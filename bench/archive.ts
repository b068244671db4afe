// Archive search over the API: filters, misspelled words, meaning, and all of them at once: [--sidebars 10000] [--said 20] [--rounds N] [--seed N] [--keep]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { homeOf, openBoard, type Home, type OpenBoard } from '@yarnboard/server';
import { runBench, WrongResult } from './measure/run.ts';
import { below, layOut } from './measure/table.ts';
import { createRandom, type Random } from './tree/random.ts';

const { values } = parseArgs({
  options: {
    sidebars: { type: 'string', default: '10000' },
    said: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const [sidebars, said, rounds] = [Number(values.sidebars), Number(values.said), Number(values.rounds)];
if (!(sidebars >= 100 && said >= 1 && rounds >= 5)) throw new Error('--sidebars takes at least 100, --said at least 1 and --rounds at least 5');

const TYPES = ['debugging', 'research', 'design', 'migration', 'review'] as const;
const PEOPLE = ['ada', 'ben', 'cyd', 'dora', 'emil', 'fay', 'gus', 'hal'] as const;
const TOPICS = [
  'Users cannot sign in after the release of the proxy',
  'The nightly export of invoices takes far too long',
  'Pictures in the catalogue load slowly on telephones',
  'A deadlock between two workers of the queue',
  'The price of the cluster doubled within a month',
] as const;
const SYLLABLES = ['ba', 'de', 'fi', 'go', 'hu', 'ka', 'le', 'mi', 'no', 'ru', 'sa', 'te', 'vi', 'wo', 'zu'] as const;

/** A word that only this sidebar has. */
const wordOf = (n: number): string => {
  let word = '';
  for (let rest = n + 15 ** 4; rest > 0; rest = Math.floor(rest / 15)) word += SYLLABLES[rest % 15] ?? '';
  return word;
};

const ADDRESS = '127.0.0.1:0';

const send = async (board: OpenBoard, path: string, body: object): Promise<{ readonly refs?: readonly string[] }> => {
  const response = await board.app.request(`http://${ADDRESS}/api/v1${path}`, {
    method: 'POST',
    headers: { host: ADDRESS, authorization: `Bearer ${board.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new WrongResult(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly refs?: readonly string[] }; // as its schema says
};

/** One that was spawned, talked in and archived. */
const make = async (board: OpenBoard, n: number, random: Random): Promise<void> => {
  const { refs = [] } = await send(board, '/sidebars', {
    parent_id: null,
    task_description: `${TOPICS[n % TOPICS.length]}: ${wordOf(n)}`,
    task_type: TYPES[n % TYPES.length],
    tags: [`tag-${n % 50}`],
    participants: [PEOPLE[n % PEOPLE.length], PEOPLE[(n + 3) % PEOPLE.length]],
  });
  const sidebar = refs.find((ref) => ref.startsWith('SB-')) ?? '';
  for (let at = 0; at < said; at += 1) {
    const words = Array.from({ length: 20 }, () => wordOf(sidebars + Math.floor(random.next() ** 3 * 20_000)));
    await send(board, `/sidebars/${sidebar}/messages`, { content: `${TOPICS[random.between(0, TOPICS.length - 1)]}: ${words.join(' ')}.` });
  }
  await send(board, `/sidebars/${sidebar}/archive`, {});
};

const fill = async (board: OpenBoard, random: Random): Promise<void> => {
  for (const name of PEOPLE) await send(board, '/agents', { agent_id: name });
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next; n < sidebars; n = next) {
      next += 1;
      await make(board, n, random);
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  await board.indexer.drain();
};

type Answer = { readonly total: number; readonly items: readonly { readonly sidebar_id: string; readonly task_description: string }[] };

const asker =
  (board: OpenBoard) =>
  async (query: Readonly<Record<string, string>>): Promise<Answer> => {
    const response = await board.app.request(`http://${ADDRESS}/api/v1/archive?${new URLSearchParams(query).toString()}`, {
      headers: { host: ADDRESS },
    });
    if (response.status !== 200) throw new WrongResult(`${JSON.stringify(query)}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer; // as its schema says
  };

/** Milliseconds of this process: how busy the machine is does not count. */
const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** A word with one letter replaced by another. */
const misspelled = (word: string): string => `${word.slice(0, 4)}x${word.slice(5)}`;

const homeBelow = (scratch: string): Home => {
  const home = homeOf({ env: { YARNBOARD_HOME: join(scratch, 'home'), YARNBOARD_STATE: join(scratch, 'state') }, home: scratch });
  mkdirSync(home.folder, { recursive: true });
  return home;
};

await runBench({ name: 'archive', keep: values.keep }, async (scratch) => {
  const random = createRandom(Number(values.seed));
  const board = await openBoard({
    home: homeBelow(scratch),
    settings: { excludedProjects: [], roots: [] },
    roots: [],
    version: 'bench',
    programs: null,
  });
  try {
    const startedAt = performance.now();
    await fill(board, random);
    console.log(`${sidebars} sidebars of ${said} messages, made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    const ask = asker(board);
    const some = Array.from({ length: rounds }, () => random.between(0, sidebars - 1));
    const kinds: Readonly<Record<string, { readonly most: number; readonly query: (n: number) => Readonly<Record<string, string>> }>> = {
      filters: {
        most: 20,
        query: (n) => ({ task_types: TYPES[n % TYPES.length] ?? '', participants: PEOPLE[n % PEOPLE.length] ?? '', tags: `tag-${n % 50}` }),
      },
      'misspelled words': { most: 100, query: (n) => ({ fuzzy_text: misspelled(wordOf(n)) }) },
      meaning: { most: 100, query: (n) => ({ query_text: TOPICS[n % TOPICS.length] ?? '', similarity_threshold: '0.5' }) },
      'all at once': {
        most: 150,
        query: (n) => ({
          fuzzy_text: misspelled(wordOf(n)),
          query_text: TOPICS[n % TOPICS.length] ?? '',
          similarity_threshold: '0.1',
          task_types: TYPES[n % TYPES.length] ?? '',
          participants: PEOPLE[n % PEOPLE.length] ?? '',
        }),
      },
    };
    const first = performance.now();
    await ask({ fuzzy_text: wordOf(0) });
    console.log(`words of the archive read once, with the first question: ${(performance.now() - first).toFixed(0)} ms`);
    const rows: (readonly [string, number, number])[] = [];
    for (const [name, { most, query }] of Object.entries(kinds)) {
      const times: number[] = [];
      for (const n of some) {
        const before = process.cpuUsage();
        const { items } = await ask(query(n));
        times.push(cpuSince(before));
        const isThere = items.some(({ task_description: task }) => task.endsWith(wordOf(n)));
        if (name === 'misspelled words' && !isThere) throw new WrongResult(`${wordOf(n)} was not found by ${misspelled(wordOf(n))}`);
        if (items.length === 0 && name !== 'all at once') throw new WrongResult(`${name}: nothing was found for ${JSON.stringify(query(n))}`);
      }
      rows.push([name, times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0, most]);
    }
    console.log(layOut([['', 'p95 of processor ms'], ...rows.map(([name, p95]) => [name, p95.toFixed(1)])]));
    return rows.map(([name, p95, most]) => below(p95, most, `p95 of ${name}`, 'ms of processor time'));
  } finally {
    await board.close();
  }
});
