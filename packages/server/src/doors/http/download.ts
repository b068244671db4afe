import type { Download } from '../../operations/download.ts';

/**
 * A file for whoever asked, as fast as it is taken: nothing is read ahead of it. What fails on the way breaks it off, so that half a file is not taken for
 * a whole one.
 */
export const downloadOf = ({ fileName, type, pieces }: Download, onFault: (cause: unknown) => void): Response => {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const text = await nextOf(pieces);
        if (text === '') controller.close();
        else controller.enqueue(encoder.encode(text));
      } catch (cause) {
        onFault(cause);
        controller.error(cause);
      }
    },
    cancel: async () => {
      await pieces.return();
    },
  });
  return new Response(body, { headers: { 'content-type': type, 'content-disposition': `attachment; filename="${fileName}"` } });
};

/** Some pieces at once: a message for each write would be slow. Nothing is left when there is nothing more. */
const nextOf = async (pieces: AsyncGenerator<string, void, undefined>): Promise<string> => {
  let text = '';
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    text += next.value;
    if (text.length >= AT_ONCE) break;
  }
  return text;
};

const AT_ONCE = 65_536;
