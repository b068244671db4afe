/** Working memory's confidence in something said or found. The speaker's own confidence may differ: it stays on its entry. */
export type Confidence = {
  readonly about: string;
  readonly confidence: number;
  readonly reason: string;
  readonly by: string;
  readonly at: number;
  readonly position: number;
  /** The previous value; null if nobody had set it. */
  readonly was: number | null;
  /** How often it was set. */
  readonly times: number;
};
