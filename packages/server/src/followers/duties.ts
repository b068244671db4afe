import { rowsOf, sidebarIdOfContext, SYSTEM, type Board, type Command, type Sidebar } from '@yarnboard/domain';
import { uuidFor } from '@yarnboard/store';
import type { Asked } from '../engine/batch.ts';
import type { Engine } from '../engine/engine.ts';
import type { KeeperSettings } from '../home/settings.ts';
import { createDutyClock, spanText, type DutyClock } from './duty-clock.ts';
import type { Follower, FollowerState } from './runner.ts';

/** Timed duties: ends waits that last too long, archives finished or abandoned sidebars. */
export type Keeper = {
  /** Does what is due. A refusal, because of active children, is retried later. */
  readonly tick: () => Promise<void>;
  /** The known problems of the system's clock. */
  readonly clock: () => FollowerState;
  readonly close: () => void;
};

export type KeeperOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute' | 'onCommitted'>;
  readonly now: () => number;
  readonly settings?: Partial<KeeperSettings> | undefined;
  /** Measures how long states have lasted; by default with `now` alone. */
  readonly clock?: DutyClock;
};

export const createKeeper = ({ engine, now, settings: wanted, clock: given }: KeeperOptions): Keeper => {
  const settings: KeeperSettings = { ...SETTINGS, ...wanted };
  const clock = given ?? createDutyClock({ read: () => ({ wall: now(), uptime: now(), boot: null }), place: null, recordedAt: null });

  /** LIFE-80: it is due when its time has elapsed by both clocks since the state began. */
  const dueAt = (sidebar: Sidebar, { what, began, at, span }: Duty): number => {
    if (what === 'nothing') {
      clock.forget(sidebar.id);
      return Infinity;
    }
    return clock.since(sidebar.id, began, at) + span;
  };

  // ENGINE-24: never later than the next due time, so that nothing is checked earlier.
  let nextDue = 0;
  for (const sidebar of rowsOf(engine.board().sidebars)) dueAt(sidebar, dutyOf(sidebar, settings));
  clock.started();
  const stop = engine.onCommitted((events) => {
    for (const { contextId } of events) {
      const sidebar = engine.board().sidebars.get(sidebarIdOfContext(contextId) ?? '');
      if (sidebar !== undefined) nextDue = Math.min(nextDue, dueAt(sidebar, dutyOf(sidebar, settings)));
    }
  });

  const tick = async (): Promise<void> => {
    const at = clock.now();
    clock.save();
    if (at < nextDue) return;
    const board = engine.board();
    nextDue = Infinity;
    const due: { readonly sidebar: Sidebar; readonly duty: Duty }[] = [];
    for (const sidebar of rowsOf(board.sidebars)) {
      const duty = dutyOf(sidebar, settings);
      const then = dueAt(sidebar, duty);
      if (then <= at) due.push({ sidebar, duty });
      else nextDue = Math.min(nextDue, then);
    }
    // Children first: a parent whose last child ends now may end in the same pass.
    due.sort((a, b) => depthOf(board, b.sidebar) - depthOf(board, a.sidebar));
    const done = await Promise.allSettled(due.map(({ sidebar, duty }) => engine.execute(askedFor(sidebar, duty))));
    const failed = done.find((one) => one.status === 'rejected');
    if (done.some((one) => one.status === 'rejected' || one.value.kind === 'rejected')) nextDue = Math.min(nextDue, at + AGAIN_AFTER);
    if (failed !== undefined) throw failed.reason;
  };

  return {
    tick,
    clock: clock.state,
    close: () => {
      stop();
      clock.save(true);
    },
  };
};

/** `began` identifies the state, `at` is its start by the wall clock, `span` its maximum duration. */
type Duty =
  { readonly what: 'fail' | 'archive' | 'archive-stale'; readonly began: string; readonly at: number; readonly span: number } | typeof NOTHING;

const NOTHING = { what: 'nothing', began: '', at: 0, span: Infinity } as const;

/** What has to be done with a sidebar, and when. */
const dutyOf = ({ status, waiting, lastActivity }: Sidebar, { staleAfter, archiveMergedAfter }: KeeperSettings): Duty => {
  const left = { began: `${status}|${lastActivity}`, at: lastActivity };
  if (status === 'MERGED') return { what: 'archive', ...left, span: archiveMergedAfter };
  if (status !== 'PAUSED' && status !== 'WAITING') return NOTHING;
  // An explicit deadline takes precedence over the default one.
  const deadline = waiting?.deadline ?? null;
  if (waiting === null || deadline === null) return { what: 'archive-stale', ...left, span: staleAfter };
  return { what: 'fail', began: `until|${waiting.position}`, at: waiting.at, span: deadline - waiting.at };
};

const askedFor = (sidebar: Sidebar, { what }: Duty): Asked => ({
  command: commandFor(sidebar, what),
  actor: SYSTEM,
  // The same on every server: only the first one has an effect.
  messageId: uuidFor(`keeper|${what}|${sidebar.id}|${sidebar.waiting?.position ?? ''}`),
  // It may be active again by the time this is decided.
  ifSeq: sidebar.lastPosition,
  // LIFE-80: the wall clock may have been set back since; the time has elapsed nevertheless.
  isStale: what === 'archive-stale' || what === 'fail',
  client: 'yarnboard',
});

const commandFor = ({ id, waiting }: Sidebar, what: Duty['what']): Command => {
  if (what !== 'fail') return { type: 'sidebar.archive', sidebar: id };
  const waited = (waiting?.deadline ?? 0) - (waiting?.at ?? 0);
  return { type: 'sidebar.move', sidebar: id, to: 'FAILED', reason: `nothing came within ${spanText(waited)}` };
};

const depthOf = (board: Board, sidebar: Sidebar): number => {
  const seen = new Set<string>();
  for (let at: Sidebar | undefined = sidebar; at !== undefined && !seen.has(at.id);) {
    seen.add(at.id);
    at = at.parent?.kind === 'sidebar' ? board.sidebars.get(at.parent.sidebarId) : undefined;
  }
  return seen.size;
};

const DAY = 86_400_000;
const SETTINGS: KeeperSettings = { staleAfter: 30 * DAY, archiveMergedAfter: DAY };
const AGAIN_AFTER = 5 * 60_000;

/** Runs the duties every second. */
export const dutiesOf = (keeper: Keeper): Follower => ({
  name: 'duties',
  pass: async () => {
    await keeper.tick();
    return null;
  },
  timing: { every: EVERY },
});

const EVERY = 1000;
