import { foreign, type Foreign, type Inside, type OutputOf } from '@yarnboard/protocol';
import { isObject, operationLine, partsOf, readEntry, type Json, type JsonObject, type Usage } from '@yarnboard/transcript';
import { NOWHERE, type MessageRow } from '@yarnboard/store';
import type { ConversationRow } from './conversation-row.ts';
import { timeOf, usageView, usdOf } from './session-view.ts';

/** A message to be sent. The seed's aliases are added where names are mapped. */
export type MessageView = Omit<
  Inside<OutputOf<'message'>>,
  '_id' | 'Id' | 'isSidechain' | 'messageData' | 'messageUuid' | 'parentUuidAlias' | 'sessionIdAlias'
> & {
  readonly isSidechain: boolean;
  readonly messageData: Foreign;
};

/** The data a message is made from. */
export type MessageFacts = {
  readonly row: ConversationRow;
  /** Null if the payload was forgotten or unreadable. */
  readonly record: JsonObject | null;
  readonly isForgotten: boolean;
  /** The response counted at this record. */
  readonly response: { readonly usage: Usage; readonly costNano: number | null } | null;
  /** The uuid of the record's n-th result, and the use it is below. */
  readonly resultNames: (n: number) => { readonly uuid: string; readonly parentUuid: string | null };
  /** Whether its operations also have records of their own, as in the old structure: those are shown. */
  readonly areRecords: boolean;
};

/** API-6: the record as a message, then each tool use and tool result in it as a message of its own. */
export const messageViews = (facts: MessageFacts, withOperations: boolean): readonly MessageView[] => {
  const main = recordView(facts);
  return withOperations && !facts.areRecords ? [main, ...operationViews(facts, main)] : [main];
};

/** The n-th operation of a record, from 1: the meaning of `MSG-12#n`. */
export const operationView = (facts: MessageFacts, n: number): MessageView | null => operationViews(facts, recordView(facts))[n - 1] ?? null;

const recordView = ({ row, record, isForgotten, response }: MessageFacts): MessageView => ({
  uuid: row.uuid,
  ref: row.ref,
  exchange: row.exchange,
  sessionId: row.sessionId,
  agentId: row.agentId,
  parentUuid: shownParent(row),
  rawParentUuid: row.parentUuid,
  type: row.type,
  role: row.role,
  actor: actorOf(row),
  content: isForgotten ? '[forgotten]' : record === null ? '' : contentOf(record),
  messageData: foreign(record),
  timestamp: timeOf(row.at),
  createdAt: timeOf(row.at),
  isSidechain: isShownAside(row),
  isError: row.isError,
  isCopy: row.copyOf !== null,
  isForgotten,
  copyOf: row.copyOf,
  // The seed's records have it beside the message.
  model: row.model ?? (row.type === 'assistant' && typeof record?.['model'] === 'string' ? record['model'] : null),
  usage: response === null ? null : usageView(response.usage),
  costUsd: response?.costNano == null ? null : usdOf(response.costNano),
  isCostCounted: response?.costNano != null,
  position: row.position,
});

const operationViews = ({ record, resultNames }: MessageFacts, main: MessageView): readonly MessageView[] => {
  if (record === null) return [];
  const { uses, results } = operationsIn(record);
  const refOf = (n: number): string | null => (main.ref === null ? null : `${main.ref}#${n}`);
  const extracted = (changes: Pick<MessageView, 'uuid' | 'parentUuid' | 'type' | 'content' | 'isError' | 'ref'>, block: Json): MessageView => ({
    ...main,
    ...changes,
    role: changes.type,
    exchange: null,
    actor: changes.type === 'tool_use' ? 'agent' : 'system',
    messageData: foreign(block),
    isSidechain: true,
    usage: null,
    isCostCounted: false,
  });
  return [
    ...uses.map(({ name, input, block }, i) => {
      const content = JSON.stringify({ type: 'tool_use', name, input });
      return extracted(
        { uuid: `${main.uuid}_tool_${i}`, parentUuid: main.uuid, type: 'tool_use', content, isError: false, ref: refOf(i + 1) },
        block,
      );
    }),
    ...results.map(({ text, isError, block }, i) =>
      extracted({ ...resultNames(i), type: 'tool_result', content: text, isError, ref: refOf(uses.length + i + 1) }, block),
    ),
  ];
};

