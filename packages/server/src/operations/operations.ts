import type { InputOf } from '@yarnboard/protocol';
import { operationLine, type JsonObject, type Tense } from '@yarnboard/transcript';
import type { Conversation, UsedTool } from '../sessions/conversation.ts';
import type { ConversationRow } from '../sessions/conversation-row.ts';
import { hasText, isAsked, operationsIn } from '../sessions/message-view.ts';
import { timeOf } from '../sessions/session-view.ts';
import type { Answer } from './request/answer.ts';
import { readRecordCursor, writeCursor } from './request/cursor.ts';
import { openConversation, type SessionReading } from './request/find-session.ts';

export const listOperations = async (needs: SessionReading, input: InputOf<'operations'>): Answer<'operations'> => {
  const conversation = await openConversation(needs, input.id);
  const from = readRecordCursor(input.cursor);
  const found = await conversation.uses(from, from?.part ?? 0, input.limit + 1);
  const page = found.slice(0, input.limit);
  const next = found[input.limit];
  const records = await conversation.records(page.map(({ row }) => row));
  const lines = linesOf(records, page);
  const groupOf = createGroups(conversation, records);
  const items: Awaited<Answer<'operations'>>['items'][number][] = [];
  for (const { row, index, toolUseId, name, result } of page) {
    const endedAt = result?.endedAt ?? null;
    items.push({
      uuid: `${row.uuid}_tool_${index}`,
      ref: row.ref === null ? null : `${row.ref}#${index + 1}`,
      toolUseId,
      name,
      summary: lines.get(row.uuid)?.(index, tenseOf(result)) ?? operationLine(name, {}, { tense: tenseOf(result) }),
      messageUuid: row.uuid,
      groupUuid: await groupOf(row),
      agentId: row.agentId,
      startedAt: timeOf(row.at),
      endedAt: timeOf(endedAt),
      durationMs: endedAt === null || row.at === null ? null : Math.max(0, endedAt - row.at),
      isError: result?.isError ?? false,
      resultUuid: result?.uuid ?? null,
    });
  }
  return { items, nextCursor: next === undefined ? null : writeCursor({ ...conversation.placeOf(next.row), part: next.index }) };
};

const tenseOf = (result: UsedTool['result']): Tense => (result?.isError === false ? 'done' : 'plain');

/** The summary line of a record's n-th tool use; null if there is none. */
type Lines = (index: number, tense: Tense) => string | null;

const linesOf = (records: ReadonlyMap<string, JsonObject>, page: readonly UsedTool[]): ReadonlyMap<string, Lines> => {
  const lines = new Map<string, Lines>();
  for (const { row } of page) {
    if (lines.has(row.uuid)) continue;
    const record = records.get(row.uuid) ?? null;
    const uses = record === null ? [] : operationsIn(record).uses;
    const cwd = typeof record?.['cwd'] === 'string' ? record['cwd'] : null;
    lines.set(row.uuid, (index, tense) => {
      const use = uses[index];
      return use === undefined ? null : operationLine(use.name, use.input, { tense, cwd });
    });
  }
  return lines;
};

/**
 * API-11: the nearest earlier assistant record in the same turn that contains text. Results are cached, because the operations of a turn share most
 * of their ancestors.
 */
const createGroups = (conversation: Conversation, records: ReadonlyMap<string, JsonObject>): ((row: ConversationRow) => Promise<string | null>) => {
  const known = new Map<string, string | null>();
  const textAt = async (row: ConversationRow): Promise<boolean> => {
    if (row.role !== 'reply') return false;
    const record = records.get(row.uuid) ?? (await conversation.records([row])).get(row.uuid) ?? null;
    return record !== null && hasText(record);
  };
  return async (row) => {
    const passed: string[] = [];
    let group: string | null = null;
    for (let at: ConversationRow | null = row; at !== null && !isAsked(at.role);) {
      const before = known.get(at.uuid);
      if (before !== undefined) {
        group = before;
        break;
      }
      passed.push(at.uuid);
      // Parents may form a cycle; a record met again has nothing above it.
      known.set(at.uuid, null);
      if (await textAt(at)) {
        group = at.uuid;
        break;
      }
      at = at.parentUuid === null ? null : await conversation.rowOf(at.parentUuid);
    }
    for (const uuid of passed) known.set(uuid, group);
    return group;
  };
};
