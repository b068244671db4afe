import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CLAIM_TYPES,
  classOf,
  effectiveConfidence,
  elsewhereOf,
  markOfClaim,
  markOfExchange,
  marksOf,
  NO_LANGUAGE,
  OPERATOR,
  restingOnContradicted,
  STATE_TTL,
  VERIFICATIONS,
  type Claim,
  type CommandOf,
  type ExchangeFact,
  type FoundClaim,
  type Mark,
  type Verification,
} from '../../src/index.ts';
import { given, payloadsOf } from '../board/given.ts';
import { dumpOf, refolded } from '../board/world.ts';

const SAID = 'Redis is running. The timeout is 500ms. I think the issue is in Redis.';
const FOUND: readonly FoundClaim[] = [
  { from: 0, words: 'Redis is running.', type: 'service_status' },
  { from: 18, words: 'The timeout is 500ms.', type: 'config_value' },
];
const EXCHANGE: ExchangeFact = { messages: [{ ref: 'MSG-1', by: 'AGENT-ada', text: SAID, confidence: 0.6 }] };

type Judging = { readonly by?: string; readonly finds?: readonly FoundClaim[] } & Partial<CommandOf<'claim.verify'>>;

/** A sidebar below one in which ada said something. */
const stageWith = () => {
  const stage = given();
  const parent = stage.spawns({ participants: ['ada', 'ben', 'cyd'] });
  stage.does({ type: 'chat.say', sidebar: parent, content: SAID, confidence: 0.6 }, { by: 'ada' });
  const child = stage.spawnsChild(parent, { participants: ['ada', 'ben', 'cyd'], curator: 'cyd' });
  const facts = (finds: readonly FoundClaim[] = []) => ({
    exchange: (_: unknown, name: string) => (name === 'EXCH-1' ? EXCHANGE : null),
    language: { ...NO_LANGUAGE, claimsIn: () => finds },
  });
  const command = ({ by: _by, finds: _finds, ...more }: Judging): CommandOf<'claim.verify'> => ({
    type: 'claim.verify',
    sidebar: child,
    claim: 'EXCH-1',
    verification: 'confirmed',
    ...more,
  });
  const judges = (judging: Judging = {}) => stage.does(command(judging), { by: judging.by ?? 'ben', facts: facts(judging.finds) });
  const refuses = (judging: Judging = {}) => stage.refuses(command(judging), { by: judging.by ?? 'ben', facts: facts(judging.finds) });
  const mark = (): Mark | undefined => marksOf(stage.sidebar(child), stage.world.now(), STATE_TTL).get('EXCH-1');
  return { stage, parent, child, judges, refuses, mark, facts };
};

