import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { Given } from '@yarnboard/protocol';

/** Inspects an uploaded file; on invalid content, says why. */
export const lookInto: Given['lookInto'] = (base64, path) => {
  const bytes = bytesOf(base64);
  if (bytes === null) return { why: 'its content is no base64' };
  if (bytes.length === 0) return { why: 'it is empty' };
  return { size: bytes.length, mime: mimeOf(bytes, path), sha256: createHash('sha256').update(bytes).digest('hex') };
};

/** Decodes base64 strictly: any other character means that the content was cut or mangled on the way. */
const bytesOf = (content: string): Buffer | null => {
  const bare = content.replaceAll(/\s+/gu, '');
  return bare.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*={0,2}$/u.test(bare) ? null : Buffer.from(bare, 'base64');
};

/** Detects the type by the first bytes, then by the file name, then by whether it is text. */
export const mimeOf = (bytes: Buffer, path: string): string => {
  const head = bytes.subarray(0, 16).toString('latin1');
  for (const [start, mime] of BEGINNINGS) if (head.startsWith(start)) return mime;
  if (head.startsWith('RIFF')) return head.slice(8, 12) === 'WEBP' ? 'image/webp' : 'audio/wav';
  if (head.slice(4, 8) === 'ftyp') return 'video/mp4';
  const named = EXTENSIONS[extname(path).toLowerCase()];
  if (named !== undefined) return named;
  return bytes.subarray(0, 8192).includes(0) ? 'application/octet-stream' : 'text/plain';
};

const BEGINNINGS = [
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['%PDF', 'application/pdf'],
  ['ID3', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['PK\x03\x04', 'application/zip'],
] as const;

const EXTENSIONS: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
};
