import { ENTRY_TYPES } from '@yarnboard/domain';
import { contextOf, NOWHERE, recordOf, type Item, type Store } from '@yarnboard/store';
import { readEntry, type Entry as Reading, type JsonObject } from '@yarnboard/transcript';
import { entriesOfSession } from '../sessions/log-records.ts';
import { initialConverter, interrupt, observe, observeResults, type Converter } from './convert.ts';
import {
  answeredItem,
  endedItem,
  lastTurnUuid,
  streamedItem,
  turnClosedItem,
  type PermissionAnswered,
  type PermissionAsked,
  type RunEnded,
} from './run-entries.ts';
import { WITHDRAWN } from './run-permissions.ts';
import { CUT_OFF, NO_COUNTS, type LoggedRun } from './runs-history.ts';
import { isObject } from './sdk-message.ts';

/**
 * RUN-13: makes the entries that end a run whose server was cut off: results of its open calls, withdrawn questions, how its turn ended, and its end.
 * Claude Code outlives a server, so it may have finished the turn on its own.
 */
export const endOfCutOff = async (
  run: LoggedRun,
  store: Pick<Store, 'log' | 'library'>,
  at: number,
): Promise<{ readonly items: readonly Item[]; readonly payload: RunEnded }> => {
  const { runId, cwd } = run.started;
  const sessionId = run.sessions.at(-1) ?? '';
  let converter: Converter = initialConverter({ sessionId, cwd });
  const questions = new Map<string, string>();
  const results: Reading[] = [];
  const words = createLastWord();
  for (const session of run.sessions) {
    for await (const page of entriesOfSession(store.log, session, run.from)) {
      for (const { entry, bytes } of page) {
        const payload = recordOf(entry, bytes);
        if (payload === null) continue;
        // The payloads of permissions are our own; these come from outside.
        if (entry.type === ENTRY_TYPES.line || entry.type === ENTRY_TYPES.streamed) {
          const reading = readEntry(payload, NOWHERE, contextOf(entry.contextId).agentId !== null);
          words.hear(payload, reading);
          if (entry.type === ENTRY_TYPES.streamed) converter = observe(converter, payload);
          else if (reading.results.length > 0) results.push(reading);
        } else if (entry.type === ENTRY_TYPES.permissionAsked) questions.set((payload as unknown as PermissionAsked).requestId, session);
        else if (entry.type === ENTRY_TYPES.permissionAnswered) questions.delete((payload as unknown as PermissionAnswered).requestId);
      }
    }
  }
  // A call that was held back may come after the line with its result.
  for (const reading of results) converter = observeResults(converter, reading);
  const { records } = interrupt(converter, at, 'everything');
  const place = { sessionId, at };
  const payload: RunEnded = { runId, status: 'failed', why: CUT_OFF, counts: NO_COUNTS };
  const items = [
    ...[...questions].map(([requestId, session]) => answeredItem({ sessionId: session, at }, { runId, requestId, ...WITHDRAWN })),
    ...records.map((record) => streamedItem(record, at)),
    turnClosedItem(place, { status: words.isSaid() ? 'completed' : 'cancelled', isEnd: true, by: 'start' }, lastTurnUuid(runId)),
    endedItem(place, payload),
  ];
  return { items, payload };
};

/** Finds out whether the model had the last word in the main conversation. Only the file can tell: streamed messages never say why they ended. */
const createLastWord = () => {
  const known = new Set<string>();
  let last = { uuid: '', isLast: false };
  return {
    hear: (record: JsonObject, { role, uuid, isSidechain, uses }: Reading): void => {
      if (isSidechain || uuid === null || (role !== 'prompt' && role !== 'reply' && role !== 'result')) return;
      if (known.has(uuid) && uuid !== last.uuid) return;
      known.add(uuid);
      const message = record['message'];
      const reason = isObject(message) ? message['stop_reason'] : null;
      last = { uuid, isLast: role === 'reply' && typeof reason === 'string' && !GOES_ON.has(reason) && uses.length === 0 };
    },
    isSaid: () => last.isLast,
  };
};

const GOES_ON: ReadonlySet<string> = new Set(['tool_use', 'pause_turn']);
