import { NOWHERE } from '@yarnboard/store';
import { readEntry } from '@yarnboard/transcript';
import { describe, expect, test } from 'vitest';
import { AT, play, playToEnd, readingOf, uuidOf } from './converting.ts';
import { ALL_RECORDED, readRecorded } from './streams.ts';

describe('the recorded streams', () => {
  test('there are both versions, with every scenario', () => {
    expect(ALL_RECORDED.length).toBe(34);
  });

  test.each(ALL_RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    '[RUN-1] %s keeps every uuid, role and tool id that is on disk',
    (_, { queries, disk }) => {
      let shared = 0;
      for (const messages of queries) {
        const { records, state } = playToEnd(messages);
        const said = messages.filter(({ type }) => type === 'user' || type === 'assistant');
        const byUuid = new Map(records.map((record) => [uuidOf(record), record]));
        expect(byUuid.size).toBe(records.length);
        for (const message of said) {
          const record = byUuid.get(uuidOf(message)) ?? {};
          const line = disk.get(uuidOf(message)) ?? {};
          expect([record['uuid'], line['uuid']]).toEqual([message['uuid'], message['uuid']]);
          shared += 1;
          const [mine, theirs] = [readingOf(record), readEntry(line, NOWHERE)];
          expect(mine).toMatchObject({
            type: theirs.type,
            role: theirs.role,
            sessionId: message['session_id'], // a fork copies lines, and calls them its own
            isSidechain: theirs.isSidechain,
            agentId: mine.agentId === null ? null : theirs.agentId, // the stream may not tell
            at: typeof message['timestamp'] === 'string' ? theirs.at : AT,
            cwd: '/home/dev/proj',
            version: theirs.version,
            uses: theirs.uses,
            results: theirs.results.map(({ toolUseId, isError, answer }) => ({ toolUseId, isError, answer })),
          });
        }
        expect(state.open.size).toBe(0);
      }
      expect(shared).toBeGreaterThan(1);
    },
  );

  test.each(ALL_RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    '[RUN-3] in %s every parent resolves, and no conversation hangs on another',
    (_, { queries }) => {
      for (const messages of queries) {
        const { records } = playToEnd(messages);
        const owners = new Map<unknown, unknown>();
        for (const record of records) {
          const parent = record['parentUuid'];
          // Told before, in the same conversation.
          expect(parent === null || (owners.has(parent) && owners.get(parent) === record['parent_tool_use_id'])).toBe(true);
          owners.set(record['uuid'], record['parent_tool_use_id']);
        }
      }
    },
  );

  test.each(ALL_RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    '[RUN-4] in %s every Task and Agent call has its prompt at the head of its conversation',
    (_, { queries, disk }) => {
      for (const messages of queries) {
        const { records } = playToEnd(messages);
        const calls = records.flatMap((record) => readingOf(record).uses.filter(({ call: made }) => made !== null));
        for (const { id, call: made } of calls) {
          const inside = records.filter((record) => record['parent_tool_use_id'] === id);
          const [first, ...others] = inside.map(readingOf);
          expect(first).toMatchObject({ role: 'prompt', text: made?.prompt, parentUuid: null });
          expect(others.filter(({ role }) => role === 'prompt')).toEqual([]);
          // Where the stream brings it, it is the one on disk.
          expect(inside[0]?.['synthetic'] === 'root' || disk.has(first?.uuid ?? '')).toBe(true);
        }
      }
    },
  );

  test.each(ALL_RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    '[RUN-5] in %s every call ends up with one result',
    (_, { queries }) => {
      for (const messages of queries) {
        // Cut off at every place.
        for (let length = 0; length <= messages.length; length += 1) {
          const { records } = playToEnd(messages.slice(0, length));
          const readings = records.map(readingOf);
          const uses = readings.flatMap(({ uses: some }) => some.map(({ id }) => id));
          const results = readings.flatMap(({ results: some }) => some.map(({ toolUseId }) => toolUseId));
          expect([...results].sort()).toEqual([...uses].sort());
        }
      }
    },
  );

  test.each(ALL_RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    '[RUN-7] in %s every result of the SDK is one end of a turn',
    (name, { queries }) => {
      for (const messages of queries) {
        const ends = play(messages).facts.filter(({ kind }) => kind !== 'session' && kind !== 'working');
        expect(ends.length).toBe(messages.filter(({ type }) => type === 'result').length);
        const isInterrupted = name.includes('interrupt') && messages.some(({ subtype }) => subtype === 'error_during_execution');
        expect(ends.map(({ kind }) => kind)).toEqual(isInterrupted ? ['cancelled', 'ready'] : ends.map(() => 'ready'));
      }
    },
  );

  test('[RUN-4] a notice that an agent ended is understood as one; that of a command is not told', () => {
    const { queries } = readRecorded('sdk-0.3.325', 'bgtask');
    const { records, state } = play(queries[0] ?? []);
    const notices = records.map(readingOf).flatMap(({ more }) => (more?.notice == null ? [] : [more.notice]));
    expect(notices).toEqual([
      { source: 'notification', agentId: 'ab40eb1102f477c38', toolUseId: 'toolu_014f5sAaTAcXuYigBpF7DeSR', status: 'completed' },
    ]);
    expect(state.left.get('system/task_notification')).toBe(1);
    expect(state.left.get('system/task_started')).toBe(1);
  });

  test.each(['sdk-0.2.50', 'sdk-0.3.325'])('[RUN-1] a compaction of %s is a boundary and a summary, as on disk', (version) => {
    const { queries, disk } = readRecorded(version, 'compact');
    const records = queries.flatMap((messages) => play(messages).records);
    const roles = records.map((record) => readingOf(record).role);
    expect(roles.filter((role) => role === 'boundary' || role === 'summary' || role === 'output')).toEqual(['boundary', 'summary', 'output']);
    const boundary = records.map(readingOf).find(({ role }) => role === 'boundary');
    const line = [...disk.values()].find(({ subtype }) => subtype === 'compact_boundary');
    expect(boundary?.uuid).toBe(line?.['uuid']);
    expect(boundary?.more?.compaction).toEqual(line === undefined ? null : readEntry(line, NOWHERE).more?.compaction);
  });
});
