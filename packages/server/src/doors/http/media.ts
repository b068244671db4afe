import { nameOfFile } from './file-name.ts';
import type { MediaFile } from '../../operations/board/media-file.ts';

/**
 * MEDIA-5: the bytes of a medium, as fast as they are taken. Pictures that cannot run anything are shown; everything else is handed over as a file of no
 * type that a browser would open.
 */
export const mediaOf = (file: MediaFile, asked: Headers, onFault: (cause: unknown) => void): Response => {
  const tag = `"${file.sha256}"`;
  const isShown = SHOWN.has(file.mime);
  const headers: Record<string, string> = {
    etag: tag,
    'accept-ranges': 'bytes',
    // Kept, but asked for each time: what is forgotten here must not go on being shown.
    'cache-control': 'private, no-cache',
    'content-type': isShown ? file.mime : 'application/octet-stream',
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename="${asciiOf(file.name)}"; filename*=UTF-8''${encodeURIComponent(nameOfFile(file.name))}`,
  };
  if (asked.get('if-none-match') === tag) return new Response(null, { status: 304, headers });
  const range = rangeIn(asked, tag, file.size);
  if (range === 'unsatisfiable') return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${file.size}` } });
  const { from, to } = range ?? { from: 0, to: file.size };
  return new Response(streamOf(file.read(from, to), onFault), {
    status: range === null ? 200 : 206,
    headers: {
      ...headers,
      'content-length': String(to - from),
      ...(range === null ? {} : { 'content-range': `bytes ${from}-${to - 1}/${file.size}` }),
    },
  });
};

type Range = { readonly from: number; readonly to: number };

/** One range; several at once, or what is none, is answered with the whole. */
const rangeIn = (asked: Headers, tag: string, size: number): Range | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(asked.get('range') ?? '') ?? [];
  const isStale = (asked.get('if-range') ?? tag) !== tag;
  if ((first === '' && last === '') || isStale) return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return from >= size || from >= to ? 'unsatisfiable' : { from, to };
};

const streamOf = (pieces: AsyncGenerator<Uint8Array, void, undefined>, onFault: (cause: unknown) => void): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await pieces.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          onFault(cause);
          controller.error(cause);
        }
      },
      cancel: async () => {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );

const asciiOf = (name: string): string => nameOfFile(name).replaceAll(/[^\w .()-]/gu, '_');

const SHOWN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
