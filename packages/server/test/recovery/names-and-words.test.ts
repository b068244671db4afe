import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf, type EmergencyDocument, type PendingWrite, type SidebarSnapshot } from '@yarnboard/domain';
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

/** One more cache of a home that has one. */
const leaveAlso = async (home: TestBoard['home'], more: Partial<EmergencyDocument>): Promise<void> => {
  const cache = openEmergencyCache({ home, settings: undefined, redis: null, onFault: () => {} });
  const [own] = (await cache.find()).documents;
  if (own === undefined) throw new Error('nothing was left behind');
  const { durableIn } = await cache.write({ ...own, resolvedAt: null, resolutionNotes: null, ...more });
  expect(durableIn).toHaveLength(3);
  await cache.close();
};

test('[REC-86] what a sidebar numbers by itself is found by its id, and is a conflict where it is gone or was given again', async () => {
  const found = (n: number): PendingWrite => writeOf(n, { type: 'finding.submit', sidebar: 'SB-1', content: `finding ${n}`, sourceRefs: [] });
  const confirmed = (n: number, of: number): PendingWrite =>
    writeOf(n, { type: 'finding.validate', sidebar: 'SB-1', finding: found(of).uuid, status: 'confirmed' });
  const home = await leftBehind([found(1), found(2), confirmed(3, 1), confirmed(4, 2)]);
  const before = await makeBoard({ home, isFollowing: true });
  expect(await before.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({ is_resolved: true });
  const { uuid } = await before.command('sidebar', { sidebar_id: 'SB-1' });
  await before.close();

  const note = (n: number, finding: string): PendingWrite =>
    writeOf(n, { type: 'finding.annotate', sidebar: 'SB-1', finding, note: `${n}: ${finding}` });
  const sidebarSnapshots = { 'SB-1': snapshotOf({ uuid, sidebarId: 'SB-1' }) };
  const ids = [found(2).uuid, found(1).uuid, found(9).uuid];
  await leaveAlso(home, {
    cacheId: 'EC-2',
    head: GONE,
    createdAt: LATER,
    sidebarSnapshots,
    // As they were numbered before the log went back.
    scratchpadStates: { 'SB-1': { findings: ids.map((id) => ({ id })), checkpoints: [], conflicts: [] } },
    pendingWrites: [
      note(11, 'SCRATCH-1:FINDING-1'),
      note(12, 'FINDING-2'),
      note(13, '1'),
      note(14, 'SCRATCH-1:FINDING-3'),
      writeOf(15, { ...say('about a claim'), inReplyTo: 'SB-1:CLAIM-7' }),
    ],
  });
  await leaveAlso(home, { cacheId: 'EC-3', head: GONE, sidebarSnapshots, pendingWrites: [note(21, 'SCRATCH-1:FINDING-1'), note(22, 'FINDING-2')] });
  const next = await makeBoard({ home, isFollowing: true });
  expect(await next.command('recovery_replay', { cache_id: 'EC-2' })).toMatchObject({
    settled: [
      { n: 11, outcome: 'replayed' },
      { n: 12, outcome: 'replayed' },
      { n: 13, outcome: 'replayed' },
      { n: 14, outcome: 'conflict', code: 'log-went-back', message: 'it names SCRATCH-1:FINDING-3, which is not there any more' },
      { n: 15, outcome: 'conflict', message: 'it names SB-1:CLAIM-7, which is not on the log that went back' },
    ],
  });
  expect(await next.command('recovery_replay', { cache_id: 'EC-3' })).toMatchObject({
    settled: [
      { n: 21, outcome: 'conflict', message: 'it names SCRATCH-1:FINDING-1, which was given again since the log went back' },
      { n: 22, outcome: 'conflict', message: 'it names SCRATCH-1:FINDING-2, which was given again since the log went back' },
    ],
  });
  const [sidebar] = rowsOf(next.board.engine.board().sidebars);
  expect(sidebar?.scratchpad.findings.map(({ content, annotations }) => [content, annotations.map((one) => one.note)])).toEqual([
    ['finding 1', ['12: FINDING-2']],
    ['finding 2', ['11: SCRATCH-1:FINDING-1', '13: 1']],
  ]);
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
