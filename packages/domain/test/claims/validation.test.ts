import { describe, expect, test } from 'vitest';
import {
  markOfClaim,
  needsReview,
  NO_LANGUAGE,
  ratesOf,
  STATE_TTL,
  stateTtl,
  SYSTEM,
  validationConfig,
  VALIDATION_TYPES,
  type Command,
  type CommandOf,
  type ValidationReport,
} from '../../src/index.ts';
import { given } from '../board/given.ts';
import { dumpOf, refolded } from '../board/world.ts';

const SAID = 'The timeout is 500ms. Redis is running. I think the issue is in Redis.';
const FOUND = [
  { from: 0, words: 'The timeout is 500ms.', type: 'config_value' },
  { from: 22, words: 'Redis is running.', type: 'service_status' },
  { from: 40, words: 'I think the issue is in Redis.', type: 'hypothesis' },
] as const;

const reportOf = (says: 'supports' | 'refutes' | 'nothing', more: Partial<ValidationReport> = {}): ValidationReport => ({
  kind: 'config_value',
  isDenied: false,
  subject: 'timeout',
  attempts: [
    {
      method: 'usual_files',
      environment: 'project',
      startedAt: 0,
      duration: 1,
      says,
      isDecisive: true,
      evidence: 'app.toml:1',
      fault: null,
      foundAt: [],
    },
  ],
  files: [{ path: '/p/app.toml', stamp: '1' }],
  duration: 5,
  ...more,
});

const CONFLICTING = reportOf('supports', { attempts: [...reportOf('supports').attempts, ...reportOf('refutes').attempts] });

const stageWith = () => {
  const stage = given();
  const parent = stage.spawns({ participants: ['ada', 'ben', 'cyd'] });
  stage.does({ type: 'chat.say', sidebar: parent, content: SAID }, { by: 'ada' });
  const child = stage.spawnsChild(parent, { participants: ['ada', 'ben', 'cyd'], curator: 'cyd' });
  const facts = {
    exchange: (_: unknown, name: string) =>
      name === 'EXCH-1' ? { messages: [{ ref: 'MSG-1', by: 'AGENT-ada', text: SAID, confidence: null }] } : null,
    language: { ...NO_LANGUAGE, claimsIn: () => FOUND },
  };
  const command = (report: ValidationReport, more: Partial<CommandOf<'claim.validate'>> = {}): Command => ({
    type: 'claim.validate',
    sidebar: child,
    claim: 'EXCH-1',
    words: FOUND[0].words,
    isAuto: false,
    report,
    ...more,
  });
  const claim = (number = 1) => stage.sidebar(child).claims.find((one) => one.number === number) ?? expect.unreachable();
  return { stage, child, facts, command, claim, mark: () => markOfClaim(claim(), stage.world.now(), stateTtl(stage.world.board)) };
};

