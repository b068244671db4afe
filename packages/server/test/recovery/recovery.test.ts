import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR, SYSTEM, type PendingWrite } from '@yarnboard/domain';
import { expect, test } from 'vitest';
import { openEmergencyCache } from '../../src/recovery/places.ts';
import { lastStopOf } from '../../src/recovery/stop-mark.ts';
import { until } from '../ingest/bench.ts';
import { makeBoard } from '../operations/boards.ts';
import { AT, leftBehind, saidIn, say, writeOf } from './left-behind.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'done';
  } catch (cause) {
    return String(cause);
  }
};

test('[REC-16] a server that stops leaves a mark, one that is killed leaves none, and one that never accepted anything changes nothing', async () => {
  const first = await makeBoard({ isFollowing: true });
  const { home } = first;
  expect(first.board.recovery.startup().state).toBe('CLEAN');
  expect(lastStopOf(home)).toBe('abnormal'); // as long as it runs
  await first.close();
  expect(lastStopOf(home)).toBe('clean');
  // Whoever looks in for one command leaves the mark as it is.
  writeFileSync(home.stoppedFile, '{"clean":false}\n');
  await (await makeBoard({ home })).close();
  const next = await makeBoard({ home, isFollowing: true });
  expect(next.board.recovery.startup()).toMatchObject({ state: 'AUDIT_RECOMMENDED', alert: { severity: 'info' } });
  expect(await next.command('recovery')).toMatchObject({ state: 'AUDIT_RECOMMENDED', caches: [] });
  expect((await next.get('status')).failing).toMatchObject([
    { name: 'recovery', effect: expect.stringContaining('did not shut down cleanly') as string },
  ]);
  // It blocks nothing, and an audit ends it.
  await next.command('sidebar_spawn', { parent_id: null, task_description: 'go on' });
  expect(await next.command('recovery_audit')).toMatchObject({ state: 'CLEAN', is_whole: true, unresolved: 0 });
  expect((await next.get('status')).failing).toBeUndefined();
  await next.close();
  expect(lastStopOf(home)).toBe('clean');
});

test('[REC-19] what was left behind blocks commands and says what to do; reading goes on', async () => {
  const home = await leftBehind([writeOf(1, say('first words'))]);
  const next = await makeBoard({ home, isFollowing: true });
  const state = await next.command('recovery');
  expect(state).toMatchObject({
    state: 'RECOVERY_NEEDED',
    alert: {
      message: 'Previous session ended abnormally. 1 unresolved emergency cache(s) found.',
      details: [{ cache_id: 'EC-1', pending_items: 1 }],
    },
    caches: [{ cache_id: 'EC-1', own: true, writes: { pending: 1 } }],
  });
  const refusal = await next.problem('/api/v1/sidebars/SB-1/messages', {
    method: 'POST',
    headers: { authorization: `Bearer ${next.token}` },
    body: JSON.stringify({ content: 'too early' }),
  });
  expect(refusal).toMatchObject({ status: 503, code: 'recovery-needed', detail: expect.stringContaining('yarnboard recover') as string });
  expect((await next.get('sidebars')).items).toHaveLength(1);
  // Whoever looks in with a terminal command, and finds no server, is told the same.
  await next.close();
  const terminal = await makeBoard({ home });
  expect(await codeOf(terminal.command('sidebar_spawn', { parent_id: null, task_description: 'too early' }))).toContain('recovery-needed');
  await terminal.close();
});

