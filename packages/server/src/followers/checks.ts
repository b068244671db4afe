import { activeFocus, isEnded, isValidationType, PRIORITIES, rowsOf, SYSTEM, validationConfig, type Board, type Sidebar } from '@yarnboard/domain';
import { readClaim } from '@yarnboard/language';
import { uuidFor } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import { readMemory } from '../engine/memory.ts';
import type { Checker } from '../validators/checker.ts';
import type { ClaimChecks } from '../validators/claim-checks.ts';
import type { Place } from '../validators/job.ts';
import type { Follower } from './runner.ts';

export type ChecksOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute' | 'memory'>;
  readonly checks: ClaimChecks;
};

/**
 * VAL-10: while enabled, checks in the background what enters the focus of a sidebar and the newest exchanges of a new one: the most urgent sidebar
 * first, one claim per pass. Nothing is checked twice; after a restart, the board shows what was checked.
 */
export const automaticChecks = ({ engine, checks }: ChecksOptions): Follower => {
  const looked = new Map<string, Set<string>>();
  const newest = new Map<string, readonly string[]>();

  const exchangesOf = async (board: Board, sidebar: Sidebar): Promise<readonly string[]> => {
    const { changes } = validationConfig(board);
    const since = changes.findLast((one, at) => one.isOn && changes[at - 1]?.isOn !== true)?.at ?? Number.POSITIVE_INFINITY;
    if (!newest.has(sidebar.id)) {
      const isNew = sidebar.createdAt >= since;
      const { items } = isNew
        ? await readMemory(engine.memory, board, sidebar, 'inherited', { limit: MOST_MESSAGES, isNewestFirst: true })
        : { items: [] };
      newest.set(sidebar.id, [...new Set(items.flatMap(({ exchange }) => exchange ?? []))].slice(0, NEWEST));
    }
    return [...new Set([...activeFocus(sidebar), ...(newest.get(sidebar.id) ?? [])])];
  };

  /** The next unexamined claim; null if there is none. */
  const next = async (board: Board): Promise<{ readonly sidebar: Sidebar; readonly exchange: string; readonly words: string } | null> => {
    const { allowed } = validationConfig(board);
    const sidebars = rowsOf(board.sidebars)
      .filter(({ status }) => !isEnded(status))
      .toSorted((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority));
    for (const sidebar of sidebars) {
      const seen = looked.get(sidebar.id) ?? new Set<string>();
      looked.set(sidebar.id, seen);
      const done = sidebar.claims.filter(({ validation }) => validation?.isAuto === true).length;
      if (done >= MOST_OF_SIDEBAR) continue;
      for (const exchange of await exchangesOf(board, sidebar)) {
        if (seen.has(exchange)) continue;
        for (const words of await checks.checkableIn(sidebar, exchange)) {
          const key = keyOf(exchange, words);
          const isKnown = sidebar.claims.some((claim) => claim.exchange === exchange && claim.words === words && claim.validation !== null);
          const read = readClaim(words);
          if (seen.has(key) || isKnown || read === null || !isValidationType(read.type) || !allowed.includes(read.type)) continue;
          return { sidebar, exchange, words };
        }
        seen.add(exchange);
      }
    }
    return null;
  };

  let config = '';
  return {
    name: 'checks',
    timing: { settle: 200, every: EVERY },
    pass: async (signal) => {
      const board = engine.board();
      const { isOn, allowed } = validationConfig(board);
      const now = `${isOn} ${allowed.join()}`;
      // What was forbidden before may be allowed now.
      if (now !== config) looked.clear();
      config = now;
      if (!isOn || allowed.length === 0 || signal.aborted) return null;
      const wanted = await next(board);
      if (wanted === null) return null;
      const { sidebar, exchange, words } = wanted;
      const checked = await checks.check(SYSTEM, { sidebar: sidebar.id, claim: exchange, words, isAuto: true });
      if (signal.aborted) return null;
      // Refused: it was disabled in the meantime, or tried too often. Nothing is logged.
      if (checked.ok)
        await engine.execute({
          command: { type: 'claim.validate', sidebar: sidebar.id, isAuto: true, ...checked.value },
          actor: SYSTEM,
          // Derived from what is checked: it is logged once, even by several servers.
          messageId: uuidFor(`check|${sidebar.id}|${exchange}|${words}`),
        });
      // Only now: if logging failed, it is checked again.
      looked.get(sidebar.id)?.add(keyOf(exchange, words));
      return 0;
    },
  };
};

const keyOf = (exchange: string, words: string): string => `${exchange}|${words}`;

export type ChangedFilesOptions = {
  readonly engine: Pick<Engine, 'board' | 'execute'>;
  readonly checker: Pick<Checker, 'stamps'>;
  readonly placeFor: (sidebar: Sidebar) => Promise<Place>;
  readonly every?: number;
};

/** CLAIM-18: a mark based on a file that has changed since no longer counts. */
export const changedFiles = ({ engine, checker, placeFor, every = EVERY }: ChangedFilesOptions): Follower => ({
  name: 'checked-files',
  timing: { every },
  pass: async (signal) => {
    for (const sidebar of rowsOf(engine.board().sidebars)) {
      if (signal.aborted) return null;
      const claims = isEnded(sidebar.status)
        ? []
        : sidebar.claims.filter(({ validation }) => validation !== null && !validation.isOutdated && validation.files.length > 0);
      if (claims.length === 0) continue;
      const paths = [...new Set(claims.flatMap(({ validation }) => validation?.files.map(({ path }) => path) ?? []))].slice(0, MOST_FILES);
      const stamps = await checker.stamps(paths, await placeFor(sidebar));
      for (const { id, validation } of claims) {
        const isChanged = validation?.files.some(({ path, stamp }) => stamps.has(path) && stamps.get(path) !== stamp) === true;
        if (isChanged)
          await engine.execute({
            command: { type: 'claim.outdate', sidebar: sidebar.id, claim: id },
            actor: SYSTEM,
            messageId: uuidFor(`outdated|${validation.id}`),
          });
      }
    }
    return null;
  },
});

const EVERY = 60_000;
const NEWEST = 20;
const MOST_MESSAGES = 200;
const MOST_OF_SIDEBAR = 50;
const MOST_FILES = 500;
