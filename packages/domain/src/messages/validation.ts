import * as z from 'zod';
import { OPERATOR } from '../actors.ts';
import { event, type WhileAway } from './definition.ts';
import { VERIFICATIONS } from './marks.ts';
import { because, doer, nameOf, nobody, teamOf } from './telling.ts';
import { maybe, text, texts, type Frozen } from './values.ts';

/** VAL-1: what a machine can check. The four types that are a matter of judgement are not listed, so nobody can allow them. */
export const VALIDATION_TYPES = [
  'service_status',
  'file_exists',
  'config_value',
  'dependency_exists',
  'current_state',
  'code_structure',
  'version_check',
  'did_it',
] as const;
export type ValidationType = (typeof VALIDATION_TYPES)[number];

export const OUTCOMES = ['confirmed', 'contradicted', 'inconclusive'] as const;
export type ValidationOutcome = (typeof OUTCOMES)[number];

/** VAL-2: one method's answer. Not finding something refutes a claim only if the method would have found it. */
export const SAYINGS = ['supports', 'refutes', 'nothing'] as const;
export type Saying = (typeof SAYINGS)[number];

/** Where a method looked: the project's own information comes before the machine's; actions are on the log. */
export const ENVIRONMENTS = ['project', 'system', 'declared', 'log'] as const;
export type ValidationEnvironment = (typeof ENVIRONMENTS)[number];

/** The seed's ValidationAttempt. */
const attempt = z.strictObject({
  method: text,
  environment: z.enum(ENVIRONMENTS),
  startedAt: z.number(),
  duration: z.number(),
  says: z.enum(SAYINGS),
  /** One such answer suffices; of the others, it takes two. */
  isDecisive: z.boolean(),
  /** What it saw, masked and short. */
  evidence: text,
  /** Why it says nothing, if something prevented it from looking. */
  fault: maybe,
  /** Where else it found what may have been meant. */
  foundAt: texts,
});
export type ValidationAttempt = Frozen<z.output<typeof attempt>>;

/** A file behind an answer, and its stamp: when the stamp changes, the answer is out of date. */
const seenFile = z.strictObject({ path: text, stamp: text });
export type SeenFile = Frozen<z.output<typeof seenFile>>;

/** The result of a run: the decider concludes from it. */
const report = z.strictObject({
  kind: z.enum(VALIDATION_TYPES),
  /** The claim is a denial: refuting its opposite confirms it. */
  isDenied: z.boolean(),
  /** A hash of the subject, without its value: nobody may guess values one by one. */
  subject: text,
  attempts: z.array(attempt).max(60),
  files: z.array(seenFile).max(20),
  duration: z.number(),
});
export type ValidationReport = Frozen<z.output<typeof report>>;

/** A run, and its conclusion. */
const run = {
  ...report.shape,
  isAuto: z.boolean(),
  outcome: z.enum(OUTCOMES),
  confidence: z.number().nullable(),
  conflicts: texts,
  foundAt: texts,
  needsReview: z.boolean(),
};

export const VALIDATION_EVENTS = {
  'claim.validated': event(z.strictObject({ claim: text, ...run }))({
    tells: ({ needsReview }, { sidebar }) =>
      needsReview
        ? [
            {
              to: [OPERATOR.id],
              level: 'warning',
              kind: 'check',
              text: `checks of a claim in ${nameOf(sidebar)} disagree; please decide`,
              refs: [nameOf(sidebar)],
            },
          ]
        : [],
  }),
  'claim.outdated': event(z.strictObject({ claim: text }))({ tells: nobody }),
  /** VAL-31: evidence for the curator, who sets the status of a finding. */
  'finding.checked': event(z.strictObject({ finding: text, words: text, ...run }))({
    words: ['words'],
    tells: ({ finding, outcome }, { sidebar, findingOf }) => [
      {
        to: sidebar === null ? [] : [sidebar.curator],
        level: 'info',
        kind: 'check',
        text: `finding ${findingOf(finding)?.number ?? ''} of ${nameOf(sidebar)} was checked by machine: ${outcome}`,
        refs: [nameOf(sidebar)],
      },
    ],
  }),
  'validation.configured': event(
    z.strictObject({
      isOn: z.boolean(),
      allowed: z.array(z.enum(VALIDATION_TYPES)),
      /** How long a state is valid, in milliseconds. */
      stateTtl: z.number().optional(),
      reason: maybe,
    }),
  )({ tells: nobody }),
  'validation.overruled': event(z.strictObject({ claim: text, run: text, verification: z.enum(VERIFICATIONS), reason: text }))({
    words: ['reason'],
    tells: ({ verification, reason }, around) => [
      {
        to: teamOf(around.sidebar),
        level: 'info',
        kind: 'check',
        text: `${doer(around)} overruled a check in ${nameOf(around.sidebar)}: ${verification}${because(reason)}`,
        refs: [nameOf(around.sidebar)],
      },
    ],
  }),
} as const;

const named = {
  sidebar: text,
  /** CLAIM-n or FINDING-n of the sidebar, or EXCH-n with some of its words. */
  claim: text,
};

export const VALIDATION_COMMANDS = {
  'claim.validate': z.strictObject({
    ...named,
    words: text.optional(),
    /** VAL-32: somebody asks about the content of a hedged sentence. */
    isCore: z.boolean().optional(),
    isAuto: z.boolean(),
    report,
  }),
  /** The server notices that a file read by a check has changed. */
  'claim.outdate': z.strictObject(named),
  'validation.configure': z.strictObject({
    isOn: z.boolean().optional(),
    allowed: z.array(z.enum(VALIDATION_TYPES)).optional(),
    stateTtl: z.number().optional(),
    reason: text.optional(),
  }),
  'validation.overrule': z.strictObject({ ...named, verification: z.enum(VERIFICATIONS), reason: text }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const VALIDATION_WHILE_AWAY = {
  'claim.validate': 'blocked',
  'claim.outdate': 'blocked',
  'validation.configure': 'blocked',
  'validation.overrule': 'queued',
} as const satisfies Readonly<Record<keyof typeof VALIDATION_COMMANDS, WhileAway>>;
