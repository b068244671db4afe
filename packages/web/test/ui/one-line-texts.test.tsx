// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Agents } from '../../src/features/agents/agents.tsx';
import { GoldPage } from '../../src/features/citations/gold-page.tsx';
import { createDrawingDesk } from '../../src/features/graph/drawing-desk.ts';
import { GraphPage } from '../../src/features/graph/graph-page.tsx';
import { Home } from '../../src/features/home/home.tsx';
import { Palette } from '../../src/features/search/palette.tsx';
import { ReferencePage } from '../../src/features/search/reference-page.tsx';
import { SearchPage } from '../../src/features/search/search-page.tsx';
import { SessionList } from '../../src/features/sessions/session-list.tsx';
import { SessionPage } from '../../src/features/sessions/session-page.tsx';
import { SidebarBoard } from '../../src/features/sidebars/sidebar-board.tsx';
import { SidebarPage } from '../../src/features/sidebars/sidebar-page.tsx';
import { SpawnDialog } from '../../src/features/sidebars/spawn-dialog.tsx';
import { call, makeTranscripts, prompt, reply, SESSION, type Transcripts } from '../features/home/transcripts.ts';
import { openStage, type Stage } from '../features/sidebars/stage.tsx';

// There is no layout here; a list that has no height draws nothing.
vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(2000);
vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(60);

/** Turns what follows, clears a terminal and ends a line where it is obeyed. */
const TURNED = 'invoice\u202Efdp.exe\u001b[2J\u0085\u2067end';
const TAME = 'invoice\uFFFDfdp.exe\u241B[2J\uFFFD\uFFFDend';

let stage: Stage;
let transcripts: Transcripts;
beforeAll(async () => {
  transcripts = makeTranscripts();
  const place = { cwd: `/home/ada/${TURNED}` };
  transcripts.add(SESSION, [
    prompt('p1', null, `Weave ${TURNED}`, place),
    call('c1', 'p1', `Bash${TURNED}`, { command: TURNED, description: TURNED }, place),
    call('c2', 'c1', 'Task', { description: TURNED, prompt: TURNED, ['subagent_type']: TURNED }, place),
    reply('r1', 'c2', `Woven ${TURNED}`, place),
    { type: 'summary', summary: TURNED, leafUuid: 'r1' },
  ]);
  transcripts.add(SESSION, [prompt('s1', null, TURNED, { ...place, isSidechain: true, agentId: 'a1' })], 'a1');
  stage = await openStage({ roots: [transcripts.root] });
  await stage.act('sidebar_spawn', {
    parentId: SESSION,
    taskDescription: `Find ${TURNED}`,
    successCriteria: TURNED,
    taskType: TURNED,
    tags: [TURNED],
  });
  await stage.act('chat_message', { sidebarId: 'SB-1', content: `Said ${TURNED}` });
  await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: `Found ${TURNED}`, relevanceToTask: TURNED });
  await stage.act('scratchpad_checkpoint', { sidebarId: 'SB-1', summary: TURNED });
  await stage.act('citation_created', { sidebarId: 'SB-1', title: TURNED, note: TURNED, content: TURNED });
  await stage.act('citation_created', { sidebarId: 'SB-1', path: `/srv/${TURNED}` });
  await stage.act('gold_created', {
    sourceRefs: ['MSG-1'],
    keyInsight: TURNED,
    reusePattern: TURNED,
    triggerConditions: [TURNED],
    sidebarId: 'SB-1',
  });
  await stage.act('agent_register', { agentId: 'weaver', kind: 'agent', specialties: [TURNED] });
  await stage.act('sidebar_waiting_update', { sidebarId: 'SB-1', waitingFor: TURNED, description: TURNED });
  await stage.server.drain();
});
afterEach(cleanup);
afterAll(async () => {
  await stage.close();
  transcripts.remove();
});

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const OBEYED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u;

