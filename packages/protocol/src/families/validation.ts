import { VALIDATION_TYPES, VERIFICATIONS } from '@yarnboard/domain';
import * as z from 'zod';
import { cursor, limit } from '../parameters.ts';
import { page } from '../wire/schemas.ts';
import { done } from '../wire/sidebars.ts';
import * as wire from '../wire/validation.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { command, prose, reason, ref, sidebarId } from './parameters.ts';
import { here } from './told-values.ts';

const claimId = ref.describe('CLAIM-n of the sidebar, SB-n:CLAIM-m, or EXCH-n for an exchange that it inherited');
const checkedId = ref.describe('CLAIM-n or FINDING-n of the sidebar, or EXCH-n for an exchange that it inherited');
const type = z.enum(VALIDATION_TYPES);

/** Machine checks of what a sidebar inherited. */
export const VALIDATION_OPERATIONS = {
  validators: {
    name: 'validators',
    method: 'GET',
    path: '/validators',
    who: 'anyone',
    help: 'What machines can check: types, what each reads, which methods work on this machine and why others do not, and how often each was right.',
    input: z.object({}),
    output: wire.validators,
    terminal: { words: ['policy', 'validators'], given: [] },
  },
  validation_history: {
    name: 'validation_history',
    method: 'GET',
    path: '/validation/history',
    who: 'anyone',
    help: 'Past checks, newest first: who asked, the result, and whether someone overruled it.',
    input: z.object({
      sidebar_id: sidebarId.optional(),
      claim_type: type.optional().describe('only those of this type'),
      overruled: z.stringbool().optional().describe('true: only those that were overruled; false: none'),
      limit,
      cursor,
    }),
    output: page(wire.historyItem).extend({ changes: wire.configChanges.describe('what was allowed when') }),
    terminal: { words: ['claim', 'history'], given: [] },
  },
  claim_validate: {
    name: 'claim_validate',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/claims/{claim_id}/validation',
    who: 'member',
    help: 'Checks a claim now, by every method there is for its type. Of an exchange or a finding, the next claim that was not checked. The operator always may; agents if it is switched on for the type.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      claim_id: checkedId,
      words: prose.optional().describe('the words of the exchange or finding to check'),
      core: z.boolean().optional().describe('check what a hedged sentence says: “I think Redis is running” as “Redis is running”'),
    }),
    output: done,
    terminal: { words: ['claim', 'check'], given: ['sidebar_id', 'claim_id'] },
    command: 'claim.validate',
    lost: 'a check is about now',
  },
  validation_config: {
    name: 'validation_config',
    method: 'POST',
    path: '/validation/config',
    who: 'operator',
    help: 'Turns automatic checks on or off, and sets which types may run on their own or when an agent asks.',
    input: z.object({
      ...command,
      enabled: z.boolean().optional().describe('whether they run at all without you'),
      allowed: z.array(type).max(VALIDATION_TYPES.length).optional().describe('the allowed types, replacing the previous list; empty for none'),
      state_ttl_minutes: z
        .number()
        .int()
        .min(1)
        .max(43_200)
        .optional()
        .describe('how long the mark of a state holds, such as “Redis is running”; 60 unless you change it'),
      reason: reason.optional(),
    }),
    output: done,
    terminal: { words: ['policy', 'validation'], given: [] },
    command: 'validation.configure',
    lost: 'it decides what is read on this machine: who changes it should see it done',
  },
  validation_overrule: {
    name: 'validation_overrule',
    method: 'POST',
    path: '/sidebars/{sidebar_id}/claims/{claim_id}/overruling',
    who: 'operator',
    help: 'Overrules a check: your verdict stands, and the history keeps the reason.',
    input: z.object({
      ...command,
      sidebar_id: sidebarId,
      claim_id: claimId,
      verification: z.enum(VERIFICATIONS).describe('what holds instead; unverified leaves it open'),
      reason: prose.describe('why the check was wrong'),
    }),
    output: done,
    terminal: { words: ['claim', 'overrule'], given: ['sidebar_id', 'claim_id', 'verification', 'reason'] },
    command: 'validation.overrule',
    kept: { what: 'why a check was wrong', text: 'reason' },
  },
} as const satisfies OperationsOf<'validation'>;

