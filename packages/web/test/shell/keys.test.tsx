// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WithKeys } from '../../src/shell/keys.tsx';
import { openTestPage, type TestPage } from '../test-page.tsx';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterEach(cleanup);
afterAll(() => page.close());

test('[PAGE-620] ? shows every key by where it works, but is typed where somebody types', async () => {
  const user = userEvent.setup();
  page.render(
    <WithKeys>
      <input aria-label="Words" />
      <button type="button">Elsewhere</button>
    </WithKeys>,
  );
  await user.type(screen.getByRole('textbox', { name: 'Words' }), 'why?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const place of ['Everywhere', 'Session', 'Permissions', 'Scratchpad', 'Recovery'])
    expect(within(dialog).getByRole('region', { name: place })).toBeDefined();
  expect(within(within(dialog).getByRole('region', { name: 'Session' })).getByText('Next or previous prompt')).toBeDefined();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[PAGE-621] the page names its manifest, which names the page and an icon that is there', () => {
  expect(readFileSync('packages/web/index.html', 'utf8')).toContain('<link rel="manifest" href="/app.webmanifest" />');
  const manifest: unknown = JSON.parse(readFileSync('packages/web/public/app.webmanifest', 'utf8'));
  expect(manifest).toMatchObject({ name: 'Yarnboard', ['start_url']: '/', display: 'standalone', icons: [{ src: '/icon.svg' }] });
  expect(readFileSync('packages/web/public/icon.svg', 'utf8')).toContain('<svg');
});
