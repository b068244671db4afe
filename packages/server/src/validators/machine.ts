import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { freemem } from 'node:os';
import { macMemoryIn, macNamesIn, macPortsIn, saidBy } from './mac.ts';
import type { Programs } from './programs.ts';

type Means = { readonly programs: Programs; readonly signal: AbortSignal };

/** The names of running processes by pid, never their arguments; null if the system doesn't say. */
export const processNames = async (own: ReadonlySet<number>, { programs, signal }: Means): Promise<ReadonlyMap<number, string> | null> => {
  if (process.platform === 'darwin') {
    const told = await saidBy(programs, 'ps', ['-A', '-c', '-o', 'pid=,stat=,comm='], signal);
    return told === null ? null : new Map([...macNamesIn(told)].filter(([pid]) => !own.has(pid)));
  }
  if (process.platform !== 'linux') return null;
  const names = new Map<number, string>();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name)).map(Number);
  for (const pid of pids) {
    if (own.has(pid)) continue;
    try {
      const state = await readFile(`/proc/${pid}/stat`, 'utf8');
      // A zombie has ended. The name is in parentheses and may contain any character.
      const end = state.lastIndexOf(')');
      if (state.slice(end + 2, end + 3) !== 'Z') names.set(pid, state.slice(state.indexOf('(') + 1, end));
    } catch {
      // it has ended meanwhile, or is hidden
    }
  }
  return names;
};

/** The bytes of memory that programs can still have; null if the system doesn't say. */
export const availableMemory = async ({ programs, signal }: Means): Promise<number | null> => {
  if (process.platform !== 'darwin') return freemem();
  const told = await saidBy(programs, 'vm_stat', [], signal);
  return told === null ? null : macMemoryIn(told);
};

/** The TCP ports that something listens on; null if the system doesn't say. */
export const listeningPorts = async ({ programs, signal }: Means): Promise<ReadonlySet<number> | null> => {
  if (process.platform === 'darwin') {
    const told = await saidBy(programs, 'netstat', ['-an', '-p', 'tcp'], signal);
    return told === null ? null : new Set(macPortsIn(told));
  }
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => null)));
  if (tables.every((table) => table === null)) return null;
  return new Set(tables.flatMap((table) => (table === null ? [] : portsIn(table))));
};

/** Reads /proc/net/tcp: the local address is hexadecimal, and 0A marks a listening socket. */
export const portsIn = (table: string): readonly number[] =>
  table.split('\n').flatMap((line) => {
    const [, port, state] = /^\s*\d+:\s+[0-9A-F]+:([0-9A-F]{4})\s+[0-9A-F]+:[0-9A-F]{4}\s+([0-9A-F]{2})/u.exec(line) ?? [];
    return state === '0A' && port !== undefined ? [Number.parseInt(port, 16)] : [];
  });

/** Whether something accepts connections on this port of 127.0.0.1; null if we can't tell. */
export const accepts = (port: number, signal: AbortSignal): Promise<boolean | null> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: TIMEOUT });
    const done = (answer: boolean | null): void => {
      socket.destroy();
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    const onAbort = (): void => done(null);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => done(true));
    socket.once('timeout', () => done(null));
    socket.once('error', (cause: NodeJS.ErrnoException) => done(cause.code === 'ECONNREFUSED' ? false : null));
  });

export type Asked = { readonly status: number; readonly body: string } | { readonly fault: string };

/** VAL-22: requests a declared address: GET, no redirects, no credentials, at most 64 KB and 2 seconds. */
export const askAddress = (address: string, signal: AbortSignal): Promise<Asked> =>
  new Promise((resolve) => {
    const url = new URL(address);
    const get = url.protocol === 'https:' ? getHttps : getHttp;
    const request = get(url, { timeout: TIMEOUT, signal, agent: false, headers: { accept: 'text/plain, */*' } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
        if (body.length > MOST_BODY) response.destroy();
      });
      response.once('error', () => {});
      response.once('close', () => resolve({ status: response.statusCode ?? 0, body: body.slice(0, MOST_BODY) }));
    });
    const timer = setTimeout(() => request.destroy(new Error('timeout')), TIMEOUT);
    request.once('close', () => clearTimeout(timer));
    request.once('timeout', () => request.destroy(new Error('timeout')));
    request.once('error', (cause: NodeJS.ErrnoException) => resolve({ fault: cause.code ?? cause.message }));
  });

const TIMEOUT = 2000;
const MOST_BODY = 64_000;
