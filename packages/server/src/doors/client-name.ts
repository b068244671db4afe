import type { ClientName } from '../operations/request/asker.ts';

export type { ClientName } from '../operations/request/asker.ts';

/** The header with which a client identifies itself. Browsers can't set one for a WebSocket, and use the parameter `client` in the address. */
export const CLIENT_HEADER = 'yarnboard-client';

/**
 * LOG-17: the client in use: by its own account (`terminal/0.2.0`), otherwise the page if a browser sends from our own address, otherwise the door's
 * name. It is only recorded: it grants no rights.
 */
export const clientNameOf = (said: string | null | undefined, { origin, door, version: ours }: Knocking): ClientName => {
  const [, name, version = null] = FORM.exec(said ?? '') ?? [];
  if (name !== undefined && !OURS.has(name)) return { name, version };
  return origin === undefined ? { name: door, version: null } : { name: 'web', version: ours };
};

type Knocking = {
  readonly origin: string | undefined;
  readonly door: string;
  /** The version of the server, which also serves the page. */
  readonly version: string | null;
};

const FORM = /^([a-z][a-z0-9_-]{0,39})(?:\/([A-Za-z0-9.+_-]{1,60}))?$/u;

/** Names reserved for Yarnboard itself. */
const OURS: ReadonlySet<string> = new Set(['yarnboard']);
