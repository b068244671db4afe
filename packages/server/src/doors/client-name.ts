import type { ClientName } from '../operations/request/asker.ts';

export type { ClientName } from '../operations/request/asker.ts';

/** The header with which a client says what it is; browsers cannot set one for a WebSocket, and put it into the address as `client`. */
export const CLIENT_HEADER = 'yarnboard-client';

/**
 * LOG-17: which client somebody uses: as it says itself (`terminal/0.2.0`), else the page where a browser sends it from our own address, else what the door
 * is called. It is only written down: nobody may do more because of it.
 */
export const clientNameOf = (said: string | null | undefined, { origin, door, version: ours }: Knocking): ClientName => {
  const [, name, version = null] = FORM.exec(said ?? '') ?? [];
  if (name !== undefined && !OURS.has(name)) return { name, version };
  return origin === undefined ? { name: door, version: null } : { name: 'web', version: ours };
};

type Knocking = {
  readonly origin: string | undefined;
  readonly door: string;
  /** That of the server, which the page comes from. */
  readonly version: string | null;
};

const FORM = /^([a-z][a-z0-9_-]{0,39})(?:\/([A-Za-z0-9.+_-]{1,60}))?$/u;

/** What Yarnboard itself does is nobody else's. */
const OURS: ReadonlySet<string> = new Set(['yarnboard']);
