import { STOP, isColourless } from '../text/lexicon/finding-words.ts';
import { scanText } from '../text/scan.ts';
import { stemOf } from '../text/stems.ts';
import { asksForConsent, rolesOf, type Role } from './roles.ts';
import { sentencesOf } from './sentences.ts';

/** A message and its place. */
export type Said = { readonly ref: string; readonly text: string };

export type Material = {
  readonly task: string;
  /** Confirmed and still standing findings, in order; `isGold`: a waypoint rests on it. */
  readonly findings: readonly (Said & { readonly isGold: boolean })[];
  /** Statements known to be wrong. */
  readonly fallen: readonly string[];
  readonly talk: readonly Said[];
  /** How it ended and what is left, as far as that is known without reading: whole sentences. */
  readonly ending: readonly string[];
};

export type SummaryOptions = {
  readonly mask: (text: string) => string;
  readonly contradicts: (later: string, earlier: string) => boolean;
};

/**
 * SUM-1: the result of a conversation in its own words: what was asked, found, decided, changed, and what is open. Every sentence names its source.
 * Confirmed statements come before others, and a result and a decision are included whenever there was one.
 */
export const summarise = (material: Material, { mask, contradicts }: SummaryOptions): string => {
  const candidates = candidatesIn(material);
  const chosen = new Map<Role, Candidate[]>(ROLES.map((role) => [role, []]));
  const lead = sentence(mask(flat(material.task)), MOST_LEAD);
  const ending = material.ending.map((one) => sentence(mask(flat(one)), MOST_ENDING));
  let room = MOST_SUMMARY - lead.length - ending.join(' ').length - LABELS;
  for (const role of ORDER_OF_CHOICE) {
    const taken = [...chosen.values()].flat();
    const best = bestOf(role, candidates, taken, contradicts);
    if (best === null) continue;
    const length = Math.min(best.text.length, MOST_SENTENCE) + best.ref.length + CITING;
    if (length > room) continue;
    room -= length;
    chosen.get(role)?.push(best);
  }
  const left = candidates.filter((one) => one.isFinding && ![...chosen.values()].some((said) => said.includes(one))).length;
  const more = left === 0 ? '' : left === 1 ? ' And one more finding.' : ` And ${left} more findings.`;
  const parts = ROLES.flatMap((role) => {
    const said = chosen.get(role) ?? [];
    return said.length === 0
      ? []
      : [`${WORDS[role]} ${said.map(({ text, ref }) => cited(mask(text), ref)).join(' ')}${role === 'found' ? more : ''}`];
  });
  const open = parts.findIndex((part) => part.startsWith(WORDS.open));
  // How it ended comes before what is left.
  const at = open === -1 ? parts.length : open;
  const told = [...parts.slice(0, at), ...ending, ...parts.slice(at)];
  return [lead, ...(told.length === 0 ? ['Nothing was found out.'] : told)].join(' ');
};

type Candidate = {
  readonly text: string;
  readonly ref: string;
  /** Its relative place, from 0 for the first to 1 for the last. */
  readonly place: number;
  readonly isFinding: boolean;
  /** It restates the question as a fact, as first messages mostly do. */
  readonly restates: boolean;
  readonly stems: ReadonlySet<string>;
  readonly weights: Readonly<Record<Role, number>>;
};

const candidatesIn = ({ task, findings, fallen, talk }: Material): readonly Candidate[] => {
  const asked = stemsOf(task);
  const wrong = fallen.map(stemsOf);
  const texts = [...findings, ...talk];
  const spread = spreadOf(texts.map(({ text }) => text));
  const worthOf = (stems: ReadonlySet<string>): number => {
    if (stems.size === 0) return -1;
    const shared = [...stems].filter((stem) => asked.has(stem)).length / Math.max(1, Math.min(asked.size, 5));
    const common = [...stems].reduce((sum, stem) => sum + (spread.get(stem) ?? 0), 0) / stems.size;
    return Math.min(1, shared) + common;
  };
  const found = findings.flatMap(({ ref, text, isGold }, i): readonly Candidate[] => {
    const whole = flat(text);
    const stems = stemsOf(whole);
    const { decided, changed, open } = rolesOf(whole);
    const worth = CONFIRMED + (isGold ? 1 : 0) + worthOf(stems) + rolesOf(whole).found / 2;
    const isPlan = decided >= ENOUGH.decided;
    const weights = {
      found: isPlan ? worth / 2 : worth,
      decided: isPlan ? decided + CONFIRMED : 0,
      changed: changed >= ENOUGH.changed ? changed : 0,
      open: open > 2 ? open : 0,
    };
    return [{ text: whole, ref, place: placeOf(i, findings.length), isFinding: true, restates: false, stems, weights }];
  });
  const said = talk.flatMap(({ ref, text }, i): readonly Candidate[] => {
    const place = placeOf(i, talk.length);
    const restates = place < EARLY && overlap(stemsOf(text.slice(0, MOST_COUNTED)), asked) >= RELATED;
    return sentencesOf(text).flatMap((one, at, all): readonly Candidate[] => {
      const body = withoutOpener(one);
      const stems = stemsOf(body);
      const isAgreedOn = asksForConsent((all[at + 1] ?? '').toLowerCase());
      const told = rolesOf(one);
      const roles = isAgreedOn ? { ...told, decided: told.decided + AGREED } : told;
      if ((body.length < SHORTEST || stems.size < 2) && roles.decided < ENOUGH.decided) return [];
      if (wrong.some((other) => overlap(stems, other) > ALIKE)) return [];
      const worth =
        Math.max(0, worthOf(stems)) +
        place * LATER -
        (place < EARLY ? 0.5 : 0) -
        (DANGLING.test(body) ? 0.6 : 0) -
        (body.length > MOST_SENTENCE ? 0.4 : 0);
      const weigh = (role: Role): number => (roles[role] < ENOUGH[role] ? 0 : Math.max(0.01, roles[role] + worth));
      // Questions open at the beginning have mostly been answered since.
      const open = place < 0.5 ? 0 : weigh('open');
      return [
        {
          text: body,
          ref,
          place,
          isFinding: false,
          restates,
          stems,
          weights: { found: weigh('found'), decided: weigh('decided'), changed: weigh('changed'), open },
        },
      ];
    });
  });
  return [...found, ...said];
};

