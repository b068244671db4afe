import { request } from 'node:http';

/** The parts of a `Response` that callers need. */
export type Reply = { readonly status: number; readonly ok: boolean; readonly json: () => Promise<unknown> };

export type AskInit = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
};

/** The server could not be reached, or closed the connection before it answered. `code` is the system's error code. */
export class ConnectionLost extends Error {
  readonly code: string;
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = 'code' in cause ? String(cause.code) : cause.message;
  }
}

/** CLI-38: sends one request to a server. `fetch` would do, but loading it takes longer than such a command may. */
export const askServer = (url: string, { method, headers, body, signal }: AskInit): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const lose = (cause: Error): void => reject(new ConnectionLost(cause));
    // A new connection: one that was kept alive may belong to an earlier server.
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
