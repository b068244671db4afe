// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { App, drawnViews } from '../../../src/app.tsx';
import { placeOfHit } from '../../../src/features/search/hit-line.tsx';
import { createViews } from '../../../src/views.ts';
import { SESSION, writeSession } from '../sessions/written-session.ts';
import { openStage, type Stage } from '../sidebars/stage.tsx';

const HASH = 'a3b2c1d0'.repeat(8);

let folder = '';
let stage: Stage;
/** What was made, by the word that only it has. */
const made = new Map<string, string>();
const drawn = drawnViews(createViews());

beforeAll(async () => {
  folder = writeSession();
  stage = await openStage({ roots: [folder] });
  const { act } = stage;
  const make = async (word: string, refs: Promise<readonly string[]>): Promise<void> => void made.set(word, (await refs)[0] ?? '');
  await act('agent_register', { agentId: 'ada', kind: 'agent', specialties: ['knotting'] });
  await make('spinning', act('sidebar_spawn', { parentId: 'MSG-2', taskDescription: 'Why is it spinning?' }));
  await make('parting', act('sidebar_child_spawn', { parentSidebarId: 'SB-1', subTaskDescription: 'A parting of the threads' }));
  await make('chattering', act('chat_message', { sidebarId: 'SB-1', content: 'It is chattering.' }));
  await make('fraying', act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'It is fraying.' }));
  await act('scratchpad_entry_validated', { sidebarId: 'SB-1', entryId: 'FINDING-1', status: 'confirmed', validationNotes: 'Seen by squinting.' });
  await act('scratchpad_annotate', { sidebarId: 'SB-1', entryId: 'FINDING-1', note: 'And by touching.' });
  await act('scratchpad_checkpoint', { sidebarId: 'SB-1', summary: 'Halfway through mending.' });
  await make('quoting', act('citation_created', { sidebarId: 'SB-1', path: '/loom/rim.ts', lines: '4-9', hash: HASH, content: 'A quoting line' }));
  await make(
    'glittering',
    act('gold_created', { sidebarId: 'SB-1', sourceRefs: ['MSG-1'], keyInsight: 'glittering', reusePattern: 'r', triggerConditions: ['t'] }),
  );
  await make('drawing', act('media_uploaded', { sidebarId: 'SB-1', mediaType: 'image', filePath: 'drawing.png', content: 'AA==' }));
  const merge = async (sidebarId: string, summary: string): Promise<readonly string[]> => {
    await act('sidebar_consolidate', { sidebarId, summary });
    await act('sidebar_check_merge', { sidebarId });
    return (await act('sidebar_merge', { sidebarId })).filter((ref) => ref.startsWith('MSG-'));
  };
  await make('joining', merge('SB-2', 'A joining of the threads'));
  await make('weaving', merge('SB-1', 'A weaving of both'));
});
afterEach(cleanup);
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (path: string): void => {
  const storage = { getItem: () => null, setItem: () => {} };
  stage.render(<App live={stage.live} drawn={drawn} isHere storage={storage} entranceTrouble={null} onLeave={() => {}} />, { path });
};

/** What is read on the page, without its frame. */
const read = (): string => (document.querySelector('main')?.textContent ?? '').replaceAll(/\s+/gu, ' ');

test.each([
  ['spinning', '/sidebars/SB-1'],
  ['parting', '/sidebars/SB-2'],
  ['chattering', /^\/sidebars\/SB-1\?at=MSG-\d+$/u],
  ['fraying', '/sidebars/SB-1?tab=scratchpad&finding=SCRATCH-1%3AFINDING-1'],
  ['quoting', '/refs/CITE-1'],
  ['glittering', '/gold?show=GOLD-1'],
  ['drawing', '/refs/MEDIA-1'],
  ['joining', /^\/sidebars\/SB-1\?at=MSG-\d+$/u],
  ['weaving', new RegExp(`^/sessions/${SESSION}\\?at=MSG-\\d+$`, 'u')],
])('[PAGE-169] the reference of what says “%s” leads to where it is shown', async (word, place) => {
  open(`/refs/${made.get(word) ?? ''}`);
  await waitFor(() => expect(stage.paths.at(-1)).toMatch(place));
  await waitFor(() => expect(read()).toContain(word));
});

test.each(['AGENT-ada', `FILE-${HASH.slice(0, 12)}:4-9`, 'SCRATCH-1', 'SCRATCH-1:FINDING-1'])('[PAGE-169] so does %s', async (reference) => {
  open(`/refs/${encodeURIComponent(reference)}`);
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(read()).toMatch(/knotting|quoting|fraying/u));
});

test.each([
  'spinning',
  'parting',
  'chattering',
  'fraying',
  'squinting',
  'touching',
  'mending',
  'quoting',
  'glittering',
  'drawing',
  'joining',
  'weaving',
])('[PAGE-169] what is found for “%s” is shown at its place', async (word) => {
  await expect.poll(async () => (await stage.live.ask('search', { q: word })).items.length).toBeGreaterThan(0);
  const { items } = await stage.live.ask('search', { q: word });
  for (const hit of items) {
    open(placeOfHit(hit));
    await waitFor(() => expect({ hit: hit.snippet, read: read().includes(word) }).toEqual({ hit: hit.snippet, read: true }));
    cleanup();
  }
});
