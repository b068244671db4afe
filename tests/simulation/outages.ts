import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR, openWrites, rowsOf, type Board, type EmergencyDocument } from '@yarnboard/domain';
import { createEmergencyCache, uuidFor, type Store } from '@yarnboard/store';
import type { Asked } from '../../packages/server/src/engine/batch.ts';
import { idOf, keyOf } from '../../packages/server/src/engine/command-ids.ts';
import type { Outcome } from '../../packages/server/src/engine/outcomes.ts';
import type { SettledNews } from '../../packages/server/src/recovery/outage-watch.ts';
import { NOON, type Boards } from './boards.ts';
import { chanceOf } from './chance.ts';
import { killLife, pass, settle, startLife, stopLife, wallClock, type Away, type HomeOf, type Life, type World } from './homes.ts';
import { emptyShelf, shelfPlace, type Kept, type Shelf } from './shelf.ts';
import { wishFor } from './wishes.ts';

/** A command, and what was answered each time it was sent. */
export type Said = {
  readonly asked: Asked;
  readonly uuid: string;
  readonly outcomes: Outcome[];
  /** How often it was sent, and how often somebody was told that nothing became of it. */
  sent: number;
  failed: number;
};

/** What happened while a log went away and came back, once nothing goes wrong any more and the operator has replayed what was left. */
export type OutageHistory = {
  readonly store: Store;
  readonly said: readonly Said[];
  readonly settled: readonly SettledNews[];
  readonly lives: readonly Life[];
  /** What all disks have together. */
  readonly documents: readonly EmergencyDocument[];
  /** Caches of which the operator chose some writes, so that they came in another order. */
  readonly chosen: ReadonlySet<string>;
  /** Caches that the operator marked as resolved: what waited there is left. */
  readonly left: ReadonlySet<string>;
  /** What the operator wanted to discard, by uuid: an old copy of its cache may not know. */
  readonly discarded: ReadonlySet<string>;
  readonly steps: readonly string[];
  readonly close: () => Promise<void>;
};

