import { RECOVERY_STEPS, type PendingWrite } from '@yarnboard/domain';
import { homeOf, startServer, type Home, type RunningServer } from '@yarnboard/server';
import { idOf, keyOf } from '../../packages/server/src/engine/command-ids.ts';
import { homeIdIn } from '../../packages/server/src/launches/run-owner.ts';
import { openBoard } from '../../packages/server/src/main.ts';
import { openEmergencyCache } from '../../packages/server/src/recovery/places.ts';

export const CACHE = 'outage-2026-01-02-EC1';
const AT = '2026-01-02T14:32:00.000Z';

export const queued = (n: number, command: PendingWrite['command'], wouldDo: string, queuedAt = AT): PendingWrite => ({
  n,
  messageId: `queued-${n}`,
  uuid: idOf(keyOf('AGENT-operator', `queued-${n}`), 0),
  sender: { id: 'AGENT-operator', type: 'human' },
  client: 'page',
  clientVersion: null,
  context: 'SB-1',
  command,
  ifSeq: null,
  fingerprint: null,
  circumstances: {},
  claims: null,
  queuedAt,
  wouldDo,
  outcome: { kind: 'pending' },
});

export type Left = {
  readonly pendingWrites: readonly PendingWrite[];
  readonly notes: readonly string[];
  readonly at?: string;
  /** Makes the sidebar that they are for. */
  readonly spawn: (server: RunningServer) => Promise<void>;
};

/** A home in this folder whose server was killed while these waited for its log, with one sidebar. */
export const leftHome = async (folder: string, { pendingWrites, notes, at = AT, spawn }: Left): Promise<Home> => {
  const home = homeOf({ env: {}, home: folder });
  const options = { home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null };
  const server = await startServer({ ...options, port: 0 });
  await spawn(server);
  await server.close();
  const board = await openBoard({ ...options, onFault: () => {} });
  const { count, checksum } = await board.store.log.head();
  const { boardId } = board.store.log;
  await board.close();
  const cache = openEmergencyCache({ home, settings: undefined, redis: null, onFault: () => {} });
  await cache.write({
    format: 1,
    cacheId: CACHE,
    createdAt: at,
    updatedAt: at,
    reason: 'working_memory_down',
    servicesDown: ['working_memory'],
    boardId,
    serverId: homeIdIn(home),
    host: 'workstation',
    version: '0',
    head: { position: count, checksum: Buffer.from(checksum).toString('hex') },
    lastKnownGoodState: at,
    sidebarSnapshots: {},
    scratchpadStates: {},
    pendingWrites,
    pendingArchives: [],
    recoveryNotes: [...notes],
    suggestedRecoveryOrder: [...RECOVERY_STEPS],
    resolvedAt: null,
    resolutionNotes: null,
  });
  await cache.close();
  return home;
};
