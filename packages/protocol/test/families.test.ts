import { COMMANDS, EVENT_TYPES } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from '../src/families/definition.ts';
import { TALK_CODECS, TALK_EVENT_NAMES, TALK_OPERATIONS, TALK_SENTENCES, TALK_TELLERS } from '../src/families/talk.ts';
import { BOARD_OPERATIONS, EVENT_NAMES, isBoardCommand, NAMES_OF_EVENTS, REGISTRY, sentenceOf, UNASKED, type Operation } from '../src/index.ts';

test('[CAT-4] the compiler misses what a family leaves out', () => {
  const { chat_message: say, ...operations } = TALK_OPERATIONS;
  const { 'focus.changed': focusChanged, ...names } = TALK_EVENT_NAMES;
  const { 'focus.changed': tellFocus, ...tellers } = TALK_TELLERS;
  const { focus_set: focusSentence, ...sentences } = TALK_SENTENCES;
  const { focus_set: focusCodec, ...codecs } = TALK_CODECS;
  const { kept, ...undecided } = say;
  const { command, ...unnamed } = say;

  // @ts-expect-error an operation without a codec
  codecs satisfies CodecsOf<typeof TALK_OPERATIONS>;
  // @ts-expect-error an event without a name
  names satisfies NamesOf<'talk'>;
  // @ts-expect-error an event that nobody tells
  tellers satisfies TellersOf<typeof TALK_EVENT_NAMES>;
  // @ts-expect-error an event without a sentence
  sentences satisfies SentencesOf<typeof TALK_EVENT_NAMES>;
  // @ts-expect-error an operation that does not say what becomes of it when the page is reloaded
  ({ ...operations, chat_message: undecided }) satisfies OperationsOf<'talk'>;
  // @ts-expect-error an operation that does not say for which command it stands
  ({ ...operations, chat_message: unnamed }) satisfies OperationsOf<'talk'>;
  // @ts-expect-error an operation of another family
  ({ ...operations, chat_message: { ...say, command: 'gold.create' } }) satisfies OperationsOf<'talk'>;
  ({ ...operations, chat_message: { ...undecided, lost: 'for a reason' } }) satisfies OperationsOf<'talk'>;

  expect([focusChanged, command, kept.text]).toEqual([['focus_set'], 'chat.say', 'content']);
  expect([typeof tellFocus, typeof focusSentence, typeof focusCodec]).toEqual(['function', 'function', 'function']);
});

test('[CAT-4] every command of the catalogue has an operation, or a reason why nobody can ask for it', () => {
  const asked = Object.keys(BOARD_OPERATIONS)
    .filter(isBoardCommand)
    .map((name) => BOARD_OPERATIONS[name].command);
  expect(new Set<string>([...asked, ...Object.keys(UNASKED)])).toEqual(new Set(Object.keys(COMMANDS)));
  expect(asked.filter((command) => Object.hasOwn(UNASKED, command))).toEqual([]);
});

test('[CAT-4] an operation with a message id is a command of the board, and no other is', () => {
  const sent = Object.values<Operation>(REGISTRY).filter(({ input }) => Object.hasOwn(input.shape, 'message_id'));
  expect(sent.map(({ name }) => name)).toEqual(Object.keys(REGISTRY).filter(isBoardCommand));
  expect(sent.every(({ method, who }) => method === 'POST' && who !== 'anyone')).toBe(true);
  expect(['toString', 'sidebars', 'stop', ''].filter(isBoardCommand)).toEqual([]);
});

test('[CAT-4] every event has names, and no name is that of two events', () => {
  expect(Object.keys(NAMES_OF_EVENTS).toSorted()).toEqual(EVENT_TYPES.toSorted());
  expect(new Set(EVENT_NAMES).size).toBe(EVENT_NAMES.length);
});

test('[CAT-4] what this version has no sentence for is told by its name and its references', () => {
  const head = { context_id: 'SB-1', sender_agent_id: 'AGENT-x', refs: ['MSG-2'] };
  expect(sentenceOf({ ...head, type: 'sidebar_sung' })).toBe('SB-1: sidebar sung MSG-2 by AGENT-x');
  expect(sentenceOf({ type: 'toString' })).toBe('board: toString');
  expect(sentenceOf({})).toBe('board: ');
});
