import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { ENTRY_TYPES, type ChainedEntry } from '@yarnboard/domain';
import { draftOfCompanion, uuidFor, type Item, type Store } from '@yarnboard/store';
import { decodeEnvelope, encodeEnvelope, type OutputOf } from '@yarnboard/protocol';
import { initialMapper, step, type Envelope } from '@yarnboard/transcript';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { mapperInputOf, sourceOf } from '../../../src/sessions/envelopes/mapper-input.ts';
import { createMapperStates, NOTHING_SEEN } from '../../../src/sessions/envelopes/mapper-states.ts';
import { createCatchUp, createReplay, tellSession } from '../../../src/sessions/envelopes/replay.ts';
import { entriesOfSession } from '../../../src/sessions/log-records.ts';
import { itemOfDeed } from '../../../src/launches/deeds.ts';
import { DEMO, FIXTURES, makeBoard, walk, type TestBoard } from '../../operations/boards.ts';
import { prompt, reply, use } from '../../operations/records.ts';
import { line, serveBoard, SESSIONS, type TestServer } from '../../doors/ws/sockets.ts';

/** All versions that there are fixtures of, on one log. */
let board: TestBoard;
let store: Store;
let all: readonly ChainedEntry[];
let whole: ReadonlyMap<number, readonly Envelope[]>;
beforeAll(async () => {
  const roots = readdirSync(FIXTURES)
    .map((name) => join(FIXTURES, name))
    .filter((path) => statSync(path).isDirectory());
  board = await makeBoard({ roots });
  ({ store } = board.board);
  all = await store.log.entriesAfter(0, 100_000);
  // The plainest fold there is: from the start, one state for each session.
  const states = new Map<string, typeof initialMapper>();
  const made = new Map<number, readonly Envelope[]>();
  const payloads = await store.log.payloadsOf(all.map(({ position }) => position));
  for (const entry of all) {
    const input = mapperInputOf(entry, payloads.get(entry.position) ?? null, await sourceOf(store.log, entry));
    if (input === null) continue;
    const { state, envelopes } = step(states.get(entry.sessionId) ?? initialMapper, input);
    states.set(entry.sessionId, state);
    if (envelopes.length > 0) made.set(entry.position, envelopes);
  }
  whole = made;
});

const replayOf = (mostEntries?: number) => {
  const states = createMapperStates(mostEntries);
  return createReplay(store, states, createCatchUp(store, states), mostEntries);
};

