import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  test('[READ-4] is told in envelopes, each record read once', async () => {
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