test('[REC-17] [REC-18] review and replay: every command is decided again and is on the log once, in order; a conflict stays for a person', async () => {
  const home = await leftBehind([
    writeOf(1, say('first words')),
    writeOf(2, say('nobody there', 'SB-77')),
    writeOf(3, say('forged words'), { id: 'AGENT-nobody', type: 'agent' }),
    writeOf(4, say('second words')),
  ]);
  const next = await makeBoard({ home, isFollowing: true });
  const before = (await next.board.store.log.head()).count;
  const review = await next.command('recovery_cache', { cache_id: 'EC-1' });
  expect(review.pending_writes.map(({ now }) => now?.kind)).toEqual(['done', 'conflict', 'conflict', 'done']);
  expect((await next.board.store.log.head()).count).toBe(before);

  const replayed = await next.command('recovery_replay', { cache_id: 'EC-1' });
  expect(replayed).toMatchObject({ state: 'RECOVERY_NEEDED', is_resolved: false, writes: { replayed: 2, conflict: 2, pending: 0 } });
  expect(await saidIn(next)).toEqual(['first words', 'second words']);
  expect((await next.command('recovery')).caches[0]?.recovery_notes.join()).toContain('conflict');
  // Again: nothing is done twice.
  expect(await next.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({ writes: { replayed: 2, conflict: 2 } });
  expect(await saidIn(next)).toEqual(['first words', 'second words']);

  expect(await codeOf(next.command('recovery_discard', { cache_id: 'EC-1', yes: 'EC-2' }))).toContain('bad-request');
  const discarded = await next.command('recovery_discard', { cache_id: 'EC-1', yes: 'EC-1' });
  expect(discarded).toMatchObject({ state: 'CLEAN', is_resolved: true, writes: { replayed: 2, discarded: 2, conflict: 0 } });
  expect(readFileSync(discarded.exported_to ?? '', 'utf8')).toContain('forged words');
  const { caches, alert } = await next.command('recovery');
  expect(alert).toBeNull();
  expect(caches[0]?.recovery_notes.join()).not.toContain('conflict');
  await next.command('sidebar_spawn', { parent_id: null, task_description: 'go on' });
  await next.close();
  const after = await makeBoard({ home, isFollowing: true });
  expect(await after.command('recovery')).toMatchObject({ state: 'CLEAN', caches: [{ cache_id: 'EC-1' }] });
  await after.close();
});

test('[REC-18] what Yarnboard itself reported is replayed; who was there then is discarded, and what it never lets wait is refused', async () => {
  const home = await leftBehind([
    writeOf(1, { type: 'agent.presence', agent: 'AGENT-operator', status: 'available' }, SYSTEM),
    writeOf(2, say('first words')),
    writeOf(3, { type: 'sidebar.move', sidebar: 'SB-1', to: 'PAUSED', reason: 'nobody came' }, SYSTEM),
  ]);
  const next = await makeBoard({ home, isFollowing: true });
  const review = await next.command('recovery_cache', { cache_id: 'EC-1' });
  expect(review.pending_writes.map(({ now }) => [now?.kind, now?.message])).toEqual([
    ['done', 'nothing: it says who was there then'],
    ['done', 'say something'],
    ['done', 'say something'],
  ]);
  const replayed = await next.command('recovery_replay', { cache_id: 'EC-1' });
  expect(replayed).toMatchObject({ state: 'CLEAN', is_resolved: true, writes: { replayed: 2, discarded: 1, conflict: 0, pending: 0 } });
  expect(next.board.engine.board().agents.get('AGENT-operator')?.presence ?? 'offline').toBe('offline');
  expect(await next.command('sidebar', { sidebar_id: 'SB-1' })).toMatchObject({ status: 'PAUSED' });
  await next.close();

  const forged = await leftBehind([
    writeOf(1, { type: 'sidebar.archive', sidebar: 'SB-1' }, SYSTEM),
    writeOf(2, { type: 'sidebar.move', sidebar: 'SB-1', to: 'PAUSED', reason: 'nobody came' }, { ...SYSTEM, type: 'human' }),
  ]);
  const other = await makeBoard({ home: forged, isFollowing: true });
  expect((await other.command('recovery_replay', { cache_id: 'EC-1' })).settled).toMatchObject([
    { code: 'forged-sender' },
    { code: 'forged-sender' },
  ]);
  await other.close();
});

test('[REC-82] a conflict is replayed with other words: the log has it once, and names its sender and who changed it', async () => {
  const home = await leftBehind([writeOf(1, say('')), writeOf(2, say('second words')), writeOf(3, { type: 'sidebar.unknown' })]);
  const next = await makeBoard({ home, isFollowing: true });
  // Nobody's words are changed before they were refused.
  expect(await codeOf(next.command('recovery_replay', { cache_id: 'EC-1', writes: [2], words: 'mine' }))).toContain('bad-request');
  await next.command('recovery_replay', { cache_id: 'EC-1' });
  expect(await codeOf(next.command('recovery_replay', { cache_id: 'EC-1', words: 'mine' }))).toContain('one conflict');
  expect(await codeOf(next.command('recovery_replay', { cache_id: 'EC-1', writes: [3], words: 'mine' }))).toContain('bad-request');
  const amended = await next.command('recovery_replay', { cache_id: 'EC-1', writes: [1], words: 'first words' });
  expect(amended).toMatchObject({ writes: { replayed: 2, conflict: 1 }, settled: [{ n: 1, sender: 'AGENT-operator', outcome: 'replayed' }] });
  const { items } = await next.command('sidebar_memory', { sidebar_id: 'SB-1', part: 'local', limit: 100 });
  expect(items).toMatchObject([{ content: 'second words' }, { content: 'first words', sender: 'AGENT-operator', amended_by: 'AGENT-operator' }]);
  expect(items[0]).not.toHaveProperty('amended_by');
  expect(await codeOf(next.command('recovery_replay', { cache_id: 'EC-1', writes: [1], words: 'again' }))).toContain('not-found');
  expect(await next.board.engine.isAsTold()).toBe(true);
  await next.close();
});

test('[REC-20] the end of an outage is an entry of the log, and a place that comes back with an old copy brings nothing back', async () => {
  const home = await leftBehind([writeOf(1, say('first words'))]);
  const file = join(home.folder, 'emergency', 'EC-1.json');
  const old = readFileSync(file);
  const next = await makeBoard({ home, isFollowing: true });
  await next.command('recovery_replay', { cache_id: 'EC-1' });
  const entries = await next.command('log', { limit: 100, reveal: true });
  const recorded = entries.items.filter((one) => one.type === 'emergency.recorded');
  expect(recorded).toHaveLength(1);
  await next.close();
  // Everything but an old copy is lost.
  rmSync(join(home.folder, 'emergency'), { recursive: true });
  rmSync(join(home.stateFolder, 'emergency'), { recursive: true });
  const cache = openEmergencyCache({ home, settings: undefined, redis: null, onFault: () => {} });
  await cache.prepare();
  await cache.close();
  writeFileSync(file, old, { mode: 0o600 });
  const after = await makeBoard({ home, isFollowing: true });
  expect(await after.command('recovery')).toMatchObject({ state: 'CLEAN' });
  expect(await saidIn(after)).toEqual(['first words']);
  // From now on it says so itself.
  expect(JSON.parse(old.toString())).toMatchObject({ resolved_at: null });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    resolved_at: expect.any(String) as string,
    pending_writes: [{ outcome: { kind: 'known' } }],
  });
  await after.close();
});

