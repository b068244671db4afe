import { COMMANDS, err, isOperator, ok, type Board, type Circumstances, type Command, type PendingWrite, type Result } from '@yarnboard/domain';
import type { z } from 'zod';
import type { Asked } from '../engine/batch.ts';
import { idOf, keyOf } from '../engine/command-ids.ts';

/** Why a pending write cannot be replayed as it is. */
export type BadWrite = { readonly code: string; readonly message: string };

/**
 * REC-18: what a pending write asks for. A file says whatever somebody wrote into it, so nothing of it is believed: the command is read by its schema, the sender
 * must be one that the board knows, and the uuid must be the one that sender and message id make.
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
    // It waits already: a log that is away again leaves it where it is.
    canQueue: false,
    client: write.client,
    clientVersion: write.clientVersion,
    circumstances: { errorRef: cacheId, ...(write.circumstances as Circumstances) }, // as the engine was given it; the entry's schema looks at it again
    ...(write.ifSeq === null ? {} : { ifSeq: write.ifSeq }),
    ...(write.fingerprint === null ? {} : { fingerprint: write.fingerprint }),
    ...(write.claims === null || write.claims === undefined ? {} : { claims: write.claims }),
  });
};

/** REC-82: the same with other words; null where it has none of its own. */
export const amended = (write: PendingWrite, words: string): PendingWrite | null => {
  const field = wordsFieldOf(write.command);
  return field === null ? null : { ...write, command: { ...write.command, [field]: words } };
};

/** The field that what somebody wrote is in. */
export const wordsFieldOf = (command: PendingWrite['command']): string | null => WORDS.find((field) => typeof command[field] === 'string') ?? null;

const WORDS = ['content', 'text', 'summary', 'description', 'reason', 'notes'];

const isKnown = (board: Board, { sender }: PendingWrite): boolean => {
  if (isOperator(sender)) return sender.type === 'human';
  const agent = board.agents.get(sender.id);
  return agent !== undefined && !agent.isRetired && agent.kind === sender.type;
};

const commandIn = ({ command: { type, ...fields } }: PendingWrite): Command | null => {
  if (!Object.hasOwn(COMMANDS, type)) return null;
  const schema: z.ZodType = COMMANDS[type as keyof typeof COMMANDS]; // one of its own keys
  const read = schema.safeParse(fields);
  return read.success ? ({ type, ...(read.data as object) } as Command) : null; // read by the schema of its type
};
