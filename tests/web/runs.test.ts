import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { standInSdk } from '../live-sdk.ts';
import { serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('runs, in two browsers (no Chromium found: set CHROMIUM to its path)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-runs-'));
  const config = join(folder, 'claude');
  const work = join(folder, 'work');
  const notThere = join(folder, 'not-there');
  let web: Web;

  beforeAll(async () => {
    mkdirSync(join(config, 'projects'), { recursive: true });
    mkdirSync(work);
    web = await serveWeb({
      executable: executable ?? '',
      roots: [join(config, 'projects')],
      claude: { sdk: standInSdk(folder), config },
    });
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const box = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });
  const queue = (page: Page): Locator => page.getByRole('list', { name: 'Queued prompts' }).locator('.composer-queued-text');
  /** Whether nothing lies over its middle, and nothing cuts it off. */
  const isInSight = (one: Locator): Promise<boolean> =>
    one.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

  /** Starts a session by the dialog; resolves in its view. */
  const begin = async (page: Page, prompt: string): Promise<string> => {
    await page.getByRole('button', { name: 'New session' }).click();
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await dialog.getByLabel('Directory').fill(work);
    await dialog.getByLabel('Prompt').fill(prompt);
    await dialog.getByRole('button', { name: 'Start session' }).click();
    await page.waitForURL(/\/sessions\//u);
    return idOf(page);
  };

  const say = async (page: Page, name: string, words: string): Promise<void> => {
    await box(page, name).fill(words);
    await page.keyboard.press('Enter');
  };

  test('[PAGE-412] a session begins in a directory, and a directory that is not there is said at its field', async () => {
    const page = await web.open('/sessions', { expected: [/^4\d\d:/u] });
    await settled(page);
    // The keys are there once the page knows who is in.
    await page.getByRole('button', { name: 'New session' }).first().waitFor();
    const dialog = page.getByRole('dialog', { name: 'New session' });
    // Pressed again if there was too long a pause between the two.
    await expect
      .poll(
        async () => {
          await page.keyboard.press('g');
          await page.keyboard.press('n');
          return dialog.isVisible();
        },
        { interval: 2000 },
      )
      .toBe(true);
    await dialog.getByLabel('Directory').fill(notThere);
    await dialog.getByLabel('Prompt').fill('text');
    await dialog.getByLabel('Prompt').press('Control+Enter');
    await dialog.getByRole('alert').getByText(`there is no directory "${notThere}"`).waitFor();
    await expect.poll(() => dialog.getByLabel('Directory').getAttribute('aria-invalid')).toBe('true');
    expect(await web.axe(page)).toEqual([]);
    await dialog.getByLabel('Directory').fill(work);
    await dialog.getByLabel('Prompt').press('Control+Enter');
    await page.waitForURL(/\/sessions\/.+/u);
    await page.getByText('Done').first().waitFor();
    await box(page, 'Prompt').waitFor();
    await page.context().close();
  });

  test('[PAGE-400] [PAGE-402] [PAGE-403] prompts are queued, changed and taken back, the turn is stopped, the run ended: both browsers see it', async () => {
    const page = await web.open('/');
    await settled(page);
    const id = await begin(page, 'hang');
    const other = await web.open(`/sessions/${id}`);
    for (const one of [page, other]) await one.getByRole('button', { name: 'Stop', exact: true }).waitFor();

    for (const words of ['text one', 'text two', 'text three']) await say(page, 'Queue the next prompt', words);
    for (const one of [page, other]) await expect.poll(() => queue(one).allTextContents()).toEqual(['text one', 'text two', 'text three']);
    expect(await web.axe(page)).toEqual([]);

    await other.getByRole('button', { name: 'Take this prompt back' }).nth(1).click();
    for (const one of [page, other]) await expect.poll(() => queue(one).allTextContents()).toEqual(['text one', 'text three']);
    await page.getByRole('button', { name: 'Edit this prompt' }).first().click();
    await box(page, 'Edit queued prompt').fill('text uno');
    await page.getByRole('button', { name: 'Save' }).click();
    for (const one of [page, other]) await expect.poll(() => queue(one).allTextContents()).toEqual(['text uno', 'text three']);

    await other.getByRole('button', { name: 'Stop', exact: true }).click();
    for (const one of [page, other]) {
      await one.getByText('text three').first().waitFor();
      await one.getByRole('list', { name: 'Queued prompts' }).waitFor({ state: 'detached' });
      await one.getByText('waiting for you').first().waitFor();
    }
    await expect
      .poll(async () => (await web.ask('runs')).items.find(({ session_id: one }) => one === id))
      .toMatchObject({ state: 'idle', queued: [], counts: { turns: 3 } });

    await page.getByRole('button', { name: 'End', exact: true }).click();
    for (const one of [page, other]) await box(one, 'Continue this session').waitFor();
    await say(other, 'Continue this session', 'text again');
    for (const one of [page, other]) await box(one, 'Prompt').waitFor();
    const states = async () => (await web.ask('runs')).items.filter(({ session_id: one }) => one === id).map(({ state }) => state);
    await expect.poll(states).toEqual(['idle', 'ended']);
    await page.context().close();
    await other.context().close();
  });

  test('[PAGE-401] [PAGE-404] what is written survives a reload, and what was not heard is put back', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    await begin(page, 'hang');
    await say(page, 'Queue the next prompt', 'text later');
    await expect.poll(() => queue(page).allTextContents()).toEqual(['text later']);
    await box(page, 'Queue the next prompt').fill('half a thought');
    await page.reload();
    await expect.poll(() => box(page, 'Queue the next prompt').inputValue()).toBe('half a thought');
    await page.getByRole('button', { name: 'End now…' }).click();
    await page.getByRole('button', { name: 'End now', exact: true }).click();
    await page.getByText('1 queued prompt wasn’t delivered.').waitFor();
    await page.getByRole('button', { name: 'Put it back' }).click();
    await expect.poll(() => box(page, 'Continue this session').inputValue()).toBe('half a thought\n\ntext later');
    await page.context().close();
  });

  test('[PAGE-416] [PAGE-417] [PAGE-641] a slash offers what Claude takes here; a reference says what it is and brings its words', async () => {
    await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: 'Why is the pool empty?' });
    const page = await web.open('/sessions');
    await settled(page);
    await begin(page, 'text');
    await page.getByText('waiting for you').first().waitFor();
    const prompt = box(page, 'Prompt');
    await prompt.fill('/co');
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['/compact', '/context']);
    await expect.poll(() => isInSight(page.getByRole('option').first())).toBe(true);
    expect(await web.axe(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: '/context', selected: true }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => prompt.inputValue()).toBe('/context ');
    await prompt.fill('text SB-1');
    await page.getByRole('list', { name: 'References in this prompt' }).getByText('Why is the pool empty?').waitFor();
    expect(await web.axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add its words' }).click();
    await expect.poll(() => prompt.inputValue()).toBe('text SB-1\n\nSB-1:\n> Why is the pool empty?\n');
    await prompt.fill('');
    // PAGE-641: on a phone as well.
    await page.setViewportSize({ width: 360, height: 780 });
    await prompt.pressSequentially('text sb-');
    const offered = page.getByRole('listbox', { name: 'References' }).getByRole('option', { name: /^SB-1\s*Why is the pool empty\?$/u });
    await expect.poll(() => isInSight(offered)).toBe(true);
    expect(await web.axe(page)).toEqual([]);
    await offered.click();
    await expect.poll(() => prompt.inputValue()).toBe('text SB-1 ');
    await page.setViewportSize({ width: 1280, height: 900 });
    await prompt.fill('');
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await box(page, 'Continue this session').waitFor();
    await page.context().close();
  });

  test('[PAGE-424] a prompt that is heard while it is changed leaves the change beside the box', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    await begin(page, 'hang');
    await say(page, 'Queue the next prompt', 'text later');
    await page.getByRole('button', { name: 'Edit this prompt' }).click();
    await box(page, 'Edit queued prompt').fill('text sooner');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Your change to a queued prompt wasn’t saved').waitFor();
    await page.getByText('waiting for you').first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Put it in the box' }).click();
    await page.getByText('Your change to a queued prompt wasn’t saved').waitFor({ state: 'detached' });
    await expect.poll(() => box(page, 'Prompt').inputValue()).toBe('text sooner');
    expect(await web.axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await box(page, 'Continue this session').waitFor();
    await page.context().close();
  });

  test('[PAGE-410] [PAGE-411] [PAGE-415] never asking is confirmed each time, and marks the session until it ends', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    await page.getByRole('button', { name: 'New session' }).click();
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await dialog.getByLabel('Directory').fill(work);
    await dialog.getByLabel('Prompt').fill('text tool:@go');
    await dialog.getByLabel('Permissions').selectOption('bypassPermissions');
    await expect.poll(() => dialog.getByRole('button', { name: 'Start session' }).isDisabled()).toBe(true);
    expect(await web.axe(page)).toEqual([]);
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Start session' }).click();
    await page.waitForURL(/\/sessions\/.+/u);
    const id = idOf(page);
    await page.getByText('never asks').first().waitFor();
    const list = await web.open('/sessions');
    await list.locator(`a[href="/sessions/${id}"]`).getByText('never asks').waitFor();
    const runs = await web.open('/runs');
    await runs.getByText('never asks').waitFor();
    expect(await web.axe(runs)).toEqual([]);
    writeFileSync(join(work, 'go'), '');
    await page.getByText('waiting for you').first().waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await box(page, 'Continue this session').waitFor();
    await list.getByText('never asks').waitFor({ state: 'detached' });
    for (const one of [page, list, runs]) await one.context().close();
  });

  test('[PAGE-422] a request is changed, denied with words, or denied so that the turn stops; the other browser sees it answered', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    const id = await begin(page, 'text ask:0 ask:0 ask:0 text');
    const other = await web.open(`/sessions/${id}`);
    const run = async () => (await web.ask('runs')).items.find(({ session_id: one }) => one === id);
    const card = (one: Page, request: string): Locator => one.locator(`article[data-request="${request}"]`);
    const asked = async (before: string): Promise<string> => {
      await expect.poll(async () => (await run())?.pending[0]?.request_id ?? before).not.toBe(before);
      const request = (await run())?.pending[0]?.request_id ?? '';
      for (const one of [page, other]) {
        await card(one, request).waitFor();
        await card(one, before).waitFor({ state: 'detached' });
      }
      return request;
    };
    const first = await asked('');
    await card(page, first).getByRole('button', { name: 'Allow with changes…' }).click();
    await box(page, 'Tool input').fill('{"file_path": "/elsewhere"}');
    expect(await web.axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Allow with changes', exact: true }).click();
    const second = await asked(first);
    await card(other, second).getByRole('button', { name: 'More', exact: true }).click();
    await other.getByRole('menuitem', { name: 'Deny with a message…' }).click();
    await box(other, 'What should Claude do instead?').fill('Use the other file.');
    await other.getByRole('button', { name: 'Deny', exact: true }).click();
    const third = await asked(second);
    await card(page, third).getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Deny and stop the turn' }).click();
    for (const one of [page, other]) await one.getByText('waiting for you').first().waitFor();
    const told = async () =>
      (await web.ask('log', { limit: 500 })).items.filter(({ type, session_id: one }) => type === 'permission.answered' && one === id);
    await expect.poll(async () => (await told()).length).toBe(3);
    await web.ask('end_run', { id: (await run())?.run_id });
    await page.context().close();
    await other.context().close();
  });

  test('[PAGE-312] of two who answer the same request at once, one is heard; both see what was answered', async () => {
    // The server refuses the second answer, if it gets there at all.
    const page = await web.open('/sessions', { expected: [/^409:/u] });
    await settled(page);
    const id = await begin(page, 'text ask:0 text');
    const other = await web.open(`/sessions/${id}`, { expected: [/^409:/u] });
    const card = (one: Page): Locator => one.getByRole('article', { name: /^Permission to use / });
    for (const one of [page, other]) await card(one).waitFor();
    // Whoever is second may find the button gone, which is no wait for another one.
    const buttons = await Promise.all([
      card(page).getByRole('button', { name: 'Allow', exact: true }).elementHandle(),
      card(other).getByRole('button', { name: 'Deny', exact: true }).elementHandle(),
    ]);
    await Promise.all(buttons.map((button) => button?.evaluate((element) => (element as HTMLElement).click()))); // found by their role
    for (const one of [page, other]) await one.getByText('waiting for you').first().waitFor();
    const told = async () =>
      (await web.ask('log', { limit: 500 })).items.filter(({ type, session_id: one }) => type === 'permission.answered' && one === id);
    await expect.poll(async () => (await told()).length).toBe(1);
    const { decision } = (await web.ask('permissions')).items.find(({ session_id: one }) => one === id) ?? {};
    const words = decision === 'allow' ? /: allowed by operator/u : /: denied by operator/u;
    for (const one of [page, other]) {
      await one.locator('.permission-answered').filter({ hasText: words }).waitFor();
      await card(one).waitFor({ state: 'detached' });
    }
    expect(await web.axe(other)).toEqual([]);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await box(page, 'Continue this session').waitFor();
    await page.context().close();
    await other.context().close();
  });

  test('[PAGE-420] a message is forked from, and both sessions lead to each other', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    const id = await begin(page, 'text');
    await page.getByText('waiting for you').first().waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await box(page, 'Continue this session').waitFor();
    const reply = page.getByRole('article').filter({ hasText: 'Done' }).last();
    await reply.hover();
    await reply.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Fork session from here…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fork session' });
    await dialog.getByLabel('Prompt').fill('text elsewhere');
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    const copy = idOf(page);
    await expect
      .poll(async () => (await web.ask('runs')).items.find(({ session_id: one }) => one === copy))
      .toMatchObject({ forked_from: { session_id: id } });
    await page.goto(new URL(`/sessions/${id}`, web.url).href);
    await page.getByRole('link', { name: 'text elsewhere' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(copy));
    await page.context().close();
  });

  test('[PAGE-414] a session is there before anything is said in it, and becomes a conversation', async () => {
    const { session_id: id } = await web.ask('start_run', { cwd: work });
    const page = await web.open(`/sessions/${id}`, { expected: [/^404:/u] });
    await page.getByText('No messages yet').waitFor();
    expect(await web.axe(page)).toEqual([]);
    await say(page, 'Prompt', 'text');
    await page.getByRole('feed').getByText('Done').waitFor();
    await page.getByText('waiting for you').first().waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await box(page, 'Continue this session').waitFor();
    await page.context().close();
  });

  test('[PAGE-406] whoever only reads sees who has a session, and is offered nothing that acts', async () => {
    const page = await web.open('/sessions');
    await settled(page);
    const id = await begin(page, 'hang');
    const reader = await web.open(`/sessions/${id}`, { token: false });
    await reader.getByRole('region', { name: 'Who has this session' }).waitFor();
    expect(await reader.getByRole('button', { name: /^(?:Stop|End|Send|Queue|New session)/u }).count()).toBe(0);
    expect(await reader.getByRole('textbox').count()).toBe(0);
    await reader.goto(new URL('/runs', web.url).href);
    await reader.getByRole('list', { name: 'Runs' }).waitFor();
    expect(await reader.getByRole('button', { name: /^(?:Stop|End|New session)/u }).count()).toBe(0);
    await page.getByRole('button', { name: 'End now…' }).click();
    await page.getByRole('button', { name: 'End now', exact: true }).click();
    await box(page, 'Continue this session').waitFor();
    await page.context().close();
    await reader.context().close();
  });
});
