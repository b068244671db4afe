// One size in a process of its own: node search.mjs ORDER. Prints one line of JSON.
import { join } from 'node:path';
import { homeOf, openBoard, openReader, type Home } from '@yarnboard/server';
import type { SearchFilters, SearchPort } from '@yarnboard/store';
import { openDatabase } from '../../packages/store/src/sqlite/database.ts';
import { WrongResult } from '../measure/run.ts';
import { createRandom } from '../tree/random.ts';
import { buildBoard, TooSlow, type Built } from './board.ts';
import type { ClassName, ClassResult, Latencies, SearchOrder, SearchResult } from './job.ts';
import { PLANTED_WORDS } from './planted.ts';
import { COMMONEST, differenceFrom, makeQueries, PAGE, type Ask } from './queries.ts';
import { isProseWord } from '../tree/prose.ts';
import { createVocabulary } from '../tree/vocabulary.ts';

const measure = async (order: SearchOrder): Promise<SearchResult> => {
  const random = createRandom(order.seed);
  const vocabulary = createVocabulary(random, order.words, COMMONEST);
  const home = homeOf({ env: { YARNBOARD_HOME: join(order.folder, 'home'), YARNBOARD_STATE: join(order.folder, 'state') }, home: order.folder });
  const drawn = Array.from({ length: order.queries * 4 }, () => random.between(Math.floor(order.words / 10), order.words - 1));
  const watch = new Set(drawn.filter((rank) => !isProseWord(vocabulary.words[rank] ?? '')));
  const built = await buildBoard(home, order, random, vocabulary, watch);
  const { samples: _samples, watched: _watched, planted: _planted, ...sizes } = built;
  const queries = makeQueries(random, vocabulary, built, order.queries);
  const reader = await openReader(home);
  await findPlanted(reader.search, built);
  const find = await timeFind(reader.search, queries);
  await findSources(reader.search, queries);
  await reader.close();
  const api = await timeApi(home, queries);
  const names = [...new Set(queries.map(({ name }) => name))];
  return {
    kind: 'measured',
    messages: order.messages,
    ...sizes,
    terms: termsIn(home),
    planted: PLANTED_WORDS.length,
    classes: names.map((name): ClassResult => ({
      name,
      queries: queries.filter((query) => query.name === name).length,
      hits: (find.hits.get(name) ?? 0) / queries.filter((query) => query.name === name).length,
      right: find.right.get(name) ?? 0,
      find: latenciesOf(find.times.get(name) ?? []),
      api: latenciesOf(api.get(name) ?? []),
    })),
  };
};

const findPlanted = async (search: SearchPort, built: Built): Promise<void> => {
  for (const [i, { word, query = word }] of PLANTED_WORDS.entries()) {
    const answer = await search.find({ text: query, filters: {}, limit: PAGE, cursor: null });
    const wrong = differenceFrom(built.planted[i] ?? new Set(), answer.hits);
    if (wrong !== null || !answer.isComplete)
      throw new WrongResult(`planted "${word}" ${wrong ?? 'was looked for in an index that is not complete'}`);
  }
};

type Found = { readonly times: Map<ClassName, number[]>; readonly hits: Map<ClassName, number>; readonly right: Map<ClassName, number> };

const timeFind = async (search: SearchPort, queries: readonly Ask[]): Promise<Found> => {
  const times = new Map<ClassName, number[]>();
  const hits = new Map<ClassName, number>();
  const right = new Map<ClassName, number>();
  for (const { name, text, filters, check } of queries) {
    const startedAt = performance.now();
    const answer = await search.find({ text, filters, limit: PAGE, cursor: null });
    note(times, name, performance.now() - startedAt);
    hits.set(name, (hits.get(name) ?? 0) + answer.hits.length);
    const wrong = check(answer);
    if (wrong === null) right.set(name, (right.get(name) ?? 0) + 1);
    else if (name !== 'misspelled word') throw new WrongResult(`${name} "${text}" ${JSON.stringify(filters)}: ${wrong}`);
  }
  return { times, hits, right };
};

// A page has room for fifty: asked for in its own session, at most a few messages compete.
const findSources = async (search: SearchPort, queries: readonly Ask[]): Promise<void> => {
  for (const { name, text, source } of queries) {
    if (source === null) continue;
    const { hits } = await search.find({ text, filters: { sessionId: source.sessionId }, limit: 500, cursor: null });
    if (hits.every(({ position }) => position !== source.position))
      throw new WrongResult(`${name} "${text}": message ${source.position} is not among ${hits.length} hits`);
  }
};

const timeApi = async (home: Home, queries: readonly Ask[]): Promise<Map<ClassName, number[]>> => {
  const board = await openBoard({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: 'bench', programs: null, readOnly: true });
  const times = new Map<ClassName, number[]>();
  for (const { name, text, filters } of queries) {
    const query = new URLSearchParams({ q: text, limit: String(PAGE), ...parametersOf(filters) });
    const startedAt = performance.now();
    const response = await board.app.request(`http://127.0.0.1:0/api/v1/search?${query.toString()}`, { headers: { host: '127.0.0.1:0' } });
    const body = (await response.json()) as { readonly items?: readonly unknown[] }; // checked below
    note(times, name, performance.now() - startedAt);
    const isRight = response.status === 200 && body.items !== undefined && (body.items.length > 0 || name === 'misspelled word');
    if (!isRight) throw new WrongResult(`the API answers "${text}" with ${response.status}: ${JSON.stringify(body).slice(0, 200)}`);
  }
  await board.close();
  return times;
};

const parametersOf = ({ project, sessionId, agent, actor, tool, model, since, until, hasError }: SearchFilters): Record<string, string> => ({
  ...(project === undefined ? {} : { project }),
  ...(sessionId === undefined ? {} : { session: sessionId }),
  ...(agent === undefined ? {} : { agent }),
  ...(actor === undefined ? {} : { actor }),
  ...(tool === undefined ? {} : { tool }),
  ...(model === undefined ? {} : { model }),
  ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
  ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
  ...(hasError === undefined ? {} : { has_error: String(hasError) }),
});

const termsIn = (home: Home): number => {
  const index = openDatabase(join(home.folder, 'board', 'search.db'), { readOnly: true, migrations: [{ version: 1, name: '', up: '', down: null }] });
  const terms = index.prepare<[], { readonly n: number }>('SELECT count(*) AS n FROM terms').get()?.n ?? 0;
  index.close();
  return terms;
};

const note = (times: Map<ClassName, number[]>, name: ClassName, ms: number): void => {
  const known = times.get(name) ?? [];
  known.push(ms);
  times.set(name, known);
};

const latenciesOf = (times: readonly number[]): Latencies => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), most: sorted.at(-1) ?? 0 };
};

const order = JSON.parse(process.argv[2] ?? '{}') as SearchOrder; // written by bench/search.ts and by nobody else
try {
  console.log(JSON.stringify(await measure(order)));
} catch (cause) {
  if (!(cause instanceof TooSlow)) throw cause;
  console.log(JSON.stringify({ kind: 'too slow', messages: order.messages, seconds: order.patience, done: cause.done } satisfies SearchResult));
}
