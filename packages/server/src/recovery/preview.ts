import { assertNever, err, rejectionOf, type EmergencyDocument, type PendingWrite, type Present, type Rejection } from '@yarnboard/domain';
import { words } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import { decideBatch, type Prepared, type Verdict } from '../engine/batch.ts';
import { keyOf } from '../engine/command-ids.ts';
import type { Engine } from '../engine/engine.ts';
import { inheritedFor } from '../engine/inherited.ts';
import { lookUp, refsIn } from '../engine/references.ts';
import { talkFor } from '../engine/talk.ts';
import { writesFor } from '../engine/writes.ts';
import { askedBy, isPastPresence } from './pending-command.ts';
import { renamed, type FormerNames } from './present-names.ts';
import { onLog } from './replay-check.ts';

export type PreviewNeeds = {
  readonly store: Store;
  readonly engine: Pick<Engine, 'board' | 'language' | 'match' | 'memory'>;
  readonly now: () => number;
};

/** REC-9: what a replay would do with each of these now, in order. Writes nothing. */
export const previewOf = async (
  { store, engine, now }: PreviewNeeds,
  { document, former }: { readonly document: EmergencyDocument; readonly former: FormerNames },
  writes: readonly PendingWrite[],
): Promise<ReadonlyMap<string, Present>> => {
  const board = engine.board();
  const presents = new Map<string, Present>();
  const waiting: { readonly write: PendingWrite; readonly prepared: Prepared }[] = [];
  for (const waits of writes) {
    const there = await onLog(store.log, waits);
    const { write, conflict } = await renamed({ log: store.log, board, document, former }, waits);
    const asked = conflict === null ? askedBy(board, write, document.cacheId) : err(conflict);
    if (there.kind === 'same') presents.set(write.uuid, { kind: 'known', position: there.entry.position, refs: there.entry.refs });
    else if (isPastPresence(waits)) presents.set(write.uuid, { kind: 'done', wouldDo: 'nothing: it says who was there then' });
    else if (there.kind === 'another') presents.set(write.uuid, refusedAs(rejectionOf('message-id-reused', { id: write.messageId.slice(0, 100) })));
    else if (!asked.ok) presents.set(write.uuid, { kind: 'conflict', ...asked.error });
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
  // A batch ends before a write that needs a number which only the log assigns; the next round looks at that one.
  for (let from = 0; from < waiting.length;) {
    const rest = waiting.slice(from);
    const { verdicts } = decideBatch(
      board,
      rest.map(({ prepared }) => prepared),
      options,
    );
    for (const [i, verdict] of verdicts.entries()) {
      const write = rest[i]?.write;
      if (write !== undefined) presents.set(write.uuid, presentOf(verdict, write));
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
      return refusedAs(verdict.rejection);
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

const refusedAs = (rejection: Rejection): Present => ({ kind: 'conflict', code: rejection.code, message: words(rejection, 'http') });
