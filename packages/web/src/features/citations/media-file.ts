import type { MediaType } from '@yarnboard/domain';
import { MOST_INLINE_BYTES, MOST_MEDIA_BYTES } from '@yarnboard/protocol';
import { printableLine } from '@yarnboard/transcript';
import { readBase64 } from '../../shared/base64.ts';
import { bytesText } from '../../ui/wording.ts';

/** Why a file can't be attached; null if it can. */
export const troubleWith = ({ name, size }: Pick<File, 'name' | 'size'>): string | null => {
  if (size === 0) return `${name} is empty.`;
  if (size <= MOST_MEDIA_BYTES) return null;
  return `${name} is ${bytesText(size)}; the limit is ${bytesText(MOST_MEDIA_BYTES)}. Cite it as a file instead, or attach the part that matters.`;
};

export const mediaTypeOf = ({ name, type }: Pick<File, 'name' | 'type'>): MediaType => {
  const [kind = ''] = type.split('/');
  if (kind === 'image' || kind === 'video' || kind === 'audio') return kind;
  return CODE.test(name) ? 'code' : 'document';
};

const CODE = /\.(?:c|cc|cpp|cs|css|go|h|hpp|html?|java|js|json|jsx|kt|lua|m?[jt]s|php|py|rb|rs|sh|sql|swift|toml|tsx?|vue|xml|ya?ml|zig)$/iu;

/** PAGE-109: how a file's bytes are sent: inside the command if they fit, otherwise ahead of it. */
export const bytesFor = async (
  file: Blob,
  upload: (bytes: Blob) => Promise<string>,
): Promise<{ readonly content: string } | { readonly upload: string }> =>
  file.size > MOST_INLINE_BYTES ? { upload: await upload(file) } : { content: await readBase64(file) };

/** Whether an image may be displayed. Other types could run code. */
export const isShownAsImage = (mime: string | null): boolean => mime !== null && SHOWN.has(mime);

const SHOWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Downloads a file. Its MIME type is one that no browser would open. */
export const download = (name: string, base64: string): void => {
  const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  downloadFrom(name, url);
  // Some browsers read it a while after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** The same, streamed from the server. */
export const downloadFrom = (name: string, address: string): void => {
  const link = document.createElement('a');
  link.href = address;
  link.download = nameIn(name);
  link.click();
};

/** PAGE-2: the last part of a path, made printable so that it can't pass for another name. */
export const nameIn = (path: string): string => printableLine(path.split(/[/\\]/u).findLast((part) => part !== '') ?? 'file');
