import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { EMERGENCY_FORMAT, lineOfAddition, RECOVERY_STEPS, type EmergencyAddition, type EmergencyDocument } from '@yarnboard/domain';
import { createEmergencyCache, folderPlace, sha256, tablesPlace, type EmergencyCache } from '@yarnboard/store';
import { WrongResult } from '../measure/run.ts';
import { atLeast, below, layOut, type Verdict } from '../measure/table.ts';
import { median, quantile, timed } from './timed.ts';

/** The emergency cache against raw writes and syncs of the same bytes, and what a start finds in it. */
export const benchCache = async (scratch: string, writes: number): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  const rows: string[][] = [];
  for (const atOnce of [1, 16]) {
    const some = Math.min(writes, 2000);
    const raw = await rawWrites(join(scratch, `raw-${atOnce}`), some, atOnce);
    const cache = openCache(join(scratch, `cache-${atOnce}`));
    await cache.prepare();
    await cache.write(documentOf('EC-1'));
    const count = atOnce === 1 ? writes : some;
    const { each, ms } = await timed(count, atOnce, (n) => cache.add('EC-1', [additionOf(n)]));
    const found = (await cache.find()).documents[0]?.pendingWrites.length ?? 0;
    if (found !== count) throw new WrongResult(`${count} writes were added, ${found} are there`);
    await cache.close();
    rows.push([`${atOnce} at a time`, (count / (ms / 1000)).toFixed(0), (some / (raw / 1000)).toFixed(0), quantile(each, 0.99).toFixed(1)]);
    verdicts.push(atLeast(count / ms / (some / raw), 0.5, `queued by ${atOnce}, durable in two files and SQLite, as fast as raw writes and syncs`));
    if (atOnce !== 1) continue;
    const [first, last] = [median(each.slice(0, 500)), median(each.slice(-500))];
    verdicts.push(below(last / first, 1.5, `the last 500 of ${count} against the first 500`, 'times'));
  }
  console.log('');
  console.log(layOut([['queued commands a second', 'ours', 'raw', 'p99 ms'], ...rows]));
  return verdicts;
};

/** REC-7: a start looks into every place; with a hundred caches there as with none. */
export const benchStart = async (scratch: string): Promise<readonly Verdict[]> => {
  const found: number[] = [];
  for (const count of [0, 100]) {
    const folder = join(scratch, `start-${count}`);
    const cache = openCache(folder);
    await cache.prepare();
    for (let n = 0; n < count; n += 1) {
      await cache.write({ ...documentOf(`EC-${n}`), resolvedAt: AT });
    }
    await cache.close();
    const next = openCache(folder);
    await next.prepare();
    const began = performance.now();
    const { documents } = await next.find();
    found.push(performance.now() - began);
    if (documents.length !== count) throw new WrongResult(`${count} caches were left, ${documents.length} are found`);
    await next.close();
  }
  const [none = 0, many = 0] = found;
  return [
    below(none, 50, 'a start looks into places that hold nothing', 'ms'),
    below(many, 500, 'a start looks into places that hold 100 caches', 'ms'),
  ];
};

const AT = '2026-03-14T12:00:00.000Z';

const documentOf = (cacheId: string): EmergencyDocument => ({
  format: EMERGENCY_FORMAT,
  cacheId,
  createdAt: AT,
  updatedAt: AT,
  reason: 'working_memory_down',
  servicesDown: ['working_memory'],
  boardId: 'board',
  serverId: 'server',
  host: 'loom',
  version: '0',
  head: { position: 1, checksum: '0'.repeat(64) },
  lastKnownGoodState: AT,
  sidebarSnapshots: {},
  scratchpadStates: {},
  pendingWrites: [],
  pendingArchives: [],
  recoveryNotes: [],
  suggestedRecoveryOrder: RECOVERY_STEPS,
  resolvedAt: null,
  resolutionNotes: null,
});

const additionOf = (n: number): EmergencyAddition => ({
  kind: 'write',
  write: {
    n,
    messageId: randomUUID(),
    uuid: randomUUID(),
    sender: { id: 'AGENT-scout', type: 'agent' },
    client: 'bench',
    clientVersion: null,
    context: 'SB-1',
    command: { type: 'chat.say', sidebar: 'SB-1', content: `The ${n}th word while the log is away. ${'More is said here. '.repeat(10)}` },
    ifSeq: null,
    fingerprint: null,
    circumstances: {},
    claims: null,
    queuedAt: AT,
    wouldDo: 'say something in SB-1',
    outcome: { kind: 'pending' },
  },
});

const openCache = (folder: string): EmergencyCache =>
  createEmergencyCache({
    places: [
      folderPlace({ name: 'home', survives: 'crashes', isLocal: true, folder: join(folder, 'home'), reserve: 0 }),
      folderPlace({ name: 'state', survives: 'a mount', isLocal: true, folder: join(folder, 'state'), reserve: 0 }),
      tablesPlace(join(folder, 'cache.db')),
    ],
    patience: 60_000,
    onFault: (cause) => {
      throw cause;
    },
  });

/** The baseline: the same bytes, written and synced to three files, by as many at a time. */
const rawWrites = async (folder: string, count: number, atOnce: number): Promise<number> => {
  mkdirSync(folder, { recursive: true });
  const files = await Promise.all(['a', 'b', 'c'].map((name) => open(join(folder, name), 'a')));
  const { ms } = await timed(count, atOnce, async (n) => {
    const line = lineOfAddition(additionOf(n), sha256);
    await Promise.all(
      files.map(async (file) => {
        await file.write(line);
        await file.datasync();
      }),
    );
  });
  await Promise.all(files.map((file) => file.close()));
  return ms;
};
