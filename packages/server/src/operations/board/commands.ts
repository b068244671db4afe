import { createHash } from 'node:crypto';
import { agentIdOf, findRefs, formatRef, RELEVANCES, type CitationSource, type Command, type NewSidebar } from '@yarnboard/domain';
import type { InputOf, OperationName } from '@yarnboard/protocol';
import { refusedFor } from '../request/refusal.ts';
import { mimeOf } from './mime.ts';
import { originFor, targetFor, type PlacesNeeds } from './places.ts';

/** A command as the engine takes it, and the references in it that have to be looked up first. */
export type Wanted = { readonly command: Command; readonly refs?: readonly string[] };

type Maker<N extends OperationName> = (needs: PlacesNeeds, input: InputOf<N>, actor: string) => Wanted | Promise<Wanted>;

const newSidebar = (input: Omit<InputOf<'sidebar_spawn'>, 'parent_id' | 'task_description'>): Omit<NewSidebar, 'task'> => ({
  successCriteria: input.success_criteria,
  taskType: input.task_type,
  participants: input.participants,
  coordinator: input.coordinator_agent,
  curator: input.curator_agent,
  priority: input.priority,
  isTesting: input.testing,
  testGroup: input.test_group,
  tags: input.tags,
});

const inProse = (text: string): readonly string[] => [...new Set(findRefs(text).map(({ ref }) => formatRef(ref)))].slice(0, MOST_IN_PROSE);

const sourceOf = (input: InputOf<'citation_created'>): CitationSource => {
  const given = [input.source, input.path, input.url ?? input.title].filter((one) => one !== undefined);
  if (given.length !== 1) throw refusedFor('one-source-only', {});
  if (input.source !== undefined) return { kind: 'reference', ref: input.source };
  if (input.path === undefined) return { kind: 'external', url: input.url ?? null, title: input.title ?? null };
  const [from = null, to = from] = (input.lines ?? '')
    .split('-')
    .filter((digits) => digits !== '')
    .map(Number);
  return { kind: 'file', path: input.path, hash: input.hash?.toLowerCase() ?? null, from, to };
};

/** Base64 as it is: what has other characters in it was cut or mangled on its way. */
const bytesOf = (content: string): Buffer | null => {
  const bare = content.replaceAll(/\s+/gu, '');
  return bare.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*={0,2}$/u.test(bare) ? null : Buffer.from(bare, 'base64');
};

const foundIn = (input: InputOf<'media_uploaded'>): Extract<Command, { type: 'media.upload' }>['found'] => {
  const bytes = bytesOf(input.content);
  if (bytes === null) return { why: 'its content is no base64' };
  if (bytes.length === 0) return { why: 'it is empty' };
  return { size: bytes.length, mime: mimeOf(bytes, input.file_path), sha256: createHash('sha256').update(bytes).digest('hex') };
};

const scoresOf = (scores: InputOf<'relevance_score'>['scores']): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(scores).map(([exchange, score]) => [
      exchange.toUpperCase(),
      typeof score === 'number' ? score : RELEVANCES[score as keyof typeof RELEVANCES],
    ]),
  );

const upper = (refs: readonly string[] | undefined): readonly string[] | undefined => refs?.map((ref) => ref.toUpperCase());

