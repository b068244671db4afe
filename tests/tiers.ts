import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm test` runs the quick tier, `npm run test:all` both (GATE-1). */
export type Tier = 'quick' | 'tail';

export type Group = {
  readonly tier: Tier;
  /** Whether each file gets a process of its own: starting one and loading everything again often takes longer than the tests do. */
  readonly isIsolated: boolean;
  readonly environment?: 'happy-dom';
  /** Whether its files get our packages as bundles: faster where each file has a process of its own. */
  readonly isBundled?: boolean;
  /** Whether its files run one after the other, with the machine to themselves. */
  readonly isAlone?: boolean;
  /** Whether its files often wait, for other processes or the disk: then more of them run at once than there are cores. */
  readonly isWaiting?: boolean;
};

/** How files run. The groups run one after the other, in this order: a process goes on to the next file only if that is of the same group. */
export const GROUPS = {
  pure: { tier: 'quick', isIsolated: false },
  // A window is shared by whatever runs in its process: what one file leaves there, the next one meets.
  page: { tier: 'quick', isIsolated: true, environment: 'happy-dom', isBundled: true, isWaiting: true },
  server: { tier: 'quick', isIsolated: false, isWaiting: true },
  long: { tier: 'tail', isIsolated: false, isWaiting: true },
  alone: { tier: 'tail', isIsolated: true, isAlone: true },
} as const satisfies Record<string, Group>;

export type GroupName = keyof typeof GROUPS;

/**
 * Which group a test file is in: that of the first line here that fits. The tail has what needs PostgreSQL, a browser or the packed command, what starts,
 * kills and starves processes, and what goes through long lists.
 */
export const PLACES: readonly (readonly [fits: RegExp, group: GroupName])[] = [
  [/^tests\/(?:crash|crash-tools|faults|growth|live|live-runs|live-terminals|recovery-crash|seats-crash|sidebars-crash)\.test\.ts$/u, 'alone'],
  [/^packages\/server\/test\/ingest\/(?:faults|live|scale|tailing)\.test\.ts$/u, 'alone'],
  [/^packages\/server\/test\/doors\/ws\/(?:back-pressure|fan-out|slow)\.test\.ts$/u, 'alone'],
  [/^packages\/store\/test\/(?:postgres\.|redis|search-hostile)/u, 'long'],
  [/^packages\/server\/test\/wake-ups\.test\.ts$/u, 'long'],
  [/^packages\/server\/test\/integrity\/tampering\.test\.ts$/u, 'long'],
  [/^packages\/server\/test\/dialects\/mutated\.test\.ts$/u, 'long'],
  [/^packages\/transcript\/test\/wide\.test\.ts$/u, 'long'],
  [/^packages\/web\/test\/features\/graph\/active-path\.test\.ts$/u, 'long'],
  [/^packages\/server\/test\/doors\/http\/hostile\.test\.ts$/u, 'long'],
  [/^packages\/server\/test\/doors\/mcp\/tour\.test\.ts$/u, 'long'],
  [/^packages\/server\/test\/launches\/run-reconcile\.test\.ts$/u, 'long'],
  [
    /^packages\/server\/test\/(?:doors\/ws\/postgres|engine\/shared|engine\/skew|followers\/checks-shared|followers\/company|launches\/runs-shared|validators\/hostile-claims|validators\/orphans|validators\/stalled)\.test\.ts$/u,
    'long',
  ],
  [/^packages\/server\/test\/operations\/(?:conversation-whole|effort|lists|pending|trace-oracle)\.test\.ts$/u, 'long'],
  [/^packages\/server\/test\/launches\/run-sdk\.test\.ts$/u, 'long'],
  [/^packages\/server\/test\/runtimes\/isolation\.test\.ts$/u, 'long'],
  [/^packages\/cli\/test\/(?:claude|claude-sessions|claude-switch|hook|mcp|mcp-program|open|rough)\.test\.ts$/u, 'long'],
  [/^packages\/web\/test\/.*\.test\.tsx$/u, 'page'],
  [/^packages\/web\/test\/features\/sessions\/session-parts\.test\.ts$/u, 'page'],
  [/^packages\/(?:domain|language|protocol|transcript|web)\//u, 'pure'],
  [/^packages\//u, 'server'],
  [/^tests\/(?:architecture|bundle|corpus|counting|families|fixtures|fuzz|gate|screens|spec-coverage|tiers|wording)\.test\.ts$/u, 'pure'],
  [/^tests\/smoke\.test\.ts$/u, 'server'],
  [/^tests\//u, 'long'],
];

export const groupOf = (path: string): GroupName | null => PLACES.find(([fits]) => fits.test(path))?.[1] ?? null;

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every test file of the repository, with slashes whatever the system. */
export const testFiles = (): readonly string[] =>
  ['tests', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`)]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name.split(sep).join('/')}`),
    )
    .filter((path) => /\.test\.tsx?$/u.test(path))
    .sort();
