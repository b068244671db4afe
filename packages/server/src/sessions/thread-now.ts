import { cutText, maskJson, maskSecrets } from '@yarnboard/domain';
import type { MessageRow, OperationRow, Store } from '@yarnboard/store';
import { isObject, operationLine, partsOf, printableLine, type Json, type JsonObject, type Role } from '@yarnboard/transcript';
import { recordsAt } from './log-records.ts';

/** The state of a thread according to its newest records. */
export type ThreadNow = {
  /** Whether something is still expected: from the model, or from a tool. */
  readonly isGoingOn: boolean;
  /** Whether the model has finished, and nobody has typed anything since. */
  readonly isAnswerable: boolean;
  /** Its latest operation or text, as one line without secrets. */
  readonly doing: string | null;
  /** The position of the record that decides; 0 if none does. */
  readonly position: number;
};

/** API-34: reads a few of the newest records of a thread, however long it is. */
export const threadNow = async (
  { log, library }: Pick<Store, 'log' | 'library'>,
  sessionId: string,
  thread: Parameters<Store['library']['latest']>[0]['thread'],
): Promise<ThreadNow> => {
  const rows = await library.latest({ sessionId, thread, limit: LOOKED_AT });
  const telling = rows.filter(({ role }) => TELLING.has(role)).slice(0, MOST_TELLING);
  const [newest] = telling;
  // While a tool takes its time, only its progress is written.
  if (newest === undefined) return { isGoingOn: rows.some(({ role }) => role === 'progress'), isAnswerable: false, doing: null, position: 0 };
  const operations = await library.operationsAt(
    sessionId,
    telling.map(({ position }) => position),
  );
  const read = async ({ position }: { readonly position: number }): Promise<JsonObject | null> =>
    (await recordsAt(log, [position])).get(position) ?? null;
  const isGoingOn = isOpenAt(newest.role, newest.role === 'reply' ? await read(newest) : null);
  const open = isGoingOn ? newestOpen(operations) : null;
  const doing = open === null ? await latestLine(telling, read) : lineOfUse(await read(open), open.index, open.name ?? '');
  const isTypedSince = rows.slice(0, rows.indexOf(newest)).some(({ role }) => TYPED.has(role));
  const isAnswerable = !isGoingOn && !isTypedSince && (newest.role === 'reply' || newest.role === 'synthetic');
  return { isGoingOn, isAnswerable, doing, position: newest.position };
};

/** Whether the model or a tool is expected to continue after a record. */
const isOpenAt = (role: Role, record: JsonObject | null): boolean => {
  if (role !== 'reply') return role === 'prompt' || role === 'result';
  if (record === null) return false;
  const parts = partsOf(record);
  const message = record['message'];
  const reason = isObject(message) ? message['stop_reason'] : null;
  if (reason === 'tool_use' || reason === 'pause_turn' || parts.some(({ kind }) => kind === 'tool-use')) return true;
  // A text without a stop reason counts as final; thinking never does.
  return typeof reason !== 'string' && parts.at(-1)?.kind !== 'text';
};

/** The newest use without a result. */
const newestOpen = (operations: readonly OperationRow[]): OperationRow | null => {
  const answered = new Set(operations.filter(({ kind }) => kind === 'result').map(({ toolUseId }) => toolUseId));
  return operations
    .filter(({ kind, toolUseId }) => kind === 'use' && !answered.has(toolUseId))
    .reduce<OperationRow | null>((best, one) => (best === null || one.position > best.position || one.index > best.index ? one : best), null);
};

const latestLine = async (telling: readonly MessageRow[], read: (row: MessageRow) => Promise<JsonObject | null>): Promise<string | null> => {
  for (const row of telling.filter(({ role }) => role !== 'result').slice(0, MOST_READ)) {
    const record = await read(row);
    const line = record === null ? null : lineOf(record);
    if (line !== null) return line;
  }
  return null;
};

const lineOf = (record: JsonObject): string | null => {
  const part = partsOf(record).findLast(({ kind }) => kind === 'text' || kind === 'tool-use');
  if (part?.kind === 'text') return wordsOf(part.text);
  return part?.kind === 'tool-use' ? operationOf(part.name, part.input, cwdOf(record)) : null;
};

const lineOfUse = (record: JsonObject | null, index: number, name: string): string => {
  const use = record === null ? undefined : partsOf(record).filter(({ kind }) => kind === 'tool-use')[index];
  return use?.kind === 'tool-use' ? operationOf(use.name, use.input, cwdOf(record)) : operationOf(name, {});
};

/** The start of a text on one line. Masked before it is cut: the rest of a secret is unrecognizable. */
const wordsOf = (text: string): string => {
  const start = printableLine(maskSecrets(cutText(text, MOST_SHOWN)).text);
  return start.length <= MOST_WORDS ? start : `${cutText(start, MOST_WORDS)}…`;
};

/** The same of an operation. */
export const operationOf = (name: string, input: Json, cwd: string | null = null): string =>
  printableLine(operationLine(name, maskJson(input) as Json, { cwd })); // same shape, other texts

const cwdOf = (record: JsonObject | null): string | null => (typeof record?.['cwd'] === 'string' ? record['cwd'] : null);

/** Roles that show whether a conversation continues; the others are beside it. */
const TELLING: ReadonlySet<Role> = new Set(['prompt', 'reply', 'result', 'synthetic', 'interruption']);
/** What people type that the model doesn't answer. */
const TYPED: ReadonlySet<Role> = new Set(['command', 'bash', 'memory']);
const LOOKED_AT = 40;
const MOST_TELLING = 8;
const MOST_READ = 3;
const MOST_SHOWN = 2000;
const MOST_WORDS = 160;
