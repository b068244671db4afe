import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { CLOSE_CODES, createClient, EVERYTHING, SOCKET_PROTOCOL, type Problem } from '@yarnboard/protocol';
import type { Store } from '@yarnboard/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { epochOf } from '../../src/threads/epoch.ts';
import type { Home } from '../../src/home/home.ts';
import { answerOf, restOf, type Ask } from '../../src/doors/mcp/answers.ts';
import { welcome } from '../../src/doors/ws/welcome.ts';
import { openForWriting } from '../../src/threads/threads.ts';
import { createWriter, type Writer } from '../../src/threads/writer.ts';
import { expectRefused, lines, makeHome, serveBoard, type TestServer } from '../doors/ws/sockets.ts';

const boardOf = (home: Home): string => home.database.slice('sqlite:'.length);

/** Puts a copy of the board in its place, as somebody with `cp` would. */
const putBack = (home: Home, copy: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${boardOf(home)}${suffix}`, { force: true });
  copyFileSync(copy, boardOf(home));
};

/** A server whose board was put back to its fifth entry after it had ten. */
const restoredServer = async (): Promise<{ readonly before: TestServer; readonly after: TestServer; readonly cursor: string }> => {
  const { home, folder } = makeHome();
  const before = await serveBoard({}, home);
  await before.append(...lines(5));
  const copy = join(folder, 'copy.db');
  await before.board.writer.backup(copy);
  await before.append(...lines(5, 5));
  const cursor = await cursorOf(before);
  await before.close();
  putBack(home, copy);
  return { before, cursor, after: await serveBoard({}, home, before.port) };
};

const ask = (server: TestServer, path: string, token?: string): Promise<Response> =>
  Promise.resolve(
    server.board.app.request(`http://127.0.0.1:${server.port}/api/v1${path}`, {
      headers: { host: `127.0.0.1:${server.port}`, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    }),
  );

const cursorOf = async (server: TestServer): Promise<string> =>
  ((await (await ask(server, '/log?limit=2', server.token)).json()) as { readonly next_cursor: string }).next_cursor;

test('[LOG-32] [VERIFY-8] [WIRE-40] [WIRE-42] an older copy that was put back begins an epoch: whoever goes on from before is told, and verification tells of it', async () => {
  const { before, after, cursor } = await restoredServer();
  const { store } = after.board;
  const epoch = await epochOf(store.log);
  expect(epoch).toMatchObject({ position: 6, text: expect.stringContaining('there were 10 entries') as string });
  expect(after.faults).toEqual([expect.stringContaining('an older state of the board was found')]);
  const verdict: unknown = await (await ask(after, '/log/verify?deep=true', after.token)).json();
  expect(verdict).toMatchObject({ is_whole: true, damages: [], notes: [expect.stringContaining('a new epoch began at entry 6')] });

  const first = before.board.store.log.boardId;
  await expectRefused(after.connect({ since_seq: 4, epoch: first }), CLOSE_CODES['epoch-changed'].code, /restored/u);
  await expectRefused(after.connect({ since_seq: 9, epoch: first }), CLOSE_CODES['epoch-changed'].code, /begin anew/u);
  await expectRefused(after.connect({ since_seq: 6 }), CLOSE_CODES['other-log'].code, /say the epoch/u);
  // Up to there positions mean what they meant.
  const old = after.connect({ since_seq: 5 });
  await old.heard(6);
  expect(old.entries().map(({ seq, entry_type: type }) => [seq, type])).toEqual([[6, 'board.restored']]);
  const own = after.connect({ since_seq: 6, epoch: epoch.id });
  expect(await own.frame('connection_established')).toMatchObject({ epoch: epoch.id });

  const refused = await ask(after, `/log?limit=2&cursor=${cursor}`, after.token);
  expect([refused.status, ((await refused.json()) as Problem).code]).toEqual([409, 'epoch-changed']);
  expect(await (await ask(after, '/status', after.token)).json()).toMatchObject({ epoch: epoch.id });
  const fresh = await cursorOf(after);
  expect((await ask(after, `/log?limit=2&cursor=${fresh}`, after.token)).status).toBe(200);
  expect((await ask(after, `/log?limit=2&cursor=x${fresh}`, after.token)).status).toBe(409);
});

test('[WIRE-41] a client that was connected before a restore hears of it, and then everything from the start', async () => {
  const { home, folder } = makeHome();
  const before = await serveBoard({}, home);
  await before.append(...lines(5));
  const copy = join(folder, 'copy.db');
  await before.board.writer.backup(copy);
  const heard: (number | string)[] = [];
  let onHeard = (): void => {};
  const until = (fits: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      onHeard = () => {
        if (fits()) resolve();
      };
      onHeard();
    });
  const client = createClient({
    url: `ws://127.0.0.1:${before.port}/ws`,
    WebSocket,
    sinceSeq: 0,
    onEntry: ({ seq }) => {
      heard.push(seq);
      onHeard();
    },
    onEpoch: () => heard.push('anew'),
    newId: randomUUID,
    later: (ms, work) => {
      const timer = setTimeout(work, Math.min(ms, 20));
      return () => clearTimeout(timer);
    },
    random: () => 0,
  });
  await before.append(...lines(3, 5));
  await until(() => heard.at(-1) === 8);
  await before.close();
  putBack(home, copy);
  const after = await serveBoard({}, home, before.port);
  await after.append(...lines(4, 20));
  await until(() => heard.at(-1) === 10);
  client.close();
  expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 'anew', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('[VERIFY-9] only the operator may ask for all of it', async () => {
  const server = await serveBoard();
  await server.append(...lines(2));
  expect((await ask(server, '/log/verify')).status).not.toBe(500);
  expect((await ask(server, '/log/verify?deep=true')).status).toBe(401);
  expect((await ask(server, '/log/verify?deep=true', server.token)).status).toBe(200);
});

type Step =
  { readonly kind: 'append'; readonly count: number } | { readonly kind: 'backup' | 'restore' | 'crash-and-restore' | 'restart' | 'kill' | 'resume' };

const OTHER_STEPS = ['backup', 'restore', 'crash-and-restore', 'restart', 'kill', 'resume', 'resume'] as const;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constantFrom(...OTHER_STEPS) }),
  ),
  { minLength: 4, maxLength: 14 },
);

