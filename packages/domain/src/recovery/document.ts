import * as z from 'zod';
import { SENDER_TYPES } from '../entry.ts';
import { assertNever } from '../never.ts';
import { PRESENCES, PRIORITIES, STATUSES, type Frozen } from '../messages/values.ts';

export const EMERGENCY_REASONS = [
  'working_memory_down',
  'episodic_memory_down',
  'websocket_lost',
  'redis_lost',
  'all_services_down',
  'system_shutdown',
  'log_went_back',
] as const;
export type EmergencyReason = (typeof EMERGENCY_REASONS)[number];

export const SERVICES = ['working_memory', 'episodic_memory', 'websocket', 'redis'] as const;
export type Service = (typeof SERVICES)[number];

export const RECOVERY_STEPS = ['resolve_conflicts', 'replay_pending_writes', 'resume_sidebars'] as const;
export type RecoveryStep = (typeof RECOVERY_STEPS)[number];

/** Raised when the shape of documents changes: an older program reports those it can't read, and leaves them alone. */
export const EMERGENCY_FORMAT = 1;

// ISO 8601 in UTC, as everywhere in the document: times compare like texts.
const instant = z.iso.datetime();
const position = z.int().nonnegative();
const refs = z.array(z.string());
const HASH = /^[0-9a-f]{64}$/u;

/** The outcome of a waiting write. Only `pending` and `conflict` still need somebody's attention. */
const outcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pending') }),
  z.strictObject({ kind: z.literal('conflict'), code: z.string().min(1), message: z.string() }),
  z.strictObject({ kind: z.literal('discarded'), by: z.string(), at: instant }),
  z.strictObject({ kind: z.literal('known'), position, refs }),
  z.strictObject({ kind: z.literal('replayed'), position, refs }),
]);
export type WriteOutcomeKind = z.output<typeof outcome>['kind'];
export type PendingOutcome = Frozen<z.output<typeof outcome>>;

/** A command that could not be logged when it was sent. `uuid` is the id of its first entry, derived from sender and message id (ENGINE-4). */
export const pendingWrite = z.strictObject({
  n: z.int().positive(),
  messageId: z.string().min(1),
  uuid: z.uuid(),
  sender: z.strictObject({ id: z.string().min(1), type: z.enum(SENDER_TYPES) }),
  client: z.string(),
  clientVersion: z.string().nullable(),
  /** Where it was said: SB-n, a session, or null for the board itself. */
  context: z.string().nullable(),
  /** As the engine takes it. Validated by the schema of its type before use. */
  command: z.looseObject({ type: z.string().min(1) }),
  ifSeq: position.nullable(),
  fingerprint: z.string().nullable(),
  circumstances: z.record(z.string(), z.unknown()),
  claims: z.unknown(),
  queuedAt: instant,
  /** In words: its effect on the last known board. */
  wouldDo: z.string(),
  outcome,
});
export type PendingWrite = Frozen<z.output<typeof pendingWrite>>;

const capability = z.strictObject({
  specialties: refs,
  availability: z.enum(PRESENCES),
  currentLoad: z.number(),
  preferredCollaborators: refs,
});

/**
 * A sidebar with every field of its model. Inherited memory is a place, not a copy; local memory is references, with the words that were available.
 */
const sidebarSnapshot = z.strictObject({
  sidebarId: z.string(),
  uuid: z.string(),
  parentContextId: z.string().nullable(),
  childSidebarIds: refs,
  forkedFrom: z.string().nullable(),
  participants: refs,
  coordinatorAgent: z.string().nullable(),
  agentCapabilities: z.record(z.string(), capability),
  inheritedMemory: z.strictObject({ contextId: z.string(), leafUuid: z.string().nullable(), position }).nullable(),
  localMemory: z.strictObject({
    partial: z.boolean(),
    messages: z.int().nonnegative(),
    items: z.array(z.strictObject({ ref: z.string(), sender: z.string(), text: z.string() })),
  }),
  dataRefs: z.record(z.string(), z.unknown()),
  crossSidebarRefs: refs,
  status: z.enum(STATUSES),
  priority: z.enum(PRIORITIES),
  createdAt: instant,
  lastActivity: instant,
  successCriteria: z.string().nullable(),
  failureReason: z.string().nullable(),
});
export type SidebarSnapshot = Frozen<z.output<typeof sidebarSnapshot>>;

export const emergencyDocument = z.strictObject({
  format: z.literal(EMERGENCY_FORMAT),
  cacheId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u),
  createdAt: instant,
  updatedAt: instant,
  reason: z.enum(EMERGENCY_REASONS),
  servicesDown: z.array(z.enum(SERVICES)),
  boardId: z.string(),
  /** The home whose server wrote it. */
  serverId: z.string(),
  host: z.string(),
  /** The version of the program that wrote it. */
  version: z.string(),
  /** The last entry known to be on the log. */
  head: z.strictObject({ position, checksum: z.string().regex(HASH) }),
  lastKnownGoodState: instant,
  sidebarSnapshots: z.record(z.string(), sidebarSnapshot),
  scratchpadStates: z.record(z.string(), z.unknown()),
  pendingWrites: z.array(pendingWrite),
  pendingArchives: z.array(pendingWrite),
  recoveryNotes: z.array(z.string()),
  suggestedRecoveryOrder: z.array(z.enum(RECOVERY_STEPS)),
  resolvedAt: instant.nullable(),
  resolutionNotes: z.string().nullable(),
});
export type EmergencyDocument = Frozen<z.output<typeof emergencyDocument>>;

/** Additions to a document after it was written, one at a time and at constant cost. Adding one twice changes nothing. */
export const emergencyAddition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('write'), write: pendingWrite }),
  z.strictObject({ kind: z.literal('archive'), write: pendingWrite }),
  z.strictObject({ kind: z.literal('outcome'), uuid: z.uuid(), outcome }),
]);
export type EmergencyAddition = Frozen<z.output<typeof emergencyAddition>>;

export const isOpen = ({ outcome: { kind } }: Pick<PendingWrite, 'outcome'>): boolean => kind === 'pending' || kind === 'conflict';

/** What still needs somebody's attention, in the order it was said. */
export const openWrites = ({ pendingWrites, pendingArchives }: EmergencyDocument): readonly PendingWrite[] =>
  [...pendingWrites, ...pendingArchives].filter(isOpen).toSorted((a, b) => a.n - b.n);

/** "Working memory down since 14:32, 3 sidebars cached", for readers of Redis. */
export const summaryOf = ({ reason, createdAt, sidebarSnapshots }: EmergencyDocument): string => {
  const sidebars = Object.keys(sidebarSnapshots).length;
  return `${trouble(reason)} since ${createdAt.slice(11, 16)}, ${sidebars} ${sidebars === 1 ? 'sidebar' : 'sidebars'} cached`;
};

const trouble = (reason: EmergencyReason): string => {
  switch (reason) {
    case 'working_memory_down':
      return 'Working memory down';
    case 'episodic_memory_down':
      return 'Episodic memory down';
    case 'websocket_lost':
      return 'WebSocket lost';
    case 'redis_lost':
      return 'Redis lost';
    case 'all_services_down':
      return 'All services down';
    case 'system_shutdown':
      return 'Stopped with commands queued';
    case 'log_went_back':
      return 'The log went back';
    default:
      return assertNever(reason);
  }
};
