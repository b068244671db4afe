// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { HitSource } from '../../../src/features/search/hit-line.tsx';
import type { Hit } from '../../../src/features/search/use-search.ts';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { makeTranscripts, prompt, SESSION, type Transcripts } from '../home/transcripts.ts';

let page: TestPage;
let transcripts: Transcripts;
beforeAll(async () => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [prompt('p1', null, 'Weave a basket of willow.')]);
  page = await openTestPage({ roots: [transcripts.root] });
  await page.server.drain();
});
afterEach(cleanup);
afterAll(async () => {
  await page.close();
  transcripts.remove();
});

const found = async (): Promise<Hit> => {
  const [hit] = (await page.live.ask('search', { q: 'willow' })).items;
  if (hit === undefined) throw new Error('nothing was found');
  return hit;
};

test('[PAGE-860] a hit says how it stands by now, and one that just stands says nothing', async () => {
  const hit = await found();
  page.render(<HitSource hit={hit} />, { path: '/search' });
  expect(document.querySelectorAll('.hit-source .badge')).toHaveLength(0);
  cleanup();
  page.render(<HitSource hit={{ ...hit, marks: ['superseded', 'archived', 'taken-back'], supersededBy: 'GOLD-2' }} />, { path: '/search' });
  expect(screen.getByText('superseded').closest('[title]')?.getAttribute('title')).toBe('Replaced by GOLD-2.');
  for (const word of ['archived', 'taken back']) expect(screen.getByText(word)).toBeTruthy();
  cleanup();
  page.render(<HitSource hit={{ ...hit, marks: ['provisional', 'rejected'] }} />, { path: '/search' });
  for (const word of ['provisional', 'rejected']) expect(screen.getByText(word)).toBeTruthy();
});
