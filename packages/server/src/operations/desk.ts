import type { Actor } from '@yarnboard/domain';
import type { ImportCounts, PendingSession, Progress, Trouble } from '../ingest/ingest.ts';
import type { LiveState } from '../ingest/live.ts';
import type { Engine } from '../engine/engine.ts';
import type { Launches } from '../launches/launches.ts';
import type { Runs } from '../launches/runs.ts';
import type { Repaired } from '../threads/writer.ts';
import type { Verdict } from '../threads/verification.ts';
import type { Store } from '@yarnboard/store';
import type { HubCounts } from '../doors/ws/hub.ts';
import type { SessionLoader } from '../sessions/session-loader.ts';
import type { EnvelopeSource } from './envelopes.ts';
import type { PageLink, PageLinks } from '../doors/http/page-links.ts';
import type { Stored } from './storage.ts';

/** Everything that answers are made of. Reads go to the store directly; whatever writes goes through the one writer. */
export type Desk = {
  readonly now: () => number;
  readonly store: Store;
  readonly sessions: SessionLoader;
  readonly envelopes: EnvelopeSource;
  /** Who is connected to /ws. */
  readonly clients: () => HubCounts;
  readonly launches: Launches;
  readonly runs: Runs;
  /** Sidebars, findings, waypoints, agents: what is decided. */
  readonly engine: Engine;
  readonly links: PageLinks;
  /** Opens the demo board, and makes a link to its page; null where whoever started the server offers none. */
  readonly openDemo: (() => Promise<PageLink>) | null;
  readonly pending: () => readonly PendingSession[];
  /** How much there is in the database. */
  readonly storage: () => Promise<Stored>;
  readonly verify: () => Promise<Verdict>;
  readonly importPaths: (paths: readonly string[]) => Promise<ImportCounts>;
  readonly forget: (hash: string) => Promise<{ readonly isDropped: boolean; readonly position: number | null }>;
  readonly rebuild: (sessionId: string | null) => Promise<{ readonly entries: number }>;
  readonly repair: (sessionId: string) => Promise<Repaired>;
  readonly backup: (path: string) => Promise<{ readonly path: string; readonly bytes: number }>;
  readonly stop: (countdownSeconds: number, message: string | null) => void;
  readonly state: () => {
    readonly live: LiveState;
    readonly progress: Progress | null;
    readonly troubles: readonly Trouble[];
    readonly version: string;
    readonly pid: number;
    readonly startedAt: number;
    readonly home: string;
    readonly database: string;
    readonly roots: readonly string[];
  };
};

/** Who asks: `actor` is who the token says, or nobody. */
export type Asker = { readonly isOperator: boolean; readonly actor: Actor | null };

export const NOBODY: Asker = { isOperator: false, actor: null };
