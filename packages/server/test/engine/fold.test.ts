import { draftOfDeed, ENTRY_TYPES, NO_LANGUAGE, rowsOf, type ChainedEntry } from '@yarnboard/domain';
import { sha256, uuidFor, type Store } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { SNAPSHOT_VERSION } from '../../src/engine/snapshot.ts';
import { AGENT, dumpOf, foldOf, NOON, openEngine, register, say, spawn, type BenchOptions, type EngineBench } from './bench.ts';

const place = (text: string | null = null) => {
  const kept = { text, writes: 0 };
  return {
    kept,
    read: () => kept.text,
    write: (next: string) => {
      kept.text = next;
      kept.writes += 1;
    },
  };
};

const SECRET = 'hunter2 is the password';

const work = async (bench: EngineBench): Promise<void> => {
  await bench.run(register('scout'));
  await bench.run(spawn('parent', { participants: ['scout'] }));
  await bench.run(say('SB-1', `MSG-1 says ${SECRET}`));
  await bench.run({ type: 'sidebar.spawn-child', sidebar: 'SB-1', upTo: null, task: SECRET });
  await bench.run({ type: 'finding.submit', sidebar: 'SB-1', content: SECRET }, { actor: AGENT });
  await bench.run({ type: 'finding.submit', sidebar: 'SB-1', content: 'The pool is small.' }, { actor: AGENT });
  await bench.run({ type: 'finding.validate', sidebar: 'SB-1', finding: '2', status: 'confirmed' });
  await bench.run({ type: 'sidebar.pause', sidebar: 'SB-1', reason: SECRET });
};

const forget = async ({ log }: Store, entry: ChainedEntry | undefined): Promise<void> => {
  const hash = entry?.payloadHash ?? '';
  const draft = draftOfDeed({
    uuid: uuidFor(`forget ${hash}`),
    type: ENTRY_TYPES.forgotten,
    timestamp: NOON,
    sender: 'human',
    senderType: 'human',
    sessionId: 'board',
    contextId: 'board',
    contentLength: 0,
    note: hash,
  });
  await log.append({ items: [{ draft, payload: null, reading: null }], files: [] });
  await log.dropPayload(hash);
};

const entriesOf = async ({ log }: Store) => log.entriesAfter(0, 1000);
const reopen = (bench: EngineBench, more: BenchOptions = {}) => openEngine({ store: bench.store, clock: bench.clock, ...more });

describe('starting', () => {
  test('[ENGINE-12] the board is folded from what was decided, whatever else is on the log', async () => {
    const bench = await openEngine();
    await work(bench);
    const reopened = await reopen(bench);
    expect([reopened.engine.position(), dumpOf(reopened.engine.board())]).toEqual([bench.engine.position(), dumpOf(bench.engine.board())]);
  });

  test('[ENGINE-12] many entries are found by their types, near ones in passing: the board is the same', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    await Promise.all(Array.from({ length: 2500 }, (_, i) => bench.run(say('SB-1', `word ${i}`))));
    const behind = await reopen(bench);
    await bench.run(say('SB-1', 'one more'));
    await behind.engine.follow();
    expect(dumpOf(behind.engine.board())).toEqual(dumpOf(bench.engine.board()));
    expect(behind.sidebar('SB-1').messages).toBe(2501);
  });

  test('[ENGINE-14] an entry that makes no sense is told of and passed over', async () => {
    const bench = await openEngine();
    await bench.run(spawn());
    const deed = draftOfDeed({
      uuid: uuidFor('odd'),
      type: ENTRY_TYPES.turnClosed,
      timestamp: NOON,
      sender: 'nobody',
      senderType: 'agent',
      sessionId: bench.sidebar('SB-1').contextId,
      contextId: bench.sidebar('SB-1').contextId,
      contentLength: 0,
      note: null,
    });
    const draft = { ...deed, type: 'chat.message' };
    const odd = { draft, payload: Buffer.from('no JSON'), reading: null };
    const shapeless = {
      draft: { ...draft, uuid: uuidFor('shapeless'), type: 'sidebar.spawned' },
      payload: Buffer.from('{}'),
      reading: null,
    };
    await bench.store.log.append({ items: [odd, shapeless], files: [] });
    const reopened = await reopen(bench);
    await reopened.run(say('SB-1', 'still here'));
    expect(reopened.faults.map(String)).toEqual([
      'Error: entry 3 (chat.message) cannot be read and was passed over: Invalid input: expected object, received null',
      'Error: entry 4 (sidebar.spawned) cannot be read and was passed over: origin: Invalid input: expected object, received undefined',
    ]);
  });
});