export const VALIDATION_CODECS: CodecsOf<typeof VALIDATION_OPERATIONS> = {
  claim_validate: async (input, given) => ({
    sidebar: input.sidebar_id,
    isAuto: false,
    ...(await given.checkClaim(input.sidebar_id, input.claim_id, input.words, input.core)),
  }),
  validation_config: (input) => ({
    isOn: input.enabled,
    allowed: input.allowed,
    stateTtl: input.state_ttl_minutes === undefined ? undefined : input.state_ttl_minutes * MINUTE,
    reason: input.reason,
  }),
  validation_overrule: (input) => ({
    sidebar: input.sidebar_id,
    claim: input.claim_id,
    verification: input.verification,
    reason: input.reason,
  }),
};

export const VALIDATION_EVENT_NAMES = {
  'claim.validated': ['claim_validated'],
  'claim.outdated': ['claim_outdated'],
  'finding.checked': ['finding_checked'],
  'validation.configured': ['validation_config'],
  'validation.overruled': ['validation_overruled'],
} as const satisfies NamesOf<'validation'>;

export const VALIDATION_TELLERS: TellersOf<typeof VALIDATION_EVENT_NAMES> = {
  'claim.validated': ({ claim, kind, outcome, confidence, conflicts, foundAt, needsReview, attempts, isAuto }, names, event) => ({
    type: 'claim_validated',
    sidebar_id: here(names, event),
    claim_id: names.item('CLAIM', claim, event.contextId),
    claim_type: kind,
    conclusion: outcome,
    mark: outcome === 'inconclusive' ? 'unverified' : outcome,
    confidence,
    conflicts,
    found_at: foundAt,
    needs_human_review: needsReview,
    methods: attempts.length,
    automatic: isAuto,
  }),
  'claim.outdated': ({ claim }, names, event) => ({
    type: 'claim_outdated',
    sidebar_id: here(names, event),
    claim_id: names.item('CLAIM', claim, event.contextId),
  }),
  'finding.checked': ({ finding, kind, outcome, confidence, conflicts, foundAt, needsReview, attempts }, names, event) => ({
    type: 'finding_checked',
    sidebar_id: here(names, event),
    entry_id: names.finding(finding, event.contextId),
    claim_type: kind,
    conclusion: outcome,
    confidence,
    conflicts,
    found_at: foundAt,
    needs_human_review: needsReview,
    methods: attempts.length,
  }),
  'validation.configured': ({ isOn, allowed, stateTtl, reason: why }) => ({
    type: 'validation_config',
    enabled: isOn,
    allowed,
    state_ttl_minutes: stateTtl === undefined ? null : Math.round(stateTtl / MINUTE),
    reason: why,
  }),
  'validation.overruled': ({ claim, verification, reason: why }, names, event) => ({
    type: 'validation_overruled',
    sidebar_id: here(names, event),
    claim_id: names.item('CLAIM', claim, event.contextId),
    verification,
    reason: why,
  }),
};

export const VALIDATION_SENTENCES: SentencesOf<typeof VALIDATION_EVENT_NAMES> = {
  claim_validated: (of) =>
    `${of('claim_id')} checked ${of('methods')} ways: ${of('conclusion')}${of('needs_human_review') === 'true' ? `; they disagree: ${of('conflicts')}` : ''}${after('; found at ', of('found_at'))}`,
  finding_checked: (of) => `${of('entry_id')} checked ${of('methods')} ways: ${of('conclusion')}${after('; found at ', of('found_at'))}`,
  claim_outdated: (of) => `${of('claim_id')} has to be checked again: a file has changed`,
  validation_config: (of, event) =>
    `checks by machine are ${event['enabled'] === true ? 'on' : 'off'}, allowed: ${of('allowed') === '' ? 'none' : of('allowed')}${after(' (', of('reason'))}${of('reason') === '' ? '' : ')'}`,
  validation_overruled: (of) => `the check of ${of('claim_id')} was overruled, ${of('verification')}: ${of('reason')}`,
};

const MINUTE = 60_000;
