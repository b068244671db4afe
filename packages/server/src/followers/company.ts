import { rowsOf, SYSTEM } from '@yarnboard/domain';
import { uuidFor, type ServerLease, type ServerRow, type ServersPort } from '@yarnboard/store';
import type { Engine } from '../engine/engine.ts';
import type { Follower } from './runner.ts';

export type CompanyOptions = {
  readonly servers: Pick<ServersPort, 'renew' | 'leave'>;
  readonly me: Omit<ServerLease, 'agents'>;
  readonly engine: Pick<Engine, 'board' | 'execute'>;
  /** The members present through this server. */
  readonly here: () => readonly string[];
  /** A present member was mistaken for absent. */
  readonly onMissed: (agent: string) => void;
  /** After each look at who is present. */
  readonly onSeen?: () => void;
  /** A monotonic clock for pauses; its absolute value doesn't matter. */
  readonly now?: () => number;
  readonly wallClock: () => number;
  readonly timing?: Partial<CompanyTiming>;
};

/** In milliseconds. */
export type CompanyTiming = {
  readonly every: number;
  /** How long a lease lasts by the database's clock. */
  readonly lasts: number;
  /** How long an agent without a server remains present: it may be moving to another server. */
  readonly grace: number;
};

/** The last look, and its time by this machine's clock; null before the first. */
export type Seen = { readonly at: number; readonly now: number; readonly servers: readonly ServerRow[] };

export type Company = { readonly follower: Follower; readonly seen: () => Seen | null };

/**
 * MANY-15: renews this server's lease, and detects absences: an agent that no server vouches for any more is offline. The list of all members
 * decides, not the list of dead servers: however many servers die at once, and whatever they could not say, the result is right as long as one of
 * them is left.
 */
export const createCompany = (options: CompanyOptions): Company => {
  const { servers, me, engine, here, onMissed, onSeen, wallClock, now = () => performance.now() } = options;
  const { every, lasts, grace } = { ...TIMING, ...options.timing };
  const missing = new Map<string, number>();
  let seen: Seen | null = null;

  const look = async (): Promise<Seen> => {
    try {
      return { ...(await servers.renew({ ...me, agents: here() }, lasts)), at: wallClock() };
    } catch (cause) {
      // Nobody could renew their lease: absences are certain only after everyone had time to.
      missing.clear();
      throw cause;
    }
  };

  const tellGone = async (agent: string, presentAt: number | null): Promise<void> => {
    await engine.execute({
      command: { type: 'agent.presence', agent, status: 'offline' },
      actor: SYSTEM,
      // The same on every server: only the first one has an effect.
      messageId: uuidFor(`company|${agent}|${presentAt ?? 0}`),
      client: 'yarnboard',
    });
  };

  const pass = async (): Promise<null> => {
    seen = await look();
    const { now: clock, servers: rows } = seen;
    const answeredFor = new Set(rows.flatMap(({ until, agents }) => (until > clock ? agents : [])));
    const gone: { readonly id: string; readonly presentAt: number | null }[] = [];
    for (const { id, presence, presentAt, isRetired } of rowsOf(engine.board().agents)) {
      if (presence === 'offline' || isRetired || answeredFor.has(id)) {
        missing.delete(id);
        continue;
      }
      const since = missing.get(id) ?? now();
      missing.set(id, since);
      if (now() - since >= grace) gone.push({ id, presentAt });
    }
    for (const { id, presentAt } of gone) await tellGone(id, presentAt);
    for (const id of here()) {
      const agent = engine.board().agents.get(id);
      // A member who reported being away stays away.
      if (agent?.presence === 'offline' && agent.absence !== null) onMissed(id);
    }
    onSeen?.();
    return null;
  };

  return {
    follower: { name: 'servers', pass, timing: { every, retry: { first: 250, most: every } } },
    seen: () => seen,
  };
};

/** If it is killed, its agents are offline within 15 seconds: the lease, a pass, the grace period, another pass. */
const TIMING: CompanyTiming = { every: 1500, lasts: 7000, grace: 3000 };
