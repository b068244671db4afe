import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { MASKING_RULES, maskSecrets } from '@yarnboard/domain';
import { maskedText } from '@yarnboard/store';
import type { MediaFile } from './media-file.ts';

/**
 * SEC-29: a text file with its secrets masked, or the same file if it has none. Images, recordings, archives and other binary formats pass through
 * unchanged: masking would break them.
 */
export const withoutSecrets = async (file: MediaFile): Promise<MediaFile> => {
  if (!isTextual(file.mime) && !isWide(await bytesOf(file, 2))) return file;
  const bytes = await bytesOf(file, file.size);
  const shown = await maskedBytes(bytes);
  if (shown === bytes) return file;
  return {
    ...file,
    size: shown.length,
    // The bytes differ from the original's, so they need a hash of their own: a client must never join cached pieces of both.
    sha256: createHash('sha256').update(`${MASKING_RULES} ${file.sha256}`).digest('hex'),
    read: async function* (from, to) {
      yield shown.subarray(from, to);
    },
  };
};

/** Like `withoutSecrets`, for bytes already in memory. */
export const shownBytes = async (bytes: Buffer, mime: string | null): Promise<Buffer> =>
  isTextual(mime) || isWide(bytes) ? maskedBytes(bytes) : bytes;

const maskedBytes = async (bytes: Buffer): Promise<Buffer> => {
  const encoding = isWide(bytes) ? 'utf16le' : 'utf8';
  const text = bytes.toString(encoding);
  if (text.length <= AT_ONCE) return encoded(bytes, text, maskedText(text), encoding);
  let shown = '';
  for (const piece of piecesOf(text)) {
    shown += maskSecrets(piece).text;
    // Yield, so that a long file doesn't block others.
    await breathe();
  }
  return encoded(bytes, text, shown, encoding);
};

const isTextual = (mime: string | null): boolean =>
  mime === null || mime.startsWith('text/') || /^(?:application\/(?:json|xml|javascript)|image\/svg\+xml)$/u.test(mime);

/** UTF-16 with a BOM, as Windows writes it; other checks don't recognize it as text. */
const isWide = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xfe;

const bytesOf = async (file: MediaFile, most: number): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of file.read(0, Math.min(most, file.size))) parts.push(part);
  return Buffer.concat(parts);
};

const encoded = (bytes: Buffer, before: string, after: string, encoding: 'utf8' | 'utf16le'): Buffer =>
  before === after ? bytes : Buffer.from(after, encoding);

/** Splits at line breaks, never inside a private key: half a secret isn't recognized as one. */
function* piecesOf(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length;) {
    const near = text.indexOf('\n', from + AT_ONCE);
    let to = near < 0 ? text.length : near + 1;
    const key = text.lastIndexOf('-----BEGIN ', to);
    if (key >= from && to - key < LONGEST_KEY && to < text.length) {
      const end = text.indexOf('-----END ', key);
      const line = end >= 0 && end - key < LONGEST_KEY ? text.indexOf('\n', end) : -1;
      if (line >= to) to = line + 1;
      else if (end >= 0 && line < 0 && end - key < LONGEST_KEY) to = text.length;
    }
    yield text.slice(from, to);
    from = to;
  }
}

const AT_ONCE = 512 * 1024;
const LONGEST_KEY = 65_536;
