import type { Command } from '@yarnboard/domain';

/** Who gave a command, and where: to nobody else's name and on no other board it is ever sent. */
export type Giver = { readonly board: string; readonly actor: string };

export type WaitingCommand = {
  readonly messageId: string;
  /** Of the operation; a page of another version may have known one that this one does not. */
  readonly name: string;
  /** As it is sent, without the message id. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the domain is told, to show it before it is done. */
  readonly proposal: Command | null;
  readonly at: number;
};

export type WaitingStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** PAGE-140: commands that the server has not answered yet, kept where a reload of the page finds them: in the storage of the tab. */
export type WaitingCommands = {
  /** False when there is no room for it: it is in this page only. */
  readonly keep: (giver: Giver, command: WaitingCommand) => boolean;
  /** It has an answer. */
  readonly drop: (messageId: string) => void;
  readonly has: (messageId: string) => boolean;
  /** What this giver gave before the page was loaded, in that order; told once. What others gave stays. */
  readonly takeUp: (giver: Giver) => readonly WaitingCommand[];
};

type Kept = WaitingCommand & Giver;

export const createWaitingCommands = (storage: WaitingStorage): WaitingCommands => {
  let kept = readFrom(storage);
  const fromBefore = new Set(kept.map(({ messageId }) => messageId));

  /** False when the storage is full, or there is none. */
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

/** Another version of the page may have written it. The server looks at the input as at any other. */
const readFrom = (storage: WaitingStorage): readonly Kept[] => {
  try {
    const read: unknown = JSON.parse(storage.getItem(WAITING_KEY) ?? '[]');
    return Array.isArray(read) ? read.filter(isKept) : [];
  } catch {
    return []; // nothing that could be read was ever written there by a page
  }
};

const isKept = (value: unknown): value is Kept => {
  if (typeof value !== 'object' || value === null) return false;
  const { messageId, name, input, proposal, at, board, actor } = value as Partial<Record<keyof Kept, unknown>>; // looked at here
  const texts = [messageId, name, board, actor].every((text) => typeof text === 'string');
  return texts && typeof at === 'number' && isObject(input) && (proposal === null || isObject(proposal));
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

export const WAITING_KEY = 'yarnboard.waiting';
/** Characters: a fifth of what browsers give a site, so that a long message fits and the rest of the page has room. */
const MOST_KEPT = 1_000_000;
