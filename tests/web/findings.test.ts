import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../chromium.ts';
import { PATIENCE } from '../patience.ts';
import { atRest, serveWeb, settled, type Web } from './harness.ts';

const executable = findChromium();

describe.skipIf(executable === null)('findings and GOLD in a browser (no Chromium found: set CHROMIUM to its path)', () => {
  let web: Web;
  let critic = '';

  beforeAll(async () => {
    web = await serveWeb({ executable: executable ?? '', roots: [] });
    critic = (await web.ask('agent_register', { ['agent_id']: 'critic' })).token;
  });
  afterAll(() => web.close());

  /** A sidebar of its own for each test. */
  const spawn = async (given: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { refs } = await web.ask('sidebar_spawn', {
      ['parent_id']: null,
      ['task_description']: 'Why does every second login fail?',
      ['success_criteria']: 'The cause is known.',
      participants: ['critic'],
      ...given,
    });
    return refs.find((ref) => ref.startsWith('SB-')) ?? '';
  };

  const findingIn = (page: Page, number: number) => page.getByRole('article', { name: `Finding ${number}`, exact: true });

  const submit = async (page: Page, content: string): Promise<void> => {
    await page.getByRole('button', { name: 'Submit finding' }).click();
    await page.getByLabel('Finding', { exact: true }).fill(content);
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.getByLabel('Finding', { exact: true }).waitFor({ state: 'detached' });
  };

  test('[PAGE-109] [PAGE-110] a screenshot of a large display is attached, shown and handed over', async () => {
    const page = await web.open(`/sidebars/${await spawn()}?tab=gold`);
    const screenshot = noisyPng(1600, 1200);
    await page.getByLabel('File to attach').setInputFiles({ name: 'display.png', mimeType: 'image/png', buffer: screenshot });
    const picture = page.getByRole('img', { name: 'display.png' });
    await picture.waitFor();
    await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth), { timeout: PATIENCE }).toBe(1600); // found by its role
    const taken = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download display.png' }).click();
    expect(Buffer.compare(readFileSync(await (await taken).path()), screenshot)).toBe(0);
    await page.close();
  });

  test('[PAGE-103] from a finding to a GOLD that its symptom wakes: submitted, judged, contradicted, settled, kept, marked', async () => {
    const sidebar = await spawn();
    const page = await web.open(`/sidebars/${sidebar}?tab=scratchpad`);
    await submit(page, 'The connection pool holds 10 connections.');
    // Its keys are there once the server has it.
    await findingIn(page, 1).and(page.locator('[aria-keyshortcuts]')).focus();
    await page.keyboard.press('c');
    await findingIn(page, 1).locator(':focus').waitFor();
    await page.keyboard.press('Enter');
    await findingIn(page, 1).getByText('Confirmed by').waitFor();

    await submit(page, 'The connection pool holds 20 connections.');
    const conflict = page.getByRole('region', { name: 'Conflict 1' });
    await conflict.getByText('one says 10 connections, the other 20 connections').waitFor();
    await page.getByRole('button', { name: 'Review finding 2' }).click();
    await page.getByRole('alert').getByText('which is confirmed').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await conflict.getByRole('button', { name: 'Resolve conflict 1' }).click();
    await conflict.getByLabel('Resolution').fill('The second gateway has 20.');
    await conflict.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByText('Resolved conflicts').waitFor();
    await page.getByRole('button', { name: 'Review finding 2' }).click();
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Ready to merge.').waitFor();

    await page.getByRole('tab', { name: 'Checkpoints' }).click();
    await page.getByRole('button', { name: 'Add checkpoint' }).click();
    await page.getByLabel('Summary').fill('The pools are measured.');
    await page.getByRole('button', { name: 'Add checkpoint' }).click();
    await expect.poll(() => page.getByRole('article', { name: 'Checkpoint 1' }).getByRole('listitem').count()).toBe(2);
    await page.getByRole('region', { name: 'Episodic memory' }).getByText('provisional').nth(1).waitFor();

    await page.getByRole('tab', { name: 'Scratchpad' }).click();
    await page.getByRole('button', { name: 'Mark finding 1 as GOLD' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key insight').fill('A login takes two connections of the same pool.');
    await dialog.getByLabel('How to reuse it').fill('Count what one request holds at once.');
    await dialog.getByLabel('Triggers').fill('connection pool exhausted\nevery second login fails');
    expect(await web.axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Mark as GOLD' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.goto(new URL('/gold', web.url).href);
    const gold = page.getByRole('article', { name: 'GOLD-1' });
    await gold.getByRole('button', { name: 'Review GOLD-1' }).click();
    await gold.getByRole('button', { name: 'Confirm', exact: true }).click();
    await gold.getByText('Confirmed by').waitFor();
    await page.getByText('Test a text against GOLD').click();
    await page.getByLabel('Message, error or log line').fill('ERROR gateway: connection pool exhausted after 30 s');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('list', { name: 'Matching GOLD' }).getByText('connection pool exhausted').waitFor();
    expect(web.complaints()).toEqual([]);
  });

  test('[PAGE-176] one press of the mouse submits a finding with the evidence that was typed', async () => {
    const sidebar = await spawn();
    const page = await web.open(`/sidebars/${sidebar}?tab=scratchpad`);
    await page.getByRole('button', { name: 'Submit finding' }).click();
    await page.getByLabel('Finding', { exact: true }).fill('The pool is small.');
    await page.getByRole('textbox', { name: 'Evidence' }).fill(sidebar);
    const button = page.getByRole('button', { name: 'Submit', exact: true });
    await settled(page);
    await button.scrollIntoViewIfNeeded();
    const place = await atRest(page, () => button.boundingBox());
    await page.mouse.move((place?.x ?? 0) + (place?.width ?? 0) / 2, (place?.y ?? 0) + (place?.height ?? 0) / 2);
    await page.mouse.down();
    expect(await atRest(page, () => button.boundingBox())).toEqual(place);
    await page.mouse.up();
    await findingIn(page, 1).getByRole('link', { name: sidebar, exact: true }).waitFor();
    await page.getByLabel('Finding', { exact: true }).waitFor({ state: 'detached' });
  });

  test('[PAGE-114] what is done is shown at once and marked; when the server refuses it, it is taken back and why stands there', async () => {
    const sidebar = await spawn();
    const page = await web.open(`/sidebars/${sidebar}?tab=scratchpad`);
    const gate = await gateIn(page);
    await page.reload();
    await page.getByRole('button', { name: 'Submit finding' }).click();
    await page.getByLabel('Finding', { exact: true }).fill('Somebody said so.');
    await page.getByRole('textbox', { name: 'Evidence' }).fill('MSG-999');
    await page.getByRole('textbox', { name: 'Evidence' }).press('Enter');
    gate.shut();
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await findingIn(page, 1).getByText('sending').waitFor();
    gate.open();
    await page.getByRole('alert').getByText('there is no MSG-999 on this board').waitFor();
    await findingIn(page, 1).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Finding', { exact: true }).inputValue()).toBe('Somebody said so.');
  });

  test('[PAGE-114] a judgement that is refused moves the finding back, and its form is there again with what was written', async () => {
    const sidebar = await spawn();
    const found = { ['sidebar_id']: sidebar };
    await web.ask('scratchpad_entry_submitted', { ...found, content: 'The pool is small.' }, critic);
    const page = await web.open(`/sidebars/${sidebar}?tab=scratchpad`);
    const gate = await gateIn(page);
    await page.reload();
    await page.getByRole('button', { name: 'Review finding 1' }).click();
    await page.getByLabel('Notes').fill('Measured.');
    gate.shut();
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.locator('.finding-group-confirmed').getByText('sending').waitFor();
    await web.ask('sidebar_archive', found);
    gate.open();
    const form = page.locator('.finding-group-pending').getByRole('form', { name: 'Review finding 1' });
    await form.getByRole('alert').getByText(`${sidebar} is ARCHIVED`).waitFor();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Measured.');
    await page.locator('.finding-group-confirmed .finding').waitFor({ state: 'detached' });
  });

  test('[PAGE-104] the curator’s judgement is seen by everybody at once, and the human is told before standing in', async () => {
    const sidebar = await spawn({ ['curator_agent']: 'critic' });
    await web.ask('scratchpad_entry_submitted', { ['sidebar_id']: sidebar, content: 'The pool is small.' });
    const [mine, theirs] = [
      await web.open(`/sidebars/${sidebar}?tab=scratchpad`),
      await web.open(`/sidebars/${sidebar}?tab=scratchpad`, { token: critic }),
    ];
    await mine.getByRole('button', { name: 'Review finding 1' }).click();
    await mine.getByText('it counts as an intervention').waitFor();
    await mine.getByRole('button', { name: 'Cancel' }).click();
    await theirs.getByRole('button', { name: 'Review finding 1' }).click();
    await theirs.getByRole('radio', { name: 'Reject' }).click();
    await theirs.getByLabel('Reason').fill('It is not.');
    expect(await theirs.getByText('it counts as an intervention').count()).toBe(0);
    await theirs.getByRole('button', { name: 'Reject', exact: true }).click();
    await findingIn(mine, 1).getByText('It is not.').waitFor();
  });

  test('[PAGE-110] a picture is shown as data of a known type, and had as a file', async () => {
    const sidebar = await spawn();
    const page = await web.open(`/sidebars/${sidebar}?tab=gold`);
    await page.getByLabel('File to attach').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') });
    const image = page.getByRole('img', { name: 'dot.png' });
    await image.waitFor();
    await expect.poll(() => image.getAttribute('src')).toBe(`data:image/png;base64,${DOT}`);
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1); // found by its role
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download dot.png' }).click()]);
    expect(download.suggestedFilename()).toBe('dot.png');
  });

  describe('layout', () => {
    let sidebar = '';

    beforeAll(async () => {
      sidebar = await spawn({ ['curator_agent']: 'critic' });
      await fill(web, critic, sidebar);
    });

    const looks = ['scratchpad', 'checkpoints', 'gold', 'all GOLD'].flatMap((view) => [
      { view, colorScheme: 'light' } as const,
      { view, colorScheme: 'dark' } as const,
    ]);
    test.each(looks)(
      '[PAGE-119] $view has the right roles and names, and holds from a phone to a wide screen, in $colorScheme',
      async ({ view, colorScheme }) => {
        const page = await web.open(view === 'all GOLD' ? '/gold' : `/sidebars/${sidebar}?tab=${view}`, { colorScheme, width: 360 });
        await page.locator('.finding, .checkpoint, .gold-card').first().waitFor();
        await settled(page);
        const seen: unknown[] = [];
        for (const width of [360, 1280, 3840]) {
          await page.setViewportSize({ width, height: 900 });
          const overflow = await atRest(page, () =>
            page.evaluate(() =>
              ['html', '.frame-main', '.tabs-content:not([hidden])'].filter((name) => {
                const element = document.querySelector(name);
                return element !== null && element.scrollWidth > element.clientWidth;
              }),
            ),
          );
          seen.push(...overflow.map((place) => ({ width, place })), ...(width === 3840 ? [] : await web.axe(page)));
        }
        expect(seen).toEqual([]);
        expect(web.complaints()).toEqual([]);
        await page.context().close();
      },
    );
  });
});

