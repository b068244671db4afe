import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { draftOfCompanion, draftOfLine, NOWHERE, openStore, sha256, type Item, type Store } from '@yarnboard/store';
import { DEFAULT_PRICES, readEntry, type JsonObject } from '@yarnboard/transcript';
import Database from 'better-sqlite3';
import { mark } from '../../../store/src/testing/records.ts';
import { homeOf, type Home } from '../../src/home/home.ts';
import { createCheckpoints } from '../../src/threads/checkpoints.ts';
import { verifyBoard, verifyLog, type Verdict } from '../../src/threads/verification.ts';

export type Stage = {
  readonly home: Home;
  readonly folder: string;
  readonly board: string;
  readonly search: string;
  readonly meaning: string;
  readonly media: string;
  /** The same folder as it was halfway. */
  readonly older: string;
  /** Makes a folder whose board has the same id and as many entries, other ones from the eleventh on. */
  readonly rewritten: () => Promise<string>;
  /** Puts everything back as it was, or one file. */
  readonly reset: (file?: string) => void;
  /** Runs statements with everything that guards the log out of the way, and back in place afterwards. */
  readonly execute: (file: string, work: (db: Database.Database) => boolean) => boolean;
  readonly verify: () => Promise<Verdict>;
  readonly dispose: () => void;
};

const NOON = Date.UTC(2026, 2, 14, 12);

