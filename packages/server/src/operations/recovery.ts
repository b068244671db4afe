import { assertNever, maskJson, startupOf, type EmergencyDocument, type PendingWrite, type Present } from '@yarnboard/domain';
import { toWire, type InputOf, type OutputOf } from '@yarnboard/protocol';
import type { EmergencyCache, FoundEmergenciesEverywhere, LogPort } from '@yarnboard/store';
import type { Json } from '@yarnboard/transcript';
import type { Home } from '../home/home.ts';
import type { Settings } from '../home/settings.ts';
import { homeIdIn } from '../launches/run-owner.ts';
import { lastOutageOn } from '../recovery/last-outage.ts';
import { wordsFieldOf } from '../recovery/pending-command.ts';
import { openEmergencyCache } from '../recovery/places.ts';
import type { Recovery, RecoveryAnswer, Settled } from '../recovery/recovery.ts';
import { lastStopOf } from '../recovery/stop-mark.ts';
import type { Verdict } from '../threads/verification.ts';
import type { Answer } from './request/answer.ts';
import { refusedFor } from './request/refusal.ts';

export type RecoveryNeeds = {
  readonly recovery: Recovery;
  readonly emergency: Pick<EmergencyCache, 'places' | 'rooms' | 'sharing'>;
  readonly store: { readonly log: Pick<LogPort, 'positionsOfType' | 'payloadsOf'> };
  readonly verify: (wish: { readonly deep: boolean }, signal: AbortSignal) => Promise<Verdict>;
};

export const showRecovery = async (needs: RecoveryNeeds): Answer<'recovery'> => {
  const { recovery, emergency, store } = needs;
  const [{ documents, doubtful, copies }, rooms, sharing, lastOutage] = await Promise.all([
    recovery.look(),
    emergency.rooms(),
    emergency.sharing(),
    lastOutageOn(store.log),
  ]);
  const { state, alert } = recovery.startup();
  return {
    state,
    alert,
    caches: documents.map((document) => rowOf(recovery, document, copies)),
    doubtful,
    places: placesOf(emergency, rooms, sharing),
    lastOutage,
  };
};

/**
 * REC-90: the caches of a home whose board can't be opened, as far as its own places have them; null if there are none. What a replay would make of
 * them only the log can say.
 */
export const showLeft = async (home: Home, settings: Settings): Promise<Json | null> => {
  const cache = openEmergencyCache({ home, settings: settings.emergency, redis: null, onFault: () => {} }); // `places` reports failures
  try {
    const { documents, doubtful, copies } = await cache.find();
    if (documents.length === 0 && doubtful.length === 0) return null;
    const serverId = homeIdIn(home);
    const isOwn = (document: EmergencyDocument): boolean => document.serverId === serverId;
    // A home may have seen more than one board; it is asked for the one it used last.
    const boardId = documents.findLast(isOwn)?.boardId ?? '';
    const { state, alert } = startupOf({ serverId, boardId }, lastStopOf(home), documents);
    const [rooms, sharing] = [await cache.rooms(), await cache.sharing()];
    const answer = {
      state,
      alert,
      caches: documents.map((document) => rowOf({ isOwn }, document, copies)),
      doubtful,
      places: placesOf(cache, rooms, sharing),
      lastOutage: null,
    } satisfies Awaited<Answer<'recovery'>>;
    return maskJson(toWire(answer)) as Json; // the same shape, other texts
  } finally {
    await cache.close();
  }
};

const placesOf = (
  emergency: Pick<EmergencyCache, 'places'>,
  rooms: ReadonlyMap<string, number | null>,
  sharing: ReadonlyMap<string, readonly string[]>,
) => emergency.places().map((place) => ({ ...place, roomBytes: rooms.get(place.name) ?? null, sharesDiskWith: sharing.get(place.name) ?? [] }));

export const showCache = async ({ recovery }: RecoveryNeeds, { cache_id: cacheId }: InputOf<'recovery_cache'>): Answer<'recovery_cache'> => {
  const { document, plan, copies } = granted(await recovery.review(cacheId), cacheId);
  const presents = new Map(plan.steps.map(({ write, present }) => [write.uuid, present]));
  return {
    ...rowOf(recovery, document, copies),
    head: document.head,
    lastKnownGoodState: document.lastKnownGoodState,
    suggestedRecoveryOrder: document.suggestedRecoveryOrder,
    pendingWrites: [...document.pendingWrites, ...document.pendingArchives].map((write) => writeView(write, presents.get(write.uuid) ?? null)),
    sidebarSnapshots: Object.values(document.sidebarSnapshots).map(({ sidebarId, status, lastActivity }) => ({ sidebarId, status, lastActivity })),
  };
};

export const replayCache = async ({ recovery }: RecoveryNeeds, input: InputOf<'recovery_replay'>): Answer<'recovery_replay'> => {
  const { cache_id: cacheId, writes, other_home: otherHome, words } = input;
  return doneView(recovery, granted(await recovery.replay(cacheId, { writes, otherHome, words }), cacheId));
};

export const discardCache = async ({ recovery }: RecoveryNeeds, input: InputOf<'recovery_discard'>): Answer<'recovery_discard'> => {
  const { cache_id: cacheId, writes, yes } = input;
  if (yes !== cacheId) throw refusedFor('discard-unconfirmed', { cache: cacheId });
  return doneView(recovery, granted(await recovery.discard(cacheId, { writes }), cacheId));
};

