import type { RuntimeSettings } from '@yarnboard/protocol';
import type { Seats } from './seats.ts';
import type { TriedCheck } from './try-runtime.ts';

/** What is known about runtimes and the seats they drive. */
export type RuntimesView = Pick<Seats, 'live' | 'count' | 'restingUntil' | 'isHungry' | 'programOf'> & {
  readonly settings: readonly RuntimeSettings[];
  readonly names: () => readonly string[];
  readonly problemOf: (settings: RuntimeSettings) => string | null;
  readonly attempt: (settings: RuntimeSettings, agent: string, model: string | null) => Promise<readonly TriedCheck[]>;
};
