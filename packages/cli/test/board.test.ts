import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { REGISTRY } from '@yarnboard/protocol';
import { lockFile } from '@yarnboard/store';
import { describe, expect, test } from 'vitest';
import { conversation, folderWith, jsonl, SESSION, temporaryFolder, yarnboard, type Ended } from './terminal.ts';

/** A home of its own with a Claude Code folder that holds these files. */
const place = (files: Readonly<Record<string, string>> = { [`claude/projects/-home-dev-proj/${SESSION}.jsonl`]: conversation() }) => {
  const folder = folderWith(files);
  const env = { YARNBOARD_HOME: join(folder, 'home'), YARNBOARD_STATE: join(folder, 'state'), CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const run = (...args: readonly string[]): Promise<Ended> => yarnboard(args, { env });
  return {
    folder,
    env,
    run,
    transcript: join(folder, 'claude/projects/-home-dev-proj', `${SESSION}.jsonl`),
    database: join(folder, 'home/board/board.db'),
  };
};

const counts = async (run: (...args: readonly string[]) => Promise<Ended>, ...args: readonly string[]): Promise<Record<string, number>> => {
  const { code, out, err } = await run('import', '--json', ...args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Record<string, number>;
};

const SECRET = `sk-ant-api03-${'Qx7mZ2pL9vR4tK8wN1bC5dF6gH3jS0aY'.repeat(3)}AA`;

describe('import', () => {
  test('[CLI-13] prints what it did; the second time everything is known', async () => {
    const { run } = place();
    const first = await run('import');
    expect(first.out).toMatch(/^imported 2 lines of 1 files \(0\.0 MB\) in \d+\.\d s, .* MB\/s: 2 new, 0 copied, 0 known, 0 unreadable\n$/u);
    expect(await counts(run)).toMatchObject({ lines: 0, added: 0 });
    expect(first).toMatchObject({ code: 0, err: '' });
  });

  test('[CLI-13] a path that is not there, and a machine without sessions, are refused with what to do', async () => {
    const { run, folder } = place();
    expect(await run('import', join(folder, 'nothing'))).toMatchObject({
      code: 3,
      err: expect.stringContaining('there is no file or folder') as string,
    });
    const bare = await yarnboard(['import'], { env: { YARNBOARD_HOME: join(folder, 'other') } });
    expect(bare).toMatchObject({ code: 3, err: expect.stringContaining('yarnboard import --demo') as string });
  });

  test('[SRV-6] excluded projects are not read; wrong settings are refused with the place', async () => {
    const { run, folder } = place();
    mkdirSync(join(folder, 'home'), { recursive: true });
    const settings = join(folder, 'home/settings.json');
    writeFileSync(settings, '{"exclude_projects": ["/home/dev/proj"]}');
    expect(await counts(run)).toMatchObject({ lines: 0 });
    for (const [text, told] of [
      ['{', 'is not valid JSON'],
      ['[]', 'must hold a JSON object'],
      ['{"excluded": []}', 'there is no setting "excluded"; there are exclude_projects, roots'],
      ['{"roots": "x"}', '"roots" must be a list of folders'],
    ] as const) {
      writeFileSync(settings, text);
      expect(await run('import')).toMatchObject({ code: 3, err: expect.stringContaining(told) as string });
    }
  });

  test('[CLI-16] bare yarnboard is yarnboard start', async () => {
    const { run } = place();
    const [bare, named] = [await run('--port', 'x'), await run('start', '--port', 'x')];
    expect(bare).toEqual(named);
    expect(bare).toMatchObject({ code: 2, err: expect.stringContaining('--port takes a number from 0 to 65535') as string });
  });

  test('[MANY-20] start takes the address of a Redis, and says what one looks like', async () => {
    const { run } = place();
    const wrong = await run('start', '--redis', 'localhost:6379');
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--redis takes an address such as redis://') as string });
  });
});

describe('search', () => {
  test('[CLI-14] prints reference, time, session and the place; nothing found is exit code 1', async () => {
    const { run } = place({ [`claude/projects/p/${SESSION}.jsonl`]: conversation(SESSION, 'Please mend the authentication of the gateway') });
    await run('import');
    const { code, out } = await run('search', 'gateway');
    expect(code).toBe(0);
    expect(out).toBe(
      'MSG-1  2026-01-15 10:00  human  Please mend the authentication of the gateway\n  Please mend the authentication of the gateway\n',
    );
    expect((await run('search', 'authentcation')).out).toContain('no "authentcation"; looked for authentication\nMSG-1');
    expect(await run('search', 'zeppelin')).toEqual({ code: 1, out: 'nothing found\n', err: '' });
    expect((await run('search', 'repair', 'authentication', 'gateway', '--mode', 'semantic')).out).toContain(
      'MSG-1  2026-01-15 10:00  human  by meaning  ',
    );
    expect(await run('similar')).toMatchObject({ code: 2, err: expect.stringContaining('similar to what?') as string });
    expect(await run('similar', 'MSG-99')).toMatchObject({ code: 3 });
    const alike = await run('similar', 'MSG-1', '--json');
    expect((JSON.parse(alike.out) as { ref: string }).ref).toBe('MSG-1');
    expect((await run('search', 'gateway', '--standing')).code).toBe(0);
    expect(await run('search', 'gateway', '--mode', 'magic')).toMatchObject({ code: 2 });
    // FIND-47: what was looked for instead is said.
    const question = await run('search', 'how does the gateway authenticate strangers');
    expect(question).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing has every word; looked for most of them, without how, does, the\n') as string,
    });
    expect(await run('search', 'gateway', '--actor', 'agent')).toMatchObject({ code: 1 });
    expect(await run('search', 'gateway', '--actor', 'nobody')).toMatchObject({ code: 2 });
    expect(await run('search')).toMatchObject({ code: 2, err: expect.stringContaining('search for what?') as string });
    const document = JSON.parse((await run('search', 'gateway', '--json')).out) as { version: number };
    const { version, ...answer } = document;
    expect(version).toBe(1);
    expect(REGISTRY.search.output.parse(answer).items).toHaveLength(1);
  });

  test('[CLI-14] escape codes of a transcript do not reach the terminal, secrets are masked', async () => {
    const { run } = place({ [`claude/projects/p/${SESSION}.jsonl`]: conversation(SESSION, `gateway \u001b[31mred\u001b[0m ${SECRET}`) });
    await run('import');
    const { out } = await run('search', 'gateway');
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain(SECRET);
    expect(out).toContain('[masked anthropic-key');
    expect((await run('search', 'gateway', '--reveal')).out).toContain(SECRET);
  });

  test('[CLI-12] a verb for a board that is not there says how to make one', async () => {
    const { run } = place();
    for (const verb of [
      ['search', 'x'],
      ['verify'],
      ['backup'],
      ['rebuild'],
      ['repair', 'x'],
      ['forget', 'MSG-1', '--yes'],
      ['export', '--output', '/nowhere'],
    ]) {
      expect(await run(...verb)).toMatchObject({ code: 3, err: expect.stringContaining('there is no board in') as string });
    }
  });
});

