import { readEntry, type Entry } from './entry.ts';
import { addNode, createGraph, createThread, type Graph, type Node, type Thread } from './graph.ts';
import type { JsonObject } from './json.ts';
import type { Notice } from './notices.ts';
import type { Place } from './parse.ts';
import { addToTally } from './tally.ts';
import type { ToolResult, ToolUse } from './tools.ts';
import { addResponse, createResponses, type Responses } from './usage.ts';

/** One file of a session: its main transcript, or a sub-agent's. */
export type SourceFile = { readonly path: string; readonly agentId: string | null };

/** The contents of `agent-<id>.meta.json`. */
export type AgentMeta = {
  readonly agentType: string | null;
  readonly description: string | null;
  readonly toolUseId: string | null;
  readonly parentAgentId: string | null;
  readonly spawnDepth: number | null;
};

export type UsedTool = { readonly use: ToolUse; readonly node: Node };
export type ReturnedResult = { readonly result: ToolResult; readonly node: Node };

/**
 * One session while it is being read: everything that can be updated record by record. Views of it (branches, active path, sidechains, report) are
 * computed on demand. It is mutable on purpose: a live session grows by one line at a time.
 */
export type Session = {
  readonly id: string;
  readonly files: SourceFile[];
  /** Files that belong to it but aren't transcripts: large tool outputs, agents' meta files, workflow journals. */
  readonly companions: string[];
  readonly graph: Graph;
  readonly main: Thread;
  /** Sidechain records in the main file that name no agent (up to 2.0.26, and the seed's form). */
  readonly inline: Thread;
  readonly agents: Map<string, Thread>;
  /** SIDE-11: agents without records of their own, as reported by progress records. */
  readonly told: Map<string, Thread>;
  readonly toldUuids: Set<string>;
  readonly metas: Map<string, AgentMeta>;
  readonly uses: Map<string, UsedTool>;
  readonly results: Map<string, ReturnedResult>;
  readonly calls: UsedTool[];
  /** The CLI's notices about agents, by agent; repetitions are left out. */
  readonly evidence: Map<string, Map<string, Notice>>;
  readonly responses: Responses;
  readonly kinds: Map<string, number>;
  /** Tags of unknown texts that look as if nobody typed them. */
  readonly unknownForms: Map<string, number>;
  readonly titles: { readonly by: 'custom' | 'ai' | 'summary'; readonly text: string; readonly leafUuid: string | null }[];
  readonly versions: Set<string>;
  readonly sessionIds: Map<string, number>;
  /** Working directories, in order of appearance. */
  readonly projects: Set<string>;
  readonly forkedFrom: Set<string>;
  /** The name of its files' dialect; null if the reader didn't specify it. */
  tool: string | null;
  /** The program that wrote it; null for Claude Code, which doesn't say. */
  writtenBy: string | null;
  /** The entry read last. */
  latest: Entry | null;
  /** The leaves named by `last-prompt` records, each with its place and the number of main-thread records at the time. */
  readonly lastPrompts: { readonly leafUuid: string; readonly offset: number; readonly position: number }[];
  /** The records after which the tool took everything back, each with its place and the number of main-thread records at the time. */
  readonly takebacks: { readonly to: string | null; readonly offset: number; readonly position: number }[];
  /** Records missing from the tool's own files or rows. */
  readonly withdrawn: Set<string>;
  firstAt: number;
  lastAt: number;
  /** The time of the earliest record outside the graph. */
  stateAt: number;
};

