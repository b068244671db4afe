import { claudeCode, DIALECTS } from '@yarnboard/transcript';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreFault, type LogPort } from '@yarnboard/store';
import { isExcludedBy } from '../../src/home/settings.ts';
import { mergeByTime } from '../../src/ingest/merge.ts';
import { openLines } from '../../src/ingest/lines.ts';
import { A, B, C, essence, openBelow, openBench, prompt, reply, state, timeAt, until, type Bench } from './bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const uuids = async (): Promise<readonly string[]> => (await bench.entries()).map(({ uuid }) => uuid);

/** A log whose disk is full whenever it is told to be: the real one, refused at the door. */
const fullWhen = (log: LogPort, isFull: (batch: number) => boolean): LogPort => {
  let batch = 0;
  return {
    ...log,
    append: async (items) => {
      batch += 1;
      if (isFull(batch)) throw new StoreFault('full', 'the disk is full');
      return log.append(items);
    },
  };
};

describe('a commit that fails', () => {
  test.each([1, 2])('[ING-11] batch %i of an import that is refused loses nothing and repeats nothing', async (refused) => {
    const records = (name: string): readonly object[] =>
      Array.from({ length: 2000 }, (_, i) => (i % 3 === 0 ? state(name) : prompt(`${name}${i}`, i)));
    const names = [A, B, C].map((id) => bench.write(`p/${id}.jsonl`, records(id)));
    // With a clock that stands still the batches have the sizes that ING-70 gives to quick ones.
    const ingest = await bench.ingest({ log: fullWhen(bench.store.log, (batch) => batch === refused), ticks: () => 0 });
    await expect(ingest.importAll(names)).rejects.toThrow('full');
    expect((await bench.entries()).length).toBe((refused - 1) * 200);
    await ingest.importAll(names);
    const entries = await bench.entries();
    expect(entries.length).toBe(6000);
    expect(new Set(entries.map(({ contextId, payloadHash, occurrence }) => `${contextId} ${payloadHash} ${occurrence}`)).size).toBe(6000);
    expect(await bench.importAll()).toMatchObject({ lines: 0 });
  });

  test('[ING-11] of a file that is followed, the lines come with the next attempt, and half lines and repeated ones are still right', async () => {
    const ingest = await bench.ingest({ log: fullWhen(bench.store.log, (batch) => batch % 2 === 0) });
    const path = bench.write(`p/${A}.jsonl`, [prompt('u1', 0), state()]);
    await ingest.readFiles([path]);
    bench.append(`p/${A}.jsonl`, `${JSON.stringify(state())}\n{"type":"user","uu`);
    await expect(ingest.readFiles([path])).rejects.toThrow('full');
    expect(ingest.findChanged()).toEqual([path]);
    bench.append(`p/${A}.jsonl`, `id":"u2","timestamp":"${timeAt(1)}"}\n`);
    await ingest.readFiles([path]);
    bench.append(`p/${A}.jsonl`, [state()]);
    await expect(ingest.readFiles([path])).rejects.toThrow('full');
    await ingest.readFiles([path]);
    expect((await bench.entries()).map(({ occurrence, text }) => [occurrence, text.includes('mode')])).toEqual([
      [1, false],
      [1, true],
      [2, true],
      [1, false],
      [3, true],
    ]);
  });

  test('[ING-11] the mark of a file is written with its lines, or not at all', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('u1', 0)]);
    const ingest = await bench.ingest({ log: fullWhen(bench.store.log, () => true) });
    await expect(ingest.importAll([bench.root])).rejects.toThrow('full');
    expect([await bench.store.log.files(), await bench.entries()]).toEqual([[], []]);
  });
});

