import { ENTRY_TYPES } from '@yarnboard/domain';
import type { Item } from '@yarnboard/store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemOfDeed } from '../../../src/launches/deeds.ts';
import { prompt, reply, use } from '../../operations/records.ts';
import { entryTexts, line, lines, nthLine, seqsOf, serveBoard, SESSIONS, type Frame, type TestServer, type TestSocket } from './sockets.ts';

const upTo = (n: number, from = 1): readonly number[] => Array.from({ length: n - from + 1 }, (_, i) => from + i);

/** The events of the envelopes in a frame. */
const eventsIn = (frame: Frame | undefined): readonly string[] =>
  ((frame?.['messages'] ?? []) as readonly { readonly content: { readonly data: { readonly ev: { readonly t: string } } } }[]).map(
    ({ content }) => content.data.ev.t,
  );

describe('one stream', () => {
  test('[WIRE-6] an entry is one frame that carries all its envelopes, its place and its references', async () => {
    const server = await serveBoard();
    const socket = server.connect();
    await socket.frame('connection_established');
    const [session] = SESSIONS;
    await server.append(nthLine(session, 0), nthLine(session, 1), nthLine(session, 2));
    await socket.heard(3);
    const [first, second, third] = socket.entries();
    expect(first).toEqual({
      type: 'entry',
      seq: 1,
      entry_type: 'transcript.line',
      session_id: session,
      context_id: session,
      agent_id: null,
      sender: 'human',
      sender_type: 'human',
      timestamp: '2025-08-06T10:00:00.000Z',
      refs: ['MSG-1', 'EXCH-1'],
      copy_of: null,
      messages: [
        {
          content: {
            type: 'session',
            data: {
              id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/u) as unknown,
              time: Date.UTC(2025, 7, 6, 10),
              role: 'user',
              ev: { t: 'text', text: 'please do 0', source: 'MSG-1' },
            },
          },
        },
      ],
    });
    expect(eventsIn(second)).toEqual(['turn-start', 'text', 'tool-call-start']);
    expect(eventsIn(third)).toEqual(['tool-call-end']);
    await server.close();
  });

  test('[WIRE-6] records of a live stream, ends of turns, permissions and runs make envelopes; the file tells none twice', async () => {
    const server = await serveBoard();
    const socket = server.connect({ since_seq: 0 });
    await socket.frame('caught_up');
    const [session] = SESSIONS;
    const asked = { ...prompt('p1', null, 1, 'hello'), sessionId: session };
    const said = { ...reply('r1', 'p1', 2, 'hi'), sessionId: session };
    const deed = (type: (typeof ENTRY_TYPES)[keyof typeof ENTRY_TYPES], uuid: string, payload: object): Item =>
      itemOfDeed({ uuid, type, at: Date.UTC(2025, 7, 6, 10, 0, 3), sessionId: session, payload });
    await server.append(
      deed(ENTRY_TYPES.runStarted, 'd1', { runId: 'run-1', cwd: '/x' }),
      deed(ENTRY_TYPES.streamed, 's1', asked),
      deed(ENTRY_TYPES.streamed, 's2', said),
      deed(ENTRY_TYPES.permissionAsked, 'd2', { runId: 'run-1', requestId: 'q', tool: 'Write', input: { filePath: 'a' } }),
      deed(ENTRY_TYPES.permissionAnswered, 'd3', { runId: 'run-1', requestId: 'q', decision: 'allow' }),
      deed(ENTRY_TYPES.turnClosed, 'd4', { status: 'completed', isEnd: false, by: 'run' }),
      deed(ENTRY_TYPES.launchStarted, 'd5', { launchId: 'x' }),
      line(session, prompt('p1', null, 1, 'hello')),
      line(session, reply('r1', 'p1', 2, 'hi')),
    );
    await socket.heard(9);
    expect(socket.entries().map(eventsIn)).toEqual([
      ['service'],
      ['text'],
      ['turn-start', 'text'],
      ['service'],
      ['service'],
      ['turn-end'],
      [],
      [],
      [],
    ]);
    const [, , , permission] = socket.entries();
    expect(permission).toMatchObject({
      entry_type: 'permission.asked',
      messages: [
        {
          content: {
            data: {
              ev: {
                t: 'service',
                kind: 'permission-request',
                text: 'may Write be used?',
                // Our names are snake_case, the tool's stay.
                data: { event: 'permission.asked', run_id: 'run-1', request_id: 'q', tool: 'Write', input: { filePath: 'a' } },
              },
            },
          },
        },
      ],
    });
    expect(socket.entries()[7]).toMatchObject({ refs: ['MSG-1', 'EXCH-1'] });
    await server.close();
  });

  test('[WIRE-6] a record that is nested deeper than calls can be is sent as well, and keeps nobody from going on', async () => {
    const server = await serveBoard();
    const socket = server.connect();
    await socket.frame('connection_established');
    const [session] = SESSIONS;
    const deep = line(session, reply('d1', null, 1, [use('toolu_1', 'Bash', 'HERE')]));
    const text = Buffer.from(deep.payload ?? [])
      .toString()
      .replace('"HERE"', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    await server.append({ ...deep, payload: Buffer.from(text) }, line(session, reply('d2', 'd1', 2, 'and on')));
    await socket.heard(2);
    expect(socket.entries().map(eventsIn)).toEqual([['turn-start', 'tool-call-start'], ['text']]);
    const page = await server.board.app.request(`/api/v1/sessions/${session}/envelopes`, { headers: { host: `127.0.0.1:${server.port}` } });
    expect([page.status, (await page.text()).length > 400_000]).toEqual([200, true]);
    expect(server.faults).toEqual([]);
    await server.close();
  });

  test('[WIRE-7] without since_seq only what is said from now on is sent', async () => {
    const server = await serveBoard();
    await server.append(...lines(7));
    const socket = server.connect();
    expect(await socket.frame('connection_established')).toMatchObject({ seq: 7 });
    await server.append(...lines(3, 7));
    await socket.heard(10);
    expect(seqsOf(socket)).toEqual([8, 9, 10]);
    expect(socket.frames.some(({ type }) => type === 'caught_up')).toBe(false);
    await server.close();
  });

  test('[WIRE-7] history and live are one stream: no gap and no repetition, while the writer appends', async () => {
    const server = await serveBoard({ ringFrames: 20 });
    await server.append(...lines(700));
    const all = 1400;
    const writing = (async () => {
      for (let at = 700; at < all; at += 7) await server.append(...lines(Math.min(7, all - at), at));
    })();
    const sockets = [0, 1, 127, 128, 129, 350, 699].map((since) => ({ since, socket: server.connect({ since_seq: since }) }));
    await writing;
    for (const { since, socket } of sockets) {
      await socket.heard(all);
      expect(seqsOf(socket)).toEqual(upTo(all, since + 1));
      const established = socket.frames[0]?.['seq'] as number;
      const caughtUp = await socket.frame('caught_up');
      expect(Number(caughtUp['seq'])).toBeGreaterThanOrEqual(established);
    }
    const [whole] = sockets;
    const texts = entryTexts((whole as { socket: TestSocket }).socket);
    for (const { since, socket } of sockets) expect(entryTexts(socket)).toEqual(texts.slice(since));
    expect(server.faults).toEqual([]);
    await server.close();
  });

  test('[WIRE-7] an empty log is caught up with at once', async () => {
    const server = await serveBoard();
    const socket = server.connect({ since_seq: 0 });
    expect(await socket.frame('caught_up')).toEqual({ type: 'caught_up', seq: 0 });
    await server.append(...lines(2));
    await socket.heard(2);
    await server.close();
  });
});

