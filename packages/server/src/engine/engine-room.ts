import { formatRef, parseRef, SYSTEM, WHILE_AWAY, type Board, type Command, type RefFact } from '@yarnboard/domain';
import { StoreFault } from '@yarnboard/store';
import type { Prepared } from './batch.ts';
import { keyOf } from './command-ids.ts';
import type { OutagePort, Waiting } from './outage-port.ts';
import { refsIn } from './references.ts';
import { createWaitingRoom, type Queued, type RoomOptions } from './waiting-room.ts';

export type EngineRoom = {
  /** The command waits for the log, or is refused. `cause` is why the log could not be written, if known. */
  readonly admit: (one: Waiting, cause: unknown) => void;
  readonly waiting: () => readonly Queued[];
  /** Resolves when every admitted command is queued or refused. */
  readonly settled: () => Promise<void>;
  /** Whether a command is being queued right now. */
  readonly isBusy: () => boolean;
  readonly release: (queued: readonly Queued[]) => void;
  readonly over: () => void;
  readonly board: () => Board;
};

type Options = {
  readonly outage: OutagePort;
  /** The database is remote: while it is away, it can't be read either. */
  readonly isShared: boolean;
  readonly prepare: (one: Waiting) => Promise<Prepared>;
  readonly room: Omit<RoomOptions, 'keeper' | 'outage'>;
};

/** The engine's side of the waiting room: looks things up for commands while the log is away, and keeps their order. */
export const createEngineRoom = ({ outage, isShared, prepare, room: parts }: Options): EngineRoom => {
  const room = createWaitingRoom({ ...parts, keeper: outage.keeper, outage: outage.state });
  let coming: Promise<void> = Promise.resolve();
  let count = 0;

  const prepared = async (one: Waiting): Promise<Prepared> => {
    try {
      if (!isShared) return await prepare(one);
    } catch {
      // It can't be read either: the command's references are verified when the log is back.
    }
    return unproven(one);
  };

  const refusalOf = ({ asked }: Waiting, cause: unknown): unknown => {
    // Yarnboard's own commands are retried, and not refused for good.
    const canWait = asked.actor.id !== SYSTEM.id || WHILE_AWAY[asked.command.type] === 'queued';
    if (asked.canQueue !== false && canWait) return null;
    return cause ?? new StoreFault('unreachable', `the log cannot be written: ${outage.state().why}`);
  };

  return {
    admit: (one, cause) => {
      const refusal = refusalOf(one, cause);
      if (refusal !== null) {
        one.reject(refusal);
        return;
      }
      count += 1;
      coming = coming
        .then(() => prepared(one))
        // Not awaited: simultaneous commands are made durable together.
        .then((ready) => void room.take(ready).then(one.resolve, one.reject), one.reject)
        .finally(() => {
          count -= 1;
        });
    },
    waiting: room.waiting,
    settled: async () => {
      while (count > 0 || room.isBusy()) {
        await coming;
        await new Promise<void>((resolve) => void setImmediate(resolve));
      }
    },
    isBusy: () => count > 0 || room.isBusy(),
    release: room.release,
    over: room.over,
    board: room.board,
  };
};

/** REC-56 */
const unproven = ({ asked }: Waiting): Prepared => ({
  asked,
  key: keyOf(asked.actor.id, asked.messageId),
  before: null,
  refs: believed(asked.command, asked.circumstances?.errorRef),
  inherited: null,
  isUnproven: true,
});

const believed = (command: Command, errorRef: string | undefined): ReadonlyMap<string, RefFact> =>
  new Map(
    [...refsIn(command), ...(errorRef === undefined ? [] : [errorRef])].flatMap((text) => {
      const read = parseRef(text);
      return read.ok && read.value.kind === 'numbered' ? [[formatRef(read.value), NOWHERE] as const] : [];
    }),
  );

const NOWHERE: RefFact = { contextId: '', position: 0 };
