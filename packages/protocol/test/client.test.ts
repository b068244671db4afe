import { expect, test } from 'vitest';
import {
  CLOSE_CODES,
  createClient,
  decodeClientFrame,
  decodeServerFrame,
  encodeServerFrame,
  EVENT_NAMES,
  type BoardEvent,
  type ClientSocket,
  type ClientState,
  type EntryFrame,
  type ServerNotice,
  type Trouble,
} from '../src/index.ts';

/** A server as a script: what the client sends lands here, what the test says goes to the client. */
class Line implements ClientSocket {
  readonly sent: Record<string, unknown>[] = [];
  isClosed = false;
  readonly #listeners = new Map<string, ((event: { type: string; data?: unknown; code?: number; reason?: string }) => void)[]>();
  addEventListener(type: string, listener: (event: { type: string; data?: unknown; code?: number; reason?: string }) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.isClosed = true;
  }
  happen(type: string, event: { data?: unknown; code?: number; reason?: string } = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ type, ...event });
  }
  say(frame: object): void {
    this.happen('message', { data: JSON.stringify(frame) });
  }
  establish(more: object = {}): void {
    this.happen('open');
    this.say({ type: 'connection_established', client_id: 'c', client_type: 'reader', seq: 10, board: 'b', instance: 'i1', protocol: 1, ...more });
  }
}

