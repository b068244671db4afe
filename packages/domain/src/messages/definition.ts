import type { z } from 'zod';
import type { Actor } from '../actors.ts';
import type { ContentType } from '../entry.ts';
import type { NumberedType } from '../refs.ts';
import type { Tells } from './telling.ts';
import type { Context, Frozen, MergePackage, Status } from './values.ts';

/** Who is affected by an event besides the followers of its context. */
export type Audience = { readonly contexts: readonly string[]; readonly agents: readonly string[] };

/** What is known about an entry whose payload was forgotten, and about its sidebar. */
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

/** The log's own fields for an event, beside its payload. */
export type Filing = {
  readonly contentType: ContentType;
  /** The text, if somebody said something. */
  readonly said: string | null;
  readonly citations: readonly string[];
  readonly media: readonly string[];
  readonly inReplyTo: string | null;
  readonly confidence: number | null;
};

/** One step from an earlier version to the next: the schema of that version, and the conversion. */
export type Upcast = { readonly payload: z.ZodType; readonly next: (payload: never) => unknown };

/** The complete definition of an event. `P` is the type of its payload. */
export type EventDefinition<P = never> = {
  /** The version written today. A stored event is never edited: a new shape is a new version and a step in `upcasts`. */
  readonly version: number;
  /** Strict: the payload of `version`. */
  readonly payload: z.ZodType;
  /** By the version they start from; complete from 1 to the version before today's. */
  readonly upcasts: Readonly<Record<number, Upcast>>;
  /** The numbers it gets when it is appended; the first is its reference. */
  readonly numbers: (payload: P) => readonly NumberedType[];
  /** Where the payload contains text of people and agents, for search: paths of every version ever written. */
  readonly words: readonly string[];
  /** The payload that replaces a forgotten one; null if nothing is left. */
  readonly remains: ((about: Remains) => P) | null;
  /** Who is affected besides its own context; null if nobody. */
  readonly concerns: ((payload: P) => Audience) | null;
  /** NOTE-1: who is notified, how urgently and in which words, live and in their inbox. */
  readonly tells: Tells<P>;
  /** LOAD-6: whether it may free or require seats. */
  readonly stirs: boolean;
  /** The payload as it leaves the server: without anything that must stay private. */
  readonly told: (payload: P) => P;
  readonly filing: (payload: P) => Partial<Filing>;
};

/**
 * Defines an event of the catalogue: its payload, then everything else. Defaults: first version, no number, no text, nothing left when forgotten,
 * nobody else affected. Notices have no default. It takes two calls, since the compiler has to know the payload's type first.
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

/** Replaces forgotten words. */
export const FORGOTTEN = '(forgotten)';

/** What happens to a command while the log can't be written. */
export type WhileAway = 'queued' | 'blocked';
