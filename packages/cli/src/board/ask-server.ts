import { request } from 'node:http';

/** As much of a `Response` as a question needs. */
export type Reply = { readonly status: number; readonly ok: boolean; readonly json: () => Promise<unknown> };

export type AskInit = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
};

/** The server could not be reached, or went away before it had answered. `code` says how, as the system does. */
export class ConnectionLost extends Error {
  readonly code: string;
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = 'code' in cause ? String(cause.code) : cause.message;
  }
}

/** CLI-38: one question to a server. `fetch` does the same, but loading it takes longer than such a command may. */
export const askServer = (url: string, { method, headers, body, signal }: AskInit): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const lose = (cause: Error): void => reject(new ConnectionLost(cause));
    // A connection of its own: one that was kept may have ended with a server before this one.
    const asked = request(url, { method, headers, agent: false, ...(signal === undefined ? {} : { signal }) }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', lose);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        const text = Buffer.concat(pieces).toString();
        resolve({ status, ok: status >= 200 && status < 300, json: async (): Promise<unknown> => JSON.parse(text) });
      });
    });
    asked.on('error', lose);
    asked.end(body);
  });