describe('an import that is interrupted', () => {
  test('[ING-14] stops soon, keeps what is on the log, and goes on where it stopped', async () => {
    const records = Array.from({ length: 5000 }, (_, i) => (i % 2 === 0 ? state() : prompt(`u${i}`, i)));
    for (const id of [A, B, C])
      bench.write(
        `p/${id}.jsonl`,
        records.map((record) => ({ ...record, of: id })),
      );
    // Longer than a stretch, so that it is open when the import stops.
    bench.append(
      `p/${A}.jsonl`,
      Array.from({ length: 30 }, (_, i) => prompt(`long${i}`, 5000 + i, { text: 'x'.repeat(100_000) })),
    );
    const stop = new AbortController();
    const interrupted = await bench.ingest({ onCommit: () => stop.abort() });
    const first = await interrupted.importAll([bench.root], stop.signal);
    expect(first.lines).toBeGreaterThan(0);
    expect(first.lines).toBeLessThan(15_000);
    expect(openBelow(bench.root)).toEqual([]);
    expect(interrupted.pending().length).toBeGreaterThan(0);
    const rest = await bench.importAll();
    expect(rest.lines).toBe(15_030 - first.lines);
    expect(rest.known).toBe(0);
    const entries = await bench.entries();
    expect(new Set(entries.map(({ contextId, payloadHash, occurrence }) => `${contextId} ${payloadHash} ${occurrence}`)).size).toBe(15_030);
  });

  test('[ING-14] one that was interrupted before it began reads nothing', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('u1', 0)]);
    expect(await (await bench.ingest()).importAll([bench.root], AbortSignal.abort())).toMatchObject({ lines: 0, files: 0 });
  });

  test('[ING-14] whoever closes it waits for the commit, and asking twice at once reads nothing twice', async () => {
    bench.write(
      `p/${A}.jsonl`,
      Array.from({ length: 5000 }, (_, i) => prompt(`u${i}`, i)),
    );
    const ingest = await bench.ingest();
    const both = Promise.all([ingest.importAll([bench.root]), ingest.importAll([bench.root]), ingest.readFiles([bench.at(`p/${A}.jsonl`)])]);
    const [one, two, three] = await both;
    expect([one.lines, two.lines, three.lines]).toEqual([5000, 0, 0]);
    bench.append(
      `p/${A}.jsonl`,
      Array.from({ length: 5000 }, (_, i) => prompt(`v${i}`, i)),
    );
    const importing = ingest.importAll([bench.root]);
    await ingest.close();
    const { lines } = await importing;
    expect((await bench.entries()).length).toBe(5000 + lines);
  });
});

