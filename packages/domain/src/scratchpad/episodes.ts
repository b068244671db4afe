import type { Payloads } from '../messages/catalogue.ts';

type Archived = Payloads['episodic.archived'];

/** An entry of episodic memory. */
export type Episode = Archived & {
  readonly id: string;
  readonly finalisedAt: number | null;
  readonly supersededBy: string | null;
  readonly isSuperseded: boolean;
  readonly why: string | null;
  /** When it was archived, and by whom. */
  readonly at: number;
  readonly by: string;
  readonly position: number;
};

/** The status of an episode: nothing is deleted, and only standing ones are reliable. */
export const EPISODE_STANDINGS = ['provisional', 'final', 'superseded'] as const;
export type EpisodeStanding = (typeof EPISODE_STANDINGS)[number];

export const standingOfEpisode = ({ isSuperseded, isProvisional }: Pick<Episode, 'isSuperseded' | 'isProvisional'>): EpisodeStanding =>
  isSuperseded ? 'superseded' : isProvisional ? 'provisional' : 'final';

/** Defaults for fields that most episodes don't need. */
export const PLAIN_EPISODE = {
  finding: null,
  gold: null,
  sourceSidebar: null,
  sourceCheckpoint: null,
  isProvisional: true,
  supersedes: null,
  about: null,
  sources: [],
  pointers: null,
  priority: 'normal',
  requiresValidation: false,
  mark: null,
  note: null,
} as const satisfies Partial<Archived>;
