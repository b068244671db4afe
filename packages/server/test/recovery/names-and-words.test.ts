import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SidebarSnapshot } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { idOf, keyOf } from '../../src/engine/command-ids.ts';
import { openEmergencyCache } from '../../src/recovery/places.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';
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

const keptIn = ({ folder, stateFolder }: TestBoard['home']): string =>
  [folder, stateFolder]
    .flatMap((one) => readdirSync(join(one, 'emergency'), { withFileTypes: true }).map((file) => join(one, 'emergency', file.name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join();

/** What a cache knew as the end of a log that has gone back since. */
const GONE = { position: 1_000_000, checksum: 'f'.repeat(64) };
/** Later than everything on the log of these tests. */
const LATER = '2100-01-02T14:32:00.000Z';

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

test('[REC-86] after the log went back, a name counts only if it is as old as the command', async () => {
  const home = await leftBehind([writeOf(1, say('to somebody else'))], { head: GONE });
  const next = await makeBoard({ home, isFollowing: true });
  const message = 'it names SB-1, which was given again since the log went back';
  expect((await next.command('recovery_cache', { cache_id: 'EC-1' })).pending_writes).toMatchObject([{ now: { kind: 'conflict', message } }]);
  expect(await next.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({ settled: [{ outcome: 'conflict', message }] });
  expect(await saidIn(next)).toEqual([]);
  await next.close();
});

test('[REC-86] after the log went back, a name or a position that is not there is a conflict, also where another server lost it', async () => {
  const writes = [
    writeOf(1, say('it stays as it is')),
    writeOf(2, { ...say('to nothing'), inReplyTo: 'MSG-7' }),
    writeOf(3, { ...say('to what another server lost'), inReplyTo: 'MSG-1#2' }),
    { ...writeOf(4, say('only behind that entry')), ifSeq: 2 },
    writeOf(5, { type: 'inbox.read', upTo: 2 }),
  ];
  const home = await leftBehind(writes, { head: GONE, createdAt: LATER });
  const cache = openEmergencyCache({ home, settings: undefined, redis: null, onFault: () => {} });
  const [own] = (await cache.find()).documents;
  if (own === undefined) throw new Error('nothing was left behind');
  const lost = { ...writeOf(1, say('lost')), circumstances: { former_names: { 'MSG-1': idOf(keyOf('AGENT-operator', 'lost'), 0) } } };
  await cache.write({
    ...own,
    cacheId: 'EC-2',
    serverId: 'another',
    reason: 'log_went_back',
    head: { ...GONE, position: 999_999 },
    pendingWrites: [lost],
  });
  await cache.close();
  const next = await makeBoard({ home, isFollowing: true });
  const position = 'it depends on a position of the log, which may be another entry since the log went back';
  expect(await next.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({
    settled: [
      { n: 1, outcome: 'replayed' },
      { n: 2, outcome: 'conflict', message: 'it names MSG-7, which is not on the log that went back' },
      { n: 3, outcome: 'conflict', message: 'it names MSG-1, which was lost with the log; replay that first' },
      { n: 4, outcome: 'conflict', message: position },
      { n: 5, outcome: 'conflict', message: position },
    ],
  });
  expect(await saidIn(next)).toEqual(['it stays as it is']);
  await next.close();
});

test('[REC-87] what is forgotten leaves a cache whose log went back, too', async () => {
  const home = await leftBehind([writeOf(1, say('unspeakable words'))], { head: GONE, createdAt: LATER });
  const next = await makeBoard({ home, isFollowing: true });
  expect(await next.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({ is_resolved: true });
  expect(keptIn(home)).toContain('unspeakable words');
  await next.command('forget', { ref: 'MSG-1' });
  await next.close();
  expect(keptIn(home)).not.toContain('unspeakable words');
});

test('[REC-87] what is forgotten leaves the emergency cache, in every place', async () => {
  const home = await leftBehind([writeOf(1, say('unspeakable words')), writeOf(2, say('other words'))]);
  const next = await makeBoard({ home, isFollowing: true });
  await next.command('recovery_replay', { cache_id: 'EC-1' });
  expect(keptIn(home)).toContain('unspeakable words');
  await next.command('forget', { ref: 'MSG-1' });
  expect(await next.command('recovery_cache', { cache_id: 'EC-1' })).toMatchObject({
    pending_writes: [
      { n: 1, words: null, outcome: 'replayed', refs: ['MSG-1', 'EXCH-1'] },
      { n: 2, words: 'other words' },
    ],
  });
  await next.close();
  expect(keptIn(home)).not.toContain('unspeakable words');
  expect(keptIn(home)).toContain('other words');
});
