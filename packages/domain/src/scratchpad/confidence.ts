/** How sure working memory is of something that was said or found. Whoever said it may have been more or less sure: that stays on its entry. */
export type Confidence = {
  readonly about: string;
  readonly confidence: number;
  readonly reason: string;
  readonly by: string;
  readonly at: number;
  readonly position: number;
  /** What it was before; null when nobody had set it. */
  readonly was: number | null;
  /** How often it was set. */
  readonly times: number;
};
