import {
  OPERATOR,
  sidebarIdOfContext,
  type Board,
  type Entry,
  type EventType,
  type MergePackage,
  type Payloads,
  type Sidebar,
} from '@yarnboard/domain';

/**
 * ENGINE-13: what an entry is taken to tell when its payload was forgotten: that it happened, where and by whom, in no words. Left out are those that
 * tell nothing without their payload (which status, which finding, which agent): they are passed over.
 */
export const forgottenPayloadOf = (board: Board, entry: Entry): Payloads[EventType] | null => {
  const make = LEFT[entry.type as EventType] as ((about: About) => Payloads[EventType]) | undefined; // an entry of another type is in no table
  return make?.({ entry, sidebar: board.sidebars.get(sidebarIdOfContext(entry.contextId) ?? '') ?? null }) ?? null;
};

type About = { readonly entry: Entry; readonly sidebar: Sidebar | null };

const FORGOTTEN = '(forgotten)';
const NO_PACKAGE: MergePackage = { summary: FORGOTTEN, keyFindings: [], newCitations: [], recommendations: null, goldCandidates: [] };

const LEFT: { readonly [T in EventType]?: (about: About) => Payloads[T] } = {
  // Its parents and what it inherited are not known any more; that it was there, and what happened in it, is.
  'sidebar.spawned': ({ entry }) => ({
    origin: { kind: 'none' },
    parent: null,
    task: FORGOTTEN,
    successCriteria: null,
    taskType: null,
    participants: [entry.senderType === 'system' ? OPERATOR.id : entry.sender],
    coordinator: OPERATOR.id,
    curator: OPERATOR.id,
    priority: 'NORMAL',
    status: 'ACTIVE',
    testGroup: null,
    tags: [],
    forkedFrom: null,
    forkReason: null,
    sourceScratchpad: null,
    mergeTarget: null,
    resolves: null,
  }),
  'sidebar.paused': ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', reason: FORGOTTEN, resumeCondition: null }),
  'sidebar.resumed': ({ sidebar }) => ({ from: sidebar?.status ?? 'PAUSED', reason: null, pausedFor: 0, pausedReason: null, whatHappened: [] }),
  'sidebar.waiting': ({ sidebar }) => ({
    from: sidebar?.status ?? 'ACTIVE',
    waitingFor: FORGOTTEN,
    description: null,
    dependencies: [],
    deadline: null,
  }),
  'sidebar.escalated': ({ entry }) => ({ from: entry.sender, to: OPERATOR.id, reason: FORGOTTEN }),
  'sidebar.intervened': ({ sidebar }) => ({ instead: sidebar?.coordinator ?? OPERATOR.id, what: FORGOTTEN, taskType: sidebar?.taskType ?? null }),
  'sidebar.tested': () => ({ description: FORGOTTEN, result: FORGOTTEN, findings: [] }),
  'sidebar.consolidated': ({ sidebar }) => ({ from: sidebar?.status ?? 'ACTIVE', package: NO_PACKAGE }),
  'sidebar.merged': ({ sidebar }) => ({
    target: sidebar?.parent ?? sidebar?.mergeTarget ?? { kind: 'session', sessionId: '' },
    package: sidebar?.merge?.package ?? NO_PACKAGE,
    finalSummary: FORGOTTEN,
  }),
  'memory.merged': ({ entry }) => ({ sidebarId: '', text: FORGOTTEN, citations: entry.citationsUsed, package: NO_PACKAGE }),
  'sidebar.archived': ({ sidebar }) => ({
    reason: 'manual',
    finalStatus: sidebar?.status ?? 'ACTIVE',
    tags: [],
    summary: FORGOTTEN,
    note: null,
  }),
  'chat.message': ({ entry }) => ({
    content: FORGOTTEN,
    role: entry.senderType === 'human' ? 'user' : entry.senderType === 'agent' ? 'assistant' : 'system',
    citations: entry.citationsUsed,
    media: entry.mediaAttached,
    confidence: entry.senderConfidence,
    inReplyTo: entry.parentMsgId,
    exchange: entry.parentMsgId,
  }),
  'scratchpad.created': ({ entry, sidebar }) => ({
    sidebarId: sidebarIdOfContext(entry.contextId) ?? '',
    curator: sidebar?.curator ?? OPERATOR.id,
    taskDefinition: FORGOTTEN,
    successCriteria: null,
    citableSources: [],
  }),
  'scratchpad.backed_up': () => ({ reason: FORGOTTEN, priority: 'normal', findings: [] }),
  // Findings are counted: without it, those behind it would have other numbers than they were given.
  'finding.submitted': ({ sidebar }) => ({
    number: (sidebar?.scratchpad.findings.length ?? 0) + 1,
    content: FORGOTTEN,
    sourceRefs: [],
    relevanceToTask: null,
    supersedes: null,
  }),
  // Which findings it was about is not known any more: nobody has to settle it.
  'conflict.detected': () => ({ findings: [], description: FORGOTTEN }),
  'checkpoint.created': () => ({ summary: FORGOTTEN, findings: [], annotations: {} }),
  'episodic.archived': ({ sidebar }) => ({
    content: FORGOTTEN,
    trigger: 'completion',
    finding: null,
    gold: null,
    sourceSidebar: sidebar?.id ?? null,
    sourceCheckpoint: null,
    isProvisional: false,
    supersedes: null,
    tags: [],
  }),
  'citation.created': () => ({ source: { kind: 'external', url: null, title: FORGOTTEN }, content: null, relevance: null, note: null }),
  'media.uploaded': () => ({ mediaType: 'document', filePath: FORGOTTEN, fileSize: 0, inResponseTo: null, content: '' }),
  // Without conditions it is never shown to anybody.
  'gold.created': () => ({ sourceRefs: [], keyInsight: FORGOTTEN, reusePattern: FORGOTTEN, triggerConditions: [], confidence: null }),
};
