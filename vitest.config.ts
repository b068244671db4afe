import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['yarnboard-source', 'node'] },
  ssr: { resolve: { conditions: ['yarnboard-source', 'node'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'packages/*/test/**/*.test.tsx', 'tests/**/*.test.ts'],
    setupFiles: ['tests/property-runs.ts'],
    testTimeout: process.env['YARNBOARD_RUNS'] === undefined ? 60_000 : 3_600_000,
    hookTimeout: 120_000,
  },
});