describe('a file that cannot be read', () => {
  test('[ING-13] is reported with the reason; the others are read, and so is it once it can be', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('u1', 0)]);
    mkdirSync(bench.at('q'));
    symlinkSync(bench.at('q/gone.jsonl'), bench.at(`q/${B}.jsonl`));
    symlinkSync(bench.at(`q/${C}.jsonl`), bench.at(`q/${C}.jsonl`));
    symlinkSync(bench.root, bench.at('q/round'));
    execFileSync('mkfifo', [bench.at('p/pipe.jsonl'), bench.at('p/cccccccc-0000-4000-8000-000000000001.jsonl')]);
    const ingest = await bench.ingest();
    const told = (): readonly (readonly string[])[] => ingest.troubles().map(({ path, why }) => [path, /E[A-Z]+/u.exec(why)?.[0] ?? why]);
    await ingest.importAll([bench.root]);
    expect(await uuids()).toEqual(['u1']);
    expect(told()).toEqual([
      [bench.at(`q/${B}.jsonl`), 'ENOENT'],
      [bench.at(`q/${C}.jsonl`), 'ELOOP'],
    ]);
    // What the file system tells of is no more trustworthy than what is found.
    const odd = ['q/round', `q/${B}.jsonl`, `q/${C}.jsonl`, 'p/pipe.jsonl', 'p/cccccccc-0000-4000-8000-000000000001.jsonl', 'p', 'p/never.jsonl'];
    expect(ingest.unreadIn(odd.map(bench.at))).toBe(0);
    await ingest.readFiles([...odd.map(bench.at), bench.write(`p/${A}.jsonl`, [prompt('u1', 0), reply('u2', 1)])]);
    expect(await uuids()).toEqual(['u1', 'u2']);
    bench.write('q/gone.jsonl', [prompt('u3', 2)]);
    rmSync(bench.at(`q/${C}.jsonl`));
    await ingest.readFiles(ingest.findChanged());
    expect(await uuids()).toEqual(['u1', 'u2', 'u3']);
    expect(told()).toEqual([]);
  });

  test('[ING-13] one that does not answer in time stands aside, is told, and is tried again', async () => {
    // Nothing but zeros, no newline, and more of them than can be read in time: a stretch that does not end.
    truncateSync(bench.write(`p/${A}.jsonl`, ''), 1024 ** 4);
    bench.write(`p/${B}.jsonl`, [prompt('u1', 0)]);
    const ingest = await bench.ingest({ patience: 500 });
    await ingest.importAll([bench.root]);
    expect(await uuids()).toEqual(['u1']);
    expect(ingest.troubles()).toMatchObject([{ path: bench.at(`p/${A}.jsonl`), why: 'no answer within 0.5 s' }]);
    bench.append(`p/${B}.jsonl`, [reply('u2', 1)]);
    expect(ingest.findChanged()).toEqual([bench.at(`p/${A}.jsonl`), bench.at(`p/${B}.jsonl`)]);
    await ingest.readFiles(ingest.findChanged());
    expect(await uuids()).toEqual(['u1', 'u2']);
    bench.write(`p/${A}.jsonl`, [prompt('u3', 2)]);
    await ingest.readFiles(ingest.findChanged());
    expect(await uuids()).toEqual(['u1', 'u2', 'u3']);
    expect(ingest.troubles()).toEqual([]);
    await until('what was late is closed', () => openBelow(bench.root).length === 0);
  });

  test('[ING-13] one whose read never ends is left behind after its first lines, too', async () => {
    const fileOf = (id: string, records: readonly object[]) =>
      ({
        path: bench.write(`p/${id}.jsonl`, records),
        dialect: claudeCode.name,
        context: { sessionId: id, agentId: null },
        role: 'main',
        name: null,
        isLines: true,
      }) as const;
    const open = (id: string, records: readonly object[]) =>
      openLines(fileOf(id, records), null, { repeats: bench.store.log.occurrences, fallbackAt: 0, dialects: DIALECTS });
    const good = open(A, [prompt('a1', 0), prompt('a2', 9)]);
    const other = open(B, [prompt('b1', 1)]);
    let reads = 0;
    // The source of a file system that goes away: it answers once.
    const hanging = { ...other, read: () => ((reads += 1) === 1 ? other.read() : new Promise<never>(() => {})) };
    const troubles: string[] = [];
    const merged = mergeByTime(
      [good, hanging].map((source) => ({ firstAt: 0, rank: [], open: () => source })),
      { patience: 3_000, onTrouble: ({ file }, why) => troubles.push(`${file.context.sessionId} ${String(why)}`) },
    );
    const found: (string | null)[] = [];
    for await (const { line } of merged) found.push(line.item.draft.uuid);
    expect(found).toEqual(['a1', 'b1', 'a2']);
    expect(troubles).toEqual([`${B} Error: no answer within 3 s`]);
  });

  test('[ING-13] a root that is not there, or is no folder, does not hide the others', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('u1', 0)]);
    symlinkSync(bench.at('loop'), bench.at('loop'));
    const ingest = await bench.ingest({ roots: () => [bench.at('never'), bench.at('loop'), bench.at('p')] });
    expect(ingest.findChanged()).toEqual([bench.at(`p/${A}.jsonl`)]);
    expect(ingest.troubles()).toMatchObject([{ path: bench.at('loop') }]);
  });

  test('[ING-13] the same tree under two names is found once', async () => {
    bench.write(`p/${A}.jsonl`, [prompt('u1', 0)]);
    symlinkSync(bench.at('p'), bench.at('same'));
    const ingest = await bench.ingest({ roots: () => [bench.at('p'), bench.at('same')] });
    await ingest.importAll([bench.at('p'), bench.at('same')]);
    expect(ingest.findChanged()).toEqual([]);
  });
});

