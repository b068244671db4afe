import type { Actor, Command } from '@yarnboard/domain';
import {
  insideAnswer,
  outsideInput,
  type Client,
  type InsideInput,
  type InsideOutput,
  type OperationName,
  type Outcome,
  type SettledCommand,
} from '@yarnboard/protocol';
import type { BoardReplica } from './board-replica.ts';
import { isKeptCommand, keptLookOf, type KeptCommand } from './kept-commands.ts';
import { refusalIn } from './refusal.ts';
import { createWaitingCommands, type Giver, type WaitingCommand, type WaitingStorage } from './waiting-commands.ts';
import { createWatched, type Watched } from './watched.ts';

/** A command given before the page was loaded, and refused: the form that could show this is gone. */
export type RefusedCommand = Pick<WaitingCommand, 'messageId' | 'name' | 'input' | 'at'> & { readonly why: string };

export type Commands = {
  readonly send: <N extends OperationName>(name: N, input: InsideInput<N>, proposal?: Command) => Promise<Outcome<InsideOutput<N>>>;
  /** The server is there, and this is its board: commands waiting since before the page was loaded are sent. */
  readonly takeUp: (board: string) => void;
  readonly refused: Watched<readonly RefusedCommand[]>;
  /** Whether something waits for an answer that a reload would lose. */
  readonly wouldLose: () => boolean;
  readonly close: () => void;
};

export type CommandsParts = {
  readonly client: Client;
  readonly replica: BoardReplica;
  readonly actor: Watched<Actor | null>;
  readonly storage: WaitingStorage | null;
  /** The last position that the server is known to have. */
  readonly headSeq: () => number;
  /** REC-64: a command queued here isn't on the log, and won't be without further action. */
  readonly onUnsaved: (unsaved: {
    readonly messageId: string;
    readonly outcome: 'conflict' | 'discarded';
    readonly why: string | null;
    readonly words: unknown;
  }) => void;
  readonly newId: () => string;
  readonly now: () => number;
};

/** The user's commands: shown at once, kept until they are answered, sent when possible. */
export const createCommands = ({ client, replica, actor, storage, headSeq, onUnsaved, newId, now }: CommandsParts): Commands => {
  const waiting = createWaitingCommands(storage ?? NOWHERE);
  const refused = createWatched<readonly RefusedCommand[]>([]);
  const unanswered = new Set<string>();
  let board: string | null = null;
  let isClosed = false;

  const giver = (): Giver | null => {
    const me = actor.get();
    return board === null || me === null ? null : { board, actor: me.id };
  };

  const give = async <N extends OperationName>(name: N, { messageId, input, proposal, at }: WaitingCommand): Promise<Outcome<unknown>> => {
    const me = actor.get();
    if (proposal !== null && me !== null) replica.propose({ id: messageId, command: proposal, actor: me, now: at });
    unanswered.add(messageId);
    const outcome = await client.call(name, { ...input, message_id: messageId } as Parameters<typeof client.call<N>>[1]); // the server validates it
    unanswered.delete(messageId);
    // A closing page isn't an answer.
    if (!isClosed) waiting.drop(messageId);
    if (outcome.kind === 'queued') {
      replica.hold(messageId);
      void outcome.settled.then((settled) => end({ messageId, name, input, at }, settled));
    } else replica.settle(messageId, outcome.kind === 'done' ? outcome.seq : null);
    return outcome;
  };

  /** REC-64: what waited for the log is there, or isn't and somebody has to be told. */
  const end = (command: Omit<RefusedCommand, 'why'>, { outcome, seq, message }: SettledCommand): void => {
    const { messageId, name, input } = command;
    if (outcome === 'replayed' || outcome === 'known') replica.settle(messageId, seq ?? headSeq());
    if (outcome !== 'conflict' && outcome !== 'discarded') return;
    replica.settle(messageId, null);
    const words = isKeptCommand(name) ? keptLookOf(name).text : null;
    onUnsaved({ messageId, outcome, why: message ?? null, words: words === null ? null : input[words] });
  };

  /** PAGE-142: nobody is left who would be told of a refusal. */
  const giveAgain = async (command: WaitingCommand): Promise<void> => {
    const { messageId, name, input, at } = command;
    const why = isKeptCommand(name) ? refusalIn(await give<KeptCommand>(name, command)) : 'this version of the page doesn’t support it';
    if (why === null || isClosed) return;
    waiting.drop(messageId);
    refused.set([...refused.get(), { messageId, name, input, at, why }]);
  };

  return {
    send: async (name, input, proposal) => {
      const command: WaitingCommand = { messageId: newId(), name, input: outsideInput(name, input), proposal: proposal ?? null, at: now() };
      const me = giver();
      if (me !== null && isKeptCommand(name)) waiting.keep(me, command);
      const outcome = await give(name, command);
      // As declared by the operation that was called.
      return outcome.kind === 'done'
        ? { ...outcome, result: insideAnswer(name, outcome.result as Parameters<typeof insideAnswer<typeof name>>[1]) }
        : outcome;
    },
    takeUp: (told) => {
      board = told;
      const me = giver();
      for (const command of me === null ? [] : waiting.takeUp(me)) void giveAgain(command);
    },
    refused,
    wouldLose: () => [...unanswered].some((messageId) => !waiting.has(messageId)),
    close: () => {
      isClosed = true;
    },
  };
};

const NOWHERE: WaitingStorage = {
  getItem: () => null,
  setItem: () => {
    throw new Error('there is no storage');
  },
};
