import { readFileSync } from 'node:fs';
import { findServer, HomeInUse, openBoard, withoutPassword, type BoardOptions, type OpenBoard } from '@yarnboard/server';
import { REGISTRY, type Operation, type OperationName, type OutputOf, type Problem } from '@yarnboard/protocol';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { VERSION } from '../version.ts';
import { hasBoard, programsOf, type Place } from './place.ts';

/** A board as a verb sees it: the running server's, or one that is opened for this command. Both answer the same calls. */
export type Client = {
  readonly call: <N extends OperationName>(name: N, input: Readonly<Record<string, unknown>>) => Promise<OutputOf<N>>;
  /** Null when a server does the work. */
  readonly board: OpenBoard | null;
};

export type ClientOptions = {
  /** Opens without a lock; nothing can be changed. */
  readonly readOnly?: boolean;
  /** Makes a board where there is none. */
  readonly create?: boolean;
  readonly onProgress?: BoardOptions['onProgress'];
};

/** Runs something with a board, through the running server if there is one; whatever was opened is closed afterwards. */
export const withBoard = async <T>(place: Place, io: Io, options: ClientOptions, work: (client: Client) => Promise<T>): Promise<T> => {
  const server = await findServer(place.home);
  // What is meant for one board must never reach another: MSG-1 is something else there.
  if (server !== null && server.database !== withoutPassword(place.home.database)) {
    throw new Refusal(
      3,
      `the server of ${place.home.folder} works on ${server.database}; for ${withoutPassword(place.home.database)} stop it with \`yarnboard stop\`, or set YARNBOARD_HOME to another folder`,
    );
  }
  if (server !== null) return work({ board: null, call: callOver((path, init) => fetch(`${server.url}${path}`, init), tokenOf(place)) });
  if (options.create !== true && !hasBoard(place)) {
    throw new Refusal(3, `there is no board in ${place.home.folder} yet; \`yarnboard import\` or \`yarnboard start\` makes one`);
  }
  const board = await open(place, io, options);
  try {
    return await work({
      board,
      call: callOver(
        async (path, init) => board.app.request(`http://127.0.0.1:0${path}`, { ...init, headers: { host: '127.0.0.1:0', ...init.headers } }),
        board.token,
      ),
    });
  } finally {
    await board.close();
  }
};

const open = async (place: Place, io: Io, options: ClientOptions): Promise<OpenBoard> => {
  try {
    return await openBoard({
      ...place,
      version: VERSION,
      programs: programsOf(io),
      onFault: (cause) => io.err(`yarnboard: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`),
      ...(options.readOnly === undefined ? {} : { readOnly: options.readOnly }),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    });
  } catch (cause) {
    if (cause instanceof HomeInUse) throw new Refusal(3, cause.message);
    throw cause;
  }
};

const tokenOf = ({ home }: Place): string => {
  try {
    return readFileSync(home.tokenFile, 'utf8').trim();
  } catch {
    return ''; // somebody else's server: what needs a token is refused by it, with the reason
  }
};

type Ask = (path: string, init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string }) => Promise<Response>;

const callOver =
  (ask: Ask, token: string): Client['call'] =>
  async (name, input) => {
    const operation: Operation = REGISTRY[name];
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, key: string) => encodeURIComponent(textOf(input[key])));
    const query = new URLSearchParams(
      given.filter(([key]) => !operation.path.includes(`{${key}}`)).map(([key, value]): [string, string] => [key, textOf(value)]),
    );
    const isQuery = operation.method === 'GET';
    const headers = { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...(isQuery ? {} : { 'content-type': 'application/json' }) };
    const url = `/api/v1${path}${isQuery && query.size > 0 ? `?${query.toString()}` : ''}`;
    let response: Response;
    try {
      response = await ask(url, { method: operation.method, headers, ...(isQuery ? {} : { body: JSON.stringify(Object.fromEntries(given)) }) });
    } catch (cause) {
      throw new Refusal(3, `the server does not answer: ${cause instanceof Error ? cause.message : String(cause)}; \`yarnboard status\` tells more`);
    }
    const body: unknown = await response.json();
    if (!response.ok) {
      const problem = body as Problem; // everything that is no answer is a problem document
      throw new Refusal(problem.code === 'bad-request' || problem.code === 'bad-reference' ? 2 : 3, problem.detail);
    }
    return body as OutputOf<typeof name>; // made by the same registry
  };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
