import { isObject, listOf, objectOf, stringOf, type Json, type JsonObject } from './json.ts';
import type { Place } from './parse.ts';

export type ToolUse = {
  readonly id: string;
  readonly name: string;
  /** Set when the tool starts a sub-agent. */
  readonly call: AgentCall | null;
  /** Set when the tool writes, changes or reads one file. */
  readonly file?: FileTouch;
};

/** What a call does with a file. Lines are given if it reads only some. */
export type FileTouch = {
  readonly kind: 'wrote' | 'edited' | 'read';
  readonly path: string;
  readonly lines: { readonly from: number; readonly to: number | null } | null;
};

/** The arguments of a Task or Agent call. */
export type AgentCall = {
  readonly agent: string | null;
  readonly prompt: string;
  readonly description: string | null;
  readonly resume: string | null;
};

export type ToolResult = {
  readonly toolUseId: string;
  readonly isError: boolean;
  /** `stub`: the agent was launched and will answer later; `void`: the call was rejected or interrupted; `answer`: everything else. */
  readonly answer: 'answer' | 'stub' | 'void';
  /** The agent that answered, if the result names it. */
  readonly agentId: string | null;
};

/** The tool uses of an assistant record, in order. */
export const usesOf = (content: Json | null | undefined, value: JsonObject, place: Place): readonly ToolUse[] => {
  if (value['subtype'] === 'tool_use' && typeof value['toolName'] === 'string') {
    const id = stringOf(value['toolUseId']) ?? stringOf(value['toolUseID']) ?? stringOf(value['uuid']);
    return id === null ? NO_USES : [useOf(id, value['toolName'], objectOf(value['toolArguments']))];
  }
  let uses: ToolUse[] | null = null;
  for (const block of listOf(content)) {
    if (!isObject(block) || block['type'] !== 'tool_use') continue;
    // A use without an id can't have a result, but it counts as one all the same.
    const id = stringOf(block['id']) ?? `${stringOf(value['uuid']) ?? `line:${place.line}`}#${uses?.length ?? 0}`;
    (uses ??= []).push(useOf(id, stringOf(block['name']) ?? '', objectOf(block['input'])));
  }
  return uses ?? NO_USES;
};

const useOf = (id: string, name: string, input: JsonObject | null): ToolUse => ({
  id,
  name,
  call: name === 'Task' || name === 'Agent' ? callOf(input) : null,
  ...fileOf(name, input),
});

const fileOf = (name: string, input: JsonObject | null): { readonly file?: FileTouch } => {
  const kind = FILE_TOOLS.get(name);
  const path = kind === undefined ? null : (stringOf(input?.['file_path']) ?? stringOf(input?.['notebook_path']));
  if (kind === undefined || path === null || path === '' || path.length > LONGEST_PATH) return NO_FILE;
  const [from, count] = [input?.['offset'], input?.['limit']];
  const isPart = kind === 'read' && typeof from === 'number' && Number.isSafeInteger(from) && from > 0;
  const to = isPart && typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? from + count - 1 : null;
  return { file: { kind, path, lines: isPart ? { from, to: Number.isSafeInteger(to) ? to : null } : null } };
};

/** What a shell command does with files isn't guessed. */
const FILE_TOOLS: ReadonlyMap<string, FileTouch['kind']> = new Map([
  ['Write', 'wrote'],
  ['Edit', 'edited'],
  ['MultiEdit', 'edited'],
  ['NotebookEdit', 'edited'],
  ['Read', 'read'],
  ['NotebookRead', 'read'],
]);
const LONGEST_PATH = 4096;
const NO_FILE = {} as const;

const callOf = (input: JsonObject | null): AgentCall => ({
  agent: stringOf(input?.['subagent_type']),
  prompt: stringOf(input?.['prompt']) ?? '',
  description: stringOf(input?.['description']),
  resume: stringOf(input?.['resume']),
});

/** The tool results of a user record, in order. */
export const resultsOf = (content: Json | undefined, value: JsonObject): readonly ToolResult[] => {
  let blocks: JsonObject[] | null = null;
  for (const block of listOf(content)) if (isObject(block) && block['type'] === 'tool_result') (blocks ??= []).push(block);
  if (blocks === null) return NO_RESULTS;
  // The data beside the results describes one of them; if there are several, it is unknown which one.
  const isAlone = blocks.length === 1;
  return blocks.map((block) => resultOf(block, isAlone ? value['toolUseResult'] : undefined));
};

const resultOf = (block: JsonObject, report: Json | undefined): ToolResult => {
  const text = firstTextOf(block['content']) ?? '';
  const isError = block['is_error'] === true;
  return {
    toolUseId: stringOf(block['tool_use_id']) ?? '',
    isError,
    answer: answerOf(report, text, isError),
    agentId: stringOf(objectOf(report)?.['agentId']) ?? agentIdIn(block['content']),
  };
};

const answerOf = (report: Json | undefined, text: string, isError: boolean): ToolResult['answer'] => {
  const status = objectOf(report)?.['status'];
  if (status === 'async_launched' || objectOf(report)?.['isAsync'] === true || text.startsWith('Async agent launched')) return 'stub';
  if (isError && VOID_ANSWERS.some((start) => text.startsWith(start))) return 'void';
  return 'answer';
};

// Agents state their id at the end of their answer: "agentId: a363e5c (for resuming …)". Nested results have no other trace of it.
const agentIdIn = (content: Json | undefined): string | null => {
  if (!Array.isArray(content)) return null;
  const last = objectOf((content as readonly Json[]).at(-1));
  const text = last === null ? null : stringOf(last['text']);
  if (text === null || !text.includes('agentId: ')) return null;
  return /(?:^|\n)agentId: ([0-9A-Za-z_-]+)/u.exec(text)?.[1] ?? null;
};

const VOID_ANSWERS = ["The user doesn't want to", '[Tool call interrupted', '[Request interrupted by user'];

/** The first text of a content field. */
export const firstTextOf = (content: Json | undefined): string | null => {
  if (typeof content === 'string') return content;
  for (const block of listOf(content)) {
    if (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string') return block['text'];
  }
  return null;
};

/** Whether a content field has text that is more than white space. */
export const hasWords = (content: Json | undefined): boolean => {
  if (typeof content === 'string') return WORDS.test(content);
  for (const block of listOf(content)) {
    const text = isObject(block) && block['type'] === 'text' ? block['text'] : block;
    if (typeof text === 'string' && WORDS.test(text)) return true;
  }
  return false;
};

const WORDS = /\S/u;
const NO_USES: readonly ToolUse[] = [];
const NO_RESULTS: readonly ToolResult[] = [];
