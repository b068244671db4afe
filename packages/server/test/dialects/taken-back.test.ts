import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENTRY_TYPES } from '@yarnboard/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSessionLoader } from '../../src/sessions/session-loader.ts';
import { loggedConversation } from '../../src/sessions/logged-conversation.ts';
import { A, openBench, prompt, reply, type Bench } from '../ingest/bench.ts';
import { homeOf, openDatabase, type Home } from './homes.ts';
import { fixturesOf } from './told.ts';
import { takenBackIn } from '@yarnboard/transcript';

let bench: Bench;
const homes: Home[] = [];

beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  for (const home of homes.splice(0)) home.close();
  await bench.close();
});

/** A scenario in the tree of the bench, as its tool has it. */
const placed = (tool: string, scenario: string): string => {
  const home = homeOf(tool, join(fixturesOf(tool), scenario));
  homes.push(home);
  renameSync(home.folder, bench.at(tool));
  return bench.at(tool);
};

/** One look at everything, as a server has now and then; a new ingest each time, as after a restart. */
const lookAgain = async (): Promise<void> => {
  const ingest = await bench.ingest();
  await ingest.readFiles(ingest.findChanged());
  expect(ingest.findChanged()).toEqual([]);
};

const deeds = async (): Promise<readonly (string | null)[]> =>
  (await bench.entries()).filter(({ type }) => type === ENTRY_TYPES.takenBack).map(({ note }) => note);

const inTool = async (): Promise<readonly (readonly [string | null, string | null])[]> =>
  (await bench.store.library.sessions({ limit: 50 })).map(({ title, inTool: state }) => [title, state] as const);

/** What was said and taken back, in the order of the file. */
const takenBack = async (sessionId: string): Promise<readonly string[]> => {
  const loader = createSessionLoader(bench.store);
  const { session, records } = await loader.load(sessionId);
  const marked = takenBackIn(session);
  const nodes = session.main.nodes.filter((node) => marked.has(node));
  const told = await records.records(nodes);
  expect(await loggedConversation(bench.store, loader, sessionId).takenBack()).toEqual(new Set([...marked].map(({ uuid }) => uuid)));
  return nodes.flatMap((node) => textsIn(told.get(node)?.['message']));
};

const textsIn = (message: unknown): readonly string[] => {
  const { content } = (message ?? {}) as { readonly content?: string | readonly { readonly text?: string }[] }; // as the dialects make them
  return typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => text ?? []);
};

const expectedIn = (tool: string, scenario: string) =>
  JSON.parse(readFileSync(join(fixturesOf(tool), scenario, 'expected.json'), 'utf8')) as {
    readonly sessions: readonly {
      readonly id: string;
      readonly archived?: boolean;
      readonly messages: readonly { readonly text?: string; readonly dropped?: boolean }[];
    }[];
  }; // ours

