// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GoldPage } from '../../../src/features/citations/gold-page.tsx';
import { ScratchpadTab } from '../../../src/features/scratchpad/scratchpad-tab.tsx';
import { findingCard, openStage, WithSidebar, type Stage } from './stage.tsx';

let stage: Stage;
let user: UserEvent;

beforeEach(async () => {
  stage = await openStage();
  user = userEvent.setup();
});
afterEach(() => stage.close());

const show = (): void => void stage.render(<WithSidebar of="SB-1">{(sidebar) => <ScratchpadTab sidebar={sidebar} />}</WithSidebar>);

const judgements = async (): Promise<readonly unknown[]> => {
  const { confirmedFindings, pendingFindings, rejectedFindings } = await stage.live.ask('scratchpad', { sidebarId: 'SB-1' });
  return [...confirmedFindings, ...pendingFindings, ...rejectedFindings].map(({ status, validationNotes }) => ({ status, validationNotes }));
};

describe('two who judge at once', () => {
  test('[PAGE-177] a form says at once that the finding was judged meanwhile, and goes on from how it is now', async () => {
    await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'The pool is small.' });
    show();
    (await findingCard(1)).focus();
    await user.keyboard('c');
    await user.type(screen.getByLabelText('Notes'), 'Measured.');
    await stage.act('scratchpad_entry_validated', { sidebarId: 'SB-1', entryId: 'FINDING-1', status: 'rejected', validationNotes: 'Not shown.' });
    await screen.findByRole('alert');
    expect({ focus: document.activeElement, group: screen.getByRole('form').closest('details')?.className }).toEqual({
      focus: screen.getByLabelText('Notes'),
      group: 'finding-group finding-group-pending',
    });
    const form = within(screen.getByRole('form', { name: 'Review finding 1' }));
    expect(form.getByRole('alert').textContent).toContain(
      'AGENT-operator changed SCRATCH-1:FINDING-1 from pending to rejected in the meantime. Look at it again.',
    );
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Confirm' }).disabled).toBe(true);
    expect(form.getByLabelText<HTMLTextAreaElement>('Notes').value).toBe('Measured.');
    await user.click(form.getByRole('button', { name: 'Review the current version' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect({ focus: document.activeElement, group: screen.getByRole('form').closest('details')?.className }).toEqual({
      focus: screen.getByRole('button', { name: 'Confirm' }),
      group: 'finding-group finding-group-rejected',
    });
    await user.keyboard('{Enter}');
    await waitFor(async () => expect(await judgements()).toEqual([{ status: 'confirmed', validationNotes: 'Measured.' }]));
  });

  test('[PAGE-177] a judgement that comes second is refused by the server, and its form is back with what was written', async () => {
    await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'The pool is small.' });
    const other = stage.connect(stage.server.token);
    await waitFor(() => expect(other.reach.get().kind).toBe('loaded'));
    stage.renderAs(other, <WithSidebar of="SB-1">{(sidebar) => <ScratchpadTab sidebar={sidebar} />}</WithSidebar>);
    await user.click(await screen.findByRole('button', { name: 'Review finding 1' }));
    await user.type(screen.getByLabelText('Notes'), 'Measured.');
    const first = stage.act('scratchpad_entry_validated', {
      sidebarId: 'SB-1',
      entryId: 'FINDING-1',
      status: 'rejected',
      validationNotes: 'Not shown.',
    });
    // In the same moment: this page has not been told of the other yet.
    screen.getByRole('button', { name: 'Confirm' }).click();
    await first;
    const form = within(await screen.findByRole('form', { name: 'Review finding 1' }));
    expect((await form.findByRole('alert')).textContent).toContain('from pending to rejected in the meantime');
    expect(form.getByLabelText<HTMLTextAreaElement>('Notes').value).toBe('Measured.');
    expect(await judgements()).toEqual([{ status: 'rejected', validationNotes: 'Not shown.' }]);
  });

  test('[PAGE-177] the form of a GOLD says it, too', async () => {
    const insight = { keyInsight: 'Pools leak.', reusePattern: 'Look.', triggerConditions: ['leak'] };
    await stage.act('gold_created', { sidebarId: 'SB-1', sourceRefs: ['SB-1'], ...insight });
    stage.render(<GoldPage />, { path: '/gold' });
    await user.click(await screen.findByRole('button', { name: 'Review GOLD-1' }));
    await stage.act('gold_validated', { goldId: 'GOLD-1', status: 'rejected', validationNotes: 'Nothing shows it.' });
    const form = within(screen.getByRole('form', { name: 'Review GOLD-1' }));
    expect((await form.findByRole('alert')).textContent).toContain('AGENT-operator changed GOLD-1 from pending to rejected in the meantime.');
    await user.click(form.getByRole('button', { name: 'Review the current version' }));
    await user.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText(/Confirmed by/u)).toBeDefined();
  });
});

describe('what is typed as evidence', () => {
  test('[PAGE-176] one press on the button submits it with what was typed, and nothing moves under the press', async () => {
    await stage.act('citation_created', { sidebarId: 'SB-1', url: 'https://example.org/a', title: 'The log' });
    show();
    await user.click(await screen.findByRole('button', { name: 'Submit finding' }));
    await user.type(screen.getByLabelText('Finding'), 'The token expires.');
    await user.type(screen.getByLabelText('Evidence'), 'cite-1');
    const button = screen.getByRole('button', { name: 'Submit' });
    await user.pointer({ keys: '[MouseLeft>]', target: button });
    expect({ focus: document.activeElement, chosen: screen.queryByRole('list', { name: 'Evidence, chosen' }) }).toEqual({
      focus: button,
      chosen: null,
    });
    await user.pointer({ keys: '[/MouseLeft]', target: button });
    expect(within(await findingCard(1)).getByRole('link', { name: 'CITE-1' })).toBeDefined();
  });

  test('[PAGE-176] what is no reference is said, and nothing is sent; the next field takes what is one', async () => {
    show();
    await user.click(await screen.findByRole('button', { name: 'Submit finding' }));
    await user.type(screen.getByLabelText('Finding'), 'The token expires.');
    await user.type(screen.getByLabelText('Evidence'), 'SB-1 nowhere');
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect((await screen.findByRole('alert')).textContent).toContain('“nowhere” isn’t a reference');
    expect(screen.queryByRole('article')).toBeNull();
    await user.clear(screen.getByLabelText('Evidence'));
    await user.type(screen.getByLabelText('Evidence'), 'AGENT-operator');
    await user.click(screen.getByLabelText('Relevance to the task'));
    expect(
      within(screen.getByRole('list', { name: 'Evidence, chosen' }))
        .getAllByRole('button')
        .map((one) => one.getAttribute('aria-label')),
    ).toEqual(['Remove SB-1', 'Remove AGENT-operator']);
  });

  test('[PAGE-183] Ctrl-Enter submits a finding from any of its fields, with what is typed', async () => {
    show();
    await user.click(await screen.findByRole('button', { name: 'Submit finding' }));
    await user.type(screen.getByLabelText('Finding'), 'The token expires.');
    await user.type(screen.getByLabelText('Evidence'), 'SB-1{Control>}{Enter}{/Control}');
    expect(within(await findingCard(1)).getByRole('link', { name: 'SB-1' })).toBeDefined();
  });
});
