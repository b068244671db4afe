import { homedir } from 'node:os';
import { type Board, type Sidebar } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import { DIALECTS } from '@yarnboard/transcript';
import type { Engine } from './engine/engine.ts';
import { automaticChecks, changedFiles } from './followers/checks.ts';
import type { Followers } from './followers/runner.ts';
import type { Home } from './home/home.ts';
import { isExcludedBy, type Settings } from './home/settings.ts';
import { NO_VALIDATION_SETTINGS } from '@yarnboard/protocol';
import type { Programs } from './threads/threads.ts';
import type { ChecksView } from './operations/board/validation.ts';
import { createChecker, type Checker } from './validators/checker.ts';
import { createClaimChecks } from './validators/claim-checks.ts';
import type { Place } from './validators/job.ts';
import { rootsOf, type Roots } from './validators/roots.ts';

type Parts = {
  readonly home: Home;
  readonly settings: Settings;
  /** The folders with transcripts: what others said there isn't evidence. */
  readonly roots: readonly string[];
  readonly programs: Programs | null;
  readonly engine: Engine;
  readonly store: Pick<Store, 'library'>;
};

export type BoardChecks = ChecksView & {
  readonly follow: (followers: Followers) => () => void;
  readonly close: () => Promise<void>;
};

/** Machine checks of an open board: where they may look, and when they run automatically. */
export const createBoardChecks = ({ home, settings, roots: transcripts, programs, engine, store }: Parts): BoardChecks => {
  const { validation = NO_VALIDATION_SETTINGS } = settings;
  const userHome = homedir();
  const closed = [home.folder, ...toolHomes(userHome), ...transcripts, ...settings.excludedProjects];
  const named = rootsOf(validation.roots, { userHome, closed });
  const isExcluded = isExcludedBy(settings);
  const checker = createChecker({
    command: programs?.validator === undefined ? null : [process.execPath, programs.validator],
    now: () => Date.now(),
  });

  /** VAL-16: the folder of the sidebar's session is a root only if the operator enabled such folders. */
  const placeFor = async (sidebar: Sidebar): Promise<Place> => {
    const sessionId = sessionOf(engine.board(), sidebar);
    const cwd = sessionId === null ? null : ((await store.library.session(sessionId))?.project ?? null);
    const isRoot = cwd !== null && validation.areProjectsRoots && !isExcluded('', cwd);
    return { ...place(named), cwd, project: isRoot ? { folder: cwd, forbidden: { userHome, closed } } : null };
  };
  const place = (roots: Roots): Place => ({
    roots,
    cwd: null,
    services: validation.services,
    mayAskContainers: validation.mayAskContainers,
    programs: validation.programs,
    ownPids: [process.pid],
    calls: null,
  });

  // A machine's tools hardly change; repeated questions must not delay checks.
  let known: { readonly at: number; readonly methods: ReturnType<Checker['methods']> } | null = null;
  const methods = (): ReturnType<Checker['methods']> => {
    const now = Date.now();
    if (known === null || now < known.at || now - known.at > REMEMBERED) known = { at: now, methods: checker.methods(place(named)) };
    return known.methods;
  };

  const checks = createClaimChecks({ engine, checker, placeFor, now: () => Date.now() });
  return {
    check: checks.check,
    methods,
    roots: named.folders,
    problems: named.problems,
    areProjectsRoots: validation.areProjectsRoots,
    follow: (followers) => {
      const runner = followers.add(automaticChecks({ engine, checks }));
      followers.add(changedFiles({ engine, checker, placeFor }));
      const stop = engine.onCommitted((events) => {
        if (events.some(({ type }) => WAKING.has(type))) runner.wake();
        // Whatever it was, it may have changed somebody's permissions.
        checks.reconsider();
      });
      runner.wake();
      return stop;
    },
    close: checker.close,
  };
};

/** Where tools keep their sessions, settings and credentials: the default places, and the configured ones. */
const toolHomes = (home: string): readonly string[] => [
  ...new Set([{}, process.env].flatMap((env) => DIALECTS.flatMap(({ roots }) => roots({ env, home, exists: () => true })))),
];

/** The session in which a sidebar, or its origin, began. */
const sessionOf = (board: Board, sidebar: Sidebar): string | null => {
  let one: Sidebar | undefined = sidebar;
  for (let steps = 0; one !== undefined && steps < MOST_STEPS; steps += 1) {
    const { origin }: Sidebar = one;
    if (origin.kind === 'session') return origin.sessionId;
    one = origin.kind === 'none' ? undefined : board.sidebars.get(origin.sidebarId);
  }
  return null;
};

const MOST_STEPS = 1000;
const REMEMBERED = 60_000;
const WAKING: ReadonlySet<string> = new Set(['validation.configured', 'sidebar.spawned', 'focus.changed', 'relevance.scored', 'sidebar.forked']);
