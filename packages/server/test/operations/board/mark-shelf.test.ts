import { CLAIM_TYPES, linked, maskJson, OPERATOR, STATE_TTL, SYSTEM, type Claim, type Judgement, type Sidebar } from '@yarnboard/domain';
import { toWire } from '@yarnboard/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { given } from '../../../../domain/test/board/given.ts';
import { inheritedView } from '../../../src/operations/board/claim-views.ts';
import { createMarkShelf } from '../../../src/operations/board/mark-shelf.ts';
import { maskedInPieces } from '../../../src/operations/request/pieces.ts';

const EXCHANGES = ['EXCH-1', 'EXCH-2', 'EXCH-3'];
const START = 1_800_000_000_000;
const never = new AbortController().signal;

const judgement: fc.Arbitrary<Judgement> = fc.record({
  // One of them has a name that looks like a secret, which is masked wherever it is shown.
  by: fc.constantFrom(OPERATOR.id, SYSTEM.id, 'AGENT-ada', 'AGENT-ghp_0123456789abcdefghijABCDEFGHIJ012345'),
  verification: fc.constantFrom('confirmed' as const, 'contradicted' as const),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  isAssumed: fc.boolean(),
  notes: fc.constant(null),
  evidence: fc.constant([]),
  at: fc.integer({ min: START - 2 * STATE_TTL, max: START + 2 * STATE_TTL }),
  position: fc.nat(1000),
});

const claim: fc.Arbitrary<Claim> = fc.record({
  id: fc.uuid(),
  number: fc.integer({ min: 1, max: 99 }),
  exchange: fc.constantFrom(...EXCHANGES, ''),
  messages: fc.constant(['MSG-1']),
  words: fc.constantFrom(null, 'Redis is running.'),
  from: fc.constant(null),
  type: fc.constantFrom(...CLAIM_TYPES),
  isVolatile: fc.boolean(),
  isFound: fc.boolean(),
  saidBy: fc.constant(['AGENT-ada']),
  originalConfidence: fc.constant(0.6),
  at: fc.constant(START),
  position: fc.nat(1000),
  judgements: fc.uniqueArray(judgement, { maxLength: 3, selector: ({ by }) => by }),
  settlement: fc.constant(null),
  validation: fc.constant(null),
  isReviewed: fc.boolean(),
});

/** What happens between two pages: a claim comes, one is judged anew, the clock goes on or back, the operator changes how long a state holds. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('claim' as const), claim }),
  fc.record({
    kind: fc.constant('judged' as const),
    at: fc.nat(20),
    judgements: fc.uniqueArray(judgement, { maxLength: 3, selector: ({ by }) => by }),
  }),
  fc.record({ kind: fc.constant('time' as const), by: fc.integer({ min: -2 * STATE_TTL, max: 2 * STATE_TTL }) }),
  fc.record({ kind: fc.constant('other' as const), claim }),
);

describe('marks on a page of memory', () => {
  const stageOf = () => {
    const stage = given();
    const parent = stage.spawns({ participants: ['ada'] });
    const here = stage.spawnsChild(parent, { participants: ['ada'] });
    const there = stage.spawnsChild(parent, { participants: ['ada'] });
    return { board: stage.world.board, here: stage.sidebar(here), there: stage.sidebar(there) };
  };

  test('[CLAIM-20] are at every moment what they would be if they were made anew, whatever was kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const { board, here, there } = stageOf();
        const shelf = createMarkShelf();
        const others: Claim[] = [];
        let [now, mine]: [number, readonly Claim[]] = [START, []];
        for (const one of steps) {
          if (one.kind === 'claim') mine = mine.concat(one.claim);
          if (one.kind === 'judged') mine = mine.map((known, at) => (at === one.at % mine.length ? { ...known, judgements: one.judgements } : known));
          if (one.kind === 'time') now += one.by;
          if (one.kind === 'other' && one.claim.exchange !== '') {
            others.push(one.claim);
            board.links.set(`marked/${one.claim.exchange}`, [there.id]);
          }
          const sidebar: Sidebar = { ...here, claims: mine };
          board.sidebars.set(there.id, { ...there, claims: [...others] });
          const [kept, anew] = [shelf.on(board, sidebar, now), inheritedView(board, sidebar, now)];
          for (const exchange of [...EXCHANGES, 'EXCH-9', null]) {
            const wanted = toWire(anew(exchange, 0.6));
            expect(toWire(kept(exchange, 0.6))).toEqual(wanted);
            // Once more, and as it leaves: masked as if nothing were kept.
            expect(await maskedInPieces(toWire({ items: [kept(exchange, 0.6)] }), never)).toEqual({ items: [maskJson(wanted)] });
          }
          expect(EXCHANGES.every((exchange) => linked(board, 'marked', exchange).length <= 1)).toBe(true);
        }
      }),
    );
  });

  test('[CLAIM-20] are made once: a page later, all but those of a judged exchange are the same object', () => {
    const { board, here } = stageOf();
    const shelf = createMarkShelf();
    const [first, second] = fc.sample(claim, { numRuns: 2, seed: 1 }).map((one, n) => ({ ...one, exchange: EXCHANGES[n] ?? '' }));
    if (first === undefined || second === undefined) throw new Error('two claims were asked for');
    const markOf = (claims: readonly Claim[], exchange: string): unknown => shelf.on(board, { ...here, claims }, START)(exchange, null).mark?.foreign;
    const before = [markOf([first, second], 'EXCH-1'), markOf([first, second], 'EXCH-2')];
    const judged = { ...second, isReviewed: !second.isReviewed };
    const after = [markOf([first, judged], 'EXCH-1'), markOf([first, judged], 'EXCH-2')];
    expect(before[0]).toBeTypeOf('object');
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false]);
  });
});
