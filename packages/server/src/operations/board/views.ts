import {
  activeFocus,
  comparedWith,
  countFindings,
  isGoldResting,
  loadOf,
  movesFrom,
  openConflicts,
  refOfContext,
  refOfFinding,
  relevanceScores,
  scratchpadRefOf,
  toReview,
  wishOf,
  type Agent,
  type Board,
  type Citation,
  type Finding,
  type Gold,
  type Media,
  type Sidebar,
} from '@yarnboard/domain';
import { encodePackage, encodeSource, foreign, toWire } from '@yarnboard/protocol';
import { checkpointView, conflictView, type Numbered } from './item-views.ts';
import { validationView } from './validation-views.ts';
import { findingName, namesOf, sidebarName, type LiveSidebars } from './names.ts';

// We must not rename keys that are references or agent names. `foreign` keeps them as is; answer types can't express that, but the schemas check it.

const time = (at: number): string => new Date(at).toISOString();
const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));

export const summaryView = (board: Board, sidebar: Sidebar) => ({
  sidebarId: sidebar.ref,
  uuid: sidebar.id,
  status: sidebar.status,
  priority: sidebar.priority,
  taskDescription: sidebar.task,
  taskType: sidebar.taskType,
  parentContextId: refOfContext(board, sidebar.parent),
  forkedFrom: sidebar.forkedFrom === null ? null : sidebarName(board, sidebar.forkedFrom),
  participants: sidebar.participants,
  coordinatorAgent: sidebar.coordinator,
  curatorAgent: sidebar.curator,
  createdBy: sidebar.createdBy,
  createdAt: time(sidebar.createdAt),
  lastActivity: time(sidebar.lastActivity),
  seq: sidebar.lastPosition,
  messages: sidebar.messages,
  findings: countFindings(sidebar.scratchpad),
  openConflicts: openConflicts(sidebar.scratchpad).length,
  tags: sidebar.tags,
});

const branchPointOf = (board: Board, { origin }: Sidebar) => {
  if (origin.kind === 'none') return null;
  const contextId = origin.kind === 'session' ? origin.sessionId : sidebarName(board, origin.sidebarId);
  return { contextId, leafUuid: origin.kind === 'session' ? origin.leafUuid : null, position: origin.upTo ?? 0 };
};

const resultsOf = ({ testResults }: Sidebar) =>
  testResults.map(({ description, result, findings, by, at }) => ({ testDescription: description, result, findings, by, at: time(at) }));

const peersOf = (board: Board, sidebar: Sidebar) =>
  comparedWith(board, sidebar).map((peer) => ({ sidebarId: peer.ref, status: peer.status, results: resultsOf(peer) }));

export const sidebarView = (board: Board, sidebar: Sidebar) => {
  const peers = peersOf(board, sidebar);
  const capabilities = sidebar.participants.map((id) => [id, toWire(capabilityOf(board, id))] as const);
  const refOf = (rows: readonly string[], name: (id: string) => string): readonly string[] => rows.map(name);
  const names = namesOf(board);
  return {
    ...summaryView(board, sidebar),
    successCriteria: sidebar.successCriteria,
    childSidebarIds: refOf(sidebar.children, names.sidebar),
    forkedInto: refOf(sidebar.forkedInto, names.sidebar),
    forkReason: sidebar.forkReason,
    mergedInto: refOfContext(board, sidebar.mergedInto),
    branchPoint: branchPointOf(board, sidebar),
    agentCapabilities: foreign(Object.fromEntries(capabilities)),
    dataRefs: foreign({
      ...Object.fromEntries(
        [...sidebar.citations.map((id) => board.citations.get(id)?.ref ?? id), ...refOf(sidebar.media, names.media)].map((ref) => [ref, ref]),
      ),
      ...sidebar.dataRefs,
    }),
    crossSidebarRefs: [...new Set([...sidebar.crossRefs, ...peers.map(({ sidebarId }) => sidebarId)])],
    failureReason: sidebar.failureReason,
    pauseReason: sidebar.pause?.reason ?? null,
    resumeCondition: sidebar.pause?.resumeCondition ?? null,
    pausedAt: timeOrNull(sidebar.pause?.at ?? null),
    waiting:
      sidebar.waiting === null
        ? null
        : {
            waitingFor: sidebar.waiting.waitingFor,
            description: sidebar.waiting.description,
            dependencyRefs: refOf(sidebar.waiting.dependencies, names.sidebar),
            deadline: timeOrNull(sidebar.waiting.deadline),
            since: time(sidebar.waiting.at),
          },
    escalation: sidebar.escalation === null ? null : { ...sidebar.escalation, at: time(sidebar.escalation.at) },
    open: sidebar.isOpen,
    proposals: sidebar.proposals.map(({ id, number, proposal, by, at }) => ({
      proposalId: `PROPOSAL-${number}`,
      uuid: id,
      action: proposal.action,
      proposal: wishOf(proposal, sidebar.ref),
      proposedBy: by,
      at: time(at),
    })),
    interventions: sidebar.interventions,
    relevanceScores: foreign(relevanceScores(sidebar)),
    relevanceByAgent: foreign(sidebar.relevance),
    relevanceDisputes: sidebar.disputes.map(({ exchange, agents }) => ({ exchangeId: exchange, agents })),
    toReview: toReview(sidebar),
    activeFocus: activeFocus(sidebar),
    testGroup: sidebar.testGroup,
    testResults: resultsOf(sidebar),
    testPeers: peers,
    sourceScratchpadRef: sidebar.sourceScratchpad,
    scratchpad: {
      scratchpadId: scratchpadRefOf(sidebar.ref),
      ...countFindings(sidebar.scratchpad),
      checkpoints: sidebar.scratchpad.checkpoints.length,
    },
    gold: refOf(sidebar.golds, names.gold),
    media: refOf(sidebar.media, names.media),
    merge: mergeView(sidebar),
    allowedMoves: movesFrom(sidebar.status),
  };
};