describe('checks by machine', () => {
  test('[VAL-3] a check is noted with all it tried, and its outcome is the machine’s word beside those of the others', () => {
    const { stage, facts, command, claim, mark } = stageWith();
    const events = stage.does(command(reportOf('supports')), { facts });
    expect(events.map(({ type }) => type)).toEqual(['claim.noted', 'claim.noted', 'claim.noted', 'claim.validated']);
    expect(claim().validation).toMatchObject({ outcome: 'confirmed', confidence: 0.95, attempts: [{ method: 'usual_files' }], isOutdated: false });
    expect(mark()).toMatchObject({ verification: 'confirmed', localConfidence: 0.95, by: [SYSTEM.id] });
    stage.does(command(reportOf('nothing')), { facts });
    expect(mark()).toMatchObject({ verification: 'unverified', by: [] });
    expect(dumpOf(refolded(stage.world.log))).toEqual(dumpOf(stage.world.board));
  });

  test('[CLAIM-6] a machine that disagrees with somebody makes it a dispute, and the curator settles it', () => {
    const { stage, child, facts, command, mark } = stageWith();
    stage.does({ type: 'claim.verify', sidebar: child, claim: 'EXCH-1', words: FOUND[0].words, verification: 'confirmed' }, { by: 'ben', facts });
    const events = stage.does(command(reportOf('refutes')), { facts });
    expect(events.map(({ type }) => type)).toEqual(['claim.validated', 'claim.disputed', 'chat.message']);
    expect(mark()).toMatchObject({ verification: 'unverified', isDisputed: true, by: ['AGENT-ben', SYSTEM.id] });
    stage.does({ type: 'claim.settle', sidebar: child, claim: 'CLAIM-1', verification: 'contradicted', notes: 'I looked' }, { by: 'cyd', facts });
    expect(mark()).toMatchObject({ verification: 'contradicted', by: ['AGENT-cyd'] });
  });

  test('[VAL-7] it is off: only the operator checks; then types are allowed one by one, and never what is a matter of judgement', () => {
    const { stage, facts, command, child } = stageWith();
    const asAgent = (report = reportOf('supports')) => stage.refuses(command(report), { by: 'ben', facts });
    expect(validationConfig(stage.world.board)).toMatchObject({ isOn: false, allowed: [] });
    expect(asAgent()).toMatchObject({ reason: 'checks-off', code: 'operator-only' });
    expect(stage.refuses(command(reportOf('supports'), { isAuto: true }), { by: 'system', facts })).toMatchObject({ reason: 'checks-off' });
    expect(stage.refuses({ type: 'validation.configure', isOn: true }, { by: 'ben' })).toMatchObject({ code: 'operator-only' });
    expect(stage.refuses({ type: 'validation.configure' })).toMatchObject({ reason: 'nothing-to-change' });
    stage.does({ type: 'validation.configure', isOn: true, allowed: ['file_exists', 'file_exists'] });
    expect(asAgent()).toMatchObject({ reason: 'type-not-allowed', facts: { allowed: ['file_exists'] } });
    stage.does({ type: 'validation.configure', allowed: ['config_value'], reason: 'it did well' });
    stage.does(command(reportOf('supports')), { by: 'ben', facts });
    const judged = command(reportOf('supports'), { words: FOUND[2].words });
    expect(stage.refuses(judged, { facts })).toMatchObject({ reason: 'not-checkable', facts: { type: 'hypothesis' } });
    expect(stage.refuses(command(reportOf('supports'), { words: undefined }), { facts })).toMatchObject({ reason: 'not-checkable' });
    expect(stage.refuses(command(reportOf('supports'), { sidebar: child, claim: 'EXCH-9' }), { facts })).toMatchObject({ reason: 'not-inherited' });
    expect(validationConfig(stage.world.board).changes.map(({ isOn, allowed }) => [isOn, allowed])).toEqual([
      [true, ['file_exists']],
      [true, ['config_value']],
    ]);
  });

  test('[VAL-8] nobody finds a value out by asking for one after the other, and an agent asks thirty times an hour at most', () => {
    const { stage, facts, command } = stageWith();
    stage.does({ type: 'validation.configure', isOn: true, allowed: ['config_value', 'service_status'] });
    for (let i = 0; i < 5; i += 1) stage.does(command(reportOf('refutes')), { by: 'ben', facts });
    expect(stage.refuses(command(reportOf('refutes')), { by: 'cyd', facts })).toMatchObject({ reason: 'too-many-checks', facts: { of: 'value' } });
    const service = command(reportOf('supports', { kind: 'service_status', subject: 'redis' }), { words: FOUND[1].words });
    for (let i = 0; i < 25; i += 1) stage.does(service, { by: 'ben', facts });
    expect(stage.refuses(service, { by: 'ben', facts })).toMatchObject({ reason: 'too-many-checks', facts: { of: 'hour', most: 30 } });
    stage.does(service, { facts });
  });

  test('[VAL-12] checks that disagree wait for the human, until somebody has decided', () => {
    const { stage, child, facts, command, claim } = stageWith();
    stage.does(command(CONFLICTING), { facts });
    expect(needsReview(claim())).toBe(true);
    expect(claim().validation).toMatchObject({ outcome: 'inconclusive', needsReview: true, conflicts: [expect.any(String)] });
    stage.does({ type: 'claim.verify', sidebar: child, claim: 'CLAIM-1', verification: 'confirmed' }, { by: 'ben', facts });
    expect(needsReview(claim())).toBe(true);
    stage.does({ type: 'claim.verify', sidebar: child, claim: 'CLAIM-1', verification: 'confirmed' }, { facts });
    expect(needsReview(claim())).toBe(false);
  });

  test('[VAL-14] the human overrules a check with a reason; and it stands', () => {
    const { stage, child, facts, command, mark } = stageWith();
    const overrule = {
      type: 'validation.overrule',
      sidebar: child,
      claim: 'CLAIM-1',
      verification: 'contradicted',
      reason: 'another machine',
    } as const;
    expect(stage.refuses(overrule, { facts })).toMatchObject({ reason: 'unknown-claim' });
    stage.does(command(reportOf('supports')), { facts });
    expect(stage.refuses(overrule, { by: 'cyd', facts })).toMatchObject({ code: 'operator-only' });
    expect(stage.refuses({ ...overrule, reason: ' ' }, { facts })).toMatchObject({ reason: 'empty' });
    expect(stage.refuses({ ...overrule, claim: 'CLAIM-2' }, { facts })).toMatchObject({ reason: 'not-validated' });
    stage.does(overrule, { facts });
    expect(mark()).toMatchObject({ verification: 'contradicted', by: ['AGENT-operator'] });
  });

  test('[VAL-13] rates count runs, those that concluded something and those that were overruled; a share of nothing is null', () => {
    const { stage, child, facts, command } = stageWith();
    stage.does(command(reportOf('supports')), { facts });
    stage.does({ type: 'validation.overrule', sidebar: child, claim: 'CLAIM-1', verification: 'contradicted', reason: 'another machine' }, { facts });
    const [rates] = ratesOf(stage.world.board, ['config_value']);
    expect(rates).toMatchObject({ runs: 1, conclusive: 1, conclusiveShare: 1, overruled: 1, lastTrouble: { why: 'overruled: another machine' } });
    expect(
      ratesOf(stage.world.board, VALIDATION_TYPES)
        .filter(({ runs }) => runs === 0)
        .every((one) => one.conclusiveShare === null),
    ).toBe(true);
  });

  test('[CLAIM-18] a mark whose file has changed shows what it was, and counts as unverified until somebody looks again', () => {
    const { stage, child, facts, command, mark } = stageWith();
    const outdate = { type: 'claim.outdate', sidebar: child, claim: 'CLAIM-1' } as const;
    stage.does(command(reportOf('supports')), { facts });
    expect(stage.refuses(outdate, { facts })).toMatchObject({ code: 'operator-only' });
    stage.does(outdate, { by: 'system', facts });
    expect(mark()).toMatchObject({ verification: 'unverified', was: 'confirmed', localConfidence: null });
    expect(stage.refuses(outdate, { by: 'system', facts })).toMatchObject({ reason: 'nothing-to-change' });
    stage.does({ type: 'claim.verify', sidebar: child, claim: 'CLAIM-1', verification: 'contradicted' }, { by: 'ben', facts });
    expect(mark()).toMatchObject({ verification: 'contradicted', by: ['AGENT-ben'] });
    stage.does(command(reportOf('refutes')), { facts });
    expect(mark()).toMatchObject({ verification: 'contradicted', was: null, by: ['AGENT-ben', SYSTEM.id] });
  });

  test('[VAL-31] a finding can be checked: the curator sees what came of it, and its status stays as it was', () => {
    const { stage, child, facts, command } = stageWith();
    stage.submits(child, 'I looked. The timeout is 500ms.', { by: 'ben' });
    const finding = () => stage.sidebar(child).scratchpad.findings[0];
    const asked = { claim: 'FINDING-1', words: FOUND[0].words };
    const [event] = stage.does(command(reportOf('refutes'), asked), { facts });
    expect(event).toMatchObject({ type: 'finding.checked', payload: { outcome: 'contradicted' } });
    expect(finding()).toMatchObject({ status: 'pending', validatedBy: null, machineCheck: { outcome: 'contradicted', words: FOUND[0].words } });
    stage.does(command(reportOf('supports'), { ...asked, claim: `SCRATCH-${child.slice(3)}:FINDING-1` }), { facts });
    expect(finding()).toMatchObject({ status: 'pending', machineCheck: { outcome: 'confirmed' } });
    expect(stage.refuses(command(reportOf('supports'), asked), { by: 'ben', facts })).toMatchObject({ reason: 'checks-off' });
    expect(stage.refuses(command(reportOf('supports'), { ...asked, claim: 'FINDING-2' }), { facts })).toMatchObject({ reason: 'unknown-claim' });
    expect(stage.refuses(command(reportOf('supports'), { ...asked, claim: 'SCRATCH-99:FINDING-1' }), { facts })).toMatchObject({
      reason: 'unknown-claim',
    });
    expect(stage.refuses(command(reportOf('supports'), { ...asked, words: 'Redis is up.' }), { facts })).toMatchObject({ reason: 'words-not-there' });
    expect(stage.refuses(command(reportOf('supports'), { ...asked, words: undefined }), { facts })).toMatchObject({ reason: 'not-checkable' });
    expect(ratesOf(stage.world.board, ['config_value'])[0]).toMatchObject({ runs: 2, conclusive: 2 });
    expect(dumpOf(refolded(stage.world.log))).toEqual(dumpOf(stage.world.board));
  });

  test('[VAL-32] what a hedged sentence says is checked only on purpose, and a state in it grows old like any other', () => {
    const { stage, facts, command, claim } = stageWith();
    const state = reportOf('supports', { kind: 'service_status', subject: 'redis' });
    const hedged = { words: FOUND[2].words };
    expect(stage.refuses(command(state, hedged), { facts })).toMatchObject({ reason: 'not-checkable', facts: { type: 'hypothesis' } });
    stage.does({ type: 'validation.configure', isOn: true, allowed: ['service_status'] });
    expect(stage.refuses(command(state, { ...hedged, isCore: true, isAuto: true }), { by: 'system', facts })).toMatchObject({
      reason: 'not-checkable',
    });
    stage.does(command(state, { ...hedged, isCore: true }), { by: 'ben', facts });
    const markAt = (later: number) => markOfClaim(claim(), stage.world.now() + later, STATE_TTL);
    expect(markAt(0)).toMatchObject({ verification: 'confirmed', localConfidence: 0.9, by: [SYSTEM.id] });
    expect(markAt(2 * STATE_TTL)).toMatchObject({ verification: 'unverified', was: 'confirmed' });
  });

  test('[CLAIM-7] the operator says how long a state holds; what was marked before goes by it, too', () => {
    const { stage, facts, command, claim } = stageWith();
    stage.does(command(reportOf('supports', { kind: 'service_status' }), { words: FOUND[1].words }), { facts });
    const { at } = claim();
    const mark = (later: number) => markOfClaim(claim(), at + later, stateTtl(stage.world.board)).verification;
    expect([stateTtl(stage.world.board), mark(STATE_TTL / 2)]).toEqual([STATE_TTL, 'confirmed']);
    stage.does({ type: 'validation.configure', stateTtl: STATE_TTL / 4 });
    expect(mark(STATE_TTL / 2)).toBe('unverified');
    stage.does({ type: 'validation.configure', stateTtl: 2 * STATE_TTL });
    expect(mark(STATE_TTL * 1.5)).toBe('confirmed');
    for (const wrong of [0, 59_999, 1e12, 100_000.5])
      expect(stage.refuses({ type: 'validation.configure', stateTtl: wrong })).toMatchObject({ reason: 'out-of-range' });
    expect(stage.refuses({ type: 'validation.configure', stateTtl: 2 * STATE_TTL })).toMatchObject({ reason: 'nothing-to-change' });
    expect(dumpOf(refolded(stage.world.log))).toEqual(dumpOf(stage.world.board));
  });
});