describe('the log', () => {
  test('[DATA-7] verify says that the log is whole, and what is wrong with one that is not', async () => {
    const { run, database } = place();
    await run('import');
    expect(await run('verify')).toMatchObject({ code: 0, out: expect.stringMatching(/^whole: 2 entries, 2 payloads/u) as string });
    const db = new Database(database);
    db.exec("DROP TRIGGER entries_never_updated; UPDATE entries SET parent_msg_id = 'another' WHERE position = 2");
    db.close();
    const broken = await run('verify');
    expect(broken).toMatchObject({ code: 1, out: expect.stringContaining('broken at entry 2: a field of the entry was changed') as string });
    expect(JSON.parse((await run('verify', '--json')).out)).toMatchObject({ is_whole: false, broken: { position: 2, kind: 'entry-changed' } });
    expect(await run('doctor')).toMatchObject({ code: 1, out: expect.stringContaining('✗ log: broken at entry 2') as string });
  });

  test('[DATA-7] [LOG-5] a tail that was cut off, or a log that was written anew, does not fit the signed checkpoints', async () => {
    const { run, database, folder } = place();
    await run('import');
    const db = new Database(database);
    db.exec('DROP TRIGGER entries_never_deleted; DELETE FROM entries WHERE position = 2');
    db.close();
    expect(await run('verify')).toMatchObject({ code: 1, out: expect.stringContaining('the end of the log was cut off') as string });
    const [checkpoints = ''] = readdirSync(join(folder, 'state/checkpoints'));
    const file = join(folder, 'state/checkpoints', checkpoints);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"count":2', '"count":1'));
    expect(await run('verify')).toMatchObject({ code: 1, out: expect.stringContaining('is not what was signed') as string });
  });

  test('[CLI-15] doctor tells versions, health and findings', async () => {
    const { run } = place();
    expect(await run('doctor')).toMatchObject({ code: 0, out: expect.stringContaining('! board: none in') as string });
    await run('import');
    const { code, out } = await run('doctor');
    expect(code).toBe(0);
    expect(out).toMatch(/✓ versions: yarnboard \d+\.\d+\.\d+, node/u);
    expect(out).toContain('✓ log: whole, 1 signed checkpoint agrees');
    expect(JSON.parse((await run('doctor', '--json')).out)).toMatchObject({ healthy: true });
  });

  test('[REC-77] doctor tells what was left behind, and for each place of the emergency cache what it outlives, its room, and what shares its disk', async () => {
    const { run } = place();
    await run('import');
    const { out } = await run('doctor');
    expect(out).toContain('✓ recovery: nothing was left behind');
    expect(out).toMatch(/✓ emergency place home: survives crashes/u);
    // Both are in one folder here, and so on one disk.
    expect(out).toMatch(/! emergency place state: survives a mount.*on the same disk as home: name a folder on another one/u);
  });

  test('[VAL-37] doctor says which checks work here, and what the others lack', async () => {
    const { run } = place();
    await run('import');
    const { out } = await run('doctor');
    expect(out).toMatch(/✓ checks: automatic checks are off, \d+ of \d+ methods work here; not .*\(no folder may be read/u);
    expect(out).toMatch(/container \(not allowed in settings\.json\)/u);
  });
});

describe('data', () => {
  test('[DATA-1] [DATA-2] a backup is whole, overwrites nothing, and is restored with what was there moved aside', async () => {
    const { run, folder, transcript } = place();
    await run('import');
    const file = join(folder, 'copy.db');
    expect(await run('backup', file)).toMatchObject({ code: 0 });
    expect(await run('backup', file)).toMatchObject({ code: 3, err: expect.stringContaining('never overwrites') as string });
    appendFileSync(
      transcript,
      jsonl({
        type: 'user',
        uuid: 'later',
        parentUuid: null,
        timestamp: '2026-01-15T11:00:00.000Z',
        message: { role: 'user', content: 'a later zeppelin' },
      }),
    );
    await run('import');
    expect((await run('search', 'zeppelin')).code).toBe(0);
    const restored = await run('restore', file);
    expect(restored.out).toMatch(/^restored 2 entries; what was there is in .*replaced-/u);
    // Two, and the one that says that they were restored.
    expect(await run('verify')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^whole: 3 entries.*a backup of 2 entries was restored/su) as string,
    });
    expect((await run('search', 'zeppelin')).code).toBe(1);
    expect(await counts(run)).toMatchObject({ added: 1 });
    expect(await run('verify')).toMatchObject({ code: 0 });
  });

  test('[DATA-2] a damaged backup, or a file that is none, is refused and changes nothing', async () => {
    const { run, folder, database } = place();
    await run('import');
    const file = join(folder, 'copy.db');
    await run('backup', file);
    const db = new Database(file);
    db.exec('DROP TRIGGER entries_never_updated; UPDATE entries SET version = 9 WHERE position = 1');
    db.close();
    const before = createHash('sha256').update(readFileSync(database)).digest('hex');
    expect(await run('restore', file)).toMatchObject({ code: 3, err: expect.stringContaining('is damaged at entry 1') as string });
    writeFileSync(join(folder, 'none.db'), 'this is no database, it only has its name');
    expect(await run('restore', join(folder, 'none.db'))).toMatchObject({ code: 3, err: expect.stringContaining('not a database') as string });
    expect(await run('restore', join(folder, 'absent.db'))).toMatchObject({ code: 3, err: expect.stringContaining('there is no file') as string });
    expect(createHash('sha256').update(readFileSync(database)).digest('hex')).toBe(before);
  });

  test('[DATA-3] an export has every record as it was, masked unless revealed, and can be imported again', async () => {
    const agent = jsonl({
      type: 'user',
      uuid: 's1',
      parentUuid: null,
      sessionId: SESSION,
      agentId: 'abc',
      isSidechain: true,
      timestamp: '2026-01-15T10:00:02.000Z',
      message: { role: 'user', content: 'look' },
    });
    const base = 'claude/projects/-home-dev-proj';
    const { run, folder, transcript } = place({
      [`${base}/${SESSION}.jsonl`]: `${conversation(SESSION, `keep ${SECRET}`)}{"half":\r\n`,
      [`${base}/${SESSION}/subagents/agent-abc.jsonl`]: agent,
      [`${base}/${SESSION}/subagents/agent-abc.meta.json`]: '{"agentType":"explorer"}',
      [`${base}/${SESSION}/tool-results/big.txt`]: 'a large output\nof two lines',
    });
    await run('import');
    const [masked, exact] = [join(folder, 'masked'), join(folder, 'exact')];
    expect((await run('export', '--output', masked)).out).toContain('secrets masked');
    expect(await run('export', SESSION.slice(0, 8), '--reveal', '--output', exact)).toMatchObject({ code: 0 });
    const file = (root: string, path: string): string => readFileSync(join(root, 'projects/-home-dev-proj', path), 'utf8');
    expect(file(exact, `${SESSION}.jsonl`)).toBe(readFileSync(transcript, 'utf8'));
    expect(file(exact, `${SESSION}/subagents/agent-abc.jsonl`)).toBe(agent);
    expect(file(exact, `${SESSION}/tool-results/big.txt`)).toBe('a large output\nof two lines');
    expect(file(masked, `${SESSION}.jsonl`)).not.toContain(SECRET);
    expect(await counts(run, exact)).toMatchObject({ added: 0, copied: 0 });
    const again = await yarnboard(['import', '--json', exact], {
      env: { YARNBOARD_HOME: join(folder, 'second'), YARNBOARD_STATE: join(folder, 'second-state') },
    });
    expect(JSON.parse(again.out)).toMatchObject({ added: 6, quarantined: 1 });
    expect(await run('export', '--output', exact)).toMatchObject({ code: 3, err: expect.stringContaining('has an export already') as string });
    expect(await run('export')).toMatchObject({ code: 2 });
  });

  test('[DATA-4] what was forgotten is in no file of the home, the log verifies, and the title is gone', async () => {
    const secret = 'zanzibar-quicksilver-telescope';
    const { run, folder } = place({ [`claude/projects/p/${SESSION}.jsonl`]: conversation(SESSION, `remember ${secret}`) });
    await run('import');
    expect(await run('forget', 'MSG-1')).toMatchObject({ code: 2, err: expect.stringContaining('add --yes') as string });
    expect(await run('forget', 'MSG-1', '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('entry 3 says so') as string });
    expect(await run('forget', 'MSG-1', '--yes')).toMatchObject({ code: 3, err: expect.stringContaining('was already dropped') as string });
    expect(await run('forget', 'MSG-77', '--yes')).toMatchObject({ code: 3 });
    expect(await run('search', 'quicksilver')).toMatchObject({ code: 1 });
    expect(await run('verify')).toMatchObject({ code: 0, out: expect.stringContaining('1 forgotten') as string });
    expect(filesBelow(join(folder, 'home')).filter((path) => readFileSync(path).includes('quicksilver'))).toEqual([]);
    // It stays forgotten, though Claude Code's own file still has it.
    await run('rebuild');
    await counts(run);
    expect(await run('search', 'quicksilver')).toMatchObject({ code: 1 });
    expect(await run('doctor')).toMatchObject({ code: 0 });
  });

  test('[DATA-5] repair backs up, derives the session again, appends what is missing and verifies', async () => {
    const { run, database, transcript, folder } = place();
    await run('import');
    const db = new Database(database);
    db.exec(`DELETE FROM messages; UPDATE sessions SET messages = 77, cost_nano = 1; UPDATE files SET offset = ${statSync(transcript).size + 500}`);
    db.close();
    appendFileSync(
      transcript,
      jsonl({ type: 'user', uuid: 'later', parentUuid: null, timestamp: '2026-01-15T11:00:00.000Z', message: { role: 'user', content: 'more' } }),
    );
    const { code, out } = await run('repair', SESSION.slice(0, 6));
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('derived again from 2 entries, 1 missing lines appended\nlog: whole') as string,
    });
    expect(readdirSync(join(folder, 'home/backups'))).toHaveLength(1);
    expect(await run('repair', 'nobody')).toMatchObject({ code: 3 });
    const other = new Database(database, { readonly: true });
    expect(other.prepare('SELECT messages FROM sessions').get()).toEqual({ messages: 3 });
    other.close();
  });

  test('[DATA-6] rebuild gives the library that the import gave', async () => {
    const { run, database } = place();
    const dump = (): unknown => {
      const db = new Database(database, { readonly: true });
      const rows = ['sessions', 'messages', 'responses', 'operations'].map((table) => db.prepare(`SELECT * FROM ${table}`).all());
      db.close();
      return rows;
    };
    await run('import');
    const before = dump();
    const db = new Database(database);
    db.exec('DELETE FROM messages; DELETE FROM responses');
    db.close();
    expect(await run('rebuild')).toMatchObject({ code: 0, out: 'derived again from 2 entries\n' });
    expect(dump()).toEqual(before);
    expect((await run('search', 'Hello')).code).toBe(0);
  });
});

