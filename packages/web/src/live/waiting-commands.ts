import type { Command } from '@yarnboard/domain';

/** Who gave a command, and on which board: it is never sent in another name or to another board. */
export type Giver = { readonly board: string; readonly actor: string };

export type WaitingCommand = {
  readonly messageId: string;
  /** The operation's name; a page of another version may have known operations that this one doesn't. */
  readonly name: string;
  /** As it is sent, without the message id. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The command for the domain, to show its effect in advance. */
  readonly proposal: Command | null;
  readonly at: number;
};

export type WaitingStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** PAGE-140: unanswered commands, stored where a reload of the page finds them: in the storage of the tab. */
export type WaitingCommands = {
  /** False if there is no room for it: it exists in this page only. */
  readonly keep: (giver: Giver, command: WaitingCommand) => boolean;
  /** It has been answered. */
  readonly drop: (messageId: string) => void;
  readonly has: (messageId: string) => boolean;
  /** This user's commands from before the page was loaded, in order; returned once. Others' stay. */
  readonly takeUp: (giver: Giver) => readonly WaitingCommand[];
};

type Kept = WaitingCommand & Giver;

export const createWaitingCommands = (storage: WaitingStorage): WaitingCommands => {
  let kept = readFrom(storage);
  const fromBefore = new Set(kept.map(({ messageId }) => messageId));

  /** False if the storage is full, or missing. */
  const write = (next: readonly Kept[]): boolean => {
    const text = JSON.stringify(next);
    if (text.length > MOST_KEPT) return false;
    try {
      storage.setItem(WAITING_KEY, text);
    } catch {
      return false;
    }
    kept = next;
    return true;
  };

  return {
    keep: ({ board, actor }, command) => write([...kept, { ...command, board, actor }]),
    drop: (messageId) => {
      const rest = kept.filter((one) => one.messageId !== messageId);
      if (rest.length < kept.length) write(rest);
    },
    has: (messageId) => kept.some((one) => one.messageId === messageId),
    takeUp: ({ board, actor }) => {
      const mine = kept.filter((one) => one.board === board && one.actor === actor && fromBefore.has(one.messageId));
      for (const { messageId } of mine) fromBefore.delete(messageId);
      return mine.map(({ messageId, name, input, proposal, at }) => ({ messageId, name, input, proposal, at }));
    },
  };
};

/** Another version of the page may have written it. The server validates the input like any other. */
const readFrom = (storage: WaitingStorage): readonly Kept[] => {
  try {
    const read: unknown = JSON.parse(storage.getItem(WAITING_KEY) ?? '[]');
    return Array.isArray(read) ? read.filter(isKept) : [];
  } catch {
    return []; // the page never stored anything readable there
  }
};

const isKept = (value: unknown): value is Kept => {
  if (typeof value !== 'object' || value === null) return false;
  const { messageId, name, input, proposal, at, board, actor } = value as Partial<Record<keyof Kept, unknown>>; // checked here
  const texts = [messageId, name, board, actor].every((text) => typeof text === 'string');
  return texts && typeof at === 'number' && isObject(input) && (proposal === null || isObject(proposal));
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

export const WAITING_KEY = 'yarnboard.waiting';
/** Characters: a fifth of a browser's limit per site, so that a long message fits and the rest of the page has room. */
const MOST_KEPT = 1_000_000;
