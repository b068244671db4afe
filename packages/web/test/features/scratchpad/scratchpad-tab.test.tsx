// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ScratchpadTab } from '../../../src/features/scratchpad/scratchpad-tab.tsx';
import { READING_ONLY } from '../../../src/live/refusal.ts';
import { actOf, findingCard, openStage, WithSidebar, type Stage } from './stage.tsx';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const show = (path = '/sidebars/SB-1'): ReturnType<Stage['render']> =>
  stage.render(<WithSidebar of="SB-1">{(sidebar) => <ScratchpadTab sidebar={sidebar} />}</WithSidebar>, { path });

const countsShown = async (): Promise<Readonly<Record<string, string>>> => {
  await screen.findByRole('heading', { name: 'Pending' });
  return Object.fromEntries(
    [...document.querySelectorAll('.finding-group-head')].map((head) => [
      head.querySelector('h2')?.textContent ?? '',
      head.querySelector('.count')?.textContent ?? '',
    ]),
  );
};

const submit = (content: string, more: { readonly sourceRefs?: readonly string[]; readonly supersedes?: string } = {}): Promise<string> =>
  stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content, ...more });

const judge = (entryId: string, status: 'pending' | 'confirmed' | 'rejected', notes = 'looked at it'): Promise<string> =>
  stage.act('scratchpad_entry_validated', { sidebarId: 'SB-1', entryId, status, validationNotes: notes });

describe('submitting', () => {
  test('[PAGE-101] a finding is submitted with its evidence and waits for the curator', async () => {
    const user = userEvent.setup();
    await stage.act('citation_created', { sidebarId: 'SB-1', url: 'https://example.org/a', title: 'The log' });
    show();
    await user.click(await screen.findByRole('button', { name: 'Submit finding' }));
    await user.type(screen.getByLabelText('Finding'), 'The token expires after 5 minutes.');
    await user.type(screen.getByLabelText('Evidence'), 'cite-1 MSG-{Enter}');
    expect(await screen.findByText(/“MSG-” isn’t a reference/u)).toBeDefined();
    await user.clear(screen.getByLabelText('Evidence'));
    await user.type(screen.getByLabelText('Relevance to the task'), 'It explains the second login.');
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    const card = await findingCard(1);
    expect(await within(card).findByText('The token expires after 5 minutes.')).toBeDefined();
    expect(within(card).getByRole('link', { name: 'CITE-1' }).getAttribute('href')).toBe('/refs/CITE-1');
    expect(within(card).getByText('It explains the second login.')).toBeDefined();
    expect(await within(card).findByText('FRAG-1')).toBeDefined();
    await waitFor(async () => expect(await countsShown()).toEqual({ Pending: '1', Confirmed: '0' }));
    await waitFor(() => expect(screen.queryByLabelText('Finding')).toBeNull());
  });

  test('[PAGE-101] what is typed as evidence says what it stands for, or that there is nothing', async () => {
    const user = userEvent.setup();
    await submit('The cache is cold.');
    show();
    await user.click(await screen.findByRole('button', { name: 'Submit finding' }));
    await user.type(screen.getByLabelText('Evidence'), 'SCRATCH-1:FINDING-1');
    expect(await screen.findByText(/operator: The cache is cold\./u)).toBeDefined();
    await user.clear(screen.getByLabelText('Evidence'));
    await user.type(screen.getByLabelText('Evidence'), 'MSG-77{Enter}');
    const chosen = screen.getByRole('list', { name: 'Evidence, chosen' });
    expect(await within(chosen).findByText(/MSG-77/u, { selector: '.reference-gist-bad' })).toBeDefined();
    await user.click(within(chosen).getByRole('button', { name: 'Remove MSG-77' }));
    await user.click(screen.getByRole('button', { name: 'SCRATCH-1:FINDING-1' }));
    expect(within(screen.getByRole('list', { name: 'Evidence, chosen' })).getByRole('link', { name: 'Finding 1' })).toBeDefined();
  });

  test('[PAGE-114] what is refused is gone from the list again, and why stands where it was sent, with what was written', async () => {
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Submit finding' }));
    await user.type(screen.getByLabelText('Finding'), 'Seen in a message.');
    await user.type(screen.getByLabelText('Evidence'), 'MSG-77{Enter}');
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect((await screen.findByRole('alert')).textContent).toBe('There is no MSG-77 on this board.');
    expect(screen.queryByRole('article')).toBeNull();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Finding').value).toBe('Seen in a message.');
  });

  test('[PAGE-117] what is being written is there again after one has been elsewhere', async () => {
    const user = userEvent.setup();
    const first = show();
    await user.click(await screen.findByRole('button', { name: 'Submit finding' }));
    await user.type(screen.getByLabelText('Finding'), 'Half a sent');
    first.unmount();
    show();
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Finding')).value).toBe('Half a sent');
  });

  test('[PAGE-101] a revision begins with what it revises, and both lead to each other once it is confirmed', async () => {
    const user = userEvent.setup();
    await submit('It takes 5 seconds.');
    await judge('FINDING-1', 'confirmed');
    show();
    await user.click(await screen.findByRole('button', { name: 'Revise finding 1' }));
    const area = screen.getByLabelText<HTMLTextAreaElement>('Finding');
    expect(area.value).toBe('It takes 5 seconds.');
    await user.clear(area);
    await user.type(area, 'It takes 8 seconds.');
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(within(await findingCard(2)).getByText(/Would replace/u)).toBeDefined();
    await waitFor(() => expect(screen.queryByLabelText('Finding')).toBeNull());
    await judge('FINDING-2', 'confirmed');
    await waitFor(async () => expect(within(await findingCard(2)).getByText(/^Replaces/u)).toBeDefined());
    await waitFor(async () => expect(await countsShown()).toEqual({ Pending: '0', Confirmed: '1', Superseded: '1' }));
    const revised = within(await findingCard(1));
    expect(revised.getByText('superseded')).toBeDefined();
    expect(revised.getByRole('link', { name: 'Finding 2' })).toBeDefined();
  });
});

