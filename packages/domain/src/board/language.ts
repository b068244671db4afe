import type { FoundClaim } from '../claims/said.ts';

/** The text at this place contradicts the one that was asked about, or only tells of another time (`changed`); how, in a sentence for people. */
export type Contradicted = { readonly at: number; readonly kind: 'value' | 'negation' | 'cause' | 'changed'; readonly description: string };

/**
 * What rules about language say of a text. The domain decides by it and has no such rules itself: they are handed in. Equal texts are answered equally,
 * whenever they are asked about, so that deciding stays a function of what it is given.
 */
export type Language = {
  /** Those of the others that contradict the text, in their order, and no more than `most`; beside them those that only changed since. */
  readonly contradictions: (text: string, others: readonly string[], most: number) => readonly Contradicted[];
  /** What a conversation came to, in its own words. */
  readonly summarise: (material: SummaryMaterial) => string;
  /** What it is about, in words that tell it from the others. */
  readonly tagsFor: (material: TagMaterial) => readonly string[];
  /** The claims in what somebody said, in their order. */
  readonly claimsIn: (text: string) => readonly FoundClaim[];
  /** The words of a package that keep it from merging by itself. */
  readonly packageNature: (text: PackageText) => PackageNature;
  /** What a finding looks like. */
  readonly resultShape: (text: string) => ResultShape;
  /** How well somebody who is good at these fits a task, or a capability that is asked for. Cheap when asked again for the same list. */
  readonly skillFit: (text: string, specialties: readonly string[]) => SkillFit;
};

/** `words` are those of the text that fit; 0 when none does. */
export type SkillFit = { readonly score: number; readonly isExact: boolean; readonly words: readonly string[] };

/** What a package says, and of what. */
export type PackageText = {
  readonly task: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly findings: readonly string[];
  readonly recommendations: string | null;
  /** Files that it cites. */
  readonly paths: readonly string[];
};

/** By which words it proposes changes, is about security, or judges a structure. `isCode`: it changes code, not only something. */
export type PackageNature = {
  readonly changes: readonly string[];
  readonly isCode: boolean;
  readonly security: readonly string[];
  readonly architecture: readonly string[];
};

/** `isSimple`: one short statement of a boolean, number, version or state; `isReferences`: nothing but references; `isVerdict`: something passed or failed. */
export type ResultShape = { readonly isSimple: boolean; readonly isReferences: boolean; readonly isVerdict: boolean };

/** Something that was said, and where it stands. */
export type Said = { readonly ref: string; readonly text: string };

export type SummaryMaterial = {
  readonly task: string;
  /** What was confirmed and still stands; `isGold`: a waypoint rests on it. */
  readonly findings: readonly (Said & { readonly isGold: boolean })[];
  /** What was submitted and rejected. */
  readonly fallen: readonly string[];
  readonly talk: readonly Said[];
  /** How it ended and what is left, as far as the board knows: whole sentences. */
  readonly ending: readonly string[];
};

export type TagMaterial = {
  readonly texts: readonly { readonly text: string; readonly weight: number }[];
  readonly files: readonly string[];
  readonly others: readonly string[];
};

/** For whoever only wants to know whether a command would be refused: no text is a reason for that. */
export const NO_LANGUAGE: Language = {
  contradictions: () => [],
  summarise: ({ task }) => task,
  tagsFor: () => [],
  claimsIn: () => [],
  // What nobody has read does not merge by itself.
  packageNature: () => ({ changes: ['?'], isCode: true, security: [], architecture: [] }),
  resultShape: () => ({ isSimple: false, isReferences: false, isVerdict: false }),
  skillFit: () => ({ score: 0, isExact: false, words: [] }),
};
