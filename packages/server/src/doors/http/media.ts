import { nameOfFile } from './file-name.ts';
import type { MediaFile } from '../../operations/board/media-file.ts';

/**
 * MEDIA-5: the bytes of a medium, as fast as the client takes them. Pictures that can't execute anything are shown; everything else is sent as a type
 * that no browser would open.
 */
export const mediaOf = (file: MediaFile, asked: Headers, onFault: (cause: unknown) => void): Response => {
  const tag = `"${file.sha256}"`;
  const isShown = SHOWN.has(file.mime);
  const headers: Record<string, string> = {
    etag: tag,
    'accept-ranges': 'bytes',
    // Cached, but revalidated each time: forgotten media must no longer be shown.
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

/** One range; several, or an invalid one, are answered with the whole file. */
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
