import type { RunSpent } from './run-entries.ts';
import type { Json, JsonObject } from '@yarnboard/transcript';

/** One message of the Agent SDK's stream. Reading is lenient: anything unknown becomes `other`, and nothing is refused. */
export type SdkMessage = { readonly sessionId: string | null } & (
  | {
      readonly kind: 'init';
      readonly cwd: string | null;
      readonly version: string | null;
      /** The available slash commands, without the slash. */
      readonly slashCommands: readonly string[];
    }
  | {
      readonly kind: 'said';
      readonly type: 'user' | 'assistant';
      readonly uuid: string | null;
      readonly message: JsonObject;
      /** The call that began the sub-agent speaking. */
      readonly parentToolUseId: string | null;
      readonly agentId: string | null;
      readonly timestamp: string | null;
      readonly requestId: string | null;
      readonly toolUseResult: Json | undefined;
      readonly isReplay: boolean | null;
      readonly isSynthetic: boolean;
      readonly error: string | null;
    }
  | { readonly kind: 'boundary'; readonly uuid: string; readonly metadata: JsonObject; readonly logicalParentUuid: string | null }
  | {
      readonly kind: 'task-started';
      readonly taskId: string;
      readonly toolUseId: string | null;
      readonly isAgent: boolean;
      readonly isBackground: boolean;
    }
  | {
      readonly kind: 'task-ended';
      readonly uuid: string;
      readonly taskId: string;
      readonly toolUseId: string | null;
      readonly status: string;
      readonly summary: string;
      readonly outputFile: string | null;
    }
  | { readonly kind: 'result'; readonly outcome: Outcome }
  | { readonly kind: 'other'; readonly name: string }
);

/** How a turn ended, according to the SDK. */
export type Outcome = {
  readonly isError: boolean;
  readonly isAborted: boolean;
  readonly subtype: string;
  /** What went wrong, in the SDK's words. */
  readonly why: string | null;
  readonly costUsd: number | null;
};

export const readSdkMessage = (value: unknown): SdkMessage => {
  if (!isObject(value)) return { kind: 'other', name: 'unreadable', sessionId: null };
  const sessionId = filled(value['session_id']);
  const type = textOf(value['type']) ?? '';
  const read = type === 'system' ? readSystem(value) : type === 'result' ? readResult(value) : readSaid(value, type);
  return { ...(read ?? { kind: 'other', name: nameOf(value, type) }), sessionId };
};

// Without the session id, which every message has.
type Read = SdkMessage extends infer M ? (M extends unknown ? Omit<M, 'sessionId'> : never) : never;

const readSaid = (value: JsonObject, type: string): Read | null => {
  const message = objectOf(value['message']);
  if ((type !== 'user' && type !== 'assistant') || message === null) return null;
  return {
    kind: 'said',
    type,
    uuid: filled(value['uuid']),
    message,
    parentToolUseId: filled(value['parent_tool_use_id']),
    agentId: filled(value['agent_id']),
    timestamp: filled(value['timestamp']),
    requestId: filled(value['request_id']),
    toolUseResult: value['tool_use_result'],
    isReplay: typeof value['isReplay'] === 'boolean' ? value['isReplay'] : null,
    isSynthetic: value['isSynthetic'] === true,
    error: filled(value['error']),
  };
};

const readSystem = (value: JsonObject): Read | null => {
  const uuid = filled(value['uuid']);
  const taskId = filled(value['task_id']);
  const toolUseId = filled(value['tool_use_id']);
  switch (textOf(value['subtype']) ?? '') {
    case 'init':
      return {
        kind: 'init',
        cwd: filled(value['cwd']),
        version: filled(value['claude_code_version']),
        slashCommands: commandsIn(value['slash_commands']),
      };
    case 'compact_boundary':
      if (uuid === null) return null;
      return { kind: 'boundary', uuid, metadata: objectOf(value['compact_metadata']) ?? {}, logicalParentUuid: filled(value['logical_parent_uuid']) };
    case 'task_started':
      if (taskId === null) return null;
      return {
        kind: 'task-started',
        taskId,
        toolUseId,
        isAgent: value['task_type'] === 'local_agent',
        isBackground: value['is_backgrounded'] === true,
      };
    case 'task_notification':
      if (taskId === null || uuid === null) return null;
      return {
        kind: 'task-ended',
        uuid,
        taskId,
        toolUseId,
        status: textOf(value['status']) ?? '',
        summary: textOf(value['summary']) ?? '',
        outputFile: filled(value['output_file']),
      };
    default:
      return null;
  }
};

const commandsIn = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value.slice(0, MOST_COMMANDS) : []).flatMap((one: Json) => (typeof one === 'string' && COMMAND.test(one) ? [one] : []));

/** The names come from the project's files, which anyone may have written. Drop whatever isn't a command name. */
const COMMAND = /^[\w][\w:.-]{0,99}$/u;
const MOST_COMMANDS = 300;

const readResult = (value: JsonObject): Read => {
  const subtype = textOf(value['subtype']) ?? '';
  const isError = value['is_error'] === true || subtype.startsWith('error');
  const errors = Array.isArray(value['errors']) ? (value['errors'] as readonly Json[]).filter((one) => typeof one === 'string') : []; // JSON arrays hold JSON
  const cost = value['total_cost_usd'];
  return {
    kind: 'result',
    outcome: {
      isError,
      isAborted: textOf(value['terminal_reason'])?.startsWith('aborted') === true,
      subtype,
      why: isError ? errors.join('; ') || filled(value['result']) : null,
      costUsd: typeof cost === 'number' && Number.isFinite(cost) ? cost : null,
    },
  };
};

/** Adds up a run's spending. The SDK reports the cost of all turns so far, but the tokens of each turn. */
export const spentWith = (before: RunSpent, value: unknown): RunSpent => {
  if (!isObject(value) || value['type'] !== 'result') return before;
  const read = readResult(value);
  const usage = objectOf(value['usage'] ?? null);
  const told = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens'].map((name) => usage?.[name]).filter((one) => isAmount(one));
  return {
    costUsd: read?.kind === 'result' ? (read.outcome.costUsd ?? before.costUsd) : before.costUsd,
    tokens: told.length === 0 ? before.tokens : told.reduce((sum, one) => sum + one, before.tokens ?? 0),
  };
};

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const nameOf = (value: JsonObject, type: string): string => {
  const subtype = textOf(value['subtype']);
  const name = subtype === null ? type : `${type}/${subtype}`;
  return name === '' ? 'without a type' : name.slice(0, LONGEST_NAME);
};

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): JsonObject | null => (isObject(value) ? value : null);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const filled = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const LONGEST_NAME = 80;