test('[REC-17] a cache is marked as resolved by the operator only; what is unknown, settled or another’s is refused with the reason', async () => {
  const home = await leftBehind([writeOf(1, say('first words'))]);
  const next = await makeBoard({ home, isFollowing: true });
  expect(await codeOf(next.get('recovery'))).toContain('token-needed');
  expect(await codeOf(next.command('recovery_replay', { cache_id: 'EC-9' }))).toContain('not-found');
  expect(await codeOf(next.command('recovery_replay', { cache_id: 'EC-1', writes: [7] }))).toContain('not-found');
  expect(await next.command('recovery_resolve', { cache_id: 'EC-1', notes: 'said elsewhere' })).toMatchObject({ state: 'CLEAN', is_resolved: true });
  expect(await codeOf(next.command('recovery_replay', { cache_id: 'EC-1' }))).toContain('already-there');
  await next.close();
  const foreign = await leftBehind([writeOf(1, say('first words'))], { serverId: 'another-home', host: 'there' });
  const here = await makeBoard({ home: foreign, isFollowing: true });
  expect(await here.command('recovery')).toMatchObject({ state: 'CLEAN', caches: [{ own: false, host: 'there' }] });
  expect(await codeOf(here.command('recovery_replay', { cache_id: 'EC-1' }))).toContain('another home');
  expect(await here.command('recovery_replay', { cache_id: 'EC-1', other_home: true })).toMatchObject({ is_resolved: true });
  expect(await saidIn(here)).toEqual(['first words']);
  await here.close();
  const other = await leftBehind([writeOf(1, say('first words'))], { boardId: 'another-board' });
  const there = await makeBoard({ home: other, isFollowing: true });
  expect(await codeOf(there.command('recovery_replay', { cache_id: 'EC-1', other_home: true }))).toContain('another board');
  await there.close();
});

