import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { serveWeb, settled, type Web } from './harness.ts';
import { author } from './transcripts.ts';

const executable = findChromium();
const SESSION = 'd5a4ce50-0000-4000-8000-0000000000e2';

describe.skipIf(executable === null)('rules of a session, in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-rules-'));
  const project = join(folder, 'loom');
  const settings = join(project, '.claude', 'settings.local.json');

  beforeAll(async () => {
    mkdirSync(join(project, '.claude'), { recursive: true });
    writeFileSync(settings, JSON.stringify({ permissions: { allow: ['Bash(npm test:*)', 'Read(src/**)', 'WebSearch'], deny: ['Read(.env)'] } }));
    const session = author({ folder, sessionId: SESSION, cwd: project, startsAt: Date.now() - 3_600_000 });
    session.main.asks('Weave.');
    session.main.says('Done.');
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

  test.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('[PAGE-642] what the project keeps is listed and revoked, in the file as well (%s, %i px)', async (colorScheme, width) => {
    const page = await web.open(`/sessions/${SESSION}`, { colorScheme, width });
    await settled(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Always allowed…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Always allowed' });
    const revoke = dialog.getByRole('button', { name: width === 360 ? 'Revoke WebSearch' : 'Revoke Bash(npm test:*)' });
    await revoke.waitFor();
    await revoke.click();
    await revoke.waitFor({ state: 'detached' });
    const { permissions } = JSON.parse(readFileSync(settings, 'utf8')) as { readonly permissions: object };
    expect(permissions).toEqual({ allow: width === 360 ? ['Read(src/**)'] : ['Read(src/**)', 'WebSearch'], deny: ['Read(.env)'] });
    await page.context().close();
  });
});
