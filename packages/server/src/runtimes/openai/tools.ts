import { REGISTRY, type OperationName } from '@yarnboard/protocol';
import * as z from 'zod';

/** RT-25: the few operations offered to a model as tools, with the registry's inputs. The sidebar is always the seat's own and is filled in. */
export const OFFERED = [
  'chat_message',
  'scratchpad_entry_submitted',
  'relevance_score',
  'citation_created',
  'sidebar_memory',
  'message',
  'scratchpad',
] as const satisfies readonly OperationName[];

export type OfferedTool = (typeof OFFERED)[number];

export const isOffered = (name: string): name is OfferedTool => OFFERED.some((one) => one === name);

/** The tools in the format of `/v1/chat/completions`. */
export const toolsFor = (): readonly object[] =>
  OFFERED.map((name) => {
    const { help, input } = REGISTRY[name];
    const shape: Record<string, z.ZodType> = { ...input.shape };
    for (const key of LEFT_OUT) delete shape[key];
    const { $schema: _schema, ...parameters } = z.toJSONSchema(z.object(shape), { io: 'input', unrepresentable: 'any' });
    return { type: 'function', function: { name, description: help, parameters } };
  });

/** A tool's input: what the model wrote, plus the sidebar. */
export const inputFor = (name: OfferedTool, written: Readonly<Record<string, unknown>>, sidebar: string): Readonly<Record<string, unknown>> =>
  Object.hasOwn(REGISTRY[name].input.shape, 'sidebar_id') ? { ...written, sidebar_id: sidebar } : written;

/** A finding as input for its operation. */
export const findingInput = (sidebar: string, { content, refs }: PlainFinding): Readonly<Record<string, unknown>> => ({
  sidebar_id: sidebar,
  content,
  ...(refs.length === 0 ? {} : { source_refs: refs }),
});

export type PlainFinding = { readonly content: string; readonly refs: readonly string[] };

/**
 * RT-26: how a model without tools submits findings: from a line starting with FINDING: to the next blank line. References in it become its evidence.
 */
export const findingsIn = (text: string): readonly PlainFinding[] =>
  text.split(/\n\s*\n/u).flatMap((part) => {
    const [, content = ''] = /^\s*FINDING:\s*([\s\S]+)$/u.exec(part) ?? [];
    return content.trim() === '' ? [] : [{ content: content.trim(), refs: [...new Set(content.match(/\b(?:MSG|EXCH|CITE|GOLD)-\d+\b/gu) ?? [])] }];
  });

const LEFT_OUT = ['sidebar_id', 'message_id', 'timestamp', 'sender_agent_id', 'if_seq', 'reveal'] as const;
