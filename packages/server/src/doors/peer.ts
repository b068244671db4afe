import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';

/**
 * Whose process is at the other end of a connection: the user's who runs the server, root's, somebody else's, or `untold` if the system doesn't say.
 * Linux does, for connections within one machine.
 */
export type Peer = 'owner' | 'root' | 'other' | 'untold';

export type Ends = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
};

export type PeerOptions = {
  readonly platform: NodeJS.Platform;
  /** The user who runs the server. */
  readonly uid: number;
  /** The system's connection tables, like /proc/net/tcp and tcp6. */
  readonly tables: () => readonly string[];
};

export type Peers = {
  /** A connection was accepted: tables read earlier don't count for it. */
  readonly accepted: (ends: Ends) => void;
  readonly of: (ends: Ends) => Peer;
};

/**
 * SEC-21: determined once per connection, since its owner doesn't change. Simultaneous connections share one reading of the tables. A reading from
 * before a connection was accepted may still show the previous owner of its port.
 */
export const createPeers = ({ platform, uid, tables }: PeerOptions = OF_THIS_PROCESS): Peers => {
  const known = new WeakMap<Ends, Peer>();
  const acceptedAt = new WeakMap<Ends, number>();
  let accepted = 0;
  let readAt = -1;
  let owners: ReadonlyMap<string, number> = new Map();

  const look = (ends: Ends): Peer => {
    if (platform !== 'linux') return 'untold';
    const key = keyOf(endOf(ends.remoteAddress, ends.remotePort), endOf(ends.localAddress, ends.localPort));
    if (readAt < (acceptedAt.get(ends) ?? Number.POSITIVE_INFINITY)) {
      owners = ownersIn(tables());
      readAt = accepted;
    }
    const owner = owners.get(key);
    // A connection in no table is gone: nobody is left to answer.
    return owner === uid ? 'owner' : owner === 0 ? 'root' : 'other';
  };

  return {
    accepted: (ends) => {
      accepted += 1;
      acceptedAt.set(ends, accepted);
    },
    of: (ends) => {
      const before = known.get(ends);
      if (before !== undefined) return before;
      const peer = look(ends);
      known.set(ends, peer);
      return peer;
    },
  };
};

/** The owner of each socket, by its own end and the other one. */
const ownersIn = (tables: readonly string[]): ReadonlyMap<string, number> => {
  const owners = new Map<string, number>();
  for (const table of tables) {
    for (const line of table.split('\n')) {
      const [, local = '', remote = '', , , , , uid = ''] = line.trim().split(/\s+/u);
      if (/^\d+$/u.test(uid)) owners.set(keyOf(local.slice(-END), remote.slice(-END)), Number(uid));
    }
  }
  return owners;
};

const keyOf = (own: string, other: string): string => `${own} ${other}`;

/** In the notation of the tables: the address's bytes in reverse order and the port, in hexadecimal. */
const endOf = (address: string | undefined, port: number | undefined): string => {
  const plain = address?.replace(/^::ffff:/iu, '') ?? '';
  if (!isIPv4(plain) || port === undefined) return '';
  const bytes = plain.split('.').reverse();
  return `${bytes.map((byte) => hex(Number(byte), 2)).join('')}:${hex(port, 4)}`;
};

/** The length of that; an IPv6 socket ends with the IPv4 address. */
const END = '0100007F:1F90'.length;

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

const tableAt = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // a system without IPv6, or one that hides its tables: then nobody is recognized, and a token is required
  }
};

const OF_THIS_PROCESS: PeerOptions = {
  platform: process.platform,
  uid: process.getuid?.() ?? -1,
  tables: () => ['/proc/net/tcp', '/proc/net/tcp6'].map(tableAt),
};
