import { cleanup, render, type RenderResult } from '@testing-library/react';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeOf, operatorToken, startServer, type Home, type PageLink, type RunningServer } from '@yarnboard/server';
import type { RuntimeSettings } from '@yarnboard/protocol';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { LiveProvider } from '../src/live/hooks.tsx';
import type { Live } from '../src/live/live.ts';
import { NowProvider } from '../src/ui/now.tsx';
import { ThemeProvider } from '../src/ui/theme.tsx';
import { ToastProvider } from '../src/ui/toast.tsx';
import { connectAs } from './features/home/connection.ts';

export type TestPage = {
  readonly live: Live;
  readonly server: RunningServer;
  /** Where links have led to. */
  readonly paths: readonly string[];
  /** `as`: whose connection it has, unless it is the page's own. */
  readonly render: (element: ReactNode, options?: { readonly path?: string; readonly as?: Live }) => RenderResult;
  readonly close: () => Promise<void>;
};

export type TestPageOptions = {
  readonly roots?: readonly string[];
  readonly isOperator?: boolean;
  readonly openDemo?: () => Promise<PageLink>;
  /** One that something happened in before. */
  readonly home?: Home;
  readonly runtimes?: readonly RuntimeSettings[];
  /** Added to the environment of what the server starts. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Components as they are in the page: a real server in this process, on a home of its own, and the page's one connection to it. */
export const openTestPage = async ({
  roots = [],
  isOperator = true,
  openDemo,
  home: given,
  runtimes = [],
  env,
}: TestPageOptions = {}): Promise<TestPage> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-page-'));
  const home = given ?? homeOf({ env: {}, home: folder });
  const server = await startServer({
    home,
    settings: { excludedProjects: [], roots: [], runtimes },
    roots,
    port: 0,
    version: '0.0.0-test',
    programs: null,
    sweepEvery: 200,
    onFault: (cause) => console.error(cause),
    ...(openDemo === undefined ? {} : { openDemo }),
    ...(env === undefined ? {} : { env: { ...process.env, ...env } }),
  });
  await server.imported;
  const live = connectAs(server.url, isOperator ? operatorToken(home) : null);
  const storage = new Map<string, string>();
  const memory = memoryLocation({ path: '/', record: true });
  return {
    live,
    server,
    paths: memory.history,
    render: (element, { path = '/', as = live } = {}) => {
      memory.navigate(path);
      return render(
        <LiveProvider live={as}>
          <ThemeProvider storage={{ getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => void storage.set(key, value) }}>
            <NowProvider clock={as.now}>
              <ToastProvider>
                <Router hook={memory.hook} searchHook={memory.searchHook}>
                  {element}
                </Router>
              </ToastProvider>
            </NowProvider>
          </ThemeProvider>
        </LiveProvider>,
      );
    },
    close: async () => {
      cleanup();
      live.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
