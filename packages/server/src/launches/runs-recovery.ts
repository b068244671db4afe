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
 * RUN-13: what has to be said of a run that was cut off with its server: the results of its open calls, that nobody answered its questions, how its
 * turn ended, and that it ended. Claude Code outlives a server, and may have finished the turn alone.
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
        // Payloads of permissions are our own.
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
  // A call that was held back may stand behind the line of its result.
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

/** Whether the model has had the last word in the main conversation. Only the file tells: in the stream a message never says why it ended. */
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
