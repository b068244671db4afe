import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { MARK } from './process-group.ts';

/** The two ports of a connection, as seen from the server. */
export type SocketEnds = { readonly remotePort?: number | undefined; readonly localPort?: number | undefined };

export type Processes = {
  readonly pids: () => readonly number[];
  readonly parentOf: (pid: number) => number | null;
  readonly markOf: (pid: number) => string | null;
  readonly socketsOf: (pid: number) => readonly string[];
  /** The contents of /proc/net/tcp and tcp6. */
  readonly tables: () => readonly string[];
};

/**
 * RT-59: the mark of the seat behind a connection; null if it isn't a seat's, or the system can't tell. A process belongs to a seat if it carries the
 * mark or descends from one that does. One that shed both can't be told from a stranger.
 */
export const seatMarkBehind = (
  { remotePort, localPort }: SocketEnds,
  isOurs: (mark: string) => boolean,
  processes: Processes = OF_LINUX,
): string | null => {
  if (remotePort === undefined || localPort === undefined) return null;
  const inode = inodeOf(processes.tables(), remotePort, localPort);
  if (inode === null) return null;
  const pids = processes.pids();
  const marks = new Map(pids.map((pid) => [pid, processes.markOf(pid)]));
  const markOf = (pid: number): string | null => {
    for (let at: number | null = pid, steps = 0; at !== null && at > 1 && steps < MOST_ANCESTORS; at = processes.parentOf(at), steps += 1) {
      const mark = marks.get(at) ?? null;
      if (mark !== null && isOurs(mark)) return mark;
    }
    return null;
  };
  for (const pid of pids) {
    const mark = markOf(pid);
    if (mark !== null && processes.socketsOf(pid).includes(`socket:[${inode}]`)) return mark;
  }
  return null;
};

/** The inode of the socket at the other end, whose local port is our remote port. */
const inodeOf = (tables: readonly string[], own: number, other: number): string | null => {
  const [ownHex, otherHex] = [hex(own), hex(other)];
  for (const table of tables) {
    for (const line of table.split('\n')) {
      const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/u);
      if (local.endsWith(`:${ownHex}`) && remote.endsWith(`:${otherHex}`) && /^[1-9]\d*$/u.test(inode)) return inode;
    }
  }
  return null;
};

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

const readOr = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch {
    return otherwise; // already gone, not ours to inspect, or not Linux
  }
};

const OF_LINUX: Processes = {
  pids: () =>
    readOr(() => readdirSync('/proc'), [])
      .filter((name) => /^\d+$/u.test(name))
      .map(Number),
  parentOf: (pid) => {
    // After the name in parentheses, which may contain anything.
    const [, , parent] = readOr(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '')
      .replace(/^.*\)/su, ')')
      .split(' ');
    return parent === undefined || !/^\d+$/u.test(parent) ? null : Number(parent);
  },
  markOf: (pid) =>
    readOr(() => readFileSync(`/proc/${pid}/environ`, 'latin1'), '')
      .split('\0')
      .find((one) => one.startsWith(`${MARK}=`))
      ?.slice(MARK.length + 1) ?? null,
  socketsOf: (pid) => readOr(() => readdirSync(`/proc/${pid}/fd`), []).map((fd) => readOr(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '')),
  tables: () => ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readOr(() => readFileSync(path, 'latin1'), '')),
};

const MOST_ANCESTORS = 64;
