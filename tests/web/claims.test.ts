import { createServer, type AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { serveWeb, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('claims in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let [ada, ben] = ['', ''];
  const listener = createServer();

  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '', roots: [] });
    ada = (await web.ask('agent_register', { ['agent_id']: 'ada' })).token;
    ben = (await web.ask('agent_register', { ['agent_id']: 'ben' })).token;
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()));
  });
  afterAll(async () => {
    listener.close();
    await web.close();
  });

  const named = (refs: readonly string[], type: string): string => refs.find((ref) => ref.startsWith(type)) ?? '';
  const look = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['YARNBOARD_LOOK'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const expectClean = async (page: Page): Promise<void> => expect(await web.axe(page)).toEqual([]);

  test('[PAGE-362] [PAGE-470] checks are off until you switch them on; then marks appear as they are made, a dispute is shown and settled in place', async () => {
    const { port } = listener.address() as AddressInfo; // it listens on a port
    const parent = named(
      (await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: 'Why are logins slow?', participants: ['ada', 'ben'] })).refs,
      'SB-',
    );
    const say = async (content: string): Promise<string> =>
      named((await web.ask('chat_message', { ['sidebar_id']: parent, content }, ada)).refs, 'EXCH-');
    const [open, closed, guess] = [await say(`Port ${port} is open.`), await say('Port 11 is open.'), await say('I think the issue is in Redis.')];

    const settings = await web.open('/settings');
    const main = settings.getByRole('switch', { name: 'Check claims automatically' });
    await expect.poll(() => main.getAttribute('aria-checked')).toBe('false');
    await main.click();
    // Each switch sends what the page knows: the next one waits for the answer to this one.
    await expect.poll(() => main.getAttribute('aria-checked')).toBe('true');
    await settings.getByRole('switch', { name: 'Current state' }).click();
    await expect.poll(() => settings.getByRole('switch', { name: 'Current state' }).getAttribute('aria-checked')).toBe('true');
    await look(settings, 'checks-on');
    await settings.close();

    const child = named(
      (await web.ask('sidebar_child_spawn', { ['parent_sidebar_id']: parent, ['sub_task_description']: 'Look closer', participants: ['ada', 'ben'] }))
        .refs,
      'SB-',
    );
    const page = await web.open(`/sidebars/${child}`);
    await page.getByLabel(`${open}: confirmed`).waitFor();
    await page.getByLabel(`${closed}: contradicted`).waitFor();
    await page.getByLabel(`${guess}: unverified`).waitFor();
    await look(page, 'marks');
    await expectClean(page);

    await web.ask('claim_verify', { ['sidebar_id']: child, ['claim_id']: closed, words: 'Port 11 is open.', verification: 'confirmed' }, ben);
    await page.getByLabel(`${closed}: disputed`).click();
    await look(page, 'dispute');
    await page.getByLabel('Why (needed)').fill('Nothing listens there');
    await page.getByRole('button', { name: 'Settle as contradicted' }).click();
    await page.getByLabel(`${closed}: contradicted`).waitFor();
    await look(page, 'settled');
    await expectClean(page);

    // PAGE-470: the same in the tab, where a claim that nobody can check waits for somebody's judgement.
    await page.getByRole('tab', { name: 'Claims' }).click();
    await page.getByRole('article').filter({ hasText: 'Port 11 is open.' }).getByText('Checked').click();
    await expectClean(page);
    await look(page, 'claims-tab');
    await web.ask('claim_verify', { ['sidebar_id']: child, ['claim_id']: guess, verification: 'confirmed' }, ben);
    const card = page.getByRole('article').filter({ hasText: 'I think the issue is in Redis.' });
    await card.getByRole('button', { name: 'Judge' }).click();
    await card.getByRole('radio', { name: 'Contradict' }).click();
    await card.getByLabel('Why (optional)').fill('Logins don’t use Redis');
    await look(page, 'claims-tab-judge');
    await expectClean(page);
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('contradicted', { exact: true }).waitFor();
    await page.setViewportSize({ width: 360, height: 780 });
    await look(page, 'claims-tab-360');
    await expectClean(page);
    await page.close();
  });

  test('[PAGE-363] a type earns its merges, one merges by itself, a problem is reported, and the type is suspended', async () => {
    const parent = named(
      (await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: 'Keep the shop running', participants: ['ada', 'ben'] })).refs,
      'SB-',
    );
    const message = named((await web.ask('chat_message', { ['sidebar_id']: parent, content: 'Have a look at the queue' })).refs, 'MSG-');
    const prepare = async (): Promise<string> => {
      const spawned = await web.ask('sidebar_child_spawn', {
        ['parent_sidebar_id']: parent,
        ['sub_task_description']: 'Is the queue empty?',
        ['task_type']: 'status_check',
        participants: ['ada', 'ben'],
        ['curator_agent']: 'ben',
      });
      const sidebar = named(spawned.refs, 'SB-');
      await web.ask('scratchpad_entry_submitted', { ['sidebar_id']: sidebar, content: 'The queue is empty.', ['source_refs']: [message] }, ada);
      await web.ask('scratchpad_entry_validated', { ['sidebar_id']: sidebar, ['entry_id']: 'FINDING-1', status: 'confirmed' }, ben);
      await web.ask('sidebar_consolidate', { ['sidebar_id']: sidebar }, ada);
      return sidebar;
    };
    const first = await prepare();
    await web.ask('sidebar_check_merge', { ['sidebar_id']: first }, ben);
    await web.ask('sidebar_merge', { ['sidebar_id']: first });
    await web.ask('auto_merge_config', { ['required_approvals']: 1 });
    const page = await web.open('/settings');
    await page.getByRole('switch', { name: 'Merge routine results automatically' }).click();
    await expect.poll(() => page.getByRole('switch', { name: 'Merge routine results automatically' }).getAttribute('aria-checked')).toBe('true');
    await page.getByRole('switch', { name: 'Status check' }).click();
    await expect.poll(() => page.getByRole('switch', { name: 'Status check' }).getAttribute('aria-checked')).toBe('true');

    const second = await prepare();
    await web.ask('sidebar_check_merge', { ['sidebar_id']: second }, ben);
    await expect.poll(async () => (await web.ask('sidebar', { ['sidebar_id']: second })).status).toBe('MERGED');
    await page.reload();
    const merges = page.getByRole('list', { name: 'Automatic merges' });
    await merges.getByText('Worth a look').waitFor();
    await merges.getByText('Report a problem').click();
    await look(page, 'problem');
    await expectClean(page);
    await page.getByLabel('What went wrong?').fill('It was full');
    await page.getByRole('button', { name: 'Report problem' }).click();
    await page.getByText('Suspended').waitFor();
    await merges.getByText('It was full').waitFor();
    await look(page, 'suspended');
    await expectClean(page);
    await page.close();
  });
});
