import { cutText, maskSecrets } from '@yarnboard/domain';
import type { InputOf } from '@yarnboard/protocol';
import {
  isWholeList,
  mayChangeTasks,
  printableLine,
  tasksAfter,
  type JsonObject,
  type Node,
  type TaskCall,
  type ToolUse,
} from '@yarnboard/transcript';
import { stepViews } from '../sessions/flow-view.ts';
import { operationsIn } from '../sessions/message-view.ts';
import type { LoadedSession } from '../sessions/session-loader.ts';
import { timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { pageOf } from './request/cursor.ts';
import { threadFor, type ConversationNeeds } from './conversation.ts';
import { placeOfSession } from './request/find-session.ts';

type Outline = Awaited<Answer<'outline'>>;

/** API-60: the prompts and compactions of a branch or sub-agent, and the final task list. Replies aren't read. */
export const showOutline = async (needs: ConversationNeeds, input: InputOf<'outline'>): Answer<'outline'> => {
  const found = await placeOfSession(needs, input.id);
  const opened =
    found.kind === 'pending'
      ? await needs.sessions.loadPending(found.pending)
      : await needs.sessions.load(found.kind === 'kept' ? found.sessionId : found.row.sessionId);
  const thread = await threadFor(needs, input, opened, null);
  // Read once up front: more steps may arrive while texts are being read.
  const { steps } = thread.flow;
  const total = steps.length;
  const told = steps.flatMap((step, index) => (step.kind === 'prompt' || step.kind === 'compaction' ? [{ index, step }] : []));
  const { items, nextCursor } = pageOf(told, input.limit, input.cursor);
  const views = await stepViews({ ...opened, thread, now: needs.now(), continues: async () => null, agentOf: () => null, operationsFrom: 0 }, items);
  return {
    sessionId: opened.session.id,
    thread: thread.sidechain?.id ?? 'main',
    steps: total,
    prompts: told.filter(({ step }) => step.kind === 'prompt').length,
    items: views.map(({ index, uuid, ref, timestamp, kind, text }) => ({
      uuid,
      ref,
      at: timestamp,
      index,
      kind: kind === 'compaction' ? 'compaction' : 'prompt',
      text: cutText(printableLine(text.slice(0, MOST_WORDS * 4)), MOST_WORDS),
    })),
    nextCursor,
    tasks: await tasksOf(opened, thread.flow.nodes),
  };
};

type Call = { readonly node: Node; readonly index: number; readonly use: ToolUse; readonly answer: Node };

/** TASK-3: reads only the calls that change the list. Of calls that replace the whole list, only the last. */
const tasksOf = async ({ session, records }: Pick<LoadedSession, 'session' | 'records'>, nodes: readonly Node[]): Promise<Outline['tasks']> => {
  const all = nodes.flatMap((node) =>
    node.entry.uses.flatMap((use, index): readonly Call[] => {
      const returned = mayChangeTasks(use.name) ? session.results.get(use.id) : undefined;
      return returned === undefined || returned.result.isError ? [] : [{ node, index, use, answer: returned.node }];
    }),
  );
  const calls = all.slice(
    Math.max(
      0,
      all.findLastIndex(({ use }) => isWholeList(use.name)),
      all.length - MOST_CALLS,
    ),
  );
  const last = calls.at(-1);
  if (last === undefined) return null;
  const asked = await records.records([...new Set(calls.flatMap(({ node, answer }) => [node, answer]))]);
  const tasks = tasksAfter(
    calls.map((call): TaskCall => ({ name: call.use.name, input: inputOf(asked.get(call.node), call.index), answer: answerOf(asked, call) })),
  );
  const rows = await records.rows([last.node]);
  const ref = rows.get(last.node)?.ref ?? null;
  return {
    uuid: `${last.node.uuid}_tool_${last.index}`,
    ref: ref === null ? null : `${ref}#${last.index + 1}`,
    at: timeOf(Number.isFinite(last.node.entry.at) ? last.node.entry.at : null),
    items: tasks.slice(0, MOST_TASKS).map(({ id, text, state }) => ({ id, text: cutText(maskSecrets(text).text, MOST_TEXT), state })),
  };
};

const inputOf = (record: JsonObject | undefined, index: number) => (record === undefined ? undefined : operationsIn(record).uses[index]?.input);

const answerOf = (records: ReadonlyMap<Node, JsonObject>, { answer, use }: Call): string => {
  const nth = answer.entry.results.findLastIndex(({ toolUseId }) => toolUseId === use.id);
  const record = records.get(answer);
  return record === undefined ? '' : (operationsIn(record).results[nth]?.text ?? '');
};

const MOST_WORDS = 240;
const MOST_TEXT = 1000;
const MOST_TASKS = 500;
const MOST_CALLS = 2000;
