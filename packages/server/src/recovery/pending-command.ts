import {
  COMMANDS,
  err,
  isOperator,
  ok,
  SYSTEM,
  WHILE_AWAY,
  type Board,
  type Circumstances,
  type Command,
  type CommandType,
  type PendingWrite,
  type Result,
} from '@yarnboard/domain';
import type { z } from 'zod';
import type { Asked } from '../engine/batch.ts';
import { idOf, keyOf } from '../engine/command-ids.ts';

/** Why a pending write cannot be replayed as it is. */
export type BadWrite = { readonly code: string; readonly message: string };

/**
 * REC-18: reads a pending write as a command. Anyone may have edited the file, so nothing in it is trusted: the command must match its schema, the
 * board must know the sender, and the uuid must follow from the sender and the message id.
 */
export const askedBy = (board: Board, write: PendingWrite, cacheId: string): Result<Asked, BadWrite> => {
  const { sender, messageId, uuid } = write;
  if (idOf(keyOf(sender.id, messageId), 0) !== uuid)
    return err({ code: 'forged-sender', message: `its uuid was not made by ${sender.id} for message ${messageId}` });
  if (!isKnown(board, write)) return err({ code: 'forged-sender', message: `${sender.id} is not on this board, or is retired` });
  const command = commandIn(write);
  if (command === null) return err({ code: 'bad-request', message: `this version does not know such a command (${write.command.type})` });
  return ok({
    command,
    actor: sender,
    messageId,
    saidAt: Date.parse(write.queuedAt),
    // It is in a queue already: if the log is away again, it stays there.
    canQueue: false,
    client: write.client,
    clientVersion: write.clientVersion,
    circumstances: { errorRef: cacheId, ...(write.circumstances as Circumstances) }, // as the engine got them; the entry's schema checks them again
    ...(write.ifSeq === null ? {} : { ifSeq: write.ifSeq }),
    ...(write.fingerprint === null ? {} : { fingerprint: write.fingerprint }),
    ...(write.claims === null || write.claims === undefined ? {} : { claims: write.claims }),
  });
};

/** REC-82: the same write with new words; null if it has no words. */
export const amended = (write: PendingWrite, words: string): PendingWrite | null => {
  const field = wordsFieldOf(write.command);
  return field === null ? null : { ...write, command: { ...write.command, [field]: words } };
};

/** The field with the words that someone wrote. */
export const wordsFieldOf = (command: PendingWrite['command']): string | null => WORDS.find((field) => typeof command[field] === 'string') ?? null;

const WORDS = ['content', 'text', 'summary', 'description', 'reason', 'notes'];

/** What a server reported of who was there: now that it is gone, that says nothing about the present. */
export const isPastPresence = ({ sender, command }: PendingWrite): boolean => sender.id === SYSTEM.id && command.type === 'agent.presence';

const isKnown = (board: Board, { sender, command }: PendingWrite): boolean => {
  // Yarnboard itself queues only what may wait.
  if (sender.id === SYSTEM.id) return sender.type === SYSTEM.type && isCommandType(command.type) && WHILE_AWAY[command.type] === 'queued';
  if (isOperator(sender)) return sender.type === 'human';
  const agent = board.agents.get(sender.id);
  return agent !== undefined && !agent.isRetired && agent.kind === sender.type;
};

const commandIn = ({ command: { type, ...fields } }: PendingWrite): Command | null => {
  if (!isCommandType(type)) return null;
  const schema: z.ZodType = COMMANDS[type];
  const read = schema.safeParse(fields);
  return read.success ? ({ type, ...(read.data as object) } as Command) : null; // validated by its own schema
};

const isCommandType = (type: string): type is CommandType => Object.hasOwn(COMMANDS, type);
