import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeStage as makeTerminals, waitForFile } from '../../packages/cli/test/launch-stage.ts';
import { findChromium, launch } from '../chromium.ts';
import { linesOf } from '../live-file.ts';
import { makeStage, type Stage } from '../live-stage.ts';
import { PATIENCE } from '../patience.ts';

const executable = findChromium();
const SESSION = 'aaaaaaaa-0000-4000-8000-00000000000a';

describe.skipIf(executable === null)('a session of a terminal, in two browsers (no Chromium found: set CHROMIUM to its path)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executable ?? '');
  });
  afterAll(() => browser.close());

  const open = async (stage: Stage): Promise<Page> => {
    const origins = [{ origin: stage.at(), localStorage: [{ name: 'yarnboard.token', value: stage.token() }] }];
    const context = await browser.newContext({ storageState: { cookies: [], origins }, locale: 'en-GB', timezoneId: 'UTC' });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    await page.goto(new URL(`/sessions/${SESSION}`, stage.at()).href);
    return page;
  };

  test('[PAGE-405] [PAGE-400] it is taken over from its terminal and given back; both browsers see who has it', async () => {
    const terminals = makeTerminals();
    const stage = await makeStage(terminals.folder);
    await stage.start();
    const [up, back] = [terminals.at('up'), terminals.at('back')];
    const terminal = terminals.start({
      acts: [
        { do: 'start', session: SESSION, source: 'startup' },
        { do: 'write', session: SESSION, text: linesOf(SESSION, 'one', { at: Date.now(), isOver: false }) },
        { do: 'mark', file: up },
        { do: 'wait', file: '/never' },
      ],
      resumed: [
        { do: 'start', session: SESSION, source: 'resume' },
        { do: 'write', session: SESSION, text: linesOf(SESSION, 'two', { at: Date.now() + 3000, isOver: true }) },
        { do: 'mark', file: back },
        { do: 'wait', file: '/never' },
      ],
      on: { SIGINT: 0 },
    });
    await waitForFile(up);
    await expect.poll(async () => (await stage.ask('launches')).items[0]?.session_id, { timeout: PATIENCE }).toBe(SESSION);
    const pages = [await open(stage), await open(stage)] as const;
    const [mine] = pages;
    for (const page of pages) await page.getByText('This session is open in a terminal.').waitFor();

    await mine.getByRole('textbox', { name: 'Prompt to continue with (optional)' }).fill('text hang');
    await mine.getByRole('button', { name: 'Take over…' }).click();
    await mine.getByText('If Claude is working there, this cancels its turn.').waitFor();
    await mine.getByRole('button', { name: 'Take over now' }).click();
    for (const page of pages) {
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
      await page.getByText('Its terminal is waiting.').waitFor();
    }

    await mine.getByRole('button', { name: 'Give back' }).click();
    await waitForFile(back);
    for (const page of pages) {
      await page.getByText('This session is open in a terminal.').waitFor();
      await page.getByText('two!').first().waitFor();
    }
    terminal.child.kill('SIGTERM');
    await terminal.ended;
    for (const page of pages) {
      await page.getByRole('textbox', { name: 'Continue this session', exact: true }).waitFor();
      await page.context().close();
    }
    await stage.end('SIGTERM');
  });
});
