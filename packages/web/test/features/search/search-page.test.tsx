// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Highlighted } from '../../../src/shared/highlighted.tsx';
import { SearchPage } from '../../../src/features/search/search-page.tsx';
import { openTestPage, type TestPage } from '../../test-page.tsx';
import { elsewhere, makeTranscripts, OTHER, prompt, reply, SESSION, type Transcripts } from '../home/transcripts.ts';

let page: TestPage;
let transcripts: Transcripts;
beforeAll(async () => {
  transcripts = makeTranscripts();
  transcripts.add(SESSION, [
    prompt('p1', null, 'Weave a basket of willow.'),
    reply('r1', 'p1', 'The basket is <img src=x onerror="alert(1)"> woven & <b>done</b>.'),
    ...Array.from({ length: 30 }, (_, n) => prompt(`m${n}`, n === 0 ? 'r1' : `m${n - 1}`, `A handle, number ${n}`)),
  ]);
  transcripts.add(OTHER, [elsewhere(prompt('p2', null, 'Paint the basket.'), { daysAgo: 40, cwd: '/srv/house' })]);
  page = await openTestPage({ roots: [transcripts.root] });
  await page.server.drain();
});
afterEach(() => {
  cleanup();
  page.live.queries.clear();
});
afterAll(async () => {
  await page.close();
  transcripts.remove();
});

const show = (path: string): void => void page.render(<SearchPage />, { path });
const box = (): HTMLElement => screen.getByRole('textbox', { name: 'Search everything' });
const results = (): readonly string[] => screen.queryAllByRole('listitem').map((item) => item.querySelector('.search-hit-text')?.textContent ?? '');
const says = (): string => screen.getByRole('status').textContent;

test('[PAGE-62] results come as one types, those to what was typed last, and the address keeps up', async () => {
  const user = userEvent.setup();
  show('/search');
  await user.type(box(), 'basket');
  await waitFor(() => expect(results()).toHaveLength(3));
  await user.type(box(), ' paint');
  await waitFor(() => expect(results()).toEqual(['Paint the basket.']));
  expect(page.paths.at(-1)).toBe('/search?q=basket+paint');
  expect(says()).toBe('1 result by relevance');
});

test('[PAGE-62] an answer to an older question that comes late changes nothing', async () => {
  show('/search?q=basket');
  await waitFor(() => expect(results()).toHaveLength(3));
  const user = userEvent.setup({ delay: null });
  await user.clear(box());
  await user.type(box(), 'handle');
  await user.clear(box());
  await user.type(box(), 'willow');
  await waitFor(() => expect(results()).toEqual(['Weave a basket of willow.']));
  page.live.queries.setQueryData(['search', { q: 'handle' }, 'pages'], {
    pages: [{ items: [], nextCursor: null, order: 'relevance', corrected: [], loosened: null, isComplete: true }],
    pageParams: [null],
  });
  expect(results()).toEqual(['Weave a basket of willow.']);
});

