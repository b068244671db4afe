import { partsOf, type JsonObject } from '@yarnboard/transcript';
import { fieldsOf, listOf, textOf } from '../../shared/operation-parts.ts';

/** A part of a step that is folded until something asks for it. */
export type ShownPart =
  { readonly kind: 'operation'; readonly toolUseId: string; readonly uuid: string } | { readonly kind: 'thinking'; readonly uuid: string };

/**
 * PAGE-151: the requested part of a record, if it is folded: an operation or the thinking. `record` is the record itself or a block taken out of it;
 * `words` are the words searched for, in lower case.
 */
export const partIn = (record: unknown, uuid: string, words: readonly string[]): ShownPart | null => {
  const fields = fieldsOf(record);
  const own = toolIn(fields);
  if (own !== null) return { kind: 'operation', toolUseId: own, uuid };
  const parts = textsOf(record);
  const says = (kind: 'text' | 'thinking'): boolean => parts.some((part) => part.kind === kind && has(part.text, words));
  if (says('text')) return null;
  if (says('thinking')) return { kind: 'thinking', uuid };
  const blocks = listOf(fieldsOf(fields['message'])['content']).map(fieldsOf);
  const tools = blocks.filter((block) => toolIn(block) !== null);
  const block = tools.find((one) => has(JSON.stringify(one), words)) ?? tools[0];
  const toolUseId = block === undefined ? null : toolIn(block);
  return toolUseId === null ? null : { kind: 'operation', toolUseId, uuid };
};

const toolIn = (block: ReturnType<typeof fieldsOf>): string | null =>
  block['type'] === 'tool_use' ? textOf(block['id']) : block['type'] === 'tool_result' ? textOf(block['tool_use_id']) : null;

const textsOf = (record: unknown) =>
  typeof record === 'object' && record !== null && !Array.isArray(record)
    ? partsOf(record as JsonObject).flatMap((part) => (part.kind === 'text' || part.kind === 'thinking' ? [part] : [])) // transcript records are JSON
    : [];

const has = (text: string, words: readonly string[]): boolean => {
  if (words.length === 0) return text.trim() !== '';
  const lower = text.toLowerCase();
  return words.some((word) => lower.includes(word));
};
