import type { Cause } from './causes.ts';
import type { Claim } from './claim.ts';
import type { Contradiction } from './contradiction.ts';
import { wordSet } from '../text/stems.ts';
import { isColourless, isWeak } from '../text/lexicon/finding-words.ts';

export const causeConflict = (a: Claim, b: Claim): Contradiction | null => {
  for (const one of a.causes.slice(0, 50))
    for (const other of b.causes.slice(0, 50)) {
      const found = causePair(one, other);
      if (found !== null) return found;
    }
  return refutedCause(a, b) ?? refutedCause(b, a);
};
/** Whether both name the same cause of the same symptom, or both deny it. */
export const causesAgree = (a: Claim, b: Claim): boolean =>
  a.causes.slice(0, 50).some((one) =>
    b.causes.slice(0, 50).some((other) => {
      if (one.weak || other.weak || one.denied !== other.denied || ![...one.effect].some((word) => other.effect.has(word))) return false;
      const common = [...one.cause].filter((word) => other.cause.has(word)).length;
      return common >= 0.5 * Math.min(one.cause.size, other.cause.size);
    }),
  );
/** One blames a thing; the other says that it is off or absent, or that it made no difference. */
const refutedCause = (blames: Claim, other: Claim): Contradiction | null => {
  for (const { cause, effect, denied, weak, causeText } of blames.causes.slice(0, 20)) {
    if (denied || weak || cause.size === 0 || ![...effect].some((word) => other.vocabulary.has(word))) continue;
    for (const statement of other.statements) {
      const named = [...cause].filter((word) => statement.names.has(word));
      if (named.length < Math.max(1, 0.6 * cause.size)) continue;
      const gone =
        (named.length > 1 || cause.size === 1) &&
        [...OFF].some((name) => statement.names.get(name)?.denied === true && statement.names.get(name)?.said === false && !cause.has(name));
      const undone =
        statement.terms.some((term) => UNDOING.has(term.name)) &&
        statement.terms.some((term) => UNCHANGED.has(term.name) || UNCHANGED.has(term.word));
      if (!gone && !undone) continue;
      const subject = [...effect].map((word) => word.replace('±', '')).join(' ');
      return { kind: 'cause', subject, description: `both are about the cause of "${subject}": one says "${causeText}", the other rules it out` };
    }
  }
  return null;
};
const OFF = wordSet('±enable ±present ±used ±run');
const UNDOING = new Set(['revert', 'rollback', 'remov', 'disabl', '±enable', '±keep', 'undo', 'bypass', 'without', 'downgrad']);
const UNCHANGED = wordSet('left same unchanged identical persists remains still exactly ±same leav');

const isCode = (word: string): boolean => /[a-z0-9][-_./:][a-z0-9]/u.test(word);
const causePair = (a: Cause, b: Cause): Contradiction | null => {
  if ((a.weak && b.weak) || a.which !== b.which) return null;
  const effects = [...a.effect].filter((word) => b.effect.has(word));
  if (effects.every((word) => word.startsWith('±')) || effects.length < 0.5 * Math.min(a.effect.size, b.effect.size)) return null;
  const [restA, restB] = [
    [...a.effect].filter((word) => !b.effect.has(word) && !b.cause.has(word) && !isColourless(word) && !isWeak(word)),
    [...b.effect].filter((word) => !a.effect.has(word) && !a.cause.has(word) && !isColourless(word) && !isWeak(word)),
  ];
  if (restA.length > 0 && restB.length > 0 && effects.filter((word) => !word.startsWith('±')).length < 2) return null;
  // `sync-contacts` and `sync-calendars` each fail for a reason of their own.
  if (restA.some(isCode) && restB.some(isCode)) return null;
  const common = [...a.cause].filter((word) => b.cause.has(word)).length;
  const similar = common / Math.min(a.cause.size, b.cause.size);
  const subject = effects.map((word) => word.replace('±', '')).join(' ');
  const [one, other] = [a.causeText, b.causeText].toSorted();
  if (a.denied !== b.denied)
    return similar >= 0.5
      ? {
          kind: 'cause',
          subject,
          description: `both are about the cause of "${subject}": one says "${a.denied ? b.causeText : a.causeText}", the other denies it`,
        }
      : null;
  if (a.denied || similar > 0.5 || common === a.cause.size || common === b.cause.size) return null;
  return { kind: 'cause', subject, description: `both are about the cause of "${subject}": one says "${one}", the other "${other}"` };
};
