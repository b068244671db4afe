// @vitest-environment happy-dom
import { MOST_INLINE_BYTES, MOST_MEDIA_BYTES } from '@yarnboard/protocol';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { safeAddress } from '../../../src/features/citations/citation-card.tsx';
import { bytesFor, isShownAsImage, mediaTypeOf, troubleWith } from '../../../src/features/citations/media-file.ts';
import { SidebarCitations } from '../../../src/features/citations/sidebar-citations.tsx';
import { uploadWith } from '../../../src/live/upload.ts';
import { openStage, WithSidebar, type Stage } from '../scratchpad/stage.tsx';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const show = (): void => {
  stage.render(<WithSidebar of="SB-1">{(sidebar) => <SidebarCitations sidebar={sidebar} />}</WithSidebar>);
};

test('[PAGE-108] a reference, lines of a file and something outside are cited', async () => {
  const user = userEvent.setup();
  await stage.act('scratchpad_entry_submitted', { sidebarId: 'SB-1', content: 'The pool is exhausted.' });
  show();
  const part = within(await screen.findByRole('region', { name: /^Citations/u }));
  await user.click(part.getByRole('button', { name: 'Add citation' }));
  await user.type(part.getByLabelText('Reference'), 'scratch-1:finding-1');
  expect(await part.findByText(/operator: The pool is exhausted\./u)).toBeDefined();
  await user.click(part.getByRole('button', { name: 'Cite' }));
  expect(await part.findByRole('link', { name: 'Finding 1' })).toBeDefined();
  expect(part.getByText('provisional')).toBeDefined();
  await user.click(await part.findByRole('button', { name: 'Add citation' }));
  await user.click(part.getByRole('radio', { name: 'File' }));
  await user.type(part.getByLabelText('Path'), 'src/pool.ts');
  await user.type(part.getByLabelText('Lines'), '10-20');
  await user.type(part.getByLabelText('Quote'), 'const size = 1;');
  await user.click(part.getByRole('button', { name: 'Cite' }));
  expect(await part.findByText('lines 10 to 20')).toBeDefined();
  expect(part.getByText('const size = 1;')).toBeDefined();
  await user.click(await part.findByRole('button', { name: 'Add citation' }));
  await user.click(part.getByRole('radio', { name: 'External' }));
  await user.type(part.getByLabelText('Address'), 'https://example.org/pool');
  await user.click(part.getByRole('button', { name: 'Cite' }));
  const link = await part.findByRole('link', { name: 'https://example.org/pool' });
  expect([link.getAttribute('rel'), link.getAttribute('target')]).toEqual(['noreferrer noopener', '_blank']);
});

test('[PAGE-114] a citation that is refused says why, and is gone again', async () => {
  const user = userEvent.setup();
  show();
  const part = within(await screen.findByRole('region', { name: /^Citations/u }));
  await user.click(part.getByRole('button', { name: 'Add citation' }));
  await user.type(part.getByLabelText('Reference'), 'GOLD-9');
  await user.click(part.getByRole('button', { name: 'Cite' }));
  expect((await part.findByRole('alert')).textContent).toBe('There is no GOLD-9 on this board.');
  expect(part.queryAllByRole('listitem')).toEqual([]);
});

test('[PAGE-108] only addresses of the web are links', () => {
  expect(['https://example.org/a', 'HTTP://example.org', 'javascript:alert(1)', 'data:text/html,x', '//example.org', null].map(safeAddress)).toEqual([
    'https://example.org/a',
    'http://example.org/',
    null,
    null,
    null,
    null,
  ]);
});

test('[PAGE-109] a file is attached; one that is empty or too large is not, and why is said', async () => {
  const user = userEvent.setup();
  show();
  const part = within(await screen.findByRole('region', { name: /^Attachments/u }));
  const input = part.getByLabelText('File to attach');
  await user.upload(input, new File([new Uint8Array(MOST_MEDIA_BYTES + 1)], 'large.log'));
  expect((await part.findByRole('alert')).textContent).toMatch(/^large\.log is 24 MB; the limit is 24 MB/u);
  await user.upload(input, new File(['one line\n'], 'small.log', { type: 'text/plain' }));
  expect(await part.findByText('small.log')).toBeDefined();
  expect(await part.findByRole('link', { name: 'MEDIA-1' })).toBeDefined();
  expect(part.getByText('text/plain')).toBeDefined();
  expect(part.queryByRole('alert')).toBeNull();
  expect(troubleWith({ name: 'none.txt', size: 0 })).toBe('none.txt is empty.');
});

test('[PAGE-110] only images of known types are shown; everything can be had as a file', async () => {
  await stage.act('media_uploaded', {
    sidebarId: 'SB-1',
    mediaType: 'image',
    filePath: 'shots/evil.svg',
    content: btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  });
  show();
  expect(await screen.findByText('image/svg+xml')).toBeDefined();
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByRole('button', { name: 'Download evil.svg' })).toBeDefined();
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'text/html', null];
  expect(types.filter(isShownAsImage)).toEqual(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
});

test('[PAGE-109] what is too large for a command is uploaded before it, and a refusal is shown', async () => {
  const sent: unknown[] = [];
  const answering = (status: number, body: object) =>
    uploadWith((address, init) => {
      sent.push([address, init]);
      return Promise.resolve(new Response(JSON.stringify(body), { status }));
    });
  const large = new Blob([new Uint8Array(MOST_INLINE_BYTES + 1)]);
  expect(await bytesFor(large, (bytes) => answering(201, { upload: 'abc' })(bytes, 'secret'))).toEqual({ upload: 'abc' });
  expect(sent).toEqual([['/uploads/media', { method: 'POST', headers: { authorization: 'Bearer secret' }, body: large }]]);
  await expect(answering(413, { detail: 'too large' })(large, null)).rejects.toThrow('too large');
  expect(await bytesFor(new Blob(['small']), () => Promise.reject(new Error('not this way')))).toEqual({ content: btoa('small') });
});

test('[PAGE-109] what a file is called, and what the browser knows of it, tell its kind', () => {
  const files = [
    { name: 'a.png', type: 'image/png' },
    { name: 'a.webm', type: 'video/webm' },
    { name: 'a.mp3', type: 'audio/mpeg' },
    { name: 'a.ts', type: '' },
    { name: 'a.pdf', type: 'application/pdf' },
  ];
  expect(files.map(mediaTypeOf)).toEqual(['image', 'video', 'audio', 'code', 'document']);
});
