import { assertNever, maskSecrets } from '@yarnboard/domain';
import { decodeClientFrame, type ClientFrame, type CloseName, type ServerFrame, type Subscription } from '@yarnboard/protocol';
import type { Asker } from '../../operations/request/asker.ts';
import type { QueuedAnswer } from '../../operations/perform.ts';
import type { Done } from './idempotency.ts';
import { resolvePlainly, type Resolution, type Resolved } from './subscription.ts';
import type { Hello, Welcome } from './welcome.ts';

export type Command = Extract<ClientFrame, { type: 'command' }>;

export type TalkLimits = {
  /** A hello must arrive within this time. */
  readonly helloWithin: number;
  /** A client that takes nothing for this long is disconnected. */
  readonly stallAfter: number;
  readonly pingEvery: number;
  readonly mostCommands: number;
  /** A client that doesn't answer a close is dropped. */
  readonly closeWithin: number;
};

/** The state of a client's side of the protocol; what it has received is the delivery's. */
export type Talk = {
  readonly phase: 'new' | 'greeting' | 'open' | 'closing' | 'closed';
  readonly asker: Asker;
  readonly token: string | null;
  readonly openedAt: number;
  readonly closingAt: number;
  readonly heardAt: number;
  readonly pingedAt: number;
  /** Frames that arrived before it was accepted. */
  readonly early: readonly string[];
  /** Unanswered commands and subscriptions. */
  readonly running: number;
  /** Subscriptions whose names are being looked up, in turn: the last one counts. */
  readonly lookups: readonly Subscription[];
  /** It doesn't take what is sent. */
  readonly isHeldUp: boolean;
  /** Nor its answers: it isn't read from any more, or its answers would pile up. */
  readonly isMuted: boolean;
  readonly isPaused: boolean;
  /** It was accepted. */
  readonly isKnown: boolean;
  /** How we closed it. */
  readonly leftAs: string | null;
};

export type TalkInput =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'binary'; readonly at: number }
  /** A sign of life without content. */
  | { readonly kind: 'alive'; readonly at: number }
  | { readonly kind: 'welcomed'; readonly hello: Hello; readonly welcomed: Welcome; readonly at: number }
  | { readonly kind: 'resolved'; readonly found: Resolution }
  | { readonly kind: 'performed'; readonly messageId: string; readonly outcome: CommandOutcome }
  /** Something broke on our side. */
  | { readonly kind: 'broken'; readonly resumeAt: number; readonly at: number }
  /** It can't take more for now; `isAnswer` if an answer is held up. */
  | { readonly kind: 'held-up'; readonly isAnswer: boolean }
  | { readonly kind: 'room' }
  | { readonly kind: 'tick'; readonly at: number; readonly isStuck: boolean; readonly movedAt: number; readonly resumeAt: number }
  | { readonly kind: 'go-away'; readonly reason: string; readonly at: number }
  | { readonly kind: 'revoked'; readonly at: number }
  | { readonly kind: 'closed'; readonly code: number };

export type CommandOutcome =
  | { readonly kind: 'done'; readonly done: Done; readonly isRepeated: boolean }
  | { readonly kind: 'queued'; readonly answer: QueuedAnswer }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly reason?: string; readonly facts?: object };

/** Frames with the last position sent, which the delivery knows. */
type Positioned<T = Extract<ServerFrame, { type: 'pong' | 'going_away' }>> = T extends { readonly seq: number } ? Omit<T, 'seq'> : never;

export type TalkEffect =
  | { readonly kind: 'say'; readonly frame: Exclude<ServerFrame, { type: 'entry' | 'event' | 'newer_event' }> }
  | { readonly kind: 'say-where'; readonly frame: Positioned }
  | { readonly kind: 'close'; readonly name: CloseName; readonly reason: string }
  | { readonly kind: 'pause' | 'resume' | 'ping' | 'terminate' | 'feed' }
  | { readonly kind: 'count'; readonly what: 'refused' | 'dropped' | 'droppedSlow' }
  | { readonly kind: 'greet'; readonly hello: Hello }
  /** It is accepted, and receives from here on. */
  | { readonly kind: 'open'; readonly hello: Hello; readonly subscription: Resolved; readonly head: number; readonly epoch: string }
  | { readonly kind: 'look-up'; readonly subscription: Subscription }
  | { readonly kind: 'subscribe'; readonly subscription: Resolved }
  | { readonly kind: 'perform'; readonly command: Command }
  /** Nobody waits for the answer to this one any more. */
  | { readonly kind: 'cancel'; readonly messageId: string }
  /** It has gone; with a `reason` if it was cut off without a farewell. */
  | { readonly kind: 'gone'; readonly reason: string | null };

type Stepped = { readonly talk: Talk; readonly effects: readonly TalkEffect[] };

export const beginTalk = (asker: Asker, at: number): Talk => ({
  phase: 'new',
  asker,
  token: null,
  openedAt: at,
  closingAt: 0,
  heardAt: at,
  pingedAt: at,
  early: [],
  running: 0,
  lookups: [],
  isHeldUp: false,
  isMuted: false,
  isPaused: false,
  isKnown: false,
  leftAs: null,
});