const setUp = (options: { readonly sinceSeq?: number; readonly token?: string; readonly epoch?: string } = {}) => {
  const epochs: string[] = [];
  const connections: Line[] = [];
  const entries: EntryFrame[] = [];
  const events: BoardEvent[] = [];
  const notices: ServerNotice[] = [];
  const states: ClientState[] = [];
  const troubles: Trouble[] = [];
  let timers: { readonly ms: number; readonly work: () => void }[] = [];
  let ids = 0;
  const client = createClient({
    url: 'ws://127.0.0.1:1/ws',
    WebSocket: class extends Line {
      constructor(_url: string) {
        super();
        connections.push(this);
      }
    },
    ...options,
    onEntry: (entry) => entries.push(entry),
    onEvent: (event) => events.push(event),
    onNotice: (notice) => notices.push(notice),
    onEpoch: (epoch) => epochs.push(epoch),
    onState: (state) => states.push(state),
    onTrouble: (trouble) => troubles.push(trouble),
    newId: () => `00000000-0000-4000-8000-00000000000${(ids += 1)}`,
    later: (ms, work) => {
      const timer = { ms, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    random: () => 1,
  });
  const last = (): Line => {
    const line = connections.at(-1);
    if (line === undefined) throw new Error('nobody connected');
    return line;
  };
  /** The next timer rings. */
  const ring = (): number => {
    const [timer] = timers;
    if (timer === undefined) throw new Error('no timer');
    timers = timers.slice(1);
    timer.work();
    return timer.ms;
  };
  return { client, connections, entries, epochs, events, notices, states, troubles, last, ring, timers: () => timers };
};

const entry = (seq: number, messages: readonly unknown[] = []): object => ({
  type: 'entry',
  seq,
  entry_type: 'transcript.line',
  session_id: 's',
  context_id: 's',
  agent_id: null,
  sender: 'human',
  sender_type: 'human',
  timestamp: null,
  refs: [`MSG-${seq}`],
  copy_of: null,
  ...(messages.length === 0 ? {} : { messages }),
});

test('[WIRE-15] it says hello with what it wants, in words the server understands', () => {
  const { last } = setUp({ sinceSeq: 4, token: 't' });
  last().happen('open');
  expect(last().sent).toEqual([{ type: 'hello', protocol: 1, token: 't', since_seq: 4, subscribe: { envelopes: true } }]);
  expect(decodeClientFrame(JSON.stringify(last().sent[0]))).toMatchObject({ ok: true, value: { type: 'hello', sinceSeq: 4 } });
});

test('[WIRE-41] it comes back with the epoch of its position, and after a restore begins anew and says so', () => {
  const { client, last, ring, epochs } = setUp({ sinceSeq: 4 });
  last().establish({ epoch: 'b' });
  last().say(entry(30));
  expect([client.seq(), client.epoch()]).toEqual([30, 'b']);
  last().happen('close', { code: 1001 });
  ring();
  last().happen('open');
  expect(last().sent[0]).toMatchObject({ since_seq: 30, epoch: 'b' });
  last().happen('close', { code: CLOSE_CODES['epoch-changed'].code, reason: 'restored' });
  ring();
  last().establish({ epoch: 'e2' });
  expect(last().sent[0]).toMatchObject({ since_seq: 0 });
  expect(last().sent[0]).not.toHaveProperty('epoch');
  expect(epochs).toEqual(['e2']);
  last().say(entry(1));
  expect([client.seq(), client.epoch()]).toEqual([1, 'e2']);
});

test('[WIRE-41] who only hears what is live begins with what is live, and older servers have no epochs', () => {
  const { client, last, ring, epochs } = setUp();
  last().establish({ epoch: 'b' });
  last().happen('close', { code: CLOSE_CODES['epoch-changed'].code });
  ring();
  last().establish({ epoch: 'e2', seq: 3 });
  expect(last().sent[0]).not.toHaveProperty('since_seq');
  expect([client.seq(), epochs]).toEqual([3, ['e2']]);
  const older = setUp({ sinceSeq: 4 });
  older.last().establish();
  older.last().happen('close', { code: 1006 });
  older.ring();
  older.last().establish();
  expect(older.last().sent[0]).not.toHaveProperty('epoch');
  expect(older.epochs).toEqual([]);
});

test('[WIRE-15] it comes back after the last position it was told, later and later, until it is let in', () => {
  const { client, last, entries, ring, connections, states } = setUp({ sinceSeq: 4 });
  last().establish();
  last().say(entry(5));
  last().say(entry(6));
  expect(client.seq()).toBe(6);
  const first = last();
  first.happen('close', { code: 1006 });
  expect([ring(), connections.length]).toEqual([250, 2]);
  last().happen('close', { code: 1006 });
  expect(ring()).toBe(500);
  last().happen('close', { code: 1001, reason: 'the server stops' });
  expect(states.at(-1)).toEqual({ kind: 'waiting', ms: 1000, code: 1001, why: 'the server stops' });
  ring();
  last().establish();
  expect(last().sent[0]).toMatchObject({ since_seq: 6 });
  // What an older connection still says is not heard.
  first.say(entry(7));
  last().say(entry(7));
  last().happen('close', { code: CLOSE_CODES.slow.code, reason: 'resume with since_seq 7' });
  expect(ring()).toBe(250);
  last().happen('open');
  expect(last().sent[0]).toMatchObject({ since_seq: 7 });
  expect(entries.map(({ seq, refs }) => [seq, refs])).toEqual([5, 6, 7].map((seq) => [seq, [`MSG-${seq}`]]));
});

test('[WIRE-15] one that wanted only what is live misses nothing either when it is cut off before it heard anything', () => {
  const { last, ring } = setUp();
  last().establish();
  expect(last().sent[0]).not.toHaveProperty('since_seq');
  last().happen('close', { code: 1006 });
  ring();
  last().happen('open');
  expect(last().sent[0]).toMatchObject({ since_seq: 10 });
});

test('[WIRE-15] a narrow one learns how far it is from caught_up, pong and subscribed', () => {
  const { client, last } = setUp({ sinceSeq: 0 });
  client.subscribe({ sessions: ['s'], hasEnvelopes: false });
  last().happen('open');
  expect(last().sent).toEqual([expect.objectContaining({ subscribe: { sessions: ['s'], envelopes: false } })]);
  last().establish();
  for (const [type, seq] of [
    ['caught_up', 10],
    ['pong', 30],
    ['subscribed', 20],
  ] as const)
    last().say({ type, seq });
  expect(client.seq()).toBe(30);
  client.subscribe({ sessions: null, hasEnvelopes: true });
  expect(last().sent.at(-1)).toEqual({ type: 'subscribe', envelopes: true });
});

test('[WIRE-15] where trying again would end the same way it stops, and says why', () => {
  for (const { code, isFinal } of Object.values(CLOSE_CODES)) {
    const { last, states, timers } = setUp();
    last().happen('close', { code, reason: 'because' });
    expect(states.at(-1)).toMatchObject({ kind: isFinal ? 'refused' : 'waiting', code, why: 'because' });
    expect(timers()).toHaveLength(isFinal ? 0 : 1);
  }
  const { last, ring, states } = setUp();
  last().establish();
  last().happen('close', { code: 1006 });
  ring();
  last().establish({ board: 'another' });
  expect(states.at(-1)).toMatchObject({ kind: 'refused', why: expect.stringMatching(/another board/u) as unknown });
  expect(last().isClosed).toBe(true);
});

test('[WIRE-15] a server that does not answer a ping is left', () => {
  const { last, ring, connections, states } = setUp();
  last().establish();
  expect(ring()).toBe(25_000);
  expect(last().sent.at(-1)).toEqual({ type: 'ping' });
  last().say({ type: 'pong', seq: 11 });
  ring();
  expect(ring()).toBe(10_000);
  expect(connections[0]?.isClosed).toBe(true);
  expect(states.at(-1)).toMatchObject({ kind: 'waiting', why: 'the server does not answer' });
  ring();
  expect(connections).toHaveLength(2);
});

test('[WIRE-15] a command is answered by ack, rejected or duplicate_ack', async () => {
  const { client, last } = setUp();
  const early = client.call('status', {});
  last().establish();
  const others = [client.call('import', { paths: ['/a'] }), client.call('stop', {})];
  const [, first, second, third] = last().sent;
  expect([first, second, third]).toMatchObject([{ type: 'status' }, { type: 'import', paths: ['/a'] }, { type: 'stop' }]);
  for (const frame of [first, second, third]) expect(decodeClientFrame(JSON.stringify(frame))).toMatchObject({ ok: true });
  last().say({ type: 'ack', message_id: first?.['message_id'], seq: 12, refs: ['MSG-1'], result: { version: '1' } });
  last().say({ type: 'duplicate_ack', original_message_id: second?.['message_id'], ref: null, message: 'before' });
  last().say({ type: 'rejected', message_id: third?.['message_id'], code: 'token-needed', message: 'no' });
  expect(await Promise.all([early, ...others])).toEqual([
    { kind: 'done', seq: 12, refs: ['MSG-1'], result: { version: '1' } },
    { kind: 'done-before', ref: null, message: 'before' },
    { kind: 'rejected', code: 'token-needed', message: 'no' },
  ]);
});

test('[WIRE-43] what the server would not take in one frame is refused here, and the connection goes on', async () => {
  const { client, last } = setUp();
  last().establish();
  const before = last().sent.length;
  // Few characters, many bytes.
  for (const text of ['a'.repeat(1_100_000), '字'.repeat(400_000)])
    expect(await client.call('change_message', { id: 'r', uuid: 'u', text })).toMatchObject({ kind: 'rejected', code: 'too-large' });
  expect(last().sent).toHaveLength(before);
  const fits = client.call('change_message', { id: 'r', uuid: 'u', text: '字'.repeat(340_000) });
  expect(last().sent).toHaveLength(before + 1);
  last().say({ type: 'rejected', message_id: last().sent.at(-1)?.['message_id'], code: 'token-needed', message: 'no' });
  expect(await fits).toMatchObject({ kind: 'rejected', code: 'token-needed' });
});

test('[WIRE-15] a command without an answer is sent again to the same server, and to another one only when asking twice is harmless', async () => {
  const { client, last, ring } = setUp();
  last().establish();
  const command = client.call('import', { paths: ['/a'] });
  const sent = last().sent.at(-1);
  last().happen('close', { code: 1006 });
  ring();
  last().establish();
  expect(last().sent.at(-1)).toEqual(sent);
  const query = client.call('status', {});
  last().happen('close', { code: 1006 });
  ring();
  last().establish({ instance: 'i2' });
  expect(await command).toMatchObject({ kind: 'unknown', why: expect.stringMatching(/server restarted/u) as unknown });
  expect(last().sent.map(({ type }) => type)).toEqual(['hello', 'status']);
  client.close();
  expect(await query).toMatchObject({ kind: 'unknown' });
  expect(await client.call('status', {})).toMatchObject({ kind: 'unknown' });
  expect(last().isClosed).toBe(true);
});

test('[WIRE-15] what cannot be read is told, never dropped', () => {
  const { last, troubles, entries } = setUp();
  last().establish();
  last().happen('message', { data: 'nonsense' });
  last().say({ type: 'sing' });
  last().say({ type: 'entry', seq: 'x' });
  last().say({ type: 'error', code: 'bad-request', message: 'no' });
  const data = { id: 'a'.repeat(24), time: 1, role: 'agent', ev: { t: 'text', text: 'x' } };
  last().say(entry(11, [{ content: { type: 'session', data } }, { content: { type: 'session', data: { ...data, role: 'robot' } } }]));
  // A newer server may say more than is known here.
  last().say({ ...entry(12), mood: 'good' });
  expect(troubles.map((trouble) => JSON.stringify(trouble))).toEqual([
    expect.stringMatching(/not a JSON object/u),
    expect.stringMatching(/sing/u),
    expect.stringMatching(/entry: seq/u),
    expect.stringMatching(/bad-request/u),
    expect.stringMatching(/"seq":11,"refusal":\{"field":"content\.data\.role"/u),
  ]);
  expect(entries.map(({ seq, messages, refused }) => [seq, messages.length, refused.length])).toEqual([
    [11, 1, 1],
    [12, 0, 0],
  ]);
});

const happening = (seq: number, more: object = {}): object => ({
  type: 'chat_message',
  seq,
  timestamp: '2026-03-14T12:00:00.000Z',
  sender_agent_id: 'AGENT-scout',
  context_id: 'SB-1',
  uuid: 'u',
  refs: [`MSG-${seq}`],
  content: 'hello',
  ...more,
});

test('[WIRE-22] [WIRE-15] events are told as they are, and counted with the entries', () => {
  const { client, last, events, entries, ring, troubles } = setUp({ sinceSeq: 4 });
  last().establish();
  last().say(happening(5));
  last().say(entry(6));
  last().say(happening(7, { mood: 'good' }));
  last().say({ ...happening(8), seq: 'x' });
  expect(client.seq()).toBe(7);
  expect(events).toEqual([happening(5), happening(7, { mood: 'good' })]);
  expect(entries.map(({ seq }) => seq)).toEqual([6]);
  expect(troubles).toEqual([{ kind: 'unreadable', why: expect.stringMatching(/chat_message: seq/u) as unknown }]);
  last().happen('close', { code: 1006 });
  ring();
  last().establish();
  expect(last().sent[0]).toMatchObject({ since_seq: 7 });
});

test('[WIRE-22] every event that is known can be read', () => {
  for (const type of EVENT_NAMES) {
    expect(decodeServerFrame(JSON.stringify(happening(1, { type })))).toEqual({ ok: true, value: { type: 'event', event: happening(1, { type }) } });
  }
});

test('[WIRE-23] [WIRE-15] sidebars are named, and named again after a reconnect', () => {
  const { client, last, ring } = setUp();
  last().establish();
  client.subscribe({ sessions: null, sidebars: ['SB-1'], hasEnvelopes: true });
  expect(last().sent.at(-1)).toEqual({ type: 'subscribe', sidebars: ['SB-1'], envelopes: true });
  expect(decodeClientFrame(JSON.stringify(last().sent.at(-1)))).toEqual({
    ok: true,
    value: { type: 'subscribe', subscription: { sessions: null, sidebars: ['SB-1'], hasEnvelopes: true } },
  });
  last().happen('close', { code: 1006 });
  ring();
  last().happen('open');
  expect(last().sent[0]).toMatchObject({ subscribe: { sidebars: ['SB-1'] } });
});

test('[WIRE-25] [WIRE-27] what the server says of itself and of others is told, and moves nothing', () => {
  const { client, last, notices, states } = setUp({ sinceSeq: 4 });
  last().establish({ client_type: 'agent', agent_id: 'AGENT-scout' });
  expect(states.at(-1)).toEqual({ kind: 'open', seq: 10, clientType: 'agent', agentId: 'AGENT-scout' });
  const said: readonly ServerNotice[] = [
    { type: 'connection_lost', clientId: 'c2', agentId: 'AGENT-other', reason: 'dropped', seq: 9 },
    { type: 'system_shutdown', message: 'soon', countdownSeconds: 60, urgency: 'normal', seq: 9 },
  ];
  for (const notice of said) last().say(encodeServerFrame(notice));
  expect(notices).toEqual(said);
  expect(client.seq()).toBe(4);
});

test('[WIRE-15] a command that the log remembers is sent again to whichever server answers, under its id', async () => {
  const { client, last, ring } = setUp();
  last().establish();
  const id = 'AAAAAAAA-0000-4000-8000-000000000001';
  const spawned = client.call('sidebar_spawn', { message_id: id, parent_id: null, task_description: 'why?' });
  last().happen('close', { code: 1006 });
  ring();
  last().establish({ instance: 'i2' });
  expect(last().sent.at(-1)).toMatchObject({ type: 'sidebar_spawn', message_id: id.toLowerCase() });
  // Asked once more before the answer: one answer is for one.
  const again = client.call('sidebar_spawn', { message_id: id, parent_id: null, task_description: 'why?' });
  expect(await spawned).toMatchObject({ kind: 'unknown' });
  last().say({ type: 'duplicate_ack', original_message_id: id.toLowerCase(), ref: 'SB-1', message: 'before' });
  expect(await again).toEqual({ kind: 'done-before', ref: 'SB-1', message: 'before' });
});

test('[WIRE-32] a query that nobody waits for any longer is cancelled, and its answer is not heard', async () => {
  const { client, last } = setUp();
  last().establish();
  const given = new AbortController();
  const asked = client.call('search', { q: 'pool' }, given.signal);
  const other = client.call('search', { q: 'login' });
  const [first, second] = last().sent.slice(-2);
  given.abort();
  expect(await asked).toEqual({ kind: 'unknown', why: 'no one is waiting for the answer any longer' });
  expect(last().sent.at(-1)).toEqual({ type: 'cancel', message_id: first?.['message_id'] });
  last().say({ type: 'rejected', message_id: first?.['message_id'], code: 'cancelled', message: 'no one is waiting for the answer any longer' });
  last().say({ type: 'rejected', message_id: second?.['message_id'], code: 'bad-request', message: 'no' });
  expect(await other).toEqual({ kind: 'rejected', code: 'bad-request', message: 'no' });
});

test('[WIRE-32] what was not sent, or is answered, needs no cancelling', async () => {
  const { client, last } = setUp();
  const given = new AbortController();
  const early = client.call('status', {}, given.signal);
  given.abort();
  expect(await early).toMatchObject({ kind: 'unknown' });
  expect(await client.call('status', {}, given.signal)).toMatchObject({ kind: 'unknown' });
  last().establish();
  expect(last().sent.map(({ type }) => type)).toEqual(['hello']);
  const late = new AbortController();
  const answered = client.call('status', {}, late.signal);
  last().say({ type: 'rejected', message_id: last().sent.at(-1)?.['message_id'], code: 'internal', message: 'no' });
  expect(await answered).toMatchObject({ kind: 'rejected' });
  late.abort();
  expect(last().sent.map(({ type }) => type)).toEqual(['hello', 'status']);
});
