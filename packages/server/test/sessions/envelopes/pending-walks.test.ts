import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createReader,
  initialMapper,
  readEntry,
  readMeta,
  step,
  type Entry,
  type Envelope,
  type Json,
  type MapperInput,
} from '@yarnboard/transcript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inputsIn } from '../../../src/sessions/envelopes/mapper-input.ts';
import { createPendingWalks, type PendingWalks } from '../../../src/sessions/envelopes/pending-walks.ts';
import { discover } from '../../../src/ingest/discover.ts';
import type { PendingSession } from '../../../src/ingest/ingest.ts';
import { planGroups, type Group } from '../../../src/ingest/plan.ts';
import { fileRecords } from '../../../src/sessions/file-records.ts';
import { FIXTURES } from '../../operations/boards.ts';
import { prompt, reply } from '../../operations/records.ts';
import { makeHome } from '../../doors/ws/sockets.ts';

const groups = readdirSync(FIXTURES)
  .map((name) => join(FIXTURES, name))
  .filter((path) => statSync(path).isDirectory())
  .flatMap((root) => planGroups(discover([root])).groups);

// Nothing but its files is looked at.
const pendingOf = (group: Group): PendingSession => ({ group, outline: {} as PendingSession['outline'] });

/** The same by hand: every file read as a whole, then all records sorted by time. */
const inputsOf = (group: Group): readonly MapperInput[] => {
  const timed: { readonly at: number; readonly file: number; readonly input: MapperInput }[] = [];
  for (const [file, { path, agentId, meta }] of group.files.entries()) {
    let [at, latest]: [number, Entry | null] = [Number.NEGATIVE_INFINITY, null];
    const reader = createReader({
      decode: (bytes, from, to) => Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8'),
      sink: {
        record: (record, place) => {
          const entry = readEntry(record, place, agentId !== null, latest);
          if (entry.at > at) ({ at } = entry);
          const known = latest !== null || agentId === null || meta === null ? null : readMeta(JSON.parse(readFileSync(meta, 'utf8')) as Json);
          if (known !== null && agentId !== null) timed.push({ at, file, input: { kind: 'meta', agentId, meta: known } });
          latest = entry;
          const uuid = entry.uuid === null || entry.uuid.startsWith('line:') ? `${path}:${place.line}.${place.part}` : entry.uuid;
          timed.push({ at, file, input: { kind: 'record', record, entry, uuid, agentId, source: null } });
        },
        quarantine: () => {},
      },
    });
    reader.feed(readFileSync(path));
    reader.end();
  }
  return timed.sort((a, b) => (a.at === b.at ? a.file - b.file : a.at - b.at)).map(({ input }) => input);
};

const fold = (group: Group): readonly Envelope[] => {
  const all: Envelope[] = [];
  let state = initialMapper;
  for (const input of inputsOf(group)) {
    const mapped = step(state, input);
    ({ state } = mapped);
    all.push(...mapped.envelopes);
  }
  return all;
};

const readAll = async (walks: PendingWalks, group: Group, sizes: readonly number[]): Promise<readonly Envelope[]> => {
  const all: Envelope[] = [];
  for (let i = 0; ; i += 1) {
    const { envelopes, hasMore } = await walks.read(pendingOf(group), all.at(-1)?.id ?? null, sizes[i % sizes.length] ?? 1);
    all.push(...envelopes);
    if (!hasMore) return all;
  }
};

test('[WIRE-16] files that are walked piece by piece tell what an import puts on the log, in its order', async () => {
  expect(groups.length).toBeGreaterThan(20);
  let looked = 0;
  for (const group of groups) {
    const walked = [];
    for await (const input of inputsIn(fileRecords(group))) walked.push(input);
    expect(walked).toEqual(inputsOf(group));
    looked += walked.length;
  }
  expect(looked).toBeGreaterThan(300);
});

test('[WIRE-16] pages of any sizes, of several readers, tell a pending session whole and once', async () => {
  const folded = new Map(groups.map((group) => [group, fold(group)]));
  const busy = groups.filter((group) => (folded.get(group)?.length ?? 0) > 3);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(busy.length - 1), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 })), {
        minLength: 1,
        maxLength: 6,
      }),
      async (readers) => {
        const walks = createPendingWalks();
        const all = await Promise.all(
          readers.map(async ([n, sizes]) => {
            const group = busy[n];
            return group === undefined ? [] : readAll(walks, group, sizes);
          }),
        );
        expect(all).toEqual(readers.map(([n]) => folded.get(busy[n] ?? ({} as Group))));
      },
    ),
    { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) },
  );
});

const longFile = (): Group => {
  const { folder } = makeHome();
  const root = join(folder, '-p');
  mkdirSync(root);
  const path = join(root, '11111111-0000-4000-8000-000000000001.jsonl');
  writeFileSync(path, '');
  for (let i = 0; i < 40; i += 1) {
    const records = Array.from({ length: 50 }, (_, n) => {
      const [uuid, second, text] = [`r${i}-${n}`, i * 50 + n, `${i} ${n} ${'words '.repeat(1000)}`];
      return n % 2 === 0 ? prompt(uuid, null, second, text) : reply(uuid, null, second, text);
    });
    appendFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  const [group] = planGroups(discover([folder])).groups;
  if (group === undefined) throw new Error('it was just written');
  return group;
};

/** The real ones, and how many records they have read. */
const countingWalks = (letGoAfter?: number) => {
  let read = 0;
  const walks = createPendingWalks(letGoAfter, (group) => ({
    read: async function* count() {
      for await (const inputs of fileRecords(group).read()) {
        read += inputs.length;
        yield inputs;
      }
    },
  }));
  return {
    walks,
    readDuring: async (work: () => Promise<unknown>): Promise<number> => {
      const before = read;
      await work();
      return read - before;
    },
  };
};

test('[WIRE-16] a page of a large pending session reads no more than it tells, and goes on where the last one stopped', async () => {
  const group = longFile();
  const { walks, readDuring } = countingWalks();
  const ids: string[] = [];
  const page = async (most: number, after: string | null): Promise<void> => {
    for (const { id } of (await walks.read(pendingOf(group), after, most)).envelopes) ids.push(id);
  };
  expect(await readDuring(() => page(10, null))).toBeLessThan(15);
  expect(await readDuring(() => page(1000, ids.at(-1) ?? null))).toBeGreaterThan(300);
  const before = ids.at(-1) ?? null;
  expect(await readDuring(() => page(10, before))).toBeLessThan(15);
  // Whoever asks for the same again gets the same, from the start of the file.
  expect(await readDuring(() => page(10, before))).toBeGreaterThan(300);
  expect(ids.slice(-10)).toEqual(ids.slice(-20, -10));
  // What is on the log is let go: nothing to go on from is left.
  walks.release(group.sessionId);
  expect(await readDuring(() => page(10, ids.at(-1) ?? null))).toBeGreaterThan(300);
});

test('[WIRE-16] nobody who went away in the midst of a pending session is remembered for long', async () => {
  const group = longFile();
  const { walks, readDuring } = countingWalks(20);
  const { envelopes } = await walks.read(pendingOf(group), null, 1000);
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  expect(await readDuring(() => walks.read(pendingOf(group), envelopes.at(-1)?.id ?? null, 1))).toBeGreaterThan(300);
});

test('[WIRE-16] while a large pending session is read others get their turn', async () => {
  const group = longFile();
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await createPendingWalks().read(pendingOf(group), null, 100_000);
  isOver = true;
  // At least one for each piece of its 12 MB.
  expect(turns).toBeGreaterThan(150);
});
