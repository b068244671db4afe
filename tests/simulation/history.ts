import { setImmediate } from 'node:timers/promises';
import { uuidFor, type Store } from '@yarnboard/store';
import type { Asked } from '../../packages/server/src/engine/batch.ts';
import type { Outcome } from '../../packages/server/src/engine/outcomes.ts';
import { FIRST_LINES, lineOfSession, NOON, type Boards } from './boards.ts';
import { chanceOf } from './chance.ts';
import { startServer, writeCommit, type Attempt, type Commit, type Fate, type Sent, type Server } from './servers.ts';
import { planFor, sidebarIn, wishFor } from './wishes.ts';

/** What happened in a history, once everything in it has been answered. */
export type History = {
  readonly seed: number;
  readonly store: Store;
  /** How many entries were there before anybody asked for anything. */
  readonly begun: number;
  readonly sent: readonly Sent[];
  /** Every life of every server; those that are up have followed the log to its end. */
  readonly servers: readonly Server[];
  readonly snapshots: readonly (string | null)[];
  readonly now: () => number;
  readonly steps: readonly string[];
  readonly close: () => Promise<void>;
};

export type HistoryOptions = {
  readonly boards: Boards;
  /** A snapshot of another board's history that has the same id: nobody may believe it. */
  readonly alien: string | null;
  /** Told as it goes, so that a history that never ends can be told, too. */
  readonly steps: string[];
};

type Slot = { readonly name: string; readonly store: Store; server: Server | null; snapshot: string | null };