describe('what is said inside a session and taken back there', () => {
  test.each([
    ['codex', '0.98.0/rollback'],
    ['codex', '0.166.0/revert'],
  ])('[BACK-1] [CODEX-10] %s %s: turns that were taken back are marked, and nothing else', async (tool, scenario) => {
    placed(tool, scenario);
    await bench.importAll();
    const [session] = expectedIn(tool, scenario).sessions;
    const dropped = session?.messages.filter((message) => message.dropped === true).map(({ text }) => text);
    expect(dropped?.length).toBeGreaterThan(0);
    expect(await takenBack(session?.id ?? '')).toEqual(dropped);
    expect(await deeds()).toEqual([]);
  });

  test.each(['1.18.33/revert', '1.1.65/revert'])(
    '[BACK-2] [OPEN-10] opencode %s: messages that were read and then deleted are marked',
    async (scenario) => {
      const folder = placed('opencode', scenario);
      const { sessions } = expectedIn('opencode', scenario);
      await bench.importAll();
      expect(await takenBack(sessions[0]?.id ?? '')).toEqual([]);
      // The last prompt, and what was said behind it, are reverted and deleted between two looks.
      const said = deleteLast(folder, sessions[0]?.id ?? '');
      await lookAgain();
      expect(await deeds()).toEqual(['rewritten']);
      expect((await takenBack(sessions[0]?.id ?? '')).join('\n')).toContain(said);
      await lookAgain();
      expect(await deeds()).toEqual(['rewritten']);
    },
  );

  test('[BACK-2] lines that a file no longer has are marked; when they are there again, they are not', async () => {
    const lines = [prompt('p1', 0), reply('r1', 1, { parentUuid: 'p1' }), prompt('p2', 2, { parentUuid: 'r1' })];
    const path = bench.write(`p/${A}.jsonl`, lines);
    const ingest = await bench.ingest();
    await ingest.readFiles([path]);
    bench.write(`p/${A}.jsonl`, lines.slice(0, 2));
    await ingest.readFiles([path]);
    expect(await takenBack(A)).toEqual(['prompt p2']);
    bench.write(`p/${A}.jsonl`, [...lines, prompt('p3', 3)]);
    await ingest.readFiles([path]);
    expect(await takenBack(A)).toEqual(['prompt p2']);
    bench.write(`p/${A}.jsonl`, lines.slice(2));
    await lookAgain();
    expect(await takenBack(A)).toEqual(['prompt p1', 'prompt p3']);
  });

  test('[BACK-2] lines that another file of the session has are not, also when that file is read for the first time', async () => {
    const [first, second] = [prompt('p1', 0), prompt('p2', 1)];
    const path = bench.write(`p/${A}.jsonl`, [first, second]);
    const ingest = await bench.ingest();
    await ingest.readFiles([path]);
    bench.write(`p/${A}.jsonl`, [first]);
    const other = bench.write(`q/${A}.jsonl`, [second]);
    await ingest.readFiles([path, other]);
    expect([await takenBack(A), await deeds()]).toEqual([[], []]);
  });
});

