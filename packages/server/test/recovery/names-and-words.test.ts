import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SidebarSnapshot } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { idOf, keyOf } from '../../src/engine/command-ids.ts';
import { makeBoard } from '../operations/boards.ts';
import { AT, leftBehind, saidIn, say, writeOf } from './left-behind.ts';

const snapshotOf = (more: Pick<SidebarSnapshot, 'uuid' | 'sidebarId'>): SidebarSnapshot => ({
  parentContextId: null,
  childSidebarIds: [],
  forkedFrom: null,
  participants: [],
  coordinatorAgent: null,
  agentCapabilities: {},
  inheritedMemory: null,
  localMemory: { partial: false, messages: 0, items: [] },
  dataRefs: {},
  crossSidebarRefs: [],
  status: 'ACTIVE',
  priority: 'NORMAL',
  createdAt: AT,
  lastActivity: AT,
  successCriteria: null,
  failureReason: null,
  ...more,
});

test('[REC-86] a name that stands for another sidebar now is a conflict, and nothing is said there', async () => {
  const then = { uuid: idOf(keyOf('AGENT-operator', 'another'), 0), sidebarId: 'SB-1' };
  const home = await leftBehind([writeOf(1, say('to somebody else'))], { sidebarSnapshots: { 'SB-1': snapshotOf(then) } });
  const next = await makeBoard({ home, isFollowing: true });
  const why = 'SB-1 is another sidebar now than when this was said';
  expect((await next.command('recovery_cache', { cache_id: 'EC-1' })).pending_writes).toMatchObject([{ now: { kind: 'conflict', message: why } }]);
  expect(await next.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({
    is_resolved: false,
    settled: [{ outcome: 'conflict', code: 'log-went-back', message: why }],
  });
  expect(await saidIn(next)).toEqual([]);
  await next.close();
});

test('[REC-87] what is forgotten leaves the emergency cache, in every place', async () => {
  const home = await leftBehind([writeOf(1, say('unspeakable words')), writeOf(2, say('other words'))]);
  const next = await makeBoard({ home, isFollowing: true });
  await next.command('recovery_replay', { cache_id: 'EC-1' });
  const kept = (): string =>
    [home.folder, home.stateFolder]
      .flatMap((folder) => readdirSync(join(folder, 'emergency'), { withFileTypes: true }).map((file) => join(folder, 'emergency', file.name)))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, 'latin1'))
      .join();
  expect(kept()).toContain('unspeakable words');
  await next.command('forget', { ref: 'MSG-1' });
  expect(await next.command('recovery_cache', { cache_id: 'EC-1' })).toMatchObject({
    pending_writes: [
      { n: 1, words: null, outcome: 'replayed', refs: ['MSG-1', 'EXCH-1'] },
      { n: 2, words: 'other words' },
    ],
  });
  await next.close();
  expect(kept()).not.toContain('unspeakable words');
  expect(kept()).toContain('other words');
});
