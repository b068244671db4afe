import { CLAIM_CLASSES, CLAIM_TYPES, VERIFICATIONS } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, limit } from '../parameters.ts';
import * as marks from '../wire/claims.ts';
import { page } from '../wire/schemas.ts';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { command, prose, ref, refs, sidebarId } from './parameters.ts';
import { here } from './told-values.ts';

const claimId = ref.describe('CLAIM-n of the sidebar, SB-n:CLAIM-m, or EXCH-n for an exchange that it inherited');
const verification = z.enum(VERIFICATIONS);
const confidence = z.number().min(0).max(1).optional().describe('how sure you are, from 0 to 1');

/** Claims in what a sidebar inherited: true, false, or unknown so far. */
export const MARK_OPERATIONS = {
  claims: {
    name: 'claims',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/claims',
    who: 'anyone',
    help: 'Inherited exchanges and their claims: confirmed, contradicted or unverified, by whom, and with what confidence.',
    input: z.object({
      sidebar_id: sidebarId,
      verification: verification.optional().describe('only those that are'),
      claim_type: z.enum(CLAIM_TYPES).optional().describe('only those of this type'),
      class: z.enum(CLAIM_CLASSES).optional().describe('only those of this class'),
      limit,
      cursor,
    }),
    output: page(marks.claim),
    terminal: { words: ['claim', 'list'], given: ['sidebar_id'] },
  },
  claim: {
    name: 'claim',
    method: 'GET',
    path: '/sidebars/{sidebar_id}/claims/{claim_id}',
    who: 'anyone',
    help: 'One claim with every judgement on it, here and in other sidebars.',
    input: z.object({ sidebar_id: sidebarId, claim_id: claimId }),
    output: marks.claim,
    terminal: { words: ['claim', 'show'], given: ['sidebar_id', 'claim_id'] },
  },
  claim_verify: {
    name: 'claim_verify',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/claims/{claim_id}/verification',
    who: 'member',
    help: 'Confirms or contradicts an inherited exchange, or some words of it. Only the operator may verify their own words.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      claim_id: claimId,
      verification: verification.describe('your judgement; unverified takes it back'),
      words: prose.optional().describe('the words you mean; the whole exchange if omitted'),
      confidence,
      notes: prose.optional().describe('why'),
      evidence: refs.optional().describe('what shows it: MSG-n, CITE-n, FILE-hash:lines …'),
      seen: verification.optional().describe('the status you saw; refused if someone else has judged it since'),
    }),
    output: wire.done,
    terminal: { words: ['claim', 'verify'], given: ['sidebar_id', 'claim_id', 'verification'] },
    command: 'claim.verify',
    kept: { what: 'your judgement of a claim', text: 'notes' },
  },
  claim_settle: {
    name: 'claim_settle',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/claims/{claim_id}/settlement',
    who: 'member',
    help: 'The curator settles a disputed claim.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      claim_id: claimId,
      verification: verification.describe('the verdict; unverified leaves it open'),
      notes: prose.describe('why'),
      confidence,
    }),
    output: wire.done,
    terminal: { words: ['claim', 'settle'], given: ['sidebar_id', 'claim_id', 'verification', 'notes'] },
    command: 'claim.settle',
    kept: { what: 'your settlement of a claim', text: 'notes' },
  },
} as const satisfies OperationsOf<'marks'>;

export const MARK_CODECS: CodecsOf<typeof MARK_OPERATIONS> = {
  claim_verify: (input) => ({
    sidebar: input.sidebar_id,
    claim: input.claim_id,
    verification: input.verification,
    words: input.words,
    confidence: input.confidence,
    notes: input.notes,
    evidence: input.evidence,
    seen: input.seen,
  }),
  claim_settle: (input) => ({
    sidebar: input.sidebar_id,
    claim: input.claim_id,
    verification: input.verification,
    confidence: input.confidence,
    notes: input.notes,
  }),
};

export const MARK_EVENT_NAMES = {
  'claim.noted': ['claim_noted'],
  'claim.verified': ['claim_verified'],
  'claim.disputed': ['claim_disputed'],
  'claim.settled': ['claim_settled'],
} as const satisfies NamesOf<'marks'>;

export const MARK_TELLERS: TellersOf<typeof MARK_EVENT_NAMES> = {
  'claim.noted': ({ exchange, messages, words, kind }, names, event) => ({
    type: 'claim_noted',
    sidebar_id: here(names, event),
    claim_id: names.item('CLAIM', event.uuid, event.contextId),
    exchange_id: exchange,
    message_ids: messages,
    words,
    claim_type: kind,
  }),
  'claim.verified': ({ claim, verification: verdict, confidence: sure, isAssumed, notes, evidence }, names, event) => ({
    type: 'claim_verified',
    sidebar_id: here(names, event),
    claim_id: names.item('CLAIM', claim, event.contextId),
    verification: verdict,
    confidence: sure,
    assumed: isAssumed,
    notes,
    evidence,
  }),
  'claim.disputed': ({ claim, exchange, agents }, names, event) => ({
    type: 'claim_disputed',
    sidebar_id: here(names, event),
    claim_id: names.item('CLAIM', claim, event.contextId),
    exchange_id: exchange,
    agents,
  }),
  'claim.settled': ({ claim, exchange, verification: verdict, confidence: sure, isAssumed, notes }, names, event) => ({
    type: 'claim_settled',
    sidebar_id: here(names, event),
    claim_id: names.item('CLAIM', claim, event.contextId),
    exchange_id: exchange,
    verification: verdict,
    confidence: sure,
    assumed: isAssumed,
    notes,
  }),
};

export const MARK_SENTENCES: SentencesOf<typeof MARK_EVENT_NAMES> = {
  claim_noted: (of) => `${of('claim_id')}: ${of('words') === '' ? `${of('exchange_id')} as a whole` : of('words')}`,
  claim_verified: (of) => `${of('claim_id')} ${of('verification')}${after(': ', of('notes'))}`,
  claim_disputed: (of) => `${of('claim_id')}: ${of('agents')} disagree about whether ${of('exchange_id')} is true`,
  claim_settled: (of) => `${of('claim_id')} settled, ${of('verification')}${after(': ', of('notes'))}`,
};
