import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { outlineSession } from '@yarnboard/transcript';
import { expect, test, vi } from 'vitest';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import { makeBoard, type TestBoard } from '../operations/boards.ts';
import { prompt, reply } from '../operations/records.ts';
import { openBench } from '../ingest/bench.ts';

const SESSION = '11111111-0000-4000-8000-000000000001';
const SHORT = '22222222-0000-4000-8000-000000000002';
const COUNT = 2100;

/** A long session that went two ways after its tenth record. */
const lines = (): readonly object[] =>
  Array.from({ length: COUNT }, (_, n) => {
    const [uuid, parent] = [`r${n}`, n === 0 ? null : n === 1000 ? 'r9' : `r${n - 1}`];
    return n % 2 === 0 ? prompt(uuid, parent, n, `asked ${n}`) : reply(uuid, parent, n, `answered ${n}`);
  });

const makeLong = (): Promise<TestBoard> => makeBoard({ files: { [`-p/${SESSION}.jsonl`]: lines() } });
const folderOf = ({ home }: TestBoard): string => join(home.folder, 'heads');
const filesOf = (board: TestBoard): readonly string[] => readdirSync(folderOf(board)).map((name) => join(folderOf(board), name));

const parsesDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    await work();
    return parse.mock.calls.filter(([text]) => text.includes('"message":')).length;
  } finally {
    parse.mockRestore();
  }
};

test('[READ-5] the head of a long session is kept, says the same as the session that is read, and reads no record again', async () => {
  const board = await makeLong();
  const first = await board.get('session', { id: SESSION });
  expect(first).toMatchObject({ branch_points: 1, roots: 1 });
  expect(filesOf(board)).toHaveLength(1);
  expect(statSync(filesOf(board)[0] ?? '').mode & 0o777).toBe(0o600);
  expect(await parsesDuring(async () => expect(await board.get('session', { id: SESSION })).toEqual(first))).toBe(0);
  const branches = await board.get('branches', { id: SESSION });
  await board.get('sidechains', { id: SESSION }); // reads the session
  expect(await board.get('session', { id: SESSION })).toEqual(first);
  expect(await board.get('branches', { id: SESSION })).toEqual(branches);
});

test('[READ-5] heads of the newest long sessions are there before somebody asks', async () => {
  const board = await makeBoard({ files: { [`-p/${SESSION}.jsonl`]: lines(), [`-p/${SHORT}.jsonl`]: [prompt('s1', null, 0, 'asked once')] } });
  await board.board.warm();
  expect(filesOf(board)).toHaveLength(1);
  expect(await parsesDuring(async () => expect(await board.get('session', { id: SESSION })).toMatchObject({ branch_points: 1 }))).toBe(0);
});

test('[READ-5] a kept head that is torn, of another version or of other entries is made again', async () => {
  const board = await makeLong();
  const first = await board.get('session', { id: SESSION });
  const [file = ''] = filesOf(board);
  const text = readFileSync(file, 'utf8');
  for (const wrong of [text.slice(0, 100), 'null', text.replace('"version":2', '"version":0'), text.replace(/"checksum":"../u, '"checksum":"zz')]) {
    writeFileSync(file, wrong.replace('\\"roots\\":1', '\\"roots\\":7'));
    expect(await board.get('session', { id: SESSION })).toEqual(first);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

test('[READ-5] a kept head that somebody edited is made again, whatever is in it', async () => {
  const board = await makeLong();
  const first = await board.get('session', { id: SESSION });
  const [file = ''] = filesOf(board);
  const text = readFileSync(file, 'utf8');
  const fields = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const heads = ['{}', 'null', '[]', '"x"', '{"roots":7}', String(fields['head']).replace('"roots":1', '"roots":7'), '{"branches":'];
  const edited = [...heads, {}, null, 5].map((head) => JSON.stringify({ ...fields, head }));
  const others = [{ ...fields, position: 'x' }, { ...fields, hash: 'x' }, { head: fields['head'] }, []].map((one) => JSON.stringify(one));
  for (const wrong of [...edited, ...others]) {
    writeFileSync(file, wrong);
    expect(await board.get('session', { id: SESSION })).toEqual(first);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

test('[READ-5] [ENGINE-36] a kept head goes with what is forgotten of its session', async () => {
  const board = await makeLong();
  await board.get('session', { id: SESSION });
  expect(filesOf(board)).toHaveLength(1);
  await board.command('forget', { ref: 'MSG-3' });
  expect(filesOf(board)).toEqual([]);
});

test('[READ-5] the outline of a session that grows in any steps is the one that is made from scratch', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }),
      async (shape, steps) => {
        const bench = await openBench();
        try {
          const records = shape.map(([from, isPrompt], n) => {
            const parent = n === 0 ? null : `r${from % n}`;
            return isPrompt ? prompt(`r${n}`, parent, n, `p${n}`) : reply(`r${n}`, parent, n, `a${n}`);
          });
          const loader = createSessionLoader(bench.store);
          for (let at = 0, step = 0; at < records.length; step += 1) {
            const size = steps[step % steps.length] ?? 1;
            bench.append(`-p/${SESSION}.jsonl`, records.slice(at, at + size));
            at += size;
            await bench.importAll();
            const { session, outline } = await loader.load(SESSION);
            expect(outline()).toEqual(outlineSession(session, { now: session.lastAt }));
            expect(outline()).toBe(outline());
          }
        } finally {
          await bench.close();
        }
      },
    ),
    { numRuns: 15 },
  );
});
