// @vitest-environment happy-dom
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SidebarPage } from '../../../src/features/sidebars/sidebar-page.tsx';
import { actAs, openStage, type Stage } from './stage.tsx';

const DEMO = join(import.meta.dirname, '../../../../cli/demo');

const saidHere = (): readonly string[] =>
  within(screen.getByRole('list', { name: 'Messages in this sidebar' }))
    .getAllByRole('article')
    .map((article) => article.querySelector('.talk-message-text')?.textContent ?? '');

const box = (): HTMLTextAreaElement => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message SB-1' });

describe('a conversation', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    await stage.enlist('mia', 'human');
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Find the leak' });
  });
  afterEach(() => stage.close());

  test('[PAGE-260] a claim is checked where it stands, and everything that was tried is shown', async () => {
    const user = userEvent.setup();
    const refs = await stage.act('chat_message', { sidebarId: 'SB-1', content: 'Port 11 is open.' });
    const exchange = refs.find((ref) => ref.startsWith('EXCH-')) ?? '';
    const [ref] = await stage.act('sidebar_child_spawn', { parentSidebarId: 'SB-1', subTaskDescription: 'Look closer' });
    stage.render(<SidebarPage sidebarRef={ref ?? ''} />);
    await user.click(await screen.findByRole('button', { name: 'Show inherited messages' }));
    await user.click(await screen.findByLabelText(`${exchange}: unverified`));
    await user.click(await screen.findByRole('button', { name: 'Check by machine' }));
    await screen.findByLabelText(`${exchange}: contradicted`);
    await user.click(await screen.findByText(/Checked 4 ways: contradicted/u));
    const row = (await screen.findByRole('rowheader', { name: 'port' })).closest('tr');
    expect(row?.textContent).toContain('port 11: closed');
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(async () => expect((await stage.live.ask('validation_history', {})).items).toHaveLength(2));
  });

  test('[PAGE-350] a message and an inherited exchange are remembered where they stand, once', async () => {
    const user = userEvent.setup();
    const refs = await stage.act('chat_message', { sidebarId: 'SB-1', content: 'It is the pool.' });
    const exchange = refs.find((one) => one.startsWith('EXCH-')) ?? '';
    const [ref = ''] = await stage.act('sidebar_child_spawn', { parentSidebarId: 'SB-1', subTaskDescription: 'Look closer' });
    stage.render(<SidebarPage sidebarRef={ref} />);
    await user.click(await screen.findByRole('button', { name: 'Show inherited messages' }));
    await user.click(await screen.findByRole('button', { name: `Remember ${exchange}` }));
    await screen.findByText(`${exchange} remembered`);
    await user.click(screen.getByRole('button', { name: 'Remember MSG-1' }));
    await screen.findByText('MSG-1 remembered');
    const { items } = await stage.live.ask('episodes', { sidebarId: ref });
    expect(items.map((one) => [one.about, one.archiveReason, one.provisional])).toEqual([
      ['MSG-1', 'manual', false],
      [exchange, 'manual', false],
    ]);
    await user.click(screen.getByRole('button', { name: 'Remember MSG-1' }));
    await screen.findByText('MSG-1 was not remembered');
  });

  test('[PAGE-86] what is said is seen at once, by whom it is said and by the others, each once', async () => {
    const user = userEvent.setup();
    const weaver = await stage.enlist('weaver');
    await stage.act('agent_recruited', { sidebarId: 'SB-1', agentId: 'weaver' });
    stage.render(<SidebarPage sidebarRef="SB-1" />);
    await screen.findByText('No messages yet');
    await user.type(box(), 'Is it the pool?{Enter}');
    await waitFor(() => expect(saidHere()).toEqual(['Is it the pool?']));
    expect(box().value).toBe('');
    await screen.findByRole('link', { name: 'MSG-1' });
    await actAs(weaver, 'chat_message', { sidebarId: 'SB-1', content: 'It is.', inReplyTo: 'MSG-1' });
    await waitFor(() => expect(saidHere()).toEqual(['Is it the pool?', 'It is.']));
    expect(screen.getAllByText(/in reply to/u)).toHaveLength(1);
  });

  test('[PAGE-86] what was refused comes back into the box, with the reason', async () => {
    const user = userEvent.setup();
    stage.render(<SidebarPage sidebarRef="SB-1" />);
    await screen.findByText('No messages yet');
    await user.type(box(), 'A last word');
    await user.click(box());
    // Archived by somebody else between writing and sending, before this page knows.
    const said = stage.live.send('sidebar_archive', { sidebarId: 'SB-1' });
    await user.keyboard('{Enter}');
    await said;
    expect((await screen.findByRole('alert')).textContent).toContain('nothing can be added to it');
    expect(screen.getByText(/A last word/u)).toBeDefined();
    expect(screen.queryByRole('list', { name: 'Messages in this sidebar' })).toBeNull();
  });

  test('[PAGE-88] @ offers names by keyboard; a message is replied to and cited from where it stands', async () => {
    const user = userEvent.setup();
    await stage.act('chat_message', { sidebarId: 'SB-1', content: 'first' });
    stage.render(<SidebarPage sidebarRef="SB-1" />);
    await screen.findByRole('link', { name: 'MSG-1' });
    await user.click(screen.getByRole('button', { name: 'Reply to MSG-1' }));
    expect(screen.getByText(/In reply to MSG-1/u)).toBeDefined();
    await user.type(box(), 'ask @m');
    expect(within(screen.getByRole('listbox')).getByRole('option', { name: /mia/u }).getAttribute('aria-selected')).toBe('true');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(box().value).toBe('ask @mia '));
    expect(screen.queryByRole('listbox')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Cite MSG-1' }));
    await waitFor(() => expect(box().value).toBe('ask @mia MSG-1 '));
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(saidHere()).toEqual(['first', 'ask @mia MSG-1']));
    await screen.findByRole('button', { name: 'Reply to MSG-2' });
    expect((await stage.live.ask('sidebar_memory', { sidebarId: 'SB-1' })).items.at(-1)).toMatchObject({
      exchangeId: 'EXCH-1',
      citations: ['MSG-1'],
    });
  });

  test('[PAGE-643] a contradiction names findings by their first words, with the reference on hover', async () => {
    await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'How many?', successCriteria: 'The number is known.' });
    for (const content of ['The pool has 5 connections.', 'The pool has 50 connections.'])
      await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-2', content });
    stage.render(<SidebarPage sidebarRef="SB-2" />);
    const first = await screen.findByRole('link', { name: '“The pool has 5 connections.”' });
    const second = await screen.findByRole('link', { name: '“The pool has 50 connections.”' });
    expect([first.title, second.title]).toEqual(['SCRATCH-2:FINDING-1', 'SCRATCH-2:FINDING-2']);
  });

  test('[PAGE-86] what is written stays when one looks elsewhere', async () => {
    const user = userEvent.setup();
    const { unmount } = stage.render(<SidebarPage sidebarRef="SB-1" />);
    await screen.findByText('No messages yet');
    await user.type(box(), 'half a thought');
    unmount();
    stage.render(<SidebarPage sidebarRef="SB-1" />);
    await screen.findByText('No messages yet');
    expect(box().value).toBe('half a thought');
  });

  test('[PAGE-99] the address of a message leads to it, also when it lies far back', async () => {
    for (let n = 1; n <= 90; n += 1) await stage.act('chat_message', { sidebarId: 'SB-1', content: `message ${n}` });
    stage.render(<SidebarPage sidebarRef="SB-1" />, { path: '/sidebars/SB-1?at=msg-3' });
    await waitFor(() => expect(document.getElementById('MSG-3')?.dataset['sought']).toBe('true'));
    await waitFor(() => expect(saidHere()).toEqual(Array.from({ length: 90 }, (_, n) => `message ${n + 1}`)));
  });
});