describe('what was inherited', () => {
  test('[CLAIM-1] starts unverified, and is noted when it is first judged, by its place and its words', () => {
    const { stage, child, judges, mark } = stageWith();
    expect(mark()).toBeUndefined();
    const events = judges({ notes: 'I looked', evidence: ['MSG-1'] });
    expect(events.map(({ type }) => type)).toEqual(['claim.noted', 'claim.verified']);
    expect(stage.sidebar(child).claims).toMatchObject([
      { number: 1, exchange: 'EXCH-1', messages: ['MSG-1'], words: null, saidBy: ['AGENT-ada'], originalConfidence: 0.6 },
    ]);
    expect(mark()).toMatchObject({ verification: 'confirmed', localConfidence: 0.6, isAssumed: true, by: ['AGENT-ben'] });
    judges({ by: 'cyd', words: 'Redis is running.' });
    expect(stage.sidebar(child).claims[1]).toMatchObject({ number: 2, words: 'Redis is running.', from: 0, messages: ['MSG-1'] });
  });

  test('[CLAIM-2] an exchange is contradicted with any claim of it, confirmed as a whole or with all its claims, else unverified', () => {
    const { judges, mark } = stageWith();
    judges({ words: 'Redis is running.', finds: FOUND });
    expect(mark()?.verification).toBe('unverified');
    judges({ claim: 'CLAIM-2', confidence: 0.3 });
    expect(mark()).toMatchObject({ verification: 'confirmed', localConfidence: 0.3 });
    judges({ words: 'I think the issue is in Redis.', verification: 'contradicted', finds: FOUND });
    expect(mark()?.verification).toBe('contradicted');
    judges({ finds: FOUND });
    expect(mark()?.verification).toBe('contradicted');
  });

  test('[CLAIM-2] whoever pointed at one sentence has not confirmed the exchange', () => {
    const { judges, mark } = stageWith();
    judges({ words: 'The timeout is 500ms.' });
    expect(mark()?.verification).toBe('unverified');
  });

  test('[CLAIM-3] nobody verifies what they said themselves, but the human; 0 is a confidence, and what is left out is assumed', () => {
    const { refuses, judges, mark } = stageWith();
    expect(refuses({ by: 'ada' })).toMatchObject({ code: 'own-claim' });
    expect(refuses({ confidence: 2 })).toMatchObject({ code: 'bad-request' });
    expect(refuses({ confidence: Number.NaN })).toMatchObject({ code: 'bad-request' });
    expect(refuses({ claim: 'EXCH-2' })).toMatchObject({ reason: 'not-inherited' });
    expect(refuses({ claim: 'CLAIM-1' })).toMatchObject({ reason: 'unknown-claim' });
    expect(refuses({ words: 'Redis is down' })).toMatchObject({ reason: 'words-not-there' });
    expect(refuses({ words: ' ' })).toMatchObject({ reason: 'empty' });
    expect(refuses({ evidence: ['MSG-99'] })).toMatchObject({ code: 'bad-reference' });
    expect(refuses({ verification: 'unverified' })).toMatchObject({ reason: 'nothing-to-change' });
    judges({ confidence: 0 });
    expect(mark()).toMatchObject({ verification: 'confirmed', localConfidence: 0, isAssumed: false });
    expect(refuses({ by: 'cyd', seen: 'unverified' })).toMatchObject({ reason: 'judged-since' });
    judges({ verification: 'unverified' });
    expect(mark()).toMatchObject({ verification: 'unverified', localConfidence: null });
  });

  test('[CLAIM-5] judgements stand side by side; the word of the human stands over them', () => {
    const { judges, mark, stage, child } = stageWith();
    judges();
    judges({ by: 'cyd', confidence: 0.4 });
    expect(mark()).toMatchObject({ verification: 'confirmed', localConfidence: 0.4, by: ['AGENT-ben', 'AGENT-cyd'] });
    judges({ by: 'operator', verification: 'contradicted' });
    expect(mark()).toMatchObject({ verification: 'contradicted', localConfidence: 0.1, by: [OPERATOR.id] });
    expect(stage.sidebar(child).claims[0]?.judgements).toHaveLength(3);
  });

  test('[CLAIM-6] where they disagree it is disputed, they are asked to talk once, and the curator settles it', () => {
    const { judges, mark, stage, child, facts } = stageWith();
    const settle = { type: 'claim.settle', sidebar: child, claim: 'CLAIM-1', verification: 'contradicted', notes: 'It was down.' } as const;
    judges();
    expect(stage.refuses(settle, { by: 'cyd', facts: facts() })).toMatchObject({ reason: 'not-disputed' });
    const events = judges({ by: 'cyd', verification: 'contradicted' });
    expect(payloadsOf(events, 'claim.disputed')).toMatchObject([{ exchange: 'EXCH-1', agents: ['AGENT-ben', 'AGENT-cyd'] }]);
    expect(payloadsOf(events, 'chat.message')).toMatchObject([
      { content: '@ben and @cyd disagree about whether EXCH-1 is true. Please discuss it here.' },
    ]);
    expect(mark()).toMatchObject({ verification: 'unverified', isDisputed: true });
    expect(judges({ confidence: 0.2 }).map(({ type }) => type)).toEqual(['claim.verified']);
    expect(stage.refuses(settle, { by: 'ben', facts: facts() })).toMatchObject({ code: 'not-curator' });
    expect(stage.refuses({ ...settle, notes: ' ' }, { by: 'cyd', facts: facts() })).toMatchObject({ reason: 'empty' });
    stage.does(settle, { by: 'cyd', facts: facts() });
    expect(mark()).toMatchObject({ verification: 'contradicted', isDisputed: false, by: ['AGENT-cyd'] });
    // Who disagrees with what was settled begins it anew.
    judges({ by: 'ben' });
    expect(mark()).toMatchObject({ isDisputed: true });
  });

  test('[CLAIM-7] a state that was looked at grows old, and a clock that was set back makes nothing old', () => {
    const { judges, stage, child } = stageWith();
    judges({ finds: FOUND });
    const [whole] = stage.sidebar(child).claims;
    const at = whole?.judgements[0]?.at ?? 0;
    const markAt = (now: number) => markOfExchange(stage.sidebar(child).claims, now, STATE_TTL);
    expect(markAt(at + STATE_TTL)).toMatchObject({ verification: 'confirmed' });
    expect(markAt(at - 10 * STATE_TTL)).toMatchObject({ verification: 'confirmed' });
    expect(markAt(at + STATE_TTL + 1)).toMatchObject({ verification: 'unverified', was: 'confirmed', localConfidence: null, at });
  });

  test('[CLAIM-8] a mark counts where it was made: another sidebar sees it and starts unverified', () => {
    const { judges, stage, parent, child } = stageWith();
    judges();
    const other = stage.spawnsChild(child, { participants: ['ben'] });
    const beside = stage.spawnsChild(parent);
    for (const ref of [other, beside]) {
      expect(marksOf(stage.sidebar(ref), stage.world.now(), STATE_TTL).size).toBe(0);
      expect(elsewhereOf(stage.world.board, stage.sidebar(ref), stage.world.now())('EXCH-1')).toMatchObject([
        { sidebar: { ref: child }, mark: { verification: 'confirmed' } },
      ]);
    }
    expect(elsewhereOf(stage.world.board, stage.sidebar(child), stage.world.now())('EXCH-1')).toEqual([]);
  });

  test('[CLAIM-12] what rests on a contradicted exchange is found, also by way of findings', () => {
    const { judges, stage, child } = stageWith();
    stage.does({ type: 'finding.submit', sidebar: child, content: 'It is Redis.', sourceRefs: ['MSG-1'] }, { by: 'ben' });
    const resting = (refs: readonly string[]) => restingOnContradicted(stage.world.board, stage.sidebar(child), refs, stage.world.now());
    expect(resting(['SCRATCH-2:FINDING-1'])).toEqual([]);
    judges({ verification: 'contradicted' });
    expect(resting(['SCRATCH-2:FINDING-1'])).toEqual(['EXCH-1']);
    expect(resting(['EXCH-1', 'MSG-1'])).toEqual(['EXCH-1']);
    expect(resting(['SB-1', 'MSG-7'])).toEqual([]);
  });

  test('[CLAIM-1] what the log tells is what the board knows', () => {
    const { judges, stage } = stageWith();
    judges({ finds: FOUND });
    judges({ by: 'cyd', verification: 'contradicted' });
    expect(dumpOf(refolded(stage.world.log))).toBe(dumpOf(stage.world.board));
  });
});

