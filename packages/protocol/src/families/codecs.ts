import type { Command } from '@yarnboard/domain';
import { AGENT_CODECS } from './agents.ts';
import { CITATION_CODECS } from './citations.ts';
import type { AnyCodec, CodecsOf, Given } from './definition.ts';
import { AUTO_MERGE_CODECS } from './auto-merge.ts';
import { LABEL_CODECS } from './labels.ts';
import { MARK_CODECS } from './marks.ts';
import { VALIDATION_CODECS } from './validation.ts';
import { MEMORY_CODECS } from './memory.ts';
import { MERGING_CODECS } from './merging.ts';
import { BOARD_OPERATIONS, type BoardCommand, type BoardOperations } from './operations.ts';
import { PERMISSION_CODECS } from './permissions.ts';
import { RECRUITING_CODECS } from './recruiting.ts';
import { RUNTIME_CODECS } from './runtimes.ts';
import { SCRATCHPAD_CODECS } from './scratchpad.ts';
import { SIDEBAR_CODECS } from './sidebar.ts';
import { SPAWNING_CODECS } from './spawning.ts';
import { TALK_CODECS } from './talk.ts';

/** The command that an operation stands for, made from an input that its schema has accepted. */
export const commandOf = async (name: BoardCommand, input: unknown, given: Given): Promise<Command> => {
  const codec = CODECS[name] as AnyCodec; // the registry has validated the input with this operation's schema
  return { type: BOARD_OPERATIONS[name].command, ...(await codec(input, given)) } as Command; // the fields of its own command
};

const CODECS: CodecsOf<BoardOperations> = {
  ...SPAWNING_CODECS,
  ...SIDEBAR_CODECS,
  ...MERGING_CODECS,
  ...TALK_CODECS,
  ...SCRATCHPAD_CODECS,
  ...MEMORY_CODECS,
  ...CITATION_CODECS,
  ...MARK_CODECS,
  ...AUTO_MERGE_CODECS,
  ...VALIDATION_CODECS,
  ...AGENT_CODECS,
  ...RECRUITING_CODECS,
  ...RUNTIME_CODECS,
  ...PERMISSION_CODECS,
  ...LABEL_CODECS,
};