describe('curating', () => {
  test('[PAGE-102] findings are in groups with their numbers', async () => {
    await submit('One.');
    await submit('Two.');
    await submit('Three.');
    await judge('FINDING-2', 'confirmed');
    await judge('FINDING-3', 'rejected', 'Nothing shows it.');
    show();
    await waitFor(async () => expect(await countsShown()).toEqual({ Pending: '1', Confirmed: '1', Rejected: '1' }));
  });

  test('[PAGE-103] a finding tells by whom and how it was judged, what was looked at, and what was noted', async () => {
    const user = userEvent.setup();
    await submit('The pool is **exhausted**.', { sourceRefs: ['AGENT-operator'] });
    show();
    await user.click(await screen.findByRole('button', { name: 'Review finding 1' }));
    await user.selectOptions(screen.getByLabelText('Fits the task?'), 'yes');
    await user.selectOptions(screen.getByLabelText('Contradicts other findings?'), 'no');
    await user.type(screen.getByLabelText('Notes'), 'The metrics show it.');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    const card = within(await findingCard(1));
    expect(await card.findByText(/Confirmed by/u)).toBeDefined();
    expect(card.getByText('The metrics show it.')).toBeDefined();
    expect(
      within(card.getByRole('list', { name: 'Checks' }))
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['fits the task', 'no contradictions']);
    expect(await card.findByText('provisional')).toBeDefined();
    await user.click(await screen.findByRole('button', { name: 'Add note to finding 1' }));
    await user.type(screen.getByLabelText('Note'), 'Since Tuesday.');
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    expect(await within(await findingCard(1)).findByText('Since Tuesday.')).toBeDefined();
  });

  test('[PAGE-361] a finding is checked where it stands; what came of it is evidence and changes no status', async () => {
    const user = userEvent.setup();
    await submit('Port 11 is open.');
    show();
    await user.click(await screen.findByRole('button', { name: 'Check by machine' }));
    const card = within(await findingCard(1));
    await user.click(await card.findByText(/Checked 4 ways: contradicted/u));
    expect(card.getByRole('rowheader', { name: 'port' }).closest('tr')?.textContent).toContain('port 11: closed');
    expect(card.getByRole('button', { name: 'Check again' })).toBeDefined();
    await waitFor(async () => expect(await countsShown()).toEqual({ Pending: '1', Confirmed: '0' }));
  });

  test('[PAGE-103] a rejection needs a reason', async () => {
    const user = userEvent.setup();
    await submit('It is the moon.');
    show();
    await user.click(await screen.findByRole('button', { name: 'Review finding 1' }));
    await user.click(screen.getByRole('radio', { name: 'Reject' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Reason').required).toBe(true);
    await user.type(screen.getByLabelText('Reason'), 'It was a new moon.');
    await user.click(screen.getByRole('button', { name: 'Reject' }));
    expect(await within(await findingCard(1)).findByText('It was a new moon.')).toBeDefined();
    await waitFor(async () => expect(await countsShown()).toEqual({ Pending: '0', Confirmed: '0', Rejected: '1' }));
  });

  test('[PAGE-116] by keyboard: j and k go from finding to finding, c and r judge the one that has the focus', async () => {
    const user = userEvent.setup();
    await submit('One.');
    await submit('Two.');
    show();
    await findingCard(2);
    (await findingCard(1)).focus();
    await user.keyboard('j');
    expect(document.activeElement?.id).toBe('finding-2');
    await user.keyboard('k');
    expect(document.activeElement?.id).toBe('finding-1');
    await user.keyboard('c{Enter}');
    expect(await within(await findingCard(1)).findByText(/Confirmed by/u)).toBeDefined();
    await waitFor(() => expect(document.activeElement?.id).toBe('finding-2'));
    await user.keyboard('r');
    await user.keyboard('Nothing shows it.');
    await user.click(screen.getByRole('button', { name: 'Reject' }));
    await waitFor(async () => expect(await countsShown()).toEqual({ Pending: '0', Confirmed: '1', Rejected: '1' }));
  });

  test('[PAGE-104] who stands in for the curator is told so before it is done', async () => {
    const user = userEvent.setup();
    await stage.act('agent_register', { agentId: 'critic' });
    await stage.act('sidebar_update', { sidebarId: 'SB-1', curatorAgent: 'critic' });
    await submit('One.');
    show();
    await user.click(await screen.findByRole('button', { name: 'Review finding 1' }));
    expect((await screen.findByText(/’s job\. If you do it, it counts as an intervention\./u)).textContent).toContain('critic');
  });

  test('[PAGE-115] the finding in the address is brought into view, also from a group that is folded', async () => {
    await submit('It takes 5 seconds.');
    await judge('FINDING-1', 'confirmed');
    await submit('It takes 8 seconds.', { supersedes: 'FINDING-1' });
    await judge('FINDING-2', 'confirmed');
    show('/sidebars/SB-1?finding=SCRATCH-1:FINDING-1');
    await waitFor(() => expect(document.activeElement?.id).toBe('finding-1'));
    expect(document.activeElement?.closest('details')?.open).toBe(true);
  });
});

describe('many and long ones', () => {
  test('[PAGE-102] of many findings as many are drawn as one looks at, and of a long one the beginning', async () => {
    const user = userEvent.setup();
    await submit(`${'word '.repeat(800)}end`);
    for (let n = 2; n <= 33; n += 1) await submit(`Thing ${String.fromCodePoint(96 + n)}.`);
    show();
    const first = within(await findingCard(1));
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(30));
    await user.click(first.getByRole('button', { name: 'Show all 4,003 characters' }));
    expect((await findingCard(1)).textContent).toContain('word end');
    await user.click(await screen.findByRole('button', { name: 'Show 3 more' }));
    expect(screen.getAllByRole('article')).toHaveLength(33);
  });
});

describe('conflicts and completion', () => {
  test('[PAGE-105] a conflict shows both sides and what contradicts; settled, it is out of the way', async () => {
    const user = userEvent.setup();
    await submit('The token expires after 5 minutes.');
    await submit('The token expires after 30 minutes.');
    show();
    const conflict = within(await screen.findByRole('region', { name: 'Conflict 1' }));
    expect(conflict.getByText(/one says 30 min/u)).toBeDefined();
    expect(conflict.getByText('The token expires after 5 minutes.')).toBeDefined();
    expect(conflict.getByText('The token expires after 30 minutes.')).toBeDefined();
    await user.click(conflict.getByRole('button', { name: 'Resolve conflict 1' }));
    await user.type(conflict.getByLabelText('Resolution'), 'Two kinds of token.');
    await user.click(conflict.getByRole('button', { name: 'Resolve' }));
    expect(await screen.findByText('Resolved conflicts')).toBeDefined();
    expect(await within(await screen.findByRole('region', { name: 'Conflict 1' })).findByText('Two kinds of token.')).toBeDefined();
  });

  test('[PAGE-105] [REF-13] a conflict that ended by a rejection says by whom and why, and is found by its reference', async () => {
    await submit('The token expires after 5 minutes.');
    await submit('The token expires after 30 minutes.');
    await judge('FINDING-1', 'rejected', 'measured again');
    show('/sidebars/SB-1?tab=scratchpad&conflict=1');
    const region = await screen.findByRole('region', { name: 'Conflict 1' });
    expect(within(region).getByRole('link', { name: 'Conflict 1' }).getAttribute('href')).toBe('/refs/SB-1%3ACONFLICT-1');
    expect(within(region).getByText('measured again')).toBeDefined();
    expect(region.textContent).toContain('Ended when a finding was rejected by operator');
    expect(region.closest('details')?.open).toBe(true);
    await waitFor(() => expect(document.activeElement).toBe(region));
  });

  test('[PAGE-105] several conflicts at once lead to the sidebar that resolves them', async () => {
    await submit('The timeout of the gateway is 10 seconds.');
    await submit('The timeout of the gateway is 20 seconds.');
    await stage.act('conflict_resolve', { sidebarId: 'SB-1', conflictId: 'CONFLICT-1', notes: 'measured twice' });
    await submit('The timeout of the gateway is 40 seconds.');
    show();
    const conflict = within(await screen.findByRole('region', { name: 'Conflict 2' }));
    expect(await conflict.findByRole('link', { name: 'SB-2' })).toBeDefined();
  });

  test('[PAGE-114] a judgement that the domain refuses cannot be sent, and says why', async () => {
    const user = userEvent.setup();
    await submit('The token expires after 5 minutes.');
    await judge('FINDING-1', 'confirmed');
    await submit('The token expires after 30 minutes.');
    show();
    await user.click(await screen.findByRole('button', { name: 'Review finding 2' }));
    expect((await screen.findByRole('alert')).textContent).toContain('SCRATCH-1:FINDING-2 contradicts SCRATCH-1:FINDING-1, which is confirmed');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm' }).disabled).toBe(true);
  });

  test('[PAGE-106] what is missing until it may be consolidated is listed', async () => {
    await submit('One.');
    show();
    const list = within(await screen.findByRole('region', { name: 'Before merging' }));
    await waitFor(() =>
      expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
        'No confirmed findings yet',
        '1 finding to reviewFinding 1',
        'No open conflicts',
      ]),
    );
    await judge('FINDING-1', 'confirmed');
    expect(await list.findByText('Ready to merge.')).toBeDefined();
  });
});

