import { cutText, maskJson } from '@yarnboard/domain';
import type { Inside, OutputOf } from '@yarnboard/protocol';
import {
  actorOf,
  apiErrorText,
  callerOf,
  errorsIn,
  inTags,
  operationLine,
  partsOf,
  projectOf,
  takenBackIn,
  type FlowStep,
  type Json,
  type JsonObject,
  type LineOptions,
  type Node,
  type Part,
  type Resumed,
  type Session,
  type Sidechain,
  type Tense,
  type ToolResult,
  type ToolUse,
} from '@yarnboard/transcript';
import type { ConversationRow } from './conversation-row.ts';
import type { FlowRecords } from './flow-records.ts';
import { operationsIn } from './message-view.ts';
import type { SessionFlows, ThreadFlow } from './session-flow.ts';
import { spentOn, turnPlaceOf, type Spent, type TurnPlace } from './flow-turns.ts';
import { timeOf } from './session-view.ts';

export type StepView = Inside<OutputOf<'conversation'>>['items'][number];
type OperationView = StepView['operations'][number];

/** The source of the steps, and how to show them. */
export type Showing = {
  readonly session: Session;
  readonly flows: SessionFlows;
  readonly thread: ThreadFlow;
  readonly records: FlowRecords;
  readonly now: number;
  /** The session that this one continues. */
  readonly continues: () => Promise<Source | null>;
  /** The sub-agent that a tool use started. */
  readonly agentOf: (use: ToolUse) => string | null;
  readonly operationsFrom: number;
  /** Whether earlier steps are missing. */
  readonly isPart?: boolean;
};

type Source = { readonly sessionId: string; readonly by: 'resume' | 'fork' };

export type NumberedStep = { readonly index: number; readonly step: FlowStep };

/** Steps with their texts; only records that are shown are read. */
export const stepViews = async (showing: Showing, steps: readonly NumberedStep[]): Promise<readonly StepView[]> => {
  const drafts = steps.map((numbered) => draftOf(showing, numbered));
  const turns = drafts.map(({ step }) => turnPlaceOf(showing.thread, step, showing.isPart === true));
  const wanted = [...new Set(drafts.flatMap(({ spoken, operations }) => [...spoken, ...operations.map(({ node }) => node)]))];
  const named = new Set(drafts.flatMap(({ first, saying, operations }) => [first, saying, ...operations.map(({ node }) => node)]));
  const [rows, records, responses] = await Promise.all([
    showing.records.rows([...named]),
    showing.records.records(wanted),
    showing.records.responses([...new Set([...drafts.flatMap(({ replies }) => replies), ...turns.flatMap((turn) => turn?.whole?.replies ?? [])])]),
  ]);
  const isCopy = steps.some(({ step }) => step.kind === 'resumption' && step.resumed.by === 'copy');
  const source = isCopy ? await showing.continues() : null;
  const read: Read = {
    rows,
    records,
    inputs: inputsIn(records),
    running: runningFrom(showing),
    source,
    cwd: projectOf(showing.session),
    takenBack: takenBackIn(showing.session),
  };
  const spentBy = (replies: readonly Node[]): Spent => spentOn(replies.flatMap((reply) => responses.get(reply) ?? []));
  return drafts.map((draft, n) => ({ ...viewOf(showing, draft, read, spentBy(draft.replies)), ...turnFields(turns[n] ?? null, spentBy) }));
};

const turnFields = (place: TurnPlace | null, spentBy: (replies: readonly Node[]) => Spent): Pick<StepView, 'isGoingOn' | 'turn'> => {
  if (place === null) return {};
  const { isGoingOn, whole } = place;
  return {
    ...(isGoingOn ? { isGoingOn: true as const } : {}),
    ...(whole === null ? {} : { turn: { durationMs: whole.durationMs, ...spentBy(whole.replies ?? []) } }),
  };
};

