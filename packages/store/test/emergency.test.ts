import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOfDocument, uniteCopies, withAdditions, type EmergencyAddition, type EmergencyDocument, type PendingWrite } from '@yarnboard/domain';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { anyAddition } from '../../domain/test/recovery/random-additions.ts';
import { anyDocument, anyWrite } from '../../domain/test/recovery/random-documents.ts';
import { createEmergencyCache } from '../src/emergency/cache.ts';
import { folderPlace } from '../src/emergency/folder.ts';
import type { EmergencyPlace, Kept } from '../src/emergency/port.ts';
import { tablesPlace } from '../src/emergency/tables.ts';
import { sha256, uuidFor } from '../src/hash.ts';
import { describePlace, type PlaceBench } from '../src/testing/emergency.ts';

const RESERVE = 64 * 1024;
const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-emergency-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const placeIn = (folder: string, reserve = RESERVE, name = 'home'): EmergencyPlace =>
  folderPlace({ name, survives: 'crashes', isLocal: true, folder: join(folder, 'emergency'), reserve });

const folderBench = (reserve: number) => (): Promise<PlaceBench> => {
  const folder = newFolder();
  const file = (cacheId: string): string => join(folder, 'emergency', `${cacheId}.json`);
  return Promise.resolve({
    open: () => placeIn(folder, reserve),
    spoil: (cacheId, change) => {
      writeFileSync(file(cacheId), change(readFileSync(file(cacheId), 'utf8')));
      return Promise.resolve();
    },
    end: () => Promise.resolve(),
  });
};

const tablesBench = (): Promise<PlaceBench> => {
  const path = join(newFolder(), 'emergency', 'emergency_cache.db');
  return Promise.resolve({
    open: () => tablesPlace(path),
    spoil: (cacheId, change) => {
      const db = new Database(path);
      const text = db.prepare('SELECT text FROM documents WHERE cache_id = ?').pluck().get(cacheId) as string;
      db.prepare('UPDATE documents SET text = ? WHERE cache_id = ?').run(change(text), cacheId);
      db.close();
      return Promise.resolve();
    },
    end: () => Promise.resolve(),
  });
};

const ARBITRARIES = { documents: (cacheId: string) => anyDocument(cacheId), addition: anyAddition };

describe('a folder', () => {
  describePlace(folderBench(0), ARBITRARIES, '');
});
describe('a folder with a reserve', () => {
  describePlace(folderBench(RESERVE), ARBITRARIES, '');
});
describe('tables', () => {
  describePlace(tablesBench, ARBITRARIES, '');
});

const sample = (seed = 1): EmergencyDocument => {
  const [document] = fc.sample(anyDocument(), { numRuns: 1, seed });
  if (document === undefined) throw new Error('no sample');
  return { ...document, pendingWrites: [], pendingArchives: [], resolvedAt: null, recoveryNotes: [] };
};
const writeOf = (n: number): PendingWrite => {
  const [write] = fc.sample(anyWrite(n), { numRuns: 1, seed: 3 });
  if (write === undefined) throw new Error('no sample');
  return { ...write, outcome: { kind: 'pending' } };
};
const added = (n: number): EmergencyAddition => ({ kind: 'write', write: writeOf(n) });