describe('coming back', () => {
  /** Reads until `count` more entries were told, then goes without a word. */
  const readSome = async (server: TestServer, since: number, count: number, end: number): Promise<readonly string[]> => {
    const socket = server.connect({ since_seq: since });
    await socket.heard(Math.min(since + count, end));
    socket.socket.terminate();
    return entryTexts(socket);
  };

  test('[WIRE-8] cut at any points, the pieces are the uninterrupted stream', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 1, max: 50 }),
        async (cuts, batches, ringFrames) => {
          const server = await serveBoard({ ringFrames });
          const whole = server.connect({ since_seq: 0 });
          await whole.frame('caught_up');
          const all = batches.reduce((sum, n) => sum + n, 0);
          const writing = (async () => {
            let at = 0;
            for (const n of batches) {
              await server.append(...lines(n, at));
              at += n;
            }
          })();
          const pieces: string[] = [];
          for (let i = 0; pieces.length < all; i += 1) {
            const since = pieces.length === 0 ? 0 : Number((JSON.parse(pieces.at(-1) ?? '') as Frame)['seq']);
            pieces.push(...(await readSome(server, since, cuts[i % cuts.length] ?? 1, all)));
          }
          await writing;
          await whole.heard(all);
          expect(pieces).toEqual(entryTexts(whole));
          expect(seqsOf(whole)).toEqual(upTo(all));
          expect(server.faults).toEqual([]);
          await server.close();
        },
      ),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 10) },
    );
  });

  test('[WIRE-8] the same is told from the ring, from the log and after a restart', async () => {
    const server = await serveBoard({ ringFrames: 1000 });
    const live = server.connect();
    await live.frame('connection_established');
    for (let at = 0; at < 300; at += 10) await server.append(...lines(10, at));
    await live.heard(300);
    const fromRing = server.connect({ since_seq: 0 });
    await fromRing.heard(300);
    await server.close();
    const again = await serveBoard({}, server.home);
    const fromLog = again.connect({ since_seq: 0 });
    await fromLog.heard(300);
    expect(entryTexts(fromRing)).toEqual(entryTexts(live));
    expect(entryTexts(fromLog)).toEqual(entryTexts(live));
    await again.close();
  });
});

