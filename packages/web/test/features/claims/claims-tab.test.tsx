// @vitest-environment happy-dom
import { createServer, type AddressInfo, type Server } from 'node:net';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClaimsTab } from '../../../src/features/claims/claims-tab.tsx';
import type { Live } from '../../../src/live/live.ts';
import { WithSidebar } from '../scratchpad/stage.tsx';
import { actAs, openStage, type Stage } from '../sidebars/stage.tsx';

let stage: Stage;
let [ada, ben]: readonly [Live, Live] | readonly [] = [];
let listener: Server;
beforeEach(async () => {
  stage = await openStage();
  [ada, ben] = [await stage.enlist('ada'), await stage.enlist('ben')];
  listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()));
});
afterEach(async () => {
  listener.close();
  await stage.close();
});

const named = (refs: readonly string[], type: string): string => refs.find((ref) => ref.startsWith(type)) ?? '';
const by = (live: Live | undefined): Live => live ?? stage.live;
const portOf = (): number => (listener.address() as AddressInfo).port; // it listens on a port

/** SB-2, which inherits what ada said in SB-1. */
const inherit = async (...contents: readonly string[]): Promise<readonly string[]> => {
  await stage.act('sidebar_spawn', { parentId: null, taskDescription: 'Why are logins slow?', participants: ['ada', 'ben'] });
  const exchanges: string[] = [];
  for (const content of contents) exchanges.push(named(await actAs(by(ada), 'chat_message', { sidebarId: 'SB-1', content }), 'EXCH-'));
  await stage.act('sidebar_child_spawn', {
    parentSidebarId: 'SB-1',
    subTaskDescription: 'Look closer',
    participants: ['ada', 'ben'],
    curatorAgent: 'ben',
  });
  return exchanges;
};

const show = (path = '/', as: Live = stage.live): void => {
  cleanup();
  stage.render(<WithSidebar of="SB-2">{(sidebar) => <ClaimsTab sidebar={sidebar} />}</WithSidebar>, { path, as });
};
const cardOf = (number: number): Promise<HTMLElement> => screen.findByRole('article', { name: `Claim ${number}` });
const words = async (): Promise<readonly string[]> =>
  (await screen.findAllByRole('article')).map((card) => card.querySelector('q')?.textContent ?? '(whole)');

test('[PAGE-470] [PAGE-240] lists what was noted, the latest first, by mark, type and class, as it changes; each leads to its trace', async () => {
  const [first = '', second = ''] = await inherit('Port 11 is open. I think the issue is in Redis.', 'The file app.toml exists.');
  show();
  expect(await screen.findByText('No claims yet')).toBeDefined();

  await actAs(by(ben), 'claim_verify', { sidebarId: 'SB-2', claimId: first, words: 'Port 11 is open.', verification: 'contradicted' });
  await actAs(by(ben), 'claim_verify', { sidebarId: 'SB-2', claimId: second, words: 'The file app.toml exists.', verification: 'confirmed' });
  await waitFor(async () => expect(await words()).toHaveLength(3));
  expect(await words()).toEqual(['The file app.toml exists.', 'I think the issue is in Redis.', 'Port 11 is open.']);

  expect(screen.getAllByRole('link', { name: /^Trace / }).map((link) => link.getAttribute('href'))).toEqual(
    [3, 2, 1].map((n) => `/trace/${encodeURIComponent(`SB-2:CLAIM-${n}`)}`),
  );
  const choose = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } });
  choose('Mark', 'contradicted');
  expect(await words()).toEqual(['Port 11 is open.']);
  choose('Mark', '');
  choose('Class', 'judgement');
  expect(await words()).toEqual(['I think the issue is in Redis.']);
  choose('Type', 'file_exists');
  expect(screen.getByText('No matching claims')).toBeDefined();
  choose('Class', '');
  expect(await words()).toEqual(['The file app.toml exists.']);
  expect(screen.getByRole('status').textContent).toBe('1 of 3 claims');

  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  choose('Mark', 'open');
  expect(screen.getByText('No matching claims')).toBeDefined();
  await stage.act('claim_validate', { sidebarId: 'SB-2', claimId: 'CLAIM-1' });
  await actAs(by(ben), 'claim_verify', { sidebarId: 'SB-2', claimId: 'CLAIM-1', verification: 'confirmed' });
  await waitFor(async () => expect(await words()).toEqual(['Port 11 is open.']));
});

