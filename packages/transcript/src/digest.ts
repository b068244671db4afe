import { branchesOf, createShape, extendShape, messagesBelow, type Shape } from './branches.ts';
import { isConversation, isMessage, withoutCutWord, type Billing, type Usage } from './entry.ts';
import { fingerprintAll, type Fingerprints } from './fingerprints.ts';
import { isOrphan, type Node } from './graph.ts';
import type { LinkedBy } from './links.ts';
import { activePath, offPath, stretchesOffPath, type OffPathReason, type Path, type Stretch } from './path.ts';
import { countPatterns, type Patterns } from './patterns.ts';
import type { Session } from './session.ts';
import { addToTally, type Tally } from './tally.ts';
import { isRequest } from './slash-command.ts';
import { sidechainsOf, type Sidechain, type SidechainOptions, type SidechainState } from './sidechains.ts';
import { responsesIn } from './usage.ts';

export type BranchDigest = {
  readonly parentUuid: string;
  readonly children: readonly { readonly uuid: string; readonly active: boolean; readonly messages: number }[];
};

export type SidechainDigest = {
  readonly agent: string;
  readonly agentId: string;
  readonly toolUseIds: readonly string[];
  readonly linkedBy: LinkedBy;
  readonly depth: number;
  readonly parentAgentId: string | null;
  readonly messages: number;
  readonly toolUses: number;
  readonly state: SidechainState;
  readonly file: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Prompts of the caller: one for a single task, more if it asked again. */
  readonly turns: number;
  readonly patterns: Patterns;
  readonly tools: Tally;
};

/** Responses as columns: they are sent between threads, and there are hundreds of thousands. */
export type ResponseColumns = {
  readonly messageIds: Fingerprints;
  /** Two zero words if a copy has no request id. */
  readonly requestIds: Fingerprints;
  readonly models: readonly (string | null)[];
  readonly modelOf: Uint32Array;
  /** Index of the sidechain, -1 for the main thread. */
  readonly sidechainOf: Int32Array;
  /**
   * `RESPONSE_NUMBERS` per response: input, output, cache write 5 min, cache write 1 h, cache read, time, recorded cost (NaN: none), web searches,
   * and its billing (1: fast, 2: bound to the United States, 3: both).
   */
  readonly numbers: Float64Array;
};

export const RESPONSE_NUMBERS = 9;

/**
 * Everything a report needs of one session, without its records. Digests are plain data: worker threads can make them, and whatever depends on other
 * sessions (copies, sources, orphans whose parent is elsewhere) is settled when they are combined.
 */
export type SessionDigest = {
  readonly id: string;
  readonly files: readonly string[];
  readonly companions: readonly string[];
  /** Other sessions that records of its files name as theirs: two sessions in one file, or a copy. */
  readonly otherSessionIds: readonly string[];
  readonly tool: string | null;
  readonly project: string | null;
  /** Its custom title. */
  readonly title: string | null;
  readonly versions: readonly string[];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly messages: number;
  readonly roots: number;
  readonly cycles: number;
  readonly duplicates: number;
  readonly lateParents: number;
  readonly tools: { readonly uses: number; readonly results: number; readonly paired: number };
  readonly branches: readonly BranchDigest[];
  readonly activePath: { readonly leafUuid: string | null; readonly messages: number };
  readonly compactions: readonly {
    readonly uuid: string;
    readonly trigger: string | null;
    readonly preTokens: number | null;
    readonly line: number;
  }[];
  readonly sidechains: readonly SidechainDigest[];
  /** Conversation records of the main thread, and those on no path or branch. */
  readonly conversation: number;
  readonly offPath: Readonly<Record<OffPathReason, number>>;
  /** All messages on no branch, grouped by connection. A path through the last record of a stretch shows it. */
  readonly stretches: readonly { readonly reason: OffPathReason; readonly messages: number; readonly lastUuid: string }[];
  readonly across: Across;
};

