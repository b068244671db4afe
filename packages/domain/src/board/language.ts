/** The text at this place contradicts the one that was asked about; how, in a sentence for people. */
export type Contradicted = { readonly at: number; readonly description: string };

/**
 * What rules about language say of a text. The domain decides by it and has no such rules itself: they are handed in. Equal texts are answered equally,
 * whenever they are asked about, so that deciding stays a function of what it is given.
 */
export type Language = {
  /** Those of the others that contradict the text, in their order, and no more than `most`. */
  readonly contradictions: (text: string, others: readonly string[], most: number) => readonly Contradicted[];
};

/** For whoever only wants to know whether a command would be refused: no text is a reason for that. */
export const NO_LANGUAGE: Language = { contradictions: () => [] };
