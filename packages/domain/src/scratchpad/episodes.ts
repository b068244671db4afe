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

/** How an episode stands: nothing is deleted, and only what stands is to be relied on. */
export const EPISODE_STANDINGS = ['provisional', 'final', 'superseded'] as const;
export type EpisodeStanding = (typeof EPISODE_STANDINGS)[number];

export const standingOfEpisode = ({ isSuperseded, isProvisional }: Pick<Episode, 'isSuperseded' | 'isProvisional'>): EpisodeStanding =>
  isSuperseded ? 'superseded' : isProvisional ? 'provisional' : 'final';

/** What an episode is mostly not about, and mostly does not need. */
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