/** Whatever the page would show, or have read out, and has to be obeyed there. */
const obeyed = (): readonly string[] =>
  [...document.querySelectorAll('*')].flatMap((element) => [
    ...[...element.childNodes].flatMap((node) =>
      node.nodeType === Node.TEXT_NODE && OBEYED.test(node.nodeValue ?? '')
        ? [`<${element.tagName} ${element.className}> ${node.nodeValue ?? ''}`]
        : [],
    ),
    ...SHOWN.flatMap((name) => (OBEYED.test(element.getAttribute(name) ?? '') ? [`${name} of <${element.tagName} ${element.className}>`] : [])),
  ]);
const SHOWN = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder', 'label'];

const startHere: NonNullable<Parameters<typeof GraphPage>[0]['start']> = (hear) => ({
  order: createDrawingDesk({ post: (answer) => act(() => hear(answer)), later: (work) => void setTimeout(work, 0) }),
  close: () => {},
});

const tab = (name: string): string => `/sidebars/SB-1?tab=${name}`;
const nothing = (): void => {};

type Place = {
  readonly name: string;
  readonly element: ReactNode;
  readonly path: string;
  readonly typed?: string;
  /** Where it has to be seen. */ readonly within?: string;
};
const PLACES: readonly Place[] = [
  { name: 'the list of sessions', element: <SessionList />, path: '/sessions', within: '.session-list-row' },
  { name: 'a session', element: <SessionPage sessionId={SESSION} />, path: `/sessions/${SESSION}`, within: '.step' },
  { name: 'a sub-agent', element: <SessionPage sessionId={SESSION} />, path: `/sessions/${SESSION}?thread=a1`, within: '.agent-panel' },
  { name: 'a graph', element: <GraphPage sessionId={SESSION} start={startHere} />, path: `/sessions/${SESSION}/graph`, within: '.tree' },
  { name: 'results', element: <SearchPage />, path: '/search?q=invoice', within: '.search-hit' },
  { name: 'a search that finds nothing', element: <SearchPage />, path: `/search?q=${encodeURIComponent(`"nothing" ${TURNED}`)}` },
  { name: 'the palette', element: <Palette isOpen onClose={nothing} />, path: '/' },
  { name: 'hits in the palette', element: <Palette isOpen onClose={nothing} />, path: '/', typed: 'invoice', within: '.palette-hit' },
  { name: 'a reference in the palette', element: <Palette isOpen onClose={nothing} />, path: '/', typed: 'MSG-1' },
  { name: 'home', element: <Home />, path: '/' },
  { name: 'what is no reference', element: <ReferencePage reference={TURNED} />, path: '/refs/x' },
  { name: 'a citation', element: <ReferencePage reference="CITE-1" />, path: '/refs/CITE-1' },
  { name: 'the board', element: <SidebarBoard />, path: '/sidebars', within: '.sidebar-card' },
  { name: 'a sidebar', element: <SidebarPage sidebarRef="SB-1" />, path: '/sidebars/SB-1' },
  { name: 'its scratchpad', element: <SidebarPage sidebarRef="SB-1" />, path: tab('scratchpad') },
  { name: 'its checkpoints', element: <SidebarPage sidebarRef="SB-1" />, path: tab('checkpoints') },
  { name: 'its citations', element: <SidebarPage sidebarRef="SB-1" />, path: tab('gold') },
  { name: 'waypoints', element: <GoldPage />, path: '/gold' },
  { name: 'agents', element: <Agents />, path: '/agents' },
  { name: 'a dialog', element: <SpawnDialog isOpen onClose={nothing} parentId="MSG-1" about={TURNED} />, path: '/' },
];

test.each(PLACES)('[PAGE-130] nothing of others is obeyed in $name', async ({ element, path, typed = '', within = 'body' }) => {
  stage.render(element, { path });
  const user = userEvent.setup();
  for (const key of typed) await user.keyboard(key);
  await waitFor(() => expect([...document.querySelectorAll(within)].map(({ textContent }) => textContent).join('\n')).toContain(TAME));
  await waitFor(() => expect(screen.queryAllByText(/^(?:Loading|Searching|Reading)/u)).toEqual([]));
  expect(obeyed()).toEqual([]);
});
