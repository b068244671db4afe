import { ENTRY_TYPES } from '@yarnboard/domain';
import type { EntryFrame } from '@yarnboard/protocol';
import { discover, planGroups } from '@yarnboard/server';
import { recordOf, type Store } from '@yarnboard/store';
import { assertNever, conversationOf, idOf, type Conversation, type ConversationItem, type Envelope } from '@yarnboard/transcript';
import { expect } from 'vitest';
import { expectWhole, until } from './home.ts';
import { readSession } from './session-reading.ts';
import { toldByTranscript } from './told-conversation.ts';
import type { Listener, Stage } from './live-stage.ts';

export const envelopesOf = (frames: readonly EntryFrame[], sessionId: string): readonly Envelope[] =>
  frames.filter((frame) => frame.sessionId === sessionId).flatMap(({ messages }) => messages);

/** One envelope in a few words. */
export const lineOf = ({ role, ev }: Envelope): string => {
  switch (ev.t) {
    case 'text':
      return `${role}: ${ev.text.slice(0, 60)}`;
    case 'tool-call-start':
      return `${ev.t} ${ev.name}`;
    case 'tool-call-end':
      return `${ev.t}${ev.isInterrupted === true ? ' interrupted' : ev.isError ? ' with an error' : ''}`;
    case 'turn-end':
    case 'stop':
      return `${ev.t} ${ev.status}`;
    case 'service':
      return `${ev.t} ${ev.kind}: ${ev.text}`;
    case 'turn-start':
    case 'start':
    case 'file':
      return ev.t;
    default:
      return assertNever(ev);
  }
};

export const storyOf = (frames: readonly EntryFrame[], sessionId: string): readonly string[] =>
  envelopesOf(frames, sessionId)
    .filter(({ subagent, ev }) => subagent === undefined && ev.t !== 'service')
    .map(lineOf);

/** What is wrong with the envelopes of a session, whatever was said in it; everything must be closed in the end. */
export const faultsIn = (envelopes: readonly Envelope[]): readonly string[] => {
  const faults: string[] = [];
  const ids = new Set<string>();
  const open = { turn: null as string | null };
  const agents = new Map<string, 'running' | 'stopped'>();
  const calls = new Map<string, 'open' | 'cut' | 'ended'>();
  for (const [i, envelope] of envelopes.entries()) {
    const { id, turn, subagent, ev, time } = envelope;
    const fault = (what: string): void => void faults.push(`${what} at ${i}: ${lineOf(envelope)}`);
    if (ids.has(id)) fault('an id twice');
    ids.add(id);
    if (time < (envelopes[i - 1]?.time ?? 0)) fault('time goes back');
    if (ev.t === 'turn-start') {
      if (open.turn !== null) fault('a turn within a turn');
      open.turn = turn ?? '';
    } else if (ev.t === 'turn-end') {
      if (open.turn === null || open.turn !== turn) fault('the end of no turn');
      open.turn = null;
    } else if (ev.t === 'start' && subagent !== undefined) {
      if (agents.get(subagent) === 'running') fault('a second start');
      agents.set(subagent, 'running');
    } else if (ev.t === 'stop' && subagent !== undefined) {
      if (agents.get(subagent) !== 'running') fault('a stop without a start');
      agents.set(subagent, 'stopped');
    } else if (ev.t === 'tool-call-start') {
      if (calls.has(ev.call)) fault('a call twice');
      calls.set(ev.call, 'open');
    } else if (ev.t === 'tool-call-end') {
      const before = calls.get(ev.call);
      if (before === undefined || before === 'ended' || (before === 'cut' && ev.isInterrupted === true)) fault('an end without a call, or twice');
      calls.set(ev.call, ev.isInterrupted === true ? 'cut' : 'ended');
    }
    if (subagent !== undefined && !agents.has(subagent)) fault('a sub-agent that never started');
  }
  if (open.turn !== null) faults.push('a turn is left open');
  for (const [agent, state] of agents) if (state === 'running') faults.push(`sub-agent ${agent} is left running`);
  for (const [call, state] of calls) if (state === 'open') faults.push(`call ${call} is left open`);
  return faults;
};

