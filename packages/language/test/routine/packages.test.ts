import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packageNature } from '../../src/routine/package-nature.ts';
import { resultShape } from '../../src/routine/results.ts';

type Row = {
  readonly half: 'tuning' | 'frozen';
  readonly labels: readonly string[];
  readonly task_type: string | null;
  readonly task: string;
  readonly findings: readonly string[];
  readonly recommendations: string | null;
  readonly sources: readonly string[];
};

const lines = readFileSync(new URL('../../../../fixtures/labelled/packages/packages.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const rows = lines.map((line) => JSON.parse(line) as Row);
const isFrozen = (line: string): boolean => line.includes('"half":"frozen"');

const natureOf = ({ task, findings, recommendations, sources }: Row) =>
  packageNature({ task, tags: [], summary: '', findings, recommendations, paths: sources });

const EXCLUSIONS = ['changes', 'security', 'architecture'] as const;

describe('labelled packages', () => {
  test('[AUTO-11] the frozen half is what it was before there were rules', () => {
    expect(rows.length).toBeGreaterThanOrEqual(300);
    expect(createHash('sha256').update(lines.filter(isFrozen).join('\n')).digest('hex')).toBe(
      '94c0f703f5990cc9aad7c7c7bf051cf70a7c9c12aabe27a6df0c2eb3e3a5c059',
    );
  });

  test.each((['tuning', 'frozen'] as const).flatMap((half) => EXCLUSIONS.map((label) => [half, label] as const)))(
    '[AUTO-11] of the %s half, of %s, 98 of 100 are found and 7 of 10 that are found are right',
    (half, label) => {
      const read = rows
        .filter((row) => row.half === half)
        .map((row) => ({ isDue: row.labels.includes(label), isFound: natureOf(row)[label].length > 0 }));
      const due = read.filter(({ isDue }) => isDue);
      const found = read.filter(({ isFound }) => isFound);
      const right = due.filter(({ isFound }) => isFound);
      expect(due.length).toBeGreaterThan(40);
      expect(right.length / due.length).toBeGreaterThanOrEqual(0.98);
      expect(right.length / found.length).toBeGreaterThanOrEqual(0.7);
    },
  );

  test('[AUTO-8] routine results have the shape that their type promises', () => {
    const shapeOf = { status_check: 'isSimple', search_discovery: 'isReferences', format_validation: 'isVerdict' } as const;
    const routine = rows.filter(({ labels, task_type: type }) => labels.length === 0 && type !== null && Object.hasOwn(shapeOf, type));
    const fit = routine.filter(({ findings, task_type: type }) =>
      findings.every((finding) => resultShape(finding)[shapeOf[type as keyof typeof shapeOf]]),
    );
    expect(routine.length).toBeGreaterThan(50);
    expect(fit.length / routine.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe('what a package is', () => {
  const plain = { task: 'Look', tags: [], summary: '', findings: ['The queue is empty.'], recommendations: null, paths: [] };

  test('[AUTO-12] says by which words it proposes changes, and whether they are of code', () => {
    expect(packageNature(plain)).toEqual({ changes: [], isCode: false, security: [], architecture: [] });
    expect(packageNature({ ...plain, recommendations: 'Tell Ann.' }).changes).toEqual([]);
    expect(packageNature({ ...plain, recommendations: 'Water the plants.' })).toMatchObject({ changes: ['water the plants.'], isCode: false });
    expect(packageNature({ ...plain, findings: ['We should call `flush()` first.'] })).toMatchObject({ changes: ['should'], isCode: true });
  });

  test('[AUTO-13] [AUTO-14] reads tags and paths for security, and a part of a system only together with a verdict', () => {
    expect(packageNature({ ...plain, tags: ['security'] }).security).toEqual(['security']);
    expect(packageNature({ ...plain, paths: ['src/auth/login.ts'] }).security).not.toEqual([]);
    expect(packageNature({ ...plain, findings: ['The service is up.'] }).architecture).toEqual([]);
    expect(packageNature({ ...plain, findings: ['Billing is better off as a service.'] }).architecture).not.toEqual([]);
  });

  test('[AUTO-11] more text never makes a package less excluded, and the same text always gives the same words', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom(...rows.flatMap(({ findings }) => findings)));
    fc.assert(
      fc.property(text, text, (one, other) => {
        const before = packageNature({ ...plain, findings: [one] });
        const after = packageNature({ ...plain, findings: [one, other] });
        const isIn = (nature: typeof before) => EXCLUSIONS.filter((label) => nature[label].length > 0);
        expect(isIn(after)).toEqual(expect.arrayContaining(isIn(before)));
        expect(packageNature({ ...plain, findings: [one] })).toEqual(before);
      }),
    );
  });
});
