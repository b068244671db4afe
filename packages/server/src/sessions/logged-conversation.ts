import { sidechainsOf, takenBackIn } from '@yarnboard/transcript';
import { recordOf, type LibraryPort, type MessageQuery, type MessageRow, type OperationRow, type Store } from '@yarnboard/store';
import { TURNS } from './turns.ts';
import type { Conversation, Place, UsedTool } from './conversation.ts';
import { rowFrom, type ConversationRow } from './conversation-row.ts';
import { positionOf, recordsAt } from './log-records.ts';
import type { MessageFacts } from './message-view.ts';
import { createPairs, type Pairs } from './pairs.ts';
import type { SessionLoader } from './session-loader.ts';

/** A session on the log. */
export const loggedConversation = ({ log, library }: Store, sessions: SessionLoader, sessionId: string): Conversation => {
  // A record written twice is on the log twice; it counts as one message, the first.
  const isRepeated = async ({ uuid, position, copyOf }: MessageRow): Promise<boolean> =>
    copyOf !== null && (await library.messageByUuid(uuid, sessionId))?.position !== position;

  const startOf = async (from: Place | null): Promise<number | null> => {
    if (from === null) return 0;
    return 'position' in from ? from.position : ((await library.messageByUuid(from.uuid, sessionId))?.position ?? null);
  };

  const read = async (thread: MessageQuery['thread'], start: number, limit: number): Promise<readonly ConversationRow[]> => {
    const rows: ConversationRow[] = [];
    for (let from = start; ;) {
      const more = await library.messages({ sessionId, thread, from, limit });
      for (const row of more) if (rows.length < limit && !(await isRepeated(row))) rows.push(await rowFrom(library, row));
      const last = more.at(-1);
      if (rows.length === limit || more.length < limit || last === undefined) return rows;
      from = last.position + 1;
    }
  };

  // Up to 2.0.26 sub-agents were written into the main file without an id; only the whole session shows which record belongs to which.
  const readStrand = async (id: string, start: number, limit: number): Promise<readonly ConversationRow[] | null> => {
    const { session } = await sessions.load(sessionId);
    const strand = sidechainsOf(session).find((sidechain) => sidechain.id === id);
    if (strand === undefined) return null;
    const positions = strand.nodes.map(positionOf).filter((position) => position >= start);
    const rows = await library.messagesAt(positions.slice(0, limit));
    return Promise.all(positions.flatMap((position) => rows.get(position) ?? []).map((row) => rowFrom(library, row)));
  };

  const rows: Conversation['rows'] = async (thread, from, limit) => {
    const start = await startOf(from);
    if (start === null) return null;
    if (thread === 'main' || thread === 'all') return read({ kind: thread }, start, limit);
    const isKnown = (await library.agents(sessionId)).some(({ agentId }) => agentId === thread);
    return isKnown ? read({ kind: 'agent', agentId: thread }, start, limit) : readStrand(thread, start, limit);
  };

  const facts: Conversation['facts'] = async (wanted) => {
    const positions = wanted.map(positionIn);
    const payloads = await log.payloadsOf(positions);
    const responses = await library.responsesAt(positions);
    const { pairs, holders } = await pairsAround(library, sessionId, positions);
    const recorded = new Set<number>();
    for (const row of wanted) {
      const kind = holders.get(positionIn(row));
      if (kind === undefined) continue;
      const first = kind === 'use' ? `${row.uuid}_tool_0` : pairs.nameOf(positionIn(row), row.uuid, 0).uuid;
      if ((await library.messageByUuid(first, sessionId)) !== null) recorded.add(positionIn(row));
    }
    const found: MessageFacts[] = [];
    for (const row of wanted) {
      await TURNS.go();
      const bytes = payloads.get(positionIn(row)) ?? null;
      found.push({
        row,
        record: recordOf({ note: null }, bytes),
        isForgotten: bytes === null,
        response: responses.get(positionIn(row)) ?? null,
        resultNames: (n) => pairs.nameOf(positionIn(row), row.uuid, n),
        areRecords: recorded.has(positionIn(row)),
      });
    }
    return found;
  };

  const uses: Conversation['uses'] = async (from, skip, limit) => {
    const found: Awaited<ReturnType<LibraryPort['operations']>>[number][] = [];
    const rowsAt = new Map<number, ConversationRow | null>();
    const rowAt = async (position: number): Promise<ConversationRow | null> => {
      const known = rowsAt.get(position);
      if (known !== undefined) return known;
      const row = await library.messageAt(position);
      const made = row === null || (await isRepeated(row)) ? null : await rowFrom(library, row);
      rowsAt.set(position, made);
      return made;
    };
    const start = await startOf(from);
    for (let at = start, passed = skip; at !== null && found.length < limit;) {
      const asked = passed + limit - found.length;
      const page = await library.operations(sessionId, at, asked);
      for (const operation of page) {
        const { use } = operation;
        if (use !== null && !(use.position === at && use.index < passed) && (await rowAt(use.position)) !== null) found.push(operation);
      }
      const last = page.at(-1)?.use ?? null;
      if (last === null || page.length < asked) break;
      at = last.position;
      passed = last.index + 1;
    }
    // These are the results that count; each comes with all its uses, and the first one names it.
    const results = found.flatMap(({ result }) => result?.position ?? []);
    const pairs = await pairsOf(library, await library.operationsAt(sessionId, [...new Set(results)]));
    return found.flatMap(({ use, result }): readonly UsedTool[] => {
      const row = use === null ? null : (rowsAt.get(use.position) ?? null);
      if (use === null || row === null) return [];
      const { toolUseId, index } = use;
      const uuid = pairs.resultOf(toolUseId);
      const answered =
        result === null || uuid === null ? null : { uuid, isError: result.isError, endedAt: result.answer === 'answer' ? result.at : null };
      return [{ row, index, toolUseId, name: use.name ?? '', result: answered }];
    });
  };

  return {
    sessionId,
    rows,
    placeOf: (row) => ({ position: positionIn(row) }),
    facts,
    uses,
    takenBack: async () => {
      // Almost no session has takebacks; only those that do are read in full.
      if (((await library.session(sessionId))?.takebacks ?? 0) === 0) return NOTHING;
      const { session } = await sessions.load(sessionId);
      return new Set([...takenBackIn(session)].map(({ uuid }) => uuid));
    },
    rowOf: async (uuid) => {
      const row = await library.messageByUuid(uuid, sessionId);
      return row === null ? null : rowFrom(library, row);
    },
    records: async (wanted) => {
      const found = await recordsAt(log, wanted.map(positionIn));
      const uuids = new Map(wanted.map((row) => [positionIn(row), row.uuid]));
      return new Map([...found].map(([position, record]) => [uuids.get(position) ?? '', record]));
    },
  };
};