test('[PAGE-471] a claim shows who said what, and all that its check tried; what disagrees is highlighted and open', async () => {
  await inherit(`Port ${portOf()} is open.`);
  await stage.act('claim_verify', {
    sidebarId: 'SB-2',
    claimId: 'EXCH-1',
    words: `Port ${portOf()} is open.`,
    verification: 'confirmed',
    notes: 'I saw it',
  });
  await stage.act('claim_validate', { sidebarId: 'SB-2', claimId: 'CLAIM-1' });
  show();
  const card = await cardOf(1);
  await within(card).findByText('Conclusion: confirmed (0.90)', { exact: false });
  expect(card.textContent).toContain('ada in EXCH-1');
  expect(card.textContent).toContain('operator: confirmed (0.90): I saw it');
  expect(
    within(card)
      .getAllByRole('row', { hidden: true })
      .map((row) => row.querySelector('th')?.textContent),
  ).toEqual(['Method', 'port', 'metrics address', 'machine', 'git head']);
  const [, port] = within(card).getAllByRole('row', { hidden: true });
  expect(port?.textContent).toMatch(/^portsupports.*accepts connectionsmachine\d+ ms$/u);
  expect(card.querySelector('.claim-check-disagrees')).toBeNull();
  expect(card.querySelector('details')?.open).toBe(false);
});

test('[PAGE-472] judged with a confidence and evidence, taken back, settled, checked and overruled in place', async () => {
  const [exchange = ''] = await inherit('Port 11 is open.');
  await actAs(by(ben), 'claim_verify', { sidebarId: 'SB-2', claimId: exchange, words: 'Port 11 is open.', verification: 'confirmed' });

  // Its author has no button to judge it, and agents none to check while checks are off.
  show('/', by(ada));
  const theirs = await cardOf(1);
  await within(theirs).findByText('confirmed');
  expect(within(theirs).queryAllByRole('button')).toEqual([]);

  show();
  const card = await cardOf(1);
  fireEvent.click(await within(card).findByRole('button', { name: 'Judge' }));
  fireEvent.click(within(card).getByRole('radio', { name: 'Contradict' }));
  fireEvent.change(within(card).getByLabelText('Why (optional)'), { target: { value: 'I looked' } });
  fireEvent.change(within(card).getByLabelText('Confidence (optional)'), { target: { value: '0' } });
  fireEvent.change(within(card).getByLabelText('Evidence (optional)'), { target: { value: 'MSG-1' } });
  fireEvent.click(within(card).getByRole('button', { name: 'Save' }));
  await within(card).findByText('contradicted', { selector: '.badge' });
  await waitFor(() => expect(card.querySelector('.claim-voices')?.textContent).toContain('operator: contradicted (0.00): I looked MSG-1'));

  fireEvent.click(within(card).getByRole('button', { name: 'Judge' }));
  fireEvent.click(within(card).getByRole('radio', { name: 'Take back' }));
  fireEvent.click(within(card).getByRole('button', { name: 'Save' }));
  await within(card).findByText('confirmed', { selector: '.badge' });

  fireEvent.click(within(card).getByRole('button', { name: 'Check' }));
  await within(card).findByText('disputed', { selector: '.badge' });
  fireEvent.click(await within(card).findByRole('button', { name: 'Settle' }));
  fireEvent.click(within(card).getByRole('radio', { name: 'Contradict' }));
  fireEvent.change(within(card).getByLabelText('Why?'), { target: { value: 'Nothing listens there' } });
  fireEvent.click(within(card).getByRole('button', { name: 'Settle dispute' }));
  await within(card).findByText('contradicted', { selector: '.badge' });

  fireEvent.click(within(card).getByRole('button', { name: 'Overrule check' }));
  fireEvent.change(within(card).getByLabelText('Why was the check wrong?'), { target: { value: 'It is open elsewhere' } });
  fireEvent.click(within(card).getByRole('button', { name: 'Overrule check' }));
  await within(card).findByText('confirmed', { selector: '.badge' });
  await waitFor(async () =>
    expect(await stage.live.ask('validation_history', {})).toMatchObject({ items: [{ overruled: { reason: 'It is open elsewhere' } }] }),
  );
});

test('[PAGE-473] the claim that the address asks for is brought into view', async () => {
  const [exchange = ''] = await inherit('Port 11 is open. The file app.toml exists.');
  await actAs(by(ben), 'claim_verify', { sidebarId: 'SB-2', claimId: exchange, words: 'Port 11 is open.', verification: 'confirmed' });
  show('/?claim=1');
  await cardOf(1);
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Claim 1'));
  show('/?claim=7');
  expect(await screen.findByText('There is no claim 7 in this sidebar.')).toBeDefined();
});
