import { defineConfig } from 'vitest/config';

// Tests that mostly compute, or wait for a browser: two files of them run at once. What measures, kills and spawns has the machine for itself.
const TOGETHER = ['packages/{domain,protocol,store,transcript,web}/test/**/*.test.{ts,tsx}', 'tests/web/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions: ['yarnboard-source', 'node'] },
  ssr: { resolve: { conditions: ['yarnboard-source', 'node'] } },
  test: {
    setupFiles: ['tests/property-runs.ts'],
    testTimeout: process.env['YARNBOARD_RUNS'] === undefined ? 60_000 : 3_600_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: TOGETHER,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'together', include: TOGETHER, maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