/** One short history: a few who ask at once, one or two servers, and whatever can go wrong. The same for the same seed. */
export const playHistory = async (seed: number, { boards, alien, steps }: HistoryOptions): Promise<History> => {
  const chance = chanceOf(seed);
  const clock = { now: NOON };
  const now = (): number => clock.now;
  const path = boards.make();
  const stores = [await boards.open(path, now)];
  const isShared = chance.happens(0.4);
  if (isShared && chance.happens(0.3)) stores.push(await boards.open(path, now));
  const slots: Slot[] = (isShared ? ['A', 'B'] : ['A']).map((name, i) => ({
    name,
    store: asShared(stores[i] ?? storeOf(stores), isShared),
    server: null,
    snapshot: null,
  }));
  const commits: Commit[] = [];
  const servers: Server[] = [];
  const sent = new Map<string, Sent>();
  const closings: Promise<void>[] = [];
  let lines = FIRST_LINES;
  let kills = chance.below(4);
  const plan = [...planFor(chance)];
  let left = 12 + 2 * plan.length + chance.below(16);
  const seen = new Map<string, number>();
  const said = ['MSG-1', 'MSG-2', 'EXCH-1', 'EXCH-2'];
  let owed = 0;
  const note = (step: string): void => void steps.push(step);

  const attempt = (server: Server, wanted: Asked): Promise<Outcome> => {
    const key = `${wanted.actor.id} ${wanted.messageId}`;
    const one = sent.get(key) ?? { asked: wanted, attempts: [] };
    sent.set(key, one);
    const tried: Attempt = { server, asked: wanted, begun: steps.length, owed, outcome: null, state: 'open', ended: 0, knew: 0 };
    one.attempts.push(tried);
    const answered = server.engine.execute(wanted);
    answered.then(
      (outcome) => {
        if (tried.state !== 'open') return;
        end(tried, 'answered', outcome);
        note(`   ${wanted.command.type} ${wanted.messageId.slice(0, 8)}: ${told(outcome)}`);
      },
      () => {
        if (tried.state === 'open') end(tried, 'failed');
      },
    );
    return answered;
  };

  const end = (one: Attempt, state: 'answered' | 'failed' | 'lost', outcome: Outcome | null = null): void => {
    note(`   ${one.server.name} ${state}`);
    Object.assign(one, { state, outcome, ended: steps.length, knew: one.server.engine.position() });
    if (outcome?.kind === 'done' || outcome?.kind === 'duplicate') {
      owed = Math.max(owed, outcome.seq);
      said.push(...outcome.refs);
    }
  };

  const ask = (server: Server, wanted: Asked): void => {
    note(
      `${server.name} is asked by ${wanted.actor.id} ${wanted.messageId.slice(0, 8)}: ${JSON.stringify(wanted.command)} if_seq ${wanted.ifSeq ?? '-'}`,
    );
    attempt(server, wanted).catch(() => {}); // kept with the attempt
  };

  const upNow = (): readonly Server[] => slots.flatMap(({ server }) => (server?.state === 'up' ? [server] : []));

  const start = async (slot: Slot, given: string | null, what: string): Promise<void> => {
    const keep = (text: string): void => void (slot.snapshot = text);
    slot.server = await startServer({ name: slot.name, store: slot.store, chance, now, snapshot: given, keep, commits, send: attempt });
    servers.push(slot.server);
    note(`${slot.name} starts at ${slot.server.startedAt} with ${what}`);
  };

  /** Nothing of it is left: what it wanted on the log may be there or not, and nobody is told. */
  const kill = async (server: Server): Promise<void> => {
    server.state = 'down';
    server.keeper.close();
    for (const commit of commits.filter((one) => one.server === server)) {
      commits.splice(commits.indexOf(commit), 1);
      if (commit.written === null && chance.happens(0.5)) note(`   its last words: ${await writeCommit(commit, 'refused after')}`);
    }
    for (const { attempts } of sent.values()) for (const one of attempts) if (one.server === server && one.state === 'open') end(one, 'lost');
  };

  const deliver = async (commit: Commit, fate: Fate, isTold: boolean): Promise<void> => {
    const isFirst = commit.written === null;
    if (isFirst) note(`${commit.server.name}: ${await writeCommit(commit, fate)}`);
    const isKept = commit.written !== null && (fate === 'kept' || !isFirst);
    if (isKept && isFirst && !isTold) return;
    if (isKept) commit.resolve(commit.written ?? []);
    commits.splice(commits.indexOf(commit), 1);
  };

  const act = (): void => {
    const server = chance.one(upNow());
    if (server === undefined) return;
    left -= 1;
    const again = chance.happens(0.15) ? chance.one([...sent.values()]) : undefined;
    if (again !== undefined) return ask(server, again.asked);
    const board = server.engine.board();
    // Whoever follows a plan takes one step after the other.
    const planned = chance.happens(0.4) && isQuiet(sent) ? plan.shift() : undefined;
    const { command, actor } = planned ?? wishFor(chance, board, said, `n${left}`);
    // What somebody knows of a sidebar is from when he looked at it last.
    const sidebar = sidebarIn(board, command);
    const place = `${actor.id} ${sidebar ?? ''}`;
    if (sidebar !== null && (!seen.has(place) || chance.happens(0.5))) seen.set(place, board.sidebars.get(sidebar)?.lastPosition ?? 0);
    const ifSeq = planned === undefined && chance.happens(0.15) ? seen.get(place) : undefined;
    const wanted: Asked = { command, actor, messageId: uuidFor(`${seed} ${left}`), ifSeq };
    ask(server, wanted);
    if (chance.happens(0.1)) ask(chance.one(upNow()) ?? server, wanted);
  };

  const retry = (one: Sent): void => {
    const server = chance.one(upNow());
    if (server !== undefined) ask(server, one.asked);
  };

  const restart = async (slot: Slot): Promise<void> => {
    const [what, given] = chance.one(snapshotsFor(slot.snapshot, alien)) ?? ['no snapshot', null];
    await start(slot, given, what);
  };

  const moves = (): readonly Move[] => [
    { weight: left > 0 ? 9 : 0, run: act },
    ...commits.map((commit) => ({
      weight: 4,
      run: () => deliver(commit, chance.weighed(FATES)?.fate ?? 'kept', chance.happens(0.7)),
    })),
    ...unanswered(sent).map((one) => ({ weight: 2, run: () => retry(one) })),
    ...slots.filter(({ server }) => server?.state === 'down').map((slot) => ({ weight: 5, run: () => restart(slot) })),
    ...upNow().flatMap((server): readonly Move[] => [
      {
        weight: kills > 0 ? 0.7 : 0,
        run: async () => {
          kills -= 1;
          note(`${server.name} is killed`);
          await kill(server);
        },
      },
      {
        weight: kills > 0 ? 0.2 : 0,
        run: () => {
          kills -= 1;
          note(`${server.name} is stopped`);
          server.state = 'closing';
          closings.push(server.engine.close().then(() => kill(server)));
        },
      },
      { weight: 0.8, run: () => server.engine.wake() },
      {
        weight: 1,
        run: () => {
          note(`${server.name} looks at the clock`);
          server.keeper.tick().catch(() => {}); // a fault of the store, kept with the attempts
        },
      },
    ]),
    {
      weight: 1.5,
      run: () => {
        clock.now += chance.one([1, 1000, 60_000, HOUR, HOUR, 2 * HOUR, -1, -2 * HOUR, chance.happens(0.2) ? 60 * HOUR : 1]) ?? 0;
        note(`it is ${new Date(clock.now).toISOString()}`);
      },
    },
    {
      weight: 0.4,
      run: async () => {
        await storeOf(stores).log.append({ items: [lineOfSession(lines)], files: [] });
        lines += 1;
        note('the session goes on');
      },
    },
  ];

  /** Without faults, until everybody has an answer. */
  const calm = async (): Promise<void> => {
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      await setImmediate();
      const [commit] = commits;
      const open = unanswered(sent);
      const down = slots.find(({ server }) => server?.state === 'down');
      if (commit !== undefined) await deliver(commit, 'kept', true);
      else if (down !== undefined) await start(down, down.snapshot, 'its snapshot');
      else if (open.length > 0) for (const one of open) retry(one);
      else if (isQuiet(sent)) return;
    }
    throw new Error('there is no end to it');
  };

  for (const slot of slots) await start(slot, null, 'nothing');
  while (left > 0) {
    await chance.weighed(moves())?.run();
    await setImmediate();
  }
  note('nothing goes wrong any more');
  await calm();
  await Promise.all(closings);
  for (const server of upNow()) await server.engine.follow();
  return {
    seed,
    store: storeOf(stores),
    begun: boards.begun,
    sent: [...sent.values()],
    servers,
    snapshots: slots.map(({ snapshot }) => snapshot),
    now,
    steps,
    close: async () => {
      for (const server of servers) server.state = 'down';
      for (const store of stores) await store.close();
      boards.drop(path);
    },
  };
};