describe('what was inherited', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({ roots: [DEMO] });
    const { items } = await stage.live.ask('sessions', {});
    const longest = items.toSorted((a, b) => b.messages - a.messages)[0]?.sessionId ?? '';
    await stage.act('sidebar_spawn', { parentId: longest, taskDescription: 'Look into it' });
    await stage.act('chat_message', { sidebarId: 'SB-1', content: 'said here' });
  });
  afterEach(() => stage.close());

  test('[PAGE-85] stands above a line, is asked for when somebody looks there, and ends at the line', async () => {
    const user = userEvent.setup();
    stage.render(<SidebarPage sidebarRef="SB-1" />);
    await screen.findByRole('separator', { name: 'SB-1 starts here' });
    expect(screen.queryByRole('list', { name: 'Inherited messages' })?.children.length ?? 0).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Show inherited messages' }));
    const list = await screen.findByRole('list', { name: 'Inherited messages' });
    await waitFor(() => expect(list.children.length).toBeGreaterThan(0));
    const { items } = await stage.live.ask('sidebar_memory', { sidebarId: 'SB-1', part: 'inherited', limit: 500 });
    const shown = within(list)
      .getAllByRole('article')
      .map((article) => article.id);
    expect(shown).toEqual(items.slice(-shown.length).map(({ ref }) => ref ?? ''));
    const line = screen.getByRole('separator', { name: 'SB-1 starts here' });
    expect(list.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    expect(saidHere()).toEqual(['said here']);
  });

  test('[PAGE-89] exchanges are scored and put into the focus; what the others think stands beside', async () => {
    const user = userEvent.setup();
    const weaver = await stage.enlist('weaver');
    await stage.act('agent_recruited', { sidebarId: 'SB-1', agentId: 'weaver' });
    const { items } = await stage.live.ask('sidebar_memory', { sidebarId: 'SB-1', part: 'inherited', limit: 500 });
    const exchange = items.at(-1)?.exchangeId ?? '';
    stage.render(<SidebarPage sidebarRef="SB-1" />);
    await user.click(await screen.findByRole('button', { name: 'Show inherited messages' }));
    const weights = await screen.findByRole('group', { name: `Relevance of ${exchange}` });
    await user.click(within(weights).getByRole('button', { name: 'HIGH' }));
    await waitFor(() => expect(within(weights).getByRole('button', { name: 'HIGH' }).getAttribute('aria-pressed')).toBe('true'));
    await screen.findByText('HIGH 0.9');
    await screen.findByText('in focus');
    await actAs(weaver, 'relevance_score', { sidebarId: 'SB-1', scores: { [exchange]: 'LOW' } });
    await screen.findByText('MEDIUM 0.5');
    await screen.findByText('disputed');
    await waitFor(() => expect(screen.queryByText('in focus')).toBeNull());
    await user.click(screen.getByRole('button', { name: `Add ${exchange} to focus` }));
    await screen.findByText('in focus');
    await waitFor(async () => expect((await stage.live.ask('sidebar', { sidebarId: 'SB-1' })).activeFocus).toEqual([exchange]));
    await user.click(screen.getByRole('button', { name: `Remove ${exchange} from focus` }));
    await waitFor(() => expect(screen.queryByText('in focus')).toBeNull());
  });

  test('[PAGE-217] exchanges are verified where they stand; what others said is shown beside, and a dispute is settled', async () => {
    const user = userEvent.setup();
    const [weaver, reed] = [await stage.enlist('weaver'), await stage.enlist('reed')];
    for (const agentId of ['weaver', 'reed']) await stage.act('agent_recruited', { sidebarId: 'SB-1', agentId });
    const { items } = await stage.live.ask('sidebar_memory', { sidebarId: 'SB-1', part: 'inherited', limit: 500 });
    const exchange = items.at(-1)?.exchangeId ?? '';
    stage.render(<SidebarPage sidebarRef="SB-1" />);
    await user.click(await screen.findByRole('button', { name: 'Show inherited messages' }));
    const said = async (word: string): Promise<HTMLElement> => screen.findByLabelText(`${exchange}: ${word}`);
    await user.click(await said('unverified'));
    await actAs(weaver, 'claim_verify', { sidebarId: 'SB-1', claimId: exchange, verification: 'confirmed', confidence: 0.7 });
    await said('confirmed');
    await actAs(reed, 'claim_verify', { sidebarId: 'SB-1', claimId: exchange, verification: 'contradicted', notes: 'It moved.' });
    await said('disputed');
    const card = await screen.findByRole('group', { name: `Settle ${exchange}` });
    await user.type(within(card).getByRole('textbox', { name: 'Why (needed)' }), 'I looked.');
    await user.click(within(card).getByRole('button', { name: 'Settle as contradicted' }));
    await said('contradicted');
    await screen.findByText(/settled it: contradicted/u);
    const judge = await screen.findByRole('group', { name: `Verify ${exchange}` });
    await user.click(within(judge).getByRole('button', { name: 'Confirm' }));
    await said('confirmed');
    await waitFor(async () => {
      const { items: claims } = await stage.live.ask('claims', { sidebarId: 'SB-1' });
      expect(claims.find(({ claimId }) => claimId === 'SB-1:CLAIM-1')).toMatchObject({ exchangeId: exchange, verification: 'confirmed' });
    });
  });
});