describe('a replay', () => {
  test('[WIRE-16] makes the same envelopes from any place on, in pieces of any size, whatever was looked at before', async () => {
    expect(all.length).toBeGreaterThan(300);
    expect(whole.size).toBeGreaterThan(200);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ from: fc.nat(all.length - 1), count: fc.integer({ min: 1, max: 200 }) }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(10, 1000, undefined),
        async (stretches, mostEntries) => {
          const replay = replayOf(mostEntries);
          for (const { from, count } of stretches) {
            const entries = all.slice(from, from + count);
            const made = await replay.envelopesOf(entries);
            const wanted = new Map([...whole].filter(([position]) => position > from && position <= from + entries.length));
            expect(new Map(made)).toEqual(wanted);
          }
        },
      ),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) },
    );
  });

  test('[WIRE-16] many at once, at any places, share the way and get what is theirs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(all.length - 1), { minLength: 2, maxLength: 40 }), fc.boolean(), async (places, isOneSession) => {
        const states = createMapperStates();
        const catchUp = createCatchUp(store, states);
        const busiest = all.filter(({ sessionId }) => sessionId === all.at(-1)?.sessionId);
        const wanted = places.flatMap((n) => (isOneSession ? busiest[n % busiest.length] : all[n]) ?? []);
        const made = await Promise.all(
          wanted.map(async (entry, i) => {
            // Some come while others are on their way.
            for (let n = 0; n < i % 3; n += 1) await breathe();
            return (await createReplay(store, states, catchUp).envelopesOf([entry])).get(entry.position);
          }),
        );
        expect(made).toEqual(wanted.map(({ position }) => whole.get(position)));
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) },
    );
  });

  test('[WIRE-16] every envelope of every fixture can be sent and read', () => {
    const told = [...whole.values()].flat();
    expect(told.filter(({ ev }) => ev.t === 'service' && ev.kind === 'record')).toEqual([]);
    for (const envelope of told) expect(decodeEnvelope(JSON.parse(JSON.stringify(encodeEnvelope(envelope))))).toEqual({ ok: true, value: envelope });
  });

  test('[WIRE-16] a state on the way is kept, and saves the way to it', async () => {
    const server = await serveBoard();
    const [session] = SESSIONS;
    const many: Item[] = Array.from({ length: 4500 }, (_, i) => line(session, prompt(`p${i}`, null, i, `number ${i}`)));
    await server.append(...many);
    const log = server.board.store.log;
    let read = 0;
    const counted = {
      library: server.board.store.library,
      log: { ...log, payloadsOf: (positions: readonly number[]) => ((read += positions.length), log.payloadsOf(positions)) },
    };
    const states = createMapperStates();
    const told: number[] = [];
    for await (const { entry } of tellSession(counted, states, session, NOTHING_SEEN)) told.push(entry.position);
    expect(told).toEqual(Array.from({ length: 4500 }, (_, i) => i + 1));
    expect(read).toBe(4500);
    expect(states.find(session, 4499)).toMatchObject({ position: 4000, entries: 4000 });
    expect(states.find(session, 3999)).toMatchObject({ position: 2000 });
    expect(states.find(session, 1999)).toBe(NOTHING_SEEN);
    read = 0;
    const last = await log.entriesAfter(4490, 10);
    const made = await createReplay(counted, states, createCatchUp(counted, states)).envelopesOf(last);
    expect([...made.keys()]).toEqual(last.map(({ position }) => position));
    expect(read).toBe(500 + 10);
    states.drop();
    expect(states.find(session, 4499)).toBe(NOTHING_SEEN);
    await server.close();
  });

  test('[WIRE-16] what is kept of states is bounded', () => {
    const states = createMapperStates(10_000);
    for (let i = 1; i <= 100_000; i += 1) states.pass('long', { position: i, entries: i, mapper: initialMapper });
    expect(states.find('long', 100_000).position).toBeGreaterThan(90_000);
    expect(states.find('long', 50_000).position).toBeGreaterThan(40_000);
    for (let i = 0; i < 20; i += 1) states.stop(`other-${i}`, { position: 1000, entries: 1000, mapper: initialMapper });
    expect(states.find('long', 100_000)).toBe(NOTHING_SEEN);
    expect(states.find('other-0', 2000)).toBe(NOTHING_SEEN);
    expect(states.find('other-19', 2000).position).toBe(1000);
  });

  test('[WIRE-16] the entries of a session come in order, all and once, whatever the page and wherever it begins', async () => {
    const sessions = [...new Set(all.map(({ sessionId }) => sessionId))];
    const payloads = await store.log.payloadsOf(all.map(({ position }) => position));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sessions),
        fc.nat({ max: all.length }),
        fc.integer({ min: 7, max: 60 }),
        async (sessionId, after, pageSize) => {
          const read = [];
          for await (const page of entriesOfSession(store.log, sessionId, after, pageSize)) {
            expect(page.length).toBeLessThanOrEqual(pageSize);
            read.push(...page.map(({ entry, bytes }) => [entry.position, bytes]));
          }
          const wanted = all.filter((entry) => entry.sessionId === sessionId && entry.position > after);
          expect(read).toEqual(wanted.map(({ position }) => [position, payloads.get(position) ?? null]));
        },
      ),
    );
  });
});

