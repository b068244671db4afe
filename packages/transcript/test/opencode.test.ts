import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { opencode, readEntry, resumeCommandOf, type Access, type JsonObject } from '../src/index.ts';
import { memoryAccess } from './memory-access.ts';

const { lines, store } = opencode;
if (lines.kind !== 'single' || store === undefined) throw new Error('opencode has a store');
const { toRecord } = lines;
const NOWHERE = { line: 1, part: 0, offset: 0, length: 0 };

/** A tree of files in memory. */
const accessTo = (files: Readonly<Record<string, JsonObject>>, now = 0): Access =>
  memoryAccess((path) => (files[path] === undefined ? null : JSON.stringify(files[path])), {
    names: (folder) =>
      [
        ...new Set(Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).split('/')[0] ?? ''] : []))),
      ].sort(),
    look: (path) => (files[path] === undefined ? null : { bytes: 1, modified: 1 }),
    now,
  });

const SESSION = { '/d/storage/session/p/ses_1.json': { id: 'ses_1', directory: '/p', title: 'Pond', version: '1.1', time: { created: 1000 } } };

const recordsOf = (files: Readonly<Record<string, JsonObject>>, now = 0): readonly JsonObject[] =>
  [...(store.linesIn('/d/storage/ses_1', accessTo(files, now)).lines ?? [])].map((line, i) =>
    toRecord(line, { sessionId: 'ses_1', agentId: null, line: i + 1, part: 0 }),
  );

describe('where sessions of opencode are', () => {
  test('[OPEN-1] in $XDG_DATA_HOME, else in the home folder, or where $OPENCODE_DB says, and nowhere if that is not there', () => {
    const rootsIn = (env: Record<string, string>, there = true) => opencode.roots({ env, home: '/home/dev', exists: () => there });
    expect(rootsIn({})).toEqual(['/home/dev/.local/share/opencode']);
    expect(rootsIn({ XDG_DATA_HOME: '/data' })).toEqual(['/data/opencode']);
    expect(rootsIn({ OPENCODE_DB: '/else/where.db' })).toEqual(['/home/dev/.local/share/opencode', '/else/where.db']);
    expect(rootsIn({ OPENCODE_DB: 'mine.db' })).toEqual(['/home/dev/.local/share/opencode', '/home/dev/.local/share/opencode/mine.db']);
    for (const name of ['opencode-beta.db', ':memory:', '']) expect(rootsIn({ OPENCODE_DB: name })).toEqual(['/home/dev/.local/share/opencode']);
    expect(rootsIn({}, false)).toEqual([]);
    expect(opencode.transcriptsIn('opencode', ['log', 'snapshot', 'opencode.db', 'opencode-dev.db', 'storage'])).toEqual([
      'opencode.db',
      'opencode-dev.db',
      'storage',
    ]);
    expect(resumeCommandOf('opencode', 'ses_1', '/p')).toBe('cd /p && opencode --session ses_1');
  });

  test('[OPEN-1] a session goes by what it is kept in and its id, a sub-agent also by its session', () => {
    expect(opencode.classify('/d/opencode.db/ses_1')).toEqual({ role: 'main', sessionId: 'ses_1' });
    expect(opencode.classify('/d/storage/ses_1/ses_2')).toEqual({ role: 'agent', agentId: 'ses_2', sessionId: 'ses_1' });
    expect(['/d/opencode.db', '/d/storage/session/p/ses_1.json', '/d/a.jsonl'].map((path) => opencode.classify(path).role)).toEqual([
      'foreign',
      'foreign',
      'foreign',
    ]);
  });
});