/** The data that was read for a page. */
type Read = {
  readonly rows: ReadonlyMap<Node, ConversationRow>;
  readonly records: ReadonlyMap<Node, JsonObject>;
  /** The input of a record's n-th tool use. */
  readonly inputs: (node: Node, n: number) => Json;
  /** The first step whose open operations may still be running. */
  readonly running: number;
  readonly source: Source | null;
  /** The folder that paths are relative to. */
  readonly cwd: string | null;
  readonly takenBack: ReadonlySet<Node>;
};

// A record is parsed once, however many tools it uses.
const inputsIn = (records: ReadonlyMap<Node, JsonObject>): Read['inputs'] => {
  const known = new Map<Node, readonly Json[]>();
  return (node, n) => {
    const record = records.get(node);
    const inputs = known.get(node) ?? (record === undefined ? [] : operationsIn(record).uses.map(({ input }) => input));
    known.set(node, inputs);
    return inputs[n] ?? {};
  };
};

type UsedTool = { readonly node: Node; readonly index: number; readonly use: ToolUse };

type Draft = NumberedStep & {
  readonly first: Node;
  /** The record with these words: the target of references to the step. */
  readonly saying: Node;
  readonly replies: readonly Node[];
  /** The records whose words are shown. */
  readonly spoken: readonly Node[];
  readonly operations: readonly UsedTool[];
  readonly operationsTotal: number;
};

const draftOf = ({ operationsFrom }: Showing, { index, step }: NumberedStep): Draft => {
  const first = step.kind === 'resumption' ? step.next : firstOf(step.nodes);
  const replies = step.kind === 'reply' ? step.nodes.filter(({ entry }) => entry.role === 'reply') : [];
  const all = replies.flatMap((node) => node.entry.uses.map((use, at): UsedTool => ({ node, index: at, use })));
  return {
    index,
    step,
    first,
    saying: replies.find(({ entry }) => entry.says) ?? first,
    replies,
    spoken: spokenIn(step, replies),
    operations: all.slice(operationsFrom, operationsFrom + MOST_OPERATIONS),
    operationsTotal: all.length,
  };
};

const firstOf = (nodes: readonly Node[]): Node => {
  const [first] = nodes;
  if (first === undefined) throw new Error('a step without records');
  return first;
};

// For a reply, the records with text, and those with neither text nor tools: they are thinking. The others are read where their tools are shown.
const spokenIn = (step: FlowStep, replies: readonly Node[]): readonly Node[] => {
  if (step.kind !== 'reply') return step.nodes.filter(({ entry }) => entry.role !== 'boundary').slice(0, MOST_SPOKEN);
  const saying = replies.filter(({ entry }) => entry.says).slice(0, MOST_SPOKEN);
  const thinking = replies.filter(({ entry }) => !entry.says && entry.uses.length === 0).slice(0, MOST_SPOKEN);
  return [...saying, ...thinking];
};