const mergeView = ({ merge }: Sidebar) =>
  merge === null
    ? null
    : {
        package: foreign(encodePackage(merge.package)),
        proposedBy: merge.proposedBy,
        proposedAt: time(merge.at),
        checks: merge.checks.map(({ as, isFit, notes, by, at }) => ({ as, fit: isFit, notes, by, at: time(at) })),
      };

export const findingView = (board: Board, sidebar: Sidebar, finding: Finding) => ({
  entryId: refOfFinding(sidebar.ref, finding),
  uuid: finding.id,
  fragment: finding.ref === '' ? null : finding.ref,
  content: finding.content,
  submittedBy: finding.submittedBy,
  owner: finding.owner,
  submittedAt: time(finding.submittedAt),
  sourceRefs: finding.sourceRefs,
  relevanceToTask: finding.relevanceToTask,
  status: finding.status,
  validatedBy: finding.validatedBy,
  validatedAt: timeOrNull(finding.validatedAt),
  validationNotes: finding.validationNotes,
  checks: finding.checks,
  annotations: newestWithin(finding.annotations, ({ by, at, note }) => ({ by, at: time(at), note }), {
    limit: MOST_LISTED,
    characters: MOST_OF_NOTES,
  }),
  supersedes: finding.supersedes === null ? null : findingName(board, finding.supersedes, sidebar.contextId),
  supersededBy: finding.supersededBy === null ? null : findingName(board, finding.supersededBy, sidebar.contextId),
  sameAs: finding.sameAs === null ? null : findingName(board, finding.sameAs, sidebar.contextId),
  machineCheck:
    finding.machineCheck === null ? null : validationView(finding.machineCheck.words, finding.machineCheck, finding.machineCheck.needsReview),
});

export type ScratchpadPart = { readonly status?: Finding['status'] | undefined; readonly limit?: number | undefined };

/** API-17: the newest of each list, as many as fit into one answer at any door; the counts tell how many there are in total. */
export const scratchpadView = (board: Board, sidebar: Sidebar, { status: wanted, limit = MOST_LISTED }: ScratchpadPart = {}) => {
  const { findings, conflicts, checkpoints, citableSources, finalSummary, backups } = sidebar.scratchpad;
  const refs = new Map(findings.map((finding) => [finding.id, refOfFinding(sidebar.ref, finding)]));
  const named = (id: string): string => refs.get(id) ?? id;
  const of = (status: Finding['status']): readonly Finding[] => findings.filter((one) => one.status === status);
  const listed = (status: Finding['status']) =>
    wanted === undefined || wanted === status
      ? newestWithin(of(status), (one) => findingView(board, sidebar, one), { limit, characters: MOST_OF_FINDINGS })
      : [];
  return {
    scratchpadId: scratchpadRefOf(sidebar.ref),
    sidebarId: sidebar.ref,
    curatorAgent: sidebar.curator,
    taskDefinition: sidebar.task,
    successCriteria: sidebar.successCriteria,
    counts: {
      ...countFindings(sidebar.scratchpad),
      conflicts: conflicts.length,
      checkpoints: checkpoints.length,
      backups: backups.length,
    },
    confirmedFindings: listed('confirmed'),
    pendingFindings: listed('pending'),
    rejectedFindings: listed('rejected'),
    conflicts: newestWithin(conflicts.map(numbered), (one) => conflictView(board, sidebar, one), { limit, characters: MOST_OF_OTHERS }),
    checkpoints: newestWithin(checkpoints.map(numbered), (one) => checkpointView(sidebar, one, named), { limit, characters: MOST_OF_OTHERS }),
    citableSources,
    finalSummary,
    backups: newestWithin(
      backups,
      ({ id, at, reason, priority, gold }) => ({
        backupId: id,
        at: time(at),
        reason: gold === null ? reason : `Contains GOLD: ${namesOf(board).gold(gold)}`,
        priority,
        goldId: gold === null ? null : namesOf(board).gold(gold),
      }),
      {
        limit,
        characters: MOST_OF_OTHERS,
      },
    ),
  };
};

const numbered = <T>(one: T, at: number): Numbered<T> => ({ one, number: at + 1 });