/** The effects of a client's message. Whether to keep reading from it is decided in one place, after everything else. */
export const stepTalk = (limits: TalkLimits, talk: Talk, input: TalkInput): Stepped => {
  const { talk: next, effects } = respond(limits, talk, input);
  const isPaused = mustPause(limits, next);
  if (isPaused === next.isPaused) return { talk: next, effects };
  return { talk: { ...next, isPaused }, effects: [{ kind: isPaused ? 'pause' : 'resume' }, ...effects] };
};

// A closing client is still read from: its answer to the close is what we wait for.
const mustPause = ({ mostCommands }: TalkLimits, { phase, early, running, isMuted }: Talk): boolean =>
  phase !== 'closing' && phase !== 'closed' && ((phase === 'greeting' && early.length > 0) || running >= mostCommands || isMuted);

const respond = (limits: TalkLimits, talk: Talk, input: TalkInput): Stepped => {
  switch (input.kind) {
    case 'text':
      return take({ ...talk, heardAt: input.at }, input.text, input.at);
    case 'binary':
      return refuse({ ...talk, heardAt: input.at }, 'not-text', 'frames are JSON texts', input.at);
    case 'alive':
      return still({ ...talk, heardAt: input.at });
    case 'welcomed':
      return letIn(talk, input.hello, input.welcomed, input.at);
    case 'resolved':
      return subscribed(talk, input.found);
    case 'performed': {
      const free = { ...talk, running: talk.running - 1 };
      return talk.phase === 'open' ? said(free, answerTo(input.messageId, input.outcome)) : still(free);
    }
    case 'broken':
      return shut(talk, 'fault', `the log could not be read; resume with since_seq ${input.resumeAt}`, input.at);
    case 'held-up':
      return still(isLeaving(talk) ? talk : { ...talk, isHeldUp: true, isMuted: talk.isMuted || input.isAnswer });
    case 'room':
      return talk.isHeldUp ? { talk: { ...talk, isHeldUp: false, isMuted: false }, effects: [{ kind: 'feed' }] } : still(talk);
    case 'tick':
      return tick(limits, talk, input);
    case 'revoked':
      return refuse(talk, 'bad-token', 'the token was replaced or taken back; connect again with the new one', input.at);
    case 'go-away':
      // If a frame is being sent in pieces, only the close itself can say so.
      return then({ talk, effects: [{ kind: 'say-where', frame: { type: 'going_away', reason: input.reason } }] }, (next) =>
        shut(next, 'going-away', input.reason, input.at),
      );
    case 'closed': {
      const isLost = talk.isKnown && (talk.leftAs !== null || !FAREWELLS.has(input.code));
      return { talk: { ...talk, phase: 'closed' }, effects: [{ kind: 'gone', reason: isLost ? (talk.leftAs ?? 'dropped') : null }] };
    }
    default:
      return assertNever(input);
  }
};

const take = (talk: Talk, text: string, at: number): Stepped => {
  if (isLeaving(talk)) return still(talk);
  if (talk.phase === 'greeting') return still({ ...talk, early: [...talk.early, text] });
  const read = decodeClientFrame(text);
  if (talk.phase === 'new') {
    if (read.ok && read.value.type === 'hello') return { talk: { ...talk, phase: 'greeting' }, effects: [{ kind: 'greet', hello: read.value }] };
    return refuse(talk, 'bad-hello', read.ok ? `the first frame must be hello, not ${read.value.type}` : read.error.message, at);
  }
  if (read.ok) return answer(talk, read.value);
  const { code, messageId } = read.error;
  const message = maskSecrets(read.error.message).text;
  return refused(talk, messageId === null ? { type: 'error', code, message } : { type: 'rejected', messageId, code, message });
};

const answer = (talk: Talk, frame: ClientFrame): Stepped => {
  switch (frame.type) {
    case 'hello':
      return refused(talk, { type: 'error', code: 'bad-request', message: 'hello was said already; connect again to begin anew' });
    case 'subscribe': {
      const { subscription } = frame;
      const plain = talk.lookups.length === 0 ? resolvePlainly(subscription) : null;
      if (plain !== null) return { talk, effects: [{ kind: 'subscribe', subscription: plain }] };
      const waiting = { ...talk, lookups: [...talk.lookups, subscription], running: talk.running + 1 };
      return { talk: waiting, effects: talk.lookups.length === 0 ? [{ kind: 'look-up', subscription }] : [] };
    }
    case 'ping':
      return { talk, effects: [{ kind: 'say-where', frame: { type: 'pong' } }] };
    case 'cancel':
      // It is answered nevertheless: with what was done by then, or with the cancellation.
      return { talk, effects: [{ kind: 'cancel', messageId: frame.messageId }] };
    case 'command':
      return { talk: { ...talk, running: talk.running + 1 }, effects: [{ kind: 'perform', command: frame }] };
    default:
      return assertNever(frame);
  }
};