describe('what was forgotten', () => {
  test('[ENGINE-13] is no longer in the board, and everything else still is', async () => {
    const bench = await openEngine();
    await work(bench);
    for (const entry of await entriesOf(bench.store)) {
      const bytes = (await bench.store.log.payloadsOf([entry.position])).get(entry.position);
      if (bytes !== undefined && Buffer.from(bytes).includes(SECRET)) await forget(bench.store, entry);
    }
    const reopened = await reopen(bench);
    const parent = reopened.sidebar('SB-1');
    expect(JSON.stringify(dumpOf(reopened.engine.board()))).not.toContain(SECRET);
    expect(parent).toMatchObject({ status: 'PAUSED', messages: 1, pause: { reason: '(forgotten)' } });
    expect(parent.scratchpad.findings).toMatchObject([
      { number: 1, ref: 'FRAG-1', content: '(forgotten)', submittedBy: AGENT.id },
      { number: 2, ref: 'FRAG-2', content: 'The pool is small.', status: 'confirmed' },
    ]);
    expect(reopened.sidebar('SB-2')).toMatchObject({ task: '(forgotten)', parent: null, origin: { kind: 'none' }, status: 'ACTIVE' });
    expect(reopened.faults).toEqual([]);
    expect(await reopened.run(say('SB-2', 'go on'))).toMatchObject({ kind: 'done' });
  });

  test('[ENGINE-13] of any entry leaves a board that works', async () => {
    const bench = await openEngine();
    await work(bench);
    await bench.run({ type: 'sidebar.resume', sidebar: 'SB-1' });
    await bench.run({ type: 'checkpoint.create', sidebar: 'SB-1', summary: 'so far' });
    await bench.run({ type: 'gold.create', sidebar: 'SB-1', sourceRefs: ['FRAG-2'], keyInsight: 'k', reusePattern: 'r', triggerConditions: ['t'] });
    await bench.run({ type: 'citation.create', sidebar: 'SB-1', source: { kind: 'reference', ref: 'MSG-1' } });
    await bench.run({ type: 'sidebar.archive', sidebar: 'SB-2' });
    await bench.run({ type: 'finding.validate', sidebar: 'SB-1', finding: '1', status: 'rejected', notes: 'no' });
    await bench.run({ type: 'sidebar.consolidate', sidebar: 'SB-1', summary: 'all' });
    for (const entry of await entriesOf(bench.store)) await forget(bench.store, entry);
    const reopened = await reopen(bench);
    expect([reopened.faults, reopened.engine.position()]).toEqual([[], bench.engine.position()]);
    expect(reopened.sidebar('SB-1').status).toBe('CONSOLIDATING');
    expect(await reopened.run(spawn('new'))).toMatchObject({ refs: ['SB-3'] });
  });

  test('[ENGINE-16] is left out by whoever is told, and by whoever reads on', async () => {
    const saved = place();
    const bench = await openEngine({ snapshot: saved });
    await work(bench);
    const other = await reopen(bench);
    const entry = (await entriesOf(bench.store)).find(({ type }) => type === 'finding.submitted');
    await forget(bench.store, entry);
    await bench.engine.refold();
    await other.engine.follow();
    for (const { engine } of [bench, other]) expect(JSON.stringify(dumpOf(engine.board()))).not.toContain(`"content":"${SECRET}"`);
    expect(saved.kept.text).not.toContain(`"content":"${SECRET}"`);
    expect(dumpOf(other.engine.board())).toEqual(dumpOf(await foldOf(bench.store)));
  });

  test('[ENGINE-16] a snapshot from before is not believed', async () => {
    const saved = place();
    const bench = await openEngine({ snapshot: saved });
    await work(bench);
    await bench.engine.close();
    expect(saved.kept.text).toContain(SECRET);
    await forget(
      bench.store,
      (await entriesOf(bench.store)).find(({ type }) => type === 'finding.submitted'),
    );
    const reopened = await reopen(bench, { snapshot: saved });
    expect(JSON.stringify(dumpOf(reopened.engine.board()))).not.toContain(`"content":"${SECRET}"`);
    await reopened.engine.close();
    expect(saved.kept.text).not.toContain(`"content":"${SECRET}"`);
  });
});

/** A store that counts what is read of it. */
const counted = (store: Store) => {
  const reads = { payloads: 0 };
  const log = {
    ...store.log,
    payloadsOf: (positions: readonly number[]) => {
      reads.payloads += positions.length;
      return store.log.payloadsOf(positions);
    },
  };
  return { reads, store: { ...store, log } };
};

