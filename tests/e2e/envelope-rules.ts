import assert from 'node:assert/strict';
import type { Board } from './board.ts';
import { until } from './checks.ts';
import { asRaw } from './records.ts';
import { envelopeOf, lineOf, watch, type Seen, type SeenEnvelope, type Watcher } from './watcher.ts';

/** What holds for every session, whatever was played in it. */
export const assertWellFormed = (watcher: Watcher, session: string): void => {
  const { seqs } = watcher;
  seqs.forEach((seq, i) => assert.ok(i === 0 || seq > (seqs[i - 1] ?? 0), `seq ${seq} came after ${seqs[i - 1] ?? ''}`));
  // A fork repeats the records of its source, and so their envelopes, under its own session.
  const ids = watcher.of(session).map(({ envelope }) => envelope.id);
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
    'ids that came twice',
  );
  const told = watcher.of(session).map(({ envelope }) => envelope);
  told.forEach(({ time, id }, i) => assert.ok(i === 0 || time >= (told[i - 1]?.time ?? 0), `${id} is older than what came before it`));
  assertTurnsAreWhole(told);
  assertCallsArePaired(told);
  assertAgentsAreBracketed(told);
};

const assertTurnsAreWhole = (told: readonly SeenEnvelope[]): void => {
  const turns = new Set(told.flatMap(({ turn }) => (turn === null ? [] : [turn])));
  assert.ok(turns.size > 0, 'there is no turn');
  for (const turn of turns) {
    const own = told.filter((envelope) => envelope.turn === turn);
    const lines = own.map(lineOf).join('; ');
    assert.equal(own.filter(({ event }) => event === 'turn-start').length, 1, `turn-start: ${lines}`);
    assert.equal(own.filter(({ event }) => event === 'turn-end').length, 1, `turn-end: ${lines}`);
    assert.equal(own[0]?.event, 'turn-start', lines);
    const main = own.filter(({ subagent }) => subagent === null);
    assert.equal(main.at(-1)?.event, 'turn-end', lines);
  }
};

const assertCallsArePaired = (told: readonly SeenEnvelope[]): void => {
  const open = new Map<unknown, string | null>();
  for (const { event, ev, subagent } of told) {
    if (event === 'tool-call-start') {
      assert.ok(!open.has(ev['call']), `${String(ev['call'])} begins twice`);
      assert.ok(!['Task', 'Agent'].includes(String(ev['name'])), 'a sub-agent is told as a tool');
      open.set(ev['call'], subagent);
    }
    if (event === 'tool-call-end') {
      assert.equal(open.get(ev['call']), subagent, `${String(ev['call'])} ends elsewhere than it began`);
      open.delete(ev['call']);
    }
  }
  assert.deepEqual([...open.keys()], [], 'calls without an end');
};

const assertAgentsAreBracketed = (told: readonly SeenEnvelope[]): void => {
  for (const agent of agentsOf(told)) {
    const own = told.filter(({ subagent }) => subagent === agent);
    const lines = own.map(lineOf).join('; ');
    assert.match(agent, /^[a-z][0-9a-z]{23}$/u);
    assert.deepEqual([own[0]?.event, own.filter(({ event }) => event === 'start').length], ['start', 1], lines);
    assert.deepEqual([own.at(-1)?.event, own.filter(({ event }) => event === 'stop').length], ['stop', 1], lines);
  }
};

/** The sub-agents of a session, in the order they began. */
const agentsOf = (told: readonly SeenEnvelope[]): readonly string[] => [
  ...new Set(told.flatMap(({ subagent }) => (subagent === null ? [] : [subagent]))),
];

/** What one speaker said and did: the main conversation's, or a sub-agent's by its title. That a run began or ended is nobody's. */
export const storyOf = (seen: readonly Seen[], title: string | null = null): readonly string[] => {
  const told = seen.map(({ envelope }) => envelope);
  const agent = title === null ? null : agentTitled(told, title);
  return told
    .filter(({ subagent }) => subagent === agent)
    .map(lineOf)
    .filter((line) => line !== 'service run');
};

export const agentTitled = (told: readonly SeenEnvelope[], title: string): string => {
  const found = told.find(({ event, ev }) => event === 'start' && ev['title'] === title)?.subagent;
  assert.ok(found !== undefined && found !== null, `no sub-agent "${title}" began`);
  return found;
};

/** Asked afterwards, the session is told as it was told while it ran. */
export const assertSameAfterwards = async (board: Board, told: () => readonly Seen[], session: string): Promise<void> => {
  const same = async (): Promise<true | null> => {
    const items = await listEnvelopes(board, session);
    return items.length === told().length ? true : null;
  };
  // Something may still be on its way, to the log or to whoever watches; if they never agree, the difference is shown.
  await until('as many envelopes as were told', same, 5000).catch(() => {});
  const items = await listEnvelopes(board, session);
  assert.deepEqual(
    items.map(({ envelope }) => lineOf(envelope)),
    told().map(({ envelope }) => lineOf(envelope)),
  );
  assert.deepEqual(items, told());
};

/** What somebody hears who comes later and asks for a session from its beginning. */
export const replayOf = async (board: Board, session: string): Promise<readonly Seen[]> => {
  const late = await watch(board, { since: 0, sessions: [session] });
  try {
    await late.caughtUp();
    return late.of(session);
  } finally {
    late.close();
  }
};

const listEnvelopes = async (board: Board, session: string): Promise<readonly Seen[]> => {
  const items: Seen[] = [];
  let cursor: unknown = null;
  do {
    const more = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : '';
    // Few at a time, so that there is more than one page.
    const { status, body } = await board.get(`/sessions/${session}/envelopes?limit=5${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    for (const item of Array.isArray(body['items']) ? body['items'].map(asRaw) : [])
      items.push({ seq: Number(item['seq']), session, envelope: envelopeOf(asRaw(asRaw(item['content'])['data'])) });
    cursor = body['next_cursor'];
  } while (typeof cursor === 'string');
  return items;
};