/** The best candidate that says something new, and that nothing later withdraws. */
const bestOf = (
  role: Role,
  candidates: readonly Candidate[],
  taken: readonly Candidate[],
  contradicts: SummaryOptions['contradicts'],
): Candidate | null => {
  const ranked = candidates
    .filter((one) => one.weights[role] > 0 && ROLES.every((other) => other === role || one.weights[other] <= one.weights[role] + NEARLY))
    .filter((one) => !taken.some((other) => other === one || saysTheSame(one, other)))
    .filter(({ restates }) => role !== 'found' || !restates || taken.length === 0)
    .sort((a, b) => b.weights[role] - a.weights[role] || b.place - a.place)
    .slice(0, MOST_TRIED);
  return (
    ranked.find(
      (one) =>
        one.isFinding ||
        !candidates.some((later) => isAfter(later, one) && overlap(one.stems, later.stems) > RELATED && contradicts(later.text, one.text)),
    ) ?? null
  );
};

/** Two rows of a comparison have the same words but different numbers. */
const saysTheSame = (one: Candidate, other: Candidate): boolean =>
  one.text === other.text || overlap(one.stems, other.stems) > (hasOwnNumber(one, other) && hasOwnNumber(other, one) ? VERY_ALIKE : ALIKE);

const hasOwnNumber = ({ stems }: Candidate, other: Candidate): boolean => [...stems].some((stem) => /^\d/u.test(stem) && !other.stems.has(stem));

const isAfter = (later: Candidate, one: Candidate): boolean => later.isFinding || later.place > one.place;

const placeOf = (i: number, count: number): number => (count < 2 ? 1 : i / (count - 1));

/** The share of the texts that have a stem, from 0 to 1. */
const spreadOf = (texts: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts) for (const stem of stemsOf(text.slice(0, MOST_COUNTED))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Map([...counts].map(([stem, count]) => [stem, Math.log1p(count) / Math.log1p(Math.max(4, texts.length))]));
};

/** The stems that say something. */
const stemsOf = (text: string): ReadonlySet<string> => {
  const stems = new Set<string>();
  scanText(text, {
    word: (from, to) => {
      const lower = text.slice(from, to).toLowerCase();
      if (STOP.has(lower)) return;
      const stem = stemOf(lower);
      if (!isColourless(stem)) stems.add(stem);
    },
    sign: () => {},
  });
  return stems;
};

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  if (few.size === 0) return 0;
  return [...few].filter((stem) => many.has(stem)).length / few.size;
};

const flat = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

const withoutOpener = (text: string): string => text.replace(OPENER, '').replace(/^./u, (first) => first.toUpperCase());

/** A sentence with its final punctuation; a long one is cut between words. */
const sentence = (text: string, most: number): string => {
  const cut = text.length <= most ? text : `${text.slice(0, most - 1).replace(/\s+\S*$/u, '')}…`;
  return /[.!?…]["”’)\]]*$/u.test(cut) ? cut : `${cut}.`;
};

/** A FINDING-1 of its own sidebar needs no longer reference. */
const cited = (text: string, ref: string): string => {
  const whole = sentence(text, MOST_SENTENCE);
  return whole.endsWith('.') ? `${whole.slice(0, -1)} (${ref}).` : `${whole} (${ref})`;
};

const ROLES: readonly Role[] = ['found', 'decided', 'changed', 'open'];
/** The first of each role before a second of any; what doesn't fit is dropped from the end. */
const ORDER_OF_CHOICE: readonly Role[] = ['found', 'decided', 'changed', 'found', 'open', 'found', 'decided', 'changed'];
const WORDS = { found: 'Found:', decided: 'Decided:', changed: 'Changed:', open: 'Open:' } as const satisfies Record<Role, string>;
const ENOUGH: Readonly<Record<Role, number>> = { found: 0.9, decided: 1.2, changed: 1.4, open: 1.2 };
const OPENER =
  /^(?:(?:@\S+[,:]?|so|also|and|but|ok(?:ay)?|well|right|yes|no|yep|great|update|fyi|note|then|indeed|agreed)[,:.!]?\s+|(?:decision|decided|todo|to do|open (?:question|point|issue)s?|verdict|the plan is(?: to)?|plan|next(?: steps?)?)\s*:\s*)+(?=\S)/iu;
const DANGLING = /^(?:it|this|that|they|these|those|he|she|which|there)\b/iu;
const MOST_SUMMARY = 900;
const MOST_LEAD = 160;
const MOST_SENTENCE = 200;
const MOST_ENDING = 100;
const CITING = 5;
const LABELS = 65;
const SHORTEST = 15;
const MOST_TRIED = 12;
const MOST_COUNTED = 20_000;
const CONFIRMED = 3;
const LATER = 0.8;
/** A conversation begins by restating the question. */
const EARLY = 0.15;
const NEARLY = 0.2;
const ALIKE = 0.6;
const VERY_ALIKE = 0.9;
const AGREED = 1.6;
const RELATED = 0.3;