/** What a client has of the log: the uuids in order, and where it would go on. */
type View = { readonly uuids: string[]; since: number; epoch: string | undefined };

const resume = async ({ log }: Store, view: View): Promise<void> => {
  const greet = () =>
    welcome(
      {
        type: 'hello',
        protocol: SOCKET_PROTOCOL,
        token: null,
        reveal: false,
        subscription: EVERYTHING,
        sinceSeq: view.since,
        ...(view.epoch === undefined ? {} : { epoch: view.epoch }),
      },
      {
        asker: { isOperator: true, actor: null },
        identify: () => ({ isOperator: true, actor: null }),
        resolve: () => Promise.resolve({ ok: true, value: { contexts: null, hasEnvelopes: false } as never }), // not looked at here
        findEnd: async () => (await log.head()).count,
        findEpoch: () => epochOf(log),
      },
    );
  let welcomed = await greet();
  if (!welcomed.ok) {
    expect(welcomed.close).toBe('epoch-changed');
    Object.assign(view, { uuids: [], since: 0, epoch: undefined });
    welcomed = await greet();
  }
  if (!welcomed.ok) throw new Error(welcomed.why);
  for (const { uuid } of await log.entriesAfter(view.since, 1000)) view.uuids.push(uuid);
  view.since = view.uuids.length;
  view.epoch = welcomed.epoch;
};

/** Resumes, and says what the client has and what the log has, where that differs. */
const differencesOf = async (store: Store, view: View): Promise<readonly object[]> => {
  await resume(store, view);
  const logged = (await store.log.entriesAfter(0, 1000)).map(({ uuid }) => uuid);
  return logged.join() === view.uuids.join() ? [] : [{ logged, has: [...view.uuids] }];
};

test('[LOG-32] [WIRE-40] whatever is appended, backed up, put back and killed, a client that resumes has what the log has', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      const { home, folder } = makeHome();
      const copy = join(folder, 'copy.db');
      let said = 0;
      let store = await openForWriting(home);
      const open = (): Promise<Writer> =>
        createWriter({ home, store, now: () => Date.now(), newId: randomUUID, roots: [], isExcluded: () => false, onEvent: () => {} });
      let writer = await open();
      const first: View = { uuids: [], since: 0, epoch: undefined };
      const views: readonly View[] = [first, { ...first, uuids: [] }];
      const differences: object[] = [];
      const again = async (isKilled: boolean, isRestored: boolean): Promise<void> => {
        await (isKilled ? store.close() : writer.close());
        if (isRestored) putBack(home, copy);
        store = await openForWriting(home);
        writer = await open();
      };
      for (const [i, step] of todo.entries()) {
        if (step.kind === 'append') {
          await writer.append(lines(step.count, said));
          said += step.count;
        } else if (step.kind === 'backup') {
          rmSync(copy, { force: true });
          await writer.backup(copy);
        } else if (step.kind === 'resume') {
          differences.push(...(await differencesOf(store, views[i % 2] ?? first)));
        } else await again(step.kind === 'kill' || step.kind === 'crash-and-restore', step.kind.endsWith('restore') && existsSync(copy));
      }
      for (const view of views) differences.push(...(await differencesOf(store, view)));
      expect(differences).toEqual([]);
      await writer.close();
      rmSync(folder, { recursive: true, force: true });
    }),
    { numRuns: 15 },
  );
});

test('[WIRE-42] what was cut for MCP goes on within its epoch only', async () => {
  const askIn =
    (epoch?: string): Ask =>
    async (name) => ({ ok: true, value: name === 'status' ? (epoch === undefined ? {} : { epoch }) : { content: 'x'.repeat(100_000) } });
  const partOf = async (ask: Ask): Promise<{ readonly cursor: string; readonly at: string }> => {
    const told = await answerOf(ask, 'message', { ref: 'MSG-1' });
    const { continue_cursor: cursor = '', content = '' } = (told.ok ? told.value : {}) as { continue_cursor?: string; content?: string }; // as cut
    return { cursor, at: /continue at (\S+)\]/u.exec(content)?.[1] ?? '' };
  };
  for (const [before, after] of [
    [undefined, 'one'],
    ['one', 'two'],
    ['one', undefined],
  ] as const) {
    const { cursor, at } = await partOf(askIn(before));
    expect(await restOf(askIn(before), cursor, at)).toMatchObject({ ok: true });
    await expect(restOf(askIn(after), cursor, at)).rejects.toMatchObject({ code: 'epoch-changed' });
  }
});
