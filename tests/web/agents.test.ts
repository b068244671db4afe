import { join } from 'node:path';
import { readRuntimes } from '@yarnboard/protocol';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { root } from '../source-files.ts';
import { serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();
const runtimes = readRuntimes({
  scripted: { kind: 'stdio', command: [process.execPath, join(root, 'packages/server/test/runtimes/scripted-agent.mjs')], model: 'script-1' },
});

describe.skipIf(executable === null)('agents at work, in two browsers (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let built = '';
  const pages: Page[] = [];
  beforeAll(async () => {
    if (!runtimes.ok) throw new Error(runtimes.error);
    web = await serveWeb({ executable: executable ?? '', roots: [], runtimes: runtimes.value });
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
  });
  afterAll(() => web.close());

  const open: Web['open'] = async (path, options) => {
    const page = await web.open(path, options);
    pages.push(page);
    await settled(page);
    return page;
  };
  const spawn = async (task: string, more: object = {}): Promise<string> =>
    (await web.ask('sidebar_spawn', { ['parent_id']: null, ['task_description']: task, ...more })).ref ?? '';
  const card = (page: Page, name: string) => page.locator('.agent').filter({ has: page.getByRole('heading', { name }) });

  test('[PAGE-300] [PAGE-532] [PAGE-533] [PAGE-303] [PAGE-304] [PAGE-305] an agent at capacity, its queue, a pause and a resume are seen by two browsers as they happen', async () => {
    const { token } = await web.ask('agent_register', { ['agent_id']: 'looms', specialties: ['looms'] });
    await web.ask('agent_presence', { status: 'available' }, token);
    await web.ask('agent_limits', { ['agent_id']: 'looms', ['max_concurrent_per_instance']: 1 });
    const quiet = await spawn('Oil the old loom', { priority: 'BACKGROUND', participants: ['looms'] });
    const normal = await spawn('Count the threads');
    const [agents, sidebar] = [await open('/agents'), await open(`/sidebars/${normal}`, { width: 1400 })];
    await card(agents, 'looms').locator('[role=meter][aria-label=Seats][aria-valuetext="1 of 1"]').waitFor();
    // By skill, with the plan before it is done.
    await sidebar.getByRole('button', { name: 'Recruit', exact: true }).click();
    const dialog = sidebar.getByRole('dialog', { name: `Recruit for ${normal}` });
    await dialog.getByLabel('Skill').fill('looms');
    await dialog.getByRole('region', { name: 'What will happen' }).getByText(/looms/u).first().waitFor();
    expect(await web.axe(sidebar)).toEqual([]);
    await dialog.getByRole('button', { name: 'Recruit', exact: true }).click();
    await sidebar.getByRole('button', { name: 'Done' }).click();
    await sidebar.getByText('waits, place 1').waitFor();
    await card(agents, 'looms').getByText('Waiting for a seat: 1').waitFor();
    // Something CRITICAL pauses what can wait.
    const urgent = await spawn('The loom burns', { priority: 'CRITICAL' });
    await web.ask('agent_recruited', { ['sidebar_id']: urgent, ['agent_id']: 'looms' });
    await card(agents, 'looms').getByText(`${quiet} is paused for ${urgent}; it resumes by itself.`).waitFor();
    expect(await web.axe(agents)).toEqual([]);
    // The next one finds nothing to pause: what a person could pause is one click away, on every view.
    const second = await spawn('The shed burns', { priority: 'CRITICAL' });
    await web.ask('agent_recruited', { ['sidebar_id']: second, ['agent_id']: 'looms' });
    await agents.getByRole('button', { name: /^Needs you/u }).click();
    const decisions = agents.getByRole('dialog', { name: 'Needs your decision' });
    await decisions.getByText(`CRITICAL task ${second} waits for looms`).waitFor();
    expect(await web.axe(agents)).toEqual([]);
    await decisions.getByRole('button', { name: 'Close' }).click();
    await web.ask('sidebar_archive', { ['sidebar_id']: second, note: 'it is out' });
    await agents.getByRole('button', { name: /^Needs you/u }).waitFor({ state: 'detached' });
    await web.ask('agent_left', { ['sidebar_id']: urgent, ['agent_id']: 'looms' });
    await sidebar.getByText('waits, place 1').waitFor({ state: 'detached' });
    await sidebar.getByRole('button', { name: 'Remove looms' }).click();
    await card(agents, 'looms').getByText('is paused for').waitFor({ state: 'detached' });
    await expect.poll(async () => (await web.ask('sidebar', { ['sidebar_id']: quiet })).status).toBe('ACTIVE');
    // People are asked, and answer where they see it.
    const { ref } = await web.ask(
      'sidebar_spawn',
      { ['parent_id']: null, ['task_description']: 'Choose a colour', ['coordinator_agent']: 'looms' },
      token,
    );
    await web.ask('agent_left', { ['sidebar_id']: ref, ['agent_id']: 'operator' }).catch(() => null);
    await web.ask('agent_recruited', { ['sidebar_id']: ref, ['agent_id']: 'operator', note: 'blue or red?' }, token);
    const home = await open('/');
    await home.getByText('blue or red?').first().waitFor();
    await home.getByRole('button', { name: `Join ${ref ?? ''}` }).click();
    await home.getByRole('button', { name: `Join ${ref ?? ''}` }).waitFor({ state: 'detached' });
    // The page shows it before the server has it.
    await expect.poll(async () => (await web.ask('sidebar', { ['sidebar_id']: ref })).participants).toContain('AGENT-operator');
  });

  test('[PAGE-310] [PAGE-311] [PAGE-312] [PAGE-313] a permission that a seat asks for is answered once and by rule, and the other browser sees who did', async () => {
    await web.ask('agent_register', { ['agent_id']: 'scripted' });
    await web.ask('agent_runtime', { ['agent_id']: 'scripted', runtime: 'scripted' });
    const ref = await spawn('Build it', { participants: ['scripted'] });
    built = ref;
    const ask = (wish: object) => web.ask('chat_message', { ['sidebar_id']: ref, content: `@scripted permit ${JSON.stringify(wish)}` });
    await ask({ tool: 'Bash', input: { command: 'npm test', description: 'Runs the tests' } });
    const [home, sidebar] = [await open('/'), await open(`/sidebars/${ref}`)];
    const asked = (page: Page) => page.getByRole('article', { name: 'Permission to use Bash' });
    for (const page of [home, sidebar]) {
      await asked(page).getByText('scripted wants to use Bash').waitFor();
      await page.getByRole('button', { name: 'Permissions 1' }).waitFor();
      expect(await web.axe(page)).toEqual([]);
    }
    await asked(home).getByRole('button', { name: 'Allow once' }).click();
    await sidebar.getByText(/Bash npm test: allowed by operator/u).waitFor();
    await sidebar.getByText('was told: allow').first().waitFor();
    // The next one, from the tray of a view that has nothing to do with it; from then on it is not asked again.
    await ask({ tool: 'Bash', input: { command: 'npm test -- web' } });
    const elsewhere = await open('/gold');
    await elsewhere.getByRole('button', { name: 'Permissions 1' }).click();
    await elsewhere.getByRole('button', { name: 'Always allow' }).click();
    await elsewhere.getByRole('menuitem', { name: 'npm test *, for scripted everywhere' }).click();
    await elsewhere.getByText('Nothing to answer.').waitFor();
    // The page shows it before the server has it.
    await sidebar
      .getByText(/npm test -- web: allowed .*operator/u)
      .first()
      .waitFor();
    await ask({ tool: 'Bash', input: { command: 'npm test -- cli' } });
    await sidebar.getByText(/npm test -- cli: allowed by a rule/u).waitFor();
    // An edit is a diff; denied with words, the agent hears them.
    await ask({ tool: 'Edit', input: { ['file_path']: '/loom/a.ts', ['old_string']: 'const a = 1;', ['new_string']: 'const a = 2;' } });
    const edit = home.getByRole('article', { name: 'Permission to use Edit' });
    await edit.getByText('const a = 2;').waitFor();
    await edit.getByRole('button', { name: 'Deny with a reason…' }).click();
    await edit.getByLabel('What should it do instead?').fill('use three');
    await edit.getByRole('button', { name: 'Deny', exact: true }).click();
    await sidebar.getByText('was told: deny, use three').first().waitFor();
  });

  test('[PAGE-301] [PAGE-534] [PAGE-535] [PAGE-536] [PAGE-302] [PAGE-306] [PAGE-314] a seat is watched beside the talk, its rule revoked, and all agents rest', async () => {
    const agents = await open('/agents');
    const scripted = card(agents, 'scripted');
    await scripted.getByText('Runs on scripted with script-1').waitFor();
    await scripted.getByRole('button', { name: 'Revoke Bash npm test *' }).click();
    await scripted.getByRole('list', { name: 'Allowed without asking' }).waitFor({ state: 'detached' });
    const sidebar = await open(`/sidebars/${built}?seat=AGENT-scripted`, { width: 1400 });
    const panel = sidebar.getByRole('region', { name: 'Seat of scripted' });
    await panel.getByRole('region', { name: 'Transcript' }).getByText('was told: allow').first().waitFor();
    await panel.getByRole('meter', { name: 'Turns' }).waitFor();
    expect(await web.axe(sidebar)).toEqual([]);
    // More of a budget, where it is spent.
    await panel.getByRole('button', { name: 'Grant more…' }).click();
    const form = panel.getByRole('form', { name: 'Grant more to scripted' });
    await form.getByLabel(`More turns in ${built}`).fill('2.5');
    await form.getByText('Use a whole number above 0.').waitFor();
    await expect.poll(() => form.getByRole('button', { name: 'Grant' }).isDisabled()).toBe(true);
    await form.getByLabel(`More turns in ${built}`).fill('25');
    await form.getByLabel(`More US dollars in ${built}`).fill('2.50');
    expect(await web.axe(sidebar)).toEqual([]);
    await form.getByRole('button', { name: 'Grant' }).click();
    await panel.locator('[role=meter][aria-label=Turns][aria-valuetext$="of 75"]').waitFor();
    await panel.locator('[role=meter][aria-label=Cost][aria-valuetext$="of $7.50"]').waitFor();
    // The runtime, and whether it works.
    const runtimeList = agents.getByRole('region', { name: 'Runtimes' });
    await runtimeList.getByText('stdio, script-1').waitFor();
    await runtimeList.getByText('Used by scripted').waitFor();
    await scripted.getByRole('button', { name: 'Actions for scripted' }).click();
    await agents.getByRole('menuitem', { name: 'Try' }).click();
    await agents.getByRole('button', { name: 'Try now' }).click();
    await agents.getByText('started').waitFor();
    await agents.getByRole('button', { name: 'Close' }).first().click();
    await agents.getByRole('button', { name: 'Rest all' }).click();
    await agents.getByRole('button', { name: 'Resume all' }).waitFor();
    await scripted.getByText('resting').first().waitFor();
    await panel.getByText('stopped').first().waitFor();
    await agents.getByRole('button', { name: 'Resume all' }).click();
    await agents.getByRole('button', { name: 'Rest all' }).waitFor();
  });
});
