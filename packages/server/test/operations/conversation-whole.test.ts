import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO, FIXTURES, makeBoard, walk, walkMessages, type Message, type TestBoard } from './boards.ts';
import { block, pagesOf, said, TALK, TALK_FILES, type ConversationAnswer, type Step } from './conversations.ts';
import { prompt, reply, result, use } from './records.ts';

let fixtures: TestBoard;
let sessions: readonly string[];
/** As it was told before the session was read as a whole. */
const quick = new Map<string, ConversationAnswer>();
const quickOf = (id: string): ConversationAnswer => quick.get(id) ?? expect.unreachable(`nothing was told of ${id}`);
/** As a whole: the main thread first, then every sub-agent. */
const threads = new Map<string, readonly ConversationAnswer[]>();
const stepsOf = (id: string): readonly Step[] => (threads.get(id) ?? []).flatMap(({ items }) => items);
const mainOf = (id: string): ConversationAnswer => threads.get(id)?.[0] ?? expect.unreachable(`nothing was told of ${id}`);
beforeAll(async () => {
  fixtures = await makeBoard({ roots: [FIXTURES, DEMO] });
  sessions = (await walk(fixtures, 'sessions', { limit: 500 })).map(({ session_id: id }) => id);
  for (const id of sessions) {
    quick.set(id, await fixtures.get('conversation', { id, quick: true, limit: 200 }));
    threads.set(id, await threadsOf(fixtures, id));
  }
});

const threadsOf = async (board: TestBoard, id: string): Promise<readonly ConversationAnswer[]> => {
  const agents = (await walk(board, 'sidechains', { id, limit: 500 })).map(({ agent_id: agent }) => agent);
  return Promise.all(['main', ...agents].map((thread) => pagesOf(board, { id, thread })));
};

describe('every session that a CLI wrote', () => {
  test('[API-22] is returned in steps whose pages put together are the whole', async () => {
    for (const id of sessions) {
      const whole = mainOf(id);
      expect(whole.items.map(({ index }) => index)).toEqual(Array.from({ length: whole.total ?? 0 }, (_, i) => i));
      expect((await fixtures.get('conversation', { id, limit: 200 })).items).toEqual(whole.items.slice(-200));
    }
    for (const id of sessions.filter((_, i) => i % 20 === 0)) {
      const whole = mainOf(id);
      // The log goes on meanwhile: turns that nobody ended are closed.
      for (const limit of [1, 2, 7]) expect(await pagesOf(fixtures, { id }, limit)).toEqual({ ...whole, seq: expect.any(Number) as number });
    }
  });

  test('[API-22] has every prompt, reply and result of its branch and its sub-agents in one step', async () => {
    const SHOWN = new Set(['prompt', 'command', 'bash', 'memory', 'interruption', 'reply', 'boundary', 'summary', 'notice', 'output']);
    let looked = 0;
    for (const id of sessions) {
      const { branch_points: points, roots } = await fixtures.get('session', { id });
      const uuids = stepsOf(id).flatMap((step) => step.uuids);
      expect(new Set(uuids).size).toBe(uuids.length);
      const shown = new Set(uuids);
      const missing = (await walk(fixtures, 'tree', { id, limit: 500 })).filter(({ role, uuid }) => SHOWN.has(role) && !shown.has(uuid));
      if (points > 0 || roots > 1) continue;
      looked += 1;
      expect(missing).toEqual([]);
    }
    expect(looked).toBeGreaterThan(200);
  });

  test('[API-23] has its operations with the words before them, as they are listed', async () => {
    let looked = 0;
    for (const id of sessions) {
      const stepOf = new Map(stepsOf(id).flatMap((step) => step.uuids.map((uuid) => [uuid, step] as const)));
      for (const { message_uuid: uuid, group_uuid: group, ...operation } of await walk(fixtures, 'operations', { id, limit: 500 })) {
        const step = stepOf.get(uuid);
        if (step === undefined) continue; // on another branch
        const found = step.operations.find((one) => one.uuid === operation.uuid);
        expect([found?.name, found?.summary, found?.duration_ms, found?.result_uuid]).toEqual([
          operation.name,
          operation.summary,
          operation.duration_ms,
          operation.result_uuid,
        ]);
        expect(group === null || step.uuids.includes(group)).toBe(true);
        looked += 1;
      }
    }
    expect(looked).toBeGreaterThan(400);
  });

  test('[API-24] can be taken every way it went', async () => {
    let looked = 0;
    for (const id of sessions) {
      for (const { parent_uuid: parent, children } of await walk(fixtures, 'branches', { id, limit: 500 })) {
        for (const [at, { uuid, active }] of children.entries()) {
          const { items, is_active: isActive } = await pagesOf(fixtures, { id, through: uuid });
          const branch = { parent_uuid: parent, at: at + 1, of: children.length, choices: children.map((child) => child.uuid) };
          expect(items.flatMap((step) => step.branch ?? [])).toContainEqual(branch);
          expect(isActive || !active).toBe(true);
          looked += 1;
        }
      }
    }
    expect(looked).toBeGreaterThan(3);
  });

  test('[API-25] finds every one of its messages where it is told', async () => {
    for (const id of sessions.filter((_, i) => i % 25 === 0)) {
      for (const { uuid, ref, agent_id: agent } of await walkMessages(fixtures, id, { thread: 'all', limit: 500 })) {
        const found = await fixtures.get('conversation', { id, at: ref ?? uuid, limit: 1 });
        expect(found.thread === 'main').toBe(agent === null);
        expect(found.items.map(({ index }) => index)).toEqual([found.at]);
      }
    }
  });

  test('[API-26] costs what its steps cost', async () => {
    const nano = (usd: number | null): number => Math.round((usd ?? 0) * 1e9);
    let spent = 0;
    for (const { session_id: id, cost_usd: cost, usage } of await walk(fixtures, 'sessions', { limit: 500 })) {
      if ((await fixtures.get('session', { id })).branch_points > 0) continue;
      const sum = (count: (step: Step) => number): number => stepsOf(id).reduce((total, step) => total + count(step), 0);
      expect([sum((step) => nano(step.cost_usd)), sum((step) => step.usage?.output_tokens ?? 0)]).toEqual([nano(cost), usage.output_tokens]);
      spent += nano(cost);
    }
    expect(spent).toBeGreaterThan(0);
  });
});

