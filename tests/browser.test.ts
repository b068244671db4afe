import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type * as transcript from '@yarnboard/transcript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launch } from './chromium.ts';
import { PATIENCE } from './patience.ts';
import { filesIn, root } from './source-files.ts';
import { temporaryFolder, yarnboard } from '../packages/cli/test/terminal.ts';

const executable = findChromium();

test.runIf(process.env['CI'] !== undefined)('[DOC-6] CI has a browser to test with', () => {
  expect(executable).not.toBeNull();
});

describe.skipIf(executable === null)('in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let browser: Browser | undefined;
  let page: Page;
  const folder = temporaryFolder();

  beforeAll(async () => {
    browser = await launch(executable ?? '');
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
  });
  afterAll(async () => {
    await browser?.close();
  });

  test('[DOC-6] the transcript package reads a session in a page', async () => {
    const bundle = await build({
      entryPoints: [join(root, 'packages/transcript/src/index.ts')],
      bundle: true,
      format: 'iife',
      globalName: 'transcript',
      platform: 'browser',
      write: false,
    });
    await page.goto('about:blank');
    await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
    const lines = filesIn('packages/cli/demo', /\/a2e96c1e[^/]*\.jsonl$/u)[0]?.text ?? '';
    const seen = await page.evaluate((text: string) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the bundle above defines it
      const api = (globalThis as unknown as { transcript: typeof transcript }).transcript;
      const session = api.createSession('a2e96c1e');
      const file = api.addFile(session, { path: 'a.jsonl', agentId: null });
      const decoder = new TextDecoder();
      const reader = api.createReader({
        decode: (bytes, from, to) => decoder.decode(bytes.subarray(from, to)),
        sink: { record: (value, place) => api.append(session, file, value, place), quarantine: () => undefined },
      });
      reader.feed(new TextEncoder().encode(text));
      reader.end();
      const shape = api.createShape();
      api.extendShape(shape, session);
      return { records: reader.counts.records, branches: api.branchesOf(shape).length, leaf: api.activePath(session, shape).leaf?.uuid };
    }, lines);
    expect(seen).toEqual({ records: 54, branches: 1, leaf: expect.stringMatching(/^093945/u) });
  });

  const exported = async (name: string, args: readonly string[]): Promise<string> => {
    const path = join(folder, `${name}.html`);
    expect(await yarnboard(['show', ...args, '--format', 'html', '--output', path])).toEqual({ code: 0, out: '', err: '' });
    return `file://${path}`;
  };

  test('[SHOW-5] an exported page runs nothing, asks the network for nothing, and says nothing on the console', async () => {
    const nasty = `<img src="https://evil.example/x.png" onerror="document.title='owned'"><script>document.title='owned'</script><svg onload=alert(1)>`;
    const source = join(folder, 'nasty.jsonl');
    const message = (type: string, uuid: string, content: unknown): string =>
      JSON.stringify({ type, uuid, parentUuid: null, sessionId: 's', message: { role: type, id: uuid, content } });
    const markdown = `${nasty}\n\n![x](https://evil.example/y.png)\n\n[click](javascript:alert(1))\n\n<iframe src="https://evil.example"></iframe>`;
    writeFileSync(
      source,
      `${message('user', 'u', nasty)}\n${message('assistant', 'a', [
        { type: 'text', text: markdown },
        { type: 'tool_use', id: 't', name: nasty, input: { x: nasty } },
      ])}\n`,
    );
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (line) => complaints.push(line.text()));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    const url = await exported('nasty', [source]);
    await page.goto(url);
    expect(await page.title()).toContain('<img src=');
    expect(await page.locator('img, script, iframe, svg').count()).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect({ requests, complaints }).toEqual({ requests: [url], complaints: [] });
  });

  test('[SHOW-3] sidechains fold and unfold, and the layout holds from a phone to a wide screen', async () => {
    await page.goto(await exported('nested', ['108016d4', '--demo']));
    const outer = page.locator('details.sidechain').first();
    expect(await page.getByText('You are the innermost agent.', { exact: true }).isVisible()).toBe(true);
    await outer.locator('summary').first().click();
    expect(await page.getByText('You are the innermost agent.', { exact: true }).isVisible()).toBe(false);
    for (const width of [360, 1280, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect({ width, overflow }).toEqual({ width, overflow: 0 });
    }
  });

  test('[SHOW-2] the page of every demo session has one heading for each speaker and a place to link to for every message', async () => {
    const { out } = await yarnboard(['show', 'b3e545ea', '--demo', '--format', 'json']);
    const { messages } = JSON.parse(out) as { messages: { uuid: string; parts: unknown[] }[] };
    await page.goto(await exported('compacted', ['b3e545ea', '--demo']));
    for (const message of messages.filter((one) => one.parts.length > 0)) expect(await page.locator(`#message-${message.uuid}`).count()).toBe(1);
    expect(await page.locator('.compaction').count()).toBe(2);
  });

  test('[SHOW-5] the page is one file without references to others', async () => {
    const html = readFileSync(new URL(await exported('single', ['e75ec2ea', '--demo'])), 'utf8');
    expect(html).not.toMatch(/<(?:link|script|iframe|object|embed)\b|\bsrc="(?!data:)|url\(|@import/u);
  });
});