const NOTHING: ReadonlySet<string> = new Set();

const positionIn = ({ position }: ConversationRow): number => position ?? 0;

type Around = {
  readonly pairs: Pairs<number>;
  /** Which of the records have operations, and whether the first is a use. */
  readonly holders: ReadonlyMap<number, 'use' | 'result'>;
};

// A result needs all its uses, and those need all their results: which one counts must not depend on where a page was cut.
const pairsAround = async (library: LibraryPort, sessionId: string, positions: readonly number[]): Promise<Around> => {
  const asked = new Set(positions);
  const here = await library.operationsAt(sessionId, [...asked]);
  const elsewhere = new Set(here.filter(({ kind, position }) => kind === 'use' && !asked.has(position)).map(({ position }) => position));
  const there = elsewhere.size === 0 ? [] : await library.operationsAt(sessionId, [...elsewhere]);
  return {
    pairs: await pairsOf(library, [...here, ...there]),
    holders: new Map(here.filter(({ position }) => asked.has(position)).map(({ position, kind }) => [position, kind])),
  };
};

const pairsOf = async (library: LibraryPort, operations: readonly OperationRow[]): Promise<Pairs<number>> => {
  const once = new Map(operations.map((operation) => [`${operation.position}|${operation.kind}|${operation.index}`, operation]));
  const inOrder = [...once.values()].sort((a, b) => a.position - b.position || a.index - b.index);
  const owners = new Map<number, string | null>();
  for (const { kind, position } of inOrder) {
    if (kind === 'use' && !owners.has(position)) owners.set(position, (await library.messageAt(position))?.uuid ?? null);
  }
  return createPairs(
    inOrder.map(({ position, ...operation }) => ({ ...operation, record: position })),
    (position) => owners.get(position) ?? null,
  );
};