describe('what becomes of a session in its tool', () => {
  test('[BACK-3] a session that is deleted is said to be, once; one that comes back is there again', async () => {
    const path = bench.write(`p/${A}.jsonl`, [prompt('p1', 0)]);
    await bench.importAll();
    await lookAgain();
    expect(await inTool()).toEqual([['prompt p1', null]]);
    rmSync(path);
    for (let times = 0; times < 3; times += 1) await lookAgain();
    expect([await inTool(), await deeds()]).toEqual([[['prompt p1', 'deleted']], ['deleted']]);
    bench.write(`p/${A}.jsonl`, [prompt('p1', 0)]);
    await lookAgain();
    expect([await inTool(), await deeds()]).toEqual([[['prompt p1', null]], ['deleted', 'there']]);
    rmSync(path);
    await lookAgain();
    expect(await deeds()).toEqual(['deleted', 'there', 'deleted']);
    await bench.store.library.rebuild();
    expect(await inTool()).toEqual([['prompt p1', 'deleted']]);
  });

  test('[BACK-3] where nobody can look, nobody knows: a root that is away, or on another machine', async () => {
    const path = bench.write(`p/${A}.jsonl`, [prompt('p1', 0)]);
    await bench.importAll();
    const elsewhere = `${bench.root}-away`;
    renameSync(bench.root, elsewhere);
    await lookAgain();
    renameSync(elsewhere, bench.root);
    rmSync(path);
    const shared = await bench.ingest({ isShared: true });
    await shared.readFiles(shared.findChanged());
    expect(await deeds()).toEqual([]);
  });

  test('[BACK-3] [CODEX-11] a rollout that Codex archives is archived, and not gone', async () => {
    const folder = placed('codex', '0.166.0/archive');
    const { sessions } = expectedIn('codex', '0.166.0/archive');
    await bench.importAll();
    await lookAgain();
    const states = async () => new Map((await bench.store.library.sessions({ limit: 9 })).map((row) => [row.sessionId, row.inTool]));
    expect(await states()).toEqual(new Map(sessions.map(({ id, archived }) => [id, archived === true ? 'archived' : null])));
    const live = sessions.find(({ archived }) => archived !== true)?.id ?? '';
    const mark = (await bench.store.log.files()).find(({ sessionId }) => sessionId === live);
    const moved = join(folder, 'archived_sessions', mark?.path.split('/').at(-1) ?? '');
    mkdirSync(dirname(moved), { recursive: true });
    renameSync(mark?.path ?? '', moved);
    await lookAgain();
    expect((await states()).get(live)).toBe('archived');
    expect(await deeds()).toEqual(['archived', 'archived']);
    renameSync(moved, mark?.path ?? '');
    await lookAgain();
    expect((await states()).get(live)).toBe(null);
  });

  test('[BACK-3] [OPEN-10] a session of opencode that is archived, or deleted with its rows', async () => {
    const folder = placed('opencode', '1.18.33/plain');
    await bench.importAll();
    const database = openDatabase(join(folder, 'opencode.db'));
    database.exec('UPDATE session SET time_archived = time_updated + 5, time_updated = time_updated + 5');
    await lookAgain();
    expect((await inTool()).map(([, state]) => state)).toEqual(['archived']);
    database.exec('DELETE FROM part; DELETE FROM message; DELETE FROM session');
    await lookAgain();
    expect((await inTool()).map(([, state]) => state)).toEqual(['deleted']);
    database.close();
    expect(await deeds()).toEqual(['archived', 'deleted']);
  });

  test('[BACK-3] [GEM-8] a chat that Gemini deletes', async () => {
    placed('gemini', '0.61.0/plain');
    await bench.importAll();
    const [mark] = await bench.store.log.files();
    rmSync(mark?.path ?? '');
    await lookAgain();
    expect((await inTool()).map(([, state]) => state)).toEqual(['deleted']);
  });
});

/** Deletes the last prompt and what follows it, as opencode does with what was reverted; says what was asked. */
const deleteLast = (folder: string, session: string): string => {
  if (existsSync(join(folder, 'opencode.db'))) {
    const database = openDatabase(join(folder, 'opencode.db'));
    const [last] = database
      .prepare(`SELECT id FROM message WHERE session_id = ? AND data LIKE '%"role":"user"%' ORDER BY id DESC`)
      .all(session) as readonly { readonly id: string }[]; // rows are objects
    const { data } = database.prepare(`SELECT data FROM part WHERE message_id = ? AND data LIKE '%"text"%'`).get(last?.id) as {
      readonly data: string;
    };
    database.prepare('DELETE FROM part WHERE session_id = ? AND message_id >= ?').run(session, last?.id);
    database.prepare('DELETE FROM message WHERE session_id = ? AND id >= ?').run(session, last?.id);
    database.prepare('UPDATE session SET time_updated = time_updated + 1 WHERE id = ?').run(session);
    database.close();
    return saidIn(data);
  }
  const messages = join(folder, 'storage', 'message', session);
  const names = namesIn(messages);
  const asked = names.findLast((name) => readFileSync(join(messages, name), 'utf8').includes('"role": "user"')) ?? '';
  const parts = join(folder, 'storage', 'part', asked.replace('.json', ''));
  const [first = ''] = namesIn(parts);
  const said = saidIn(readFileSync(join(parts, first), 'utf8'));
  for (const name of names.filter((one) => one >= asked)) {
    rmSync(join(messages, name));
    rmSync(join(folder, 'storage', 'part', name.replace('.json', '')), { recursive: true, force: true });
  }
  return said;
};

const namesIn = (folder: string): readonly string[] => readdirSync(folder).sort();

// `opencode run` puts quotes around what is asked.
const saidIn = (part: string): string => (JSON.parse(part) as { readonly text: string }).text.replaceAll('"', '').trim(); // ours