describe('others', () => {
  test('[PAGE-118] whoever does not take part is told so, and is offered nothing that would be refused', async () => {
    const { token } = await registered('stranger');
    await submit('One.');
    const live = stage.connect(token);
    await waitFor(() => expect(live.connection.get().kind).toBe('open'));
    stage.renderAs(live, <WithSidebar of="SB-1">{(sidebar) => <ScratchpadTab sidebar={sidebar} />}</WithSidebar>);
    await findingCard(1);
    await waitFor(() => expect(document.querySelector('.notice')?.textContent).toContain('AGENT-stranger is not a participant of SB-1'));
    expect(screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([
      'Copy SCRATCH-1',
      'Copy SCRATCH-1:FINDING-1',
    ]);
  });

  test('[PAGE-118] whoever only reads is told how to act', async () => {
    await submit('One.');
    stage.renderAs(stage.connect(null), <WithSidebar of="SB-1">{(sidebar) => <ScratchpadTab sidebar={sidebar} />}</WithSidebar>);
    await findingCard(1);
    expect(document.querySelector('.notice')?.textContent).toBe(READING_ONLY);
    expect(screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Copy SCRATCH-1',
      'Copy SCRATCH-1:FINDING-1',
    ]);
  });

  test('[PAGE-102] what others do is seen as it happens', async () => {
    const { token } = await registered('scout');
    await stage.act('agent_recruited', { sidebarId: 'SB-1', agentId: 'scout' });
    show();
    await screen.findByText('No findings yet');
    await actOf(stage.connect(token), 'scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'Seen by the scout.' });
    expect(await within(await findingCard(1)).findByText('scout')).toBeDefined();
  });

  const registered = async (name: string): Promise<{ readonly token: string }> => {
    const outcome = await stage.live.send('agent_register', { agentId: name });
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    return outcome.result;
  };
});