/** Holds back what a page sends, as long as it is shut. To be made before the page connects. */
const gateIn = async (page: Page): Promise<{ readonly shut: () => void; readonly open: () => void }> => {
  let isShut = false;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/ws$/u, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const pass = (): void => server.send(message);
      if (isShut) held.push(pass);
      else pass();
    });
  });
  return {
    shut: () => {
      isShut = true;
    },
    open: () => {
      isShut = false;
      for (const pass of held.splice(0)) pass();
    },
  };
};

/** Something of everything, and some of it hard to fit in. */
const fill = async (web: Web, critic: string, sidebar: string): Promise<void> => {
  const found = { ['sidebar_id']: sidebar };
  const wide = 'a'.repeat(400);
  await web.ask('citation_created', { ...found, url: `https://example.org/${wide}`, content: wide });
  await web.ask('citation_created', { ...found, path: `/srv/${wide}.ts`, lines: '1-2' });
  const finding = (content: string, more: Readonly<Record<string, unknown>> = {}) =>
    web.ask('scratchpad_entry_submitted', { ...found, content, ...more });
  const judged = (number: number, status: string) =>
    web.ask(
      'scratchpad_entry_validated',
      {
        ...found,
        ['entry_id']: `FINDING-${number}`,
        status,
        ['validation_notes']: `looked at ${wide}`,
        ['fits_task']: true,
        ['evidence_supports']: status === 'confirmed',
      },
      critic,
    );
  await finding(`The timeout is 5 seconds. \`${wide}\``, { ['source_refs']: ['CITE-1', 'AGENT-critic'], ['relevance_to_task']: wide });
  await judged(1, 'confirmed');
  await finding('The moon is full.');
  await judged(2, 'rejected');
  await finding('The timeout is 8 seconds.', { supersedes: 'FINDING-1' });
  await judged(3, 'confirmed');
  await finding('The timeout is 30 seconds.');
  await web.ask('scratchpad_annotate', { ...found, ['entry_id']: 'FINDING-3', note: wide });
  await web.ask('scratchpad_checkpoint', { ...found, summary: `Half way. ${wide}`, ['agent_annotations']: { 'AGENT-operator': wide } });
  await web.ask('media_uploaded', { ...found, ['media_type']: 'image', ['file_path']: `${wide}.png`, content: DOT });
  await web.ask('gold_created', {
    ...found,
    ['source_refs']: [`SCRATCH-${sidebar.slice(3)}:FINDING-3`],
    ['key_insight']: wide,
    ['reuse_pattern']: wide,
    ['trigger_conditions']: [wide],
  });
};

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A picture that compresses as badly as a photograph does: three bytes a pixel. */
const noisyPng = (width: number, height: number): Buffer => {
  const rows = Buffer.alloc((1 + 3 * width) * height);
  for (let i = 0, state = 1; i < rows.length; i += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    rows[i] = i % (1 + 3 * width) === 0 ? 0 : state >> 16;
  }
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(8 + named.length);
    framed.writeUInt32BE(data.length, 0);
    named.copy(framed, 4);
    framed.writeUInt32BE(crc32(named), 4 + named.length);
    return framed;
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 0 })), chunk('IEND', Buffer.alloc(0))]);
};
