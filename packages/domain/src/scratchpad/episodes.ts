import type { EpisodeTrigger } from '../messages/values.ts';

/** An entry of episodic memory. */
export type Episode = {
  readonly id: string;
  readonly content: string;
  readonly trigger: EpisodeTrigger;
  readonly finding: string | null;
  readonly gold: string | null;
  readonly sourceSidebar: string | null;
  readonly sourceCheckpoint: string | null;
  readonly isProvisional: boolean;
  readonly finalisedAt: number | null;
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
  readonly isSuperseded: boolean;
  readonly why: string | null;
  readonly tags: readonly string[];
  readonly at: number;
  readonly position: number;
};
