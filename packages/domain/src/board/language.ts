import type { FoundClaim } from '../claims/said.ts';

/** The text at this index contradicts the one in question, or only refers to another time (`changed`); how, in a sentence for people. */
export type Contradicted = { readonly at: number; readonly kind: 'value' | 'negation' | 'cause' | 'changed'; readonly description: string };

/**
 * What language rules say about a text. The domain decides by them but has none of its own: they are passed in. Equal texts always get equal answers,
 * so deciding stays a pure function.
 */
export type Language = {
  /** The texts that contradict the given one, in order, and at most `most`; and separately those that only changed since. */
  readonly contradictions: (text: string, others: readonly string[], most: number) => readonly Contradicted[];
  /** The result of a conversation, in its own words. */
  readonly summarise: (material: SummaryMaterial) => string;
  /** Its topics, in words that distinguish it from the others. */
  readonly tagsFor: (material: TagMaterial) => readonly string[];
  /** The claims in a text, in order. */
  readonly claimsIn: (text: string) => readonly FoundClaim[];
  /** The words of a package that prevent an automatic merge. */
  readonly packageNature: (text: PackageText) => PackageNature;
  /** The form of a finding. */
  readonly resultShape: (text: string) => ResultShape;
  /** How well these specialties fit a task or a requested capability. Repeated calls for the same list are cheap. */
  readonly skillFit: (text: string, specialties: readonly string[]) => SkillFit;
  /**
   * Which of these lists fit one of the wanted texts, by the best of these: groups that fit equally well, best first. Repeated questions about the same
   * array of lists are cheap.
   */
  readonly skillGroups: (wanted: readonly string[], lists: readonly (readonly string[])[]) => readonly (readonly Fitting[])[];
};

/** `words` are the matching words of the text; 0 if none match. */
export type SkillFit = { readonly score: number; readonly isExact: boolean; readonly words: readonly string[] };

/** The list at this index fits. */
export type Fitting = { readonly at: number; readonly fit: SkillFit };

/** The text of a package, and its subject. */
export type PackageText = {
  readonly task: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly findings: readonly string[];
  readonly recommendations: string | null;
  /** Files that it cites. */
  readonly paths: readonly string[];
};

/** The words that propose changes, concern security, or judge a structure. `isCode`: it changes code, not just anything. */
export type PackageNature = {
  readonly changes: readonly string[];
  readonly isCode: boolean;
  readonly security: readonly string[];
  readonly architecture: readonly string[];
};

/**
 * `isSimple`: one short statement of a boolean, number, version or state; `isReferences`: nothing but references; `isVerdict`: something passed or
 * failed.
 */
export type ResultShape = { readonly isSimple: boolean; readonly isReferences: boolean; readonly isVerdict: boolean };

/** A message and its place. */
export type Said = { readonly ref: string; readonly text: string };

export type SummaryMaterial = {
  readonly task: string;
  /** Confirmed and still standing findings; `isGold`: a waypoint rests on it. */
  readonly findings: readonly (Said & { readonly isGold: boolean })[];
  /** Findings that were submitted and rejected. */
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

/** For callers that only want to know whether a command would be refused: texts are never the reason. */
export const NO_LANGUAGE: Language = {
  contradictions: () => [],
  summarise: ({ task }) => task,
  tagsFor: () => [],
  claimsIn: () => [],
  // What nobody has read doesn't merge automatically.
  packageNature: () => ({ changes: ['?'], isCode: true, security: [], architecture: [] }),
  resultShape: () => ({ isSimple: false, isReferences: false, isVerdict: false }),
  skillFit: () => ({ score: 0, isExact: false, words: [] }),
  skillGroups: () => [],
};