const letIn = (talk: Talk, hello: Hello, welcomed: Welcome, at: number): Stepped => {
  if (talk.phase !== 'greeting') return still(talk); // it has gone in the meantime
  if (!welcomed.ok) return refuse(talk, welcomed.close, welcomed.why, at);
  const { asker, subscription, head, epoch } = welcomed;
  const open: Talk = { ...talk, phase: 'open', asker, token: hello.token, isKnown: true, early: [] };
  const first: Stepped = { talk: open, effects: [{ kind: 'open', hello, subscription, head, epoch }] };
  const caughtUp = talk.early.reduce((sofar, text) => then(sofar, (next) => take(next, text, at)), first);
  return { talk: caughtUp.talk, effects: [...caughtUp.effects, { kind: 'feed' }] };
};

const subscribed = (talk: Talk, found: Resolution): Stepped => {
  const [, ...lookups] = talk.lookups;
  const free: Talk = { ...talk, lookups, running: talk.running - 1 };
  if (talk.phase !== 'open') return still({ ...free, lookups: [], running: free.running - lookups.length });
  const done: Stepped = found.ok
    ? { talk: free, effects: [{ kind: 'subscribe', subscription: found.value }] }
    : refused(free, { type: 'error', code: 'not-found', message: maskSecrets(found.why).text });
  const [next] = lookups;
  return next === undefined ? done : { talk: done.talk, effects: [...done.effects, { kind: 'look-up', subscription: next }] };
};

const answerTo = (messageId: string, outcome: CommandOutcome): Extract<TalkEffect, { kind: 'say' }>['frame'] => {
  if (outcome.kind === 'refused') {
    const { kind: _, ...refusal } = outcome;
    return { type: 'rejected', messageId, ...refusal };
  }
  if (outcome.kind === 'queued') {
    const { cache_id: cacheId, queue_position: queuePosition, durable_in: durableIn, uuid, message } = outcome.answer;
    return { type: 'queued', messageId, cacheId, queuePosition, durableIn, uuid, message };
  }
  const { seq, refs, result } = outcome.done;
  if (outcome.isRepeated)
    return { type: 'duplicate_ack', originalMessageId: messageId, ref: refs[0] ?? null, message: 'Already processed, no action taken' };
  return { type: 'ack', messageId, seq, refs, result: result as never }; // an operation's answer is JSON
};

const tick = (limits: TalkLimits, talk: Talk, { at, isStuck, movedAt, resumeAt }: Extract<TalkInput, { kind: 'tick' }>): Stepped => {
  const { phase } = talk;
  if (phase === 'new' && at - talk.openedAt > limits.helloWithin)
    return refuse(talk, 'no-hello', `no hello came within ${seconds(limits.helloWithin)} s`, at);
  if (phase === 'closing') return { talk, effects: at - Math.max(talk.closingAt, movedAt) > limits.closeWithin ? [{ kind: 'terminate' }] : [] };
  if (phase !== 'open') return still(talk);
  if ((talk.isHeldUp || isStuck) && at - movedAt > limits.stallAfter) {
    const why = `too slow: nothing was taken for ${seconds(limits.stallAfter)} s; resume with since_seq ${resumeAt}`;
    return then({ talk, effects: [{ kind: 'count', what: 'droppedSlow' }] }, (next) => shut(next, 'slow', why, at));
  }
  if (at - Math.max(talk.heardAt, movedAt) > 2 * limits.pingEvery)
    return { talk: { ...talk, leftAs: 'unanswered' }, effects: [{ kind: 'count', what: 'dropped' }, { kind: 'terminate' }] };
  if (at - Math.max(talk.heardAt, talk.pingedAt) >= limits.pingEvery) return { talk: { ...talk, pingedAt: at }, effects: [{ kind: 'ping' }] };
  return still(talk);
};

const shut = (talk: Talk, name: CloseName, reason: string, at: number): Stepped =>
  isLeaving(talk) ? still(talk) : { talk: { ...talk, phase: 'closing', leftAs: name, closingAt: at }, effects: [{ kind: 'close', name, reason }] };

const refuse = (talk: Talk, name: CloseName, why: string, at: number): Stepped => {
  if (isLeaving(talk)) return still(talk); // it was told why
  const message = maskSecrets(why).text;
  return then(refused(talk, { type: 'error', code: name, message }), (next) => shut(next, name, message, at));
};

const refused = (talk: Talk, frame: Extract<TalkEffect, { kind: 'say' }>['frame']): Stepped => ({
  talk,
  effects: [
    { kind: 'count', what: 'refused' },
    { kind: 'say', frame },
  ],
});

const said = (talk: Talk, frame: Extract<TalkEffect, { kind: 'say' }>['frame']): Stepped => ({ talk, effects: [{ kind: 'say', frame }] });

const isLeaving = ({ phase }: Talk): boolean => phase === 'closing' || phase === 'closed';

const still = (talk: Talk): Stepped => ({ talk, effects: [] });

const then = (first: Stepped, next: (talk: Talk) => Stepped): Stepped => {
  const second = next(first.talk);
  return { talk: second.talk, effects: [...first.effects, ...second.effects] };
};

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Close codes of a client that leaves on its own: normal, going away, or none. */
const FAREWELLS: ReadonlySet<number> = new Set([1000, 1001, 1005]);