/** What only has meaning together with other sessions; no report shows it. */
export type Across = {
  readonly firstPrompt: string | null;
  /** Titles for whichever session has the leaf. */
  readonly summaries: readonly { readonly leaf: Fingerprints; readonly text: string }[];
  /** The time of the first record outside the graph: a copy keeps the times of messages, but not of these. */
  readonly stateAt: number;
  /** Roots unless some session has their logical parent. */
  readonly boundaries: Fingerprints;
  /** Orphans unless some session has their parent. */
  readonly lostParents: Fingerprints;
  readonly calls: readonly { readonly toolUseId: string; readonly agent: string }[];
  readonly responses: ResponseColumns;
  /** Main-thread messages: what a copy of the session repeats. */
  readonly ownUuids: Fingerprints;
  readonly ownTimes: Float64Array;
  /** Messages of sidechains, and records that aren't messages. */
  readonly sideUuids: Fingerprints;
  readonly otherUuids: Fingerprints;
  readonly toolIds: Fingerprints;
  readonly pairedToolIds: Fingerprints;
  /** Other sessions that main-thread records name as theirs, or as their source. */
  readonly foreign: readonly string[];
  /** The sessions that it claims to be a fork of. */
  readonly forkedFrom: readonly string[];
  readonly kinds: Tally;
  readonly unknownForms: Tally;
};

/** The digest without what only has meaning together with other sessions: for queries about one session. */
export type SessionOutline = Omit<SessionDigest, 'across'>;

export const outlineSession = (session: Session, options: SidechainOptions = {}): SessionOutline =>
  outlineWith(session, sidechainsOf(session, options));

export const digestSession = (session: Session, options: SidechainOptions = {}): SessionDigest => {
  const sidechains = sidechainsOf(session, options);
  const { main } = session;
  const messages = main.nodes.filter((node) => isMessage(node.entry));
  const boundaries = main.nodes.filter((node) => node.entry.parentUuid == null && isOpenBoundary(session, node));
  return {
    ...outlineWith(session, sidechains),
    across: {
      firstPrompt: firstPromptOf(session),
      summaries: session.titles
        .filter((title) => title.by === 'summary' && title.leafUuid !== null)
        .map((title) => ({ leaf: fingerprintAll([title.leafUuid ?? '']), text: title.text })),
      stateAt: session.stateAt,
      boundaries: fingerprintAll(boundaries.map((node) => node.entry.logicalParentUuid ?? '')),
      lostParents: fingerprintAll(main.nodes.filter(isOrphan).map((node) => node.entry.parentUuid ?? '')),
      calls: session.calls.map(({ use }) => ({ toolUseId: use.id, agent: use.call?.agent ?? 'unknown' })),
      responses: columnsOf(session, sidechains),
      ownUuids: fingerprintAll(messages.map((node) => node.uuid)),
      ownTimes: Float64Array.from(messages, (node) => node.entry.at),
      ...sideFingerprints(session),
      toolIds: fingerprintAll([...session.uses.keys()]),
      pairedToolIds: fingerprintAll([...session.uses.keys()].filter((id) => session.results.has(id))),
      foreign: foreignSessions(session),
      forkedFrom: [...session.forkedFrom],
      kinds: new Map(session.kinds),
      unknownForms: new Map(session.unknownForms),
    },
  };
};

const outlineWith = (session: Session, sidechains: readonly Sidechain[]): SessionOutline => {
  const shape = createShape();
  extendShape(shape, session);
  const path = activePath(session, shape);
  const left = offPath(session, shape, path);
  return outlineFrom(session, {
    path,
    left,
    stretches: stretchesOffPath(shape, left),
    branches: branchDigests(shape, new Set(path.nodes)),
    counted: countAll(session),
    tools: toolsOf(session),
    sidechains: sidechains.map((sidechain) => sidechainDigest(session, sidechain)),
  });
};

/** The parts that need a search through the whole session. */
export type OutlineParts = {
  readonly path: Path;
  readonly left: ReadonlyMap<Node, OffPathReason>;
  readonly stretches: readonly Stretch[];
  readonly counted: Counted;
} & Pick<SessionOutline, 'branches' | 'tools' | 'sidechains'>;

export const outlineFrom = (session: Session, { path, left, stretches, counted, branches, tools, sidechains }: OutlineParts): SessionOutline => ({
  id: session.id,
  files: session.files.map((file) => file.path),
  companions: session.companions,
  tool: session.tool,
  otherSessionIds: [...session.sessionIds.keys()].filter((id) => id !== session.id),
  project: projectOf(session),
  title: givenTitle(session),
  versions: [...session.versions],
  startedAt: session.firstAt,
  endedAt: session.lastAt,
  ...counted,
  compactions: [...counted.compactions],
  cycles: session.graph.cycles.length,
  duplicates: session.graph.duplicates.length,
  tools,
  branches,
  activePath: { leafUuid: path.leaf?.uuid ?? null, messages: path.messages },
  sidechains,
  offPath: countReasons(left),
  stretches: stretches.map(({ reason, nodes }) => ({ reason, messages: nodes.length, lastUuid: nodes.at(-1)?.uuid ?? '' })),
});

