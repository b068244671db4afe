import { EMERGENCY_REASONS, RECOVERY_ACTIONS, RECOVERY_STEPS, SERVICES, STARTUP_STATES } from '@yarnboard/domain';
import * as z from 'zod';

const instant = z.string().describe('ISO 8601, UTC');

const startupRecoveryAlert = z.strictObject({
  type: z.literal('startup_recovery_alert'),
  severity: z.enum(['warning', 'info']),
  message: z.string(),
  details: z.array(
    z.strictObject({
      cache_id: z.string(),
      reason: z.enum(EMERGENCY_REASONS),
      occurred_at: instant,
      pending_items: z.number().int(),
      notes: z.array(z.string()),
    }),
  ),
  recommendation: z.string(),
  actions: z.array(z.enum(RECOVERY_ACTIONS)),
});

const counts = z.strictObject({
  pending: z.number().int(),
  conflict: z.number().int(),
  replayed: z.number().int(),
  known: z.number().int(),
  discarded: z.number().int(),
});

const cacheRow = z.strictObject({
  cache_id: z.string(),
  reason: z.enum(EMERGENCY_REASONS),
  services_down: z.array(z.enum(SERVICES)),
  created_at: instant,
  updated_at: instant,
  host: z.string(),
  own: z.boolean().describe('whether it is of this home and this board'),
  writes: counts,
  sidebars: z.number().int().describe('how many sidebars were at work'),
  recovery_notes: z.array(z.string()),
  resolved_at: instant.nullable(),
  resolution_notes: z.string().nullable(),
  found_in: z
    .array(z.strictObject({ place: z.string(), agrees: z.boolean(), updated_at: instant }))
    .describe('the places that have it, and whether each says the same as all of them together'),
});

/** The state in which a server found its home, and what waits for a decision. */
export const recoveryState = z.strictObject({
  state: z.enum(STARTUP_STATES),
  alert: startupRecoveryAlert.nullable(),
  caches: z.array(cacheRow).describe('every emergency cache that any place has, the oldest first'),
  doubtful: z
    .array(z.strictObject({ kind: z.string(), place: z.string(), where: z.string(), why: z.string() }))
    .describe('what is not believed, and why'),
  places: z.array(
    z.strictObject({
      name: z.string(),
      survives: z.string(),
      is_local: z.boolean(),
      failures: z.number().int(),
      failing: z.string().nullable(),
      room_bytes: z.number().int().nullable().describe('how much can still be written there; null if unknown'),
      shares_disk_with: z.array(z.string()).describe('other places that are on the same disk, and lost with it'),
    }),
  ),
  last_outage: z
    .strictObject({
      position: z.number().int().describe('its entry on the log'),
      cache_id: z.string(),
      reason: z.string(),
      from: instant,
      to: instant,
      queued: z.number().int(),
      replayed: z.number().int(),
      known: z.number().int(),
      conflicts: z.number().int(),
      discarded: z.number().int(),
    })
    .nullable(),
});

const now = z
  .strictObject({ kind: z.enum(['done', 'known', 'conflict']), code: z.string().nullable(), message: z.string() })
  .describe('what a replay would make of it now');

const pendingWrite = z.strictObject({
  n: z.number().int(),
  message_id: z.string(),
  uuid: z.string(),
  sender: z.string(),
  queued_at: instant,
  context: z.string().nullable(),
  command: z.string(),
  words: z.string().nullable().describe('what was written, where it has words of its own'),
  would_do: z.string(),
  outcome: z.enum(['pending', 'conflict', 'discarded', 'known', 'replayed']),
  position: z.number().int().nullable(),
  refs: z.array(z.string()),
  code: z.string().nullable(),
  message: z.string().nullable(),
  now: now.nullable(),
});

export const recoveryCache = z.strictObject({
  ...cacheRow.shape,
  head: z.strictObject({ position: z.number().int(), checksum: z.string() }),
  last_known_good_state: instant,
  suggested_recovery_order: z.array(z.enum(RECOVERY_STEPS)),
  pending_writes: z.array(pendingWrite),
  sidebar_snapshots: z.array(z.strictObject({ sidebar_id: z.string(), status: z.string(), last_activity: instant })),
});

/** What was done with a cache. */
export const recoveryDone = z.strictObject({
  cache_id: z.string(),
  state: z.enum(STARTUP_STATES),
  is_resolved: z.boolean(),
  writes: counts,
  settled: z.array(pendingWrite).describe('the writes that this concerned'),
  exported_to: z.string().nullable(),
});

export const recoveryExport = z.strictObject({ cache_id: z.string(), json: z.string(), markdown: z.string() });

export const recoveryAudit = z.strictObject({
  state: z.enum(STARTUP_STATES),
  is_whole: z.boolean(),
  entries: z.number().int(),
  checkpoints: z.number().int(),
  unresolved: z.number().int(),
  findings: z.array(z.string()),
});

/** MANY-14: the servers of a board. */
export const servers = z.strictObject({
  seen_at: instant.nullable().describe('when this was last seen; null on a board that has one server'),
  servers: z.array(
    z.strictObject({
      server_id: z.string().describe('stays the same as long as its home does'),
      host: z.string(),
      version: z.string(),
      since: instant,
      state: z.enum(['up', 'lost']).describe('lost: it has said nothing for seconds, by the database’s clock'),
      is_this: z.boolean().describe('whether it is the one that answers'),
      agents: z.array(z.string()).describe('who is there because of it'),
    }),
  ),
  redis: z
    .strictObject({ name: z.string(), is_up: z.boolean(), why: z.string().nullable(), since: instant })
    .nullable()
    .describe('null where none is set'),
});
