import { assertNever } from '@yarnboard/domain';
import { NOWHERE } from '@yarnboard/store';
import type { SeatUsage } from '@yarnboard/protocol';
import { DEFAULT_PRICES, readEntry, responseCost, type Entry as Reading, type Json, type JsonObject } from '@yarnboard/transcript';
import { isObject, readSdkMessage, type Outcome } from '../../launches/sdk-message.ts';
import type { SeatFact, TurnEnd } from '../port.ts';

/** What Claude has reported so far, as far as the next message depends on it. */
export type Hearing = {
  /** Its text since the last tool use. */
  readonly words: string;
  /** The last response counted, by the call that began its conversation: one response spans several messages. */
  readonly counted: ReadonlyMap<string, string>;
  /** The usage reported for this turn so far. */
  readonly told: SeatUsage | null;
  /** The process's cost up to the end of the last turn, by its own account. */
  readonly costBefore: number;
  readonly model: string | null;
};

/** How a turn of Claude ended. */
export type HeardEnd = { readonly status: TurnEnd; readonly text: string | null; readonly why: string | null };

export type Heard = { readonly hearing: Hearing; readonly facts: readonly SeatFact[]; readonly end: HeardEnd | null; readonly isWorking: boolean };

export const silence: Hearing = { words: '', counted: new Map(), told: null, costBefore: 0, model: null };

/** RT-28: translates a message from Claude into seat facts. Sub-agents' usage counts as the seat's own, but their words don't. */
export const hearMessage = (hearing: Hearing, value: unknown, now: number): Heard => {
  const message = readSdkMessage(value);
  switch (message.kind) {
    case 'said': {
      const reading = readEntry({ type: message.type, uuid: message.uuid ?? '', message: message.message }, NOWHERE);
      const isMain = message.parentToolUseId === null;
      const used = usageOf(hearing, reading, message.parentToolUseId ?? '');
      const said =
        message.type === 'assistant' ? saidBy(used.hearing, message.message, isMain) : { hearing: used.hearing, facts: resultsIn(message.message) };
      const rest = message.error === 'rate_limit' ? [restUntil(now + LIMITED)] : [];
      return { hearing: said.hearing, facts: [...used.facts, ...said.facts, ...rest], end: null, isWorking: isMain && message.type === 'assistant' };
    }
    case 'result':
      return ended(hearing, message.outcome, isObject(value) ? value : {});
    case 'init':
      return { ...nothing(hearing), isWorking: true };
    case 'other': {
      const until = isObject(value) ? limitIn(value) : null;
      return until === null ? nothing(hearing) : { ...nothing(hearing), facts: [restUntil(until)] };
    }
    case 'boundary':
    case 'task-started':
    case 'task-ended':
      return nothing(hearing);
    default:
      return assertNever(message);
  }
};

const nothing = (hearing: Hearing): Heard => ({ hearing, facts: [], end: null, isWorking: false });

const saidBy = (hearing: Hearing, message: JsonObject, isMain: boolean): { readonly hearing: Hearing; readonly facts: readonly SeatFact[] } => {
  let { words } = hearing;
  const facts: SeatFact[] = [];
  for (const block of blocksOf(message)) {
    if (block['type'] === 'tool_use') {
      words = isMain ? '' : words;
      const input = block['input'];
      facts.push({ kind: 'tool', id: textOf(block['id']), name: textOf(block['name']), input: isObject(input) ? input : {} });
    } else if (block['type'] === 'text' && isMain) {
      words += textOf(block['text']);
      facts.push({ kind: 'text', text: textOf(block['text']) });
    }
  }
  return { hearing: { ...hearing, words }, facts };
};

const resultsIn = (message: JsonObject): readonly SeatFact[] =>
  blocksOf(message)
    .filter((block) => block['type'] === 'tool_result')
    .map((block) => {
      const content = block['content'];
      const output = typeof content === 'string' ? content : JSON.stringify(content ?? '');
      return { kind: 'tool-result', id: textOf(block['tool_use_id']), output, isError: block['is_error'] === true };
    });

/** A response's usage, counted once. The stream doesn't have the final numbers yet; the result supplies the difference. */
const usageOf = (
  hearing: Hearing,
  { messageId, usage, model, billing }: Reading,
  thread: string,
): { readonly hearing: Hearing; readonly facts: readonly SeatFact[] } => {
  if (usage === null || messageId === null || hearing.counted.get(thread) === messageId) return { hearing, facts: [] };
  const costUsd = responseCost(DEFAULT_PRICES, { model, usage, billing, costUsd: null });
  const told: SeatUsage = {
    model,
    inputTokens: usage.input,
    outputTokens: usage.output,
    cacheReadTokens: usage.cacheRead,
    cacheWriteTokens: usage.cacheWrite5m + usage.cacheWrite1h,
    costUsd,
  };
  return {
    hearing: { ...hearing, counted: new Map(hearing.counted).set(thread, messageId), told: sum(hearing.told, told), model: model ?? hearing.model },
    facts: [{ kind: 'usage', usage: told }],
  };
};

const ended = (hearing: Hearing, outcome: Outcome, value: JsonObject): Heard => {
  const { told, model, costBefore } = hearing;
  const whole = value['usage'];
  const output = Math.max(0, (isObject(whole) ? numberOf(whole['output_tokens']) : 0) - (told?.outputTokens ?? 0));
  const cost = outcome.costUsd === null ? 0 : Math.max(0, outcome.costUsd - costBefore - (told?.costUsd ?? 0));
  const missing: readonly SeatFact[] =
    output === 0 && cost === 0
      ? []
      : [{ kind: 'usage', usage: { model, inputTokens: 0, outputTokens: output, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: cost } }];
  const text = hearing.words === '' ? null : hearing.words;
  const status: TurnEnd = outcome.isAborted ? 'cancelled' : outcome.isError ? 'failed' : 'completed';
  return {
    hearing: { ...silence, costBefore: Math.max(costBefore, outcome.costUsd ?? 0) },
    facts: missing,
    end: { status, text: status === 'completed' ? text : null, why: outcome.why },
    isWorking: false,
  };
};

/** RT-15: until when a limit holds, if one was reached. */
const limitIn = (value: JsonObject): number | null => {
  const info = value['rate_limit_info'];
  if (value['type'] !== 'rate_limit_event' || !isObject(info) || info['status'] !== 'rejected') return null;
  return numberOf(info['resetsAt']) * 1000;
};

const restUntil = (until: number): SeatFact => ({ kind: 'rest', until, why: 'Claude has reached a usage limit' });

const sum = (a: SeatUsage | null, b: SeatUsage): SeatUsage => ({
  ...b,
  outputTokens: (a?.outputTokens ?? 0) + b.outputTokens,
  costUsd: (a?.costUsd ?? 0) + (b.costUsd ?? 0),
});

const blocksOf = (message: JsonObject): readonly JsonObject[] => {
  const { content } = message;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly Json[]).filter(isObject) : []; // an array in JSON holds JSON values
};

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const numberOf = (value: Json | undefined): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** How long to wait if the provider gives no time. */
const LIMITED = 5 * 60_000;
