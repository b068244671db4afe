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

/** PAGE-141: what the page does with a command that still waits for the server when it is reloaded. */
export type Reload =
  | {
      readonly kept: {
        /** What it was to be, for whoever is told that it was not done. */
        readonly what: string;
        /** Where in it the words are that somebody wrote. */
        readonly text: string | null;
      };
    }
  /** Why it is lost: whoever leaves the page is asked first. */
  | { readonly lost: string };

type Query = Operation & { readonly method: 'GET' };

/** An operation that stands for a command of the board. */
export type CommandOperation<C extends CommandType = CommandType> = Operation & { readonly method: 'POST'; readonly command: C } & Reload;

/** CAT-4: what can be asked of a family: its queries, and for each of its commands an operation. */
export type OperationsOf<F extends FamilyName> = Readonly<Record<string, Query | CommandOperation<FamilyCommand<F>>>>;

/** What a codec cannot tell from the input alone. The server hands it in. */
export type Given = {
  /** Who asks. */
  readonly actor: string;
  readonly originFor: (parentId: string | null) => Promise<Origin>;
  /** The id of a session, whether it is on the log or not; refused where there is none. */
  readonly sessionFor: (id: string) => Promise<string>;
  readonly targetFor: (parentId: string) => Promise<Context>;
  /** What somebody with the bytes can say of a file. */
  readonly lookInto: (base64: string, path: string) => CommandOf<'media.upload'>['found'];
  /** The same of what was uploaded before; refused where nothing was. */
  readonly lookIntoUpload: (sha256: string, path: string) => Promise<CommandOf<'media.upload'>['found']>;
  /** Makes a token, which is told to whoever asks; the command only has its hash. */
  readonly newTokenHash: () => string;
  /** The name of a runtime of the settings; refused where there is none of this name. */
  readonly knownRuntime: (name: string) => string;
  /** What a seat's tool is to be used with instead, as JSON; refused where a mask would replace its secret, or its runtime takes no changes. */
  readonly changedInput: (request: string, input: Readonly<Record<string, unknown>>) => string;
  /** Runs the check of a claim, and names the claim that it was; refused where nobody may, or nothing in it can be checked. */
  readonly checkClaim: (
    sidebar: string,
    claim: string,
    words: string | undefined,
    isCore: boolean | undefined,
  ) => Promise<Pick<CommandOf<'claim.validate'>, 'claim' | 'words' | 'isCore' | 'report'>>;
  readonly refuse: (reason: 'one-source-only' | 'one-content-only') => never;
};

type FieldsOf<C extends CommandType> = Omit<CommandOf<C>, 'type'>;

/** The input of an operation as its command. Names change here, once. */
type Codec<O extends CommandOperation> = (input: z.output<O['input']>, given: Given) => FieldsOf<O['command']> | Promise<FieldsOf<O['command']>>;

/** One for each operation that stands for a command. */
export type CodecsOf<Operations> = {
  readonly [N in keyof Operations as Operations[N] extends CommandOperation ? N : never]: Operations[N] extends CommandOperation
    ? Codec<Operations[N]>
    : never;
};

/** The same for whoever has an operation of any name, and its input. */
export type AnyCodec = (input: unknown, given: Given) => object | Promise<object>;

/** Under which names each event of a family is told: the seed's, and ours where it has none. */
export type NamesOf<F extends FamilyName> = { readonly [T in FamilyEvent<F>]: readonly [string, ...string[]] };

/** What ids are called outside. An id without a reference yet is told as it is. */
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
  /** The sidebars that somebody works in. */
  readonly activeSidebars: (agent: string) => readonly string[];
};

/** An event as it is told: its name, and its fields under the names of the wire. */
export type Teller<T extends EventType, Name extends string = string> = (
  payload: Payloads[T],
  names: EventNames,
  event: Recorded<T>,
) => { readonly type: Name } & Readonly<Record<string, unknown>>;

type NamedEvents = { readonly [T in EventType]?: readonly [string, ...string[]] };

/** One for each event that has names, which it may use and no others. */
export type TellersOf<Names extends NamedEvents> = {
  readonly [T in keyof Names & EventType]: Teller<T, NonNullable<Names[T]>[number]>;
};

/** The sentence that a terminal prints. `of` is the text of a field, empty where it has none. */
export type Sentence = (of: (field: string) => string, event: Readonly<Record<string, unknown>>) => string;

/** One for each name under which an event is told. */
export type SentencesOf<Names extends NamedEvents> = {
  readonly [Name in NonNullable<Names[keyof Names & EventType]>[number]]: Sentence;
};
