// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { placeOfHit } from '../../../src/features/search/hit-line.tsx';
import { placeOfMessage, placeOfReference } from '../../../src/features/search/reference-place.ts';
import { ReferencePage } from '../../../src/features/search/reference-page.tsx';
import { Reference, withReferences } from '../../../src/ui/reference.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { makeTranscripts, prompt, reply, SESSION, type Transcripts } from '../home/transcripts.ts';

afterEach(cleanup);

const links = (): readonly string[] => screen.queryAllByRole('link').map((link) => `${link.textContent} → ${link.getAttribute('href') ?? ''}`);

test('[PAGE-60] a reference is a link, whatever it stands for; anything else stays text', () => {
  const { container } = render(
    <p>
      {['MSG-12', 'msg-12#3', 'SCRATCH-4:FINDING-2', 'AGENT-debugger-7', 'FILE-a3b2:10-20', 'MSG-0', 'javascript:alert(1)', '<b>'].map((to) => (
        <Reference key={to} to={to} />
      ))}
    </p>,
  );
  expect(links()).toEqual([
    'MSG-12 → /refs/MSG-12',
    'msg-12#3 → /refs/MSG-12%233',
    'Finding 2 → /refs/SCRATCH-4%3AFINDING-2',
    'AGENT-debugger-7 → /refs/AGENT-debugger-7',
    'FILE-a3b2:10-20 → /refs/FILE-a3b2%3A10-20',
  ]);
  expect(container.textContent).toContain('MSG-0javascript:alert(1)<b>');
});

test('[PAGE-60] references inside a text are links, and the text is as it was', () => {
  const text = 'See MSG-12, (SB-3) and SCRATCH-3:FINDING-1. Not agent-based.';
  const { container } = render(<p>{withReferences(text)}</p>);
  expect(container.textContent).toBe(text);
  expect(links()).toEqual(['MSG-12 → /refs/MSG-12', 'SB-3 → /refs/SB-3', 'SCRATCH-3:FINDING-1 → /refs/SCRATCH-3%3AFINDING-1']);
  expect(withReferences('nothing')).toBe('nothing');
});

test('[PAGE-61] a message has a place in its session, its sub-agent or its sidebar', () => {
  const at = { sessionId: 's/1', agentId: null, ref: 'MSG-7', uuid: 'u' };
  expect([
    placeOfMessage(at),
    placeOfMessage({ ...at, ref: 'MSG-7#2' }),
    placeOfMessage({ ...at, ref: null, agentId: 'a b' }),
    placeOfMessage({ ...at, sessionId: 'SB-4' }),
    placeOfMessage({ ...at, ref: null, uuid: null }),
  ]).toEqual([
    '/sessions/s%2F1?at=MSG-7',
    '/sessions/s%2F1?at=MSG-7',
    '/sessions/s%2F1?at=u&thread=a+b',
    '/sidebars/SB-4?at=MSG-7',
    '/sessions/s%2F1',
  ]);
  expect(
    [at, { ...at, sessionId: 'SB-4', ref: 'FRAG-3' }, { ...at, ref: null, uuid: null }].map((hit) => placeOfHit({ ...hit, type: 'user' })),
  ).toEqual(['/sessions/s%2F1?at=MSG-7', '/refs/FRAG-3', '/sessions/s%2F1']);
  const told = {
    id: 'GOLD-2',
    uuid: 'u',
    kind: 'GOLD',
    createdIn: 'SB-1',
    branchedFrom: null,
    createdBy: 'ada',
    createdAt: null,
    position: 1,
    message: null,
    thing: null,
  };
  expect([
    placeOfReference(told),
    placeOfReference({ ...told, id: 'SB-3', kind: 'SB' }),
    placeOfReference({ ...told, id: 'SCRATCH-3', kind: 'SCRATCH' }),
    placeOfReference({ ...told, id: 'SCRATCH-3:FINDING-2', kind: 'SCRATCH' }),
    placeOfReference({ ...told, id: 'FRAG-9', kind: 'FRAG', thing: { ['entry_id']: 'SCRATCH-3:FINDING-2' } }),
    placeOfReference({ ...told, id: 'CITE-1', kind: 'CITE' }),
    placeOfReference({ ...told, id: 'SB-3:CONFLICT-2', kind: 'CONFLICT' }),
    placeOfReference({ ...told, id: 'SB-3:CHECKPOINT-1', kind: 'CHECKPOINT' }),
    placeOfReference({ ...told, id: 'SB-3:CLAIM-1', kind: 'CLAIM' }),
    placeOfReference({ ...told, id: 'SB-3:EPISODE-4', kind: 'EPISODE' }),
    placeOfReference({ ...told, id: 'GOLD-3:EPISODE-1', kind: 'EPISODE' }),
    placeOfReference({ ...told, id: 'MSG-3:EPISODE-1', kind: 'EPISODE' }),
  ]).toEqual([
    '/gold?show=GOLD-2',
    '/sidebars/SB-3',
    '/sidebars/SB-3?tab=scratchpad',
    '/sidebars/SB-3?tab=scratchpad&finding=SCRATCH-3%3AFINDING-2',
    '/sidebars/SB-3?tab=scratchpad&finding=SCRATCH-3%3AFINDING-2',
    null,
    '/sidebars/SB-3?tab=scratchpad&conflict=2',
    '/sidebars/SB-3?tab=checkpoints&checkpoint=1',
    '/sidebars/SB-3?tab=claims&claim=1',
    '/sidebars/SB-3?tab=checkpoints&episode=4',
    '/gold?show=GOLD-3',
    null,
  ]);
});

