import type { z } from 'zod';
import type { Actor } from '../actors.ts';
import type { ContentType } from '../entry.ts';
import type { NumberedType } from '../refs.ts';
import type { Tells } from './telling.ts';
import type { Context, Frozen, MergePackage, Status } from './values.ts';

/** Whom an event concerns besides those who follow the context it is in. */
export type Audience = { readonly contexts: readonly string[]; readonly agents: readonly string[] };

/** What is left of an entry whose payload was forgotten, and of the sidebar it happened in. */
export type Remains = {
  readonly by: Actor;
  readonly contextId: string;
  readonly citationsUsed: readonly string[];
  readonly mediaAttached: readonly string[];
  readonly senderConfidence: number | null;
  readonly parentMsgId: string | null;
  readonly sidebar: {
    readonly id: string;
    readonly status: Status;
    readonly parent: Context | null;
    readonly mergeTarget: Context | null;
    readonly coordinator: string;
    readonly curator: string;
    readonly taskType: string | null;
    readonly scratchpad: { readonly findings: readonly unknown[] };
    readonly claims: readonly unknown[];
    readonly merge: { readonly package: MergePackage } | null;
  } | null;
};

/** What the log's own fields say of an event beside its payload. */
export type Filing = {
  readonly contentType: ContentType;
  /** The words themselves, where somebody said something. */
  readonly said: string | null;
  readonly citations: readonly string[];
  readonly media: readonly string[];
  readonly inReplyTo: string | null;
  readonly confidence: number | null;
};

/** One step from an earlier version to the next: what that version held, and what becomes of it. */
export type Upcast = { readonly payload: z.ZodType; readonly next: (payload: never) => unknown };

/** Everything that an event is. `P` is what its payload holds. */
export type EventDefinition<P = never> = {
  /** The version that is written today. A stored event is never edited: a new shape is a new version and a step in `upcasts`. */
  readonly version: number;
  /** Strict: the payload of `version`. */
  readonly payload: z.ZodType;
  /** By the version they start from; complete from 1 up to the version before today's. */
  readonly upcasts: Readonly<Record<number, Upcast>>;
  /** The numbers it is given when it is appended, the first being its reference. */
  readonly numbers: (payload: P) => readonly NumberedType[];
  /** Where people and agents wrote something, for search: paths into the payload, of every version that was ever written. */
  readonly words: readonly string[];
  /** What it still tells when its payload was forgotten; null when it tells nothing without one. */
  readonly remains: ((about: Remains) => P) | null;
  /** Whom it concerns besides its own context; null when nobody. */
  readonly concerns: ((payload: P) => Audience) | null;
  /** NOTE-1: who is told of it, how urgently and in which words; they hear it live and find it in their inbox. */
  readonly tells: Tells<P>;
  /** LOAD-6: whether seats may come free by it, or be wanted. */
  readonly stirs: boolean;
  /** The payload as it leaves the server: without what nobody may be told. */
  readonly told: (payload: P) => P;
  readonly filing: (payload: P) => Partial<Filing>;
};

/**
 * An event of the catalogue: its payload, then what else there is to say about it. What is left out is: first version, no number, nothing written,
 * nothing left, nobody else concerned. Who is told cannot be left out. Two calls, since the compiler has to know the payload before it reads the rest.
 */
export const event =
  <S extends z.ZodType>(payload: S) =>
  (more: Said<Frozen<z.output<S>>>): EventDefinition<Frozen<z.output<S>>> & { readonly payload: S } => ({
    version: 1,
    upcasts: {},
    numbers: () => NOTHING,
    words: NOTHING,
    remains: null,
    concerns: null,
    stirs: false,
    told: (held) => held,
    filing: () => ({}),
    ...more,
    payload,
  });

type Said<P> = Pick<EventDefinition<P>, 'tells'> & Partial<Omit<EventDefinition<P>, 'payload' | 'tells'>>;

const NOTHING: readonly never[] = [];

export const inContext = (contextId: string): Audience => ({ contexts: [contextId], agents: [] });
export const forAgents = (...agents: readonly string[]): Audience => ({ contexts: [], agents });
export const NOBODY_ELSE: Audience = { contexts: [], agents: [] };

/** Stands where words were. */
export const FORGOTTEN = '(forgotten)';

/** What becomes of a command while the log cannot be written. */
export type WhileAway = 'queued' | 'blocked';
