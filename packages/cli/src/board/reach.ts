import type { BoardOptions, OpenBoard } from '@yarnboard/server';
import { findServer, withoutPassword, type ServerMark } from '@yarnboard/server/entrance';
import { DAILY_ROUTES, type Operation, type OperationName, type Problem, type Told } from '@yarnboard/protocol';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { VERSION } from '../version.ts';
import { askServer, type Reply } from './ask-server.ts';
import { hasBoard, noBoard, programsOf, type Place } from './place.ts';

/** A board that can be queried: the running server's, or one opened for this command. Both answer alike. */
export type Reached = {
  /** Failures on the way are thrown as they are; a refusal by the board is an answer. */
  readonly ask: (name: OperationName, input: Input, asker: Asker) => Promise<Answered>;
  /** For what isn't an operation: a document, as it is written. */
  readonly fetch: (path: string, token: string) => Promise<Response>;
  readonly upload: (bytes: ReadableStream<Uint8Array>, token: string) => Promise<Response>;
  /** Null if a server does the work. */
  readonly board: OpenBoard | null;
};

export type Input = Readonly<Record<string, unknown>>;
/** `client` is the door in use; by default the terminal. */
export type Asker = { readonly token: string; readonly signal?: AbortSignal; readonly client?: string };
export type Answered = { readonly isDone: true; readonly answer: unknown } | { readonly isDone: false; readonly problem: Problem };

export type ReachOptions = {
  /** Opens without a lock; nothing can be changed. */
  readonly readOnly?: boolean;
  /** Creates a board if there is none. */
  readonly create?: boolean;
  readonly onProgress?: BoardOptions['onProgress'];
};

/** Reaches the board of a home, through the running server if there is one, and closes afterwards whatever it opened. */
export const reachBoard = async <T>(place: Place, io: Io, options: ReachOptions, work: (reached: Reached) => Promise<T>): Promise<T> => {
  const server = await serverOf(place);
  if (server !== null) return work({ board: null, ...doorOf(server) });
  if (options.create !== true && !hasBoard(place)) {
    throw await noBoard(place, '; `yarnboard import` or `yarnboard start` makes one');
  }
  const board = await open(place, io, options);
  // Somebody started a server while this command waited for its turn.
  if ('url' in board) return work({ board: null, ...doorOf(board) });
  try {
    return await work({
      board,
      ...doorTo(async (path, init) => board.app.request(`http://127.0.0.1:0${path}`, { ...init, headers: { host: '127.0.0.1:0', ...init.headers } })),
    });
  } finally {
    await board.close();
  }
};

/** How to send requests to a running server. */
export const doorOf = ({ url }: Pick<ServerMark, 'url'>): Pick<Reached, 'ask' | 'fetch' | 'upload'> =>
  doorTo(
    (path, init) => fetch(`${url}${path}`, init),
    (path, init) => askServer(`${url}${path}`, init),
  );

/** The running server of a place; null if there is none. */
export const serverOf = async (place: Place): Promise<ServerMark | null> => {
  const server = await findServer(place.home);
  // Commands for one board must never reach another, where MSG-1 is something else.
  if (server !== null && server.database !== withoutPassword(place.home.database)) {
    throw new Refusal(
      3,
      `the server of ${place.home.folder} works on ${server.database}; for ${withoutPassword(place.home.database)} stop it with \`yarnboard stop\`, or set YARNBOARD_HOME to another folder`,
    );
  }
  return server;
};

/** SRV-40: opens the board when it is this command's turn. */
const open = async (place: Place, io: Io, options: ReachOptions): Promise<OpenBoard | ServerMark> => {
  // If a server is running, its code isn't needed here, and loading it takes longer than the request.
  const { HomeInUse, openBoard } = await import('@yarnboard/server');
  try {
    return await openBoard({
      ...place,
      patience: patienceIn(io),
      version: VERSION,
      programs: programsOf(io),
      onFault: (cause) => io.err(`yarnboard: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`),
      ...(options.readOnly === undefined ? {} : { readOnly: options.readOnly }),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    });
  } catch (cause) {
    if (!(cause instanceof HomeInUse)) throw cause;
    const server = await serverOf(place);
    if (server !== null) return server;
    throw new Refusal(3, cause.message);
  }
};