describe('long texts', () => {
  const SECRET = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');

  test('[API-27] are cut, and say how long they are; no secret is cut in two', async () => {
    const board = await makeBoard({
      files: {
        [`p/${TALK}.jsonl`]: [
          prompt('u', null, 0, `${'long '.repeat(1000)}end`),
          reply('a', 'u', 1, [
            { type: 'thinking', thinking: 'hm '.repeat(1000) },
            said(`${'x'.repeat(3985)} ${SECRET} after`),
            use('t', 'Bash', { command: `curl -H 'Authorization: ${'y'.repeat(110)}' ${SECRET}` }),
          ]),
        ],
      },
    });
    const { items } = await board.get('conversation', { id: TALK });
    expect(items.map(({ text, text_length: length }) => [text.length <= 4000, length])).toEqual([
      [true, 5003],
      [true, 4032],
    ]);
    expect(items[0]?.text).toBe('long '.repeat(800));
    expect([items[1]?.thinking.length, items[1]?.thinking_length]).toEqual([2000, 3000]);
    for (let at = 0; at + 8 <= SECRET.length; at += 1) expect(JSON.stringify(items)).not.toContain(SECRET.slice(at, at + 8));
  });

  test('[API-27] that were forgotten keep their place, and say so', async () => {
    const board = await makeBoard({
      files: {
        [`p/${TALK}.jsonl`]: [
          prompt('u1', null, 0, 'keep'),
          block('a1', 'u1', 1, 'm1', said('kept')),
          prompt('u2', 'a1', 2, 'forget me'),
          block('a2', 'u2', 3, 'm2', said('forget me, too')),
          block('a3', 'a2', 4, 'm3', said('kept')),
        ],
      },
    });
    await board.get('conversation', { id: TALK });
    for (const ref of ['u2', 'a2']) await board.command('forget', { ref });
    const forgotten = { text: '[forgotten]', is_forgotten: true };
    for (const input of [{ quick: true }, {}]) {
      const { items } = await board.get('conversation', { id: TALK, ...input });
      expect(
        items.map(({ kind, uuid, speaker, text, is_forgotten: isForgotten }) => ({ kind, uuid, speaker, text, is_forgotten: isForgotten })),
      ).toEqual([
        { kind: 'prompt', uuid: 'u1', speaker: 'Human', text: 'keep', is_forgotten: false },
        { kind: 'reply', uuid: 'a1', speaker: 'Claude', text: 'kept', is_forgotten: false },
        { kind: 'prompt', uuid: 'u2', speaker: 'Human', ...forgotten },
        { kind: 'reply', uuid: 'a2', speaker: 'Claude', ...forgotten },
        { kind: 'reply', uuid: 'a3', speaker: 'Claude', text: 'kept', is_forgotten: false },
      ]);
    }
  });
});

