import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { request } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { homeOf } from '../../../src/home/home.ts';
import { loadPage } from '../../../src/doors/http/page.ts';
import { startServer, type RunningServer } from '../../../src/serving.ts';
import { ADDRESS, makeBoard, makeFolder, type TestBoard } from '../../operations/boards.ts';

const SCRIPT = `console.log(${JSON.stringify('yarn '.repeat(200))});`;
const DOCUMENT =
  '<!doctype html><meta name="yarnboard-nonce" content="__NONCE__"><style nonce="__NONCE__"></style><script src="/assets/main-1a2b3c.js"></script>';

const FILES: Readonly<Record<string, string | Buffer>> = {
  'index.html': DOCUMENT,
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/main-1a2b3c.js': SCRIPT,
  'assets/main-1a2b3c.js.br': brotliCompressSync(SCRIPT),
  'assets/main-4d5e6f.css': 'body { color: red; }',
  'assets/font-7a8b9c.woff2': 'font',
  'assets/layout-0a0b0c.wasm': 'wasm',
  'assets/odd-000000.thing': 'odd',
};

const makePage = (files = FILES): string => {
  const folder = join(makeFolder(), 'page');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
};

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let board: TestBoard;
let pageFolder: string;
beforeAll(async () => {
  pageFolder = makePage();
  writeFileSync(join(pageFolder, '..', 'secret.txt'), 'outside');
  symlinkSync(join(pageFolder, '..', 'secret.txt'), join(pageFolder, 'assets', 'link-111111.txt'));
  board = await makeBoard({ pageFolder });
});

const headersOf = async (path: string, headers: Record<string, string> = {}): Promise<Record<string, string>> =>
  Object.fromEntries((await board.ask(path, { headers })).headers);

describe('the document', () => {
  test.each([
    '/',
    '/sessions',
    '/sessions/0b1c2d',
    '/sessions/0b1c2d/graph',
    '/search?q=a.b',
    '/sidebars/SB-3?tab=memory',
    '/refs/MSG-1%232',
    '/nothing/at/all',
  ])('[SRV-8] %s is the page for a browser', async (path) => {
    const response = await board.ask(path, { headers: HTML });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await response.text()).toMatch(/^<!doctype html><meta name="yarnboard-nonce" content="[\w+/]{22}=="><style nonce=/u);
  });

  test('[SRV-8] / is the page for whoever asks; other addresses only for whoever takes HTML', async () => {
    expect((await board.ask('/')).headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const accept of ['*/*', 'application/json', 'text/htmlx', ''])
      expect(await board.problem('/sessions', { headers: { accept } }), `for ${accept}`).toMatchObject({ status: 404 });
  });

  test.each([
    '/api/v1/nothing',
    '/api',
    '/apis.json',
    '/ws',
    '/mcp',
    '/healthz/x',
    '/metrics/x',
    '/assets',
    '/assets/',
    '/favicon.ico',
    '/sessions/a.html',
  ])('[SRV-8] %s is not, whoever asks', async (path) => {
    const { status, headers } = await board.ask(path, { headers: HTML });
    expect([headers.get('content-type'), status]).toEqual(['application/problem+json', path === '/ws' ? 426 : path === '/mcp' ? 405 : 404]);
  });

  test('[SRV-8] it is not given for anything but GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await board.problem('/', { method, headers: HTML })).toMatchObject({ code: 'wrong-method' });
      expect(await board.problem('/sessions', { method, headers: HTML })).toMatchObject({ code: 'not-found' });
    }
  });

  test('[SRV-9] it is not kept', async () => {
    expect(await headersOf('/')).toMatchObject({ 'cache-control': 'no-store' });
  });

  test('[SEC-16] its policy allows itself and a nonce, which is in the document and another one every time', async () => {
    const nonces = new Set<string>();
    for (let times = 0; times < 20; times += 1) {
      const response = await board.ask('/sessions', { headers: HTML });
      const html = await response.text();
      const [, nonce = ''] = /content="([^"]+)"/u.exec(html) ?? [];
      nonces.add(nonce);
      expect(html).toBe(DOCUMENT.replaceAll('__NONCE__', nonce));
      expect(response.headers.get('content-security-policy')).toBe(
        [
          "default-src 'none'",
          "script-src 'self'",
          "worker-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          "img-src 'self' data: blob:",
          "font-src 'self'",
          `connect-src 'self' ws://${ADDRESS}`,
          "manifest-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
          "form-action 'none'",
        ].join('; '),
      );
    }
    expect(nonces.size).toBe(20);
  });

  test('[SEC-16] it shares no window, is permitted nothing, is not guessed at and tells nobody where it was', async () => {
    expect(await headersOf('/')).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(), ') as string,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('[SEC-16] it may connect to the host it was asked for, and to no other', async () => {
    const policy = async (host: string): Promise<string> => (await headersOf('/', { host }))['content-security-policy'] ?? '';
    expect(await policy('LOCALHOST:0')).toContain("connect-src 'self' ws://localhost:0;");
    expect(await policy('[::1]:0')).toContain("connect-src 'self' ws://[::1]:0;");
  });

  test('[SEC-16] answers of the interface keep their own policy', async () => {
    for (const path of ['/api/v1/sessions', '/api/openapi.json', '/healthz', '/api/v1/nothing'])
      expect((await headersOf(path))['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; frame-ancestors/u);
  });

  test('[SEC-18] other hosts, other sites and wrong tokens get nothing of it', async () => {
    for (const path of ['/', '/sessions', '/assets/main-1a2b3c.js', '/icon.svg', '/assets/nothing.js']) {
      expect(await board.problem(path, { headers: { ...HTML, host: 'evil.example' } })).toMatchObject({ code: 'foreign-host' });
      expect(await board.problem(path, { headers: { ...HTML, origin: 'http://evil.example' } })).toMatchObject({ code: 'foreign-origin' });
      expect(await board.problem(path, { headers: { ...HTML, authorization: 'Bearer x' } })).toMatchObject({ code: 'bad-token' });
      const embedded = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
      expect(await board.problem(path, { headers: { ...HTML, ...embedded } })).toMatchObject({ code: 'foreign-origin' });
    }
    expect(await (await board.ask('/')).text()).not.toContain(board.token);
  });
});

