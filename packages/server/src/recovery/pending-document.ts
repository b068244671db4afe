import { RECOVERY_STEPS, snapshotsOf, type Board, type EmergencyDocument, type PendingWrite, type SidebarSnapshot } from '@yarnboard/domain';
import type { Queued } from '../engine/waiting-room.ts';

/** What a new document says about the server that begins it and about the current state. */
export type DocumentFacts = {
  readonly boardId: string;
  /** The home this server belongs to. */
  readonly serverId: string;
  readonly host: string;
  readonly version: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly board: () => Board;
  readonly reason: () => EmergencyDocument['reason'];
  readonly servicesDown: () => EmergencyDocument['servicesDown'];
  /** The latest messages of each context. */
  readonly words: () => ReadonlyMap<string, Words>;
  readonly describe: (queued: Queued) => Described;
  /** The last entry known to be on the log. */
  readonly head: () => EmergencyDocument['head'];
};

export type Words = SidebarSnapshot['localMemory']['items'];

/** Where a command was sent (null for the board itself), and what it would do. */
export type Described = { readonly context: string | null; readonly wouldDo: string };

/** A document with the current state and an empty queue. */
export const emptyDocument = (facts: Omit<DocumentFacts, 'describe'>, kind: 'outage' | 'lost'): EmergencyDocument => {
  const timeOf = (at: number): string => new Date(at).toISOString();
  const at = timeOf(facts.now());
  const words = facts.words();
  return {
    format: 1,
    cacheId: `${kind}-${at.replaceAll(/[:.]/gu, '-')}-${facts.newId().slice(0, 8)}`,
    createdAt: at,
    updatedAt: at,
    reason: facts.reason(),
    servicesDown: facts.servicesDown(),
    boardId: facts.boardId,
    serverId: facts.serverId,
    host: facts.host,
    version: facts.version,
    head: facts.head(),
    lastKnownGoodState: at,
    ...snapshotsOf(facts.board(), { timeOf, wordsOf: ({ contextId }) => words.get(contextId) ?? [] }),
    pendingWrites: [],
    pendingArchives: [],
    recoveryNotes: [],
    suggestedRecoveryOrder: [...RECOVERY_STEPS],
    resolvedAt: null,
    resolutionNotes: null,
  };
};

export const pendingWriteOf = (queued: Queued, describe: DocumentFacts['describe']): PendingWrite => {
  const { asked, n, uuid, queuedAt } = queued;
  const { context, wouldDo } = describe(queued);
  return {
    n,
    messageId: asked.messageId,
    uuid,
    sender: { id: asked.actor.id, type: asked.actor.type },
    client: asked.client ?? 'api',
    clientVersion: asked.clientVersion ?? null,
    context,
    command: asked.command,
    ifSeq: asked.ifSeq ?? null,
    fingerprint: asked.fingerprint ?? null,
    circumstances: { ...asked.circumstances },
    claims: asked.claims ?? null,
    queuedAt: new Date(queuedAt).toISOString(),
    wouldDo,
    outcome: { kind: 'pending' },
  };
};
