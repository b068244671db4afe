import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conclude, ENVIRONMENTS, SAYINGS, VALIDATION_TYPES, type ValidationAttempt } from '../../src/index.ts';

const attempt = (more: Partial<ValidationAttempt> = {}): ValidationAttempt => ({
  method: 'as_given',
  environment: 'system',
  startedAt: 0,
  duration: 1,
  says: 'nothing',
  isDecisive: false,
  evidence: '',
  fault: null,
  foundAt: [],
  ...more,
});

const anyAttempt = fc.record({
  method: fc.constantFrom('unit', 'process', 'port', 'health'),
  environment: fc.constantFrom(...ENVIRONMENTS),
  startedAt: fc.nat(),
  duration: fc.nat(),
  says: fc.constantFrom(...SAYINGS),
  isDecisive: fc.boolean(),
  evidence: fc.string(),
  fault: fc.constant(null),
  foundAt: fc.array(fc.constantFrom('a', 'b'), { maxLength: 1 }),
});
const anyAbout = fc.record({ type: fc.constantFrom(...VALIDATION_TYPES), isDenied: fc.boolean() });
const anyAttempts = fc.array(anyAttempt, { maxLength: 8 });
const SERVICE = { type: 'service_status', isDenied: false } as const;
const FILE = { type: 'file_exists', isDenied: false } as const;

describe('what attempts come to', () => {
  test('[VAL-3] one decisive answer is enough, of others it takes two methods, and one against them makes it a conflict', () => {
    const yes = attempt({ says: 'supports', method: 'process' });
    expect(conclude([attempt({ says: 'supports', isDecisive: true })], FILE)).toMatchObject({ outcome: 'confirmed', confidence: 0.95 });
    expect(conclude([yes, attempt({ ...yes, evidence: 'twice' })], SERVICE)).toMatchObject({ outcome: 'inconclusive', confidence: null });
    expect(conclude([yes, attempt({ says: 'supports', method: 'port' })], SERVICE)).toMatchObject({ outcome: 'confirmed', confidence: 0.9 });
    const no = attempt({ says: 'refutes', method: 'port', evidence: 'closed' });
    expect(conclude([no, attempt({ says: 'refutes', method: 'process' })], SERVICE)).toMatchObject({ outcome: 'contradicted', confidence: 0.2 });
    expect(conclude([yes, no], SERVICE)).toEqual({
      outcome: 'inconclusive',
      confidence: null,
      conflicts: ['process supports it, port (closed) refutes it'],
      foundAt: [],
      needsReview: true,
    });
    expect(conclude([], SERVICE)).toMatchObject({ outcome: 'inconclusive', needsReview: false });
  });

  test('[VAL-3] what refutes a claim confirms its opposite', () => {
    const no = attempt({ says: 'refutes', isDecisive: true });
    expect(conclude([no], { ...FILE, isDenied: true })).toMatchObject({ outcome: 'confirmed', confidence: 0.95 });
    expect(conclude([no], FILE)).toMatchObject({ outcome: 'contradicted', confidence: 0.1 });
  });

  test('[VAL-4] where the project speaks, the machine is only listed; two sources of the project that differ are a conflict', () => {
    const own = attempt({ says: 'supports', isDecisive: true, environment: 'project', method: 'project_pin' });
    const system = attempt({ says: 'refutes', isDecisive: true, method: 'system_program' });
    expect(conclude([own, system], { type: 'version_check', isDenied: false }).outcome).toBe('confirmed');
    const other = attempt({ ...own, says: 'refutes', evidence: 'Dockerfile' });
    expect(conclude([own, other, system], { type: 'version_check', isDenied: false })).toMatchObject({ needsReview: true });
  });

  test('[VAL-5] a path that is not there but elsewhere is neither: where it was found is told', () => {
    const no = attempt({ says: 'refutes', isDecisive: true });
    const elsewhere = attempt({ foundAt: ['src/old/x.ts'] });
    expect(conclude([no, elsewhere], FILE)).toMatchObject({ outcome: 'inconclusive', foundAt: ['src/old/x.ts'], needsReview: false });
  });

  test('[VAL-3] it does not depend on the order, and silence changes nothing', () => {
    fc.assert(
      fc.property(anyAttempts, anyAbout, fc.infiniteStream(fc.nat()), (attempts, about, dice) => {
        const order = attempts.map((one) => [dice.next().value ?? 0, one] as const).toSorted(([a], [b]) => a - b);
        expect(
          conclude(
            order.map(([, one]) => one),
            about,
          ),
        ).toEqual(conclude(attempts, about));
        expect(conclude([...attempts, attempt({ method: 'silent' })], about)).toEqual(conclude(attempts, about));
      }),
    );
  });

  test('[VAL-3] a refutation never makes it true, and a conflict always asks somebody', () => {
    fc.assert(
      fc.property(anyAttempts, anyAttempt, anyAbout, (attempts, more, { type }) => {
        const about = { type, isDenied: false };
        const before = conclude(attempts, about).outcome;
        const after = conclude([...attempts, { ...more, says: 'refutes' }], about).outcome;
        expect(after === 'confirmed' && before !== 'confirmed').toBe(false);
        const { outcome, conflicts, needsReview, confidence } = conclude([...attempts, more], about);
        expect(needsReview).toBe(conflicts.length > 0);
        expect(confidence === null).toBe(outcome === 'inconclusive');
        const denied = conclude([...attempts, more], { type, isDenied: true }).outcome;
        expect(denied).toBe(outcome === 'confirmed' ? 'contradicted' : outcome === 'contradicted' ? 'confirmed' : 'inconclusive');
      }),
    );
  });
});