/** A small board that has something in every column of every table, closed, with its checkpoints and its index. */
export const createStage = async (): Promise<Stage> => {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'yarnboard-tampering-'));
  const [folder, pristine] = [join(root, 'now'), join(root, 'pristine')];
  const home = homeOf({ env: { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state') }, home: folder });
  const board = home.database.slice('sqlite:'.length);
  const media = await fill(home, (i) => {
    if (i === 1) cpSync(folder, join(root, 'older'), { recursive: true });
  });
  cpSync(folder, pristine, { recursive: true });
  const open = (): Promise<Store> => openStore(home.database, { ...OPTIONS, readOnly: true });
  return {
    home,
    folder,
    board,
    media,
    older: join(root, 'older'),
    rewritten: async () => {
      const other = join(root, 'rewritten');
      await fill(
        homeOf({ env: { YARNBOARD_HOME: join(other, 'home'), YARNBOARD_STATE: join(other, 'state') }, home: other }),
        () => {},
        'what was never said',
      );
      return other;
    },
    search: join(home.folder, 'board', 'search.db'),
    meaning: join(home.folder, 'board', 'meaning.db'),
    reset: (file) => {
      if (file === undefined) {
        rmSync(folder, { recursive: true, force: true });
        cpSync(pristine, folder, { recursive: true });
        return;
      }
      for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
      copyFileSync(join(pristine, relative(folder, file)), file);
    },
    execute: (file, work) => {
      const db = new Database(file).unsafeMode(true);
      try {
        db.pragma('synchronous = OFF');
        db.exec('BEGIN');
        const guards = db.prepare<[], readonly [string, string]>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").raw().all();
        for (const [name] of guards) db.exec(`DROP TRIGGER ${name}`);
        const isDone = work(db);
        for (const [, sql] of guards) db.exec(sql);
        db.exec('COMMIT');
        return isDone;
      } finally {
        db.close();
      }
    },
    verify: async () => {
      const store = await open();
      try {
        const checkpoints = createCheckpoints(home, store.log.boardId, () => NOON);
        return await verifyBoard(await verifyLog(store.log, checkpoints), store.audit, store, [media]);
      } finally {
        await store.close();
      }
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
};

const OPTIONS = { prices: DEFAULT_PRICES, now: () => NOON, newId: () => 'board-under-test' } as const;

const fill = async (home: Home, onBatch: (i: number) => void, text = 'another weave'): Promise<string> => {
  mkdirSync(join(home.folder, 'board'), { recursive: true });
  const store = await openStore(home.database, { ...OPTIONS, isIndexing: true });
  const checkpoints = createCheckpoints(home, store.log.boardId, () => NOON);
  for (const [i, items] of batches(text).entries()) {
    await store.log.append({ items, files: [mark(`/loom/${i}.jsonl`, { agentId: i % 2 === 0 ? null : 'spinner' })] });
    const head = await store.log.head();
    checkpoints.note(head);
    if (i % 2 === 1) checkpoints.write(head);
    onBatch(i);
  }
  checkpoints.write(await store.log.head());
  checkpoints.close();
  const media = await upload(store);
  while ((await store.search.advance(100)) > 0);
  while ((await store.search.meaning.advance(100)) > 0);
  await store.search.settle();
  await store.close();
  return media;
};

const upload = async (store: Store): Promise<string> => {
  const parts = ['a picture ', 'in three ', 'parts'];
  for (const [i, part] of parts.entries()) await store.media.put('upload', i, Buffer.from(part));
  await store.media.put('zzz-open', 0, Buffer.from('not finished'));
  return (await store.media.finish('upload', sha256(parts.join('')).toString('hex'))).sha256;
};

const batches = (text: string): readonly (readonly Item[])[] => [
  [
    line('weave', user('u1', null, 'warp the loom with blue linen')),
    line('weave', assistant('u2', 'u1', 'resp-1', [{ type: 'text', text: 'threading 漢字 heddles' }, call('call-1', 'Bash')])),
    line('weave', answer('u3', 'u2', 'call-1', 'broken shuttle', true)),
  ],
  [
    line('weave', { type: 'summary', summary: 'about looms', leafUuid: 'u3' }),
    line('weave', { type: 'custom-title', customTitle: 'The blue loom' }),
    line('weave', { type: 'ai-title', aiTitle: 'A loom', sessionId: 'weave' }),
    line('weave', assistant('u4', 'u3', 'resp-2', [call('call-2', 'Task', { subagent_type: 'spinner', description: 'spin', prompt: 'spin' })])),
    line({ sessionId: 'weave', agentId: 'spinner' }, { ...user('s1', null, 'spin wool'), isSidechain: true }),
    line(
      { sessionId: 'weave', agentId: 'spinner' },
      { ...assistant('s2', 's1', 'resp-3', [{ type: 'text', text: 'spun wool' }]), isSidechain: true },
    ),
    companion('weave', 'subagents/agent-spinner.meta.json', '{"agentType":"spinner","toolUseId":"call-2"}'),
  ],
  [
    line('fork', user('u1', null, 'warp the loom with blue linen'), 1),
    line('fork', { ...user('f1', 'u1', text), forkedFrom: { sessionId: 'weave', messageUuid: 'u1' } }),
    line('fork', assistant('f2', 'f1', 'resp-1', [{ type: 'text', text: 'again' }])),
    {
      draft: {
        ...draftOfLine({
          context: { sessionId: 'fork', agentId: null },
          reading: null,
          fault: 'no JSON',
          length: 4,
          occurrence: 1,
          fallbackAt: NOON,
        }),
      },
      payload: Buffer.from('{"a"'),
      reading: null,
    },
  ],
  [said(1), said(2), said(3)],
];

const said = (which: number): Item => ({
  draft: {
    ...draftOfCompanion('board', 'said', 3, NOON),
    uuid: `said-${which}`,
    type: 'note.said',
    version: which,
    contextId: `context ${which}`,
    sender: `sender ${which}`,
    senderType: which === 1 ? 'human' : 'agent',
    contentType: which === 1 ? 'text' : 'code',
    occurrence: null,
    numbers: ['MSG', 'SB'],
    parentMsgId: `parent-${which}`,
    processingTimeMs: which,
    tokenCount: which,
    agentModelVersion: `model ${which}`,
    citationsUsed: ['MSG-1', 'MSG-2'],
    mediaAttached: ['MEDIA-1'],
    toolsInvoked: ['Bash', 'Read'],
    toolResultsSummary: `done ${which}`,
    senderConfidence: which / 4,
    flaggedUncertain: which === 1,
    errorOccurred: which === 2,
    errorRef: `error ${which}`,
    originatingClient: `client ${which}`,
    clientVersion: `version ${which}`,
    note: `note ${which}`,
  },
  payload: Buffer.from(`what was said ${which}`.repeat(1 + 900 * (which - 1))),
  reading: null,
});

const at = (uuid: string, parentUuid: string | null): JsonObject => ({
  uuid,
  parentUuid,
  timestamp: new Date(NOON + 1000 * uuid.charCodeAt(1)).toISOString(),
  cwd: '/home/ada/loom',
  version: '2.1.0',
});

const user = (uuid: string, parent: string | null, text: string): JsonObject => ({
  ...at(uuid, parent),
  type: 'user',
  message: { role: 'user', content: text },
});

const assistant = (uuid: string, parent: string, id: string, content: readonly JsonObject[]): JsonObject => ({
  ...at(uuid, parent),
  type: 'assistant',
  requestId: `request-${uuid}`,
  message: {
    role: 'assistant',
    model: 'claude-opus-4-5-20251101',
    id,
    usage: { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 5 },
    content: [...content],
  },
});

const call = (id: string, name: string, input: JsonObject = { command: 'ls' }): JsonObject => ({ type: 'tool_use', id, name, input });

const answer = (uuid: string, parent: string, toolUse: string, text: string, isError: boolean): JsonObject => ({
  ...at(uuid, parent),
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolUse, content: text, is_error: isError }] },
});

const line = (where: string | { readonly sessionId: string; readonly agentId: string | null }, record: JsonObject, occurrence = 1): Item => {
  const context = typeof where === 'string' ? { sessionId: where, agentId: null } : where;
  const text = JSON.stringify(record);
  const reading = readEntry(record, NOWHERE, context.agentId !== null);
  return {
    draft: draftOfLine({ context, reading, fault: null, length: text.length, occurrence, fallbackAt: NOON }),
    payload: Buffer.from(text),
    reading,
  };
};

const companion = (sessionId: string, name: string, text: string): Item => ({
  draft: draftOfCompanion(sessionId, name, text.length, NOON),
  payload: Buffer.from(text),
  reading: null,
});

/** Overwrites some bytes of a file. */
export const overwrite = (file: string, from: number, bytes: Uint8Array): void => {
  const whole = readFileSync(file);
  whole.set(bytes, from);
  writeFileSync(file, whole);
};
