import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  emptyBoard,
  evolve,
  maskSecrets,
  OPERATOR,
  sidebarOf,
  type Actor,
  type Board,
  type Command,
  type Sidebar,
  type Table,
} from '@yarnboard/domain';
import { createLanguage } from '@yarnboard/language';
import { openStore, sha256, uuidFor, type Appended, type Batch, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { afterFile } from '../../../../tests/afterwards.ts';
import type { Asked } from '../../src/engine/batch.ts';
import { decidedBehind } from '../../src/engine/decided-entries.ts';
import { forgottenEvent, storedEvent } from '../../src/engine/stored-events.ts';
import { createEngine, type Engine, type EngineOptions } from '../../src/engine/engine.ts';
import type { Outcome } from '../../src/engine/outcomes.ts';

export const NOON = Date.UTC(2026, 2, 14, 12);
export const DAY = 86_400_000;

export const openSqliteBoard = async (): Promise<{ readonly store: Store; readonly database: string; readonly clock: { now: number } }> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-engine-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const database = `sqlite:${join(folder, 'board.db')}`;
  const clock = { now: NOON };
  return { store: await openBoardStore(database, clock), database, clock };
};

export const openBoardStore = async (database: string, clock: { now: number }): Promise<Store> => {
  const store = await openStore(database, { prices: DEFAULT_PRICES, now: () => clock.now, newId: () => uuidFor(database) });
  afterFile(() => store.close());
  return store;
};

export type EngineBench = {
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: { now: number };
  /** How many commits there were, each with its number of entries. */
  readonly commits: number[];
  readonly faults: unknown[];
  /** Puts itself between the engine and the log. */
  gate: ((batch: Batch) => Promise<void>) | null;
  /** Asks for something; the operator does, under a new message id, unless it is told otherwise. */
  readonly ask: (command: Command, more?: Partial<Asked>) => Promise<Outcome>;
  /** The same of what has to be done; the references it made. */
  readonly run: (command: Command, more?: Partial<Asked>) => Promise<Done>;
  readonly sidebar: (ref: string) => Sidebar;
};

export type Done = Outcome & { readonly kind: 'done' };

export type BenchOptions = { readonly store?: Store; readonly clock?: { now: number } } & Partial<EngineOptions>;

let asked = 0;
export const newMessageId = (): string => {
  asked += 1;
  return uuidFor(`message ${asked}`);
};

export const openEngine = async ({ store: given, clock: wanted, ...options }: BenchOptions = {}): Promise<EngineBench> => {
  const opened = given === undefined ? await openSqliteBoard() : null;
  const store = given ?? opened?.store;
  if (store === undefined) throw new Error('no board');
  const clock = wanted ?? opened?.clock ?? { now: NOON };
  const commits: number[] = [];
  const faults: unknown[] = [];
  const bench: { gate: EngineBench['gate'] } = { gate: null };
  const engine = await createEngine({
    store,
    append: async (items, decidedAt): Promise<readonly Appended[]> => {
      const batch: Batch = { items, files: [], ...(decidedAt === undefined ? {} : { decidedAt }) };
      await bench.gate?.(batch);
      const appended = await store.log.append(batch);
      commits.push(items.length);
      return appended;
    },
    now: () => clock.now,
    snapshot: null,
    language: createLanguage({ mask: (text) => maskSecrets(text).text }),
    onFault: (cause) => faults.push(cause),
    ...options,
  });
  const ask: EngineBench['ask'] = (command, more = {}) => engine.execute({ command, actor: OPERATOR, messageId: newMessageId(), ...more });
  return Object.assign(bench, {
    store,
    engine,
    clock,
    commits,
    faults,
    ask,
    run: async (command: Command, more?: Partial<Asked>): Promise<Done> => {
      const outcome = await ask(command, more);
      if (outcome.kind !== 'done') throw new Error(`${command.type}: ${JSON.stringify(outcome)}`);
      return outcome;
    },
    sidebar: (ref: string): Sidebar => {
      const found = sidebarOf(engine.board(), ref);
      if (found === null) throw new Error(`there is no ${ref}`);
      return found;
    },
  });
};

export const spawn = (task = 'why is login slow?', more: object = {}): Command => ({
  type: 'sidebar.spawn',
  origin: { kind: 'none' },
  task,
  ...more,
});

export const say = (sidebar: string, content: string, more: object = {}): Command => ({ type: 'chat.say', sidebar, content, ...more });

export const AGENT: Actor = { id: 'AGENT-scout', type: 'agent' };
export const CURATOR: Actor = { id: 'AGENT-curator', type: 'agent' };

export const register = (agent: string): Command => ({
  type: 'agent.register',
  agent,
  kind: 'agent',
  specialties: [],
  preferredCollaborators: [],
  tokenHash: Buffer.from(sha256(agent)).toString('hex'),
});

/** A board as plain data, so that two can be compared. */
export const dumpOf = (board: Board): object =>
  Object.fromEntries(Object.entries(board).map(([name, table]) => [name, [...(table as Table<unknown>).entries()]]));

/** The board that the log tells of, one entry after the other, and nothing else. */
export const foldOf = async ({ log }: Pick<Store, 'log'>): Promise<Board> => {
  const board = emptyBoard();
  for await (const { entries } of decidedBehind(log, 0)) {
    for (const { entry, payload } of entries) {
      const read = payload === null ? null : storedEvent(entry, payload);
      const event = read === null ? forgottenEvent(board, entry) : read.ok ? read.value : null;
      if (event !== null) evolve(board, event);
    }
  }
  return board;
};