export const resolveCache = async ({ recovery }: RecoveryNeeds, input: InputOf<'recovery_resolve'>): Answer<'recovery_resolve'> => {
  const { cache_id: cacheId, notes } = input;
  return doneView(recovery, granted(await recovery.resolve(cacheId, notes ?? null), cacheId));
};

export const exportCache = async ({ recovery }: RecoveryNeeds, input: InputOf<'recovery_export'>): Answer<'recovery_export'> => {
  const { cache_id: cacheId, reveal } = input;
  return { cacheId, ...granted(await recovery.exported(cacheId, reveal === true), cacheId) };
};

export const auditRecovery = async ({ recovery, verify }: RecoveryNeeds, signal: AbortSignal): Answer<'recovery_audit'> => {
  const verdict = await verify({ deep: true }, signal);
  const { documents, doubtful } = await recovery.look();
  const unresolved = documents.filter((document) => document.resolvedAt === null).length;
  const findings = [
    ...(verdict.broken === null ? [] : [`entry ${verdict.broken.position}: ${verdict.broken.why}`]),
    ...verdict.damages.map(({ part, where, what, remedy }) => `${part}: ${where}: ${what}; ${remedy}`),
    ...verdict.notes,
    ...doubtful.map(({ where, why }) => `${where}: ${why}`),
  ];
  if (verdict.isWhole) recovery.acknowledge();
  return {
    state: recovery.startup().state,
    isWhole: verdict.isWhole,
    entries: verdict.entries,
    checkpoints: verdict.checkpoints,
    unresolved,
    findings,
  };
};

const rowOf = (recovery: Pick<Recovery, 'isOwn'>, document: EmergencyDocument, copies: FoundEmergenciesEverywhere['copies']) => ({
  cacheId: document.cacheId,
  reason: document.reason,
  servicesDown: document.servicesDown,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
  host: document.host,
  own: recovery.isOwn(document),
  writes: countsOf(document),
  sidebars: Object.keys(document.sidebarSnapshots).length,
  recoveryNotes: document.recoveryNotes,
  resolvedAt: document.resolvedAt,
  resolutionNotes: document.resolutionNotes,
  foundIn: copies.get(document.cacheId) ?? [],
});

const countsOf = ({ pendingWrites, pendingArchives }: EmergencyDocument): OutputOf<'recovery_replay'>['writes'] => {
  const counts = { pending: 0, conflict: 0, replayed: 0, known: 0, discarded: 0 };
  for (const { outcome } of [...pendingWrites, ...pendingArchives]) counts[outcome.kind] += 1;
  return counts;
};

const writeView = ({ outcome, sender, command, ...write }: PendingWrite, present: Present | null) => ({
  n: write.n,
  messageId: write.messageId,
  uuid: write.uuid,
  sender: sender.id,
  queuedAt: write.queuedAt,
  context: write.context,
  command: JSON.stringify(command),
  words: wordsOf(command),
  wouldDo: write.wouldDo,
  outcome: outcome.kind,
  position: 'position' in outcome ? outcome.position : null,
  refs: 'refs' in outcome ? outcome.refs : [],
  code: 'code' in outcome ? outcome.code : null,
  message: 'message' in outcome ? outcome.message : null,
  now: present === null ? null : nowOf(present),
});

const wordsOf = (command: PendingWrite['command']): string | null => {
  const found = command[wordsFieldOf(command) ?? ''];
  return typeof found === 'string' && found !== '' ? found : null;
};

const nowOf = (present: Present) => {
  switch (present.kind) {
    case 'done':
      return { kind: present.kind, code: null, message: present.wouldDo };
    case 'known':
      return {
        kind: present.kind,
        code: null,
        message: `entry ${present.position}${present.refs.length === 0 ? '' : ` (${present.refs.join(', ')})`}`,
      };
    case 'conflict':
      return present;
    default:
      return assertNever(present);
  }
};

const doneView = (recovery: Recovery, { document, concerned, exportedTo }: Settled) => ({
  cacheId: document.cacheId,
  state: recovery.startup().state,
  isResolved: document.resolvedAt !== null,
  writes: countsOf(document),
  settled: concerned.map((write) => writeView(write, null)),
  exportedTo,
});

const granted = <T>(answer: RecoveryAnswer<T>, cacheId: string): T => {
  if (answer.ok) return answer.value;
  const { error } = answer;
  switch (error.kind) {
    case 'unknown-cache':
      throw refusedFor('unknown-cache', { asked: cacheId });
    case 'of-another-board':
      throw refusedFor('cache-of-another-board', { cache: cacheId });
    case 'resolved':
      throw refusedFor('cache-resolved', { cache: cacheId });
    case 'in-use':
      throw refusedFor('cache-in-use', { cache: cacheId });
    case 'of-another':
      throw refusedFor('cache-of-another', { cache: cacheId, host: error.host });
    case 'unknown-write':
      throw refusedFor('unknown-write', { cache: cacheId, asked: error.asked });
    case 'not-amendable':
      throw refusedFor('not-amendable', { cache: cacheId });
    default:
      return assertNever(error);
  }
};