describe('an entry, to the mapper', () => {
  let server: TestServer;
  const [one, two] = SESSIONS;
  beforeAll(async () => {
    server = await serveBoard();
  });

  const inputAt = async (position: number) => {
    const { log } = server.board.store;
    const entry = await log.entryAt(position);
    if (entry === null) throw new Error(`there is no entry ${position}`);
    return mapperInputOf(entry, (await log.payloadsOf([position])).get(position) ?? null, await sourceOf(log, entry));
  };

  test('[WIRE-17] is what its type says', async () => {
    const meta = Buffer.from(JSON.stringify({ agentType: 'Explore', toolUseId: 'toolu_1' }));
    const companion = (name: string): Item => ({ draft: draftOfCompanion(one, name, meta.length, 0), payload: meta, reading: null });
    const broken: Item = { ...line(one, prompt('x', null, 1, 'x')), payload: Buffer.from('{"type":') };
    const nameless = line(one, { type: 'summary', summary: 'all of it', leafUuid: 'p1' });
    await server.append(
      line(one, prompt('p1', null, 1, 'hello')),
      line(two, prompt('p1', null, 1, 'hello')),
      line(one, reply('a1', null, 2, [use('toolu_2', 'Bash', {})], { agentId: 'abc' }), 'abc'),
      companion('subagents/agent-abc.meta.json'),
      companion('tool-results/x.txt'),
      itemOfDeed({ uuid: uuidFor('stream|r9'), type: ENTRY_TYPES.streamed, at: 5, sessionId: one, payload: reply('r9', 'p1', 3, 'hi') }),
      itemOfDeed({ uuid: 'c1', type: ENTRY_TYPES.turnClosed, at: 6, sessionId: one, payload: { status: 'cancelled', isEnd: true, by: 'launch' } }),
      itemOfDeed({ uuid: 'c2', type: ENTRY_TYPES.runEnded, at: 7, sessionId: one, payload: { runId: 'r', status: 'failed', why: 'no idea' } }),
      itemOfDeed({ uuid: 'c3', type: ENTRY_TYPES.launchEnded, at: 8, sessionId: one, payload: {} }),
      { ...broken, draft: { ...broken.draft, uuid: null, note: 'broken' } },
      nameless,
    );
    expect(await inputAt(1)).toMatchObject({ kind: 'record', uuid: 'p1', agentId: null, source: 'MSG-1', entry: { role: 'prompt' } });
    expect(await inputAt(2)).toMatchObject({ kind: 'record', uuid: 'p1', source: 'MSG-1' });
    expect(await inputAt(3)).toMatchObject({ kind: 'record', uuid: 'a1', agentId: 'abc', source: 'MSG-2', entry: { isSidechain: true } });
    expect(await inputAt(4)).toMatchObject({ kind: 'meta', agentId: 'abc', meta: { toolUseId: 'toolu_1' } });
    expect(await inputAt(5)).toBeNull();
    expect(await inputAt(6)).toMatchObject({ kind: 'record', uuid: 'r9', source: null });
    expect(await inputAt(7)).toEqual({ kind: 'close', uuid: 'c1', at: 6, status: 'cancelled', isEnd: true });
    expect(await inputAt(8)).toEqual({
      kind: 'service',
      uuid: 'c2',
      at: 7,
      service: 'run',
      text: 'the run ended: failed, no idea',
      data: { event: 'run.ended', ['run_id']: 'r', status: 'failed', why: 'no idea' },
    });
    expect(await inputAt(9)).toBeNull();
    expect(await inputAt(10)).toBeNull();
    const unnamed = await server.board.store.log.entryAt(11);
    expect(await inputAt(11)).toMatchObject({ kind: 'record', uuid: unnamed?.uuid, source: null });
  });

  test('[WIRE-17] a forgotten message keeps its place, without its words', async () => {
    const { log } = server.board.store;
    const [added] = await server.append(line(two, prompt('p7', null, 9, 'a word to forget')));
    const position = added?.position ?? 0;
    const hash = (await log.entryAt(position))?.payloadHash ?? '';
    await server.board.writer.forget(hash, 'human');
    expect(JSON.stringify(await inputAt(position))).not.toContain('a word to forget');
    expect(await inputAt(position)).toMatchObject({ kind: 'record', uuid: 'p7', source: added?.refs[0] });
  });
});

/** TURN-4: the end that is added to a session which was quiet for days, or that the server itself says while a test runs. */
const expectEnd = (items: OutputOf<'envelopes'>['items']): void => {
  const others = items.filter(
    ({ content }) => !['tool-call-end', 'tool-call-start', 'turn-end', 'start', 'text', 'stop'].includes(content.data.ev.t),
  );
  expect(others).toEqual([]);
};

