import { assertNever, type PendingWrite, type Present } from '@yarnboard/domain';
import { words } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import { decideBatch, type Prepared, type Verdict } from '../engine/batch.ts';
import { keyOf } from '../engine/command-ids.ts';
import type { Engine } from '../engine/engine.ts';
import { inheritedFor } from '../engine/inherited.ts';
import { lookUp, refsIn } from '../engine/references.ts';
import { talkFor } from '../engine/talk.ts';
import { writesFor } from '../engine/writes.ts';
import { askedBy } from './pending-command.ts';

export type PreviewNeeds = {
  readonly store: Store;
  readonly engine: Pick<Engine, 'board' | 'language' | 'match' | 'memory'>;
  readonly now: () => number;
};

/** REC-9: what a replay would make of each of these now, one after the other, and nothing is written. */
export const previewOf = async (
  { store, engine, now }: PreviewNeeds,
  cacheId: string,
  writes: readonly PendingWrite[],
): Promise<ReadonlyMap<number, Present>> => {
  const board = engine.board();
  const presents = new Map<number, Present>();
  const waiting: { readonly write: PendingWrite; readonly prepared: Prepared }[] = [];
  for (const write of writes) {
    const entry = await store.log.entryByUuid(write.uuid);
    const asked = askedBy(board, write, cacheId);
    if (entry !== null) presents.set(write.n, { kind: 'known', position: entry.position, refs: entry.refs });
    else if (!asked.ok) presents.set(write.n, { kind: 'conflict', ...asked.error });
    else {
      const { command } = asked.value;
      const prepared: Prepared = {
        asked: asked.value,
        key: keyOf(asked.value.actor.id, asked.value.messageId),
        before: null,
        refs: await lookUp(store.log, board, refsIn(command)),
        inherited: await inheritedFor(engine.memory, board, command),
        talk: await talkFor(engine.memory, board, command),
        writes: await writesFor(store, board, command),
      };
      waiting.push({ write, prepared });
    }
  }
  const options = { now: now(), match: engine.match, language: engine.language, mostBytes: Number.POSITIVE_INFINITY };
  // One that tells a number which the one before is only given on the log is looked at by itself.
  for (let from = 0; from < waiting.length;) {
    const rest = waiting.slice(from);
    const { verdicts } = decideBatch(
      board,
      rest.map(({ prepared }) => prepared),
      options,
    );
    for (const [i, verdict] of verdicts.entries()) {
      const write = rest[i]?.write;
      if (write !== undefined) presents.set(write.n, presentOf(verdict, write));
    }
    from += Math.max(1, verdicts.length);
  }
  return presents;
};

const presentOf = (verdict: Verdict, { wouldDo }: PendingWrite): Present => {
  switch (verdict.kind) {
    case 'decided':
      return { kind: 'done', wouldDo };
    case 'rejected':
      return { kind: 'conflict', code: verdict.rejection.code, message: words(verdict.rejection, 'http') };
    case 'failed':
      return { kind: 'conflict', code: 'internal', message: String(verdict.cause) };
    case 'duplicate':
      return { kind: 'known', position: verdict.seq, refs: verdict.refs };
    case 'repeated':
      return { kind: 'known', position: 0, refs: [] };
    default:
      return assertNever(verdict);
  }
};