const viewOf = (showing: Showing, draft: Draft, read: Read, spent: Spent): StepView => {
  const { session, flows, thread } = showing;
  const { index, step, first, saying, operations } = draft;
  const { rows, records } = read;
  const row = rows.get(first);
  const isMarker = step.kind === 'resumption';
  const parts = inOrder(step, [...draft.spoken, ...operations.map(({ node }) => node)]).flatMap((node) => partsIn(node, records.get(node)));
  const text =
    first.entry.kind === API_ERROR
      ? apiErrorText(draft.spoken.map((node) => records.get(node)).filter((record) => record !== undefined))
      : textsOf(parts, 'text').join('\n\n');
  const thinking = textsOf(parts, 'thinking').join('\n\n');
  const isForgotten = draft.spoken.some((node) => !records.has(node));
  const fork = thread.sidechain === null && !isMarker ? flows.forkOf(thread.flow, step) : null;
  return {
    index,
    kind: step.kind,
    uuid: first.uuid,
    uuids: step.nodes.slice(0, MOST_UUIDS).map(({ uuid }) => uuid),
    ref: isMarker ? null : (rows.get(saying)?.ref ?? null),
    exchange: isMarker ? null : (row?.exchange ?? null),
    parentUuid: row?.parentUuid ?? first.entry.parentUuid ?? null,
    role: isMarker ? 'resumption' : (row?.role ?? first.entry.role),
    speaker: isMarker ? SYSTEM : speakerOf(session, flows, thread.sidechain, step, first, isForgotten),
    timestamp: timeOf(row?.at ?? null),
    model: modelOf(draft.replies, records),
    text: isForgotten && text === '' ? '[forgotten]' : cutText(text, MOST_TEXT),
    textLength: text.length,
    thinking: cutText(thinking, MOST_THINKING),
    thinkingLength: thinking.length,
    images: parts.filter(({ kind }) => kind === 'image').length,
    ...spent,
    isError: !isMarker && errorsIn(first.entry) > 0,
    isCopy: !isMarker && row?.copyOf != null,
    isForgotten,
    operations: operations.map((used) => operationView(showing, used, read, index >= read.running)),
    operationsTotal: draft.operationsTotal,
    branch:
      fork === null
        ? null
        : {
            parentUuid: fork.point.uuid,
            at: fork.taken + 1,
            of: fork.ways.length,
            choices: fork.ways.slice(0, MOST_UUIDS).map(({ uuid }) => uuid),
          },
    note: noteOf(showing.session, step, read.source),
    ...(!isMarker && read.takenBack.has(first) ? { isTakenBack: true as const } : {}),
  };
};

// Each record once, in the order of its step.
const inOrder = ({ nodes }: FlowStep, wanted: readonly Node[]): readonly Node[] => {
  const set = new Set(wanted);
  return nodes.filter((node) => set.has(node));
};

const partsIn = (node: Node, record: JsonObject | undefined): readonly Part[] => {
  if (record === undefined) return [];
  const { role } = node.entry;
  return partsOf(record).map((part) => {
    const words = part.kind === 'text' ? inTags(role, part.text) : null;
    return words === null ? part : { kind: 'text', text: words.join(role === 'command' ? ' ' : '\n') };
  });
};

const textsOf = (parts: readonly Part[], kind: 'text' | 'thinking'): readonly string[] =>
  parts.flatMap((part) => (part.kind === kind && part.text !== '' ? [part.text] : []));

const speakerOf = (session: Session, flows: SessionFlows, sidechain: Sidechain | null, step: FlowStep, node: Node, isForgotten: boolean): string => {
  const caller = sidechain === null ? HUMAN : callerOf(session, sidechain, (id) => flows.sidechains().byId.get(id));
  // The remains of a forgotten prompt don't show that it was one.
  return isForgotten && step.kind === 'prompt' ? caller.name : actorOf(session, node, sidechain, caller).name;
};

const HUMAN = { kind: 'human', name: 'Human' } as const;
const SYSTEM = 'system';

const modelOf = (replies: readonly Node[], records: ReadonlyMap<Node, JsonObject>): string | null => {
  for (const node of replies) {
    // The seed's records have it beside the message.
    const model = node.entry.model ?? records.get(node)?.['model'];
    if (typeof model === 'string') return model;
  }
  return null;
};

const noteOf = (session: Session, step: FlowStep, source: Source | null): string | null => {
  if (step.kind === 'resumption') return describeResumption(session, step.resumed, source);
  if (step.kind !== 'compaction') return null;
  const compaction = step.nodes.find(({ entry }) => entry.more?.compaction != null)?.entry.more?.compaction;
  const tokens = compaction?.preTokens == null ? [] : [`${compaction.preTokens.toLocaleString('en-US')} tokens before`];
  return [...(compaction?.trigger == null ? [] : [compaction.trigger]), ...tokens].join(', ') || null;
};

