import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { standInSdk } from '../live-sdk.ts';
import { serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('one story in a browser, from a prompt to a merge (no Chromium found: set CHROMIUM to its path)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-one-story-'));
  const config = join(folder, 'claude');
  const work = join(folder, 'work');
  let web: Web;
  let [ada, ben] = ['', ''];

  beforeAll(async () => {
    mkdirSync(join(config, 'projects'), { recursive: true });
    mkdirSync(work);
    web = await serveWeb({ executable: executable ?? '', roots: [join(config, 'projects')], claude: { sdk: standInSdk(folder), config } });
    ada = (await web.ask('agent_register', { ['agent_id']: 'ada' })).token;
    ben = (await web.ask('agent_register', { ['agent_id']: 'ben' })).token;
  });
  afterAll(async () => {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const panelOf = (page: Page, ref: string): Locator => page.getByRole('region', { name: `Sidebar ${ref}`, exact: true });

  /** Branches off the last reply, with an agent who looks and one who reviews; resolves to its name, and to the message it branched off. */
  const branchOff = async (page: Page, before: number): Promise<{ readonly ref: string; readonly message: string }> => {
    const reply = page
      .getByRole('feed')
      .getByRole('article')
      .filter({ hasText: /MSG-\d+/u })
      .last();
    await reply.hover();
    const label = await reply.getByRole('toolbar', { name: /^Actions for MSG-/u }).getAttribute('aria-label');
    const message = label?.replace('Actions for ', '') ?? '';
    await reply.getByRole('button', { name: 'New sidebar from here' }).click();
    const dialog = page.getByRole('dialog', { name: 'New sidebar from here' });
    await dialog.getByLabel('Task', { exact: true }).fill('Is the queue empty?');
    await dialog.getByRole('group', { name: 'Participants' }).getByLabel('ada').check();
    await dialog.getByRole('group', { name: 'Participants' }).getByLabel('ben').check();
    await dialog.getByLabel('Task type').fill('status_check');
    await dialog.getByText('Coordinator, curator, access, tags, test').click();
    await dialog.getByLabel('Curator').selectOption('AGENT-ben');
    await dialog.getByRole('button', { name: 'Create sidebar' }).click();
    const ref = `SB-${before + 1}`;
    await panelOf(page, ref).waitFor();
    return { ref, message };
  };

  /** What the two agents do there: one finds, the other reviews and says that it is fit to be merged. */
  const findOut = async (ref: string, message: string): Promise<void> => {
    const sb = { ['sidebar_id']: ref };
    await web.ask('scratchpad_entry_submitted', { ...sb, content: 'The queue is empty.', ['source_refs']: [message] }, ada);
    await web.ask('scratchpad_entry_validated', { ...sb, ['entry_id']: 'FINDING-1', status: 'confirmed' }, ben);
    await web.ask('sidebar_consolidate', sb, ada);
    await web.ask('sidebar_check_merge', sb, ben);
  };

  test('[PAGE-412] [PAGE-422] [PAGE-602] [PAGE-166] [PAGE-363] a session is started, answered, branched off; what agents find is merged by hand once, and then by itself', async () => {
    const page = await web.open('/');
    await settled(page);
    await page.getByRole('button', { name: 'New session' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await dialog.getByLabel('Directory').fill(work);
    await dialog.getByLabel('Prompt').fill('text ask:0 text');
    await dialog.getByRole('button', { name: 'Start session' }).click();
    await page.waitForURL(/\/sessions\//u);
    await page
      .getByRole('article', { name: /^Permission to use / })
      .getByRole('button', { name: 'Allow', exact: true })
      .click();
    await page.getByText('waiting for you').first().waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('textbox', { name: 'Continue this session', exact: true }).waitFor();

    // The first time a person merges; the type earns its merges by that.
    const first = await branchOff(page, 0);
    await findOut(first.ref, first.message);
    await web.ask('auto_merge_config', { ['required_approvals']: 1 });
    await web.ask('sidebar_merge', { ['sidebar_id']: first.ref });
    await page.getByRole('region', { name: new RegExp(`^Merged from ${first.ref}, MSG-\\d+$`, 'u') }).waitFor();
    const settings = await web.open('/settings');
    const isOn = (name: string): Promise<string | null> => settings.getByRole('switch', { name }).getAttribute('aria-checked');
    await settings.getByRole('switch', { name: 'Merge routine results automatically' }).click();
    await expect.poll(() => isOn('Merge routine results automatically')).toBe('true');
    await settings.getByRole('switch', { name: 'Status check' }).click();
    await expect.poll(() => isOn('Status check')).toBe('true');

    // The second merges by itself, in front of whoever reads the session it came from.
    const second = await branchOff(page, 1);
    await findOut(second.ref, second.message);
    const merged = page.getByRole('region', { name: new RegExp(`^Merged from ${second.ref}, MSG-\\d+$`, 'u') });
    await merged.getByText('The queue is empty.').waitFor();
    await panelOf(page, second.ref).getByText('Merged', { exact: true }).first().waitFor();
    expect(await web.axe(page)).toEqual([]);
    await settings.reload();
    await settings.getByRole('list', { name: 'Automatic merges' }).getByText(second.ref).first().waitFor();
    await page.context().close();
    await settings.context().close();
  });
});