describe('the rows of opencode', () => {
  test('[OPEN-4] what is being written waits, unless nobody can be writing it any more', () => {
    const files = {
      ...SESSION,
      '/d/storage/message/ses_1/msg_1.json': { id: 'msg_1', role: 'assistant', modelID: 'm', time: { created: 2000 } },
      '/d/storage/part/msg_1/prt_1.json': { id: 'prt_1', type: 'text', text: 'Done.', time: { start: 2000, end: 2001 } },
      '/d/storage/part/msg_1/prt_2.json': { id: 'prt_2', type: 'text', text: 'Half a', time: { start: 2002 } },
    };
    const textsAt = (now: number) => recordsOf(files, now).flatMap((record) => /Done\.|Half a/u.exec(JSON.stringify(record))?.[0] ?? []);
    expect(textsAt(3000)).toEqual(['Done.']);
    expect(textsAt(2002 + 3_600_001)).toEqual(['Done.', 'Half a']);
  });

  test('[OPEN-6] the quotes that the CLI puts around a prompt are not part of it', () => {
    const promptOf = (text: string) =>
      recordsOf({
        ...SESSION,
        '/d/storage/message/ses_1/msg_1.json': { id: 'msg_1', role: 'user', time: { created: 2000 } },
        '/d/storage/part/msg_1/prt_1.json': { id: 'prt_1', type: 'text', text },
      }).flatMap((record) => (record['promptSource'] === 'typed' ? [(record['message'] as JsonObject)['content']] : []));
    expect(promptOf('"Why does it leak?"\n')).toEqual(['Why does it leak?']);
    expect(promptOf(String.raw`"Say \"hi\" twice"`)).toEqual(['Say "hi" twice']);
    expect(promptOf('"a" and "b"')).toEqual(['"a" and "b"']);
    expect(promptOf('"word"')).toEqual(['"word"']);
  });

  test('[OPEN-8] reasoning stands beside the output where the total says so', () => {
    const outputOf = (tokens: JsonObject) =>
      recordsOf({
        ...SESSION,
        '/d/storage/message/ses_1/msg_1.json': { id: 'msg_1', role: 'assistant', time: { created: 2000, completed: 2001 }, tokens },
      }).flatMap((record) => readEntry(record, NOWHERE).usage?.output ?? []);
    expect(outputOf({ input: 5, output: 10, reasoning: 4, total: 19, cache: { read: 0, write: 0 } })).toEqual([14]);
    expect(outputOf({ input: 5, output: 10, reasoning: 4, cache: { read: 0, write: 0 } })).toEqual([10]);
  });

  test('[OPEN-3] a tree of the first versions is named and left alone, and no session of it seems empty', () => {
    const files = {
      '/d/project/p/storage/session/info/ses_1.json': { id: 'ses_1', title: 'Old' },
      '/d/project/p/storage/session/message/ses_1/msg_1.json': {},
    };
    const kept = store.sessionsIn('/d/project/p/storage', ['session'], false, accessTo(files));
    expect(kept).toMatchObject({
      sessions: [],
      problem: expect.stringMatching(/^unreadable: written by one of the first versions of opencode/u),
    });
  });

  test('[OPEN-12] what a tree has lost its sessions or messages of is named and counted', () => {
    const part = (session: string) => ({ type: 'text', text: 'Left', sessionID: session });
    const problemOf = (files: Readonly<Record<string, JsonObject>>, names: readonly string[]) =>
      store.sessionsIn('/d/storage', names, false, accessTo(files))?.problem;
    const left = {
      '/d/storage/part/msg_1/prt_1.json': part('ses_1'),
      '/d/storage/part/msg_1/prt_2.json': part('ses_1'),
      '/d/storage/part/msg_2/prt_3.json': {},
    };
    const missing = 'unreadable: 2 of its sessions, whose own files are missing or damaged: ses_1, that of msg_2';
    expect(problemOf(left, ['part'])).toBe(`${missing}; 0 messages and 3 parts are left of them`);
    expect(problemOf({ ...left, '/d/storage/message/ses_1/msg_1.json': {} }, ['message', 'part', 'session'])).toBe(
      `${missing}; 1 message and 3 parts are left of them`,
    );
    // The CLI itself leaves them there when it reverts.
    expect(problemOf({ ...SESSION, '/d/storage/part/msg_1/prt_1.json': part('ses_1') }, ['part', 'session'])).toBe(
      'not a part of any message of its session, as after a revert: 1 of msg_1',
    );
    expect(problemOf(SESSION, ['session'])).toBe(null);
    expect(problemOf({}, ['part'])).toBe(undefined);
  });

  test('[OPEN-11] a part that says nothing at all is a record, too', () => {
    const records = recordsOf({ ...SESSION, '/d/storage/message/ses_1/msg_1.json': { role: 'user' }, '/d/storage/part/msg_1/prt_1.json': {} });
    expect(records.map(({ type }) => type)).toContain('opencode/part/');
  });

  test('[OPEN-11] whatever a row holds, it becomes records that can be read, the same each time', () => {
    const anything = fc.dictionary(
      fc.constantFrom('type', 'text', 'state', 'time', 'tokens', 'error', 'role', 'tool', 'callID', 'summary', 'path'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(anything, anything, (message, part) => {
        const files = {
          ...SESSION,
          '/d/storage/message/ses_1/msg_1.json': { ...(message as JsonObject), id: 'msg_1' },
          '/d/storage/part/msg_1/prt_1.json': { ...(part as JsonObject), id: 'prt_1' },
        };
        const records = recordsOf(files, 1e15);
        for (const record of records) readEntry(record, NOWHERE);
        expect(records.length).toBeGreaterThan(1);
        expect(recordsOf(files, 1e15)).toEqual(records);
      }),
    );
  });
});
