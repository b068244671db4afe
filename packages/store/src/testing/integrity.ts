import { expect, test } from 'vitest';
import type { Item } from '../port.ts';
import { append, withBoard, type Part } from './bench.ts';
import { line, prompt, reply, result, use } from './records.ts';
import { BOTH } from './session.ts';

/** A rule and a violation of it. */
type Fault = { readonly rule: string; readonly items?: readonly Item[]; readonly sql?: readonly string[] };

const start = line('weave', prompt('start', { uuid: 'u1' }));
const called = [
  start,
  line('weave', reply([use('t1', 'Read', {})], { uuid: 'u2', parent: 'u1', minute: 1 })),
  line('weave', result('t1', 'read', { uuid: 'u3', parent: 'u2', minute: 2 })),
];

export const describeIntegrity: Part = (open) => {
  /** What is reported for the rule: for the whole board, for the session that violates it, and for one that doesn't. */
  const found = async ({ rule, items = called, sql = [] }: Fault): Promise<readonly unknown[]> => {
    const answers: unknown[] = [];
    await withBoard(open, async ({ store, tamper }) => {
      await append(store, [...items, line('other', prompt('healthy', { uuid: 'o1' }))]);
      for (const one of sql) await tamper.execute(one);
      for (const session of [undefined, 'weave'])
        answers.push((await store.library.integrity(session)).findings.find((finding) => finding.rule === rule));
      for (const session of ['other', 'unknown']) answers.push(...(await store.library.integrity(session)).findings);
    });
    return answers;
  };

  const twice = (rule: string, severity: 'error' | 'warning', example: string): readonly unknown[] => {
    const finding = { rule, severity, count: 1, examples: [example] };
    return [finding, finding];
  };

  test('[INT-12] a healthy library has no findings, and the report says what was looked at', () =>
    withBoard(open, async ({ store }) => {
      expect(await store.library.integrity()).toEqual({ messages: 0, operations: 0, findings: [] });
      await append(store, BOTH);
      expect(await store.library.integrity()).toEqual({ messages: 15, operations: 6, findings: [] });
      expect(await store.library.integrity('twill')).toEqual({ messages: 4, operations: 0, findings: [] });
      expect(await store.library.integrity('unknown')).toEqual({ messages: 0, operations: 0, findings: [] });
    }));

  test('[INT-12] of many only five are named, all are counted', () =>
    withBoard(open, async ({ store }) => {
      await append(
        store,
        Array.from({ length: 9 }, (_, at) => line('weave', reply('lost', { uuid: `u${at}`, parent: 'nowhere' }))),
      );
      const [finding] = (await store.library.integrity()).findings;
      expect([finding?.rule, finding?.count, finding?.examples.length]).toEqual(['parent-not-found', 9, 5]);
    }));

  test('[INT-1] a reply or a result without a parent is found', async () => {
    const items = [line('weave', reply('from nowhere', { uuid: 'r1' }))];
    expect(await found({ rule: 'message-without-parent', items })).toEqual(twice('message-without-parent', 'warning', 'r1'));
  });

  test('[INT-2] a parent that is nowhere is found', async () => {
    const items = [line('weave', reply('lost', { uuid: 'r1', parent: 'nowhere' }))];
    expect(await found({ rule: 'parent-not-found', items })).toEqual(twice('parent-not-found', 'warning', 'r1'));
  });

  test('[INT-3] a parent in another session is found', async () => {
    const items = [line('weave', reply('across', { uuid: 'r1', parent: 'o1' }))];
    expect(await found({ rule: 'parent-in-other-session', items })).toEqual(twice('parent-in-other-session', 'warning', 'r1'));
  });

  test('[INT-4] a tool message that is not marked as one is found', async () => {
    const record = { ...prompt('x', { uuid: 'r1' }), type: 'tool_result', parentUuid: 'u1' };
    expect(await found({ rule: 'tool-message-unflagged', items: [start, line('weave', record)] })).toEqual(
      twice('tool-message-unflagged', 'warning', 'r1'),
    );
  });

  test('[INT-5] a result without a use is found', async () => {
    const items = [start, line('weave', result('t9', 'of what?', { uuid: 'r1', parent: 'u1' }))];
    expect(await found({ rule: 'result-without-use', items })).toEqual(twice('result-without-use', 'warning', 'r1'));
  });

  test('[INT-6] a use without a result is found', async () => {
    const items = [start, line('weave', reply([use('t9', 'Read', {})], { uuid: 'r1', parent: 'u1' }))];
    expect(await found({ rule: 'use-without-result', items })).toEqual(twice('use-without-result', 'warning', 'r1'));
  });

  test('[INT-7] a use that the log has and the library has not is found', async () => {
    const sql = ['DELETE FROM operations WHERE kind = 0'];
    expect(await found({ rule: 'use-not-extracted', sql })).toEqual(twice('use-not-extracted', 'error', 'u2'));
  });

  test('[INT-8] a message that is older than its parent is found', async () => {
    const items = [line('weave', prompt('late', { uuid: 'u1', minute: 5 })), line('weave', reply('early', { uuid: 'r1', parent: 'u1', minute: 4 }))];
    expect(await found({ rule: 'time-goes-backwards', items })).toEqual(twice('time-goes-backwards', 'warning', 'r1'));
  });

  test('[INT-9] a message without an entry is found', async () => {
    const sql = ['UPDATE messages SET position = 99 WHERE position = 3', 'UPDATE operations SET position = 99 WHERE position = 3'];
    expect(await found({ rule: 'message-without-entry', sql })).toEqual(twice('message-without-entry', 'error', 'u3'));
  });

  test('[INT-10] a number that the log gave to something else is found', async () => {
    const sql = ['UPDATE messages SET number = 2 WHERE position = 3'];
    expect(await found({ rule: 'number-disagrees-with-log', sql })).toEqual(twice('number-disagrees-with-log', 'error', 'u3'));
  });

  test('[INT-11] messages that are their own ancestors are found, one of each circle', async () => {
    const sql = ["UPDATE messages SET parent_uuid = 'u3' WHERE position = 1"];
    expect(await found({ rule: 'circular-parents', sql })).toEqual(twice('circular-parents', 'error', 'u1'));
  });
};