describe('subscribe', () => {
  test('[WIRE-9] narrows to sessions, in history and live', async () => {
    const server = await serveBoard({ ringFrames: 10 });
    await server.append(...lines(400));
    const [one, , three] = SESSIONS;
    const socket = server.connect({ since_seq: 50, subscribe: { sessions: [three, one] } });
    const all = server.connect({ since_seq: 50 });
    await socket.frame('caught_up');
    await server.append(...lines(30, 400));
    await all.heard(430);
    await socket.heard(429);
    const wanted = all.entries().filter(({ session_id: id }) => id === one || id === three);
    expect(socket.entries()).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(250);
    await server.close();
  });

  test('[WIRE-9] can be said again: what follows `subscribed` is as it was said last', async () => {
    const server = await serveBoard();
    const [one, two] = SESSIONS;
    const socket = server.connect({ subscribe: { sessions: [one] } });
    await socket.frame('connection_established');
    await server.append(...lines(6));
    await socket.heard(4);
    socket.send({ type: 'ping' });
    expect(await socket.frame('pong')).toEqual({ type: 'pong', seq: 6 });
    socket.send({ type: 'subscribe', sessions: [two], envelopes: false });
    expect(await socket.frame('subscribed')).toEqual({ type: 'subscribed', seq: 6 });
    await server.append(...lines(6, 6));
    await socket.heard(11);
    expect(seqsOf(socket)).toEqual([1, 4, 8, 11]);
    const [, , third] = socket.entries();
    expect(third).not.toHaveProperty('messages');
    socket.send({ type: 'subscribe' });
    await socket.frame((frame) => frame['type'] === 'subscribed' && frame['seq'] === 12);
    await server.append(...lines(3, 12));
    await socket.heard(15);
    expect(seqsOf(socket).slice(4)).toEqual([13, 14, 15]);
    expect(socket.entries().at(-1)).toHaveProperty('messages');
    await server.close();
  });

  test('[WIRE-9] envelopes that nobody wanted when they were said are made for whoever wants them later', async () => {
    const server = await serveBoard();
    const bare = server.connect({ subscribe: { envelopes: false } });
    await bare.frame('connection_established');
    await server.append(...lines(90));
    await bare.heard(90);
    expect(bare.entries().some((frame) => 'messages' in frame)).toBe(false);
    const rich = server.connect({ since_seq: 30 });
    await rich.heard(90);
    const early = server.connect({ since_seq: 0 });
    await early.heard(90);
    expect(entryTexts(rich)).toEqual(entryTexts(early).slice(30));
    expect(rich.entries().every((frame) => 'messages' in frame)).toBe(true);
    await server.close();
  });

  test('[WIRE-9] a copied record has no envelopes for whoever hears everything, and has them for whoever asked for its session', async () => {
    const server = await serveBoard();
    const [one, two] = SESSIONS;
    const all = server.connect();
    const named = server.connect({ subscribe: { sessions: [two] } });
    await Promise.all([all.frame('connection_established'), named.frame('connection_established')]);
    const [asked, said] = [prompt('p1', null, 1, 'hello'), reply('r1', 'p1', 2, 'hi')];
    await server.append(line(one, asked), line(one, said));
    // A fork repeats what was said, in its own file, and goes on.
    await server.append(line(two, asked), line(two, said), line(two, prompt('p2', 'r1', 3, 'and now?')));
    await all.heard(5);
    await named.heard(5);
    expect(all.entries().map(eventsIn)).toEqual([['text'], ['turn-start', 'text'], [], [], ['turn-end', 'text']]);
    expect(named.entries().map(eventsIn)).toEqual([['text'], ['turn-start', 'text'], ['turn-end', 'text']]);
    expect(named.entries()[0]).toMatchObject({
      entry_type: 'transcript.copied',
      copy_of: 1,
      refs: [],
      messages: [{ content: { data: { ev: { text: 'hello', source: 'MSG-1' } } } }],
    });
    expect(all.entries()[2]).toMatchObject({ copy_of: 1 });
    await server.close();
  });
});