/** The newest that fit, in their original order. */
const newestWithin = <T, V extends object>(
  all: readonly T[],
  view: (one: T) => V,
  { limit, characters }: { readonly limit: number; readonly characters: number },
): readonly V[] => {
  const views: V[] = [];
  let left = characters;
  for (const one of all.slice(-limit).toReversed()) {
    const next = view(one);
    left -= JSON.stringify(next).length;
    if (left < 0) break;
    views.push(next);
  }
  return views.toReversed();
};

const MOST_LISTED = 500;
// An agent gets at most three million characters.
const MOST_OF_FINDINGS = 500_000;
const MOST_OF_OTHERS = 250_000;
const MOST_OF_NOTES = 100_000;

export const archivedView = (board: Board, sidebar: Sidebar & { readonly archive: NonNullable<Sidebar['archive']> }) => {
  const view = sidebarView(board, sidebar);
  const { archive } = sidebar;
  return {
    sidebarSnapshot: view,
    archivedAt: time(archive.at),
    archivedBy: archive.by,
    archiveReason: archive.reason,
    finalStatus: archive.finalStatus,
    scratchpadSnapshot: scratchpadView(board, sidebar),
    localMemory: { messages: sidebar.messages, path: `/api/v1/sidebars/${sidebar.ref}/memory?part=local` },
    citationsCreated: sidebar.citations.map((id) => board.citations.get(id)?.ref ?? id),
    goldCitations: view.gold,
    mediaRefs: view.media,
    parentContextId: view.parentContextId,
    childSidebarIds: view.childSidebarIds,
    forkedFrom: view.forkedFrom,
    forkedInto: view.forkedInto,
    tags: sidebar.tags,
    summary: archive.summary,
    note: archive.note,
  };
};

/** Section 5 of the seed. */
const capabilityOf = (board: Board, id: string) => {
  const agent = board.agents.get(id);
  return {
    agentId: id,
    specialties: agent?.specialties ?? [],
    availability: agent?.presence ?? 'offline',
    currentLoad: loadOf(board, id),
    preferredCollaborators: agent?.preferredCollaborators ?? [],
  };
};

export const agentView = (board: Board, agent: Agent, live: LiveSidebars) => {
  const active = live(agent.id);
  return {
    agentId: agent.id,
    kind: agent.kind,
    specialties: agent.specialties,
    preferredCollaborators: agent.preferredCollaborators,
    availability: agent.presence,
    currentContext: agent.currentContext,
    seenAt: timeOrNull(agent.presentAt),
    currentLoad: loadOf(board, agent.id),
    activeSidebars: active.map(({ ref }) => ref),
    isRetired: agent.isRetired,
    registeredAt: timeOrNull(agent.registeredAt === 0 ? null : agent.registeredAt),
  };
};

export const citationView = (board: Board, citation: Citation) => ({
  citationId: citation.ref,
  uuid: citation.id,
  source: foreign(encodeSource(citation.source)),
  content: citation.content,
  relevanceScore: citation.relevance,
  note: citation.note,
  createdIn: namesOf(board).context(citation.contextId),
  createdBy: citation.createdBy,
  createdAt: time(citation.createdAt),
});

export const mediaView = (board: Board, media: Media, content: string | null) => ({
  mediaId: media.ref,
  uuid: media.id,
  mediaType: media.mediaType,
  filePath: media.filePath,
  fileSize: media.fileSize,
  processingStatus: media.state,
  error: media.why,
  mime: media.mime,
  hash: media.sha256,
  uploadedDuring: namesOf(board).context(media.uploadedDuring),
  inResponseTo: media.inResponseTo,
  uploadedBy: media.uploadedBy,
  uploadedAt: time(media.uploadedAt),
  content,
  download: media.sha256 === null || media.fileSize === 0 ? null : `/downloads/media/${media.ref}`,
});

export const goldView = (board: Board, gold: Gold) => ({
  goldId: gold.ref,
  uuid: gold.id,
  sourceRefs: gold.sourceRefs,
  keyInsight: gold.keyInsight,
  reusePattern: gold.reusePattern,
  triggerConditions: gold.triggerConditions,
  createdBy: gold.createdBy,
  createdIn: namesOf(board).context(gold.createdIn),
  createdAt: time(gold.createdAt),
  confidence: gold.confidence,
  timesReferenced: gold.timesReferenced,
  timesSurfaced: gold.timesSurfaced,
  timesUseful: gold.timesUseful,
  timesNotNow: gold.timesNotNow,
  notNowInARow: gold.notNowInARow,
  resting: isGoldResting(gold),
  shown: gold.shown.map(({ contextId, at, answer, answeredBy }) => ({ where: namesOf(board).context(contextId), at: time(at), answer, answeredBy })),
  status: gold.status,
  validatedBy: gold.validatedBy,
  validatedAt: timeOrNull(gold.validatedAt),
  validationNotes: gold.validationNotes,
  provisional: gold.isProvisional,
  superseded:
    gold.superseded === null ? null : { by: gold.superseded.by === null ? null : namesOf(board).gold(gold.superseded.by), why: gold.superseded.why },
});
