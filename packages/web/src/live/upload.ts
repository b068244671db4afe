/** Sends the bytes of a file by themselves; what the server calls them. */
export type Upload = (bytes: Blob, token: string | null) => Promise<string>;

/** Beside the socket: a file may be larger than everything else that goes through it. The browser sends it as it reads it. */
export const uploadWith =
  (fetch: typeof globalThis.fetch): Upload =>
  async (bytes, token) => {
    const answer = await fetch('/uploads/media', {
      method: 'POST',
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      body: bytes,
    });
    const body = (await answer.json()) as { readonly upload?: unknown; readonly detail?: unknown }; // looked at below
    if (answer.ok && typeof body.upload === 'string') return body.upload;
    throw new Error(typeof body.detail === 'string' ? body.detail : `the server refused it (error ${answer.status})`);
  };
