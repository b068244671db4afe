import type { ContextId, SidebarId } from '../ids.ts';
import * as z from 'zod';

/** Deeply readonly: the type of a schema's value, for code that only reads it. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

export const STATUSES = [
  'ACTIVE',
  'TESTING',
  'PAUSED',
  'WAITING',
  'REVIEWING',
  'SPAWNING_CHILD',
  'CONSOLIDATING',
  'MERGED',
  'ARCHIVED',
  'FAILED',
] as const;
export type Status = (typeof STATUSES)[number];

export const PRIORITIES = ['CRITICAL', 'HIGH', 'NORMAL', 'LOW', 'BACKGROUND'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const ARCHIVE_REASONS = ['merged', 'manual', 'failed', 'timeout', 'test_discard'] as const;
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];

export const FINDING_STATUSES = ['pending', 'confirmed', 'rejected'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** GOLD-12: the answers to a waypoint that was shown. */
export const GOLD_ANSWERS = ['useful', 'not_now'] as const;
export type GoldAnswer = (typeof GOLD_ANSWERS)[number];

export const MEDIA_TYPES = ['video', 'audio', 'document', 'image', 'code'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

export const PRESENCES = ['available', 'busy', 'offline'] as const;
export type Presence = (typeof PRESENCES)[number];

/** Whether somebody joins at once when recruited, or is asked. */
export const ACCEPTS = ['auto', 'ask'] as const;
export type Accepts = (typeof ACCEPTS)[number];

export const text = z.string();
export const texts = z.array(z.string());
export const maybe = z.string().nullable();
export const status = z.enum(STATUSES);
export const priority = z.enum(PRIORITIES);
export const findingStatus = z.enum(FINDING_STATUSES);
export const goldAnswer = z.enum(GOLD_ANSWERS);
export const mediaType = z.enum(MEDIA_TYPES);
export const presence = z.enum(PRESENCES);
/** REFS-1: any data by name. Null removes a name. */
export const dataRefs = z.record(z.string(), z.unknown());
export const archiveReason = z.enum(ARCHIVE_REASONS);
const position = z.number().nullable();

/** A conversation to merge into or inherit from: a Claude Code session, or a sidebar by its id. */
export const context = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('session'), sessionId: text }),
  z.strictObject({ kind: z.literal('sidebar'), sidebarId: text }),
]);
export type Context = Frozen<z.output<typeof context>>;

/**
 * MEM-1: where inherited memory comes from, as a place and never as a copy. `upTo` is a position on the log; null means the sidebar's own. The last
 * message of a session's branch identifies the branch. A fork inherits everything that an archived sidebar inherited and did.
 */
export const origin = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('session'), sessionId: text, leafUuid: maybe, upTo: position }),
  z.strictObject({ kind: z.literal('sidebar'), sidebarId: text, upTo: position }),
  z.strictObject({ kind: z.literal('fork'), sidebarId: text, upTo: position }),
]);
export type Origin = Frozen<z.output<typeof origin>>;

/** Section 7.3 of the seed. References, so that every detail can be followed. */
export const mergePackage = z.strictObject({
  summary: text,
  keyFindings: texts,
  newCitations: texts,
  recommendations: maybe,
  goldCandidates: texts,
});
export type MergePackage = Frozen<z.output<typeof mergePackage>>;

const answer = z.boolean().nullable();

/** The curator's three questions about a finding. */
export const checks = z.strictObject({ fitsTask: answer, evidenceSupports: answer, contradicts: answer });
export const someChecks = z.strictObject({
  fitsTask: answer.exactOptional(),
  evidenceSupports: answer.exactOptional(),
  contradicts: answer.exactOptional(),
});
export type Checks = Frozen<z.output<typeof checks>>;

/** What a citation points at. */
export const citationSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reference'), ref: text }),
  z.strictObject({ kind: z.literal('file'), path: text, hash: maybe, from: position, to: position }),
  z.strictObject({ kind: z.literal('external'), url: maybe, title: maybe }),
]);
export type CitationSource = Frozen<z.output<typeof citationSource>>;

/** EPI-5: why something is kept in episodic memory. */
export const EPISODE_TRIGGERS = ['checkpoint', 'gold', 'completion', 'manual', 'timeout'] as const;
export const episodeTrigger = z.enum(EPISODE_TRIGGERS);
export type EpisodeTrigger = z.output<typeof episodeTrigger>;

/** The context of everything that belongs to no conversation. */
export const BOARD_CONTEXT = 'board';

export const contextIdOfSidebar = (sidebarId: SidebarId): ContextId => `${SIDEBAR}${sidebarId}`;

/** The sidebar of this context; null for a session or the board. */
export const sidebarIdOfContext = (contextId: ContextId): SidebarId | null =>
  contextId.startsWith(SIDEBAR) ? contextId.slice(SIDEBAR.length) : null;

export const contextIdOf = (of: Context): ContextId => (of.kind === 'session' ? of.sessionId : contextIdOfSidebar(of.sidebarId));

const SIDEBAR = 'sidebar:';
