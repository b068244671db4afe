import { contextIdOf, type CitationSource, type Context, type EventType, type MergePackage, type Payloads, type Recorded } from '@yarnboard/domain';
import type { EventName } from './event-names.ts';

/** What ids are called outside. An id without a reference yet is told as it is. */
export type EventNames = {
  readonly sidebar: (id: string) => string;
  readonly finding: (id: string, contextId: string) => string;
  readonly gold: (id: string) => string;
  readonly media: (id: string) => string;
  /** SB-n, the id of a session, or `board`. */
  readonly context: (contextId: string) => string;
  /** The sidebars that somebody works in. */
  readonly activeSidebars: (agent: string) => readonly string[];
};

type Told = { readonly type: EventName } & Readonly<Record<string, unknown>>;
type Teller<T extends EventType> = (payload: Payloads[T], names: EventNames, event: Recorded<T>) => Told;

/** WIRE-22: what happens among people and agents, under the names and with the fields of the seed's section 6; more fields are additions. */
export const encodeEvent = (event: Recorded, names: EventNames): Readonly<Record<string, unknown>> => {
  const tell = TELLERS[event.type] as Teller<EventType>; // the table is complete by its type
  const { type, ...fields } = tell(event.payload, names, event);
  return {
    type,
    seq: event.position,
    timestamp: new Date(event.at).toISOString(),
    sender_agent_id: event.by.id,
    context_id: names.context(event.contextId),
    uuid: event.uuid,
    refs: event.refs,
    ...fields,
  };
};

const here = (names: EventNames, event: Recorded): string => names.context(event.contextId);

export const encodePackage = (merged: MergePackage) => ({
  summary: merged.summary,
  key_findings: [...merged.keyFindings],
  new_citations: [...merged.newCitations],
  recommendations: merged.recommendations,
  gold_candidates: [...merged.goldCandidates],
});

const contextName = (names: EventNames, context: Context | null): string | null => (context === null ? null : names.context(contextIdOf(context)));

/** What a file is called with its lines; null where nobody gave a hash. */
export const fileRefOf = ({ hash, from, to }: Extract<CitationSource, { kind: 'file' }>): string | null =>
  hash === null ? null : `FILE-${hash.slice(0, 12)}${from === null ? '' : `:${from}${to === null || to === from ? '' : `-${to}`}`}`;

export const encodeSource = (source: CitationSource) => ({
  type: source.kind,
  ref: source.kind === 'reference' ? source.ref : null,
  path: source.kind === 'file' ? source.path : null,
  file_ref: source.kind === 'file' ? fileRefOf(source) : null,
  lines: source.kind === 'file' && source.from !== null ? { from: source.from, to: source.to ?? source.from } : null,
  url: source.kind === 'external' ? source.url : null,
  title: source.kind === 'external' ? source.title : null,
});

const spawned: Teller<'sidebar.spawned'> = (payload, names, event) => {
  const sidebar = names.sidebar(event.uuid);
  const common = {
    sidebar_id: sidebar,
    participants: payload.participants,
    task_description: payload.task,
    success_criteria: payload.successCriteria,
    priority: payload.priority,
    task_type: payload.taskType,
    coordinator_agent: payload.coordinator,
    curator_agent: payload.curator,
    status: payload.status,
    test_group: payload.testGroup,
    tags: payload.tags,
  };
  if (payload.forkedFrom !== null) {
    const original = names.sidebar(payload.forkedFrom);
    return { type: 'sidebar_fork', original_sidebar_id: original, new_sidebar_id: sidebar, fork_reason: payload.forkReason, ...common };
  }
  const parent = contextName(names, payload.parent);
  return payload.parent?.kind === 'sidebar'
    ? {
        type: 'sidebar_child_spawn',
        parent_sidebar_id: parent,
        child_sidebar_id: sidebar,
        sub_task_description: payload.task,
        parent_id: parent,
        ...common,
      }
    : { type: 'sidebar_spawn', parent_id: parent, ...common };
};