test('[REC-21] an export is JSON and Markdown, masked unless it is revealed', async () => {
  const secret = 'sk-ant-api03-q7wm2kx9lp4vt8rb3nc6yd1hf5jg0zAAAAAAAAAA';
  const home = await leftBehind([writeOf(1, say(`the key is ${secret}`))]);
  const next = await makeBoard({ home, isFollowing: true });
  const masked = await next.command('recovery_export', { cache_id: 'EC-1' });
  expect(masked.json + masked.markdown).not.toContain(secret);
  expect(masked.markdown).toContain('### 1. chat.say by AGENT-operator');
  const revealed = await next.command('recovery_export', { cache_id: 'EC-1', reveal: true });
  expect(revealed.json).toContain(secret);
  expect(revealed.markdown).toContain(secret);
  expect((await next.command('recovery')).state).toBe('RECOVERY_NEEDED'); // export alone ends nothing
  expect(existsSync(join(home.folder, 'emergency', 'EC-1.json'))).toBe(true);
  await next.close();
});

test('[REC-71] what was left behind is in `status` and told when it changes; what the operator does is told as settled', async () => {
  const home = await leftBehind([writeOf(1, say('first words')), writeOf(2, say('nobody hears this', 'SB-9'))]);
  const next = await makeBoard({ home, isFollowing: true });
  const { recovery } = next.board;
  expect(await next.get('status')).toMatchObject({ recovery: { state: 'RECOVERY_NEEDED', open_writes: 2 } });
  const told: (readonly [string, number])[] = [];
  const settled: unknown[] = [];
  recovery.listen({
    changed: ({ state, openWrites }) => told.push([state, openWrites]),
    settled: ({ messageId, outcome, sender }) => settled.push([messageId, outcome, sender]),
  });
  await next.command('recovery_replay', { cache_id: 'EC-1' });
  await next.command('recovery_discard', { cache_id: 'EC-1', yes: 'EC-1' });
  expect(settled).toEqual([
    ['queued-1', 'replayed', 'AGENT-operator'],
    ['queued-2', 'conflict', 'AGENT-operator'],
    ['queued-2', 'discarded', 'AGENT-operator'],
  ]);
  expect(told.at(-1)).toEqual(['CLEAN', 0]);
  expect((await next.get('status')).recovery).toBeUndefined();
  await next.close();
});

