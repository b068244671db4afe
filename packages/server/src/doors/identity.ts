import { timingSafeEqual } from 'node:crypto';
import { assertNever, OPERATOR, type Actor } from '@yarnboard/domain';
import { tokenHashOf } from '../home/token.ts';
import { NOBODY, type Asker } from '../operations/request/asker.ts';
import { Refused, refusedFor } from '../operations/request/refusal.ts';
import type { Ends, Peers } from './peer.ts';

export type Door = {
  readonly token: string;
  readonly port: () => number;
  /** The agent or person whose token has this hash; null if nobody's. */
  readonly memberWith: (tokenHash: string) => Actor | null;
  /** The seat whose token has this hash. */
  readonly seatWith?: (tokenHash: string) => Asker | null;
  /** Determines whose process is at the other end. */
  readonly peers?: Peers;
  /** RT-59: the seat whose process is at the other end, if it is one; this is reported. */
  readonly seatBehind?: (ends: Ends) => string | null;
  /** Whether anyone on this machine may read without a token. */
  readonly isOpenToRead?: boolean;
};

export type Headers = {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** The browser's statement on where a request comes from, and what it is for. */
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  /** The requested path; a page of another site may link to ours, and do nothing else. */
  readonly path?: string;
  /** The connection; null for calls within the process. */
  readonly ends?: Ends | null;
};

/**
 * SEC-10, SEC-13: identifies the caller. A page of another site can reach 127.0.0.1, too, by its own name (Host) or by a script (Origin): both are
 * refused, and so are embedded requests; only a link may lead here. Forwarded addresses are ignored. Without a token, the user who runs the server
 * may read; a wrong token never counts as none.
 */
export const identify = (door: Door, headers: Headers): Asker => {
  const { token, port, memberWith } = door;
  const { host, origin, authorization, fetchSite, fetchMode } = headers;
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  const ours = [...names.map((name) => `${name}:${port()}`), ...(port() === 80 ? names : [])];
  if (host === undefined || !ours.includes(host.toLowerCase())) {
    throw new Refused('foreign-host', `this server answers only for ${ours[0] ?? ''}, not for ${host ?? 'a request without Host'}`);
  }
  if (origin !== undefined && !ours.some((name) => origin.toLowerCase() === `http://${name}`)) {
    throw new Refused('foreign-origin', `requests from ${origin} are refused; open http://${ours[0] ?? ''} itself`);
  }
  const isLedToPage = fetchMode === 'navigate' && !OF_DATA.test(headers.path ?? '/');
  if ((fetchSite === 'cross-site' || fetchSite === 'same-site') && !isLedToPage) {
    throw new Refused('foreign-origin', `requests from other sites are refused; open http://${ours[0] ?? ''} itself`);
  }
  if (authorization === undefined) return nobodyAt(door, headers.ends ?? null);
  const [, sent = ''] = /^bearer +(\S+)$/iu.exec(authorization.trim()) ?? [];
  if (sent !== '' && isSame(sent, token)) {
    const seat = headers.ends == null ? null : (door.seatBehind?.(headers.ends) ?? null);
    if (seat !== null) throw refusedFor('operator-token-in-seat', { agent: seat });
    return { isOperator: true, actor: OPERATOR };
  }
  // By its hash: the time of a look-up reveals nothing about the token.
  const member = sent === '' ? null : memberWith(tokenHashOf(sent));
  if (member !== null) return { isOperator: false, actor: member };
  const seat = sent === '' ? null : (door.seatWith?.(tokenHashOf(sent)) ?? null);
  if (seat !== null) return seat;
  throw new Refused(
    'bad-token',
    'this token belongs neither to the operator (operator.token in the Yarnboard home) nor to an agent; check it, or send none to read only',
  );
};

/** RT-23: a seat receives events through its runtime; it may call operations, but not subscribe. */
export const refuseSeat = (asker: Asker): Asker => {
  if (asker.seat === undefined) return asker;
  throw refusedFor('out-of-reach', { agent: asker.actor?.id ?? '', sidebar: asker.seat.sidebarRef });
};

/** SEC-21: a caller without a token may be any user of this machine. */
const nobodyAt = ({ peers, isOpenToRead = false }: Door, ends: Ends | null): Asker => {
  if (isOpenToRead || peers === undefined || ends === null) return NOBODY;
  const peer = peers.of(ends);
  switch (peer) {
    case 'owner':
      return NOBODY;
    case 'other':
      return { ...NOBODY, stranger: 'other' };
    case 'root':
    case 'untold':
      return { ...NOBODY, stranger: 'untold' };
    default:
      return assertNever(peer);
  }
};

/** Where answers contain data. */
const OF_DATA = /^\/(?:api|downloads|metrics|mcp|ws)(?:\/|$)/u;

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};
