import type { EmergencyDocument, EmergencyAddition, Service } from '@yarnboard/domain';
import { withAdditions } from '@yarnboard/domain';
import type { EmergencyNews, ServerFrame } from '@yarnboard/protocol';
import { createEmergencyCache, StoreFault, type EmergencyPlace, type Store } from '@yarnboard/store';
import type { QueuedTelling } from '../../src/doors/ws/queue-news.ts';
import { describeQueued, tellOutage } from '../../src/doors/ws/outage-news.ts';
import { createOutageWatch, type OutageSettings, type OutageWatch } from '../../src/recovery/outage-watch.ts';
import { openEngine, openSqliteBoard, say, spawn, type EngineBench } from '../engine/bench.ts';

/** A place whose disk can be pulled. */
export type Drawer = EmergencyPlace & { readonly kept: Map<string, EmergencyDocument>; isAway: boolean };

const drawer = (name: string): Drawer => {
  const kept = new Map<string, EmergencyDocument>();
  const there = async (work: () => void): Promise<void> => {
    if (place.isAway) throw new Error(`${name} is away`);
    work();
  };
  const place: Drawer = {
    name,
    survives: 'nothing',
    isLocal: true,
    kept,
    isAway: false,
    prepare: async () => {},
    write: (document) => there(() => void kept.set(document.cacheId, document)),
    add: (cacheId: string, additions: readonly EmergencyAddition[]) =>
      there(() => {
        const document = kept.get(cacheId);
        if (document === undefined) throw new Error('there is no such document');
        kept.set(cacheId, withAdditions(document, additions));
      }),
    find: async () => ({ documents: [...kept.values()], doubtful: [] }),
    remove: (cacheId) => there(() => void kept.delete(cacheId)),
    room: async () => null,
    close: async () => {},
  };
  return place;
};

export type OutageBench = EngineBench & {
  readonly watch: OutageWatch;
  readonly drawers: readonly [Drawer, Drawer];
  readonly told: {
    readonly emergencies: EmergencyNews[];
    readonly queued: QueuedTelling[];
    readonly settled: ServerFrame[];
    readonly revoked: string[];
  };
  /** The log is away as long as this is not null. */
  readonly log: { fault: (() => Promise<void>) | null; recordFault?: (() => Promise<void>) | null };
  /** Lets time pass: whatever is due by then is done. */
  readonly pass: (ms: number) => Promise<void>;
  /** Resolves when this state is reached, as time passes. */
  readonly reach: (kind: ReturnType<OutageWatch['state']>['kind']) => Promise<void>;
};

export const AWAY = async (): Promise<void> => {
  throw new StoreFault('full', 'no space left on device');
};

/** An engine on a real log, with hands on the clock and on the disk. */
export const openOutage = async (
  settings: Partial<OutageSettings> = {},
  given?: Store,
  alsoDown: () => readonly Service[] = () => [],
  besides: readonly Service[] = ['episodic_memory', 'redis'],
): Promise<OutageBench> => {
  const opened = given === undefined ? await openSqliteBoard() : null;
  const store = given ?? opened?.store;
  if (store === undefined) throw new Error('no board');
  const clock = opened?.clock ?? { now: Date.UTC(2026, 2, 14, 12) };
  const due: { readonly at: number; readonly work: () => void }[] = [];
  const after = (ms: number, work: () => void): (() => void) => {
    const one = { at: clock.now + ms, work };
    due.push(one);
    return () => {
      const i = due.indexOf(one);
      if (i >= 0) due.splice(i, 1);
    };
  };
  const log: OutageBench['log'] = { fault: null };
  const drawers = [drawer('home'), drawer('state')] as const;
  let ids = 0;
  const watch = createOutageWatch({
    cache: createEmergencyCache({ places: drawers, patience: 1000, onFault: () => {} }),
    boardId: store.log.boardId,
    serverId: 'server',
    host: 'here',
    version: '0.0.0',
    now: () => clock.now,
    newId: () => `0000000${(ids += 1)}`,
    after,
    look: async () => {
      await log.fault?.();
      return store.log.head();
    },
    log: store.log,
    probe: async () => {
      await log.fault?.();
      await store.log.probe();
    },
    append: async (items) => {
      await log.recordFault?.();
      return store.log.append({ items, files: [] });
    },
    describe: (queued) => describeQueued(bench.engine.foreseen)(queued),
    onFault: (cause) => bench.faults.push(cause),
    alsoDown,
    besides,
    settings,
  });
  const bench = await openEngine({ store, clock, outage: watch.port });
  bench.gate = async () => log.fault?.();
  const told: OutageBench['told'] = { emergencies: [], queued: [], settled: [], revoked: [] };
  watch.watch(bench.engine, {
    ...tellOutage(
      {
        tellEmergency: (news) => told.emergencies.push(news),
        tellQueued: (frame) => told.queued.push(frame),
        tellSettled: (frame) => told.settled.push(frame),
        revoke: (agent) => told.revoked.push(agent),
      },
      bench.engine.foreseen,
    ),
  });
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 20; i += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
  };
  const pass = async (ms: number): Promise<void> => {
    const until = clock.now + ms;
    await settle();
    for (;;) {
      const [next] = due.toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > until) break;
      due.splice(due.indexOf(next), 1);
      clock.now = Math.max(clock.now, next.at);
      next.work();
      await settle();
    }
    clock.now = until;
  };
  await settle();
  return Object.assign(bench, {
    watch,
    drawers,
    told,
    log,
    pass,
    reach: async (kind: ReturnType<OutageWatch['state']>['kind']) => {
      for (let i = 0; i < 600 && watch.state().kind !== kind; i += 1) await pass(100);
      if (watch.state().kind !== kind) throw new Error(`${kind} was not reached: ${JSON.stringify(watch.state())}`);
    },
  });
};

/** A sidebar, and the log is away: the first words wait. */
export const cutOff = async (): Promise<OutageBench> => {
  const bench = await openOutage();
  await bench.run(spawn());
  await bench.pass(2000);
  bench.log.fault = AWAY;
  const asked = bench.ask(say('SB-1', 'one'));
  await bench.reach('emergency');
  await bench.pass(100);
  const outcome = await asked;
  if (outcome.kind !== 'queued' || outcome.position !== 1 || outcome.durableIn.length !== 2)
    throw new Error(`not queued: ${JSON.stringify(outcome)}`);
  return bench;
};