const TELLERS: { readonly [T in EventType]: Teller<T> } = {
  'sidebar.spawned': spawned,
  'sidebar.moved': ({ from, to, reason }, names, event) => ({
    type: 'sidebar_status_update',
    sidebar_id: here(names, event),
    old_status: from,
    new_status: to,
    reason,
  }),
  'sidebar.paused': ({ from, reason, resumeCondition }, names, event) => ({
    type: 'sidebar_pause',
    sidebar_id: here(names, event),
    reason,
    resume_condition: resumeCondition,
    old_status: from,
    new_status: 'PAUSED',
  }),
  'sidebar.resumed': ({ from, reason, pausedFor, pausedReason, whatHappened }, names, event) => ({
    type: 'sidebar_resumed',
    sidebar_id: here(names, event),
    reason,
    paused_duration: Math.round(pausedFor / 1000),
    paused_reason: pausedReason,
    what_happened_while_paused: whatHappened,
    old_status: from,
    new_status: 'ACTIVE',
  }),
  'sidebar.waiting': ({ from, waitingFor, description, dependencies, deadline }, names, event) => ({
    type: 'sidebar_waiting_update',
    sidebar_id: here(names, event),
    waiting_for: waitingFor,
    description,
    dependency_refs: dependencies.map(names.sidebar),
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
    old_status: from,
    new_status: 'WAITING',
  }),
  'sidebar.changed': (payload, names, event) => ({
    type: 'sidebar_update',
    sidebar_id: here(names, event),
    ...(payload.task === undefined ? {} : { task_description: payload.task }),
    ...(payload.successCriteria === undefined ? {} : { success_criteria: payload.successCriteria }),
    ...(payload.taskType === undefined ? {} : { task_type: payload.taskType }),
    ...(payload.priority === undefined ? {} : { priority: payload.priority }),
    ...(payload.coordinator === undefined ? {} : { coordinator_agent: payload.coordinator }),
    ...(payload.curator === undefined ? {} : { curator_agent: payload.curator }),
    ...(payload.tags === undefined ? {} : { tags: payload.tags }),
    ...(payload.crossRefs === undefined ? {} : { cross_sidebar_refs: payload.crossRefs }),
  }),
  'sidebar.escalated': ({ from, to, reason }, names, event) => ({ type: 'sidebar_escalate', sidebar_id: here(names, event), from, to, reason }),
  'sidebar.intervened': ({ instead, what, taskType }, names, event) => ({
    type: 'sidebar_intervention',
    sidebar_id: here(names, event),
    instead_of: instead,
    what,
    task_type: taskType,
  }),
  'sidebar.tested': ({ description, result, findings }, names, event) => ({
    type: 'sidebar_test_result',
    sidebar_id: here(names, event),
    test_description: description,
    result,
    findings,
  }),
  'sidebar.consolidated': (payload, names, event) => ({
    type: 'sidebar_consolidate',
    sidebar_id: here(names, event),
    merge_package: encodePackage(payload.package),
    old_status: payload.from,
    new_status: 'CONSOLIDATING',
  }),
  'merge.checked': ({ as, isFit, notes }, names, event) => ({ type: 'sidebar_check_merge', sidebar_id: here(names, event), as, fit: isFit, notes }),
  'sidebar.merged': (payload, names, event) => ({
    type: 'sidebar_merge',
    sidebar_id: here(names, event),
    parent_id: contextName(names, payload.target),
    consolidated_findings: payload.package.keyFindings,
    success: true,
    merge_package: encodePackage(payload.package),
    old_status: 'CONSOLIDATING',
    new_status: 'MERGED',
  }),
  'memory.merged': ({ sidebarId, text, citations, package: merged }, names, event) => ({
    type: 'memory_update',
    exchange: { exchange_id: event.refs.find((ref) => ref.startsWith('EXCH-')) ?? null, content: text, citations },
    priority: 'NORMAL',
    sidebar_id: names.sidebar(sidebarId),
    merge_package: encodePackage(merged),
  }),
  'sidebar.archived': ({ reason, finalStatus, tags, summary, note }, names, event) => ({
    type: 'sidebar_archive',
    sidebar_id: here(names, event),
    archive_reason: reason,
    final_status: finalStatus,
    archived_by: event.by.id,
    tags,
    summary,
    note,
    old_status: finalStatus,
    new_status: 'ARCHIVED',
  }),
  'sidebar.forked': ({ into, reason }, names, event) => ({
    type: 'sidebar_forked',
    original_sidebar_id: here(names, event),
    new_sidebar_id: names.sidebar(into),
    fork_reason: reason,
  }),
  'chat.message': ({ content, role, citations, media, confidence, inReplyTo }, names, event) => ({
    type: 'chat_message',
    sidebar_id: here(names, event),
    role,
    content,
    citations,
    media,
    confidence_score: confidence,
    in_reply_to: inReplyTo,
  }),
  'mention.routed': ({ targets, message, contextRefs, priority, about }) => ({
    type: 'mention_route',
    target_agents: targets,
    message,
    context_refs: contextRefs,
    priority,
    about,
  }),
  'relevance.scored': ({ scores }, names, event) => ({ type: 'relevance_score', sidebar_id: here(names, event), scores }),
  'relevance.disputed': ({ exchange, agents }, names, event) => ({
    type: 'relevance_dispute',
    sidebar_id: here(names, event),
    exchange_id: exchange,
    agents,
  }),
  'focus.changed': ({ add, remove }, names, event) => ({ type: 'focus_set', sidebar_id: here(names, event), add, remove }),
  'scratchpad.created': (payload, names) => ({
    type: 'scratchpad_created',
    scratchpad_id: names.sidebar(payload.sidebarId).replace(/^SB-/u, 'SCRATCH-'),
    sidebar_id: names.sidebar(payload.sidebarId),
    task_definition: payload.taskDefinition,
    success_criteria: payload.successCriteria,
    curator_agent: payload.curator,
    citable_sources: payload.citableSources,
  }),
  'scratchpad.backed_up': ({ reason, priority, findings }, names, event) => ({
    type: 'scratchpad_backup',
    sidebar_id: here(names, event),
    scratchpad_id: here(names, event).replace(/^SB-/u, 'SCRATCH-'),
    reason,
    priority,
    findings: findings.map((finding) => ({
      entry_id: finding.ref,
      content: finding.content,
      status: finding.status,
      source_refs: finding.sourceRefs,
    })),
  }),
  'finding.submitted': ({ content, sourceRefs, relevanceToTask, supersedes }, names, event) => ({
    type: 'scratchpad_entry_submitted',
    sidebar_id: here(names, event),
    entry_id: names.finding(event.uuid, event.contextId),
    content,
    source_refs: sourceRefs,
    relevance_to_task: relevanceToTask,
    supersedes: supersedes === null ? null : names.finding(supersedes, event.contextId),
  }),
  'finding.validated': ({ finding, status, notes, checks }, names, event) => ({
    type: 'scratchpad_entry_validated',
    sidebar_id: here(names, event),
    entry_id: names.finding(finding, event.contextId),
    status,
    validation_notes: notes,
    fits_task: checks.fitsTask,
    evidence_supports: checks.evidenceSupports,
    contradicts: checks.contradicts,
  }),
  'finding.annotated': ({ finding, note }, names, event) => ({
    type: 'scratchpad_annotate',
    sidebar_id: here(names, event),
    entry_id: names.finding(finding, event.contextId),
    note,
  }),
  'conflict.detected': ({ findings, description }, names, event) => ({
    type: 'scratchpad_conflict',
    sidebar_id: here(names, event),
    conflict_id: event.uuid,
    entry_ids: findings.map((id) => names.finding(id, event.contextId)),
    conflict_description: description,
  }),
  'conflict.resolved': ({ conflict, notes }, names, event) => ({
    type: 'conflict_resolve',
    sidebar_id: here(names, event),
    conflict_id: conflict,
    notes,
  }),
  'checkpoint.created': ({ summary, findings, annotations }, names, event) => ({
    type: 'scratchpad_checkpoint',
    sidebar_id: here(names, event),
    checkpoint_id: event.uuid,
    summary,
    findings_at_checkpoint: findings.map((id) => names.finding(id, event.contextId)),
    agent_annotations: annotations,
  }),
  'checkpoint.annotated': ({ checkpoint, note }, names, event) => ({
    type: 'checkpoint_annotate',
    sidebar_id: here(names, event),
    checkpoint_id: checkpoint,
    note,
  }),
  'episodic.archived': (payload, names, event) => ({
    type: 'memory_archived',
    exchange_id: event.uuid,
    archive_reason: payload.trigger,
    content: payload.content,
    entry_id: payload.finding === null ? null : names.finding(payload.finding, event.contextId),
    gold_id: payload.gold === null ? null : names.gold(payload.gold),
    source_sidebar: payload.sourceSidebar === null ? null : names.sidebar(payload.sourceSidebar),
    source_checkpoint: payload.sourceCheckpoint,
    provisional: payload.isProvisional,
    supersedes: payload.supersedes,
    tags: payload.tags,
  }),
  'episodic.finalised': ({ episode }) => ({ type: 'memory_finalised', exchange_id: episode }),
  'episodic.superseded': ({ episode, by, why }) => ({ type: 'memory_superseded', exchange_id: episode, superseded_by: by, reason: why }),
  'citation.created': ({ source, content, relevance, note }, _names, event) => ({
    type: 'citation_created',
    citation_id: event.refs[0] ?? event.uuid,
    source: encodeSource(source),
    content,
    relevance_score: relevance,
    note,
  }),
  'media.uploaded': ({ mediaType, filePath, fileSize, inResponseTo }, names, event) => ({
    type: 'media_uploaded',
    media_id: event.refs[0] ?? event.uuid,
    media_type: mediaType,
    file_path: filePath,
    file_size: fileSize,
    processing_status: 'pending',
    uploaded_during: here(names, event),
    in_response_to: inResponseTo,
    uploaded_by: event.by.id,
    uploaded_at: new Date(event.at).toISOString(),
  }),
  'media.processed': ({ media, mime, sha256 }, names) => ({
    type: 'media_processed',
    media_id: names.media(media),
    processing_status: 'complete',
    mime,
    hash: sha256,
  }),
  'media.failed': ({ media, why }, names) => ({ type: 'media_error', media_id: names.media(media), processing_status: 'failed', error: why }),
  'gold.created': (payload, names, event) => ({
    type: 'gold_created',
    gold_id: event.refs[0] ?? event.uuid,
    source_refs: payload.sourceRefs,
    key_insight: payload.keyInsight,
    reuse_pattern: payload.reusePattern,
    trigger_conditions: payload.triggerConditions,
    confidence: payload.confidence,
    created_in: here(names, event),
    provisional: true,
  }),
  'gold.validated': ({ gold, status, notes }, names) => ({ type: 'gold_validated', gold_id: names.gold(gold), status, validation_notes: notes }),
  'gold.finalised': ({ gold }, names) => ({ type: 'gold_finalised', gold_id: names.gold(gold) }),
  'gold.superseded': ({ gold, by, why }, names) => ({
    type: 'gold_superseded',
    gold_id: names.gold(gold),
    superseded_by: by === null ? null : names.gold(by),
    reason: why,
  }),
  'gold.surfaced': ({ gold, score, condition, about }, names) => ({ type: 'gold_surfaced', gold_id: names.gold(gold), score, condition, about }),
  'agent.registered': ({ agent, kind, specialties, preferredCollaborators }) => ({
    type: 'agent_register',
    agent_id: agent,
    kind,
    specialties,
    preferred_collaborators: preferredCollaborators,
  }),
  'agent.changed': ({ agent, specialties, preferredCollaborators, tokenHash }) => ({
    type: tokenHash === undefined ? 'agent_update' : 'agent_token',
    agent_id: agent,
    ...(specialties === undefined ? {} : { specialties }),
    ...(preferredCollaborators === undefined ? {} : { preferred_collaborators: preferredCollaborators }),
  }),
  'agent.retired': ({ agent, reason }) => ({ type: 'agent_retire', agent_id: agent, reason }),
  'agent.presence': ({ agent, status, currentContext }, names) => ({
    type: 'agent_presence',
    agent_id: agent,
    status,
    current_context: currentContext,
    active_sidebars: names.activeSidebars(agent),
  }),
  'agent.joined': ({ agent, recruitedBy }, names, event) => ({
    type: 'agent_recruited',
    agent_id: agent,
    sidebar_id: here(names, event),
    recruited_by: recruitedBy,
  }),
  'agent.left': ({ agent, reason }, names, event) => ({ type: 'agent_left', agent_id: agent, sidebar_id: here(names, event), reason }),
  'inbox.read': ({ agent, upTo }) => ({ type: 'inbox_ack', agent_id: agent, up_to: upTo }),
};