describe('status', () => {
  test('[CLI-12] without a server status says so with exit code 1, and stop has nothing to do', async () => {
    const { run } = place();
    expect(await run('status')).toMatchObject({ code: 1, out: expect.stringContaining('not running') as string });
    expect(JSON.parse((await run('status', '--json')).out)).toMatchObject({ running: false });
    expect(await run('stop')).toMatchObject({ code: 0, out: expect.stringContaining('not running') as string });
  });

  test('[CLI-12] what is meant for one board never reaches the server of another', async () => {
    const { run, folder } = place();
    await run('import');
    const mark = {
      pid: process.pid,
      url: 'http://127.0.0.1:1',
      startedAt: '',
      version: '0',
      database: `sqlite:${join(folder, 'home/board/board.db')}`,
    };
    writeFileSync(join(folder, 'home/server.json'), JSON.stringify(mark));
    // Nobody holds the lock: whoever has that process number now is no server of ours.
    expect(await run('status')).toMatchObject({ code: 1, out: expect.stringContaining('not running') as string });
    const lock = await lockFile(join(folder, 'home/lock.db'));
    expect(await run('forget', 'MSG-1', '--yes')).toMatchObject({ code: 3, err: expect.stringContaining('does not answer') as string });
    for (const verb of [['forget', 'MSG-1', '--yes'], ['verify'], ['import']]) {
      const { code, err } = await run(...verb, '--db', `sqlite:${join(folder, 'other.db')}`);
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(`works on ${mark.database}; for sqlite:`) as string });
    }
    lock?.release();
  });

  test('[SRV-40] six commands at once, without a server: each gets its turn', async () => {
    const { run } = place();
    await counts(run);
    const ended = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => run('sidebar', 'spawn', '--root', '--json', `task ${n}`)));
    expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(ended.map(() => ({ code: 0, err: expect.any(String) as string })));
    const refs = ended.map(({ out }) => (JSON.parse(out) as { readonly ref: string }).ref);
    expect(refs.toSorted()).toEqual(['SB-1', 'SB-2', 'SB-3', 'SB-4', 'SB-5', 'SB-6']);
  });

  test('[SRV-2] two homes that name one database: the second is refused while the first works on it', async () => {
    const { run, folder, env } = place();
    const database = join(folder, 'shared', 'board.db');
    expect(await counts(run, '--db', `sqlite:${database}`)).toMatchObject({ added: 2 });
    const lock = await lockFile(`${database}.lock`);
    const second = await yarnboard(['import', '--db', `sqlite:${database}`], { env: { ...env, YARNBOARD_WAIT: '0' } });
    expect(second).toMatchObject({ code: 3, err: expect.stringContaining(`another yarnboard works on ${database}`) as string });
    lock?.release();
    expect(await counts(run, '--db', `sqlite:${database}`)).toMatchObject({ added: 0 });
  });

  test('[CLI-12] a database that is none is refused', async () => {
    const { run } = place();
    expect(await run('import', '--db', 'mysql://x')).toMatchObject({
      code: 3,
      err: expect.stringContaining('Use sqlite:PATH or postgres://') as string,
    });
    const elsewhere = join(temporaryFolder(), 'other.db');
    expect(await counts(run, '--db', `sqlite:${elsewhere}`)).toMatchObject({ added: 2 });
    expect(existsSync(elsewhere)).toBe(true);
  });
});

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