/** Plays one: servers whose log goes away and comes back, disks that are pulled, torn, stale or lost, and kills whenever. */
export const playOutages = async (seed: number, boards: Boards, steps: string[]): Promise<OutageHistory> => {
  const chance = chanceOf(seed);
  const path = boards.make();
  const exports = mkdtempSync(join(tmpdir(), 'yarnboard-exports-'));
  const time = { now: NOON, skew: 0 };
  const isShared = chance.happens(0.4);
  const settledNews: SettledNews[] = [];
  let ids = 0;
  const world: World = {
    chance,
    time,
    due: [],
    elsewhere: emptyShelf('elsewhere'),
    limits: { mostWrites: chance.happens(0.1) ? 3 : 10_000 },
    exports,
    settled: ({ home }, news) => {
      settledNews.push(news);
      note(`   ${home.name}: ${news.messageId.slice(0, 8)} settled: ${news.outcome} ${news.message ?? ''}`);
    },
    newId: () => `${(ids += 1)}`.padStart(8, '0'),
  };
  const note = (step: string): void => void steps.push(step);
  const homes: HomeOf[] = [];
  for (const name of isShared ? ['A', 'B'] : ['A']) {
    const opened = await boards.open(path, () => wallClock(world));
    const store = { ...opened, capabilities: { ...opened.capabilities, isSharedByServers: isShared } };
    homes.push({
      name,
      store,
      shelves: [emptyShelf(`${name}/home`), emptyShelf(`${name}/state`)],
      away: 'no',
      hanging: [],
      isClean: true,
      life: null,
    });
  }
  const said = new Map<string, Said>();
  const lives: Life[] = [];
  /** Where each queued command is durable, as it was told. */
  const heldBy = new Map<string, Set<Shelf>>();
  const [chosen, left, discarded] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const old = new Map<Shelf, ReadonlyMap<string, Kept>>();
  const refs = ['MSG-1', 'EXCH-1'];
  let remaining = 14 + chance.below(22);

  const upNow = (): readonly Life[] => homes.flatMap(({ life }) => life ?? []);

  const start = async (home: HomeOf): Promise<void> => {
    const life = await startLife(world, home);
    lives.push(life);
    note(`${home.name} starts: ${life.recovery.startup().state}`);
  };

  const send = (life: Life, asked: Asked): void => {
    const { home, engine, recovery } = life;
    const key = keyOf(asked.actor.id, asked.messageId);
    const one = said.get(key) ?? { asked, uuid: idOf(key, 0), outcomes: [], sent: 0, failed: 0 };
    said.set(key, one);
    note(`${home.name} is asked by ${asked.actor.id} ${asked.messageId.slice(0, 8)}: ${JSON.stringify(asked.command)}`);
    // The doors say this before the engine is asked (REC-19).
    if (recovery.isBlocking()) return note('   recovery is needed');
    one.sent += 1;
    engine.execute(asked).then(
      (outcome) => {
        if (life.isDead) return;
        one.outcomes.push(outcome);
        note(
          `   ${asked.messageId.slice(0, 8)}: ${outcome.kind} ${'refs' in outcome ? outcome.refs.join(' ') : ''}${'code' in outcome ? outcome.code : ''}`,
        );
        if (outcome.kind === 'done') refs.push(...outcome.refs);
        if (outcome.kind === 'queued') heldBy.set(one.uuid, new Set(home.shelves.filter(({ name }) => outcome.durableIn.includes(name))));
      },
      (cause: unknown) => {
        if (life.isDead) return;
        one.failed += 1;
        note(`   ${asked.messageId.slice(0, 8)} failed: ${String(cause)}`);
      },
    );
  };

  const ask = (): void => {
    const life = chance.one(upNow());
    if (life === undefined) return;
    remaining -= 1;
    const again = chance.happens(0.2) ? chance.one([...said.values()]) : undefined;
    if (again !== undefined) return send(life, again.asked);
    const board = life.engine.foreseen();
    const wish = chance.happens(0.5) ? sayIn(board, `n${remaining}`) : wishFor(chance, board, refs, `n${remaining}`);
    send(life, { ...wish, messageId: uuidFor(`${seed} ${remaining}`), canQueue: chance.happens(0.95) });
  };

  const cut = (home: HomeOf): void => {
    home.away = chance.one<Away>(['full', 'unreachable', 'hanging']) ?? 'full';
    note(`the log of ${home.name} is ${home.away}`);
  };

  const mend = (home: HomeOf): void => {
    home.away = 'no';
    for (const goOn of home.hanging.splice(0)) goOn();
    note(`the log of ${home.name} is back`);
  };

  /** Nothing may be lost in the last place that has it: nobody promises that. */
  const isSpare = (shelf: Shelf): boolean => [...heldBy.values()].every((held) => !held.has(shelf) || held.size > 1);

  const spoil = (shelf: Shelf): void => {
    if (!isSpare(shelf)) return;
    const how = chance.one(['lost', 'cut off', 'overwritten', 'as it was once'] as const) ?? 'lost';
    note(`${shelf.name} is ${how}`);
    for (const held of heldBy.values()) held.delete(shelf);
    const spoilt = (text: string): string => {
      if (how === 'cut off') return text.slice(0, chance.below(text.length));
      const at = chance.below(text.length);
      return `${text.slice(0, at)}#${text.slice(at + 1)}`;
    };
    if (how === 'lost') shelf.kept = new Map();
    else if (how === 'as it was once') shelf.kept = old.get(shelf) ?? new Map();
    else
      shelf.kept = new Map(
        [...shelf.kept].map(([id, { document, lines }]) => [
          id,
          { document: chance.happens(0.3) ? spoilt(document) : document, lines: spoilt(lines) },
        ]),
      );
  };

  /** The operator does something about what was left behind. */
  const recover = async (life: Life): Promise<void> => {
    const { recovery, watch } = life;
    const { documents } = await recovery.look();
    const open = documents.filter(({ resolvedAt, cacheId }) => resolvedAt === null && !watch.inUse().includes(cacheId));
    const cache = chance.one(open);
    if (cache === undefined) return;
    const { cacheId } = cache;
    const otherHome = chance.happens(0.5);
    const some = openWrites(cache)
      .map(({ n }) => n)
      .filter(() => chance.happens(0.5));
    const what = chance.one(['replay', 'replay', 'replay', 'replay some', 'discard some', 'resolve'] as const) ?? 'replay';
    note(`${life.home.name}: ${what} of ${cacheId}`);
    const told = (answer: { readonly ok: boolean }): void => note(`   ${what}: ${JSON.stringify(answer.ok ? 'done' : answer)}`);
    const failed = (cause: unknown): void => note(`   ${what} failed: ${String(cause)}`);
    if (what === 'replay') recovery.replay(cacheId, { otherHome }).then(told, failed);
    else if (what === 'resolve') {
      left.add(cacheId);
      recovery.resolve(cacheId, null).then(told, failed);
    } else if (some.length > 0) {
      chosen.add(cacheId);
      if (what === 'replay some') recovery.replay(cacheId, { otherHome, writes: some }).then(told, failed);
      else {
        for (const { uuid } of openWrites(cache).filter(({ n }) => some.includes(n))) discarded.add(uuid);
        recovery.discard(cacheId, { writes: some }).then(told, failed);
      }
    }
  };

  const moves = (): readonly Move[] => [
    { weight: remaining > 0 ? 9 : 0, run: ask },
    { weight: 6, run: () => pass(world, chance.one([100, 500, 2000, 6000, 20_000]) ?? 100) },
    { weight: 0.4, run: () => void (time.skew += chance.one([3_600_000, -3_600_000, 120_000]) ?? 0) },
    ...homes.flatMap((home): readonly Move[] => {
      const { life, shelves } = home;
      return [
        { weight: home.away === 'no' ? 1.4 : 0, run: () => cut(home) },
        { weight: home.away === 'no' ? 0 : 1.2, run: () => mend(home) },
        ...shelves.map((shelf) => ({
          weight: 0.3,
          run: () => {
            shelf.isAway = !shelf.isAway;
            note(`${shelf.name} is ${shelf.isAway ? 'away' : 'back'}`);
          },
        })),
        ...shelves.map((shelf) => ({ weight: 0.15, run: () => spoil(shelf) })),
        ...shelves.map((shelf) => ({ weight: 0.2, run: () => void old.set(shelf, shelf.kept) })),
        {
          weight: life === null ? 0 : 0.5,
          run: () => {
            note(`${home.name} is killed`);
            if (life !== null) killLife(life);
          },
        },
        {
          weight: life === null ? 0 : 0.2,
          run: async () => {
            note(`${home.name} is stopped`);
            if (life !== null) await stopLife(life);
          },
        },
        { weight: life === null && home.away === 'no' ? 4 : 0, run: () => start(home) },
        { weight: life === null || home.away !== 'no' ? 0 : 0.8, run: () => (life === null ? undefined : recover(life)) },
      ];
    }),
  ];

  const calm = async (): Promise<void> => {
    for (const home of homes) {
      for (const shelf of home.shelves) shelf.isAway = false;
      mend(home);
    }
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      for (const home of homes) if (home.life === null) await start(home);
      await pass(world, 3000);
      await settle();
      if (!upNow().every(({ watch }) => watch.state().kind === 'normal')) continue;
      let isDone = true;
      for (const life of upNow()) {
        const { documents } = await life.recovery.look();
        for (const { cacheId, pendingWrites } of documents.filter((one) => one.resolvedAt === null && life.recovery.isOwn(one))) {
          if (pendingWrites.every(({ outcome }) => outcome.kind !== 'conflict') || pendingWrites.some(({ outcome }) => outcome.kind === 'pending')) {
            isDone = false;
            note(`${life.home.name}: the rest of ${cacheId}`);
            life.recovery.replay(cacheId, { otherHome: true }).then(
              () => {},
              (cause: unknown) => note(`   failed: ${String(cause)}`),
            );
            await settle();
            await pass(world, 3000);
          }
        }
      }
      if (isDone) return;
    }
    throw new Error('there is no end to it');
  };

  for (const home of homes) await start(home);
  while (remaining > 0) {
    await chance.weighed(moves())?.run();
    await settle();
  }
  note('nothing goes wrong any more');
  await calm();
  for (const { engine } of upNow()) await engine.follow();
  const everywhere = createEmergencyCache({
    places: [...homes.flatMap(({ shelves }) => shelves.map((shelf) => shelfPlace(shelf))), shelfPlace(world.elsewhere)],
    patience: 60_000,
    onFault: () => {},
  });
  const { documents } = await everywhere.find();
  const [first] = homes;
  if (first === undefined) throw new Error('no home');
  return {
    store: first.store,
    said: [...said.values()],
    settled: settledNews,
    lives,
    documents,
    chosen,
    left,
    discarded,
    steps,
    close: async () => {
      for (const life of upNow()) killLife(life);
      for (const { store } of homes) await store.close();
      boards.drop(path);
      rmSync(exports, { recursive: true, force: true });
    },
  };
};

type Move = { readonly weight: number; readonly run: () => void | Promise<void> };

const sayIn = (board: Board, nonce: string): Pick<Asked, 'command' | 'actor'> => {
  const sidebar = rowsOf(board.sidebars).at(-1)?.ref ?? 'SB-1';
  return { command: { type: 'chat.say', sidebar, content: `something is said (${nonce})` }, actor: OPERATOR };
};

const MOST_TURNS = 40;
