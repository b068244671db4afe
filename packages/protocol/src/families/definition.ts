import type {
  CommandOf,
  CommandType,
  Context,
  EventType,
  FamilyCommand,
  FamilyEvent,
  FamilyName,
  Origin,
  Payloads,
  Priority,
  Recorded,
} from '@yarnboard/domain';
import type { z } from 'zod';
import type { Operation } from '../operation.ts';

/** PAGE-141: what the page does on a reload with a command that is still waiting for the server. */
export type Reload =
  | {
      readonly kept: {
        /** What the user wanted, for the message that it wasn't done. */
        readonly what: string;
        /** The field with the words that somebody wrote. */
        readonly text: string | null;
      };
    }
  /** Why it is lost: the user is asked before leaving the page. */
  | { readonly lost: string };

type Query = Operation & { readonly method: 'GET' };

/** An operation that stands for a command of the board. */
export type CommandOperation<C extends CommandType = CommandType> = Operation & { readonly method: 'POST'; readonly command: C } & Reload;

/** CAT-4: the operations of a family: its queries, and one for each of its commands. */
export type OperationsOf<F extends FamilyName> = Readonly<Record<string, Query | CommandOperation<FamilyCommand<F>>>>;

/** What a codec can't derive from the input alone. The server provides it. */
export type Given = {
  /** Who asks. */
  readonly actor: string;
  readonly originFor: (parentId: string | null) => Promise<Origin>;
  /** The id of a session, whether it is on the log or not; refused if there is none. */
  readonly sessionFor: (id: string) => Promise<string>;
  readonly targetFor: (parentId: string) => Promise<Context>;
  /** What can be determined from a file's bytes. */
  readonly lookInto: (base64: string, path: string) => CommandOf<'media.upload'>['found'];
  /** The same for an earlier upload; refused if there is none. */
  readonly lookIntoUpload: (sha256: string, path: string) => Promise<CommandOf<'media.upload'>['found']>;
  /** Makes a token, which is returned to the caller; the command has only its hash. */
  readonly newTokenHash: () => string;
  /** The name of a runtime in the settings; refused if there is none with this name. */
  readonly knownRuntime: (name: string) => string;
  /** The changed input for a seat's tool, as JSON; refused if a mask would replace its secret, or if its runtime accepts no changes. */
  readonly changedInput: (request: string, input: Readonly<Record<string, unknown>>) => string;
  /** Runs the check of a claim and returns the claim; refused if nobody may, or nothing in it can be checked. */
  readonly checkClaim: (
    sidebar: string,
    claim: string,
    words: string | undefined,
    isCore: boolean | undefined,
  ) => Promise<Pick<CommandOf<'claim.validate'>, 'claim' | 'words' | 'isCore' | 'report'>>;
  readonly refuse: (reason: 'one-source-only' | 'one-content-only') => never;
};

type FieldsOf<C extends CommandType> = Omit<CommandOf<C>, 'type'>;

/** Turns the input of an operation into its command. Names change here, once. */
type Codec<O extends CommandOperation> = (input: z.output<O['input']>, given: Given) => FieldsOf<O['command']> | Promise<FieldsOf<O['command']>>;

/** One for each operation that stands for a command. */
export type CodecsOf<Operations> = {
  readonly [N in keyof Operations as Operations[N] extends CommandOperation ? N : never]: Operations[N] extends CommandOperation
    ? Codec<Operations[N]>
    : never;
};

/** The same for an operation of any name and its input. */
export type AnyCodec = (input: unknown, given: Given) => object | Promise<object>;

/** The wire names of each event of a family: the seed's, or ours if it has none. */
export type NamesOf<F extends FamilyName> = { readonly [T in FamilyEvent<F>]: readonly [string, ...string[]] };

/** The names of ids on the wire. An id without a reference yet stays as it is. */
export type EventNames = {
  readonly sidebar: (id: string) => string;
  readonly finding: (id: string, contextId: string) => string;
  readonly gold: (id: string) => string;
  readonly media: (id: string) => string;
  readonly item: (type: 'CHECKPOINT' | 'CLAIM' | 'CONFLICT', id: string, contextId: string) => string;
  readonly episode: (id: string) => string;
  /** SB-n, the id of a session, or `board`. */
  readonly context: (contextId: string) => string;
  /** How urgent a sidebar is. */
  readonly priority: (sidebarId: string) => Priority;
  /** The sidebars that the agent works in. */
  readonly activeSidebars: (agent: string) => readonly string[];
};

/** An event on the wire: its name, and its fields under their wire names. */
export type Teller<T extends EventType, Name extends string = string> = (
  payload: Payloads[T],
  names: EventNames,
  event: Recorded<T>,
) => { readonly type: Name } & Readonly<Record<string, unknown>>;

type NamedEvents = { readonly [T in EventType]?: readonly [string, ...string[]] };

/** One for each named event, limited to the event's names. */
export type TellersOf<Names extends NamedEvents> = {
  readonly [T in keyof Names & EventType]: Teller<T, NonNullable<Names[T]>[number]>;
};

/** The sentence that a terminal prints. `of` returns the text of a field, empty if missing. */
export type Sentence = (of: (field: string) => string, event: Readonly<Record<string, unknown>>) => string;

/** One for each name of an event on the wire. */
export type SentencesOf<Names extends NamedEvents> = {
  readonly [Name in NonNullable<Names[keyof Names & EventType]>[number]]: Sentence;
};
