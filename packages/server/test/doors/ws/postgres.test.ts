import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_PRICES } from '@yarnboard/transcript';
import { openStore } from '@yarnboard/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPostgres, type Postgres } from '../../../../../tests/postgres.ts';
import { createHub, HUB_LIMITS } from '../../../src/doors/ws/hub.ts';
import { createMapperStates } from '../../../src/sessions/envelopes/mapper-states.ts';
import { Refused } from '../../../src/operations/request/refusal.ts';
import { openBoardStore, openEngine, spawn } from '../../engine/bench.ts';
import { serveEngine } from './engine-stage.ts';
import { connect, entryTexts, lines, seqsOf, SESSIONS } from './sockets.ts';

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = await findPostgres();
  if (postgres === null && process.env['CI'] !== undefined) throw new Error('no PostgreSQL to test with');
});
afterAll(async () => {
  await postgres?.stop();
});

test('[WIRE-7] with PostgreSQL, what another server writes is sent as well, history and live as one stream', async ({ skip }) => {
  if (postgres === null) {
    skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
    return;
  }
  const url = `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=hub_${randomUUID().slice(0, 8)}`;
  const options = { prices: DEFAULT_PRICES, now: () => Date.now(), newId: () => randomUUID() };
  const elsewhere = await openStore(url, options);
  const store = await openStore(url, { ...options, readOnly: true });
  const faults: unknown[] = [];
  const hub = createHub({
    store,
    states: createMapperStates(),
    perform: () => Promise.reject(new Refused('not-found', 'nothing is done here')),
    door: { token: 'secret', port: () => port, memberWith: () => null },
    now: () => Date.now(),
    newId: () => randomUUID(),
    limits: { ...HUB_LIMITS, ringFrames: 30 },
    onFault: (cause) => faults.push(cause),
  });
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  hub.attach(server);
  const timer = setInterval(hub.tick, 10);
  const all = 600;
  await elsewhere.log.append({ items: lines(300), files: [] });
  const writing = (async () => {
    for (let at = 300; at < all; at += 10) await elsewhere.log.append({ items: lines(10, at), files: [] });
  })();
  const whole = connect(port, { since_seq: 0 });
  const later = [1, 140, 299].map((since) => ({ since, socket: connect(port, { since_seq: since }) }));
  const narrow = connect(port, { since_seq: 7, subscribe: { sessions: [SESSIONS[1]] } });
  await writing;
  await whole.heard(all);
  const texts = entryTexts(whole);
  expect(seqsOf(whole)).toEqual(Array.from({ length: all }, (_, i) => i + 1));
  for (const { since, socket } of later) {
    await socket.heard(all);
    expect(entryTexts(socket)).toEqual(texts.slice(since));
  }
  await narrow.heard(599);
  expect(entryTexts(narrow)).toEqual(texts.slice(7).filter((text) => text.includes(`"session_id":"${SESSIONS[1]}"`)));
  expect(faults).toEqual([]);
  clearInterval(timer);
  await hub.close();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await store.close();
  await elsewhere.close();
});

test('[WIRE-22] with PostgreSQL, what another server decides is sent with the references it was given there', async ({ skip }) => {
  if (postgres === null) {
    skip('no PostgreSQL here: set YARNBOARD_TEST_POSTGRES, or install it');
    return;
  }
  const url = `${postgres.url}${postgres.url.includes('?') ? '&' : '?'}board=hub_${randomUUID().slice(0, 8)}`;
  const clock = { now: Date.UTC(2026, 2, 14, 12) };
  const elsewhere = await openEngine({ store: await openBoardStore(url, clock), clock });
  const stage = await serveEngine({}, { given: { store: await openBoardStore(url, clock), clock } });
  const all = await stage.join();
  for (let i = 0; i < 3; i += 1) await elsewhere.run(spawn(`number ${i}`));
  stage.hub.tick();
  await all.heard(6);
  const narrow = await stage.join({ since_seq: 0, subscribe: { sidebars: ['SB-2'] } });
  await narrow.frame('caught_up');
  const named = (frames: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] =>
    frames.map(({ seq, type, sidebar_id: id }) => [seq, type, id]);
  expect(named(all.told())).toEqual(
    [1, 2, 3].flatMap((n) => [
      [2 * n - 1, 'sidebar_spawn', `SB-${n}`],
      [2 * n, 'scratchpad_created', `SB-${n}`],
    ]),
  );
  expect(narrow.told()).toEqual(all.told().slice(2, 4));
  expect(stage.faults).toEqual([]);
  await stage.close();
  await elsewhere.engine.close();
});