/** What each record of the main thread adds, independently of the others. */
export type Counted = {
  messages: number;
  roots: number;
  lateParents: number;
  conversation: number;
  readonly compactions: SessionOutline['compactions'][number][];
};

export const createCounted = (): Counted => ({ messages: 0, roots: 0, lateParents: 0, compactions: [], conversation: 0 });

export const countNode = (counted: Counted, { uuid, entry }: Node): void => {
  if (isMessage(entry)) counted.messages += 1;
  if (isConversation(entry.role)) counted.conversation += 1;
  if (entry.parentUuid == null && (entry.role !== 'boundary' || entry.logicalParentUuid === null)) counted.roots += 1;
  const compaction = entry.more?.compaction;
  if (compaction != null)
    counted.compactions.push({ uuid, trigger: compaction.trigger ?? null, preTokens: compaction.preTokens ?? null, line: entry.place.line });
};

const countAll = ({ main, graph }: Session): Counted => {
  const counted = createCounted();
  for (const node of main.nodes) countNode(counted, node);
  counted.lateParents = graph.late.filter((node) => node.thread === main).length;
  return counted;
};

const isOpenBoundary = (session: Session, node: Node): boolean => {
  const { role, logicalParentUuid } = node.entry;
  return role === 'boundary' && logicalParentUuid !== null && !session.graph.nodes.has(logicalParentUuid);
};

export const toolsOf = (session: Session): SessionDigest['tools'] => {
  let uses = 0;
  let results = 0;
  let paired = 0;
  for (const [id, { node }] of session.uses) {
    if (node.thread.kind !== 'main') continue;
    uses += 1;
    if (session.results.get(id)?.node.thread.kind === 'main') paired += 1;
  }
  for (const { node } of session.results.values()) if (node.thread.kind === 'main') results += 1;
  return { uses, results, paired };
};

const branchDigests = (shape: Shape, active: ReadonlySet<Node>): readonly BranchDigest[] => {
  if (shape.points.size === 0) return [];
  const below = messagesBelow(shape);
  return branchesOf(shape).map(({ parent, children }) => ({
    parentUuid: parent.uuid,
    children: children.map(({ node }) => ({ uuid: node.uuid, active: active.has(node), messages: below[node.position] ?? 0 })),
  }));
};

export const sidechainDigest = (session: Session, sidechain: Sidechain): SidechainDigest => {
  const tools = new Map<string, number>();
  let startedAt = Number.NaN;
  let endedAt = Number.NaN;
  let toolUses = 0;
  for (const { entry } of sidechain.nodes) {
    if (!(entry.at >= startedAt) && Number.isFinite(entry.at)) startedAt = entry.at;
    if (!(entry.at <= endedAt) && Number.isFinite(entry.at)) endedAt = entry.at;
    for (const use of entry.uses) {
      toolUses += 1;
      addToTally(tools, use.name, 1);
    }
  }
  return {
    agent: sidechain.agent,
    agentId: sidechain.id,
    toolUseIds: sidechain.toolUseIds,
    linkedBy: sidechain.linkedBy,
    depth: sidechain.depth,
    parentAgentId: sidechain.parentId,
    messages: sidechain.nodes.filter((node) => isMessage(node.entry)).length,
    toolUses,
    state: sidechain.state,
    file: session.files[sidechain.nodes.at(-1)?.file ?? 0]?.path ?? '',
    startedAt,
    endedAt,
    turns: sidechain.nodes.filter((node) => node.entry.role === 'prompt').length,
    patterns: countPatterns(sidechain.nodes),
    tools,
  };
};

