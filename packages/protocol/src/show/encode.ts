import {
  assertNever,
  formatInstant,
  partsOf,
  responseCost,
  responseCountedAt,
  usedLine,
  type Merged,
  type OffPathReason,
  type Part,
  type PriceTable,
  type Reconstruction,
  type Source,
  type Step,
} from '@yarnboard/transcript';
import { OFF_PATH_NAMES } from '../wire/off-path.ts';
import type { ShowDocument } from './schema.ts';

type Message = ShowDocument['messages'][number];

export type ShowContext = { readonly source: Source; readonly reconstruction: Reconstruction; readonly prices: PriceTable };

/** Everything of the document except its messages, which are written one by one: a session may exceed the memory. */
export const encodeShowHead = ({ source, reconstruction }: ShowContext): Omit<ShowDocument, 'messages'> => ({
  version: 1,
  session_id: source.session.id,
  title: source.title,
  project: source.project,
  leaf_uuid: reconstruction.path.leaf?.uuid ?? null,
  sidechains: reconstruction.sidechains.map((sidechain) => ({
    agent: sidechain.agent,
    agent_id: sidechain.id,
    tool_use_ids: [...sidechain.toolUseIds],
    linked_by: sidechain.linkedBy,
    depth: sidechain.depth,
    parent_agent_id: sidechain.parentId,
    state: sidechain.state,
  })),
  not_shown: reconstruction.unshown,
  on_no_branch: reconstruction.apart.map(({ reason, nodes }) => ({
    reason: OFF_PATH_NAMES[reason],
    messages: nodes.length,
    first_uuid: nodes[0]?.uuid ?? '',
    last_uuid: nodes.at(-1)?.uuid ?? '',
  })),
});

/** One message, or null for a step that isn't one. `offPath` says why it is on no branch; null if it is on the branch shown. */
export const encodeShowStep = (context: ShowContext, step: Step, offPath: OffPathReason | null = null): Message | null => {
  if (step.kind === 'enter' || step.kind === 'leave' || step.kind === 'apart' || step.kind === 'merged') return null;
  const { node } = step;
  const { entry } = node;
  const record = context.source.recordOf(node);
  // A response's tokens appear on only one of its records: the one whose copy counts.
  const response = responseCountedAt(context.source.session.responses, node);
  const usage = response?.usage ?? null;
  // If a record begins a new context, the mark precedes the record itself.
  const merged = step.kind === 'clearing' ? undefined : context.reconstruction.merged.get(node.uuid);
  return {
    uuid: node.uuid,
    parent_uuid: entry.parentUuid ?? null,
    actor: step.kind === 'message' ? { ...step.actor } : { kind: 'system', name: 'system' },
    role: entry.role,
    depth: step.depth,
    sidechain: step.sidechain?.id ?? null,
    timestamp: formatInstant(entry.at),
    file: context.source.session.files[node.file]?.path ?? '',
    line: entry.place.line,
    parts: record === null ? [] : partsOf(record).map((part) => encodePart(context.source, part)),
    off_path: offPath === null ? null : OFF_PATH_NAMES[offPath],
    is_fresh_start: step.kind === 'clearing',
    compaction: entry.more?.compaction == null ? null : { trigger: entry.more.compaction.trigger, pre_tokens: entry.more.compaction.preTokens },
    usage:
      usage === null
        ? null
        : {
            input_tokens: usage.input,
            output_tokens: usage.output,
            cache_write_5m_tokens: usage.cacheWrite5m,
            cache_write_1h_tokens: usage.cacheWrite1h,
            cache_read_tokens: usage.cacheRead,
          },
    cost_usd: response === null ? null : responseCost(context.prices, response),
    ...(merged === undefined ? {} : { merged: merged.map(encodeMerged) }),
    ...(step.kind === 'message' && step.isTakenBack ? { is_taken_back: true as const } : {}),
  };
};

const encodeMerged = ({ sidebar, text, findings, citations, isForgotten, ...rest }: Merged): NonNullable<Message['merged']>[number] => ({
  ...rest,
  sidebar_id: sidebar,
  content: text,
  findings: [...findings],
  citations: [...citations],
  is_forgotten: isForgotten,
});

const encodePart = (source: Source, part: Part): Message['parts'][number] => {
  switch (part.kind) {
    case 'tool-use':
      return { kind: 'tool_use', id: part.id, name: part.name, input: part.input, summary: usedLine(source, part) };
    case 'tool-result': {
      const output = part.savedAs === null ? null : source.outputOf(part.savedAs);
      return { kind: 'tool_result', tool_use_id: part.toolUseId, text: output ?? part.text, is_error: part.isError, saved_as: part.savedAs };
    }
    case 'image':
      return { kind: 'image', media_type: part.mediaType, data: part.data };
    case 'text':
    case 'thinking':
    case 'other':
      return { ...part };
    default:
      return assertNever(part);
  }
};
