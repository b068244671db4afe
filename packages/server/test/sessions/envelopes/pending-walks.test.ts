import { appendFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initialMapper, step, type Envelope } from '@yarnboard/transcript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkFiles } from '../../../src/sessions/envelopes/file-walk.ts';
import { createPendingWalks, type PendingWalks } from '../../../src/sessions/envelopes/pending-walks.ts';
import { discover } from '../../../src/ingest/discover.ts';
import type { PendingSession } from '../../../src/ingest/ingest.ts';
import { planGroups, type Group } from '../../../src/ingest/plan.ts';
import { fileInputs } from '../../../src/sessions/file-inputs.ts';
import { FIXTURES } from '../../operations/boards.ts';
import { prompt, reply } from '../../operations/records.ts';
import { makeHome } from '../../doors/ws/sockets.ts';

const groups = readdirSync(FIXTURES)
  .map((name) => join(FIXTURES, name))
  .filter((path) => statSync(path).isDirectory())
  .flatMap((root) => planGroups(discover([root])).groups);

// Nothing but its files is looked at.
const pendingOf = (group: Group): PendingSession => ({ group, outline: {} as PendingSession['outline'] });

const fold = (group: Group): readonly Envelope[] => {
  const all: Envelope[] = [];
  let state = initialMapper;
  for (const input of fileInputs(group)) {
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
    for await (const input of walkFiles(group)) walked.push(input);
    expect(walked).toEqual([...fileInputs(group)]);
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
  const walks = createPendingWalks(letGoAfter, async function* count(group) {
    for await (const input of walkFiles(group)) {
      read += 1;
      yield input;
    }
  });
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
