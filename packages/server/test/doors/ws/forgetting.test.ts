import { NOWHERE, type Store } from '@yarnboard/store';
import { heldBytesOf, initialMapper, readEntry, step, type JsonObject, type MapperState } from '@yarnboard/transcript';
import { expect, test } from 'vitest';
import { createHistory } from '../../../src/doors/ws/history.ts';
import { createMapperStates, NOTHING_SEEN, stateWeight } from '../../../src/sessions/envelopes/mapper-states.ts';
import { createCatchUp } from '../../../src/sessions/envelopes/replay.ts';
import { createToldEvents, NO_NAMES } from '../../../src/doors/ws/told-events.ts';
import { prompt, reply } from '../../operations/records.ts';
import { line, serveBoard, SESSIONS } from './sockets.ts';

const [SESSION] = SESSIONS;

test('[WIRE-18] a page whose reading began before something was forgotten is read again, also for whoever waited for it', async () => {
  const server = await serveBoard();
  const [added] = await server.append(
    line(SESSION, prompt('p1', null, 1, 'a word to forget')),
    line(SESSION, reply('a1', 'p1', 2, 'a word to keep')),
  );
  const { log, library } = server.board.store;
  const hash = (await log.entryAt(added?.position ?? 0))?.payloadHash ?? '';
  const states = createMapperStates();
  let reads = 0;
  const store: Pick<Store, 'log' | 'library'> = {
    library,
    log: {
      ...log,
      payloadsOf: async (positions) => {
        const found = await log.payloadsOf(positions);
        reads += 1;
        if (reads === 1) {
          await server.board.writer.forget(hash, 'human');
          states.drop();
          history.drop();
        }
        return found;
      },
    },
  };
  const history = createHistory(store, states, createCatchUp(store, states), createToldEvents(store.log, NO_NAMES));
  const pages = await Promise.all([history.read(null, 0, true), history.read(null, 0, true)]);
  for (const { frames } of pages) {
    const text = frames.map((frame) => frame.bytes({ isRevealed: true, hasEnvelopes: true, isNamed: true }).toString()).join('\n');
    expect(text).toContain('a word to keep');
    expect(text).not.toContain('a word to forget');
  }
  expect(reads).toBeGreaterThan(1);
  await server.close();
});

/** A state with records of a sub-agent whose call is not known. */
const holding = (records: number, bytes: number): MapperState => {
  let state = initialMapper;
  for (let i = 0; i < records; i += 1) {
    const record = { ...reply(`h${i}`, null, i, 'x'.repeat(bytes)), isSidechain: true, agentId: 'orphan' } as JsonObject; // made of JSON
    state = step(state, { kind: 'record', record, entry: readEntry(record, NOWHERE, true), uuid: `h${i}`, agentId: 'orphan', source: null }).state;
  }
  return state;
};

test('[WIRE-16] what is kept of states is bounded by what they hold, too', () => {
  const mapper = holding(100, 10_000);
  expect(heldBytesOf(mapper)).toBeGreaterThan(900_000);
  const one = { position: 100, entries: 100, mapper };
  expect(stateWeight(one)).toBeGreaterThan(3000);
  const states = createMapperStates(10_000);
  for (const name of ['a', 'b', 'c', 'd', 'e']) states.stop(name, one);
  expect(['a', 'b', 'c', 'd', 'e'].map((name) => states.find(name, 100) !== NOTHING_SEEN)).toEqual([false, false, expect.any(Boolean), true, true]);
  // Those of one session share what they hold; what an earlier one holds and a later one has let go is held all the same.
  const shared = createMapperStates(10_000);
  shared.stop('other', { position: 1, entries: 1, mapper: initialMapper });
  for (let i = 0; i < 8; i += 1) shared.stop('same', { ...one, position: 100 + i });
  expect(shared.find('other', 1).position).toBe(1);
  const apart = createMapperStates(10_000);
  apart.stop('other', { position: 1, entries: 1, mapper: initialMapper });
  for (let i = 0; i < 8; i += 1) apart.stop('same', { position: 100 + i, entries: 100 + i, mapper: i % 2 === 0 ? mapper : initialMapper });
  expect(apart.find('other', 1)).toBe(NOTHING_SEEN);
  apart.drop();
  apart.stop('other', { position: 1, entries: 1, mapper: initialMapper });
  apart.stop('same', one);
  expect(apart.find('other', 1).position).toBe(1);
});
