// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FindBar } from '../../../src/features/sessions/find-bar.tsx';
import { LiveProvider } from '../../../src/live/hooks.tsx';
import type { Live } from '../../../src/live/live.ts';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { SESSION, writeSession } from './written-session.ts';

let folder = '';
let page: TestPage;
beforeAll(async () => {
  folder = writeSession();
  page = await openTestPage({ roots: [folder] });
});
afterAll(async () => {
  await page.close();
  rmSync(folder, { recursive: true, force: true });
});

test('[PAGE-202] only what is left standing is looked for, and what was typed before is given up', async () => {
  const asked: { readonly q: unknown; readonly signal: AbortSignal | undefined }[] = [];
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ask: Live['ask'] = async (name, input, signal) => {
    asked.push({ q: 'q' in input ? input.q : null, signal });
    await gate;
    return page.live.ask(name, input, signal);
  };
  page.render(
    <LiveProvider live={{ ...page.live, ask }}>
      <FindBar sessionId={SESSION} onGo={() => {}} onClose={() => {}} />
    </LiveProvider>,
  );
  const box = screen.getByRole('searchbox', { name: 'Find in this session' });
  for (const value of ['sh', 'she', 'shed']) fireEvent.change(box, { target: { value } });
  await waitFor(() => expect(asked.map(({ q }) => q)).toEqual(['shed']));
  fireEvent.change(box, { target: { value: 'reed' } });
  await waitFor(() =>
    expect(asked.map(({ q, signal }) => [q, signal?.aborted])).toEqual([
      ['shed', true],
      ['reed', false],
    ]),
  );
  release();
  await screen.findByText(/^\d+ found$/u);
});