describe('files', () => {
  test('[REC-10] only the owner may read what is kept, and nothing half written is left', async () => {
    const folder = newFolder();
    const place = placeIn(folder);
    await place.prepare();
    await place.write(sample());
    await place.add('EC-1', [added(1)]);
    await place.close();
    const inside = join(folder, 'emergency');
    expect(statSync(inside).mode & 0o777).toBe(0o700);
    expect(readdirSync(inside).toSorted()).toEqual(['EC-1.json', 'EC-1.writes.jsonl']);
    for (const name of readdirSync(inside)) expect(statSync(join(inside, name)).mode & 0o777).toBe(0o600);
  });

  test('[REC-10] wherever the file of what was added is cut off or overwritten, everything in front of it is found', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), async (count, where, isGarbled) => {
        const folder = newFolder();
        const place = placeIn(folder, 0);
        await place.write(sample());
        const ends: number[] = [];
        const file = join(folder, 'emergency', 'EC-1.writes.jsonl');
        for (let n = 1; n <= count; n += 1) {
          await place.add('EC-1', [added(n)]);
          ends.push(statSync(file).size);
        }
        await place.close();
        const cut = Math.floor(where * (ends.at(-1) ?? 0));
        truncateSync(file, cut);
        if (isGarbled) appendFileSync(file, '\u0000garbage');
        const whole = ends.filter((end) => end - 1 <= cut && !(isGarbled && end - 1 === cut)).length;
        const next = placeIn(folder, 0);
        const [found] = (await next.find()).documents;
        expect(found?.pendingWrites.map(({ n }) => n)).toEqual(Array.from({ length: whole }, (_, i) => i + 1));
        // And the next one is not spoiled by what is left of the one that was cut.
        await next.add('EC-1', [added(20)]);
        expect((await next.find()).documents[0]?.pendingWrites.at(-1)?.n).toBe(20);
        await next.close();
      }),
      { numRuns: 15 },
    );
  });

  test('[REC-14] what is reserved takes commands and the document itself when the disk has no room', async () => {
    // A file system of its own, and as large as nothing else needs it.
    const folder = newFolder();
    const mounted = isMounted(folder);
    const target = mounted ? folder : newFolder();
    try {
      const place = placeIn(target, 256 * 1024);
      await place.prepare();
      await place.write(sample());
      if (mounted) {
        try {
          writeFileSync(join(folder, 'filler'), Buffer.alloc(8 * 1024 * 1024, 1));
        } catch {
          // It is full, as it should be.
        }
      }
      for (let n = 1; n <= 20; n += 1) await place.add('EC-1', [added(n)]);
      await place.write({ ...sample(), updatedAt: '2030-01-01T00:00:00.000Z', recoveryNotes: ['written on a full disk'] });
      await place.close();
      const [found] = (await placeIn(target).find()).documents;
      expect(found?.pendingWrites).toHaveLength(20);
      expect(found?.recoveryNotes).toEqual(['written on a full disk']);
    } finally {
      if (mounted) execFileSync('umount', [folder]);
    }
  });

  test('[REC-13] a place that is a file, or not there, is told, and keeps no other from taking what is queued', async () => {
    const [good, bad] = [newFolder(), newFolder()];
    writeFileSync(join(bad, 'emergency'), 'a file');
    const faults: unknown[] = [];
    const cache = createEmergencyCache({
      places: [placeIn(good), placeIn(bad, 0, 'state')],
      patience: 5000,
      onFault: (cause) => faults.push(cause),
    });
    expect(await cache.write(sample())).toMatchObject({ durableIn: ['home'], failures: [{ place: 'state' }] });
    expect((await cache.add('EC-1', [added(1)])).durableIn).toEqual(['home']);
    expect(faults.length).toBeGreaterThan(0);
    expect(cache.places()).toMatchObject([
      { name: 'home', failing: null },
      { name: 'state', failures: 2 },
    ]);
    // Once it can be written to, it has everything again.
    rmSync(join(bad, 'emergency'));
    expect((await cache.add('EC-1', [added(2)])).durableIn).toEqual(['home', 'state']);
    expect((await placeIn(bad).find()).documents[0]?.pendingWrites.map(({ n }) => n)).toEqual([1, 2]);
    await cache.close();
  });

  test('[REC-13] a place that hangs holds nobody up', async () => {
    const [good, hung] = [newFolder(), newFolder()];
    const inside = join(hung, 'emergency');
    mkdirSync(inside);
    const fifo = join(inside, `EC-1.json.${process.pid}.part`);
    execFileSync('mkfifo', [fifo]); // opening it for writing waits until somebody reads
    const nas = folderPlace({ name: 'nas', survives: 'the machine', isLocal: false, folder: inside, reserve: 0 });
    const cache = createEmergencyCache({ places: [placeIn(good), nas], patience: 5000, farPatience: 50, onFault: () => {} });
    expect((await cache.write(sample())).durableIn).toEqual(['home']);
    for (let n = 1; n <= 50; n += 1) expect((await cache.add('EC-1', [added(n)])).durableIn).toEqual(['home']);
    const reader = await open(fifo, 'r');
    await reader.readFile();
    await reader.close();
    await cache.close();
  });
});

