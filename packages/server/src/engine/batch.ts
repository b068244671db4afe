import {
  decide,
  evolve,
  isComingUp,
  readEvent,
  rejectionOf,
  sidebarOf,
  tryOn,
  type Actor,
  type Board,
  type Circumstances,
  type Claims,
  type Command,
  type Facts,
  type Happening,
  type Language,
  type RefFact,
  type Said,
  type Rejection,
  type Recorded,
  type Surfacing,
} from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import { idOf } from './command-ids.ts';
import type { Inherited } from './inherited.ts';
import type { Writes } from './writes.ts';
import { entryItemOf, type EntryItem, type Filed } from './entry-items.ts';

/** A command, and its author. */
export type Asked = {
  readonly command: Command;
  readonly actor: Actor;
  /** Chosen by the sender: a repetition with the same id is executed once. */
  readonly messageId: string;
  /** Refuse if the command's sidebar has an entry after this position. */
  readonly ifSeq?: number | undefined;
  readonly isStale?: boolean | undefined;
  /** A hash of the request: it distinguishes a different command with the same message id. */
  readonly fingerprint?: string | undefined;
  /** The door it came through; `api` by default. */
  readonly client?: string | undefined;
  readonly clientVersion?: string | null | undefined;
  /** Circumstances that only the caller knows. */
  readonly circumstances?: Circumstances | undefined;
  /** The caller's claims about the state of things. */
  readonly claims?: Claims | undefined;
  /** REC-61: when it was sent, if it had to wait for the log. */
  readonly saidAt?: number | undefined;
  /** REC-82: who changed its wording before it was logged. */
  readonly amendedBy?: string | undefined;
  /** REC-57: false if the caller prefers a refusal to waiting for the log. */
  readonly canQueue?: boolean | undefined;
};

/** A command with everything that was looked up for it. */
export type Prepared = {
  readonly asked: Asked;
  readonly key: string;
  /** What was done under this message id before. */
  readonly before: { readonly seq: number; readonly refs: readonly string[]; readonly fingerprint: string | null } | 'taken' | null;
  readonly refs: ReadonlyMap<string, RefFact>;
  /** Which of its exchanges its sidebar has inherited. */
  readonly inherited: Inherited | null;
  /** Work in the sidebar that wrote files, if its merge may need no approval. */
  readonly writes?: Writes | null;
  /** The conversation in its sidebar, if a summary may be made of it. */
  readonly talk?: { readonly sidebarId: string; readonly said: readonly Said[] } | null;
  /** REC-56: nothing could be looked up. Its references are trusted for now. */
  readonly isUnproven?: boolean;
};

export type Verdict =
  | { readonly kind: 'duplicate'; readonly seq: number; readonly refs: readonly string[] }
  /** The same was requested earlier in this batch. */
  | { readonly kind: 'repeated'; readonly of: number }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'failed'; readonly cause: unknown }
  | { readonly kind: 'decided'; readonly happenings: readonly Decided[] };

/** `payload` is what a later reader of the log will parse. */
export type Decided = EntryItem & { readonly happening: Happening; readonly payload: unknown };

export type BatchDecision = {
  /** As many as were decided; the rest waits for the next batch. */
  readonly verdicts: readonly Verdict[];
  readonly items: readonly Item[];
};

export type BatchOptions = {
  readonly now: number;
  readonly match: (text: string) => readonly Surfacing[];
  readonly language: Language;
  readonly mostBytes: number;
};

/**
 * ENGINE-1: decides the commands one by one, each knowing the decisions before it, without touching the board. Positions and numbers aren't assigned
 * yet: placeholders stand for them, and a command whose outcome would mention one is left for the next batch, when it is known (ENGINE-3).
 */
export const decideBatch = (board: Board, commands: readonly Prepared[], options: BatchOptions): BatchDecision => {
  const layer = tryOn(board);
  const verdicts: Verdict[] = [];
  const items: Item[] = [];
  const firsts = new Map<string, number>();
  let bytes = 0;
  for (const [i, one] of commands.entries()) {
    const repeated = firsts.get(one.key);
    const verdict = repeated === undefined ? verdictOn(layer, one, options) : repeatOf(commands, repeated, one.asked);
    if (items.length > 0 && tellsGuess(verdict)) break;
    if (verdict.kind === 'decided') {
      bytes += verdict.happenings.reduce((sum, { text }) => sum + text.length, 0);
      if (items.length > 0 && bytes > options.mostBytes) break;
      for (const decided of verdict.happenings) {
        evolve(layer, guessed(decided.happening, FIRST_GUESS + items.length, one.asked.saidAt ?? options.now));
        items.push(decided.item);
      }
      firsts.set(one.key, i);
    }
    verdicts.push(verdict);
  }
  return { verdicts, items };
};

