import { defineConfig } from 'vitest/config';

// What kills processes, fills disks or counts on the clock has the machine for itself; of everything else two files run at once.
const ALONE = [
  'packages/server/test/{doors/ws,sessions/envelopes,ingest}/**/*.test.ts',
  'tests/{crash,faults,live,live-runs,live-terminals,sidebars-crash}.test.ts',
];

export default defineConfig({
  resolve: { conditions: ['yarnboard-source', 'node'] },
  ssr: { resolve: { conditions: ['yarnboard-source', 'node'] } },
  test: {
    setupFiles: ['tests/property-runs.ts'],
    testTimeout: process.env['YARNBOARD_RUNS'] === undefined ? 60_000 : 3_600_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['packages/*/test/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
          exclude: ALONE,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