test('[CLAIM-9] every type is of one class, and what is a matter of judgement is of none that can be checked', () => {
  const of = (wanted: string): readonly string[] => CLAIM_TYPES.filter((type) => classOf(type) === wanted);
  expect(of('system_state')).toEqual(['service_status', 'current_state']);
  expect(of('judgement')).toEqual(['hypothesis', 'causation', 'recommendation', 'interpretation']);
  expect(of('factual_checkable')).toHaveLength(CLAIM_TYPES.length - 6);
});

const anyVerification = fc.constantFrom(...VERIFICATIONS);
const anyVoice = fc.record({
  by: fc.constantFrom('AGENT-ada', 'AGENT-ben', OPERATOR.id),
  verification: anyVerification,
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
});

const claimWith = (voices: readonly { by: string; verification: Verification; confidence: number }[], more: Partial<Claim> = {}): Claim => ({
  id: 'c',
  number: 1,
  exchange: 'EXCH-1',
  messages: [],
  words: null,
  from: null,
  type: null,
  isVolatile: false,
  isFound: false,
  saidBy: [],
  originalConfidence: null,
  at: 0,
  position: 0,
  judgements: voices.flatMap(({ verification, ...voice }, position) =>
    verification === 'unverified' ? [] : [{ ...voice, verification, isAssumed: false, notes: null, evidence: [], at: position, position }],
  ),
  settlement: null,
  validation: null,
  isReviewed: false,
  ...more,
});

test('[CLAIM-4] whatever was said of it, it counts for nothing unless it is confirmed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ voices: fc.array(anyVoice, { maxLength: 5 }), isWhole: fc.boolean(), isFound: fc.boolean() }), { maxLength: 4 }),
      (parts) => {
        const claims = parts.map(({ voices, isWhole, isFound }) => claimWith(voices, { words: isWhole ? null : 'words', isFound }));
        const mark = markOfExchange(claims, 100, STATE_TTL);
        const isWrong = claims.some((claim) => markOfClaim(claim, 100, STATE_TTL).verification === 'contradicted');
        const isConfirmed = mark.verification === 'confirmed';
        expect([isConfirmed || effectiveConfidence(mark) === 0, isConfirmed && isWrong]).toEqual([true, false]);
        expect(mark.localConfidence === null).toBe(mark.verification === 'unverified');
      },
    ),
  );
});

test('[CLAIM-5] agents who disagree never make anything but a dispute, in whichever order they speak', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(['AGENT-a', 'AGENT-b', 'AGENT-c', 'AGENT-d'], { minLength: 2 }), fc.nat(2), (agents, contra) => {
      const voices = agents.map((by, at) => ({
        by,
        verification: at === contra % agents.length ? ('contradicted' as const) : ('confirmed' as const),
        confidence: 1,
      }));
      expect(markOfClaim(claimWith(voices), 100, STATE_TTL)).toMatchObject({ verification: 'unverified', isDisputed: true });
      const human = { by: OPERATOR.id, verification: 'contradicted' as const, confidence: 0.2 };
      expect(markOfClaim(claimWith([human, ...voices]), 100, STATE_TTL)).toMatchObject({ verification: 'contradicted', isDisputed: false });
    }),
  );
});