describe('the files', () => {
  test.each([
    ['/assets/main-1a2b3c.js', 'text/javascript; charset=utf-8'],
    ['/assets/main-4d5e6f.css', 'text/css; charset=utf-8'],
    ['/assets/font-7a8b9c.woff2', 'font/woff2'],
    ['/assets/layout-0a0b0c.wasm', 'application/wasm'],
    ['/assets/odd-000000.thing', 'application/octet-stream'],
  ])('[SRV-9] [SRV-10] %s is %s and may be kept for ever', async (path, type) => {
    expect(await headersOf(path)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  test('[SRV-9] a file without a hash is not kept; an asset that there is not is a problem, also for a browser', async () => {
    expect(await headersOf('/icon.svg')).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-store' });
    for (const path of ['/assets/main-ffffff.js', '/assets/main-1a2b3c'])
      expect(await board.problem(path, { headers: HTML })).toMatchObject({ status: 404, code: 'not-found' });
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', null],
    ['identity', null],
    ['brotli', null],
    ['', null],
  ])('[SRV-10] whoever takes "%s" is sent %s', async (accepted, sent) => {
    const response = await board.ask('/assets/main-1a2b3c.js', { headers: { 'accept-encoding': accepted } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync, none: (plain: Buffer) => plain }[sent ?? 'none'] ?? String;
    expect(unpack(bytes).toString()).toBe(SCRIPT);
    expect(response.headers.get('content-encoding')).toBe(sent);
    expect([response.headers.get('vary'), response.headers.get('content-length')]).toEqual(['accept-encoding', String(bytes.length)]);
  });

  test('[SRV-10] what is not packed is sent as it is', async () => {
    const { 'content-encoding': encoding, vary } = await headersOf('/assets/main-4d5e6f.css', { 'accept-encoding': 'br, gzip' });
    expect([encoding, vary]).toEqual([undefined, undefined]);
  });

  test('[SRV-10] packed files and the template are no addresses of their own', async () => {
    await headersOf('/assets/main-1a2b3c.js', { 'accept-encoding': 'gzip' });
    for (const path of ['/assets/main-1a2b3c.js.br', '/assets/main-1a2b3c.js.gz', '/index.html'])
      expect(await board.problem(path, { headers: HTML })).toMatchObject({ code: 'not-found' });
  });

  test('[SRV-11] a page that is replaced while the server runs is served as it was', async () => {
    const folder = makePage();
    const running = await makeBoard({ pageFolder: folder });
    rmSync(folder, { recursive: true });
    expect(await (await running.ask('/')).text()).toContain('main-1a2b3c.js');
    expect(await (await running.ask('/assets/main-1a2b3c.js')).text()).toBe(SCRIPT);
    expect(loadPage(folder)).toBeNull();
  });

  test('[SRV-11] a folder that is far too large for a page is refused', () => {
    const folder = makePage();
    truncateSync(join(folder, 'icon.svg'), 65 * 1024 * 1024);
    expect(() => loadPage(folder)).toThrow(/more than 67108864 bytes/u);
  });

  test('[SRV-12] where it is not built, / says so and what is running; nothing else is there', async () => {
    const { 'index.html': _, ...rest } = FILES;
    for (const folder of [null, join(makeFolder(), 'nothing'), makePage(rest)]) {
      const bare = await makeBoard({ pageFolder: folder });
      const html = await (await bare.ask('/')).text();
      expect(html).toContain('Yarnboard 0 is running');
      expect(html).toContain('The page is not built here: <code>npm run build</code>');
      expect(await bare.problem('/sessions', { headers: HTML })).toMatchObject({ code: 'not-found' });
      expect(await bare.problem('/assets/main-1a2b3c.js')).toMatchObject({ code: 'not-found' });
    }
  });
});

describe('over the wire', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const folder = makeFolder();
    const home = homeOf({ env: { YARNBOARD_HOME: `${folder}/home`, YARNBOARD_STATE: `${folder}/state` }, home: folder });
    server = await startServer({ home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null, port: 0, pageFolder });
  });
  afterAll(() => server.close());

  /** As it goes over the wire: `fetch` would tidy up the path before. */
  const send = (path: string, method = 'GET'): Promise<{ readonly status: number; readonly length: string | undefined; readonly body: string }> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(server.url);
      const asked = request({ host: '127.0.0.1', port, method, path, headers: { accept: 'text/html' } }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, length: response.headers['content-length'], body }));
      });
      asked.on('error', reject);
      asked.end();
    });

  test.each(['/', '/sessions', '/assets/main-1a2b3c.js', '/icon.svg'])('[SRV-8] HEAD %s is GET without the body', async (path) => {
    const [whole, head] = [await send(path), await send(path, 'HEAD')];
    expect(head).toEqual({ ...whole, body: '' });
    expect(whole.length).toBe(String(Buffer.byteLength(whole.body)));
  });

  test('[SEC-17] nothing outside the folder is reached, whatever the path says', async () => {
    expect(readFileSync(join(pageFolder, '..', 'secret.txt'), 'utf8')).toBe('outside');
    const up = ['..', '%2e%2e', '%2E.', '.%2e', '..%2f..', '..%5c', '..\\', '%252e%252e', '%c0%ae%c0%ae', '..%00', '....//', '/', '%2f', '..;'];
    const paths = up.flatMap((step) => [
      `/assets/${step}/secret.txt`,
      `/assets/${step}/../secret.txt`,
      `/${step}/secret.txt`,
      `/assets/${step}/${step}/secret.txt`,
    ]);
    for (const path of [
      ...paths,
      '/assets/link-111111.txt',
      `/${join(pageFolder, '..', 'secret.txt')}`,
      '/assets/%00',
      '/assets/%',
      '/assets/%ff.js',
      '//secret.txt',
    ]) {
      const { status, body } = await send(path);
      expect([path, [400, 404].includes(status), body.includes('outside')]).toEqual([path, true, false]);
    }
  });
});