/** WIRE-7: every position from the first to the last, once. */
export const expectNoGap = ({ frames, events }: Pick<Listener, 'frames' | 'events'>): void => {
  const told = [...frames, ...events].map(({ seq }) => seq).sort((a, b) => a - b);
  expect(told).toEqual(told.map((_, i) => i + 1));
};

/** Waits until the listener has everything, and nothing is done about runs and turns any more. */
export const settle = async (stage: Stage, { frames, client }: Listener): Promise<void> => {
  const types = (type: string): number => frames.filter((frame) => frame.entryType === type).length;
  try {
    await until(async () => {
      const { entries } = await stage.ask('status');
      const isAllHeard = client.seq() === entries;
      const isSettled = types(ENTRY_TYPES.runSettled) === types(ENTRY_TYPES.runStarted);
      const sessions = new Set(frames.map(({ sessionId }) => sessionId));
      return isAllHeard && isSettled && [...sessions].every((id) => isQuiet(envelopesOf(frames, id))) ? true : null;
    });
  } catch {
    // Whoever looks closer says what is missing.
  }
};

const isQuiet = (envelopes: readonly Envelope[]): boolean =>
  envelopes.findLast(({ ev }) => ev.t === 'turn-start' || ev.t === 'turn-end')?.ev.t !== 'turn-start';

/** WIRE-8, WIRE-16: what came in pieces is what somebody hears who comes now, and what is listed. */
const expectSameNow = async (stage: Stage, { frames }: Listener): Promise<void> => {
  for (const id of new Set(frames.flatMap(({ sessionId, messages }) => (messages.length > 0 ? [sessionId] : [])))) {
    const { items } = await stage.ask('envelopes', { id, limit: 500 });
    const told = frames.filter(({ sessionId }) => sessionId === id).flatMap(({ seq, messages }) => messages.map((envelope) => [seq, envelope.id]));
    expect(items.map(({ seq, content }) => [seq, content.data.id])).toEqual(told.slice(0, 500));
  }
  const late = stage.listen();
  await until(() => (late.frames.length >= frames.length ? true : null)).catch(() => {}); // the difference is shown below
  late.client.close();
  expect(late.frames).toEqual(frames);
};

/** ENV-49: the same texts, thoughts, calls and results, in order, from envelopes and from the files; what the files never answered is an error. */
const expectSameAsFiles = (stage: Stage, frames: readonly EntryFrame[], sessions: readonly string[]): void => {
  for (const group of planGroups(discover([stage.home.env['CLAUDE_CONFIG_DIR'] ?? ''])).groups) {
    if (!sessions.includes(group.sessionId)) continue;
    const reading = readSession(group);
    const told = toldByTranscript(reading);
    const conversation = conversationOf(envelopesOf(frames, group.sessionId));
    expect({ sessionId: group.sessionId, items: itemsOf(conversation.main) }).toEqual({
      sessionId: group.sessionId,
      items: told.main.map(withoutCut),
    });
    for (const { calls, items } of told.sidechains)
      expect({ calls, items: itemsOf(asideOf(conversation, calls[0] ?? '')) }).toEqual({ calls, items: items.map(withoutCut) });
    expect(conversation.sidechains.filter(({ isOrphan }) => isOrphan)).toEqual([]);
  }
};

const asideOf = (conversation: Conversation, call: string): readonly ConversationItem[] =>
  conversation.sidechains.find(({ subagent }) => subagent === idOf('subagent', call))?.items ?? [];

const itemsOf = (items: readonly ConversationItem[]): readonly object[] =>
  items.filter(({ kind }) => kind !== 'subagent' && kind !== 'service').map(({ id: _id, time: _time, turn: _turn, ...item }) => withoutCut(item));

// Where nobody knows a result, envelopes say that it was cut off in the words of whoever cut it.
const withoutCut = (item: object): object => {
  const { kind, call, name, args, result } = item as Readonly<Record<string, unknown>>; // an item of either side
  if (kind !== 'tool') return item;
  const isCut = result === null || result === CUT;
  return { kind, call, name, args, result: isCut ? 'cut' : result };
};
const CUT = '[Request interrupted by user for tool use]';

