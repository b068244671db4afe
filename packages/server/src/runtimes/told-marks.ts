import {
  cutText,
  effectiveConfidence,
  markOfClaim,
  marksOf,
  maskSecrets,
  needsReview,
  refOfClaim,
  stateTtl,
  SYSTEM,
  type Board,
  type Claim,
  type Mark,
  type Sidebar,
} from '@yarnboard/domain';
import { quotedLines } from './quoting.ts';

/** A sidebar's marks in the form a briefing uses. */
export type ToldMarks = {
  /** ✓, ✗ or ?: the mark here of an inherited message's exchange. */
  readonly signOf: (exchange: string | null) => string;
  /** What was judged here, most important first: the mark, the confidences, who said so and why. */
  readonly judged: readonly { readonly refs: readonly string[]; readonly text: string }[];
};

/** CLAIM-19: tells a new participant what was found out about the inherited memory, and that nobody checked the rest. */
export const toldMarks = (board: Board, sidebar: Sidebar, now: number): ToldMarks => {
  const ttl = stateTtl(board);
  const marks = marksOf(sidebar, now, ttl);
  const judged = sidebar.claims
    .filter(({ exchange }) => exchange !== '')
    .map((claim) => ({ claim, mark: markOfClaim(claim, now, ttl) }))
    .filter(({ claim, mark }) => rankOf(claim, mark) < NOTHING)
    .toSorted((a, b) => rankOf(a.claim, a.mark) - rankOf(b.claim, b.mark) || b.claim.number - a.claim.number)
    .slice(0, MOST_JUDGED);
  return {
    signOf: (exchange) => SIGNS[(exchange === null ? undefined : marks.get(exchange)?.verification) ?? 'unverified'],
    judged: judged.map(({ claim, mark }) => ({
      refs: [claim.exchange, refOfClaim(sidebar.ref, claim)],
      text: `- ${SIGNS[mark.verification]} ${refOfClaim(sidebar.ref, claim)} in ${claim.exchange}, ${standingOf(claim, mark)}; ${confidencesOf(claim, mark)}:\n${quoted(claim.words ?? `${claim.exchange} as a whole`)}\n${reasonsFor(claim)}`,
    })),
  };
};

const SIGNS = { confirmed: '✓', contradicted: '✗', unverified: '?' } as const;

/** Contradicted claims first, then open ones, then confirmed. */
const rankOf = (claim: Claim, { verification, isDisputed, was }: Mark): number => {
  if (verification === 'contradicted') return 0;
  if (isDisputed || needsReview(claim)) return 1;
  if (verification === 'confirmed') return 2;
  return was === null ? NOTHING : 3;
};
const NOTHING = 4;

const standingOf = (claim: Claim, { verification, isDisputed, was, by, at }: Mark): string => {
  const who = by.map((id) => (id === SYSTEM.id ? 'a check by machine' : id)).join(' and ');
  if (isDisputed) return `disputed by ${who}`;
  if (was !== null) return `unverified again, was ${was}${at === null ? '' : ` at ${new Date(at).toISOString()}`}`;
  return verification === 'unverified' && needsReview(claim) ? 'unverified, checks of it disagree' : `${verification} by ${who}`;
};

const confidencesOf = ({ originalConfidence }: Claim, mark: Mark): string =>
  [
    ...(originalConfidence === null ? [] : [`said with ${originalConfidence.toFixed(2)}`]),
    ...(mark.localConfidence === null ? [] : [`${mark.localConfidence.toFixed(2)} here`]),
    `counts with ${effectiveConfidence(mark).toFixed(2)}`,
  ].join(', ');

/** Notes of the judges, and what the latest check saw. Text from others or from files is quoted. */
const reasonsFor = ({ judgements, settlement, validation }: Claim): string => {
  const voices = [...judgements, ...(settlement === null ? [] : [settlement])].filter(({ by, notes }) => by !== SYSTEM.id && notes !== null);
  const notes = voices.slice(-MOST_REASONS).map(({ by, notes: said }) => `  ${by} noted:\n${quoted(said ?? '')}\n`);
  const spoke = (validation?.isOutdated === false ? validation.attempts : []).filter(({ says }) => says !== 'nothing').slice(0, MOST_REASONS);
  const seen = spoke.map(({ method, says, evidence }) => `${method.replaceAll('_', ' ')} ${says} it${evidence === '' ? '' : ` (${evidence})`}`);
  return `${notes.join('')}${seen.length === 0 ? '' : `  A check saw:\n${quoted(seen.join('\n'))}\n`}`;
};

// Mask before cutting: half a secret isn't recognized.
const quoted = (text: string): string => quotedLines(cutText(maskSecrets(text).text, LONGEST));

const MOST_JUDGED = 20;
const MOST_REASONS = 3;
const LONGEST = 400;
