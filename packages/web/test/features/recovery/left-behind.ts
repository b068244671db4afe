import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECOVERY_STEPS, type PendingWrite } from '@yarnboard/domain';
import { homeOf, startServer, type Home } from '@yarnboard/server';
import { afterFile } from '../../../../../tests/afterwards.ts';
import { connectAs } from '../home/connection.ts';
import { idOf, keyOf } from '../../../../server/src/engine/command-ids.ts';
import { homeIdIn } from '../../../../server/src/launches/run-owner.ts';
import { openBoard } from '../../../../server/src/main.ts';
import { openEmergencyCache } from '../../../../server/src/recovery/places.ts';

export const CACHE = 'outage-2026-01-02-EC1';
const AT = '2026-01-02T14:32:00.000Z';

export const said = (n: number, content: string, sidebar = 'SB-1'): PendingWrite => ({
  n,
  messageId: `queued-${n}`,
  uuid: idOf(keyOf('AGENT-operator', `queued-${n}`), 0),
  sender: { id: 'AGENT-operator', type: 'human' },
  client: 'page',
  clientVersion: null,
  context: sidebar,
  command: { type: 'chat.say', sidebar, content },
  ifSeq: null,
  fingerprint: null,
  circumstances: {},
  claims: null,
  queuedAt: AT,
  wouldDo: `says: ${content}`,
  outcome: { kind: 'pending' },
});

/** A home whose server was killed while these waited for its log, with one sidebar. */
export const leftBehind = async (pendingWrites: readonly PendingWrite[]): Promise<Home> => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-left-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const home = homeOf({ env: {}, home: folder });
  const options = { home, settings: { excludedProjects: [], roots: [] }, roots: [], version: '0', programs: null };
  const server = await startServer({ ...options, port: 0 });
  const live = connectAs(server.url, server.token);
  await live.ask('sidebar_spawn', { parentId: null, taskDescription: 'why is login slow?' });
  live.close();
  await server.close();
  const board = await openBoard({ ...options, onFault: () => {} });
  const { count, checksum } = await board.store.log.head();
  const { boardId } = board.store.log;
  await board.close();
  const cache = openEmergencyCache({ home, settings: undefined, redis: null, onFault: () => {} });
  await cache.write({
    format: 1,
    cacheId: CACHE,
    createdAt: AT,
    updatedAt: AT,
    reason: 'working_memory_down',
    servicesDown: ['working_memory'],
    boardId,
    serverId: homeIdIn(home),
    host: 'workstation',
    version: '0',
    head: { position: count, checksum: Buffer.from(checksum).toString('hex') },
    lastKnownGoodState: AT,
    sidebarSnapshots: {},
    scratchpadStates: {},
    pendingWrites,
    pendingArchives: [],
    recoveryNotes: ['<img src=x onerror=alert(1)> was noted'],
    suggestedRecoveryOrder: [...RECOVERY_STEPS],
    resolvedAt: null,
    resolutionNotes: null,
  });
  await cache.close();
  return home;
};
