import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { REGISTRY, type Operation, type OperationName, type OutputOf, type RuntimeSettings } from '@yarnboard/protocol';
import { homeOf, startServer, type Home, type RunningServer } from '@yarnboard/server';
import { launch } from '../chromium.ts';
import { PATIENCE } from '../patience.ts';
import { root } from '../source-files.ts';
import { builtPage } from './built-page.ts';

export const DEMO = join(root, 'packages/cli/demo');
export const FIXTURES = join(root, 'fixtures/claude-code');

export type WebOptions = {
  /** The browser: see `findChromium`. */
  readonly executable: string;
  /** Folders with transcripts; the demo set unless given. */
  readonly roots?: readonly string[];
  /** What makes agents act. */
  readonly runtimes?: readonly RuntimeSettings[];
  /** The folder of an Agent SDK, and where its Claude Code keeps what it writes. */
  readonly claude?: { readonly sdk: string; readonly config: string };
  /** A page that was built elsewhere; also named by YARNBOARD_PAGE. */
  readonly pageFolder?: string;
  /** One that something happened in before. */
  readonly home?: Home;
};

export type OpenOptions = {
  /** Whether the page may act: as the operator, or with the token that is given. It may, unless said otherwise. */
  readonly token?: boolean | string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Complaints that the test is about; each is one that fits. */
  readonly expected?: readonly RegExp[];
};

export type Violation = { readonly id: string; readonly help: string; readonly nodes: readonly string[] };

export type Given = Readonly<Record<string, unknown>>;
export type AskWeb = <N extends OperationName>(name: N, given?: Given, token?: string) => Promise<OutputOf<N>>;

/** A real server with the built page, on a home of its own, and browsers that look at it. */
export type Web = {
  readonly url: string;
  readonly token: string;
  readonly home: Home;
  readonly server: RunningServer;
  /** Asks over HTTP, as the operator unless another token is given. */
  readonly ask: AskWeb;
  /** A page in a browser that has never been here: nothing is shared with the others. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
  readonly axe: (page: Page) => Promise<readonly Violation[]>;
  /** What went wrong in any page so far: errors and warnings of the console, the policy, failed and foreign requests. Told once. */
  readonly complaints: () => readonly string[];
  /** Closes everything; fails when a page complained and nobody asked. */
  readonly close: () => Promise<void>;
};

export const serveWeb = async ({
  executable,
  roots = [DEMO],
  runtimes = [],
  claude,
  home: given,
  pageFolder = process.env['YARNBOARD_PAGE'] ?? builtPage(),
}: WebOptions): Promise<Web> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-web-'));
  const home = given ?? homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  const complaints: string[] = [];
  const server = await startServer({
    home,
    settings: { excludedProjects: [], roots: [], runtimes },
    roots,
    version: '0',
    programs: null,
    port: 0,
    pageFolder,
    ...(claude === undefined ? {} : { env: { ...process.env, YARNBOARD_AGENT_SDK: claude.sdk, CLAUDE_CONFIG_DIR: claude.config } }),
    onFault: (cause) => complaints.push(`server: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`),
  });
  await server.imported;
  await server.drain();
  let browser: Browser | null = null;
  const { url, token } = server;
  return {
    url,
    token,
    home,
    server,
    ask: askOver(url, token),
    open: async (path, options = {}) => {
      browser ??= await launch(executable);
      const page = await newPage(browser, { url, token }, options);
      listen(page, url, (what) => {
        if (!options.expected?.some((fits) => fits.test(what))) complaints.push(`${path}: ${what}`);
      });
      await page.goto(new URL(path, url).href);
      return page;
    },
    axe: runAxe,
    complaints: () => complaints.splice(0),
    close: async () => {
      await browser?.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
      assert.deepEqual(complaints, [], 'a page complained');
    },
  };
};

/** Resolves when nothing on the page says that it is still being loaded. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('main').waitFor();
  await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy="true"]') === null);
};

/** What is read once it has stayed the same for a while: layouts come to rest over several frames, and a read between them tells of none. */
export const atRest = async <T>(page: Page, read: () => Promise<T>): Promise<T> => {
  let last = await read();
  for (;;) {
    await page.evaluate(async () => {
      for (let frame = 0; frame < 10; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    const next = await read();
    if (JSON.stringify(next) === JSON.stringify(last)) return next;
    last = next;
  }
};

const newPage = async (browser: Browser, { url, token }: { readonly url: string; readonly token: string }, options: OpenOptions): Promise<Page> => {
  const { token: own = true, width = 1280, height = 900, colorScheme = 'light' } = options;
  const value = typeof own === 'string' ? own : token;
  const origins = own === false ? [] : [{ origin: url, localStorage: [{ name: 'yarnboard.token', value }] }];
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    storageState: { cookies: [], origins },
    // The same picture everywhere and at every moment.
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE);
  return context.newPage();
};

/** A page is there for one server only, and has nothing to complain about. */
const listen = (page: Page, url: string, complain: (what: string) => void): void => {
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complain(`console ${line.type()}: ${line.text()}`);
  });
  page.on('pageerror', (cause) => complain(`thrown: ${cause.stack ?? cause.message}`));
  page.on('dialog', (dialog) => {
    complain(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${url}/`) || /^(?:data|blob):/u.test(request.url());
    if (!isOwn) complain(`asked ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    // Whoever goes on to another page does not wait for the rest of this one.
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED') complain(`failed: ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complain(`${response.status()}: ${response.url()}`);
  });
};

type Found = {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly target: readonly unknown[] }[];
};

const AXE = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** A dark page has the roles and names of the light one, and whatever is checked in dark is checked in light as well: there only colours are looked at. */
const runAxe = async (page: Page): Promise<readonly Violation[]> => {
  // As text: the page's policy admits no script, but what the browser is told to evaluate is not part of the page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the script above defines it
    const { axe } = globalThis as unknown as {
      readonly axe: { run: (on: Document, options: object) => Promise<{ readonly violations: readonly Found[] }> };
    };
    const isDark = document.querySelector('[data-theme="dark"]') !== null;
    return axe.run(document, {
      resultTypes: ['violations'],
      ...(isDark && { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }),
    });
  });
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, target }) => `${target.join(' ')}: ${html.slice(0, 200)}`),
  }));
};

const askOver =
  (url: string, operator: string): AskWeb =>
  async (name, given = {}, token = operator) => {
    const { method, path, output }: Operation = REGISTRY[name];
    const filled = path.replaceAll(/\{(\w+)\}/gu, (_, key: string) => encodeURIComponent(String(given[key])));
    const rest = Object.entries(given).filter(([key]) => !path.includes(`{${key}}`));
    const query = method === 'GET' ? `?${new URLSearchParams(rest.map(([key, value]): [string, string] => [key, String(value)])).toString()}` : '';
    const response = await fetch(`${url}/api/v1${filled}${query}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(method === 'GET' ? {} : { body: JSON.stringify(Object.fromEntries(rest)) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${name} ${JSON.stringify(given)}: ${text}`);
    return output.parse(JSON.parse(text)) as OutputOf<typeof name>; // the schema is this operation's
  };
