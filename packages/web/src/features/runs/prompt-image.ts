import { MOST_INLINE_BYTES, PROMPT_IMAGES } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import type { PromptImage } from '../../live/deliveries.ts';
import { readBase64 } from '../../shared/base64.ts';
import { bytesText } from '../../ui/wording.ts';

export type Taken = { readonly image: PromptImage } | { readonly why: string };

/** Scales a picture down; null if this browser can't. */
export type Shrink = (file: Blob, scale: number) => Promise<Blob | null>;

/** PAGE-428: prepares an image for sending; scales it down first if it exceeds the room left. */
export const imageFrom = async (file: File, room: number, shrink: Shrink = drawnSmaller): Promise<Taken> => {
  const name = printableLine(file.name === '' ? 'Image' : file.name);
  const type = typeOf(file);
  if (type === null) return { why: `${name} isn’t a PNG, JPEG, GIF or WebP image.` };
  if (file.size === 0) return { why: `${name} is empty.` };
  if (file.size <= room) return { image: { mediaType: type, data: await readBase64(file), size: file.size, name } };
  for (const scale of SCALES) {
    const smaller = await shrink(file, scale).catch(() => null);
    if (smaller === null) break;
    if (smaller.size > room) continue;
    return { image: { mediaType: 'image/jpeg', data: await readBase64(smaller), size: smaller.size, name } };
  }
  return {
    why: `${name} is ${bytesText(file.size)}, and couldn’t be made small enough. All images together may have ${bytesText(MOST_INLINE_BYTES)}.`,
  };
};

/** The room that other images leave. */
export const roomBeside = (images: readonly PromptImage[]): number => MOST_INLINE_BYTES - images.reduce((sum, { size }) => sum + size, 0);

/** The part of the images that is sent. */
export const sentOf = (images: readonly PromptImage[]): { readonly images?: readonly Pick<PromptImage, 'mediaType' | 'data'>[] } =>
  images.length === 0 ? {} : { images: images.map(({ mediaType, data }) => ({ mediaType, data })) };

/**
 * PAGE-428: why a prompt can't be sent; null if it can. A frame larger than the server accepts would end the page's connection for good, so its
 * size is known here first.
 */
export const tooLargeToSend = (input: { readonly text?: string; readonly images?: readonly unknown[] | undefined }): string | null => {
  const bytes = new TextEncoder().encode(JSON.stringify(input)).length;
  if (bytes <= MOST_SENT_BYTES) return null;
  const most = `at most ${bytesText(MOST_SENT_BYTES)} can be sent at once`;
  return (input.images ?? []).length === 0
    ? `This prompt has ${bytesText(bytes)}; ${most}. Shorten it.`
    : `This prompt and its images have ${bytesText(bytes)} when they are sent; ${most}. Shorten the prompt or remove an image.`;
};

const typeOf = ({ type }: Blob): PromptImage['mediaType'] | null => PROMPT_IMAGES.find((known) => known === type) ?? null;

const drawnSmaller: Shrink = async (file, scale) => {
  const picture = await createImageBitmap(file);
  const longest = Math.max(picture.width, picture.height);
  const by = Math.min(1, LONGEST / longest) * scale;
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(picture.width * by)), Math.max(1, Math.round(picture.height * by)));
  const context = canvas.getContext('2d');
  if (context === null) return null;
  // JPEG would turn transparent areas black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
};

/** Below the largest frame of the server (1,048,576 bytes), with room for what goes around the prompt. */
const MOST_SENT_BYTES = 1_000_000;
/** Models see no more of a picture than this. */
const LONGEST = 2000;
const SCALES = [1, 0.75, 0.5, 0.35, 0.2];
