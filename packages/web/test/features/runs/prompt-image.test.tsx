import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { MOST_INLINE_BYTES } from '@yarnboard/protocol';
import type { PromptImage } from '../../../src/live/deliveries.ts';
import { imageFrom, roomBeside, sentOf, tooLargeToSend, type Shrink } from '../../../src/features/runs/prompt-image.ts';
import { PromptBox } from '../../../src/features/runs/prompt-box.tsx';
import { useImages } from '../../../src/features/runs/use-images.ts';
import { openTestPage } from '../../test-page.tsx';

afterEach(cleanup);

const fileOf = (bytes: number, type = 'image/png', name = 'shot.png'): File => new File([new Uint8Array(bytes)], name, { type });
const never: Shrink = async () => expect.unreachable('nothing has to be made smaller');

test('[PAGE-428] an image that fits goes as it is', async () => {
  const taken = await imageFrom(fileOf(3), 3, never);
  expect(taken).toEqual({ image: { mediaType: 'image/png', data: 'AAAA', size: 3, name: 'shot.png' } });
  const image = (taken as { readonly image: PromptImage }).image;
  expect([roomBeside([]), roomBeside([image, image])]).toEqual([MOST_INLINE_BYTES, MOST_INLINE_BYTES - 6]);
  expect([sentOf([]), sentOf([image])]).toEqual([{}, { images: [{ mediaType: 'image/png', data: 'AAAA' }] }]);
});

test('[PAGE-428] one that does not fit is made smaller, step by step, and refused where that is not enough', async () => {
  const scales: number[] = [];
  const shrink: Shrink = async (_, scale) => {
    scales.push(scale);
    return new Blob([new Uint8Array(Math.round(1000 * scale))]);
  };
  const taken = await imageFrom(fileOf(2000), 600, shrink);
  expect(taken).toMatchObject({ image: { mediaType: 'image/jpeg', size: 500 } });
  expect(scales).toEqual([1, 0.75, 0.5]);
  expect(await imageFrom(fileOf(2000), 100, shrink)).toMatchObject({ why: expect.stringContaining('couldn’t be made small enough') as string });
  expect(await imageFrom(fileOf(2000), 100, async () => null)).toHaveProperty('why');
});

test.each([
  [fileOf(3, 'text/html', 'x.html'), 'x.html isn’t a PNG, JPEG, GIF or WebP image.'],
  [fileOf(3, 'image/svg+xml', 'x\u202Egpj.svg'), 'isn’t a PNG, JPEG, GIF or WebP image.'],
  [fileOf(0), 'shot.png is empty.'],
])('[PAGE-428] what is no image is named: %#', async (file, why) => {
  const taken = await imageFrom(file, 1000, never);
  expect('why' in taken ? taken.why : '').toContain(why);
  expect(JSON.stringify(taken)).not.toContain('\u202E');
});

const Box = () => {
  const images = useImages('test');
  return <PromptBox label="Prompt" value="" onChange={() => {}} onEnter={() => {}} hint="" images={images} />;
};

test('[PAGE-428] a prompt that would not fit into one frame is not sent, with its images or without', () => {
  const images = [{ mediaType: 'image/png', data: 'A'.repeat(900_000) }];
  expect(tooLargeToSend({ text: 'a'.repeat(90_000), images })).toBeNull();
  expect(tooLargeToSend({ text: 'a'.repeat(200_000), images })).toMatch(/^This prompt and its images have 1 MB .* remove an image\.$/u);
  // Counted as they are sent.
  expect(tooLargeToSend({ text: 'ü'.repeat(450_000) })).toBeNull();
  expect(tooLargeToSend({ text: 'ü'.repeat(600_000) })).toMatch(/Shorten it\.$/u);
});

test('[PAGE-428] the focus goes from a removed image to the next one, or to the box', async () => {
  const page = await openTestPage();
  const user = userEvent.setup();
  page.render(<Box />);
  const box = screen.getByRole('textbox', { name: 'Prompt' });
  fireEvent.paste(box, { clipboardData: { files: [fileOf(3), fileOf(6, 'image/gif', 'two.gif')] } });
  expect(screen.getByRole('status').textContent).toContain('Reading images');
  await waitFor(() => expect(screen.getAllByRole('img')).toHaveLength(2));
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Remove shot.png' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove two.gif' }));
  await user.keyboard('{Enter}');
  expect([screen.queryAllByRole('img'), document.activeElement]).toEqual([[], box]);
  await page.close();
});

test('[PAGE-428] pasted and dropped images stand beside the prompt and are removed there; text is pasted as ever', async () => {
  const page = await openTestPage();
  page.render(<Box />);
  const box = screen.getByRole('textbox', { name: 'Prompt' });
  fireEvent.paste(box, { clipboardData: { files: [fileOf(3)] } });
  fireEvent.drop(box, { dataTransfer: { files: [fileOf(6, 'image/gif', 'two.gif'), fileOf(2, 'text/plain', 'notes.txt')], types: ['Files'] } });
  await waitFor(() => expect(screen.getAllByRole('img').map((one) => one.getAttribute('alt'))).toEqual(['shot.png', 'two.gif']));
  expect((await screen.findByRole('alert')).textContent).toBe('notes.txt isn’t a PNG, JPEG, GIF or WebP image.');
  fireEvent.click(screen.getByRole('button', { name: 'Remove shot.png' }));
  expect(screen.getAllByRole('img').map((one) => one.getAttribute('alt'))).toEqual(['two.gif']);
  expect(fireEvent.paste(box, { clipboardData: { files: [] } })).toBe(true);
  await page.close();
});
