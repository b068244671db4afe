import type { JsonObject } from '@yarnboard/transcript';
import { contentOf, type PromptWords } from './prompt-content.ts';
import type { SdkMessage } from './sdk-message.ts';

/** The fields that all records of one message share. */
export type Frame = {
  readonly at: number;
  readonly sessionId: string;
  /** The call that began the sub-agent this message belongs to. */
  readonly owner: string | null;
  readonly agentId: string | null;
  readonly cwd: string | null;
  readonly version: string | null;
};

/**
 * Records that we make up because no file will contain them in the same words: a sub-agent's prompt, the result of a call that was cut off, the
 * notice that an agent ended.
 */
export type Synthetic = 'root' | 'interrupted' | 'notice';

export const syntheticOf = (record: JsonObject): Synthetic | null => {
  const value = record['synthetic'];
  return value === 'root' || value === 'interrupted' || value === 'notice' ? value : null;
};

export const promptRecord = (
  frame: Frame,
  { uuid, parentUuid, isQueued, ...words }: PromptWords & { readonly uuid: string; readonly parentUuid: string | null; readonly isQueued: boolean },
): JsonObject => ({
  ...head(frame, uuid, parentUuid),
  type: 'user',
  message: { role: 'user', content: contentOf(words) },
  origin: { kind: 'human' },
  ...(isQueued ? { isQueued } : {}),
});

export const rootRecord = (frame: Frame, prompt: string, uuid: string): JsonObject => ({
  ...head(frame, uuid, null),
  type: 'user',
  message: { role: 'user', content: prompt },
  synthetic: 'root' satisfies Synthetic,
});

export const interruptedRecord = (frame: Frame, callId: string, call: { readonly uuid: string }, uuid: string): JsonObject => ({
  ...head(frame, uuid, call.uuid),
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, is_error: true, content: INTERRUPTED }] },
  toolUseResult: `Error: ${INTERRUPTED}`,
  sourceToolAssistantUUID: call.uuid,
  synthetic: 'interrupted' satisfies Synthetic,
});

/** Copies the wording of Claude Code's own notice that an agent ended. */
export const noticeRecord = (frame: Frame, ended: Extract<SdkMessage, { readonly kind: 'task-ended' }>, parentUuid: string | null): JsonObject => {
  const tags = [
    ['task-id', ended.taskId],
    ['tool-use-id', ended.toolUseId],
    ['output-file', ended.outputFile],
    ['status', ended.status],
    ['summary', ended.summary], // last: the text may imitate any of the tags above
  ] as const;
  const lines = tags.flatMap(([name, text]) => (text === null ? [] : [`<${name}>${text}</${name}>`]));
  return {
    ...head(frame, ended.uuid, parentUuid),
    type: 'user',
    message: { role: 'user', content: ['<task-notification>', ...lines, '</task-notification>'].join('\n') },
    origin: { kind: 'task-notification' },
    synthetic: 'notice' satisfies Synthetic,
  };
};

export const boundaryRecord = (
  frame: Frame,
  { uuid, metadata }: Extract<SdkMessage, { readonly kind: 'boundary' }>,
  logicalParentUuid: string | null,
): JsonObject => ({
  ...head(frame, uuid, null),
  logicalParentUuid,
  type: 'system',
  subtype: 'compact_boundary',
  content: 'Conversation compacted',
  isMeta: false,
  level: 'info',
  // The stream says pre_tokens, the file says preTokens.
  compactMetadata: { ...metadata, trigger: metadata['trigger'], preTokens: metadata['pre_tokens'] },
});

export const saidRecord = (
  frame: Frame,
  said: Extract<SdkMessage, { readonly kind: 'said' }>,
  { uuid, isSummary }: { readonly uuid: string; readonly isSummary: boolean },
): JsonObject => ({
  ...head(frame, uuid, null),
  ...(said.timestamp === null ? {} : { timestamp: said.timestamp }),
  type: said.type,
  message: said.message,
  ...(said.requestId === null ? {} : { requestId: said.requestId }),
  ...(said.toolUseResult === undefined ? {} : { toolUseResult: said.toolUseResult }),
  ...(said.error === null ? {} : { error: said.error, isApiErrorMessage: true }),
  ...(isSummary ? { isCompactSummary: true, isVisibleInTranscriptOnly: true } : said.isSynthetic ? { isMeta: true } : {}),
});

const head = ({ at, sessionId, owner, agentId, cwd, version }: Frame, uuid: string, parentUuid: string | null): JsonObject => ({
  parentUuid,
  isSidechain: owner !== null,
  ...(owner === null ? {} : named('parent_tool_use_id', owner)),
  ...(agentId === null ? {} : { agentId }),
  uuid,
  timestamp: new Date(at).toISOString(),
  sessionId,
  ...(cwd === null ? {} : { cwd }),
  ...(version === null ? {} : { version }),
});

// A field name of the stream; files don't have it.
const named = (key: string, value: string): JsonObject => ({ [key]: value });

const INTERRUPTED = '[Request interrupted by user for tool use]';
