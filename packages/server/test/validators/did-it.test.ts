import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onlyLooks, stepsOf } from '../../src/sessions/shell-commands.ts';
import type { SessionCalls, ToolCall } from '../../src/validators/tool-calls.ts';
import { aroundOf, verdictOn } from './trees.ts';

type Done = Omit<ToolCall, 'ref'>;
type Row = {
  readonly id: string;
  readonly said: string;
  readonly calls: readonly Done[];
  readonly later: readonly Done[];
  readonly outcome: string;
  readonly half: 'tuning' | 'frozen';
};

/** What somebody said, what they had done, and what that comes to, written before there were rules; the card beside them says how. */
const rows = readFileSync(new URL('../../../../fixtures/labelled/deeds/deeds.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

const numbered = (calls: readonly Done[]): readonly ToolCall[] => calls.map((one, at) => ({ ...one, ref: `MSG-${at + 1}` }));
const callsOf = ({ calls, later }: Pick<Row, 'calls' | 'later'>): SessionCalls => ({
  before: numbered(calls),
  later: numbered(later),
  isWhole: true,
});
const verdict = (said: string, calls: SessionCalls | null) => verdictOn(said, aroundOf([], { calls }));
const share = (part: readonly unknown[], whole: readonly unknown[]): number => part.length / whole.length;

describe('what somebody says that they did', () => {
  test('[VAL-30] of stories that nobody tuned the rules on, 95 of 100 verdicts are right, and 7 of 10 that can be told are told', async () => {
    const frozen = rows.filter(({ half }) => half === 'frozen');
    const read = await Promise.all(frozen.map(async (row) => ({ row, told: (await verdict(row.said, callsOf(row))).outcome })));
    for (const outcome of ['confirmed', 'contradicted'] as const) {
      const told = read.filter((one) => one.told === outcome);
      expect(told.length).toBeGreaterThan(8);
      expect(
        share(
          told.filter(({ row }) => row.outcome === outcome),
          told,
        ),
      ).toBeGreaterThanOrEqual(0.95);
    }
    const due = read.filter(({ row }) => row.outcome !== 'inconclusive');
    expect(
      share(
        due.filter(({ row, told }) => row.outcome === told),
        due,
      ),
    ).toBeGreaterThanOrEqual(0.7);
  });

  test('[VAL-30] the stories that the rules were made with come out as they were labelled', async () => {
    const tuning = rows.filter(({ half }) => half === 'tuning');
    const told = await Promise.all(tuning.map(async (row) => `${row.id} ${row.said} ${(await verdict(row.said, callsOf(row))).outcome}`));
    expect(told).toEqual(tuning.map(({ id, said, outcome }) => `${id} ${said} ${outcome}`));
  });

  test('[VAL-29] what is missing refutes only where the whole session is known', async () => {
    const calls = callsOf({ calls: [{ tool: 'Read', input: '/p/a.ts', result: 'ok', output: '' }], later: [] });
    expect(await verdict('All tests pass.', calls)).toMatchObject({ outcome: 'contradicted', says: { whole_session: 'refutes' } });
    expect((await verdict('All tests pass.', { ...calls, isWhole: false })).outcome).toBe('inconclusive');
    expect((await verdict('All tests pass.', null)).outcome).toBe('inconclusive');
  });

  test('[VAL-29] evidence names the message of a call and repeats nothing of it', async () => {
    const secret = { tool: 'Bash', input: 'TOKEN=hush-hush npm test', result: 'error', output: 'Exit code 1\nhush-hush: 2 failed' } as const;
    const { checked } = await verdict('All tests pass.', callsOf({ calls: [secret], later: [] }));
    expect(checked.map(({ attempt }) => attempt.evidence).filter((text) => text !== '')).toEqual([
      'a command (MSG-1) failed',
      'the output of a command (MSG-1) tells of a failure',
    ]);
    expect(JSON.stringify(checked)).not.toContain('hush');
  });

  test('[VAL-29] no call that nobody knows anything of turns a verdict into its opposite', async () => {
    const unknown = { tool: 'mcp__any__thing', input: '', result: 'ok', output: '' } as const;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...rows), fc.nat(), async (row, at) => {
        const place = at % (row.calls.length + 1);
        const before = (await verdict(row.said, callsOf(row))).outcome;
        const after = (await verdict(row.said, callsOf({ ...row, calls: row.calls.toSpliced(place, 0, unknown) }))).outcome;
        expect([before, 'inconclusive']).toContain(after);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a command line', () => {
  test('[VAL-29] is read program by program: quotes hold, here-documents are text, and what only leads in is left out', () => {
    const told = (command: string): readonly (readonly [string, string | null])[] => stepsOf(command).map(({ text, joint }) => [text, joint]);
    expect(told("cd /p && CI=1 timeout 60 npx vitest run 2>&1 | tail -5 || echo 'a && b; c'")).toEqual([
      ['cd /p', '&&'],
      ['vitest run 2>&1', '|'],
      ['tail -5', '||'],
      ['echo a && b; c', null],
    ]);
    expect(told("cat > a.sh <<'EOF'\nrm -rf /\nEOF\nls")).toEqual([
      ['cat > a.sh', ';'],
      ['ls', null],
    ]);
  });

  test('[VAL-29] only looks if every program in it does', () => {
    for (const one of ['ls -la', 'cd x && git status', 'grep -rn foo src | head -3', 'cat a 2>/dev/null', 'git --no-pager log -3', 'node --version'])
      expect([one, onlyLooks(one)]).toEqual([one, true]);
    for (const one of [
      'ls > a',
      'find . -delete',
      'sed -i s/a/b/ x',
      'cat $(rm x)',
      'git branch -D x',
      'echo `x`',
      'npm test',
      'git stash',
      'ls; make',
    ])
      expect([one, onlyLooks(one)]).toEqual([one, false]);
  });

  test('[VAL-29] any text is a command line, and reading it ends', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', ' ', '"', "'", '&', '|', ';', '\n', '\\', '<<E', '>', '$(', 'sudo ', 'env ')), (parts) => {
        const steps = stepsOf(parts.join(''));
        expect(steps.every(({ words }) => words.length > 0)).toBe(true);
      }),
    );
  });
});