describe('envelopes over HTTP', () => {
  test('[WIRE-16] are those of the stream, page by page', async () => {
    const bySession = new Map<string, { readonly seq: number; readonly id: string }[]>();
    for (const entry of all) {
      const list = bySession.get(entry.sessionId) ?? [];
      for (const { id } of whole.get(entry.position) ?? []) list.push({ seq: entry.position, id });
      bySession.set(entry.sessionId, list);
    }
    let looked = 0;
    for (const [id, wanted] of [...bySession].filter((_, i) => i % 3 === 0)) {
      for (const limit of [3, 500]) {
        if (limit === 3 && wanted.length > 40) continue;
        const items = await walk(board, 'envelopes', { id, limit });
        expect(items.slice(0, wanted.length).map(({ seq, content }) => ({ seq, id: content.data.id }))).toEqual(wanted);
        expectEnd(items.slice(wanted.length));
        looked += items.length;
      }
      const middle = wanted[Math.floor(wanted.length / 2)]?.seq ?? 0;
      const rest = await walk(board, 'envelopes', { id, after_seq: middle, limit: 100 });
      const behind = wanted.filter(({ seq }) => seq > middle).map(({ id: one }) => one);
      expect(rest.slice(0, behind.length).map(({ content }) => content.data.id)).toEqual(behind);
      expectEnd(rest.slice(behind.length));
    }
    expect(looked).toBeGreaterThan(300);
  });

  test('[WIRE-16] a session that is not on the log yet has the same envelopes with the same ids, without seq', async () => {
    const roots = [DEMO];
    const waiting = await makeBoard({ roots, isImported: false });
    const importing = waiting.board.writer.importPaths(roots);
    while ((await waiting.get('status')).pending_sessions === 0) await breathe();
    await waiting.board.writer.stopImport();
    await importing;
    const ids = (await walk(waiting, 'sessions')).filter(({ state }) => state === 'pending').map(({ session_id: id }) => id);
    expect(ids.length).toBeGreaterThan(5);
    const before = new Map<string, readonly string[]>();
    for (const id of ids) {
      const items = await walk(waiting, 'envelopes', { id, limit: 7 });
      expect(items.every(({ seq }) => seq === null)).toBe(true);
      before.set(
        id,
        items.map(({ content }) => content.data.id),
      );
      expect(await walk(waiting, 'envelopes', { id, after_seq: 0 })).toEqual([]);
    }
    const [first = ''] = ids;
    const page = await waiting.get('envelopes', { id: first, limit: 5 });
    await waiting.board.writer.importPaths(roots);
    for (const id of ids) {
      const items = await walk(waiting, 'envelopes', { id, limit: 500 });
      expect(items.every(({ seq }) => typeof seq === 'number')).toBe(true);
      const known = before.get(id) ?? [];
      expect(items.slice(0, known.length).map(({ content }) => content.data.id)).toEqual(known);
      expectEnd(items.slice(known.length));
    }
    // A page that began in the file goes on on the log.
    const rest = await waiting.get('envelopes', { id: first, limit: 500, cursor: page.next_cursor ?? undefined });
    const known = before.get(first) ?? [];
    expect([...page.items, ...rest.items].slice(0, known.length).map(({ content }) => content.data.id)).toEqual(known);
    expectEnd([...page.items, ...rest.items].slice(known.length));
  });

  test('[WIRE-16] nonsense is refused: a cursor of another list, a session that is not there', async () => {
    const id = all[0]?.sessionId ?? '';
    expect(await board.problem(`/api/v1/sessions/${id}/envelopes?cursor=x`)).toMatchObject({ code: 'bad-request' });
    expect(await board.problem(`/api/v1/sessions/${id}/envelopes?after_seq=-1`)).toMatchObject({ code: 'bad-request' });
    expect(await board.problem('/api/v1/sessions/nowhere/envelopes')).toMatchObject({ code: 'not-found' });
  });
});
