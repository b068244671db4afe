import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addFile,
  append,
  createSession,
  reconstruct,
  renderText,
  takenBackIn,
  withdraw,
  type JsonObject,
  type Session,
  type Source,
} from '../src/index.ts';
import { beginChat } from '../src/dialects/qwen/translation.ts';
import { replay } from '../src/dialects/gemini/replay.ts';
import { toRecord } from '../src/dialects/gemini/records.ts';

const sessionOf = (records: readonly JsonObject[]): Session => {
  const session = createSession('s');
  const file = addFile(session, { path: 's.jsonl', agentId: null });
  records.forEach((record, i) => append(session, file, record, { line: i + 1, part: 0, offset: i, length: 1 }));
  return session;
};

const said = (uuid: string, parentUuid: string | null): JsonObject => ({
  type: 'user',
  uuid,
  parentUuid,
  promptSource: 'typed',
  message: { role: 'user', content: `words of ${uuid}` },
});

const back = (to: string | null): JsonObject => ({ type: 'last-prompt', ...(to === null ? {} : { leafUuid: to }), takesBack: true });

const taken = (session: Session): readonly string[] => [...takenBackIn(session)].map(({ uuid }) => uuid).sort();

describe('what a tool takes back', () => {
  test('[BACK-1] everything behind the place is taken back, whatever comes next', () => {
    const records = [said('a', null), said('b', 'a'), said('c', 'b'), back('a')];
    expect(taken(sessionOf(records))).toEqual(['b', 'c']);
    expect(taken(sessionOf([...records, said('d', 'a')]))).toEqual(['b', 'c']);
    expect(taken(sessionOf([...records, said('d', 'b')]))).toEqual(['c']);
    expect(taken(sessionOf([...records, said('d', 'a'), back(null)]))).toEqual(['a', 'b', 'c', 'd']);
    expect(taken(sessionOf([...records, back('nowhere')]))).toEqual(['b', 'c']);
  });

  test('[BACK-1] it is what a look at each place by itself finds', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 12 })), { maxLength: 14 });
    fc.assert(
      fc.property(steps, (all) => {
        const records: JsonObject[] = [said('n0', null)];
        let last = 0;
        for (const [isBack, at] of all) {
          if (isBack) records.push(back(`n${at % (last + 1)}`));
          else {
            last += 1;
            records.push(said(`n${last}`, `n${at % last}`));
          }
        }
        expect(taken(sessionOf(records))).toEqual(byEachPlace(records));
      }),
    );
  });

  test('[BACK-2] what a tool no longer has is taken back, until it has it again', () => {
    const session = sessionOf([said('a', null), said('b', 'a')]);
    withdraw(session, ['b', 'unknown'], []);
    expect(taken(session)).toEqual(['b']);
    withdraw(session, [], ['b']);
    expect(taken(session)).toEqual([]);
  });

  test('[BACK-4] `show` marks it, and says how much there is', () => {
    const records = [said('a', null), said('b', 'a'), back('a')];
    const session = sessionOf(records);
    const source: Source = {
      session,
      title: 'Pond',
      project: null,
      recordOf: (node) => records.find(({ uuid }) => uuid === node.uuid) ?? null,
      outputOf: () => null,
    };
    const text = [...renderText(source, reconstruct(session))].join('');
    expect(text).toMatch(/^Human \(taken back\)[^\n]*\n {2}words of b$/mu);
    expect(text).not.toMatch(/taken back\)[^\n]*\n {2}words of a$/mu);
    expect(text).toContain('1 message was taken back in Claude Code, and kept here');
  });
});

describe('rollbacks as tools write them down', () => {
  test('[BACK-1] [QWEN-9] a chat of Qwen Code that was rewound', () => {
    const line = (uuid: string, parentUuid: string | null, more: JsonObject): JsonObject => ({ uuid, parentUuid, ...more });
    const user = (text: string): JsonObject => ({ type: 'user', message: { role: 'user', parts: [{ text }] } });
    const lines = [
      line('a', null, user('one')),
      line('b', 'a', user('two')),
      line('r', 'a', { type: 'system', subtype: 'rewind', systemPayload: { truncatedCount: 1 } }),
      line('c', 'r', user('three')),
    ];
    let chat = beginChat({ sessionId: 's', agentId: null });
    const records = lines.map((value, i) => {
      const { record, next } = chat.take(value, { sessionId: 's', agentId: null, line: i + 1, part: 0 });
      chat = next;
      return record;
    });
    const session = sessionOf(records);
    expect(taken(session)).toEqual(['b']);
    expect(session.graph.nodes.get('c')?.parent?.uuid).toBe('a');
  });

  test('[BACK-1] [GEM-8] a chat of Gemini that was rewound, also to its beginning', () => {
    const message = (id: string): JsonObject => ({ id, type: 'user', timestamp: '2026-01-01T00:00:00.000Z', content: id });
    const header = { sessionId: 's', projectHash: 'x' };
    const read = (changes: readonly JsonObject[]): readonly string[] => {
      const lines = [...replay([header, ...changes], null)];
      return taken(sessionOf(lines.map((one, i) => toRecord(one, { sessionId: 's', agentId: null, line: i + 1, part: 0 }))));
    };
    expect(read([message('one'), message('two'), { $rewindTo: 'two' }, message('three')])).toEqual(['gemini/s/two']);
    expect(read([message('one'), message('two'), { $rewindTo: 'one' }])).toEqual(['gemini/s/one', 'gemini/s/two']);
  });
});

/** The same, place by place: what was said before it, stands behind where it goes back to, and has nothing behind it that came later. */
const byEachPlace = (records: readonly JsonObject[]): readonly string[] => {
  const parents = new Map(
    records.flatMap(({ uuid, parentUuid }) => (typeof uuid === 'string' ? [[uuid, parentUuid as string | null] as const] : [])),
  );
  const isBehind = (uuid: string, above: string): boolean => {
    for (let at = parents.get(uuid) ?? null; at !== null; at = parents.get(at) ?? null) if (at === above) return true;
    return false;
  };
  const found = new Set<string>();
  records.forEach(({ takesBack, leafUuid }, at) => {
    if (takesBack !== true || typeof leafUuid !== 'string') return;
    const [before, after] = [records.slice(0, at), records.slice(at + 1)].map((some) =>
      some.flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : [])),
    );
    for (const uuid of before ?? []) if (isBehind(uuid, leafUuid) && !(after ?? []).some((later) => isBehind(later, uuid))) found.add(uuid);
  });
  return [...found].sort();
};