/** The verdict on one command for this board. */
export const verdictOn = (board: Board, one: Prepared, options: Omit<BatchOptions, 'mostBytes'>): Verdict => {
  const { asked, before, key } = one;
  if (before === 'taken') return { kind: 'rejected', rejection: rejectionOf('message-id-taken', { id: asked.messageId.slice(0, 100) }) };
  if (before !== null) {
    const { fingerprint, ...done } = before;
    return isAnother(fingerprint, asked) ? reused(asked) : { kind: 'duplicate', ...done };
  }
  const since = changedSince(board, asked);
  if (since !== null) return since;
  let ids = 0;
  const now = asked.saidAt ?? options.now;
  const facts: Facts = {
    now,
    actor: asked.actor,
    newId: () => {
      ids += 1;
      return idOf(key, ids - 1);
    },
    refs: one.refs,
    isInherited: ({ id }, exchange) => one.isUnproven === true || (one.inherited?.sidebarId === id && one.inherited.exchanges.has(exchange)),
    exchange: ({ id }, exchange) => (one.inherited?.sidebarId === id ? (one.inherited.said.get(exchange) ?? null) : null),
    said: (ref) => one.inherited?.said.get(ref) ?? null,
    surfacings: (text) =>
      options.match(text).filter(({ gold }) => {
        const known = board.golds.get(gold);
        return known !== undefined && isComingUp(known);
      }),
    language: options.language,
    writes: ({ id }) => (one.writes?.sidebarId === id ? one.writes.refs : []),
    talk: ({ id }) => (one.talk?.sidebarId === id ? one.talk.said : []),
    ...(asked.isStale === undefined ? {} : { isStale: asked.isStale }),
    ...(asked.claims === undefined ? {} : { claims: asked.claims }),
    ...(asked.circumstances?.errorRef === undefined ? {} : { errorRef: asked.circumstances.errorRef }),
  };
  try {
    const decision = decide(board, asked.command, facts);
    if (!decision.ok) return { kind: 'rejected', rejection: decision.error };
    const { client = 'api', clientVersion, circumstances = {} } = asked;
    const { agentModelVersion } = circumstances;
    const how = { now, client, clientVersion };
    const first = idOf(key, 0);
    const fingerprint = asked.fingerprint ?? null;
    return {
      kind: 'decided',
      // Its consequences don't repeat the text: its tokens would be counted twice.
      happenings: decision.value.map((happening, i) =>
        filed(happening, {
          ...how,
          fingerprint: happening.uuid === first ? fingerprint : null,
          amendedBy: happening.uuid === first ? asked.amendedBy : undefined,
          circumstances: i === 0 ? circumstances : happening.by.id === asked.actor.id ? { agentModelVersion } : {},
        }),
      ),
    };
  } catch (cause) {
    return { kind: 'failed', cause };
  }
};

/** ENGINE-42: a message id stands for one command. */
const repeatOf = (commands: readonly Prepared[], of: number, asked: Asked): Verdict =>
  isAnother(commands[of]?.asked.fingerprint ?? null, asked) ? reused(asked) : { kind: 'repeated', of };

/** What was done before fingerprints were kept counts as the same. */
const isAnother = (fingerprint: string | null, asked: Asked): boolean =>
  fingerprint !== null && asked.fingerprint !== undefined && fingerprint !== asked.fingerprint;

const reused = ({ messageId }: Asked): Verdict => ({
  kind: 'rejected',
  rejection: rejectionOf('message-id-reused', { id: messageId.slice(0, 100) }),
});

/** ENGINE-41: nothing is logged that could not be read back. */
const filed = (happening: Happening, how: Filed): Decided => {
  const filing = entryItemOf(happening, how);
  const { type, version } = filing.item.draft;
  const read = readEvent({ type, version, payload: JSON.parse(filing.text) as unknown });
  if (!read.ok) throw new Error(`${type} was decided in a shape that nobody could read: ${JSON.stringify(read.error)}`);
  return { happening, ...filing, payload: read.value.payload };
};

const changedSince = (board: Board, { command, ifSeq }: Asked): Verdict | null => {
  const named = 'sidebar' in command && command.sidebar !== undefined ? sidebarOf(board, command.sidebar) : null;
  if (ifSeq === undefined || named === null || named.lastPosition <= ifSeq) return null;
  const facts = { sidebar: named.ref || named.id, since: ifSeq, last: named.lastPosition };
  return { kind: 'rejected', rejection: rejectionOf('changed-since', facts) };
};

const guessed = ({ numbers, ...happening }: Happening, guess: number, at: number): Recorded => ({
  ...happening,
  position: guess,
  at,
  refs: numbers.map((type) => `${type}-${guess}`),
});

const tellsGuess = (verdict: Verdict): boolean => {
  if (verdict.kind === 'rejected') return JSON.stringify(verdict.rejection.facts).includes(GUESS);
  return verdict.kind === 'decided' && verdict.happenings.some(({ text }) => text.includes(GUESS));
};

// Larger than any real position or number, and easy to find in a text. A text with these digits by chance merely waits for the next batch.
const FIRST_GUESS = 4_500_000_000_000_000;
const GUESS = '45000000000';
