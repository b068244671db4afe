import { join } from 'node:path';
import { homeOf, openBoard, type Home, type OpenBoard, type Programs } from '@yarnboard/server';
import { WrongResult } from '../measure/run.ts';

export const homeIn = (folder: string): Home =>
  homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });

/** The threads as the command has them. */
export const programsIn = (folder: string): Programs => ({
  writer: join(folder, 'writer.mjs'),
  indexer: join(folder, 'indexer.mjs'),
  verifier: join(folder, 'verifier.mjs'),
  counter: join(folder, 'counter.mjs'),
});

export const SETTINGS = { excludedProjects: [], roots: [] } as const;

/** A board as a server opens it, without a port. */
export const openAt = (folder: string, programs: string): Promise<OpenBoard> =>
  openBoard({ home: homeIn(folder), settings: SETTINGS, roots: [], version: 'bench', programs: programsIn(programs), onFault: refuse });

/** What a board would only tell its operator makes a measurement worthless. */
export const refuse = (cause: unknown): never => {
  throw new WrongResult(`the board tells of a fault: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
};

/** Asks the board's own interface, as the operator. */
export const asker =
  ({ app, token }: OpenBoard) =>
  async <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> => {
    const response = await app.request(`http://127.0.0.1:0/api/v1${path}`, {
      method,
      headers: { host: '127.0.0.1:0', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new WrongResult(`${method} ${path} is answered with ${response.status}: ${JSON.stringify(answer).slice(0, 300)}`);
    return answer as T; // the shape is the API's promise
  };
