import { RECOVERY_STEPS, type EmergencyDocument, type PendingWrite } from '@yarnboard/domain';
import { expect } from 'vitest';
import { idOf, keyOf } from '../../src/engine/command-ids.ts';
import { homeIdIn } from '../../src/launches/run-owner.ts';
import { openEmergencyCache } from '../../src/recovery/places.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';

export const AT = '2026-01-02T14:32:00.000Z';
const OPERATOR = { id: 'AGENT-operator', type: 'human' } as const;

export const writeOf = (n: number, command: PendingWrite['command'], sender: PendingWrite['sender'] = OPERATOR): PendingWrite => ({
  n,
  messageId: `queued-${n}`,
  uuid: idOf(keyOf(sender.id, `queued-${n}`), 0),
  sender,
  client: 'cli',
  clientVersion: null,
  context: 'SB-1',
  command,
  ifSeq: null,
  fingerprint: null,
  circumstances: {},
  claims: null,
  queuedAt: AT,
  wouldDo: 'say something',
  outcome: { kind: 'pending' },
});

export const say = (content: string, sidebar = 'SB-1'): PendingWrite['command'] => ({ type: 'chat.say', sidebar, content });

/** A board with one sidebar, closed again; what it left behind is written into every place of its home. */
export const leftBehind = async (pendingWrites: readonly PendingWrite[], more: Partial<EmergencyDocument> = {}): Promise<TestBoard['home']> => {
  const one = await makeBoard({ isFollowing: true });
  await one.command('sidebar_spawn', { parent_id: null, task_description: 'look at the cache' });
  const { count, checksum } = await one.board.store.log.head();
  const { boardId } = one.board.store.log;
  await one.close();
  const cache = openEmergencyCache({ home: one.home, settings: undefined, redis: null, onFault: () => {} });
  const kept = await cache.write({
    format: 1,
    cacheId: 'EC-1',
    createdAt: AT,
    updatedAt: AT,
    reason: 'working_memory_down',
    servicesDown: ['working_memory'],
    boardId,
    serverId: homeIdIn(one.home),
    host: 'here',
    version: '0',
    head: { position: count, checksum: Buffer.from(checksum).toString('hex') },
    lastKnownGoodState: AT,
    sidebarSnapshots: {},
    scratchpadStates: {},
    pendingWrites,
    pendingArchives: [],
    recoveryNotes: [],
    suggestedRecoveryOrder: [...RECOVERY_STEPS],
    resolvedAt: null,
    resolutionNotes: null,
    ...more,
  });
  expect(kept.durableIn).toEqual(['home', 'state', 'sqlite']);
  await cache.close();
  return one.home;
};

export const saidIn = async ({ command }: TestBoard): Promise<readonly string[]> =>
  (await command('sidebar_memory', { sidebar_id: 'SB-1', part: 'local', limit: 100 })).items.flatMap((item) =>
    'content' in item && typeof item.content === 'string' ? [item.content] : [],
  );