describe('a snapshot', () => {
  test('[ENGINE-15] saves reading what it has, and what came since is read', async () => {
    const saved = place();
    const bench = await openEngine({ snapshot: saved });
    await work(bench);
    await bench.engine.close();
    const between = await reopen(bench);
    await between.run(say('SB-2', 'since'));
    const { reads, store } = counted(bench.store);
    const reopened = await openEngine({ store, clock: bench.clock, snapshot: saved });
    expect(reads.payloads).toBe(1);
    expect(dumpOf(reopened.engine.board())).toEqual(dumpOf(await foldOf(bench.store)));
  });

  test('[ENGINE-15] is written when much has happened, and not when nothing has', async () => {
    const saved = place();
    const bench = await openEngine({ snapshot: saved, limits: { snapshotEvery: 5 } });
    await work(bench);
    await expect.poll(() => saved.kept.writes).toBeGreaterThan(0);
    await bench.engine.close();
    const { writes } = saved.kept;
    const reopened = await reopen(bench, { snapshot: saved });
    await reopened.engine.close();
    expect(saved.kept.writes).toBe(writes);
  });

  test('[ENGINE-15] is believed only where it is whole, of this version and board, and the log has the same entry', async () => {
    const saved = place();
    const bench = await openEngine({ snapshot: saved });
    await work(bench);
    await bench.engine.close();
    const text = saved.kept.text ?? '';
    const [head = '', ...rest] = text.split('\n');
    const about = JSON.parse(head) as Record<string, unknown>;
    const withHead = (changes: object): string => [JSON.stringify({ ...about, ...changes }), ...rest].join('\n');
    const withBody = (body: string): string => `${JSON.stringify({ ...about, body: Buffer.from(sha256(body)).toString('hex') })}\n${body}`;
    expect(about).toMatchObject({ version: SNAPSHOT_VERSION, position: bench.engine.position() });
    const wrong = [
      '',
      'no snapshot',
      '{"version":',
      text.slice(0, -10),
      text.replace(SECRET, 'hunter3 is the password'),
      withHead({ version: SNAPSHOT_VERSION + 1 }),
      withHead({ boardId: 'another' }),
      withHead({ checksum: 'ab'.repeat(32) }),
      withHead({ position: 9999 }),
      withHead({ position: String(about['position']) }),
      withHead({ position: { $gt: 0 } }),
      withHead({ position: 1.5 }),
      withHead({ forgotten: null }),
      withHead({ forgotten: [] }),
      withHead({ forgotten: 'x' }),
      'null\n',
      '7\n',
      ...['no JSON\n', '["nowhere",[["a",1]]]\n', '["sidebars",null]\n', '["sidebars",[7]]\n', '["golds",[["a",null]]]\n', '["sidebars",[]]'].map(
        withBody,
      ),
    ];
    for (const bad of wrong) {
      const { reads, store } = counted(bench.store);
      const reopened = await openEngine({ store, clock: bench.clock, snapshot: place(bad) });
      expect(reads.payloads).toBe(bench.engine.position());
      expect(dumpOf(reopened.engine.board())).toEqual(dumpOf(bench.engine.board()));
    }
  });

  test('[ENGINE-15] that cannot be read is told of, and the log is read', async () => {
    const bench = await openEngine();
    await work(bench);
    const denied = {
      read: () => {
        throw new Error('denied');
      },
      write: () => {},
    };
    const reopened = await reopen(bench, { snapshot: denied });
    expect([reopened.faults, dumpOf(reopened.engine.board())]).toEqual([[new Error('denied')], dumpOf(bench.engine.board())]);
  });

  test('[ENGINE-15] that cannot be written is told of, and tried again at the end', async () => {
    const faults: unknown[] = [];
    const broken = {
      read: () => null,
      write: () => {
        throw new Error('full');
      },
    };
    const bench = await openEngine({ snapshot: broken, limits: { snapshotEvery: 1 }, onFault: (cause) => faults.push(cause) });
    await work(bench);
    await expect(bench.engine.close()).rejects.toThrow('full');
    expect(faults.length).toBeGreaterThan(0);
  });

  test('[ENGINE-15] has another version when rows have other fields: change both', async () => {
    const bench = await openEngine();
    await work(bench);
    await bench.run({ type: 'citation.create', source: { kind: 'reference', ref: 'MSG-1' } });
    await bench.run({ type: 'gold.create', sourceRefs: ['MSG-1'], keyInsight: 'k', reusePattern: 'r', triggerConditions: ['t'] });
    const fieldsOf = (row: object | undefined): number => Object.keys(row ?? {}).length;
    const { sidebars, agents, citations, golds, episodes, notices } = bench.engine.board();
    const [sidebar] = rowsOf(sidebars);
    const fields = [sidebar, sidebar?.scratchpad, sidebar?.scratchpad.findings[0]].map(fieldsOf);
    const others = [rowsOf(agents), rowsOf(citations), rowsOf(golds), rowsOf(episodes)].map(([first]) => fieldsOf(first));
    expect({ version: SNAPSHOT_VERSION, tables: fieldsOf(bench.engine.board()), fields, others, notice: fieldsOf(rowsOf(notices)[0]?.[0]) }).toEqual({
      version: 18,
      tables: 27,
      fields: [56, 6, 21],
      others: [15, 10, 23, 24],
      notice: 8,
    });
  });
});

test('[ENGINE-12] a board that cannot be read does not open', async () => {
  const bench = await openEngine();
  const log = { ...bench.store.log, entriesAfter: () => Promise.reject(new Error('gone')) };
  const opening = createEngine({
    store: { ...bench.store, log },
    append: async () => [],
    now: () => NOON,
    snapshot: null,
    language: NO_LANGUAGE,
    onFault: () => {},
  });
  await expect(opening).rejects.toThrow('gone');
});
