import { rowsOf, sidebarIdOfContext, SYSTEM, type Board, type Command, type Sidebar } from '@yarnboard/domain';
import { uuidFor } from '@yarnboard/store';
import type { Asked } from '../engine/batch.ts';
import type { Engine } from '../engine/engine.ts';
import type { KeeperSettings } from '../home/settings.ts';
import type { Follower } from './runner.ts';

/** Does what nobody does: ends waiting that lasts too long, archives what is done or left alone. */
export type Keeper = {
  /** Does what is due. Whoever is refused, since its children are at work, is tried again later. */
  readonly tick: () => Promise<void>;
  readonly close: () => void;
};

export type KeeperOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute' | 'onCommitted'>;
  readonly now: () => number;
  readonly settings?: Partial<KeeperSettings> | undefined;
};

export const createKeeper = ({ engine, now, settings: wanted }: KeeperOptions): Keeper => {
  const settings: KeeperSettings = { ...SETTINGS, ...wanted };
  // ENGINE-24: never later than when the next thing is due, so that nobody is looked at before.
  let nextDue = 0;
  const stop = engine.onCommitted((events) => {
    for (const { contextId } of events) {
      const sidebar = engine.board().sidebars.get(sidebarIdOfContext(contextId) ?? '');
      if (sidebar !== undefined) nextDue = Math.min(nextDue, dueOf(sidebar, settings).at);
    }
  });

  const tick = async (): Promise<void> => {
    const at = now();
    if (at < nextDue) return;
    const board = engine.board();
    nextDue = Infinity;
    const due: { readonly sidebar: Sidebar; readonly duty: Duty }[] = [];
    for (const sidebar of rowsOf(board.sidebars)) {
      const duty = dueOf(sidebar, settings);
      if (duty.at <= at) due.push({ sidebar, duty });
      else nextDue = Math.min(nextDue, duty.at);
    }
    // Children first: a parent whose last child ends now may end in the same breath.
    due.sort((a, b) => depthOf(board, b.sidebar) - depthOf(board, a.sidebar));
    const done = await Promise.allSettled(due.map(({ sidebar, duty }) => engine.execute(askedFor(sidebar, duty))));
    const failed = done.find((one) => one.status === 'rejected');
    if (done.some((one) => one.status === 'rejected' || one.value.kind === 'rejected')) nextDue = Math.min(nextDue, at + AGAIN_AFTER);
    if (failed !== undefined) throw failed.reason;
  };

  return { tick, close: stop };
};

type Duty = { readonly at: number; readonly what: 'fail' | 'archive' | 'archive-stale' | 'nothing' };

/** What has to be done with a sidebar, and when. */
const dueOf = ({ status, waiting, lastActivity }: Sidebar, { staleAfter, archiveMergedAfter }: KeeperSettings): Duty => {
  if (status === 'MERGED') return { at: lastActivity + archiveMergedAfter, what: 'archive' };
  if (status !== 'PAUSED' && status !== 'WAITING') return { at: Infinity, what: 'nothing' };
  // Whoever said how long it waits is not left alone before.
  const deadline = waiting?.deadline ?? null;
  return deadline === null ? { at: lastActivity + staleAfter, what: 'archive-stale' } : { at: deadline, what: 'fail' };
};

const askedFor = (sidebar: Sidebar, { what }: Duty): Asked => ({
  command: commandFor(sidebar, what),
  actor: SYSTEM,
  // The same on every server: whoever comes second does nothing.
  messageId: uuidFor(`keeper|${what}|${sidebar.id}|${sidebar.waiting?.position ?? ''}`),
  // It may be at work again by the time this is decided.
  ifSeq: sidebar.lastPosition,
  isStale: what === 'archive-stale',
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

const spanText = (ms: number): string => {
  const [, size = 1, unit = 'ms'] = UNITS.find(([from]) => ms >= from) ?? [];
  return `${Math.round((ms / size) * 10) / 10} ${unit}`;
};

const DAY = 86_400_000;
const UNITS = [
  [2 * DAY, DAY, 'days'],
  [2 * 3_600_000, 3_600_000, 'h'],
  [2 * 60_000, 60_000, 'min'],
  [1000, 1000, 's'],
] as const;
const SETTINGS: KeeperSettings = { staleAfter: 30 * DAY, archiveMergedAfter: DAY };
const AGAIN_AFTER = 5 * 60_000;

/** Does what is due, every second. */
export const dutiesOf = (keeper: Keeper): Follower => ({
  name: 'duties',
  pass: async () => {
    await keeper.tick();
    return null;
  },
  timing: { every: EVERY },
});

const EVERY = 1000;