/** RUN-11: every record that was streamed has one line, and that one number if it is a message. */
const expectNumberedOnce = async (store: Store): Promise<void> => {
  const { count } = await store.log.head();
  const streamed = new Set<string>();
  const lines = new Map<string, string[]>();
  for (let at = 0; at < count; at += STEP) {
    const entries = await store.log.entriesAfter(at, STEP);
    const payloads = await store.log.payloadsOf(entries.map(({ position }) => position));
    for (const { type, position, uuid, refs, copyOf } of entries) {
      if (type === ENTRY_TYPES.streamed) {
        const record = recordOf({ note: null }, payloads.get(position) ?? null);
        if (typeof record?.['uuid'] === 'string' && record['synthetic'] === undefined) streamed.add(record['uuid']);
      } else if (type === ENTRY_TYPES.line && copyOf === null) lines.set(uuid, [...(lines.get(uuid) ?? []), refs.join(' ')]);
    }
  }
  const wrong = [...streamed]
    .map((uuid) => [uuid, ...(lines.get(uuid) ?? [])])
    .filter(([, ...refs]) => refs.length !== 1 || !/^MSG-\d+(?: EXCH-\d+)?$/u.test(refs[0] ?? ''));
  expect(wrong).toEqual([]);
};
const STEP = 500;

/** What is on the log is whole, and what was heard is all of it. */
export const expectWholeLog = async (stage: Stage, { frames, events }: Pick<Listener, 'frames' | 'events'>): Promise<void> => {
  const store = await stage.home.open();
  try {
    expect(await expectWhole(store)).toBe(frames.length + events.length);
    await expectNumberedOnce(store);
  } finally {
    await store.close();
  }
};

/** The turns of a session, how each ended, and what the main conversation said in it. */
export const turnsIn = (
  frames: readonly EntryFrame[],
  sessionId: string,
): readonly { readonly status: string | null; readonly said: readonly string[] }[] => {
  const envelopes = envelopesOf(frames, sessionId);
  return envelopes.flatMap(({ turn, ev }) => {
    if (ev.t !== 'turn-start') return [];
    const own = envelopes.filter((one) => one.turn === turn && one.subagent === undefined);
    const end = own.find((one) => one.ev.t === 'turn-end')?.ev;
    return [{ status: end?.t === 'turn-end' ? end.status : null, said: own.flatMap((one) => (one.ev.t === 'text' ? [one.ev.text] : [])) }];
  });
};

/** Everything that must hold of what a listener was told, once nothing happens any more; the server is stopped for it. `unwritten` are sessions whose files lack something. */
export const expectAllWell = async (stage: Stage, listener: Listener, unwritten: readonly string[] = []): Promise<void> => {
  const { frames } = listener;
  const sessions = [...new Set(frames.map(({ sessionId }) => sessionId))];
  expectNoGap(listener);
  expect(listener.troubles).toEqual([]);
  expect(sessions.flatMap((id) => faultsIn(envelopesOf(frames, id)).map((fault) => `${id}: ${fault}`))).toEqual([]);
  await expectSameNow(stage, listener);
  expectSameAsFiles(
    stage,
    frames,
    sessions.filter((id) => !unwritten.includes(id)),
  );
  expect(await stage.end('SIGTERM')).toBe(0);
  await expectWholeLog(stage, listener);
  expect(stage.home.run('verify')).toMatchObject({ status: 0 });
};

export const isText =
  (text: string) =>
  ({ messages }: EntryFrame): boolean =>
    messages.some(({ ev }) => ev.t === 'text' && ev.text.startsWith(text));

export const isCall =
  (name: string) =>
  ({ messages }: EntryFrame): boolean =>
    messages.some(({ ev }) => ev.t === 'tool-call-start' && ev.name === name);

export const isType =
  (type: string, session?: string) =>
  ({ entryType, sessionId }: EntryFrame): boolean =>
    entryType === type && (session === undefined || sessionId === session);

/** How the turns of a session ended. */
export const endsIn = (frames: readonly EntryFrame[], sessionId: string): readonly (string | null)[] =>
  turnsIn(frames, sessionId).map(({ status }) => status);

/** Ends a run, and waits until all it said has its numbers. */
export const endRun = async (stage: Stage, listener: Listener, id: string, session: string): Promise<void> => {
  const before = listener.frames.filter(isType(ENTRY_TYPES.runEnded, session)).length;
  await stage.ask('end_run', { id });
  await until(() => (listener.frames.filter(isType(ENTRY_TYPES.runEnded, session)).length > before ? true : null));
  await settle(stage, listener);
};
