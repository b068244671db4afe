import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  // `worker`: what reads Markdown in a thread of its own must not ask for a document there.
  resolve: { conditions: ['yarnboard-source', 'worker', 'module', 'browser', 'default'] },
  build: {
    target: 'es2023',
    outDir: 'dist/page',
    emptyOutDir: true,
    sourcemap: true,
    // The policy of the page allows no address but its own; what would be put into it as data: is loaded from there as well.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // "use client" says something to servers that render React; here is none.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  worker: { format: 'es' },
});