type Operations = {
  readonly uses: readonly { readonly id: string; readonly name: string; readonly input: Json; readonly block: Json }[];
  readonly results: readonly { readonly text: string; readonly isError: boolean; readonly block: Json }[];
};

/** The tool uses and results of a record, numbered as the library numbers them. */
export const operationsIn = (record: JsonObject): Operations => {
  const { uses, results } = readEntry(record, NOWHERE);
  const blocks = blocksOf(record);
  const useBlocks = blocks.filter((block) => block['type'] === 'tool_use');
  const resultBlocks = blocks.filter((block) => block['type'] === 'tool_result');
  return {
    uses: uses.map(({ id, name }, i) => {
      const block = useBlocks[i] ?? record;
      return { id, name, input: (block === record ? block['toolArguments'] : block['input']) ?? {}, block };
    }),
    results: results.map(({ isError }, i) => ({ text: textIn(resultBlocks[i]?.['content']), isError, block: resultBlocks[i] ?? null })),
  };
};

const blocksOf = (record: JsonObject): readonly JsonObject[] => {
  const { message } = record;
  const content = isObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
};

const textIn = (content: Json | undefined): string => {
  if (typeof content === 'string') return content;
  const texts: string[] = [];
  for (const block of Array.isArray(content) ? (content as readonly Json[]) : []) {
    const text = isObject(block) && block['type'] === 'text' ? block['text'] : block;
    if (typeof text === 'string' && text.trim() !== '') texts.push(text);
  }
  return texts.join('\n');
};

/** Whether a reply has text, besides tool use and thinking. */
export const hasText = (record: JsonObject): boolean => partsOf(record).some((part) => part.kind === 'text' && part.text.trim() !== '');

/** The text of a record; if it only uses tools, one readable line for each. */
const contentOf = (record: JsonObject): string => {
  const parts = partsOf(record);
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  if (text !== '') return text;
  const lines = parts.flatMap((part) => {
    if (part.kind === 'tool-use') return [operationLine(part.name, part.input)];
    if (part.kind === 'tool-result') return [`${part.isError ? '❌' : '↩'} ${firstLine(part.text)}`];
    return part.kind === 'image' ? [`[${part.mediaType}]`] : [];
  });
  return lines.length > 0 ? lines.join('\n') : parts.flatMap((part) => (part.kind === 'thinking' ? [part.text] : [])).join('\n');
};

const firstLine = (text: string): string => {
  const [line = ''] = text.trimStart().split('\n', 1);
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
};

type Shown = Pick<ConversationRow, 'uuid' | 'parentUuid' | 'type' | 'isSidechain'>;

/** API-12: in the old structure, tool messages are beside their owner, or without a parent; their name shows the owner. */
export const shownParent = ({ uuid, parentUuid, type }: Shown): string | null => {
  if (!isToolMessage(type)) return parentUuid;
  const [, owner, kind, index] = /^(.+)_(tool|result)_(\d+)$/su.exec(uuid) ?? [];
  if (owner === undefined) return parentUuid;
  return kind === 'tool' ? owner : `${owner}_tool_${index ?? ''}`;
};

/** By its flag or by its type: half-flagged data counts as flagged. */
export const isShownAside = ({ type, isSidechain }: Shown): boolean => isSidechain || isToolMessage(type);

const isToolMessage = (type: string): boolean => type === 'tool_use' || type === 'tool_result';

const actorOf = ({ role, agentId }: Pick<MessageRow, 'role' | 'agentId'>): 'human' | 'agent' | 'system' => {
  if (role === 'reply') return 'agent';
  if (isAsked(role)) return agentId === null ? 'human' : 'agent';
  return 'system';
};

/** Whether a record is a request, or something done between two turns: operations before it belong to another turn. */
export const isAsked = (role: MessageRow['role']): boolean =>
  role === 'prompt' || role === 'command' || role === 'bash' || role === 'memory' || role === 'interruption';