const describeResumption = (session: Session, resumed: Resumed, source: Source | null): string => {
  if (resumed.by === 'clear') return 'the context was cleared';
  if (resumed.by === 'version') return `${session.writtenBy ?? 'Claude Code'} ${resumed.to}, before ${resumed.from}`;
  if (resumed.by === 'session') return `goes on from session ${resumed.from}`;
  const from = source?.sessionId ?? [...session.forkedFrom][0] ?? null;
  const how = source?.by === 'resume' ? 'resumed from' : 'forked from';
  return from === null ? 'what is above was copied' : `${how} session ${from}`;
};

// None if nobody writes any more; otherwise those after the latest prompt.
const runningFrom = ({ session, thread, now }: Showing): number => {
  if (!thread.isActive || !(now - session.lastAt < LIVE)) return Number.POSITIVE_INFINITY;
  return thread.flow.steps.findLastIndex(({ kind }) => kind === 'prompt');
};

const operationView = (showing: Showing, { node, index, use }: UsedTool, { rows, inputs, cwd }: Read, isLast: boolean): OperationView => {
  const { session } = showing;
  const row = rows.get(node);
  const returned = session.results.get(use.id);
  const owner = session.uses.get(use.id)?.node;
  const state = stateOf(showing, use, isLast);
  const took = returned === undefined || returned.result.answer !== 'answer' ? Number.NaN : returned.node.entry.at - node.entry.at;
  return {
    uuid: `${node.uuid}_tool_${index}`,
    ref: row?.ref == null ? null : `${row.ref}#${index + 1}`,
    toolUseId: use.id,
    name: use.name,
    summary: lineOf(use.name, inputs(node, index), { tense: tenseOf(state, returned?.result), cwd }),
    startedAt: timeOf(row?.at ?? null),
    durationMs: Number.isFinite(took) ? Math.max(0, took) : null,
    state,
    resultUuid:
      returned === undefined || owner === undefined ? null : `${owner.uuid}_result_${owner.entry.uses.findIndex((one) => one.id === use.id)}`,
    agentId: use.call === null ? null : showing.agentOf(use),
  };
};

// Masked before it is cut: half a secret isn't recognized (SEC-11).
const lineOf = (name: string, input: Json, options: LineOptions): string => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return operationLine(name, input, options);
  const short = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? cutText(value, 1000) : value]));
  return operationLine(name, maskJson(short) as Json, options); // same shape, other texts
};

// Failed, refused or unanswered calls weren't done; background work was handed over.
const tenseOf = (state: OperationView['state'], result: ToolResult | undefined): Tense =>
  state === 'running' ? 'now' : result?.isError === false ? 'done' : 'plain';

const stateOf = ({ session, flows, now }: Showing, use: ToolUse, isLast: boolean): OperationView['state'] => {
  const result = session.results.get(use.id)?.result;
  if (result === undefined) return isLast ? 'running' : 'unanswered';
  if (result.answer === 'void') return 'rejected';
  if (result.answer === 'answer') return result.isError ? 'failed' : 'done';
  // It was started in the background, so the agent's own state counts.
  const fares = flows.sidechains().byCall.get(use.id)?.state ?? noticedState(session, result.agentId);
  if (fares === 'complete') return 'done';
  return fares === 'running' && now - session.lastAt < LIVE ? 'running' : 'unanswered';
};

// The program's notices about an agent whose own records aren't available.
const noticedState = (session: Session, agentId: string | null): Sidechain['state'] => {
  if (agentId === null) return 'complete';
  const ends = [...(session.evidence.get(agentId)?.values() ?? [])].flatMap(({ status }) => status ?? []);
  return ends.includes('completed') ? 'complete' : ends.length > 0 ? 'incomplete' : 'running';
};

const API_ERROR = 'system/api_error';
const LIVE = 600_000;
const MOST_TEXT = 4000;
const MOST_THINKING = 2000;
const MOST_OPERATIONS = 60;
const MOST_SPOKEN = 40;
const MOST_UUIDS = 1000;
