import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { PATIENCE, TEST_PATIENCE } from './tests/patience.ts';
import { BUNDLED } from './tests/bundled-packages.ts';
import { groupOf, GROUPS, testFiles, type Group } from './tests/tiers.ts';

const files = testFiles();
const cores = Math.max(2, availableParallelism());

const workersOf = ({ isAlone = false, isWaiting = false }: Group): number => {
  if (isAlone) return 1;
  return isWaiting ? cores + Math.ceil(cores / 2) : cores;
};

export default defineConfig({
  resolve: { conditions: ['yarnboard-source', 'node'] },
  ssr: { resolve: { conditions: ['yarnboard-source', 'node'] } },
  test: {
    testTimeout: process.env['YARNBOARD_RUNS'] === undefined ? TEST_PATIENCE : 3_600_000,
    hookTimeout: TEST_PATIENCE,
    expect: { poll: { timeout: PATIENCE } },
    projects: Object.entries(GROUPS).map(([name, group]: readonly [string, Group], at) => ({
      extends: true,
      ...(group.isBundled === true ? { resolve: { alias: BUNDLED } } : {}),
      test: {
        // `--project=quick-*` runs a tier.
        name: `${group.tier}-${name}`,
        include: files.filter((path) => groupOf(path) === name),
        isolate: group.isIsolated,
        setupFiles: ['tests/setup.ts', ...(group.environment === undefined ? [] : ['packages/web/test/setup.ts'])],
        environment: group.environment ?? 'node',
        ...(group.isBundled === true ? { globalSetup: 'tests/bundled-packages.ts' } : {}),
        maxWorkers: workersOf(group),
        sequence: { groupOrder: at },
      },
    })),
  },
});
