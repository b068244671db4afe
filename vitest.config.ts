import { defineConfig } from 'vitest/config';

const PAGE = ['packages/web/test/**/*.test.ts', 'packages/web/test/**/*.test.tsx', 'tests/web/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions: ['yarnboard-source', 'node'] },
  ssr: { resolve: { conditions: ['yarnboard-source', 'node'] } },
  test: {
    setupFiles: ['tests/property-runs.ts'],
    testTimeout: process.env['YARNBOARD_RUNS'] === undefined ? 60_000 : 3_600_000,
    hookTimeout: 120_000,
    // What measures and kills has the machine for itself; tests of the page mostly wait for a browser, so two files of them run at once.
    projects: [
      {
        extends: true,
        test: {
          name: 'all but the page',
          include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: PAGE,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'the page', include: PAGE, maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
