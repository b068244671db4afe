import type { CommandType } from '@yarnboard/domain';
import { AGENT_OPERATIONS } from './agents.ts';
import { ARCHIVE_QUERIES } from './archive.ts';
import { CITATION_OPERATIONS } from './citations.ts';
import type { CommandOperation } from './definition.ts';
import { AUTO_MERGE_OPERATIONS } from './auto-merge.ts';
import { LABEL_OPERATIONS } from './labels.ts';
import { MARK_OPERATIONS } from './marks.ts';
import { VALIDATION_OPERATIONS } from './validation.ts';
import { MEMORY_OPERATIONS } from './memory.ts';
import { MERGING_OPERATIONS } from './merging.ts';
import { PERMISSION_OPERATIONS } from './permissions.ts';
import { RECRUITING_OPERATIONS } from './recruiting.ts';
import { RUNTIME_OPERATIONS } from './runtimes.ts';
import { SCRATCHPAD_OPERATIONS } from './scratchpad.ts';
import { SIDEBAR_OPERATIONS, SIDEBAR_QUERIES } from './sidebar.ts';
import { SPAWNING_OPERATIONS } from './spawning.ts';
import { TALK_OPERATIONS } from './talk.ts';

/**
 * CAT-4: the operations on the board, of all families. Their codecs, tellers and sentences are combined in other files: the page uses none of them,
 * and its build leaves out what it doesn't import.
 */
export const BOARD_OPERATIONS = {
  ...SIDEBAR_QUERIES,
  ...ARCHIVE_QUERIES,
  ...SPAWNING_OPERATIONS,
  ...SIDEBAR_OPERATIONS,
  ...MERGING_OPERATIONS,
  ...TALK_OPERATIONS,
  ...SCRATCHPAD_OPERATIONS,
  ...MEMORY_OPERATIONS,
  ...CITATION_OPERATIONS,
  ...MARK_OPERATIONS,
  ...AUTO_MERGE_OPERATIONS,
  ...VALIDATION_OPERATIONS,
  ...AGENT_OPERATIONS,
  ...RECRUITING_OPERATIONS,
  ...RUNTIME_OPERATIONS,
  ...PERMISSION_OPERATIONS,
  ...LABEL_OPERATIONS,
};

export type BoardOperations = typeof BOARD_OPERATIONS;

/** The operations that stand for a command. */
export type BoardCommand = { [N in keyof BoardOperations]: BoardOperations[N] extends CommandOperation ? N : never }[keyof BoardOperations];

export const isBoardCommand = (name: string): name is BoardCommand =>
  Object.hasOwn(BOARD_OPERATIONS, name) && 'command' in BOARD_OPERATIONS[name as keyof BoardOperations]; // looked up just before

/** Commands without an operation, with the reason. Every other command has one. */
export const UNASKED = {
  'gold.surface': 'the server gives it when a message shows the symptoms of a GOLD',
  'agent.crash': 'the server gives it when an agent is gone without a word and does not come back',
  'claim.outdate': 'the server gives it when a file has changed that a check has read',
  'seat.tell': 'the server gives it when something happens to the process of a seat',
  'turn.tell': 'the server gives it when a turn of a seat begins and ends',
  'seat.hold': 'the server gives it when it takes or gives back a seat on a board that several servers share',
  'limit.tell': 'the server gives it when a budget of a seat runs out',
  'permission.ask': 'the server gives it when the program of a seat asks for leave',
  'token.misuse': 'the server gives it when a process of a seat comes with the operator’s token',
  'permission.remind': 'the server gives it when nobody has answered for a while',
  'permission.withdraw': 'the server gives it when a seat is not at work any more',
} as const satisfies Readonly<Record<Exclude<CommandType, BoardOperations[BoardCommand]['command']>, string>>;
