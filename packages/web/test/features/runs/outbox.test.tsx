import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ContinueBox } from '../../../src/features/runs/continue-box.tsx';
import { LastRun } from '../../../src/features/runs/composer.tsx';
import type { Holder } from '../../../src/features/runs/holder.ts';
import { useOutbox } from '../../../src/features/runs/outbox.ts';
import { PromptBox } from '../../../src/features/runs/prompt-box.tsx';
import type { Live } from '../../../src/live/live.ts';
import type { Run } from '../../../src/live/run-news.ts';
import { openTestPage, type TestPage } from '../../test-page.tsx';

let page: TestPage;
beforeAll(async () => {
  page = await openTestPage();
});
afterEach(cleanup);
afterAll(() => page.close());

const run: Run = {
  runId: '44444444-4444-4444-8444-444444444444',
  sessionId: '55555555-5555-4555-8555-555555555555',
  state: 'ended',
  status: 'completed',
  why: null,
  queued: [{ uuid: 'a', text: 'look at this', images: 2, at: null }],
} as unknown as Run; // only what these parts read
const holderOf = (sessionId: string): Holder => ({
  sessionId,
  holder: 'nobody',
  tool: 'claude-code',
  directory: '/work',
  isTerminalWaiting: false,
  run,
  slashCommands: [],
  forks: [],
});
const png = (name: string): File => new File([new Uint8Array(3)], name, { type: 'image/png' });
const paste = (...files: readonly File[]): boolean => fireEvent.paste(screen.getByRole('textbox'), { clipboardData: { files } });
const shown = (): readonly (string | null)[] => screen.queryAllByRole('img').map((one) => one.getAttribute('alt'));

/** The page's own connection, which keeps what is sent until `open`. */
const heldLive = (): { readonly live: Live; readonly sent: readonly string[]; readonly open: () => void } => {
  const sent: string[] = [];
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const send: Live['send'] = async (name, input, proposal) => {
    sent.push(name);
    await gate;
    return page.live.send(name, input, proposal);
  };
  return { live: { ...page.live, send }, sent, open };
};

const Prompt = ({ sessionId }: { readonly sessionId: string }) => {
  const outbox = useOutbox(sessionId, run);
  return (
    <>
      <PromptBox label="Prompt" value={outbox.text} onChange={outbox.write} onEnter={() => outbox.send(run, false)} hint="" images={outbox.images} />
      <p>{outbox.outgoing.length} on their way</p>
      <p role="note">{outbox.refusal}</p>
    </>
  );
};

const Continue = ({ sessionId }: { readonly sessionId: string }) => (
  <ContinueBox holder={holderOf(sessionId)} outbox={useOutbox(sessionId, null)} onDone={() => {}} />
);

test('[PAGE-401] [PAGE-428] a prompt that is being sent while you leave and come back is sent once, with its images', async () => {
  const { live, sent, open } = heldLive();
  const user = userEvent.setup();
  page.render(<Prompt sessionId="left" />, { as: live });
  paste(png('one.png'));
  await waitFor(() => expect(shown()).toEqual(['one.png']));
  await waitFor(() => expect(screen.queryByText(/Reading images/u)).toBeNull());
  await user.type(screen.getByRole('textbox'), 'look{Enter}');
  expect([sent, shown()]).toEqual([['send_message'], []]);
  cleanup();
  page.render(<Prompt sessionId="left" />, { as: live });
  expect(screen.getByText('1 on their way')).toBeTruthy();
  expect([screen.getByRole('note').textContent, screen.getByRole<HTMLTextAreaElement>('textbox').value]).toEqual(['', '']);
  open();
  // There is no such run: the prompt goes back into the box that is shown.
  await screen.findByText('0 on their way');
  expect([sent, shown(), screen.getByRole<HTMLTextAreaElement>('textbox').value]).toEqual([['send_message'], ['one.png'], 'look']);
  expect(screen.getByRole('note').textContent).not.toBe('');
});

