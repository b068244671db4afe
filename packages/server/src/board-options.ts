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
  /** Only reads: takes no lock, starts no writer, refuses every command. */
  readonly readOnly?: boolean;
  /** REC-78: the store could not be opened: it is begun with what is known of it, and waited for. */
  readonly away?: AwayStart | null;
  /** Whether it will follow the files: then it is importing from the start. */
  readonly isFollowing?: boolean;
  readonly sweepEvery?: number;
  readonly hubLimits?: Partial<HubLimits>;
  /** Where the Agent SDK comes from; else it is looked for. */
  readonly loadSdk?: LoadSdk;
  /** The environment that programs of runtimes get some of; that of this process unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long the files of a run are waited for after its end, in milliseconds. */
  readonly runGrace?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly onState?: (state: LiveState) => void;
  readonly onFault?: (cause: unknown) => void;
  /** Somebody asked over HTTP. */
  readonly onStop?: () => void;
  /** Where the built page lies. */
  readonly pageFolder?: string | null;
  /** Opens the demo board beside this one, and makes a link to its page. */
  readonly openDemo?: () => Promise<PageLink>;
  /** The tools whose transcripts are read; those that come with Yarnboard, unless given. */
  readonly dialects?: Dialects;
};
