import type { Download } from '../../operations/download.ts';

/** Streams a file as fast as the client takes it, without reading ahead. A failure aborts it, so that half a file isn't taken for a whole one. */
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

/** Several pieces at once: one message per write would be slow. Empty at the end. */
const nextOf = async (pieces: AsyncGenerator<string, void, undefined>): Promise<string> => {
  let text = '';
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    text += next.value;
    if (text.length >= AT_ONCE) break;
  }
  return text;
};

const AT_ONCE = 65_536;
