import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { MOST_INLINE_BYTES, MOST_MEDIA_BYTES, type InputOf, type OperationName, type Problem } from '@yarnboard/protocol';
import { reasonOf } from '@yarnboard/server/entrance';
import { Refusal } from '../refusal.ts';
import type { Given } from './command-line.ts';

/** CLI-21: reads the files that a verb names. The server opens none of them: it gets their contents. */
export const withFiles = (name: OperationName, given: Given): Given => {
  if (name === 'media_uploaded') return withBytes(given);
  return name === 'citation_created' ? withCitedLines(given) : given;
};

/** Uploads the bytes of a file, and returns the server's name for them. */
export type Upload = (path: string) => Promise<string>;

/** Content too large for a command is streamed to the server first. */
export const withUpload = async (name: OperationName, given: Given, upload: Upload): Promise<Given> => {
  const { file_path: path, content, upload: known } = given;
  if (name !== 'media_uploaded' || typeof path !== 'string' || content !== undefined || known !== undefined) return given;
  return { ...given, ['upload']: await upload(path) };
};

export const uploadOver =
  (send: (bytes: ReadableStream<Uint8Array>) => Promise<Response>): Upload =>
  async (path) => {
    const response = await send(Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>); // a file stream yields bytes
    const answer = (await response.json()) as { readonly upload: string } | Problem; // every failure is a problem document
    if ('upload' in answer) return answer.upload;
    throw new Refusal(3, answer.detail);
  };

const withBytes = (given: Given): Given => {
  const { file_path: path, media_type: type, content, upload } = given;
  if (typeof path !== 'string' || content !== undefined || upload !== undefined) return given;
  const size = sizeOf(path);
  if (size === 0) throw new Refusal(3, `${path} is empty`);
  if (size > MOST_MEDIA_BYTES)
    throw new Refusal(3, `${path} has ${size.toLocaleString('en')} bytes; at most ${MOST_MEDIA_BYTES.toLocaleString('en')} (24 MB) can be attached`);
  const about = { ...given, media_type: type ?? mediaTypeOf(path) };
  return size > MOST_INLINE_BYTES ? about : { ...about, ['content']: readWhole(path).toString('base64') };
};

/** The media type of a file, by its name. */
const mediaTypeOf = (path: string): MediaType => {
  const extension = extname(path).slice(1).toLowerCase();
  const found = Object.entries(EXTENSIONS).find(([, list]) => list.split(' ').includes(extension));
  return found === undefined ? 'code' : (found[0] as MediaType); // a key of the table
};

type MediaType = InputOf<'media_uploaded'>['media_type'];

const EXTENSIONS = {
  image: 'png jpg jpeg gif webp svg bmp tif tiff ico avif heic',
  video: 'mp4 mov mkv webm avi m4v mpg mpeg',
  audio: 'mp3 wav ogg oga flac m4a aac opus',
  document: 'pdf txt md markdown rst doc docx odt rtf tex csv tsv xls xlsx ods ppt pptx odp epub html htm log',
} as const satisfies Partial<Record<MediaType, string>>;

const withCitedLines = (given: Given): Given => {
  const { path, lines, hash, content } = given;
  // Whoever gives a hash knows the file as it was; it may be gone.
  if (typeof path !== 'string' || hash !== undefined) return given;
  const bytes = readWhole(path);
  return {
    ...given,
    path: resolve(path),
    hash: createHash('sha256').update(bytes).digest('hex'),
    ...(typeof lines === 'string' && content === undefined ? { content: linesOf(path, bytes.toString('utf8'), lines) } : {}),
  };
};

const linesOf = (path: string, text: string, wanted: string): string => {
  const [from = 0, to = from] = wanted.split('-').map(Number);
  const all = text.replace(/\n$/u, '').split('\n');
  if (!(from >= 1 && from <= to && to <= all.length)) throw new Refusal(2, `${path} has lines 1-${all.length}; there is no ${wanted}`);
  return all.slice(from - 1, to).join('\n');
};

const sizeOf = (path: string): number => {
  try {
    return statSync(path).size;
  } catch (cause) {
    throw new Refusal(3, `cannot read ${path}: ${reasonOf(cause)}`);
  }
};

const readWhole = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Refusal(3, `cannot read ${path}: ${reasonOf(cause)}`);
  }
};
