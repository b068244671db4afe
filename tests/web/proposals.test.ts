import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { serveWeb, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('proposals in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let weaver = '';

  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '' });
    weaver = (await web.ask('agent_register', { ['agent_id']: 'weaver' })).token;
  });
  afterAll(() => web.close());

  const spawn = async (task: string, given: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { refs } = await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: task, participants: ['weaver'], ...given });
    return refs.find((ref) => ref.startsWith('SB-')) ?? '';
  };

  test('[PAGE-211] [PAGE-212] an agent proposes to archive a sidebar; the operator sees it on Home and declines it with a reason', async () => {
    const ref = await spawn('Why does it leak?');
    const page = await web.open('/');
    await page.getByRole('heading', { name: 'Recent sessions' }).waitFor();
    await web.ask('sidebar_archive', { ['sidebar_id']: ref, note: 'it is dry' }, weaver);
    const answer = page.getByRole('group', { name: `Answer: weaver wants to archive ${ref}: it is dry` });
    await answer.getByRole('button', { name: 'Decline…' }).click();
    await answer.getByLabel('Why not?').fill('It is still wet.');
    expect(await web.axe(page)).toEqual([]);
    await answer.getByRole('button', { name: 'Decline', exact: true }).click();
    await answer.waitFor({ state: 'detached' });
    await expect.poll(async () => (await web.ask('sidebar', { ['sidebar_id']: ref })).proposals).toEqual([]);
    const told = async () => (await web.ask('inbox', {}, weaver)).notices.filter(({ kind }) => kind === 'proposal');
    await expect.poll(async () => (await told()).map(({ level, text }) => [level, text.includes('It is still wet.')])).toEqual([['warning', true]]);
    await page.context().close();
  });

  test('[PAGE-214] [PAGE-215] the operator finishes a sidebar in one step, and reopens it', async () => {
    const parent = await spawn('The whole');
    const ref = await spawn('A part', { ['parent_id']: parent });
    await web.ask('scratchpad_entry_submitted', { ['sidebar_id']: ref, content: 'The seal is worn.' }, weaver);
    await web.ask('scratchpad_entry_validated', { ['sidebar_id']: ref, ['entry_id']: 'FINDING-1', status: 'confirmed' });
    const page = await web.open(`/sidebars/${ref}`);
    const moves = page.getByRole('group', { name: `Actions for ${ref}` });
    const dialog = page.getByRole('dialog');
    await moves.getByRole('button', { name: 'Finish' }).click();
    await dialog.getByText('Includes 1 finding').waitFor();
    await dialog.getByRole('button', { name: 'Finish and merge' }).click();
    await page.locator('.sidebar-notices').getByText('Merged').waitFor();
    await moves.getByRole('button', { name: 'Reopen' }).click();
    await dialog.getByLabel('Why reopen it?').fill('It leaks again.');
    await dialog.getByRole('button', { name: 'Reopen' }).click();
    await page.waitForURL(new RegExp(`/sidebars/(?!${ref}$)SB-\\d+$`, 'u'));
    const next = page.url().split('/').at(-1) ?? '';
    await expect
      .poll(() => web.ask('sidebar', { ['sidebar_id']: next }))
      .toMatchObject({ status: 'ACTIVE', forked_from: ref, fork_reason: 'It leaks again.' });
    await page.context().close();
  });
});
