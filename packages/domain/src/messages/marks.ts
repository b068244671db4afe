import * as z from 'zod';
import { SYSTEM } from '../actors.ts';
import { event, FORGOTTEN, type WhileAway } from './definition.ts';
import { because, doer, nameOf, nobody, teamOf } from './telling.ts';
import { maybe, text, texts } from './values.ts';

/** CLAIM-1: what somebody, or a check, made of something that was inherited. */
export const VERIFICATIONS = ['confirmed', 'contradicted', 'unverified'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** What a claim can be about: each is of one class, which says whether it can be checked, and how long that holds. */
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

/** Claims in what a sidebar inherited, and what became of them. */
export const MARK_EVENTS = {
  /** A claim is a place and its words: it is noted when it is first judged. */
  'claim.noted': event(
    z.strictObject({
      number: z.number(),
      exchange: text,
      /** The messages it is in: all of the exchange, when it was taken as a whole. */
      messages: texts,
      /** Null for an exchange as a whole. */
      words: maybe,
      /** Where in the message they begin. */
      from: z.number().nullable(),
      /** Null for what is of no type, or holds several claims. */
      kind: z.enum(CLAIM_TYPES).nullable(),
      /** It tells of a state, which may be another one soon. */
      isVolatile: z.boolean(),
      /** The rules found it, together with all others of its exchange; otherwise somebody pointed at it. */
      isFound: z.boolean(),
      /** Who said it. */
      saidBy: texts,
      /** How sure whoever said it was. */
      confidence: share,
    }),
  )({
    tells: nobody,
    words: ['words'],
    // Claims are counted: without it, those behind it would have other numbers than they were given.
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
      /** How sure one can be of the claim now; null when a judgement is taken back. */
      confidence: share,
      /** Whoever judged it gave none. */
      isAssumed: z.boolean(),
      notes: maybe,
      evidence: texts,
    }),
  )({ tells: nobody, words: ['notes'] }),
  'claim.disputed': event(z.strictObject({ claim: text, exchange: text, agents: texts }))({
    tells: ({ exchange, agents }, { sidebar }) => [
      {
        // A check by machine can disagree, too, and reads no inbox.
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
    /** Some words of the exchange; left out, it is judged as a whole. */
    words: text.optional(),
    notes: text.optional(),
    evidence: texts.optional(),
    /** What it was when this was decided: if somebody else has judged it since, look at it again first. */
    seen: verification.optional(),
  }),
  'claim.settle': z.strictObject({ ...judged, notes: text }),
} as const;

/** REC-54: what becomes of them while the log cannot be written. */
export const MARK_WHILE_AWAY = {
  'claim.verify': 'queued',
  'claim.settle': 'queued',
} as const satisfies Readonly<Record<keyof typeof MARK_COMMANDS, WhileAway>>;
