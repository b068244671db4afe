import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REGISTRY, type Operation, type OperationName, type OutputOf, type Problem } from '@yarnboard/protocol';
import { afterFile } from '../../../../tests/afterwards.ts';
import { homeOf, type Home } from '../../src/home/home.ts';
import { openBoard, type BoardOptions, type OpenBoard } from '../../src/main.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const DEMO = join(ROOT, 'packages/cli/demo');
export const FIXTURES = join(ROOT, 'fixtures/claude-code');
export const ADDRESS = '127.0.0.1:0';

export const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-http-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Files by their path below a folder; records become lines. */
export type Files = Readonly<Record<string, readonly (object | string)[] | Buffer>>;

const writeFiles = (folder: string, files: Files): void => {
  for (const [name, lines] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const text = Buffer.isBuffer(lines) ? lines : lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
    writeFileSync(path, text);
  }
};

export type TestBoard = {
  readonly board: OpenBoard;
  readonly home: Home;
  readonly folder: string;
  readonly token: string;
  /** A request as it comes, with a Host that is ours. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  /** An answer that fits its schema strictly; anything else fails the test. */
  readonly get: <N extends OperationName>(name: N, input?: Input) => Promise<OutputOf<N>>;
  /** The same as the operator. */
  readonly command: <N extends OperationName>(name: N, input?: Input) => Promise<OutputOf<N>>;
  readonly problem: (path: string, init?: RequestInit) => Promise<Problem>;
  readonly faults: readonly unknown[];
  readonly close: () => Promise<void>;
};

export type Input = Readonly<Record<string, string | number | boolean | readonly string[] | object | null | undefined>>;

export type TestBoardOptions = { readonly files?: Files; readonly roots?: readonly string[]; readonly isImported?: boolean } & Partial<
  Pick<BoardOptions, 'home' | 'isFollowing' | 'onStop' | 'pageFolder' | 'readOnly' | 'loadSdk' | 'runGrace' | 'settings' | 'dialects' | 'env'>
>;

export const makeBoard = async ({ files = {}, roots, isImported = true, home: given, ...options }: TestBoardOptions): Promise<TestBoard> => {
  const folder = makeFolder();
  const transcripts = join(folder, 'projects');
  mkdirSync(transcripts);
  writeFiles(transcripts, files);
  const home = given ?? homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  const faults: unknown[] = [];
  const read = roots ?? [transcripts];
  const board = await openBoard({
    home,
    settings: { excludedProjects: [], roots: [] },
    roots: read,
    version: '0',
    programs: null,
    onFault: (cause) => faults.push(cause),
    ...options,
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await board.close();
    isClosed = true;
  };
  afterFile(close);
  if (isImported) {
    await board.writer.importPaths(read);
    await board.indexer.drain();
  }
  const ask: TestBoard['ask'] = async (path, init = {}) =>
    board.app.request(`http://${ADDRESS}${path}`, { ...init, headers: { host: ADDRESS, ...(init.headers as Record<string, string> | undefined) } });
  const call = async <N extends OperationName>(name: N, input: Input, headers: Record<string, string>): Promise<OutputOf<N>> => {
    const operation: Operation = REGISTRY[name];
    const isQuery = operation.method === 'GET';
    const response = await ask(pathOf(name, input), {
      method: operation.method,
      headers,
      ...(isQuery ? {} : { body: JSON.stringify(Object.fromEntries(Object.entries(input).filter(([key]) => !operation.path.includes(`{${key}}`)))) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${operation.method} ${pathOf(name, input)}: ${response.status} ${text}`);
    const parsed = operation.output.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Error(`${pathOf(name, input)} does not fit its schema: ${parsed.error.message}`);
    return parsed.data as OutputOf<N>; // the schema is this operation's
  };
  return {
    board,
    home,
    folder,
    token: board.token,
    ask,
    get: (name, input = {}) => call(name, input, {}),
    command: (name, input = {}) => call(name, input, { authorization: `Bearer ${board.token}` }),
    problem: async (path, init) => {
      const response = await ask(path, init);
      const problem = (await response.json()) as Problem; // checked below
      if (response.headers.get('content-type') !== 'application/problem+json') throw new Error(`${path} is no problem: ${response.status}`);
      if (problem.status !== response.status || problem.detail === '' || problem.type !== `urn:yarnboard:problem:${problem.code}`) {
        throw new Error(`${path}: ${JSON.stringify(problem)}`);
      }
      return problem;
    },
    faults,
    close,
  };
};

const textOf = (value: Input[string]): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

export const pathOf = (name: OperationName, input: Input): string => {
  const operation: Operation = REGISTRY[name];
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, key: string) => encodeURIComponent(textOf(input[key])));
  const given = Object.entries(input).filter(([key, value]) => value !== undefined && !operation.path.includes(`{${key}}`));
  const query = new URLSearchParams(given.map(([key, value]): [string, string] => [key, textOf(value)]));
  return `/api/v1${path}${operation.method === 'GET' && query.size > 0 ? `?${query.toString()}` : ''}`;
};

type ListName = 'projects' | 'sessions' | 'tree' | 'merges' | 'operations' | 'sidechains' | 'branches' | 'envelopes' | 'search' | 'log';
type ItemOf<N extends ListName> = OutputOf<N>['items'][number];

/** All items of a list, page by page. */
export const walk = async <N extends ListName>({ get }: TestBoard, name: N, input: Input = {}): Promise<readonly ItemOf<N>[]> => {
  const items: ItemOf<N>[] = [];
  for (let cursor: string | undefined; ;) {
    const page: { readonly items: readonly ItemOf<N>[]; readonly next_cursor: string | null } = await get(name, { ...input, cursor });
    items.push(...page.items);
    checkPage(name, input, page.items.length, page.next_cursor);
    if (page.next_cursor === null) return items;
    cursor = page.next_cursor;
  }
};

export type Message = OutputOf<'message'>;

export const walkMessages = async ({ get }: TestBoard, id: string, input: Input = {}): Promise<readonly Message[]> => {
  const messages: Message[] = [];
  for (let cursor: string | undefined; ;) {
    const page: OutputOf<'messages'> = await get('messages', { id, ...input, cursor });
    messages.push(...page.messages);
    checkPage('messages', input, page.messages.length, page.next_cursor);
    if (page.next_cursor === null) return messages;
    cursor = page.next_cursor;
  }
};

const checkPage = (name: string, { limit }: Input, length: number, next: string | null): void => {
  if (typeof limit !== 'number') return;
  if (length > limit || (next !== null && length < limit))
    throw new Error(`a page of ${name} has ${length} items of ${limit}, and ${next === null ? 'no' : 'a'} next`);
};
