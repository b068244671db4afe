import type { Locator, Page } from 'playwright-core';
import { startServer, type RunningServer } from '@yarnboard/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { builtPage } from './built-page.ts';
import { DEMO, serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('sidebars in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let mia = '';

  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '', roots: [DEMO] });
    mia = (await web.ask('agent_register', { ['agent_id']: 'mia', kind: 'human' })).token;
  });
  afterAll(() => web.close());

  const spawn = async (task: string, given: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { refs } = await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: task, ...given });
    return refs.find((ref) => ref.startsWith('SB-')) ?? '';
  };

  const say = async (page: Page, words: string): Promise<void> => {
    await page.getByRole('textbox', { name: /^Message SB-/u }).fill(words);
    await page.keyboard.press('Enter');
  };

  const said = (page: Page): Locator => page.getByRole('list', { name: 'Messages in this sidebar' }).locator('.talk-message-text');

  const press = async (page: Page, name: string): Promise<void> => {
    const moves = page.getByRole('group', { name: /^Actions for/u });
    const button = moves.getByRole('button', { name, exact: true });
    const item = page.getByRole('menuitem', { name, exact: true });
    await settled(page);
    await moves.waitFor();
    if ((await button.count()) === 0) await moves.getByRole('button', { name: 'More' }).click();
    // A move becomes a button of its own when the sidebar's state changes.
    await button.or(item).first().click();
  };

  test('[PAGE-93] [PAGE-90] [PAGE-94] [PAGE-166] [PAGE-168] from a message: branched off, talked over, found, validated, merged, archived, forked', async () => {
    const { items } = await web.ask('sessions', { limit: 50 });
    const session = items.toSorted((a, b) => b.messages - a.messages)[0]?.session_id ?? '';
    const page = await web.open(`/sessions/${session}`);
    // What can be done with a message is beside the one that is pointed at.
    const step = page
      .locator('[id^="message-"]')
      .filter({ hasText: /MSG-\d+/u })
      .last();
    await step.waitFor();
    await settled(page);
    await step.hover();
    await step.getByRole('button', { name: 'New sidebar from here' }).click();
    await page.getByRole('dialog').getByLabel('Task', { exact: true }).fill('Why was it compacted?');
    await page.getByRole('button', { name: 'Create sidebar' }).click();
    // It opens beside the session; from here on it is read as a page.
    const panel = page.getByRole('region', { name: /^Sidebar SB-\d+$/u });
    await panel.getByRole('separator', { name: /^SB-\d+ starts here$/u }).waitFor();
    await panel.getByRole('link', { name: 'Open as a page' }).click();
    await page.waitForURL(/\/sidebars\/SB-\d+$/u);
    const ref = page.url().split('/').at(-1) ?? '';
    await page.getByRole('separator', { name: `${ref} starts here` }).waitFor();
    await page.getByRole('list', { name: 'Inherited messages' }).getByRole('article').first().waitFor();

    await say(page, 'Because it was long, I believe.');
    await page
      .getByRole('button', { name: /^Reply to MSG-/u })
      .last()
      .waitFor();

    await page.getByRole('tab', { name: /^Scratchpad/u }).click();
    await page.getByRole('button', { name: 'Submit finding' }).click();
    await page.getByLabel('Finding', { exact: true }).fill('It had more than 150,000 tokens.');
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.getByRole('button', { name: 'Review finding 1' }).click();
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Confirmed by').waitFor();

    await press(page, 'Prepare merge');
    await page.getByLabel('Summary').fill('It was too long.');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Sidebar ${ref} completed: It was too long.`).waitFor();
    await dialog.getByRole('button', { name: 'Prepare merge' }).click();
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await dialog.getByText('as curator: approved').waitFor();
    await dialog.getByRole('button', { name: 'Approve and merge' }).click();
    await page.locator('.sidebar-notices').getByText('Merged').waitFor();

    // Where it was merged into, what it left there is seen.
    const left = page.locator('.sidebar-notices').getByRole('link', { name: /^MSG-\d+$/u });
    const merged = (await left.textContent()) ?? '';
    await left.click();
    await page.waitForURL(new RegExp(`/sessions/${session}\\?at=${merged}$`, 'u'));
    const card = page.getByRole('region', { name: `Merged from ${ref}, ${merged}` });
    await card.getByText(`Sidebar ${ref} completed: It was too long.`).waitFor();
    await card.getByText('It had more than 150,000 tokens.').waitFor();
    await expect
      .poll(() =>
        card.evaluate((element) => element.getBoundingClientRect().bottom <= (element.closest('.flow-scroll')?.getBoundingClientRect().bottom ?? 0)),
      )
      .toBe(true);
    await expect.poll(() => page.locator('.flow-step-current').getByRole('region').count()).toBe(1);
    await card.getByRole('link', { name: 'Finding 1' }).click();
    await page.waitForURL(/\/sidebars\/SB-\d+\?tab=scratchpad&finding=/u);
    await page.goBack();
    await page.getByRole('button', { name: '1 sidebar' }).click();
    await dialog.getByRole('link', { name: `${ref} Why was it compacted?` }).click();
    await panel.getByRole('link', { name: 'Open as a page' }).click();
    await page.waitForURL(new RegExp(`/sidebars/${ref}$`, 'u'));

    await press(page, 'Archive');
    await dialog.getByLabel('Note').fill('settled');
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.locator('.sidebar-notices').getByText('Archived').waitFor();
    await press(page, 'Fork');
    await dialog.getByLabel('Why fork it?').fill('It happened again.');
    await dialog.getByRole('button', { name: 'Fork' }).click();
    await page.waitForURL(new RegExp(`/sidebars/(?!${ref}$)SB-\\d+$`, 'u'));
    const fork = page.url().split('/').at(-1) ?? '';
    await page.getByRole('separator', { name: `${fork} forked here` }).waitFor();
    await page.getByRole('list', { name: 'Inherited messages' }).getByText('Because it was long, I believe.').waitFor();
    expect(await web.ask('sidebar', { ['sidebar_id']: fork })).toMatchObject({
      status: 'ACTIVE',
      forked_from: ref,
      fork_reason: 'It happened again.',
    });
    expect(await web.ask('sidebar_archived', { ['sidebar_id']: ref })).toMatchObject({ final_status: 'MERGED', parent_context_id: session });
    await page.context().close();
  });

  test('[PAGE-86] [PAGE-80] two people see what the other does, as it happens', async () => {
    const ref = await spawn('Two of us', { participants: ['mia'] });
    const [one, two] = [await web.open(`/sidebars/${ref}`), await web.open(`/sidebars/${ref}`, { token: mia })];
    await say(one, 'Do you see this?');
    await expect.poll(() => said(two).allTextContents()).toEqual(['Do you see this?']);
    await say(two, 'I do.');
    await expect.poll(() => said(one).allTextContents()).toEqual(['Do you see this?', 'I do.']);
    await expect.poll(() => said(two).allTextContents()).toEqual(['Do you see this?', 'I do.']);
    await two.goto(`${web.url}/sidebars`);
    const paused = two.getByRole('region', { name: /^Paused/u });
    await two.getByRole('link', { name: `${ref}: Two of us` }).waitFor();
    await press(one, 'Pause');
    await one.getByLabel('Why?').fill('lunch');
    await one.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await paused.getByRole('link', { name: `${ref}: Two of us` }).waitFor();
    await paused.getByRole('link', { name: `${ref}: Two of us` }).click();
    await press(two, 'Resume');
    await one
      .getByRole('group', { name: `Actions for ${ref}` })
      .getByRole('button', { name: 'Finish' })
      .waitFor();
    await Promise.all([one.context().close(), two.context().close()]);
  });

  test('[PAGE-84] a move that is refused says why, where it was tried', async () => {
    const ref = await spawn('With a child');
    await web.ask('sidebar_child_spawn', { ['parent_sidebar_id']: ref, ['sub_task_description']: 'a part' });
    const page = await web.open(`/sidebars/${ref}`);
    await press(page, 'Archive');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await dialog.getByRole('alert').getByText('merge, archive or fail them first').waitFor();
    expect(await web.ask('sidebar', { ['sidebar_id']: ref })).toMatchObject({ status: 'ACTIVE' });
    await page.context().close();
  });

  test('[PAGE-87] whoever reads the end stays there; whoever reads elsewhere is told that there is more', async () => {
    const ref = await spawn('A long talk');
    for (let n = 1; n <= 60; n += 1) await web.ask('chat_message', { ['sidebar_id']: ref, content: `message ${n}\n\nand a second line` });
    const page = await web.open(`/sidebars/${ref}`);
    const scroll = page.getByRole('region', { name: `Conversation of ${ref}` });
    const distance = (): Promise<number> => scroll.evaluate((element) => Math.round(element.scrollHeight - element.scrollTop - element.clientHeight));
    await said(page).last().getByText('message 60').waitFor();
    await expect.poll(distance).toBeLessThan(2);
    await web.ask('chat_message', { ['sidebar_id']: ref, content: 'one more' });
    await said(page).last().getByText('one more').waitFor();
    await expect.poll(distance).toBeLessThan(2);
    // Up until what came before is loaded, and what is read keeps its place.
    await scroll.evaluate((element) => element.scrollTo({ top: 0 }));
    await said(page).first().getByText('message 1', { exact: true }).waitFor();
    await expect.poll(() => scroll.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
    await web.ask('chat_message', { ['sidebar_id']: ref, content: 'while you read' });
    await page.getByRole('button', { name: 'New messages' }).click();
    await expect.poll(distance).toBeLessThan(2);
    await said(page).last().getByText('while you read').waitFor();
    await page.context().close();
  });

  test('[PAGE-82] a board of many sidebars is scrolled by mouse and keys, and only what is in sight is drawn', async () => {
    for (let n = 1; n <= 160; n += 1) await spawn(`Question ${n}`, { tags: ['many'] });
    const page = await web.open('/sidebars?q=many');
    const active = page.getByRole('region', { name: /^Active/u });
    await active.getByRole('link', { name: /: Question 160$/u }).waitFor();
    const drawn = (): Promise<number> => active.getByRole('article').count();
    await expect.poll(drawn).toBeLessThan(40);
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await active.getByRole('link', { name: /: Question 160$/u }).focus();
    for (let n = 159; n > 130; n -= 1) {
      await page.keyboard.press('Tab');
      await expect.poll(focused).toMatch(/^Open SB-\d+ beside this$/u);
      await page.keyboard.press('Tab');
      await expect.poll(focused).toMatch(new RegExp(`: Question ${n}$`, 'u'));
    }
    await page.keyboard.press('End');
    await expect.poll(focused).toMatch(/: Question 1$/u);
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toMatch(/: Question 2$/u);
    await page.keyboard.press('Home');
    await expect.poll(focused).toMatch(/: Question 160$/u);
    await active.getByRole('group').evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await active.getByRole('link', { name: /: Question 1$/u }).waitFor();
    await expect.poll(drawn).toBeLessThan(40);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)('[PAGE-98] nothing is found by a check of accessibility, %s, narrow and wide', async (colorScheme) => {
    const ref = await spawn('How long can a line be?', { participants: ['mia'], priority: 'high', ['task_type']: 'research', tags: ['lines'] });
    await web.ask('chat_message', {
      ['sidebar_id']: ref,
      content: 'See `reader.ts`:\n\n```ts\nconst limit = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    });
    await web.ask('scratchpad_entry_submitted', { ['sidebar_id']: ref, content: 'A line has any length.' });
    await web.ask('scratchpad_entry_validated', { ['sidebar_id']: ref, ['entry_id']: 'FINDING-1', status: 'confirmed' });
    for (const width of [360, 1280]) {
      const page = await web.open('/sidebars', { colorScheme, width, height: width === 360 ? 740 : 1000 });
      const check = async (what: string): Promise<void> => {
        await settled(page);
        expect({ what, width, found: await web.axe(page) }).toEqual({ what, width, found: [] });
        const overflow = (): Promise<number> => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
        await expect.poll(async () => ({ what, width, overflow: await overflow() })).toEqual({ what, width, overflow: 0 });
      };
      await page.getByRole('article').first().waitFor();
      await check('board');
      await page.getByRole('button', { name: 'New sidebar' }).click();
      await page.getByText('Coordinator, curator, access, tags, test').click();
      await check('spawn');
      await page.keyboard.press('Escape');
      await page.goto(`${web.url}/sidebars/${ref}`);
      await page.getByRole('separator').waitFor();
      await check('sidebar');
      await page.getByRole('textbox', { name: /^Message SB-/u }).fill('@');
      await page.getByRole('listbox').waitFor();
      await check('mention');
      for (const move of ['Prepare merge', 'Pause', 'Wait', 'Review', 'Mark as failed', 'Archive']) {
        await press(page, move);
        await page.getByRole('dialog').waitFor();
        await check(move);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.context().close();
    }
  });

  test.each([360, 3840])('[PAGE-98] at %i pixels nothing is wider than the window', async (width) => {
    const ref = await spawn(`A task with averylongwordthatnobodywouldeverwriteunlessitwasapath/${'deep/'.repeat(60)}`, { tags: ['x'.repeat(120)] });
    await web.ask('chat_message', { ['sidebar_id']: ref, content: `${'w'.repeat(400)} \`${'c'.repeat(400)}\`` });
    const page = await web.open('/sidebars', { width, height: 900 });
    const overflow = async (): Promise<number> => {
      await settled(page);
      return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
    };
    await page.getByRole('article').first().waitFor();
    await expect.poll(overflow).toBe(0);
    await page.goto(`${web.url}/sidebars/${ref}`);
    const message = said(page).first();
    await message.waitFor();
    await expect.poll(overflow).toBe(0);
    await expect.poll(() => message.evaluate((element) => Math.max(0, element.scrollWidth - element.clientWidth))).toBe(0);
    await page.context().close();
  });

  test('[PAGE-81] older sidebars are loaded when they are asked for', async () => {
    // As much as one answer holds, and more.
    for (let n = 1; n <= 14; n += 1) {
      const ref = await spawn(`Riddle ${n} ${'why '.repeat(45_000)}`);
      await web.ask('sidebar_archive', { ['sidebar_id']: ref });
    }
    const page = await web.open('/sidebars?q=riddle');
    const archived = page.getByRole('region', { name: /^Archived/u });
    const count = async (): Promise<number> => Number(await archived.locator('.board-column-count').textContent());
    await archived.getByRole('link', { name: /: Riddle 14 why/u }).waitFor();
    expect(await count()).toBeLessThan(14);
    await archived.getByRole('button', { name: 'Load older sidebars' }).click();
    await expect.poll(count).toBe(14);
    await page.context().close();
  });

  test('[PAGE-217] inherited exchanges carry their mark: judged in place, disputed live, settled', async () => {
    const { items } = await web.ask('sessions', { limit: 50 });
    const session = items.toSorted((a, b) => b.messages - a.messages)[0]?.session_id ?? '';
    const ada = (await web.ask('agent_register', { ['agent_id']: 'ada' })).token;
    const ref = await spawn('What holds of this?', { ['parent_id']: session, participants: ['mia', 'ada'] });
    const memory = await web.ask('sidebar_memory', { ['sidebar_id']: ref, part: 'inherited', order: 'newest', limit: 1 });
    const exchange = memory.items[0]?.exchange_id ?? '';
    const page = await web.open(`/sidebars/${ref}`);
    const mark = (word: string): Locator => page.getByLabel(`${exchange}: ${word}`);
    await mark('unverified').click();
    const judge = { ['sidebar_id']: ref, ['claim_id']: exchange };
    await web.ask('claim_verify', { ...judge, verification: 'confirmed', confidence: 0.7 }, mia);
    await mark('confirmed').waitFor();
    await web.ask('claim_verify', { ...judge, verification: 'contradicted', notes: 'It moved.' }, ada);
    await mark('disputed').waitFor();
    const card = page.getByRole('group', { name: `Settle ${exchange}` });
    await card.getByRole('textbox').fill('I looked.');
    await card.getByRole('button', { name: 'Settle as contradicted' }).click();
    await mark('contradicted').waitFor();
    await page.getByText('settled it: contradicted').waitFor();
    const inherited = { ['sidebar_id']: ref, part: 'inherited', order: 'newest', limit: 1 };
    await expect
      .poll(async () => (await web.ask('sidebar_memory', inherited)).items[0])
      .toMatchObject({ local_verification: 'contradicted', effective_confidence: 0 });
    await page.context().close();
  });

  test('[PAGE-86] a server that goes away and comes back loses nothing that was said', async () => {
    const ref = await spawn('Through a restart', { participants: ['mia'] });
    const page = await web.open(`/sidebars/${ref}`, { expected: [/WebSocket|ERR_CONNECTION|net::/u] });
    await say(page, 'before');
    await expect.poll(() => said(page).allTextContents()).toEqual(['before']);
    await page
      .getByRole('button', { name: /^Reply to/u })
      .first()
      .waitFor();
    await web.server.close();
    await page.getByRole('status').getByText('Connecting…').waitFor();
    await say(page, 'while it was away');
    await expect.poll(() => said(page).allTextContents()).toEqual(['before', 'while it was away']);
    await page.getByText('sending').waitFor();
    const again: RunningServer = await startServer({
      home: web.home,
      settings: { excludedProjects: [], roots: [] },
      roots: [DEMO],
      version: '0',
      programs: null,
      port: Number(new URL(web.url).port),
      pageFolder: builtPage(),
      onFault: (cause) => expect.unreachable(String(cause)),
    });
    await web.ask('chat_message', { ['sidebar_id']: ref, content: 'after' }, mia);
    await expect.poll(async () => (await said(page).allTextContents()).toSorted()).toEqual(['after', 'before', 'while it was away']);
    await page.getByText('sending').waitFor({ state: 'detached' });
    const { items } = await web.ask('sidebar_memory', { ['sidebar_id']: ref });
    await expect.poll(() => said(page).allTextContents()).toEqual(items.map(({ content }) => content));
    await page.context().close();
    await again.close();
  });
});
