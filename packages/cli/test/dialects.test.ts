import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeCode, type Dialects } from '@yarnboard/transcript';
import { afterAll, describe, expect, test } from 'vitest';
import { THREAD } from '../../server/test/dialects/tidings/thread.ts';
import { tidings } from '../../server/test/dialects/tidings/tidings.ts';
import { yarnboard } from './terminal.ts';

const home = mkdtempSync(join(tmpdir(), 'yarnboard-dialects-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const threads = join(home, '.tidings', 'threads');
mkdirSync(threads, { recursive: true });
const pond = join(threads, 'pond.tid');
writeFileSync(pond, THREAD.map((line) => `${JSON.stringify(line)}\n`).join(''));

/** How often each line of the thread was made a record. */
const made = new Map<number, number>();
const { lines } = tidings;
if (lines.kind !== 'single') throw new Error('tidings makes records of its lines');
const counted: Dialects = [
  {
    ...tidings,
    lines: {
      kind: 'single',
      toRecord: (value, at) => {
        made.set(at.line, (made.get(at.line) ?? 0) + 1);
        return lines.toRecord(value, at);
      },
    },
  },
  claudeCode,
];

const ask = async (...args: readonly string[]) => {
  made.clear();
  return yarnboard(args, { home, dialects: counted });
};

const WORDS = ['Why does the pond leak?', 'Let me measure the kingfisher level.', 'The liner is torn at the north end.'];
const once = new Map(THREAD.map((_, i) => [i + 1, 1]));

describe('sessions that are no files', () => {
  test('[DIALECT-8] are shown and told by the path that `inspect` lists them by, and one that is not there is said to be none', async () => {
    const demo = fileURLToPath(new URL('../demo/opencode/storage', import.meta.url));
    const { out: listed } = await yarnboard(['inspect', demo, '--json'], { home });
    const [session] = (JSON.parse(listed) as { readonly sessions: readonly { readonly files: readonly string[] }[] }).sessions; // ours
    for (const path of session?.files ?? []) {
      const { code, out } = await yarnboard(['show', path], { home });
      expect([code, out]).toEqual([0, expect.stringContaining('sub-agent')]);
      expect((await yarnboard(['envelopes', path], { home })).out.split('\n').length).toBeGreaterThan(5);
    }
    expect(await yarnboard(['show', join(demo, 'ses_none')], { home })).toMatchObject({
      code: 3,
      err: `yarnboard: there is no session ses_none in ${demo}\n`,
    });
    expect((await yarnboard(['show', '/nowhere/opencode.db/ses_1'], { home })).code).toBe(3);
  });
});

test('[CLI-13] [OPEN-3] an import names the databases that it had to leave out, and why, and imports the rest', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'yarnboard-left-'));
  const folder = join(elsewhere, 'opencode');
  cpSync(fileURLToPath(new URL('../demo/opencode/storage', import.meta.url)), join(folder, 'storage'), { recursive: true });
  writeFileSync(join(folder, 'opencode.db'), 'no database at all'.repeat(500));
  try {
    const { code, out, err } = await yarnboard(['import', folder], { home: elsewhere });
    expect([code, out]).toEqual([0, expect.stringMatching(/^imported \d+ lines of 2 files/u)]);
    expect(err).toMatch(/^yarnboard: left out .*opencode\.db: unreadable: file is not a database\n$/u);
    const { out: json } = await yarnboard(['import', folder, '--json'], { home: elsewhere });
    expect(JSON.parse(json)).toMatchObject({ problems: [{ path: join(folder, 'opencode.db') }], added: 0 });
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

describe('a second dialect in the terminal', () => {
  test.each([
    ['by its name', 'pond'],
    ['by its path', pond],
  ])('[READ-4] is shown, %s, in words: each record is read once for the graph and once more for what it says', async (_, wanted) => {
    const { code, out } = await ask('show', wanted);
    expect(code).toBe(0);
    for (const words of WORDS) expect(out).toContain(words);
    expect(Math.max(...made.values())).toBe(2);
  });

  test('[READ-4] is returned in envelopes, each record read once', async () => {
    const { code, out, err } = await ask('envelopes', 'pond');
    expect([code, err]).toEqual([0, '']);
    for (const words of WORDS) expect(out).toContain(words);
    expect(made).toEqual(once);
  });

  test('[READ-4] is inspected at its prices, each record read once', async () => {
    const { code, out } = await ask('inspect', '--json');
    expect(code).toBe(0);
    expect(made).toEqual(once);
    expect(JSON.parse(out)).toMatchObject({ sessions: [{ session_id: 'pond', title: 'The leaking pond' }] });
  });

  test('[READ-4] is not read where it is not given', async () => {
    const { code, err } = await yarnboard(['show', 'pond'], { home });
    expect(code).toBe(3);
    expect(err).toContain('found no sessions');
  });
});