test('[REC-20] what a server that was only cut off queued behind a resolution is open, and what was resolved is not replayed again', async () => {
  const home = await leftBehind([writeOf(1, say('one')), writeOf(2, say('left'))]);
  const first = await makeBoard({ home, isFollowing: true });
  expect(await first.command('recovery_replay', { cache_id: 'EC-1', writes: [1] })).toMatchObject({ is_resolved: false });
  expect(await first.command('recovery_resolve', { cache_id: 'EC-1' })).toMatchObject({ is_resolved: true, writes: { replayed: 1, discarded: 1 } });
  await first.close();
  // A disk comes back that has all of it as it was queued, and one that came later.
  const cache = openEmergencyCache({ home, settings: undefined, redis: null, onFault: () => {} });
  const [document] = (await cache.find()).documents;
  if (document === undefined) throw new Error('no document');
  await cache.remove('EC-1');
  await cache.write({ ...document, pendingWrites: [1, 2, 3].map((n) => writeOf(n, say(['', 'one', 'left', 'late'][n] ?? ''))), resolvedAt: null });
  await cache.close();
  const next = await makeBoard({ home, isFollowing: true });
  expect(await next.command('recovery')).toMatchObject({ state: 'RECOVERY_NEEDED', caches: [{ writes: { known: 1, discarded: 1, pending: 1 } }] });
  expect(await next.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({ is_resolved: true, settled: [{ n: 3, outcome: 'replayed' }] });
  expect(await saidIn(next)).toEqual(['one', 'late']);
});

test('[REC-20] a second end that could not be put on the log is still to come, although an earlier one is there', async () => {
  const home = await leftBehind([writeOf(1, say('one'))]);
  const first = await makeBoard({ home, isFollowing: true });
  expect(await first.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({ is_resolved: true });
  const { count } = await first.board.store.log.head();
  await first.close();
  // The server that was cut off queued one more; it was replayed, and then the log refused the entry about it.
  const cache = openEmergencyCache({ home, settings: undefined, redis: null, onFault: () => {} });
  const [document] = (await cache.find()).documents;
  if (document === undefined) throw new Error('no document');
  await cache.remove('EC-1');
  const late: PendingWrite = { ...writeOf(2, say('late')), outcome: { kind: 'discarded', by: OPERATOR.id, at: AT } };
  await cache.write({ ...document, pendingWrites: [...document.pendingWrites, late], resolvedAt: null });
  await cache.close();
  const next = await makeBoard({ home, isFollowing: true });
  expect(await next.command('recovery')).toMatchObject({ state: 'RECOVERY_NEEDED', caches: [{ resolved_at: null, writes: { pending: 0 } }] });
  expect(await next.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({ is_resolved: true, state: 'CLEAN' });
  expect((await next.board.store.log.head()).count).toBe(count + 1);
});

test('[REC-74] a replay is verified: what is said to be on the log and is not keeps the cache open, until the operator says that it is over', async () => {
  const lost: PendingWrite = { ...writeOf(1, say('lost')), outcome: { kind: 'replayed', position: 99, refs: ['MSG-99'] } };
  const home = await leftBehind([lost, writeOf(2, say('two'))]);
  const one = await makeBoard({ home, isFollowing: true });
  const replayed = await one.command('recovery_replay', { cache_id: 'EC-1' });
  expect(replayed).toMatchObject({ is_resolved: false, state: 'RECOVERY_NEEDED', settled: [{ n: 2, outcome: 'replayed' }] });
  const { caches } = await one.command('recovery', {});
  expect(caches[0]?.recovery_notes).toEqual(['Write 1 was replayed and is not on the log in the words that waited.']);
  expect(await saidIn(one)).toEqual(['two']);
  expect(await one.command('recovery_resolve', { cache_id: 'EC-1' })).toMatchObject({ is_resolved: true });
});

test('[REC-74] a log that went back since, or a board that differs, is noted; everything that waited is there all the same', async () => {
  const home = await leftBehind([writeOf(1, say('one'))], {
    head: { position: 4000, checksum: 'a'.repeat(64) },
    createdAt: '2100-01-02T14:32:00.000Z', // SB-1 was there before
  });
  const one = await makeBoard({ home, isFollowing: true });
  const { sidebars } = one.board.engine.board();
  const [id = '', sidebar] = [...sidebars.entries()][0] ?? [];
  if (sidebar !== undefined) sidebars.set(id, { ...sidebar, task: 'another task' });
  expect(await one.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({ is_resolved: true, writes: { replayed: 1 } });
  const { caches } = await one.command('recovery', {});
  expect(caches[0]?.recovery_notes).toEqual([
    'Entry 4000 was the last one known when the log went away, and is gone: the log went back.',
    'The board differs from what the log says; run `yarnboard rebuild`.',
  ]);
});

test('[REC-74] other words under the same message id are a conflict, and not taken for what waited', async () => {
  const home = await leftBehind([{ ...writeOf(1, say('as it waited')), fingerprint: 'the one' }, writeOf(2, say('two'))]);
  const one = await makeBoard({ home, isFollowing: true });
  const said = await one.board.engine.execute({
    command: { type: 'chat.say', sidebar: 'SB-1', content: 'as it was sent again' },
    actor: OPERATOR,
    messageId: 'queued-1',
    fingerprint: 'another',
  });
  expect(said).toMatchObject({ kind: 'done' });
  expect((await one.command('recovery_cache', { cache_id: 'EC-1' })).pending_writes).toMatchObject([
    { n: 1, now: { kind: 'conflict', code: 'message-id-reused' } },
    { n: 2, now: { kind: 'done' } },
  ]);
  expect(await one.command('recovery_replay', { cache_id: 'EC-1' })).toMatchObject({
    is_resolved: false,
    writes: { conflict: 1, replayed: 1 },
    settled: [{ n: 1, outcome: 'conflict', code: 'message-id-reused' }, { n: 2 }],
  });
  expect(await saidIn(one)).toEqual(['as it was sent again', 'two']);
});

test('[REC-72] it is told which places have a cache and how much room they have, and the outage that was last', async () => {
  const home = await leftBehind([writeOf(1, say('first words'))]);
  const next = await makeBoard({ home, isFollowing: true });
  const before = await next.command('recovery');
  expect(before).toMatchObject({
    caches: [
      {
        found_in: [
          { place: 'home', agrees: true },
          { place: 'state', agrees: true },
          { place: 'sqlite', agrees: true },
        ],
      },
    ],
    last_outage: null,
  });
  expect(before.places.map(({ name, room_bytes: room }) => [name, (room ?? 0) > 0])).toEqual([
    ['home', true],
    ['state', true],
    ['sqlite', true],
  ]);
  await next.command('recovery_replay', { cache_id: 'EC-1' });
  expect((await next.command('recovery')).last_outage).toMatchObject({
    cache_id: 'EC-1',
    queued: 1,
    replayed: 1,
    position: expect.any(Number) as number,
  });
  await next.close();
});

test('[REC-73] what waits in an outage that is not over is nobody’s to settle: it is replayed once, and told once', async () => {
  const one = await makeBoard({ isFollowing: true });
  await one.command('sidebar_spawn', { parent_id: null, task_description: 'why is login slow?' });
  const path = one.home.database.replace(/^sqlite:/u, '');
  renameSync(path, `${path}.gone`);
  const operator = { headers: { authorization: `Bearer ${one.token}` } };
  const said = await one.ask('/api/v1/sidebars/SB-1/messages', { ...operator, method: 'POST', body: JSON.stringify({ content: 'it waits' }) });
  expect(said.status).toBe(202);
  const { cache_id: cacheId } = (await said.json()) as { readonly cache_id: string };
  // What is told meanwhile also says how old it is (REC-66).
  const told = async (path: string): Promise<object> => (await (await one.ask(`/api/v1/${path}`, operator)).json()) as object;
  expect(await told('recovery')).toMatchObject({ caches: [{ cache_id: cacheId, writes: { pending: 1 } }] });
  for (const [name, more] of [
    ['recovery_replay', {}],
    ['recovery_discard', { yes: cacheId }],
    ['recovery_resolve', {}],
  ] as const) {
    expect(await codeOf(one.command(name, { cache_id: cacheId, ...more }))).toContain('belongs to an outage that is not over');
  }
  // REC-71: nothing was left behind.
  expect(await told('status')).not.toHaveProperty('recovery');
  renameSync(`${path}.gone`, path);
  await until('the outage is over', async () => !Object.hasOwn(await told('status'), 'emergency'));
  expect(await saidIn(one)).toEqual(['it waits']);
  const after = await one.command('recovery');
  expect(after.caches).toMatchObject([{ cache_id: cacheId, writes: { replayed: 1 }, resolved_at: expect.any(String) as string }]);
  expect(after.last_outage).toMatchObject({ cache_id: cacheId, queued: 1, replayed: 1, discarded: 0 });
  await one.close();
});
