import { SOCKET_PROTOCOL, type ClientFrame, type ClientType, type CloseName, type Subscription } from '@yarnboard/protocol';
import type { Epoch } from '../../threads/epoch.ts';
import type { Asker } from '../../operations/request/asker.ts';
import { Refused } from '../../operations/request/refusal.ts';
import type { Resolution, Resolved } from './subscription.ts';

export type Hello = Extract<ClientFrame, { type: 'hello' }>;

export type WelcomeParts = {
  /** The identity of the upgrade request. */
  readonly asker: Asker;
  /** The identity of a hello's token, or without one of the upgrade's; throws if it is wrong or no longer valid. */
  readonly identify: (token: string | null) => Asker;
  /** Looks up the names of a subscription. */
  readonly resolve: (wanted: Subscription) => Promise<Resolution>;
  /** The current end of the log. */
  readonly findEnd: () => Promise<number>;
  readonly findEpoch: () => Promise<Epoch>;
};

export type Welcome =
  | { readonly ok: true; readonly asker: Asker; readonly subscription: Resolved; readonly head: number; readonly epoch: string }
  | { readonly ok: false; readonly close: CloseName; readonly why: string };

/** WIRE-4: whether a client is accepted, as whom, and what it wants to receive. */
export const welcome = async (hello: Hello, parts: WelcomeParts): Promise<Welcome> => {
  if (hello.protocol !== SOCKET_PROTOCOL) {
    return { ok: false, close: 'other-protocol', why: `this server speaks protocol ${SOCKET_PROTOCOL}, not ${hello.protocol}` };
  }
  let { asker } = parts;
  if (hello.token !== null) {
    try {
      asker = parts.identify(hello.token);
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      return { ok: false, close: 'bad-token', why: cause.message };
    }
  }
  if (asker.stranger !== undefined) {
    const why = 'without a token, only the user who runs the server may listen; send a token in hello';
    return { ok: false, close: 'bad-token', why };
  }
  if (hello.reveal && !asker.isOperator) {
    const why = 'only the human operator may see masked secrets; leave out reveal, or send the token of the operator';
    return { ok: false, close: 'operator-only', why };
  }
  const found = await parts.resolve(hello.subscription);
  if (!found.ok) return { ok: false, close: 'bad-hello', why: found.why };
  const head = await parts.findEnd();
  const epoch = await parts.findEpoch();
  const crossed = hello.sinceSeq === null ? null : crossing(hello.sinceSeq, hello.epoch, epoch);
  if (crossed !== null) return crossed;
  if (hello.sinceSeq !== null && hello.sinceSeq > head) {
    const why = `since_seq is ${hello.sinceSeq}, but the log ends at ${head}: it was counted on another log; begin at 0, or leave it out`;
    return { ok: false, close: 'other-log', why };
  }
  return { ok: true, asker, subscription: found.value, head, epoch: epoch.id };
};

/**
 * WIRE-40: a position belongs to an epoch. Up to the beginning of the present one, older positions mean the same, so a client that names no epoch may
 * continue from there.
 */
const crossing = (sinceSeq: number, named: string | undefined, epoch: Epoch): Extract<Welcome, { ok: false }> | null => {
  if (named === undefined ? sinceSeq < epoch.position || epoch.position === 0 : named === epoch.id) return null;
  const why = `an older state of the board was restored, and a new epoch began at ${epoch.position}`;
  // A client that doesn't know epochs would retry with the same words forever.
  return named === undefined
    ? { ok: false, close: 'other-log', why: `${why}; say the epoch of since_seq, or begin at 0` }
    : { ok: false, close: 'epoch-changed', why: `${why}; begin anew` };
};

export const clientTypeOf = ({ isOperator, actor }: Asker): ClientType => {
  if (isOperator) return 'operator';
  return actor === null ? 'reader' : actor.type === 'agent' ? 'agent' : 'human';
};
