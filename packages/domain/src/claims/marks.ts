import { OPERATOR, SYSTEM } from '../actors.ts';
import type { Verification } from '../messages/marks.ts';
import type { Claim, Judgement, Settlement } from './state.ts';

/** The current status of a claim or an exchange in this sidebar. */
export type Mark = {
  readonly verification: Verification;
  /** The status before it expired: it counts as unverified until somebody looks again. */
  readonly was: Exclude<Verification, 'unverified'> | null;
  /** Its judges disagree, and nobody has settled it. */
  readonly isDisputed: boolean;
  /** Null until it is verified. */
  readonly localConfidence: number | null;
  readonly isAssumed: boolean;
  /** Who, or what, said so. */
  readonly by: readonly string[];
  readonly at: number | null;
};

export const UNVERIFIED: Mark = {
  verification: 'unverified',
  was: null,
  isDisputed: false,
  localConfidence: null,
  isAssumed: false,
  by: [],
  at: null,
};

/** CLAIM-7: how long a verified state stays valid, unless the operator changes it. */
export const STATE_TTL = 60 * 60 * 1000;

/** CLAIM-4: 0 unless it is confirmed here, however sure the speaker was. A confidence of 0 is valid. */
export const effectiveConfidence = ({ verification, localConfidence }: Pick<Mark, 'verification' | 'localConfidence'>): number =>
  verification === 'confirmed' ? (localConfidence ?? 0) : 0;

/** CLAIM-5, CLAIM-6: the human's judgement stands; otherwise all judges have to agree. */
export const markOfClaim = (claim: Claim, now: number, ttl: number): Mark => {
  const all = voicesOn(claim);
  // CLAIM-18: a check whose file has changed no longer counts; if nobody else judged, its former result is shown.
  const isOutdated = claim.validation?.isOutdated === true;
  const voices = isOutdated ? all.filter(({ by }) => by !== SYSTEM.id) : all;
  if (isOutdated && voices.length === 0 && all.length > 0) return past(standing(all));
  const human = voices.findLast(({ by }) => by === OPERATOR.id);
  if (human !== undefined) return aged(claim, standing([human]), now, ttl);
  const said = new Set(voices.map(({ verification }) => verification));
  if (said.size < 2) return aged(claim, standing(voices), now, ttl);
  return { ...UNVERIFIED, isDisputed: true, by: judgesOf(voices), at: latest(voices) };
};

/** Judgements before a settlement no longer count, except the human's. */
const voicesOn = ({ judgements, settlement }: Claim): readonly (Judgement | Settlement)[] => {
  if (settlement === null) return judgements;
  const since = judgements.filter(({ position, by }) => position > settlement.position || by === OPERATOR.id);
  return [settlement, ...since].toSorted((a, b) => a.position - b.position);
};

/** All of them agree. The most cautious one determines the confidence. */
const standing = (voices: readonly (Judgement | Settlement)[]): Mark => {
  const [first] = voices;
  if (first === undefined || first.verification === 'unverified') return UNVERIFIED;
  const careful = voices.reduce((least, one) => ((one.confidence ?? 0) < (least.confidence ?? 0) ? one : least), first);
  return {
    ...UNVERIFIED,
    verification: first.verification,
    localConfidence: careful.confidence,
    isAssumed: careful.isAssumed,
    by: judgesOf(voices),
    at: latest(voices),
  };
};

const judgesOf = (voices: readonly { readonly by: string }[]): readonly string[] => [...new Set(voices.map(({ by }) => by))];

const latest = (voices: readonly { readonly at: number }[]): number | null =>
  voices.reduce<number | null>((most, { at }) => (most === null || at > most ? at : most), null);

/** CLAIM-7: setting the clock back doesn't age anything. */
const aged = ({ isVolatile }: Claim, mark: Mark, now: number, ttl: number): Mark => {
  if (!isVolatile || mark.verification === 'unverified' || mark.at === null || now - mark.at <= ttl) return mark;
  return past(mark);
};

const past = (mark: Mark): Mark =>
  mark.verification === 'unverified' ? mark : { ...mark, verification: 'unverified', was: mark.verification, localConfidence: null };

/** CLAIM-2: contradicted if any part is; confirmed if it was as a whole, or if all its claims are; otherwise unverified. */
export const markOfExchange = (claims: readonly Claim[], now: number, ttl: number): Mark => {
  const marks = claims.map((claim) => markOfClaim(claim, now, ttl));
  const wrong = marks.find(({ verification }) => verification === 'contradicted');
  if (wrong !== undefined) return wrong;
  const whole = marks.find(({ verification }, at) => verification === 'confirmed' && claims[at]?.words === null);
  if (whole !== undefined) return whole;
  const parts = marks.filter((_, at) => claims[at]?.words !== null);
  // Pointing at one sentence doesn't say that it is the only one.
  const isWholeRead = claims.some(({ isFound }) => isFound);
  if (isWholeRead && parts.every(({ verification }) => verification === 'confirmed')) return together(parts);
  return marks.find(({ isDisputed }) => isDisputed) ?? marks.find(({ was }) => was !== null) ?? UNVERIFIED;
};

/** EPI-12: the status of a thing's evidence: contradicted if any of it is, confirmed if everything judged is; null if nobody judged any. */
export const markOfEvidence = (claims: readonly Claim[], refs: readonly string[], now: number, ttl: number): Verification | null => {
  const cited = new Set(refs);
  const about = claims.filter(({ exchange, messages }) => exchange !== '' && (cited.has(exchange) || messages.some((ref) => cited.has(ref))));
  const marks = [...claimsByExchange(about).values()].map((all) => markOfExchange(all, now, ttl).verification);
  if (marks.length === 0) return null;
  if (marks.includes('contradicted')) return 'contradicted';
  return marks.every((mark) => mark === 'confirmed') ? 'confirmed' : 'unverified';
};

/** CLAIM-7: the stretch of time around `now` in which the mark of these claims stays as it is: later than `after`, up to `until`. */
export const steadySpan = (claims: readonly Claim[], now: number, ttl: number): { readonly after: number; readonly until: number } => {
  let [after, until] = [-Infinity, Infinity];
  for (const claim of claims) {
    const at = claim.isVolatile ? markOfClaim(claim, -Infinity, ttl).at : null;
    if (at === null) continue;
    if (at + ttl < now) after = Math.max(after, at + ttl);
    else until = Math.min(until, at + ttl);
  }
  return { after, until };
};

const together = (marks: readonly Mark[]): Mark => {
  const careful = marks.reduce((least, one) => ((one.localConfidence ?? 0) < (least.localConfidence ?? 0) ? one : least), marks[0] ?? UNVERIFIED);
  return { ...careful, by: [...new Set(marks.flatMap(({ by }) => by))], at: latest(marks.flatMap(({ at }) => (at === null ? [] : [{ at }]))) };
};

/** For every exchange with claims: each claim is visited once. */
export const marksOf = ({ claims }: { readonly claims: readonly Claim[] }, now: number, ttl: number): ReadonlyMap<string, Mark> =>
  new Map([...claimsByExchange(claims)].map(([exchange, all]) => [exchange, markOfExchange(all, now, ttl)]));

export const claimsByExchange = (claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> => {
  const groups = new Map<string, Claim[]>();
  for (const claim of claims) {
    // Its subject was forgotten.
    if (claim.exchange === '') continue;
    const known = groups.get(claim.exchange);
    if (known === undefined) groups.set(claim.exchange, [claim]);
    else known.push(claim);
  }
  return groups;
};