/** How long a command waits for those before it: `YARNBOARD_WAIT`, in seconds. */
export const patienceIn = ({ env }: Pick<Io, 'env'>): number => {
  const wanted = Number(env['YARNBOARD_WAIT'] ?? '');
  return env['YARNBOARD_WAIT'] === undefined || !(wanted >= 0) ? PATIENCE : wanted * 1000;
};

const PATIENCE = 60_000;

type Init = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | ReadableStream<Uint8Array>;
  /** Needed to send a stream. */
  readonly duplex?: 'half';
  readonly signal?: AbortSignal;
};

type Send = (path: string, init: Init) => Promise<Response>;
type SendText = (path: string, init: TextInit) => Promise<Reply>;
type TextInit = Omit<Init, 'body' | 'duplex'> & { readonly body?: string };

/** Requests go through `quick`, if there is a faster way than the one for bytes. */
const doorTo = (send: Send, quick: SendText = send): Pick<Reached, 'ask' | 'fetch' | 'upload'> => ({
  ask: askOver(quick),
  fetch: (path, token) => send(path, { method: 'GET', headers: bearing(token) }),
  upload: (body, token) => send('/uploads/media', { method: 'POST', headers: bearing(token), body, duplex: 'half' }),
});

const bearing = (token: string): Record<string, string> => (token === '' ? {} : { authorization: `Bearer ${token}` });

const askOver =
  (send: SendText): Reached['ask'] =>
  async (name, input, { token, signal, client = 'terminal' }) => {
    const route = await routeOf(name);
    const { method } = route;
    const inPath = new Set([...route.path.matchAll(/\{(\w+)\}/gu)].map(([, key = '']) => key));
    // An address that ends in /.. is a different one.
    const lost = [...inPath].find((key) => input[key] === '.' || input[key] === '..');
    if (lost !== undefined)
      return {
        isDone: false,
        problem: await problemFor('not-found', { reason: 'not-on-board', facts: { asked: `"${textOf(input[lost])}"` } }, name),
      };
    const path = route.path.replaceAll(/\{(\w+)\}/gu, (_, key: string) => encodeURIComponent(textOf(input[key])));
    const given = Object.entries(input).filter(([key, value]) => value !== undefined && !inPath.has(key));
    const query = new URLSearchParams(method === 'GET' ? given.map(([key, value]): [string, string] => [key, textOf(value)]) : []);
    const response = await send(`/api/v1${path}${query.size > 0 ? `?${query.toString()}` : ''}`, {
      method,
      headers: {
        'yarnboard-client': `${client}/${VERSION}`,
        ...bearing(token),
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(Object.fromEntries(given)) }),
      ...(signal === undefined ? {} : { signal }),
    });
    // Only a query can be that long: it is in the address.
    if (response.status === 431)
      return { isDone: false, problem: await problemFor('too-large', { reason: 'question-too-large', facts: { operation: name } }, name) };
    const body: unknown = await response.json();
    return response.ok ? { isDone: true, answer: body } : { isDone: false, problem: body as Problem }; // every failure is a problem document
  };

/** Schemas come with the whole registry: they are loaded only for less common operations. */
const routeOf = async (name: OperationName): Promise<Pick<Operation, 'method' | 'path'>> =>
  hasRoute(name) ? DAILY_ROUTES[name] : (await import('./all-routes.ts')).routeOf(name);

const hasRoute = (name: OperationName): name is keyof typeof DAILY_ROUTES => Object.hasOwn(DAILY_ROUTES, name);

/** A problem that is reported without asking a server. */
const problemFor = async (code: Problem['code'], told: Told, asked: OperationName): Promise<Problem> => {
  const { problemIn } = await import('./refused.ts');
  return problemIn(code, told, asked);
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
