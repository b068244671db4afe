import { deedMoodOf, moodOf } from './mood.ts';
import { proseIn } from './prose.ts';
import type { ClaimArguments } from './shapes.ts';
import { codeStructure } from './code.ts';
import { configValue } from './config-values.ts';
import { didIt } from './deeds.ts';
import { fileExists } from './files.ts';
import { dependencyExists, versionCheck } from './packages.ts';
import type { Checkable, Reader } from './pattern.ts';
import { currentState, serviceStatus } from './states.ts';

export type CheckableType = ClaimArguments['type'];
export type JudgedType = 'hypothesis' | 'causation' | 'recommendation' | 'interpretation';

/** What a sentence claims. `because` are the words that decided it. */
export type ReadClaim =
  | {
      readonly kind: 'checkable';
      readonly type: CheckableType;
      readonly arguments: ClaimArguments;
      /** It denies this. */
      readonly isDenied: boolean;
      readonly because: string;
    }
  | { readonly kind: 'judgement'; readonly type: JudgedType; readonly because: string };

export type PlacedClaim = ReadClaim & { readonly from: number; readonly words: string };

/** CLAIM-14: the claims in a text, in order: at most one per sentence. The same text always gives the same claims. */
export const readClaims = (text: string): readonly PlacedClaim[] =>
  proseIn(text).flatMap(({ from, text: words }) => {
    const claim = readClaim(words);
    return claim === null ? [] : [{ ...claim, from, words }];
  });

/** CLAIM-15, CLAIM-16: the claim of a single sentence; null if it makes none of a known type. */
export const readClaim = (sentence: string): ReadClaim | null => {
  if (sentence.length > LONGEST) return null;
  const plain = spelled(sentence);
  const deedMood = deedMoodOf(plain);
  const deed = deedMood.kind === 'plain' ? firstOf(clausesOf(plain), DEEDS) : null;
  if (deed !== null) return checkable(deed);
  const told = plain.replace(EVIDENCE, '');
  const mood = moodOf(told);
  if (mood.kind === 'judgement') return mood;
  if (mood.kind === 'open') return null;
  const found = firstOf(clausesOf(told), READERS);
  return found === null ? null : checkable(found);
};

/** In the order they are tried: the first match decides, so that a sentence has one type. Each is only tried on plausible sentences. */
const READERS: readonly (readonly [hint: RegExp, read: Reader])[] = [
  [/exist|defin|declar|export|contain|implement|provid|\b(?:is|are|has|lives?|there|function|method|class)\b/iu, codeStructure],
  [
    /install|depend|missing|package\.json|requirements|\.lock\b|\.toml\b|go\.(?:mod|sum)|site-packages|node_modules|Gemfile|Pipfile|present|\bpath\b/iu,
    dependencyExists,
  ],
  [/\d/u, versionCheck],
  [/[./]\w|\w\/|[A-Z]\w+file\b|LICENSE|README|CHANGELOG|CODEOWNERS/u, fileExists],
  [
    /running|\b(?:up|down|live|dead|alive)\b|stopped|active|healthy|started|o(?:n|ff)line|reachable|available|listen|responding|failed|crashed/iu,
    serviceStatus,
  ],
  [/\d|branch|clean|dirty|detached|empty|full|port/iu, currentState],
  [/[=:]|\b(?:is|are|set|sets|defaults?|equals|has|have|configures|pins|caps)\b|'s\b|n't\b/iu, configValue],
];
const DEEDS: typeof READERS = [
  [
    /pass|fail|green|succe|complet|compil|build|clean|wr[oi]t|creat|add|updat|edit|modif|chang|sav|generat|refactor|fix|patch|delet|remov|commit|push|deploy|install|\bran\b|\brun\b|execut|works/iu,
    didIt,
  ],
];

const firstOf = (clauses: readonly string[], readers: typeof READERS): Checkable | null => {
  for (const clause of clauses) {
    for (const [hint, read] of readers) {
      const found = hint.test(clause) ? read(clause) : null;
      if (found !== null) return found;
    }
  }
  return null;
};

/** Normalizes spelling variants; quotations of others are left out. A quoted value is a word or two. */
const spelled = (sentence: string): string =>
  sentence
    .replaceAll(/\*\*|__(?=\w)|(?<=\w)__(?!\w)/gu, '')
    .replaceAll('’', "'")
    .replace(/^\s*[-*+•]\s+/u, '')
    .replaceAll(/\b(is|are|does|do|did|was|were|has|have|had|wo|ca|could|would|should)nt\b/giu, "$1n't")
    .replaceAll(/["“][^"”]*\s[^"”]*\s[^"”]*\s[^"”]*["”]/gu, '“…”')
    .replace(/\s*(?:[:;]-?[()DP]|[✓✅👍🎉])+\s*$/u, '')
    .trim();

/** The whole sentence first, then its clauses: its author states all of it, and the first checkable clause represents it. */
const clausesOf = (sentence: string): readonly string[] => {
  const parts = sentence.split(/,\s+|:\s+|\s+[-–—]\s+|;\s*/u);
  const joined = [sentence, ...parts].flatMap((part) => [part, ...part.split(/\s+and\s+/u)]);
  return [...new Set(joined.map((part) => part.replace(/^(?:and|so|then|but|that|while|as of now|heads up)\s+/iu, '').trim()))]
    .filter((part) => part.length >= SHORTEST)
    .slice(0, MOST_CLAUSES);
};

/** The checkable core of a hedged sentence: only on request, never automatically. */
export const readCore = (sentence: string): ReadClaim | null => {
  const core = sentence
    .replace(HEDGE_LEAD, '')
    .replaceAll(HEDGE_WORDS, ' ')
    .replaceAll(/\s{2,}/gu, ' ')
    .trim();
  const claim = readClaim(core);
  return claim?.kind === 'checkable' ? claim : null;
};

const checkable = ({ arguments: args, isDenied, because }: Checkable): ReadClaim => ({
  kind: 'checkable',
  type: args.type,
  arguments: args,
  isDenied,
  because,
});

/** How somebody found out: that was in the past, and what they saw holds now. */
const EVIDENCE =
  /^(?:(?:i|we)(?:'ve| have)?\s+(?:just\s+|also\s+)?(?:(?:found|checked|looked|verified|confirmed|ran|see|can see|saw|went through|opened|read)\b[^,:]{0,60}?(?:,? and|\bthat|:|,)|can see(?: that)?|see(?: that)?|found(?: that)?(?: it:)?)\s+|(?:having|after|while)\s+\w+ing?\b[^,]{0,80}?(?:,|\bsaw that|\bfound that)\s+|(?:docker|systemctl|ps|git|it|[\w.-]+\.(?:json|ya?ml|toml))\s+(?:shows|says)\s+(?:that\s+)?|(?:ok,?\s+)?found it\s*[-:]\s*)/iu;

const HEDGE_LEAD =
  /^(?:i (?:think|believe|guess|suspect|assume)(?: that)?|probably|maybe|perhaps|apparently|afaik,?|iirc,?|it (?:seems|appears|looks like)(?: that)?|as far as i (?:know|can tell),?)\s+/iu;
const HEDGE_WORDS = /\b(?:probably|maybe|perhaps|possibly|presumably|likely|apparently)\b/giu;
const LONGEST = 400;
const SHORTEST = 6;
const MOST_CLAUSES = 8;
