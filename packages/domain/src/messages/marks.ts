import * as z from 'zod';
import { SYSTEM } from '../actors.ts';
import { event, FORGOTTEN, type WhileAway } from './definition.ts';
import { because, doer, nameOf, nobody, teamOf } from './telling.ts';
import { maybe, text, texts } from './values.ts';

/** CLAIM-1: the result of a judgement or check of something inherited. */
export const VERIFICATIONS = ['confirmed', 'contradicted', 'unverified'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** The types of claims: each belongs to a class, which determines whether it can be checked, and how long a result is valid. */
export const CLAIM_TYPES = [
  'config_value',
  'file_exists',
  'code_structure',
  'version_check',
  'dependency_exists',
  'did_it',
  'service_status',
  'current_state',
  'hypothesis',
  'causation',
  'recommendation',
  'interpretation',
] as const;
export type ClaimType = (typeof CLAIM_TYPES)[number];

const verification = z.enum(VERIFICATIONS);
const share = z.number().nullable();

/** Claims in what a sidebar inherited, and their judgements. */
export const MARK_EVENTS = {
  /** A claim is a place and its words: it is noted when it is first judged. */
  'claim.noted': event(
    z.strictObject({
      number: z.number(),
      exchange: text,
      /** The messages it is in: the whole exchange, if that was judged as a whole. */
      messages: texts,
      /** Null for an exchange as a whole. */
      words: maybe,
      /** Where its words begin in the message. */
      from: z.number().nullable(),
      /** Null if it has no type, or contains several claims. */
      kind: z.enum(CLAIM_TYPES).nullable(),
      /** It describes a state, which may change soon. */
      isVolatile: z.boolean(),
      /** Found by the rules, together with all others of its exchange; otherwise somebody pointed at it. */
      isFound: z.boolean(),
      /** Who said it. */
      saidBy: texts,
      /** The speaker's confidence. */
      confidence: share,
    }),
  )({
    tells: nobody,
    words: ['words'],
    // Claims are counted: without this one, later ones would get different numbers.
    remains: ({ sidebar }) => ({
      number: (sidebar?.claims.length ?? 0) + 1,
      exchange: '',
      messages: [],
      words: FORGOTTEN,
      from: null,
      kind: null,
      isVolatile: false,
      isFound: false,
      saidBy: [],
      confidence: null,
    }),
  }),
  'claim.verified': event(
    z.strictObject({
      claim: text,
      verification,
      /** The confidence in the claim now; null when a judgement is withdrawn. */
      confidence: share,
      /** The judge gave none. */
      isAssumed: z.boolean(),
      notes: maybe,
      evidence: texts,
    }),
  )({ tells: nobody, words: ['notes'] }),
  'claim.disputed': event(z.strictObject({ claim: text, exchange: text, agents: texts }))({
    tells: ({ exchange, agents }, { sidebar }) => [
      {
        // A machine check can disagree, too, and reads no inbox.
        to: [...agents.filter((one) => one !== SYSTEM.id), ...(sidebar === null ? [] : [sidebar.curator])],
        level: 'warning',
        kind: 'dispute',
        text: `you disagree about whether ${exchange} is true in ${nameOf(sidebar)}; please discuss it there`,
        refs: [exchange, nameOf(sidebar)],
      },
    ],
  }),
  'claim.settled': event(z.strictObject({ claim: text, exchange: text, verification, confidence: share, isAssumed: z.boolean(), notes: text }))({
    words: ['notes'],
    tells: ({ exchange, verification: verdict, notes }, around) => [
      {
        to: teamOf(around.sidebar),
        level: 'info',
        kind: 'dispute',
        text: `${doer(around)} settled the dispute about ${exchange} in ${nameOf(around.sidebar)}: ${verdict}${because(notes)}`,
        refs: [exchange, nameOf(around.sidebar)],
      },
    ],
  }),
} as const;

const judged = {
  sidebar: text,
  /** CLAIM-n of the sidebar, or EXCH-n for an exchange that it inherited. */
  claim: text,
  verification,
  confidence: z.number().optional(),
};

export const MARK_COMMANDS = {
  'claim.verify': z.strictObject({
    ...judged,
    /** Some words of the exchange; without them, it is judged as a whole. */
    words: text.optional(),
    notes: text.optional(),
    evidence: texts.optional(),
    /** The status it was judged from: if somebody else has judged it since, look again first. */
    seen: verification.optional(),
  }),
  'claim.settle': z.strictObject({ ...judged, notes: text }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const MARK_WHILE_AWAY = {
  'claim.verify': 'queued',
  'claim.settle': 'queued',
} as const satisfies Readonly<Record<keyof typeof MARK_COMMANDS, WhileAway>>;
