/** Uploads the bytes of a file; returns the server's name for them. */
export type Upload = (bytes: Blob, token: string | null) => Promise<string>;

/** Not through the socket: a file may be larger than everything else it carries. The browser streams it. */
export const uploadWith =
  (fetch: typeof globalThis.fetch): Upload =>
  async (bytes, token) => {
    const answer = await fetch('/uploads/media', {
      method: 'POST',
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      body: bytes,
    });
    const body = (await answer.json()) as { readonly upload?: unknown; readonly detail?: unknown }; // checked below
    if (answer.ok && typeof body.upload === 'string') return body.upload;
    throw new Error(typeof body.detail === 'string' ? body.detail : `the server refused it (error ${answer.status})`);
  };