describe('an excluded project', () => {
  const excluding = (...excludedProjects: readonly string[]) => ({ isExcluded: isExcludedBy({ excludedProjects, roots: [] }) });

  test('[ING-12] is not read by an import, nor as it grows, nor listed as waiting, whether its folder or its records tell', async () => {
    const listed: string[] = [];
    const secret = (uuid: string, cwd: string): object => prompt(uuid, 0, { cwd });
    const paths = [
      bench.write(`-home-ada-secret/${A}.jsonl`, [secret('a', '/home/ada/secret')]),
      bench.write(`hashed-name/${B}.jsonl`, [state(), secret('b', '/home/ada/secret/below')]),
      bench.write(`hashed-name/${B}/subagents/agent-x.jsonl`, [secret('x', '/tmp/elsewhere')]),
      bench.write(`hashed-name/${B}/tool-results/t.txt`, 'output'),
      bench.write(`open/${C}.jsonl`, [secret('c', '/home/ada/secret-not')]),
    ];
    const options = {
      ...excluding('/home/ada/secret/'),
      onPending: (sessions: readonly { readonly group: { readonly sessionId: string } }[]) =>
        void listed.push(...sessions.map(({ group }) => group.sessionId)),
    };
    const ingest = await bench.ingest(options);
    await ingest.importAll([bench.root]);
    expect([await uuids(), [...new Set(listed)]]).toEqual([['c'], [C]]);
    expect(ingest.findChanged()).toEqual([]);
    for (const name of [`-home-ada-secret/${A}.jsonl`, `hashed-name/${B}.jsonl`, `hashed-name/${B}/subagents/agent-x.jsonl`])
      bench.append(name, [state('more')]);
    bench.write(`hashed-name/${B}/tool-results/u.txt`, 'more');
    await ingest.readFiles([...paths, bench.at(`hashed-name/${B}/tool-results/u.txt`)]);
    await (await bench.ingest(options)).readFiles([bench.at(`hashed-name/${B}/tool-results/u.txt`), ...paths]);
    expect(await uuids()).toEqual(['c']);
  });

  test('[ING-12] is left alone from its first line on, before anything tells where it was made', async () => {
    const ingest = await bench.ingest(excluding('/home/ada/secret'));
    const below = `-home-ada-secret-below/${A}.jsonl`;
    const beside = `-home-ada-secret-beside/${B}.jsonl`;
    await ingest.readFiles([bench.write(below, [state('the secret itself')]), bench.write(beside, [state('no secret')])]);
    expect(await bench.entries()).toEqual([]);
    bench.append(below, [prompt('u1', 0, { cwd: '/home/ada/secret/below' })]);
    bench.append(beside, [prompt('u2', 0, { cwd: '/home/ada/secret-beside' })]);
    await ingest.readFiles(ingest.findChanged());
    expect((await bench.entries()).map(({ sessionId }) => sessionId)).toEqual([B, B]);
  });

  test('[ING-12] that is no longer excluded is read, and one that is excluded later stays as it is on the log', async () => {
    const path = bench.write(`x/${A}.jsonl`, [prompt('u1', 0, { cwd: '/home/ada/secret' })]);
    await bench.importAll(excluding('/home/ada/secret'));
    expect(await uuids()).toEqual([]);
    await bench.importAll();
    const before = essence(await bench.entries());
    bench.append(`x/${A}.jsonl`, [reply('u2', 1)]);
    await bench.importAll(excluding('/home/ada/secret'));
    await (await bench.ingest(excluding('/home/ada/secret'))).readFiles([path]);
    expect(essence(await bench.entries())).toEqual(before);
    expect(before).toHaveLength(1);
  });
});
