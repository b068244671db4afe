import { describe, expect, test } from 'vitest';
import { createClient, type ClientSocket, type QueuedNews, type ServerNotice } from '../src/index.ts';

type Listener = (event: { readonly type: string; readonly data?: unknown; readonly code?: number; readonly reason?: string }) => void;

/** A server at the other end of a wire: what the client says is kept, and what it hears is said here. */
const wire = () => {
  const sockets: { readonly sent: Record<string, unknown>[]; readonly emit: (type: string, event?: object) => void }[] = [];
  class Socket implements ClientSocket {
    readonly listeners = new Map<string, Listener[]>();
    readonly sent: Record<string, unknown>[] = [];
    constructor() {
      sockets.push({ sent: this.sent, emit: (type, event = {}) => this.listeners.get(type)?.forEach((listener) => listener({ type, ...event })) });
    }
    addEventListener(type: string, listener: Listener): void {
      this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
    }
    send(text: string): void {
      this.sent.push(JSON.parse(text) as Record<string, unknown>);
    }
    close(): void {}
  }
  const due: (() => void)[] = [];
  const heard: { readonly queued: QueuedNews[]; readonly notices: ServerNotice[] } = { queued: [], notices: [] };
  let ids = 0;
  const client = createClient({
    url: 'ws://here/ws',
    WebSocket: Socket,
    canQueue: true,
    onEntry: () => {},
    onQueued: (news) => heard.queued.push(news),
    onNotice: (notice) => heard.notices.push(notice),
    newId: () => `00000000-0000-4000-8000-00000000000${(ids += 1)}`,
    later: (_ms, work) => {
      due.push(work);
      return () => void due.splice(due.indexOf(work), 1);
    },
    random: () => 0,
  });
  const now = () => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error('nobody has connected');
    return socket;
  };
  const say = (frame: object): void => now().emit('message', { data: JSON.stringify(frame) });
  const establish = (instance = 'one'): void => {
    now().emit('open');
    say({
      type: 'connection_established',
      client_id: 'c',
      client_type: 'operator',
      agent_id: 'AGENT-operator',
      seq: 5,
      board: 'b',
      instance,
      protocol: 1,
    });
  };
  return { client, heard, now, say, establish, next: () => due.splice(0).forEach((work) => work()), lose: () => now().emit('close', { code: 1006 }) };
};

const QUEUED = {
  type: 'queued',
  cache_id: 'outage-1',
  queue_position: 1,
  durable_in: ['home', 'state'],
  uuid: 'u',
  message: 'queued, not on the log yet',
};
const ID = '00000000-0000-4000-8000-000000000001';

describe('a command that is queued', () => {
  test('[REC-64] has an outcome of its own, and is settled later', async () => {
    const { client, now, say, establish } = wire();
    establish();
    expect(now().sent[0]).toMatchObject({ type: 'hello', queued: true });
    const called = client.call('chat_message', { sidebar_id: 'SB-1', content: 'hello' });
    say({ ...QUEUED, message_id: ID });
    const outcome = await called;
    if (outcome.kind !== 'queued') throw new Error(outcome.kind);
    expect(outcome).toMatchObject({ cacheId: 'outage-1', queuePosition: 1, durableIn: ['home', 'state'], uuid: 'u' });
    say({ type: 'settled', message_id: ID, outcome: 'replayed', seq: 9, refs: ['MSG-4'] });
    expect(await outcome.settled).toMatchObject({ outcome: 'replayed', seq: 9, refs: ['MSG-4'] });
  });

  test('[REC-64] is asked for again after a break, and settled by whatever the server says then', async () => {
    const { client, now, say, establish, lose, next } = wire();
    establish();
    const called = client.call('chat_message', { sidebar_id: 'SB-1', content: 'hello' });
    say({ ...QUEUED, message_id: ID });
    const outcome = await called;
    if (outcome.kind !== 'queued') throw new Error(outcome.kind);
    lose();
    next();
    establish('two');
    expect(now().sent.at(-1)).toMatchObject({ type: 'chat_message', message_id: ID });
    say({ ...QUEUED, message_id: ID });
    say({ type: 'duplicate_ack', original_message_id: ID, ref: 'MSG-4', message: 'before' });
    expect(await outcome.settled).toMatchObject({ outcome: 'replayed', refs: ['MSG-4'] });
  });

  test('[REC-70] is safe where it waits when the server that comes back has to recover first', async () => {
    const { client, say, establish, lose, next } = wire();
    establish();
    const called = client.call('chat_message', { sidebar_id: 'SB-1', content: 'hello' });
    say({ ...QUEUED, message_id: ID });
    const outcome = await called;
    if (outcome.kind !== 'queued') throw new Error(outcome.kind);
    lose();
    next();
    establish('two');
    say({ type: 'rejected', message_id: ID, code: 'recovery-needed', message: 'nothing new is accepted' });
    say({ type: 'settled', message_id: ID, uuid: 'u', outcome: 'discarded', seq: null, refs: [] });
    expect(await outcome.settled).toMatchObject({ outcome: 'discarded', seq: null });
  });

  test('[REC-57] of somebody else is told as news, and an outage as a notice', () => {
    const { heard, say, establish } = wire();
    establish();
    say({ ...QUEUED, message_id: ID, by: { sender_agent_id: 'AGENT-scout', context_id: 'SB-1', events: [{ type: 'chat_message', content: 'hi' }] } });
    expect(heard.queued).toMatchObject([{ messageId: ID, by: { senderAgentId: 'AGENT-scout', contextId: 'SB-1' } }]);
    const emergency = { state: 'emergency', reason: 'working_memory_down', services_down: ['working_memory'], since: '2026-03-14T12:00:00.000Z' };
    say({ type: 'emergency', ...emergency, pending_writes: 1, conflicts: 0, blocked: ['sidebar_spawn'], message: 'down', seq: 5 });
    expect(heard.notices).toMatchObject([{ type: 'emergency', state: 'emergency', servicesDown: ['working_memory'], pendingWrites: 1 }]);
  });
});