test('[PAGE-428] a prompt that would not fit into one frame stays in the box, and says so', async () => {
  const { live, sent } = heldLive();
  page.render(<Prompt sessionId="large" />, { as: live });
  const box = screen.getByRole<HTMLTextAreaElement>('textbox');
  fireEvent.change(box, { target: { value: 'ü'.repeat(600_000) } });
  fireEvent.keyDown(box, { key: 'Enter' });
  expect(screen.getByRole('note').textContent).toContain('can be sent at once');
  expect([sent, box.value.length]).toEqual([[], 600_000]);
  cleanup();
  page.render(<Continue sessionId="large-too" />, { as: live });
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'ü'.repeat(600_000) } });
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' });
  expect((await screen.findByRole('alert')).textContent).toContain('can be sent at once');
  expect(sent).toEqual([]);
});

test('[PAGE-428] nothing is sent while an image is being read', async () => {
  const { live, sent } = heldLive();
  page.render(<Continue sessionId="reading" />, { as: live });
  const go = screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' });
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'look' } });
  expect(go.disabled).toBe(false);
  paste(png('one.png'));
  expect([go.disabled, screen.getByRole('status').textContent]).toEqual([true, expect.stringContaining('Reading images')]);
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' });
  await waitFor(() => expect(go.disabled).toBe(false));
  expect([sent, shown()]).toEqual([[], ['one.png']]);
});

test('[PAGE-404] [PAGE-428] undelivered prompts that are put back say that their images are gone', async () => {
  const user = userEvent.setup();
  const Last = () => <LastRun holder={holderOf('last')} outbox={useOutbox('last', null)} />;
  page.render(<Last />);
  expect(screen.queryByText(/images are gone/u)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Put it back' }));
  expect(screen.getByText('Its images are gone. Add them again.')).toBeTruthy();
});

/** What a reload leaves: what is stored in the tab. */
const reload = (): void => {
  cleanup();
  page.live.queries.removeQueries({ queryKey: ['draft'] });
};

test('[PAGE-428] images of a prompt that was not sent yet are there after a reload', async () => {
  page.render(<Prompt sessionId="kept" />);
  paste(png('one.png'), png('two.png'));
  await waitFor(() => expect(shown()).toEqual(['one.png', 'two.png']));
  await userEvent.setup().click(screen.getByRole('button', { name: 'Remove one.png' }));
  await waitFor(() => expect(shown()).toEqual(['two.png']));
  reload();
  page.render(<Prompt sessionId="kept" />);
  await waitFor(() => expect(shown()).toEqual(['two.png']));
});

test('[PAGE-401] [PAGE-428] a prompt that was being sent when the page was reloaded is sent again with its images', async () => {
  const before = heldLive();
  const user = userEvent.setup();
  page.render(<Prompt sessionId="reloaded" />, { as: before.live });
  paste(png('one.png'));
  await waitFor(() => expect(shown()).toEqual(['one.png']));
  await waitFor(() => expect(screen.queryByText(/Reading images/u)).toBeNull());
  await user.type(screen.getByRole('textbox'), 'look{Enter}');
  await screen.findByText('1 on their way');
  reload();
  const images: unknown[] = [];
  const after: Live = {
    ...page.live,
    // A reloaded page knows of none that are on their way.
    deliveries: { open: new Map(), pictures: new Map(), done: new Set() },
    send: async (name, input, proposal) => {
      images.push('images' in input ? input.images : null);
      return page.live.send(name, input, proposal);
    },
  };
  page.render(<Prompt sessionId="reloaded" />, { as: after });
  // There is no such run: the prompt goes back into the box, with its images.
  await screen.findByText('0 on their way');
  await waitFor(() => expect(shown()).toEqual(['one.png']));
  expect(images).toEqual([[{ mediaType: 'image/png', data: 'AAAA' }]]);
  before.open();
});