export const createSession = (id: string): Session => ({
  id,
  files: [],
  companions: [],
  graph: createGraph(),
  main: createThread('main', null),
  inline: createThread('inline', null),
  agents: new Map(),
  told: new Map(),
  toldUuids: new Set(),
  metas: new Map(),
  uses: new Map(),
  results: new Map(),
  calls: [],
  evidence: new Map(),
  responses: createResponses(),
  kinds: new Map(),
  unknownForms: new Map(),
  titles: [],
  versions: new Set(),
  sessionIds: new Map(),
  projects: new Set(),
  forkedFrom: new Set(),
  tool: null,
  writtenBy: null,
  latest: null,
  lastPrompts: [],
  takebacks: [],
  withdrawn: new Set(),
  firstAt: Number.NaN,
  lastAt: Number.NaN,
  stateAt: Number.NaN,
});

/** Adds a file to the session and returns its number, which `append` takes. */
export const addFile = (session: Session, file: SourceFile): number => session.files.push(file) - 1;

export const addMeta = (session: Session, agentId: string, meta: AgentMeta): void => {
  session.metas.set(agentId, meta);
};

/** BACK-2: records that disappeared from the tool's files or rows, and records that reappeared. */
export const withdraw = (session: Session, gone: readonly string[], back: readonly string[]): void => {
  for (const uuid of gone) session.withdrawn.add(uuid);
  for (const uuid of back) session.withdrawn.delete(uuid);
};

/** The effect of one record. */
export type Change = {
  readonly entry: Entry;
  /** The new node; null for state and for a known uuid. */
  readonly node: Node | null;
  readonly duplicateOf: Node | null;
  /** Nodes that were waiting for this one as their parent. */
  readonly adopted: readonly Node[];
  /** Tool ids whose use and result are both known now. */
  readonly paired: readonly string[];
};

/**
 * Takes the next record of a file. Costs the same in a session of ten records and of a million.
 *
 * @example const session = createSession(id); const file = addFile(session, { path, agentId: null }); const reader = createReader({ decode, sink: {
 * record: (value, place) => append(session, file, value, place), quarantine } });
 */
export const append = (session: Session, file: number, value: JsonObject, place: Place): Change => {
  const isAgentFile = (session.files[file]?.agentId ?? null) !== null;
  return appendEntry(session, file, readEntry(value, place, isAgentFile, session.latest));
};

/** The same for a record that has been read already. */
export const appendEntry = (session: Session, file: number, entry: Entry): Change => {
  session.latest = entry;
  addToTally(session.kinds, entry.kind, 1);
  note(session, entry);
  if (entry.uuid === null) return { entry, node: null, duplicateOf: null, adopted: NOBODY, paired: NOTHING };
  // Made up for a record without one, and as distinct from other sessions' as its file.
  const uuid = entry.uuid.startsWith('line:') ? `${entry.uuid}@${session.files[file]?.path ?? file}` : entry.uuid;
  const added = addNode(session.graph, threadFor(session, entry, session.files[file]?.agentId ?? null), entry, uuid, file);
  if ('duplicateOf' in added) {
    // A later copy may know more about the cost of the response.
    if (entry.role === 'reply') addResponse(session.responses, added.duplicateOf, entry);
    return { entry, node: null, duplicateOf: added.duplicateOf, adopted: NOBODY, paired: NOTHING };
  }
  if (entry.more?.told != null) noteTold(session, entry.more.told, file);
  for (const node of added.adopted) node.thread.adopted.push(node.position);
  index(session, added.node);
  return { entry, node: added.node, duplicateOf: null, adopted: added.adopted, paired: pair(session, added.node) };
};

const threadFor = (session: Session, entry: Entry, agentOfFile: string | null): Thread => {
  const agentId = agentOfFile ?? (entry.isSidechain ? entry.agentId : null);
  if (agentId === null) return entry.isSidechain ? session.inline : session.main;
  const known = session.agents.get(agentId);
  if (known !== undefined) return known;
  const thread = createThread('agent', agentId);
  session.agents.set(agentId, thread);
  session.told.delete(agentId); // it has records of its own now
  return thread;
};