describe('a quick answer', () => {
  // What a turn took is known where all of it is.
  const plain = ({ operations, turn, ...step }: Step): object => ({
    ...step,
    index: 0,
    isEnd: turn !== undefined,
    operations: operations.map((one) => ({ ...one, agent_id: null })),
  });

  test('[API-28] has the last steps as they will be, counted from the end', async () => {
    let shorter = 0;
    for (const id of sessions) {
      const early = quickOf(id);
      const whole = mainOf(id);
      const last = whole.items.slice(whole.items.length - early.items.length);
      expect(early).toMatchObject({ total: null, at: null, is_active: true, leaf_uuid: whole.leaf_uuid, thread: 'main' });
      expect(early.items.map(({ index }) => index)).toEqual(last.map((_, i) => i - last.length));
      expect(early.items.map(plain)).toEqual(last.map(plain));
      if (early.items.length < whole.items.length) shorter += 1;
    }
    // Where a parent is missing, only the whole session tells what comes before.
    expect(shorter).toBeLessThan(10);
  });

  test('[API-28] comes once: the session is read meanwhile', async () => {
    const board = await makeBoard({ files: TALK_FILES });
    expect(await board.get('conversation', { id: TALK, quick: true })).toMatchObject({ total: null });
    let later = await board.get('conversation', { id: TALK, quick: true });
    while (later.total === null) {
      await breathe();
      later = await board.get('conversation', { id: TALK, quick: true });
    }
    expect(later).toEqual(await board.get('conversation', { id: TALK }));
  });

  test('[API-28] is not given for a place that only the whole session tells', async () => {
    for (const input of [{ from: 0 }, { at: 'u1', from: 0 }, { at: 'o1_tool_0' }, { through: 'old' }]) {
      const board = await makeBoard({ files: TALK_FILES });
      expect((await board.get('conversation', { id: TALK, quick: true, ...input })).total).not.toBeNull();
      await board.close();
    }
    const board = await makeBoard({ files: TALK_FILES });
    expect(await board.problem(`/api/v1/sessions/${TALK}/conversation?quick=true&thread=nobody`)).toMatchObject({ code: 'not-found' });
    expect(await (await makeBoard({ files: TALK_FILES })).get('conversation', { id: TALK, quick: true, thread: 'outer' })).toMatchObject({
      total: null,
      items: [
        { uuid: 'o1', index: -3 },
        { uuid: 'o2', index: -2, operations: [{ agent_id: 'inner' }] },
        { uuid: 'o4', index: -1 },
      ],
    });
  });

  const turns = (count: number): readonly object[] =>
    Array.from({ length: count }, (_, i) => [
      prompt(`p${i}`, i === 0 ? null : `r${i - 1}`, i, `question ${i}`),
      block(`s${i}`, `p${i}`, i, `m${i}`, said(`I look at ${i}`)),
      block(`u${i}`, `s${i}`, i, `m${i}`, use(`t${i}`, 'Read', { ['file_path']: `/f${i}` })),
      result(`r${i}`, `u${i}`, i, `t${i}`, `content ${i}`),
    ]).flat();

  test('[API-28] of a long session is as short as the limit, and of a branch that began far up it has what leads there', async () => {
    const board = await makeBoard({ files: { [`p/${TALK}.jsonl`]: turns(1000) } });
    const { items } = await board.get('conversation', { id: TALK, quick: true, limit: 10 });
    expect(items.map(({ index, uuid }) => [index, uuid])).toEqual(
      Array.from({ length: 10 }, (_, i) => [i - 10, `${i % 2 === 0 ? 'p' : 's'}${995 + Math.floor(i / 2)}`]),
    );
    const back = await makeBoard({ files: { [`p/${TALK}.jsonl`]: [...turns(1000), prompt('back', 'r500', 2000, 'another way')] } });
    const early = await back.get('conversation', { id: TALK, quick: true, limit: 5 });
    expect(early.items.map(({ uuid }) => uuid)).toEqual(['p499', 's499', 'p500', 's500', 'back']);
    expect(early.items).toEqual(
      (await back.get('conversation', { id: TALK, limit: 5 })).items.map((step, i) => ({ ...step, index: i - 5, branch: null })),
    );
  });

  test('[API-28] around a record has the steps that will be there, counted from its own', async () => {
    // Which ways there are elsewhere, and who a sub-agent is, speaks to and how it fares, only the whole session tells.
    const told = (steps: readonly Step[], thread: string): readonly object[] =>
      steps.map((step) => ({
        ...plain(step),
        branch: null,
        speaker: thread === 'main' ? step.speaker : '',
        operations: step.operations.map((one) => ({ ...one, agent_id: null, state: one.name === 'Agent' ? null : one.state })),
      }));
    let [looked, many] = [0, 0];
    for (const [n, id] of sessions.entries()) {
      const messages = await walkMessages(fixtures, id, { thread: 'all', limit: 500 });
      const { uuid = '', ref = null } = messages[(n * 7) % Math.max(1, messages.length)] ?? {};
      const early = await fixtures.get('conversation', { id, at: ref ?? uuid, quick: true, limit: 20 }).catch(() => null);
      if (early?.total !== null) continue; // it was read already, or only the whole tells
      const whole = await fixtures.get('conversation', { id, at: ref ?? uuid, limit: 200 });
      const at = whole.at ?? Number.NaN;
      const steps = (threads.get(id) ?? []).find(({ thread }) => thread === whole.thread)?.items ?? [];
      if (!whole.is_active) continue; // those are not at hand here
      expect(early).toMatchObject({ at: 0, thread: whole.thread });
      const first = early.items[0]?.index ?? 0;
      expect(early.items.map(({ index }) => index)).toEqual(early.items.map((_, i) => first + i));
      expect(first).toBeLessThanOrEqual(0);
      const same = steps.slice(at + first, at + first + early.items.length);
      expect(told(early.items, whole.thread)).toEqual(told(same, whole.thread));
      looked += 1;
      if (early.items.length > 3) many += 1;
    }
    expect([looked > 150, many > 20]).toEqual([true, true]);
  });

  test('[API-28] around a record is read of its neighbours, on its own branch, however long the session is', async () => {
    const make = () => makeBoard({ files: { [`p/${TALK}.jsonl`]: [...turns(1000), prompt('back', 'r500', 2000, 'another way')] } });
    const middle = await (await make()).get('conversation', { id: TALK, at: 's700', quick: true, limit: 6 });
    expect([middle.at, middle.total, middle.items.map(({ index, uuid }) => [index, uuid])]).toEqual([
      0,
      null,
      ['p699', 's699', 'p700', 's700', 'p701', 's701'].map((uuid, i) => [i - 3, uuid]),
    ]);
    const away = await (await make()).get('conversation', { id: TALK, at: 'back', quick: true, limit: 6 });
    expect(away.items.map(({ index, uuid }) => [index, uuid])).toEqual(
      ['s498', 'p499', 's499', 'p500', 's500', 'back'].map((uuid, i) => [i - 5, uuid]),
    );
  });

  test('[API-28] what is written while somebody looks is told when it is asked for', async () => {
    const board = await makeBoard({ files: { [`p/${TALK}.jsonl`]: turns(50) } });
    const before = await board.get('conversation', { id: TALK });
    const path = join(board.folder, 'projects/p', `${TALK}.jsonl`);
    const more = [prompt('more', 'r49', 100, 'and now?'), block('more1', 'more', 101, 'mm', said('this'))];
    for (const line of more) {
      appendFileSync(path, `${JSON.stringify(line)}\n`);
      await board.board.writer.importPaths([path]);
    }
    const after = await board.get('conversation', { id: TALK });
    expect([before.total, after.total, after.leaf_uuid]).toEqual([100, 102, 'more1']);
    expect(after.items.slice(-3).map(({ uuid }) => uuid)).toEqual(['s49', 'more', 'more1']);
    expect(after.seq).toBeGreaterThan(before.seq ?? 0);
  });
});