let page: TestPage;
let transcripts: Transcripts;
beforeAll(async () => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [prompt('p1', null, 'weave a basket'), reply('r1', 'p1', 'done')]);
  page = await openTestPage({ roots: [transcripts.root] });
  await page.live.send('sidebar_spawn', { parentId: null, taskDescription: 'Why does the loom stop?' });
  await page.live.send('citation_created', {
    sidebarId: 'SB-1',
    path: '/home/ada/loom/src/pool.ts',
    lines: '4-9',
    hash: 'a3b2c1d0'.repeat(8),
    content: 'size = 5, as MSG-1 says',
  });
});
afterAll(async () => {
  await page.close();
  transcripts.remove();
});

test.each([
  ['MSG-2', `/sessions/${SESSION}?at=MSG-2`],
  ['EXCH-1', `/sessions/${SESSION}?at=MSG-1`],
  ['SB-1', '/sidebars/SB-1'],
  ['SCRATCH-1', '/sidebars/SB-1?tab=scratchpad'],
])('[PAGE-61] %s leads to its place', async (reference, place) => {
  page.render(<ReferencePage reference={reference} />, { path: `/refs/${reference}` });
  await waitFor(() => expect(page.paths.at(-1)).toBe(place));
});

test('[PAGE-61] what has no place of its own is shown, with where it was made', async () => {
  page.render(<ReferencePage reference="CITE-1" />, { path: '/refs/CITE-1' });
  await screen.findByText('A citation');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('CITE-1');
  expect(links()).toEqual([' → /trace/CITE-1', 'MSG-1 → /refs/MSG-1', 'FILE-a3b2c1d0a3b2:4-9 → /refs/FILE-a3b2c1d0a3b2%3A4-9', 'SB-1 → /refs/SB-1']);
  expect(screen.getByRole('article').textContent).toContain('/home/ada/loom/src/pool.ts');
  expect(page.paths.at(-1)).toBe('/refs/CITE-1');
});

test('[PAGE-61] what is not there, or no reference, says so and what to do', async () => {
  const { unmount } = page.render(<ReferencePage reference="MSG-4711" />);
  await screen.findByText('MSG-4711 not found');
  expect(links()).toEqual(['Search for it as text → /search?q=MSG-4711']);
  unmount();
  page.render(<ReferencePage reference="<i>hello</i>" />);
  await screen.findByText('“<i>hello</i>” isn’t a reference');
  expect(links()).toEqual(['Search for it as text → /search?q=%3Ci%3Ehello%3C%2Fi%3E']);
});
