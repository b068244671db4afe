import { openWrites, type EmergencyDocument, type EmergencyReason } from './document.ts';

export const STARTUP_STATES = ['CLEAN', 'AUDIT_RECOMMENDED', 'RECOVERY_NEEDED'] as const;
export type StartupState = (typeof STARTUP_STATES)[number];

export const RECOVERY_ACTIONS = ['review_cached_state', 'replay_pending_writes', 'resolve_conflicts', 'mark_resolved'] as const;

/** How the last server of a home ended. `unmarked`: there was none, or its version left no marks. */
export type LastStop = 'clean' | 'unmarked' | 'abnormal';

export type StartupRecoveryAlert = {
  readonly type: 'startup_recovery_alert';
  readonly severity: 'warning' | 'info';
  readonly message: string;
  readonly details: readonly {
    readonly cacheId: string;
    readonly reason: EmergencyReason;
    readonly occurredAt: string;
    readonly pendingItems: number;
    readonly notes: readonly string[];
  }[];
  readonly recommendation: string;
  readonly actions: readonly (typeof RECOVERY_ACTIONS)[number][];
};

export type Startup = {
  readonly state: StartupState;
  /** Null if there is nothing to report. */
  readonly alert: StartupRecoveryAlert | null;
  /** Unresolved caches of this home, newest first: they block until somebody has looked at them. */
  readonly unresolved: readonly EmergencyDocument[];
  /** Those of other homes, which block nothing here. */
  readonly others: readonly EmergencyDocument[];
};

/** REC-7: what a server finds when it starts. */
export const startupOf = (
  home: { readonly serverId: string; readonly boardId: string },
  lastStop: LastStop,
  caches: readonly EmergencyDocument[],
): Startup => {
  const open = caches.filter(({ resolvedAt }) => resolvedAt === null).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const unresolved = open.filter((cache) => isOf(home, cache));
  const others = open.filter((cache) => !isOf(home, cache));
  if (unresolved.length > 0) return { state: 'RECOVERY_NEEDED', alert: neededAlert(unresolved), unresolved, others };
  if (lastStop === 'abnormal') return { state: 'AUDIT_RECOMMENDED', alert: AUDIT_ALERT, unresolved, others };
  return { state: 'CLEAN', alert: null, unresolved, others };
};

const isOf = (home: { readonly serverId: string; readonly boardId: string }, { serverId, boardId }: EmergencyDocument): boolean =>
  serverId === home.serverId && boardId === home.boardId;

const neededAlert = (unresolved: readonly EmergencyDocument[]): StartupRecoveryAlert => ({
  type: 'startup_recovery_alert',
  severity: 'warning',
  message: `Previous session ended abnormally. ${unresolved.length} unresolved emergency cache(s) found.`,
  details: unresolved.map((cache) => ({
    cacheId: cache.cacheId,
    reason: cache.reason,
    occurredAt: cache.createdAt,
    pendingItems: openWrites(cache).length,
    notes: cache.recoveryNotes,
  })),
  recommendation: 'Recovery audit recommended before resuming normal operations.',
  actions: RECOVERY_ACTIONS,
});

const AUDIT_ALERT: StartupRecoveryAlert = {
  type: 'startup_recovery_alert',
  severity: 'info',
  message: 'Previous session did not shut down cleanly. No cached emergencies found, but audit recommended.',
  details: [],
  recommendation: 'Quick health check recommended.',
  actions: [],
};
