import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';

/** `start.ts` asks for the rest of the page when it runs; the document names it before, so that it is on its way by then. */
const namePage = (): Plugin => ({
  name: 'yarnboard:name-page',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) => {
      if (bundle === undefined) return [];
      const chunks = new Map(Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
      const main = [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => /[\\/]src[\\/]main\.tsx$/u.test(id)));
      if (main === undefined) throw new Error('no chunk has src/main.tsx in it');
      const names = new Set([main.fileName]);
      // A set goes on to what is added to it meanwhile.
      for (const name of names) for (const imported of chunks.get(name)?.imports ?? []) names.add(imported);
      const styles = new Set([...names].flatMap((name) => [...(chunks.get(name)?.viteMetadata?.importedCss ?? [])]));
      const link = (rel: string, name: string): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: { rel, crossorigin: true, href: `/${name}` },
        injectTo: 'head',
      });
      return [...[...names].map((name) => link('modulepreload', name)), ...[...styles].map((name) => link('stylesheet', name))];
    },
  },
});

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  // `worker`: what reads Markdown in a thread of its own must not ask for a document there.
  resolve: { conditions: ['yarnboard-source', 'worker', 'module', 'browser', 'default'] },
  plugins: [namePage()],
  build: {
    target: 'es2023',
    outDir: 'dist/page',
    emptyOutDir: true,
    // Maps are larger than all the rest, and nobody is served them.
    sourcemap: false,
    // The policy of the page allows no address but its own; what would be put into it as data: is loaded from there as well.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // "use client" says something to servers that render React; here is none.
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      output: {
        // A file for each icon that two views share would be forty requests for a view: longer than all of it at once takes.
        codeSplitting: {
          groups: [
            { name: 'start', test: /[\\/]src[\\/]start\.ts$|vite[\\/]preload-helper/u, priority: 4 },
            { name: 'connect', test: /[\\/]src[\\/]connect\.ts$/u, priority: 3 },
            { name: 'main', test: /[\\/]src[\\/]main\.tsx$/u, priority: 2 },
            { name: 'shared', minShareCount: 2, maxModuleSize: 12_000, priority: 1 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
});
