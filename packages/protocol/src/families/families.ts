import type { Command, CommandType, EventType, Recorded } from '@yarnboard/domain';
import { AGENT_CODECS, AGENT_EVENT_NAMES, AGENT_OPERATIONS, AGENT_SENTENCES, AGENT_TELLERS } from './agents.ts';
import { CITATION_CODECS, CITATION_EVENT_NAMES, CITATION_OPERATIONS, CITATION_SENTENCES, CITATION_TELLERS } from './citations.ts';
import type { AnyCodec, CodecsOf, CommandOperation, EventNames, Given, Sentence, Teller } from './definition.ts';
import { after, textOf } from './field-texts.ts';
import { MERGING_CODECS, MERGING_EVENT_NAMES, MERGING_OPERATIONS, MERGING_SENTENCES, MERGING_TELLERS } from './merging.ts';
import { SCRATCHPAD_CODECS, SCRATCHPAD_EVENT_NAMES, SCRATCHPAD_OPERATIONS, SCRATCHPAD_SENTENCES, SCRATCHPAD_TELLERS } from './scratchpad.ts';
import { SIDEBAR_CODECS, SIDEBAR_EVENT_NAMES, SIDEBAR_OPERATIONS, SIDEBAR_QUERIES, SIDEBAR_SENTENCES, SIDEBAR_TELLERS } from './sidebar.ts';
import { SPAWNING_CODECS, SPAWNING_EVENT_NAMES, SPAWNING_OPERATIONS, SPAWNING_SENTENCES, SPAWNING_TELLERS } from './spawning.ts';
import { TALK_CODECS, TALK_EVENT_NAMES, TALK_OPERATIONS, TALK_SENTENCES, TALK_TELLERS } from './talk.ts';

/*
 * CAT-4: the families, put together. Each table stands by itself and is made without a call, so that the page, which tells and prints nothing, is built
 * without the tellers, codecs and sentences.
 */

/** What can be asked of the board. */
export const BOARD_OPERATIONS = {
  ...SIDEBAR_QUERIES,
  ...SPAWNING_OPERATIONS,
  ...SIDEBAR_OPERATIONS,
  ...MERGING_OPERATIONS,
  ...TALK_OPERATIONS,
  ...SCRATCHPAD_OPERATIONS,
  ...CITATION_OPERATIONS,
  ...AGENT_OPERATIONS,
};

type BoardOperations = typeof BOARD_OPERATIONS;

/** The operations that stand for a command. */
export type BoardCommand = { [N in keyof BoardOperations]: BoardOperations[N] extends CommandOperation ? N : never }[keyof BoardOperations];

const CODECS: CodecsOf<BoardOperations> = {
  ...SPAWNING_CODECS,
  ...SIDEBAR_CODECS,
  ...MERGING_CODECS,
  ...TALK_CODECS,
  ...SCRATCHPAD_CODECS,
  ...CITATION_CODECS,
  ...AGENT_CODECS,
};

export const isBoardCommand = (name: string): name is BoardCommand =>
  Object.hasOwn(BOARD_OPERATIONS, name) && 'command' in BOARD_OPERATIONS[name as keyof BoardOperations]; // looked up just before

/** The command that an operation stands for, made of an input that its schema has let through. */
export const commandOf = async (name: BoardCommand, input: unknown, given: Given): Promise<Command> => {
  const codec = CODECS[name] as AnyCodec; // the registry has checked the input by the schema of this operation
  return { type: BOARD_OPERATIONS[name].command, ...(await codec(input, given)) } as Command; // the fields of its own command
};

/** Commands that nobody can ask for, with the reason. Every other one has an operation. */
export const UNASKED = {
  'gold.surface': 'the server gives it when a message shows the symptoms of a GOLD',
} as const satisfies Readonly<Record<Exclude<CommandType, BoardOperations[BoardCommand]['command']>, string>>;

/** WIRE-22: under which names each event is told. */
export const NAMES_OF_EVENTS = {
  ...SPAWNING_EVENT_NAMES,
  ...SIDEBAR_EVENT_NAMES,
  ...MERGING_EVENT_NAMES,
  ...TALK_EVENT_NAMES,
  ...SCRATCHPAD_EVENT_NAMES,
  ...CITATION_EVENT_NAMES,
  ...AGENT_EVENT_NAMES,
};

export type EventName = (typeof NAMES_OF_EVENTS)[EventType][number];

export const EVENT_NAMES: readonly EventName[] = Object.values(NAMES_OF_EVENTS).flat();

const KNOWN: ReadonlySet<string> = new Set(EVENT_NAMES);

export const isEventName = (name: unknown): name is EventName => typeof name === 'string' && KNOWN.has(name);

/** An event as it comes: what all have, and its own fields under the names of the wire. */
export type BoardEvent = {
  readonly type: EventName;
  readonly seq: number;
  readonly timestamp: string;
  readonly sender_agent_id: string;
  readonly context_id: string;
  readonly uuid: string;
  readonly refs: readonly string[];
  readonly [field: string]: unknown;
};

const TELLERS: { readonly [T in EventType]: Teller<T, EventName> } = {
  ...SPAWNING_TELLERS,
  ...SIDEBAR_TELLERS,
  ...MERGING_TELLERS,
  ...TALK_TELLERS,
  ...SCRATCHPAD_TELLERS,
  ...CITATION_TELLERS,
  ...AGENT_TELLERS,
};

/** WIRE-22: what happens among people and agents, under the names and with the fields of the seed's section 6; more fields are additions. */
export const encodeEvent = (event: Recorded, names: EventNames): Readonly<Record<string, unknown>> => {
  const tell = TELLERS[event.type] as Teller<EventType>; // the table is complete by its type
  const { type, ...fields } = tell(event.payload, names, event);
  return {
    type,
    seq: event.position,
    timestamp: new Date(event.at).toISOString(),
    sender_agent_id: event.by.id,
    context_id: names.context(event.contextId),
    uuid: event.uuid,
    refs: event.refs,
    ...fields,
  };
};

const SENTENCES: Readonly<Record<EventName, Sentence>> = {
  ...SPAWNING_SENTENCES,
  ...SIDEBAR_SENTENCES,
  ...MERGING_SENTENCES,
  ...TALK_SENTENCES,
  ...SCRATCHPAD_SENTENCES,
  ...CITATION_SENTENCES,
  ...AGENT_SENTENCES,
};

/** What happened, in a sentence. What this version has no words for is told by its name and its references. */
export const sentenceOf = (event: Readonly<Record<string, unknown>>): string => {
  const { type } = event;
  return isEventName(type) ? SENTENCES[type]((field) => textOf(event[field]), event) : otherwise(event);
};

const otherwise = (event: Readonly<Record<string, unknown>>): string => {
  const [type = '', about, by = '', refs = ''] = [event['type'], event['context_id'], event['sender_agent_id'], event['refs']].map(textOf);
  return `${about === '' ? 'board' : about}: ${type.replaceAll('_', ' ')}${after(' ', refs)}${after(' by ', by)}`;
};
