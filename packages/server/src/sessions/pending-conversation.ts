import { takenBackIn } from '@yarnboard/transcript';
import type { Conversation, Place } from './conversation.ts';
import type { ConversationRow } from './conversation-row.ts';
import type { MessageFacts } from './message-view.ts';
import type { PendingReading, PendingRow } from './pending-reading.ts';

/** A session that is only in its files. `uuidAt` returns the uuid of a former position: a page may have begun on the log. */
export const pendingConversation = (reading: PendingReading, uuidAt: (position: number) => Promise<string | null>): Conversation => {
  const { session, byUuid, pairs } = reading;

  const startOf = async (rows: readonly PendingRow[], from: Place | null): Promise<number | null> => {
    if (from === null) return 0;
    const uuid = 'uuid' in from ? from.uuid : await uuidAt(from.position);
    const at = rows.findIndex(({ row }) => row.uuid === uuid);
    return at === -1 ? null : at;
  };

  const known = (rows: readonly ConversationRow[]): readonly PendingRow[] => rows.flatMap(({ uuid }) => byUuid.get(uuid) ?? []);

  return {
    sessionId: session.id,
    rows: async (thread, from, limit) => {
      const rows = reading.thread(thread);
      const start = rows === null ? null : await startOf(rows, from);
      return rows === null || start === null ? null : rows.slice(start, start + limit).map(({ row }) => row);
    },
    placeOf: ({ uuid }) => ({ uuid }),
    facts: async (rows) => {
      const found = known(rows);
      const records = await reading.records.records(found.map(({ node }) => node));
      return found.map(({ node, row }): MessageFacts => {
        const { uses, results } = node.entry;
        const first = uses.length > 0 ? `${node.uuid}_tool_0` : results.length > 0 ? pairs.nameOf(node, node.uuid, 0).uuid : null;
        return {
          row,
          record: records.get(node) ?? null,
          isForgotten: false,
          response: reading.responseAt(node),
          resultNames: (n) => pairs.nameOf(node, node.uuid, n),
          areRecords: first !== null && byUuid.has(first),
        };
      });
    },
    uses: async (from, skip, limit) => {
      const start = await startOf(reading.rows, from);
      const first = start === null || from === null ? undefined : reading.rows[start];
      const all = (start === null ? [] : reading.rows.slice(start)).flatMap((one) =>
        one.node.entry.uses.map((use, index) => ({
          row: one.row,
          index,
          toolUseId: use.id,
          name: use.name,
          isPassed: one === first && index < skip,
        })),
      );
      return all
        .filter(({ isPassed }) => !isPassed)
        .slice(0, limit)
        .map(({ row, index, toolUseId, name }) => {
          const uuid = pairs.resultOf(toolUseId);
          const returned = session.results.get(toolUseId);
          const endedAt = returned === undefined ? null : (byUuid.get(returned.node.uuid)?.row.at ?? null);
          const isAnswer = returned?.result.answer === 'answer';
          const result =
            uuid === null || returned === undefined ? null : { uuid, isError: returned.result.isError, endedAt: isAnswer ? endedAt : null };
          return { row, index, toolUseId, name, result };
        });
    },
    takenBack: async () => new Set([...takenBackIn(session)].map(({ uuid }) => uuid)),
    rowOf: async (uuid) => byUuid.get(uuid)?.row ?? null,
    records: async (rows) => {
      const found = await reading.records.records(known(rows).map(({ node }) => node));
      return new Map([...found].map(([{ uuid }, record]) => [uuid, record]));
    },
  };
};