describe('tables for whoever asks', () => {
  test('[REC-11] a bare driver gets answers to the questions that come before a replay', async () => {
    const path = join(newFolder(), 'emergency', 'emergency_cache.db');
    const place = tablesPlace(path);
    const conflict: EmergencyDocument = { ...sample(), recoveryNotes: ['Pending write 1 is in conflict'], sidebarSnapshots: snapshots() };
    await place.write(conflict);
    await place.add('EC-1', [added(1), added(2)]);
    await place.write({ ...sample(2), cacheId: 'EC-0', resolvedAt: '2026-01-03T00:00:00.000Z' });
    const db = new Database(path, { readonly: true });
    expect(
      db
        .prepare(
          `SELECT cache_id, reason, created_at,
       json_array_length(pending_writes) as pending_count
FROM emergency_cache
WHERE resolved_at IS NULL
ORDER BY created_at DESC;`,
        )
        .all(),
    ).toEqual([{ cache_id: 'EC-1', reason: conflict.reason, created_at: conflict.createdAt, pending_count: 2 }]);
    expect(
      db
        .prepare(
          `SELECT cache_id, recovery_notes, suggested_recovery_order
FROM emergency_cache
WHERE recovery_notes LIKE '%conflict%';`,
        )
        .all(),
    ).toEqual([
      {
        cache_id: 'EC-1',
        recovery_notes: JSON.stringify(conflict.recoveryNotes),
        suggested_recovery_order: JSON.stringify(conflict.suggestedRecoveryOrder),
      },
    ]);
    const [[sidebarId, snapshot] = []] = Object.entries(conflict.sidebarSnapshots);
    expect(
      db
        .prepare(
          `SELECT cache_id, sidebar_id, status, last_activity
FROM emergency_sidebar_snapshots
WHERE cache_id = ?;`,
        )
        .all('EC-1'),
    ).toEqual([{ cache_id: 'EC-1', sidebar_id: sidebarId, status: snapshot?.status, last_activity: snapshot?.lastActivity }]);
    expect(
      db
        .prepare(
          `SELECT cache_id, reason, created_at, pending_writes, recovery_notes
        FROM emergency_cache
        WHERE resolved_at IS NULL`,
        )
        .all(),
    ).toHaveLength(1);
    db.close();
    await place.close();
  });

  test('[REC-11] the tables say of every write what the document says', async () => {
    const path = join(newFolder(), 'emergency', 'emergency_cache.db');
    const place = tablesPlace(path);
    await fc.assert(
      fc.asyncProperty(anyDocument(), fc.array(anyAddition, { maxLength: 6 }), async (document, additions) => {
        await place.write(document);
        if (additions.length > 0) await place.add('EC-1', additions);
        const db = new Database(path, { readonly: true });
        const row = db.prepare('SELECT * FROM emergency_cache').get() as Readonly<Record<string, string | null>>;
        db.close();
        const text = JSON.parse(textOfDocument(withAdditions(document, additions), sha256)) as Readonly<Record<string, unknown>>;
        for (const field of ['pending_writes', 'pending_archives', 'sidebar_snapshots', 'scratchpad_states', 'services_down', 'head'])
          expect(JSON.parse(row[field] ?? 'null')).toEqual(text[field]);
        for (const field of ['reason', 'created_at', 'resolved_at', 'resolution_notes', 'board_id']) expect(row[field]).toEqual(text[field]);
      }),
      { numRuns: 15 },
    );
    await place.close();
  });
});