type Move = { readonly weight: number; readonly run: () => void | Promise<void> };

/** A server that comes back finds what it left, or nothing, or something it must not believe. */
const snapshotsFor = (text: string | null, alien: string | null): readonly (readonly [string, string | null])[] => {
  if (text === null) return [['no snapshot', null]];
  const [head = '', ...body] = text.split('\n');
  const [, ...other] = (alien ?? '').split('\n');
  return [
    ['its snapshot', text],
    ['its snapshot', text],
    ['no snapshot', null],
    ['half of its snapshot', text.slice(0, text.length / 2)],
    ['the snapshot of another history', alien],
    ['a snapshot whose rows are of another history', [head, ...other].join('\n')],
    ['a snapshot without its last rows', [head, ...body.slice(0, -2), ''].join('\n')],
  ];
};

/** Those that may have been done without anybody being told, and nobody is asking for. */
const unanswered = (sent: ReadonlyMap<string, Sent>): readonly Sent[] =>
  [...sent.values()].filter(({ attempts }) => {
    if (attempts.some(({ state }) => state === 'open')) return false;
    const asked = Math.max(0, ...attempts.filter(({ state }) => state === 'answered').map(({ begun }) => begun));
    return attempts.some(({ state, ended }) => state !== 'answered' && ended > asked);
  });

const isQuiet = (sent: ReadonlyMap<string, Sent>): boolean =>
  [...sent.values()].every(({ attempts }) => attempts.every(({ state }) => state !== 'open'));

const told = (outcome: Outcome): string =>
  outcome.kind === 'rejected'
    ? `rejected, ${outcome.code}: ${outcome.reason} ${JSON.stringify(outcome.facts)}`
    : outcome.kind === 'queued'
      ? `queued as ${outcome.position}`
      : `${outcome.kind} ${outcome.seq} ${outcome.refs.join(' ')}`;

// Only boards on PostgreSQL have several servers, and a server knows by this that it is not alone. What a store does is the same, and proven so.
const asShared = (store: Store, isShared: boolean): Store =>
  isShared ? { ...store, capabilities: { ...store.capabilities, isSharedByServers: true } } : store;

const storeOf = (stores: readonly Store[]): Store => {
  const [store] = stores;
  if (store === undefined) throw new Error('no board');
  return store;
};

const FATES: readonly { readonly weight: number; readonly fate: Fate }[] = [
  { weight: 88, fate: 'kept' },
  { weight: 6, fate: 'refused before' },
  { weight: 6, fate: 'refused after' },
];
const HOUR = 3_600_000;
const MOST_TURNS = 5000;