// Its tools aren't registered with the session: a file of the agent that comes later has them, too, and there they have their place.
const noteTold = (session: Session, told: Entry, file: number): void => {
  const { agentId, uuid } = told;
  if (agentId === null || uuid === null || session.agents.has(agentId) || session.toldUuids.has(uuid)) return;
  session.toldUuids.add(uuid);
  const thread = session.told.get(agentId) ?? createThread('agent', agentId);
  session.told.set(agentId, thread);
  const parent = thread.nodes.at(-1) ?? null;
  const node: Node = {
    uuid,
    entry: told,
    index: -1,
    file,
    thread,
    position: thread.nodes.length,
    parent,
    firstChild: null,
    lastChild: null,
    nextSibling: null,
    isCut: false,
    tree: null,
  };
  if (parent !== null) {
    parent.firstChild = node;
    parent.lastChild = node;
  }
  thread.nodes.push(node);
  if (told.role === 'reply') addResponse(session.responses, node, told);
};

const index = (session: Session, node: Node): void => {
  const { entry } = node;
  for (const use of entry.uses) {
    if (session.uses.has(use.id)) continue;
    const used = { use, node };
    session.uses.set(use.id, used);
    if (use.call !== null) session.calls.push(used);
  }
  for (const result of entry.results) {
    if (result.toolUseId === '') continue; // it names no use, so it must not pair with a use without an id either
    const known = session.results.get(result.toolUseId);
    if (known === undefined) session.results.set(result.toolUseId, { result, node });
    else if (known.result.answer !== 'answer' && result.answer === 'answer') {
      // A later answer replaces a stub or an interruption; the agent they named stays.
      session.results.set(result.toolUseId, { result: { ...result, agentId: result.agentId ?? known.result.agentId }, node });
    }
  }
  if (entry.role === 'reply') addResponse(session.responses, node, entry);
};

const pair = (session: Session, node: Node): readonly string[] => {
  const { uses, results } = node.entry;
  if (uses.length === 0 && results.length === 0) return NOTHING;
  return [
    ...uses.map((use) => use.id).filter((id) => session.results.has(id)),
    ...results.map((result) => result.toolUseId).filter((id) => id !== '' && session.uses.has(id)),
  ];
};

const note = (session: Session, entry: Entry): void => {
  if (Number.isFinite(entry.at)) {
    if (!(entry.at >= session.firstAt)) session.firstAt = entry.at;
    if (!(entry.at <= session.lastAt)) session.lastAt = entry.at;
    if (entry.uuid === null && !(entry.at >= session.stateAt)) session.stateAt = entry.at;
  }
  if (entry.version !== null) session.versions.add(entry.version);
  if (entry.sessionId !== null) addToTally(session.sessionIds, entry.sessionId, 1);
  if (entry.cwd !== null) session.projects.add(entry.cwd);
  const { more } = entry;
  if (more === null) return;
  if (more.injected?.isKnown === false) addToTally(session.unknownForms, more.injected.form, 1);
  if (more.notice !== null) addEvidence(session, more.notice);
  if (more.title !== null) session.titles.push(more.title);
  if (more.lastPromptLeaf !== null)
    session.lastPrompts.push({ leafUuid: more.lastPromptLeaf, offset: entry.place.offset, position: session.main.nodes.length });
  if (more.takesBack) session.takebacks.push({ to: more.lastPromptLeaf, offset: entry.place.offset, position: session.main.nodes.length });
  if (more.forkedFrom !== null) session.forkedFrom.add(more.forkedFrom);
  if (more.writtenBy !== null) session.writtenBy = more.writtenBy;
};

const addEvidence = (session: Session, notice: Notice): void => {
  const known = session.evidence.get(notice.agentId) ?? new Map<string, Notice>();
  const key = `${notice.source}|${notice.toolUseId ?? ''}|${notice.status ?? ''}`;
  if (!known.has(key)) known.set(key, notice);
  session.evidence.set(notice.agentId, known);
};

const NOBODY: readonly Node[] = [];
const NOTHING: readonly string[] = [];