/** Each operation of the board as the command it stands for. Names change here, once. */
export const COMMANDS = {
  sidebar_spawn: async (needs, input) => ({
    command: {
      type: 'sidebar.spawn',
      origin: await originFor(needs, input.parent_id),
      task: input.task_description,
      ...newSidebar(input),
    },
  }),
  sidebar_child_spawn: (_needs, input) => ({
    command: {
      type: 'sidebar.spawn-child',
      sidebar: input.parent_sidebar_id,
      upTo: null,
      task: input.sub_task_description,
      isWaiting: input.wait === true,
      ...newSidebar(input),
    },
  }),
  sidebar_fork: (_needs, input) => ({
    command: {
      type: 'sidebar.fork',
      sidebar: input.original_sidebar_id,
      reason: input.fork_reason,
      ...(input.task_description === undefined ? {} : { task: input.task_description }),
      ...newSidebar(input),
    },
  }),
  sidebar_pause: (_needs, input) => ({
    command: { type: 'sidebar.pause', sidebar: input.sidebar_id, reason: input.reason, resumeCondition: input.resume_condition },
  }),
  sidebar_resume: (_needs, input) => ({ command: { type: 'sidebar.resume', sidebar: input.sidebar_id, reason: input.reason } }),
  sidebar_waiting_update: (_needs, input) => ({
    command: {
      type: 'sidebar.wait',
      sidebar: input.sidebar_id,
      waitingFor: input.waiting_for,
      description: input.description,
      dependencies: input.dependency_refs,
      timeoutMs: input.timeout_seconds === undefined ? undefined : Math.round(input.timeout_seconds * 1000),
    },
    refs: input.dependency_refs ?? [],
  }),
  sidebar_status_update: (_needs, input) => ({
    command: { type: 'sidebar.move', sidebar: input.sidebar_id, to: input.new_status, reason: input.reason },
  }),
  sidebar_test_result: (_needs, input) => ({
    command: {
      type: 'sidebar.test-result',
      sidebar: input.sidebar_id,
      description: input.test_description,
      result: input.result,
      findings: input.findings,
    },
  }),
  sidebar_update: (_needs, input) => ({
    command: {
      type: 'sidebar.change',
      sidebar: input.sidebar_id,
      task: input.task_description,
      successCriteria: input.success_criteria,
      taskType: input.task_type,
      priority: input.priority,
      coordinator: input.coordinator_agent,
      curator: input.curator_agent,
      tags: input.tags,
      crossRefs: input.cross_sidebar_refs,
    },
    refs: input.cross_sidebar_refs ?? [],
  }),
  sidebar_escalate: (_needs, input) => ({ command: { type: 'sidebar.escalate', sidebar: input.sidebar_id, reason: input.reason } }),
  sidebar_consolidate: (_needs, input) => ({
    command: {
      type: 'sidebar.consolidate',
      sidebar: input.sidebar_id,
      summary: input.summary,
      keyFindings: input.key_findings,
      recommendations: input.recommendations,
      goldCandidates: input.gold_candidates,
    },
  }),
  sidebar_check_merge: (_needs, input) => ({
    command: { type: 'merge.check', sidebar: input.sidebar_id, isFit: input.fit, notes: input.notes },
  }),
  sidebar_merge: async (needs, input) => ({
    command: {
      type: 'sidebar.merge',
      sidebar: input.sidebar_id,
      target: input.parent_id === undefined ? undefined : await targetFor(needs, input.parent_id),
      keyFindings: input.consolidated_findings,
      isApproved: input.success,
      reason: input.reason,
    },
  }),
  sidebar_archive: (_needs, input) => ({
    command: { type: 'sidebar.archive', sidebar: input.sidebar_id, reason: input.archive_reason, tags: input.tags, note: input.note },
  }),
  chat_message: (_needs, input) => ({
    command: {
      type: 'chat.say',
      sidebar: input.sidebar_id,
      content: input.content,
      citations: input.citations,
      media: input.media,
      confidence: input.confidence_score,
      inReplyTo: input.in_reply_to,
    },
    refs: [
      ...(input.citations ?? []),
      ...(input.media ?? []),
      ...(input.in_reply_to === undefined ? [] : [input.in_reply_to]),
      ...inProse(input.content),
    ],
  }),
  mention_route: (_needs, input) => ({
    command: {
      type: 'mention.route',
      sidebar: input.sidebar_id,
      targets: input.target_agents,
      message: input.message,
      contextRefs: input.context_refs,
      priority: input.priority,
    },
    refs: input.context_refs ?? [],
  }),
  relevance_score: (_needs, input) => ({
    command: { type: 'relevance.score', sidebar: input.sidebar_id, scores: scoresOf(input.scores) },
  }),
  focus_set: (_needs, input) => ({
    command: { type: 'focus.change', sidebar: input.sidebar_id, add: upper(input.add), remove: upper(input.remove) },
  }),
  scratchpad_entry_submitted: (_needs, input) => ({
    command: {
      type: 'finding.submit',
      sidebar: input.sidebar_id,
      content: input.content,
      sourceRefs: input.source_refs,
      relevanceToTask: input.relevance_to_task,
      supersedes: input.supersedes,
    },
    refs: input.source_refs ?? [],
  }),
  scratchpad_entry_validated: (_needs, input) => ({
    command: {
      type: 'finding.validate',
      sidebar: input.sidebar_id,
      finding: input.entry_id,
      status: input.status,
      notes: input.validation_notes,
      seen: input.seen_status,
      checks: {
        ...(input.fits_task === undefined ? {} : { fitsTask: input.fits_task }),
        ...(input.evidence_supports === undefined ? {} : { evidenceSupports: input.evidence_supports }),
        ...(input.contradicts === undefined ? {} : { contradicts: input.contradicts }),
      },
    },
  }),
  scratchpad_annotate: (_needs, input) => ({
    command: { type: 'finding.annotate', sidebar: input.sidebar_id, finding: input.entry_id, note: input.note },
  }),
  conflict_resolve: (_needs, input) => ({
    command: { type: 'conflict.resolve', sidebar: input.sidebar_id, conflict: input.conflict_id, notes: input.notes },
  }),
  scratchpad_checkpoint: (_needs, input) => ({
    command: {
      type: 'checkpoint.create',
      sidebar: input.sidebar_id,
      summary: input.summary,
      annotations: input.agent_annotations,
    },
  }),
  checkpoint_annotate: (_needs, input) => ({
    command: { type: 'checkpoint.annotate', sidebar: input.sidebar_id, checkpoint: input.checkpoint_id, note: input.note },
  }),
  citation_created: (_needs, input) => ({
    command: {
      type: 'citation.create',
      sidebar: input.sidebar_id,
      source: sourceOf(input),
      content: input.content,
      relevance: input.relevance_score,
      note: input.note,
    },
    refs: input.source === undefined ? [] : [input.source],
  }),
  media_uploaded: (_needs, input) => ({
    command: {
      type: 'media.upload',
      sidebar: input.sidebar_id,
      mediaType: input.media_type,
      filePath: input.file_path,
      content: input.content,
      inResponseTo: input.in_response_to,
      found: foundIn(input),
    },
    refs: input.in_response_to === undefined ? [] : [input.in_response_to],
  }),
  gold_created: (_needs, input) => ({
    command: {
      type: 'gold.create',
      sidebar: input.sidebar_id,
      sourceRefs: input.source_refs,
      keyInsight: input.key_insight,
      reusePattern: input.reuse_pattern,
      triggerConditions: input.trigger_conditions,
      confidence: input.confidence,
    },
    refs: input.source_refs,
  }),
  gold_validated: (_needs, input) => ({
    command: { type: 'gold.validate', gold: input.gold_id, status: input.status, notes: input.validation_notes, seen: input.seen_status },
  }),
  agent_update: (_needs, input) => ({
    command: {
      type: 'agent.change',
      agent: input.agent_id,
      specialties: input.specialties,
      preferredCollaborators: input.preferred_collaborators,
    },
  }),
  agent_retire: (_needs, input) => ({ command: { type: 'agent.retire', agent: input.agent_id, reason: input.reason } }),
  agent_presence: (_needs, input, actor) => ({
    command: { type: 'agent.presence', agent: actor, status: input.status, currentContext: input.current_context },
  }),
  agent_recruited: (_needs, input, actor) => ({
    command: { type: 'agent.recruit', sidebar: input.sidebar_id, agent: input.agent_id === undefined ? actor : agentIdOf(input.agent_id) },
  }),
  agent_left: (_needs, input, actor) => ({
    command: {
      type: 'agent.leave',
      sidebar: input.sidebar_id,
      agent: input.agent_id === undefined ? actor : agentIdOf(input.agent_id),
      reason: input.reason,
    },
  }),
  inbox_ack: (_needs, input) => ({ command: { type: 'inbox.read', upTo: input.seq } }),
} as const satisfies { readonly [N in OperationName]?: Maker<N> };

export type BoardCommand = keyof typeof COMMANDS;

const MOST_IN_PROSE = 200;
