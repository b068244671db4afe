import type { Dialects } from '@yarnboard/transcript';
import type { HubLimits } from './doors/ws/hub.ts';
import type { Home } from './home/home.ts';
import type { Settings } from './home/settings.ts';
import type { Progress } from './ingest/ingest.ts';
import type { LiveState } from './ingest/live.ts';
import type { LoadSdk } from './launches/sdk.ts';
import type { PageLink } from './operations/page-links.ts';
import type { AwayStart } from './recovery/last-known.ts';
import type { Turn } from './threads/lock.ts';
import type { Programs } from './threads/threads.ts';

export type BoardOptions = Turn & {
  readonly home: Home;
  readonly settings: Settings;
  readonly roots: readonly string[];
  readonly version: string;
  readonly programs: Programs | null;
  /** Read-only: takes no lock, starts no writer, refuses every command. */
  readonly readOnly?: boolean;
  /** REC-78: the store could not be opened: start with what is known of it, and wait for it. */
  readonly away?: AwayStart | null;
  /** Whether it will follow the files: then it is importing from the start. */
  readonly isFollowing?: boolean;
  readonly sweepEvery?: number;
  readonly hubLimits?: Partial<HubLimits>;
  /** Loads the Agent SDK; by default it is searched for. */
  readonly loadSdk?: LoadSdk;
  /** The environment from which runtimes' programs receive some variables; by default this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long to wait for the files of a run after its end, in milliseconds. */
  readonly runGrace?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly onState?: (state: LiveState) => void;
  readonly onFault?: (cause: unknown) => void;
  /** Called when a stop is requested over HTTP. */
  readonly onStop?: () => void;
  /** The folder of the built page. */
  readonly pageFolder?: string | null;
  /** Opens the demo board beside this one, and makes a link to its page. */
  readonly openDemo?: () => Promise<PageLink>;
  /** The tools whose transcripts are read; by default all that Yarnboard knows. */
  readonly dialects?: Dialects;
};
