import { readClaims, type CheckableType, type JudgedType } from './claims/classify.ts';
import { createClaims } from './contradictions/claims.ts';
import { contradictionBetween, haveNothingInCommon } from './contradictions/conflicts.ts';
import type { Contradiction } from './contradictions/contradiction.ts';
import type { Claim } from './contradictions/claim.ts';
import type { Found, Weigher } from './contradictions/weighing.ts';
import type { Remembered } from './remembered.ts';
import { remembered } from './remembered.ts';
import { packageNature, type PackageNature, type PackageText } from './routine/package-nature.ts';
import { resultShape, type ResultShape } from './routine/results.ts';
import { createSkills, type Fitting, type SkillFit } from './skills/skills.ts';
import { summarise, type Material } from './summaries/summary.ts';
import { tagsFor, type TagMaterial } from './summaries/tags.ts';

export type Language = {
  /** The texts that contradict the given one, in order, and at most `most`; and separately those that only report a change. */
  readonly contradictions: (text: string, others: readonly string[], most?: number) => readonly Found[];
  /** SUM-1: the result of a conversation. */
  readonly summarise: (material: Material) => string;
  /** SUM-4: its topics. */
  readonly tagsFor: (material: TagMaterial) => readonly string[];
  /** CLAIM-14: the claims in a text, at most one per sentence. */
  readonly claimsIn: (text: string) => readonly { readonly from: number; readonly words: string; readonly type: CheckableType | JudgedType }[];
  /** AUTO-11: the words that prevent an automatic merge of a package. */
  readonly packageNature: (text: PackageText) => PackageNature;
  /** AUTO-8: the form of a finding. */
  readonly resultShape: (text: string) => ResultShape;
  /** LOAD-14: how well specialties fit a task. */
  readonly skillFit: (text: string, specialties: readonly string[]) => SkillFit;
  /** LOAD-14: which lists of specialties fit what is wanted: groups that fit equally well, best first. */
  readonly skillGroups: (wanted: readonly string[], lists: readonly (readonly string[])[]) => readonly (readonly Fitting[])[];
};

export type LanguageOptions = {
  /** Removes secrets from a text, so that no description of a contradiction repeats one. */
  readonly mask: (text: string) => string;
  /** CONF-21: weighs what the rules find, and finds what they do not; without it the rules decide alone. */
  readonly weigher?: (claims: Remembered<Claim>, mostCharacters: number) => Weigher;
};

/** Caches the claims of recent texts; two instances give equal answers nevertheless. */
export const createLanguage = ({ mask, weigher }: LanguageOptions): Language => {
  const skills = createSkills();
  const claims = createClaims({ mask, mostCharacters: REMEMBERED });
  let weighs: Weigher | null = null;
  // AUTO-2: obstacles are computed again and again for an unchanged package.
  const natures = remembered((text) => packageNature(JSON.parse(text) as PackageText), REMEMBERED); // as it was serialized below
  const shapes = remembered(resultShape, REMEMBERED);
  return {
    contradictions: (text, others, most = Infinity) => {
      const claim = claims.of(text);
      const rules: (Contradiction | null)[] = [];
      let conflicts = 0;
      for (const other of others) {
        if (weigher === undefined && conflicts >= most) break;
        const against = claims.of(other);
        const contradiction = haveNothingInCommon(claim, against) ? null : contradictionBetween(claim, against);
        rules.push(contradiction);
        if (contradiction !== null && contradiction.kind !== 'changed') conflicts += 1;
      }
      if (weigher === undefined) return rules.flatMap((rule, at) => (rule === null ? [] : [{ ...rule, at }]));
      weighs ??= weigher(claims, REMEMBERED);
      const found: Found[] = [];
      conflicts = 0;
      for (const one of weighs.weigh({ text, others, rules })) {
        if (conflicts >= most) break;
        found.push(one);
        if (one.kind !== 'changed') conflicts += 1;
      }
      return found;
    },
    summarise: (material) =>
      summarise(material, { mask, contradicts: (later, earlier) => contradictionBetween(claims.of(later), claims.of(earlier)) !== null }),
    claimsIn: (text) => readClaims(text).map(({ from, words, type }) => ({ from, words, type })),
    packageNature: (text) => natures.of(JSON.stringify(text)),
    resultShape: shapes.of,
    skillFit: skills.fit,
    skillGroups: skills.groups,
    tagsFor: (material) => tagsFor({ ...material, texts: material.texts.map(({ text, weight }) => ({ text: mask(text), weight })) }),
  };
};

// Room for the texts of a few busy scratchpads: a claim takes about fifty times as much memory as its text.
const REMEMBERED = 1_000_000;
