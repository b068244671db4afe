import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENTRY_TYPES, type ChainedEntry } from '@yarnboard/domain';
import type { OutputOf } from '@yarnboard/protocol';
import { NOWHERE, type Store } from '@yarnboard/store';
import { readEntry, type JsonObject } from '@yarnboard/transcript';
import { makeBoard, type TestBoard, type TestBoardOptions } from '../operations/boards.ts';
import { until } from '../ingest/bench.ts';
import { playSdk, type PlayedSdk, type Step } from './played-sdk.ts';
import { textOf, type Recorded } from './streams.ts';

export type RunsBench = TestBoard & {
  readonly played: PlayedSdk;
  /** The directory to run in. */
  readonly cwd: string;
  readonly post: (path: string, body: object) => Promise<Response>;
  readonly startRun: (input?: object) => Promise<OutputOf<'run'>>;
  /** Waits until the run is in this state, and what it then is like. */
  readonly reach: (runId: string, state: string) => Promise<OutputOf<'run'>>;
  readonly entries: () => Promise<readonly Logged[]>;
};

export type Logged = ChainedEntry & { readonly payload: JsonObject | null };

export const openRuns = async (
  steps: readonly Step[] | ((sessionId: string) => readonly Step[]),
  options: TestBoardOptions = {},
): Promise<RunsBench> => {
  const played = playSdk(typeof steps === 'function' ? steps : () => steps);
  const board = await makeBoard({ runGrace: 0, loadSdk: async () => ({ ok: true, sdk: played.sdk, folder: '', version: null }), ...options });
  const cwd = join(board.folder, 'work');
  mkdirSync(cwd);
  const post: RunsBench['post'] = (path, body) =>
    board.ask(`/api/v1${path}`, { method: 'POST', headers: { authorization: `Bearer ${board.token}` }, body: JSON.stringify(body) });
  return {
    ...board,
    played,
    cwd,
    post,
    startRun: async (input = { prompt: 'go' }) => {
      const response = await post('/runs', { cwd, ...input });
      const body: unknown = await response.json();
      if (response.status !== 200) throw new Error(JSON.stringify(body));
      return body as OutputOf<'run'>; // of the route that was asked
    },
    reach: async (runId, state) => {
      await until(`run ${runId} is ${state}`, async () => (await board.get('run', { id: runId })).state === state);
      return board.get('run', { id: runId });
    },
    entries: () => entriesOf(board.board.store),
  };
};

export const entriesOf = async ({ log }: Pick<Store, 'log'>): Promise<readonly Logged[]> => {
  const entries = await log.entriesAfter(0, 5000);
  const payloads = await log.payloadsOf(entries.map(({ position }) => position));
  return entries.map((entry) => {
    const bytes = payloads.get(entry.position);
    return { ...entry, payload: bytes === undefined ? null : (JSON.parse(Buffer.from(bytes).toString('utf8')) as JsonObject) };
  });
};

export const settled = (bench: Pick<RunsBench, 'entries'>, runId: string): Promise<void> =>
  until(`run ${runId} is settled`, async () =>
    (await bench.entries()).some(({ type, payload }) => type === ENTRY_TYPES.runSettled && payload?.['runId'] === runId),
  );

const promptIn = ({ disk }: Recorded): JsonObject =>
  [...disk.values()].find(({ type, isSidechain, isMeta }) => type === 'user' && isSidechain === false && isMeta !== true) ?? {};

export const promptTextIn = (recorded: Recorded): string => readEntry(promptIn(recorded), NOWHERE).text ?? '';

/** What Claude Code wrote beside a recorded stream, as it would have been in this session and with this prompt. */
export const writeRecorded = (recorded: Recorded, root: string, sessionId: string, promptUuid: string): void => {
  const { folder, queries } = recorded;
  const before = textOf(queries[0]?.[0]?.['session_id']);
  const prompt = promptIn(recorded);
  for (const name of readdirSync(join(folder, 'projects'), { recursive: true, encoding: 'utf8' })) {
    const from = join(folder, 'projects', name);
    if (!statSync(from).isFile()) continue;
    const to = join(root, name.replaceAll(before, sessionId));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, readFileSync(from, 'utf8').replaceAll(before, sessionId).replaceAll(textOf(prompt['uuid']), promptUuid));
  }
};