const columnsOf = (session: Session, sidechains: readonly Sidechain[]): ResponseColumns => {
  const sidechainAt = new Map<Node | string, number>();
  sidechains.forEach((sidechain, i) => {
    if (sidechain.nodes[0]?.thread.kind === 'agent') sidechainAt.set(sidechain.id, i);
    else for (const node of sidechain.nodes) sidechainAt.set(node, i);
  });
  const responses = responsesIn(session.responses);
  const models: (string | null)[] = [];
  const numbers = new Float64Array(responses.length * RESPONSE_NUMBERS);
  const sidechainOf = new Int32Array(responses.length);
  const modelOf = new Uint32Array(responses.length);
  const numberOf = new Map<string | null, number>();
  const requestIds = fingerprintAll(responses.map((response) => response.requestId ?? ''));
  responses.forEach(({ node, usage, billing, model, requestId, costUsd }, i) => {
    const known = numberOf.get(model) ?? models.push(model) - 1;
    numberOf.set(model, known);
    modelOf[i] = known;
    sidechainOf[i] = node.thread.kind === 'main' ? -1 : (sidechainAt.get(node.thread.agentId ?? node) ?? -1);
    numbers.set([...tokensOf(usage), node.entry.at, costUsd ?? Number.NaN, ...chargesOf(billing)], i * RESPONSE_NUMBERS);
    if (requestId === null) requestIds.fill(0, i * 2, i * 2 + 2);
  });
  return { messageIds: fingerprintAll(responses.map((response) => response.messageId)), requestIds, models, modelOf, sidechainOf, numbers };
};

const chargesOf = (billing: Billing | null): readonly number[] =>
  billing === null ? NO_CHARGES : [billing.webSearches, (billing.isFast ? 1 : 0) + (billing.isUs ? 2 : 0)];

const NO_CHARGES = [0, 0] as const;

const tokensOf = (usage: Usage): readonly number[] => [usage.input, usage.output, usage.cacheWrite5m, usage.cacheWrite1h, usage.cacheRead];

const sideFingerprints = (session: Session): Pick<Across, 'sideUuids' | 'otherUuids'> => {
  const side: string[] = [];
  const other: string[] = [];
  for (const node of session.graph.nodes.values()) {
    if (!isMessage(node.entry)) other.push(node.uuid);
    else if (node.thread.kind !== 'main') side.push(node.uuid);
  }
  for (const { nodes } of session.told.values()) for (const node of nodes) side.push(node.uuid);
  return { sideUuids: fingerprintAll(side), otherUuids: fingerprintAll(other) };
};

const foreignSessions = (session: Session): readonly string[] => {
  const foreign = new Set(session.forkedFrom);
  for (const { entry } of session.main.nodes) if (entry.sessionId !== null) foreign.add(entry.sessionId);
  foreign.delete(session.id);
  return [...foreign];
};

const countReasons = (left: ReadonlyMap<Node, OffPathReason>): Record<OffPathReason, number> => {
  const counts = { replayed: 0, 'other root': 0, 'dead end': 0 };
  for (const [{ entry }, reason] of left) if (isConversation(entry.role)) counts[reason] += 1;
  return counts;
};

/** The slug in the path is lossy, so a record's working directory names the project: the one that matches the slug, otherwise the first. */
export const projectOf = (session: Session): string | null => {
  const folders = new Set((session.files[0]?.path ?? '').split(/[/\\]/u));
  const directories = [...session.projects];
  return directories.find((directory) => folders.has(slugOf(directory))) ?? directories[0] ?? null;
};

const slugOf = (directory: string): string => directory.replace(/[^0-9A-Za-z]/gu, '-');

const givenTitle = (session: Session): string | null => {
  const { titles } = session;
  return (titles.findLast((title) => title.by === 'custom') ?? titles.findLast((title) => title.by === 'ai'))?.text ?? null;
};

/** SESS-3, as far as a single session can tell. */
export const titleOf = (session: Session): string | null => {
  const summary = session.titles.findLast((title) => title.by === 'summary' && title.leafUuid !== null && session.graph.nodes.has(title.leafUuid));
  return givenTitle(session) ?? summary?.text ?? firstPromptOf(session);
};

const firstPromptOf = (session: Session): string | null => {
  const asked = session.main.nodes.filter(({ entry }) => entry.text !== null && (entry.role === 'prompt' || entry.role === 'command'));
  const text = (asked.find(({ entry }) => isRequest(entry)) ?? asked[0])?.entry.text ?? null;
  return text === null ? null : withoutCutWord(text);
};
