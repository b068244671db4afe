import { parseRef, seatRunOf, sidebarIdOfContext, type Board, type ChainedEntry } from '@yarnboard/domain';
import { NOWHERE, recordOf, type LogPort } from '@yarnboard/store';
import { isObject, readEntry, type Json, type JsonObject } from '@yarnboard/transcript';

/** A tool call, as far as the log has it. */
export type ToolCall = {
  readonly tool: string;
  /** The file or the command; empty for other tools. */
  readonly input: string;
  /** `void`: stopped before it did anything; `none`: the log doesn't say how it ended. */
  readonly result: 'ok' | 'error' | 'void' | 'none';
  readonly output: string;
  /** The message that contains it. */
  readonly ref: string | null;
};

/** The calls before a message of a session, and those after it up to the next prompt. */
export type SessionCalls = {
  readonly before: readonly ToolCall[];
  readonly later: readonly ToolCall[];
  /** Whether `before` is complete. */
  readonly isWhole: boolean;
};

type Log = Pick<LogPort, 'positionOfRef' | 'entryAt' | 'entriesBefore' | 'entriesOf' | 'payloadsOf'>;

/** VAL-29: the calls of the session in which a message was said; null if no agent said it, or if the agent's session is unknown. */
export const callsAround = async (log: Log, board: Board, message: string): Promise<SessionCalls | null> => {
  const read = parseRef(message);
  const position = read.ok && read.value.kind === 'numbered' && read.value.type === 'MSG' ? await log.positionOfRef('MSG', read.value.number) : null;
  const entry = position === null ? null : await log.entryAt(position);
  const sessionId = entry === null || entry.senderType !== 'agent' ? null : sessionOf(board, entry);
  if (entry === null || sessionId === null) return null;
  const earlier: Step[] = [];
  let isWhole = false;
  let from = entry.position;
  while (earlier.length < MOST_LINES && !isWhole) {
    const entries = await log.entriesBefore(sessionId, from, PAGE);
    earlier.push(...(await stepsIn(log, entries)));
    from = entries.at(-1)?.position ?? 0;
    isWhole = entries.length < PAGE;
  }
  const behind = await stepsIn(log, await log.entriesOf(sessionId, entry.position, PAGE));
  const next = behind.findIndex(({ isPrompt }) => isPrompt);
  const later = next === -1 ? behind : behind.slice(0, next);
  const before = earlier.toReversed();
  const results = new Map([...before, ...later].flatMap((step) => step.results));
  return {
    before: callsOf(before, results),
    later: callsOf(later, results),
    isWhole: isWhole && !before.some(({ isContinued }) => isContinued),
  };
};

/** What an agent says in a sidebar, it did in the session of its seat there. */
const sessionOf = (board: Board, { sessionId, contextId, sender }: ChainedEntry): string | null => {
  const sidebarId = sidebarIdOfContext(contextId);
  return sidebarId === null ? sessionId : (seatRunOf(board, sender, sidebarId)?.sessionId ?? null);
};

type Outcome = Pick<ToolCall, 'result' | 'output'>;
type Step = {
  readonly uses: readonly (Pick<ToolCall, 'tool' | 'input' | 'ref'> & { readonly id: string })[];
  readonly results: readonly (readonly [id: string, outcome: Outcome])[];
  readonly isPrompt: boolean;
  /** Earlier calls are in another session, or nowhere. */
  readonly isContinued: boolean;
};

const callsOf = (steps: readonly Step[], results: ReadonlyMap<string, Outcome>): readonly ToolCall[] =>
  steps
    .flatMap(({ uses }) => uses)
    .map(({ id, ...use }) => ({ ...use, ...(results.get(id) ?? { result: 'none' as const, output: '' }) }))
    .slice(-MOST_CALLS);

const stepsIn = async (log: Log, entries: readonly ChainedEntry[]): Promise<readonly Step[]> => {
  const payloads = await log.payloadsOf(entries.map(({ position }) => position));
  return entries.flatMap((entry) => {
    const record = recordOf(entry, payloads.get(entry.position) ?? null);
    return record === null ? [FORGOTTEN] : [stepIn(record, entry.refs.find((ref) => ref.startsWith('MSG-')) ?? null)];
  });
};

const stepIn = (record: JsonObject, ref: string | null): Step => {
  const reading = readEntry(record, NOWHERE);
  if (reading.uses.length === 0 && reading.results.length === 0)
    return {
      uses: [],
      results: [],
      isPrompt: reading.role === 'prompt',
      isContinued: reading.role === 'summary' || reading.text?.startsWith(CONTINUED) === true,
    };
  const blocks = blocksIn(record);
  const inputs = new Map(blocks.flatMap(({ id, input }) => (id === null ? [] : [[id, input] as const])));
  const outputs = new Map(blocks.flatMap(({ answers, output }) => (answers === null ? [] : [[answers, output] as const])));
  return {
    uses: reading.uses.map(({ id, name, file }) => ({ id, tool: name, input: cut(file?.path ?? inputs.get(id) ?? ''), ref })),
    results: reading.results.map(({ toolUseId, isError, answer }) => {
      const output = cut(outputs.get(toolUseId) ?? '');
      const result = answer === 'void' ? 'void' : answer === 'stub' ? 'none' : isError || FAILED.test(output) ? 'error' : 'ok';
      return [toolUseId, { result, output }] as const;
    }),
    isPrompt: false,
    isContinued: false,
  };
};

/** The input or output in each block of a record. */
const blocksIn = (record: JsonObject): readonly Block[] => {
  const message = record['message'];
  const content = isObject(message) ? message['content'] : undefined;
  if (!Array.isArray(content)) return [{ id: textOr(record['toolUseId']), answers: null, input: inputText(record['toolArguments']), output: '' }];
  return (content as readonly Json[]).flatMap((block) => {
    if (!isObject(block)) return [];
    const { id, tool_use_id: answers, input, content: told } = block;
    return [{ id: textOr(id), answers: textOr(answers), input: inputText(input), output: outputText(told) }];
  });
};

type Block = { readonly id: string | null; readonly answers: string | null; readonly input: string; readonly output: string };

const textOr = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);

const inputText = (input: Json | undefined): string => {
  const command = isObject(input) ? input['command'] : undefined;
  if (typeof command === 'string') return command;
  return Array.isArray(command) ? command.filter((one) => typeof one === 'string').join(' ') : '';
};

const outputText = (told: Json | undefined): string => {
  if (typeof told === 'string') return told;
  if (!Array.isArray(told)) return '';
  return (told as readonly Json[]).map((block) => (isObject(block) && typeof block['text'] === 'string' ? block['text'] : '')).join('\n');
};

/** The beginning says how it ended, the end what it achieved. */
const cut = (text: string): string => (text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT / 4)}\n…\n${text.slice(-(MOST_TEXT * 3) / 4)}`);

/** Its content is gone: it may have been anything. */
const FORGOTTEN: Step = { uses: [], results: [], isPrompt: false, isContinued: true };
const CONTINUED = 'This session is being continued from a previous conversation';
/** Tools without an error flag begin their output with the exit code. */
const FAILED = /^(?:[^\n]{0,200}\n){0,4}?(?:Error: )?(?:Process )?exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d*\b|"exit_code": ?[1-9]/iu;
const PAGE = 500;
const MOST_LINES = 10_000;
const MOST_CALLS = 500;
const MOST_TEXT = 4000;
