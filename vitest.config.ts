import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['yarnboard-source', 'node', 'import'] },
  ssr: { resolve: { conditions: ['yarnboard-source', 'node', 'import'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