test('[PAGE-63] what was looked for is marked, and what is written in a result stays text', async () => {
  show('/search?q=woven');
  await waitFor(() => expect(results()).toEqual(['The basket is <img src=x onerror="alert(1)"> woven & <b>done</b>.']));
  const [hit] = screen.getAllByRole('listitem');
  expect([...(hit?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent)).toEqual(['woven']);
  expect(hit?.querySelector('img, b, script')).toBeNull();
});

test('[FIND-47] a question that was asked less strictly says what was left out and what was looked for as well', async () => {
  show('/search?q=how+do+I+paint+these+baskets+blue');
  await waitFor(() => expect(results()[0]).toBe('Paint the basket.'));
  expect(says()).toContain('No message has every word, so these have most of them (without how, do, i, these).');
});

test('[PAGE-63] marks that overlap, touch or lie outside are marked once', () => {
  const places = [
    { from: 4, to: 8 },
    { from: 0, to: 3 },
    { from: 2, to: 6 },
    { from: 9, to: 9 },
  ];
  const { container } = render(<Highlighted text="0123456789" places={places} />);
  expect(container.innerHTML).toBe('<mark>012</mark><mark>345</mark><mark>67</mark>89');
});

test('[PAGE-64] filters narrow a search, stand in its address and are taken from it', async () => {
  const user = userEvent.setup();
  show('/search?q=basket');
  await waitFor(() => expect(results()).toHaveLength(3));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Who' }), 'People');
  await waitFor(() => expect(results()).toHaveLength(2));
  await waitFor(() => expect(within(screen.getByRole('combobox', { name: 'Project' })).getAllByRole('option')).toHaveLength(3));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Project' }), 'house');
  await waitFor(() => expect(results()).toEqual(['Paint the basket.']));
  expect(page.paths.at(-1)).toBe('/search?q=basket&project=%2Fsrv%2Fhouse&actor=human');
  await user.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'Last 7 days');
  await screen.findByText('No results for “basket”');
  await user.click(screen.getByRole('button', { name: 'Search without filters' }));
  await waitFor(() => expect(results()).toHaveLength(3));
  expect(page.paths.at(-1)).toBe('/search?q=basket');
});

test('[PAGE-64] an address with filters opens with them', async () => {
  show('/search?q=basket&actor=agent&tool=Bash&since=2020-01-01&error=1');
  await screen.findByText('No results for “basket”');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Who' }).value).toBe('agent');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Tool' }).value).toBe('Bash');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'When' }).value).toBe('own');
  expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('2020-01-01');
  expect(screen.getByRole('switch', { name: 'Errors only' }).getAttribute('aria-checked')).toBe('true');
});

test('[PAGE-65] a misspelled word is found, and which word was found instead is said', async () => {
  show('/search?q=baskte');
  await waitFor(() => expect(results()).toHaveLength(3));
  expect(says()).toContain('Showing results for basket (you typed “baskte”).');
});

test('[PAGE-65] while the server still indexes, that is said until it is done', async () => {
  const answer = await page.live.ask('search', { q: 'willow' });
  page.live.queries.setQueryData(['search', { q: 'willow' }, 'pages'], { pages: [{ ...answer, isComplete: false }], pageParams: [null] });
  show('/search?q=willow');
  expect(says()).toBe('1 result by relevanceStill indexing – the latest messages may be missing.');
  await waitFor(() => expect(says()).toBe('1 result by relevance'));
});

test('[PAGE-65] more is shown when asked for', async () => {
  const user = userEvent.setup();
  show('/search?q=handle');
  await waitFor(() => expect(results()).toHaveLength(20));
  expect(says()).toMatch(/^First 20 results by \w+$/u);
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(results()).toHaveLength(30));
  expect(new Set(results()).size).toBe(30);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('[PAGE-66] with the keyboard alone: arrows go through the results and back to the box, Enter opens', async () => {
  const user = userEvent.setup();
  show('/search');
  await waitFor(() => expect(document.activeElement).toBe(box()));
  await user.keyboard('basket');
  await waitFor(() => expect(page.paths.at(-1)).toBe('/search?q=basket'));
  await waitFor(() => expect(results()).toHaveLength(3));
  await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull());
  const links = screen.getAllByRole('link');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(links[1]);
  await user.keyboard('{End}');
  expect(document.activeElement).toBe(links[2]);
  await user.keyboard('{Home}{ArrowUp}');
  expect(document.activeElement).toBe(box());
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(links[0]);
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(box());
  await user.keyboard('{ArrowDown}{Enter}');
  expect(page.paths.at(-1)).toMatch(/^\/sessions\/[\w-]+\?at=MSG-\d+$/u);
});

test('[PAGE-67] without a question it says how to ask; a reference is offered as a link', async () => {
  show('/search?q=+');
  await screen.findByRole('heading', { name: 'Search tips' });
  const user = userEvent.setup();
  await user.type(box(), 'msg-1');
  expect((await screen.findByRole('link', { name: 'Open MSG-1' })).getAttribute('href')).toBe('/refs/MSG-1');
});
