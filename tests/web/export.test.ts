import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { serveWeb, settled, type Web } from './harness.ts';
import { author } from './transcripts.ts';

const executable = findChromium();
const LONG = '10009000-0000-4000-8000-000000000001';
const EXCHANGES = 1500;
const SECRET = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');

describe.skipIf(executable === null)('exporting in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-export-'));

  beforeAll(async () => {
    const session = author({ folder, sessionId: LONG, cwd: '/home/dev/long', startsAt: Date.now() - 3_600_000, pace: 10 });
    for (let n = 0; n < EXCHANGES; n += 1) {
      session.main.asks(`Question ${n}.`);
      session.main.says(`**Answer ${n}**, told with ${SECRET}. ${'A sentence. '.repeat(n % 40)}`);
    }
    session.write();
    web = await serveWeb({ executable: executable ?? '', roots: [folder] });
  });
  afterEach(() => {
    assert.deepEqual(web.complaints(), []);
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const download = async (page: Page, name: RegExp): Promise<{ readonly fileName: string; readonly text: string }> => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Export…' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog', { name: 'Export session' }).getByRole('link', { name }).click(),
    ]);
    expect(await file.failure()).toBeNull();
    return { fileName: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
  };
  const answersIn = (text: string): readonly string[] => [...new Set(text.match(/Answer \d+/gu))];
  const answers = Array.from({ length: EXCHANGES }, (_, n) => `Answer ${n}`);

  test('[PAGE-203] each format is downloaded whole and masked, and the page stays as it is', async () => {
    const page = await web.open(`/sessions/${LONG}`);
    await settled(page);
    const path = page.url();
    const html = await download(page, /^Web page/u);
    const markdown = await download(page, /^Markdown/u);
    const json = await download(page, /^JSON/u);
    expect([html, markdown, json].map(({ fileName }) => fileName)).toEqual([
      'question-0-10009000.html',
      'question-0-10009000.md',
      'question-0-10009000.json',
    ]);
    for (const { text } of [html, markdown, json]) expect([answersIn(text), text.includes(SECRET)]).toEqual([answers, false]);
    const { messages } = JSON.parse(json.text) as { readonly messages: readonly unknown[] };
    expect(messages).toHaveLength(2 * EXCHANGES);
    expect(html.text.trimEnd().endsWith('</html>')).toBe(true);
    expect(page.url()).toBe(path);
    await page.context().close();
  });

  test('[PAGE-203] the dialog is clean in axe, and whoever only reads may export', async () => {
    const page = await web.open(`/sessions/${LONG}`, { token: false });
    await settled(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Export…' }).click();
    await page.getByRole('dialog', { name: 'Export session' }).waitFor();
    expect(await web.axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect((await download(page, /^Markdown/u)).text).toContain('Answer 0');
    await page.context().close();
  });
});