describe('all places together', () => {
  test('[REC-4] whatever was lost in each place, what one whole copy has is found', async () => {
    const [a, b, c] = [newFolder(), newFolder(), newFolder()];
    const path = join(c, 'emergency', 'emergency_cache.db');
    await fc.assert(
      fc.asyncProperty(
        anyDocument(),
        fc.array(anyAddition, { maxLength: 5 }),
        fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5)),
        fc.subarray([0, 1], { minLength: 0, maxLength: 1 }),
        async (document, additions, upTo, torn) => {
          const places = [placeIn(a, 0), placeIn(b, 0, 'state'), tablesPlace(path)];
          for (const [i, place] of places.entries()) {
            await place.remove('EC-1');
            await place.write(document);
            const some = additions.slice(0, upTo[i]);
            if (some.length > 0) await place.add('EC-1', some);
          }
          for (const i of torn) writeFileSync(join([a, b][i] ?? '', 'emergency', 'EC-1.json'), '{"format":1,');
          const cache = createEmergencyCache({ places, patience: 5000, onFault: () => {} });
          const found = await cache.find();
          const copies = [0, 1, 2].filter((i) => !torn.includes(i)).map((i) => withAdditions(document, additions.slice(0, upTo[i])));
          expect(found.documents).toEqual([uniteCopies(copies)]);
          expect(found.doubtful.filter(({ kind }) => kind === 'torn').length).toBeGreaterThanOrEqual(torn.length);
          await cache.close();
        },
      ),
      { numRuns: 10 },
    );
  });

  test('[REC-6] what is added while the places are busy goes there at once; where none takes it, none of it is kept', async () => {
    const folder = newFolder();
    const home = placeIn(folder, 0);
    const groups: number[] = [];
    let isAway = false;
    const counted: EmergencyPlace = {
      ...home,
      add: async (cacheId, additions) => {
        groups.push(additions.length);
        if (isAway) throw new Error('its disk is away');
        await home.add(cacheId, additions);
      },
    };
    const cache = createEmergencyCache({ places: [counted], patience: 60_000, onFault: () => {} });
    await cache.prepare();
    const document = { ...sample(), resolvedAt: null, pendingWrites: [], pendingArchives: [] };
    await cache.write(document);
    const additions = Array.from({ length: 40 }, (_, i): EmergencyAddition => {
      const [write] = fc.sample(anyWrite(i + 1), { numRuns: 1, seed: i });
      if (write === undefined) throw new Error('no sample');
      return { kind: 'write', write: { ...write, uuid: uuidFor(`write ${i}`) } };
    });
    const add = (from: number, to: number): Promise<readonly Kept[]> =>
      Promise.all(additions.slice(from, to).map((one) => cache.add(document.cacheId, [one])));
    for (const kept of await add(0, 16)) expect(kept).toEqual({ durableIn: ['home'], failures: [] });
    expect(groups).toEqual([16]);
    // Those that come while one is being written wait for each other, and not for those behind them.
    const first = cache.add(document.cacheId, additions.slice(16, 17));
    await new Promise<void>((resolve) => void setImmediate(resolve));
    await Promise.all([first, add(17, 24)]);
    expect(groups.slice(1)).toEqual([1, 7]);
    isAway = true;
    for (const kept of await add(24, 32)) expect(kept.durableIn).toEqual([]);
    isAway = false;
    await add(32, 40);
    const [found] = (await cache.find()).documents;
    const taken = [...additions.slice(0, 24), ...additions.slice(32, 40)];
    expect(found?.pendingWrites.map(({ uuid }) => uuid)).toEqual(taken.map((one) => one.kind !== 'outcome' && one.write.uuid));
    expect(cache.used(document.cacheId).writes).toBe(32);
    await cache.close();
  });

  test('[REC-14] it is counted what a document holds', async () => {
    const cache = createEmergencyCache({ places: [placeIn(newFolder())], patience: 5000, onFault: () => {} });
    await cache.write(sample());
    const { bytes } = cache.used('EC-1');
    await cache.add('EC-1', [added(1), added(2), { kind: 'outcome', uuid: writeOf(1).uuid, outcome: { kind: 'pending' } }]);
    expect(cache.used('EC-1').writes).toBe(2);
    expect(cache.used('EC-1').bytes).toBeGreaterThan(bytes);
    expect(cache.used('EC-9')).toEqual({ writes: 0, bytes: 0 });
    await cache.close();
  });
});

const snapshots = (): EmergencyDocument['sidebarSnapshots'] => {
  for (let seed = 1; ; seed += 1) {
    const { sidebarSnapshots } = sample(seed);
    if (Object.keys(sidebarSnapshots).length === 1) return sidebarSnapshots;
  }
};

/** Where it is allowed, a file system of 2 MB in memory: there a disk is full without filling anybody's. */
const isMounted = (folder: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