describe('a session that is not on the log yet', () => {
  const makePending = async (roots: readonly string[]): Promise<TestBoard> => {
    const board = await makeBoard({ roots, isImported: false });
    const importing = board.board.writer.importPaths(roots);
    while ((await board.get('status')).pending_sessions === 0) await breathe();
    await board.board.writer.stopImport();
    await importing;
    return board;
  };
  const NUMBERED = { ref: null, exchange: null };
  const unnumbered = (answer: ConversationAnswer): object => ({
    ...answer,
    seq: null,
    items: answer.items.map((step) => ({ ...step, ...NUMBERED, operations: step.operations.map((one) => ({ ...one, ref: null })) })),
  });

  test('[API-29] is told as it will be, but for its references', async () => {
    const board = await makePending([DEMO]);
    const pending = (await walk(board, 'sessions', { limit: 500 })).filter(({ state }) => state === 'pending').map(({ session_id: id }) => id);
    const before = new Map<string, readonly ConversationAnswer[]>();
    for (const id of pending) before.set(id, await threadsOf(board, id));
    expect(before.size).toBeGreaterThan(20);
    for (const answers of before.values()) for (const answer of answers) expect(answer).toEqual(unnumbered(answer));
    await board.board.writer.importPaths([DEMO]);
    for (const [id, answers] of before) {
      const after = await threadsOf(board, id);
      // What a copy cost is counted at the original, which only the log knows.
      if (after.some(({ items }) => items.some((step) => step.is_copy))) continue;
      expect(answers).toEqual(after.map(unnumbered));
    }
  });

  test('[API-29] has its messages, operations and results found by its name', async () => {
    const board = await makePending([DEMO]);
    const id = 'b3e545ea-bd53-4e6b-b174-a8f3649aa0d7';
    const messages = await walkMessages(board, id, { thread: 'all', limit: 500 });
    expect(messages.filter(({ type }) => type === 'tool_result').length).toBeGreaterThan(3);
    for (const message of messages) expect(await board.get('message', { ref: message.uuid, session: 'B3E545EA' })).toEqual(message);
    const problem = (ref: string) => board.problem(`/api/v1/messages/${ref}?session=${id}`);
    expect(await problem('nobody')).toMatchObject({
      code: 'not-found',
      detail: `session ${id}, which is not on the log yet, has no message "nobody"`,
    });
    expect(await problem(`${messages[0]?.uuid ?? ''}_tool_7`)).toMatchObject({ code: 'not-found' });
    expect(await problem(`${messages[0]?.uuid ?? ''}_result_7`)).toMatchObject({ code: 'not-found' });
    expect(await problem('MSG-9999')).toMatchObject({ code: 'not-found' });
    expect(await board.problem('/api/v1/messages/x?session=nobody')).toMatchObject({ code: 'not-found' });
  });

  test('[API-29] a fork’s own copy of a record is found by the fork’s name', async () => {
    const first = [
      prompt('u1', null, 0, 'weave'),
      block('a1', 'u1', 1, 'm1', use('t1', 'Bash', { command: 'ls' })),
      result('r1', 'a1', 2, 't1', 'here'),
    ];
    const other = '22222222-0000-4000-8000-000000000002';
    const copy = first.map((line) => ({ ...line, sessionId: other }));
    const board = await makeBoard({
      files: {
        [`p/${TALK}.jsonl`]: first.map((line) => ({ ...line, sessionId: TALK })),
        [`p/${other}.jsonl`]: [...copy, prompt('u2', 'r1', 9, 'on')],
      },
    });
    const find = async (ref: string, session?: string): Promise<Message['session_id']> => (await board.get('message', { ref, session })).session_id;
    for (const ref of ['u1', 'a1', 'r1', 'a1_tool_0', 'a1_result_0'])
      expect([await find(ref), await find(ref, TALK), await find(ref, other)]).toEqual([TALK, TALK, other]);
    expect(await board.problem(`/api/v1/messages/u2?session=${TALK}`)).toMatchObject({ code: 'not-found' });
    const [, , marker] = (await board.get('conversation', { id: other })).items;
    expect(marker).toMatchObject({ kind: 'resumption', note: `forked from session ${TALK}` });
  });
});
