import type { Entry, Usage } from './entry.ts';
import type { Node } from './graph.ts';

/** One API response, counted once however many records and files repeat it. */
export type Response = {
  readonly messageId: string;
  readonly requestId: string | null;
  /** The record whose copy of the usage is counted: the one with the largest total. */
  readonly node: Node;
  readonly model: string | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
};

/** By message id; the rare second entry of a list is another response of an endpoint that reuses ids. */
export type Responses = Map<string, Response[]>;

export const createResponses = (): Responses => new Map();

export const NO_USAGE: Usage = { input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 };

const totalTokens = (usage: Usage): number => usage.input + usage.output + usage.cacheWrite5m + usage.cacheWrite1h + usage.cacheRead;

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
  cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
  cacheRead: a.cacheRead + b.cacheRead,
});

/** Counts the response that an entry is part of, for the node it stands at, unless a copy with a larger total is counted already. */
export const addResponse = (responses: Responses, node: Node, entry: Entry): void => {
  if (entry.usage === null) return;
  const messageId = entry.messageId ?? node.uuid;
  const copy: Response = { messageId, requestId: entry.requestId, node, model: entry.model, usage: entry.usage, costUsd: entry.costUsd };
  const known = responses.get(messageId);
  if (known === undefined) responses.set(messageId, [copy]);
  else mergeCopy(known, copy, (a, b) => (a.node.thread.kind === 'main' && b.node.thread.kind !== 'main' ? a : b));
};

/**
 * COST-2: copies of one response share the message id. The request id only tells responses of an endpoint that reuses message ids apart, and
 * only when both copies have one. The copy with the largest total is kept: early records carry placeholder counts.
 */
export const mergeCopy = <T extends { readonly requestId: string | number | null; readonly usage: Usage }>(
  copies: T[],
  copy: T,
  prefer: (newer: T, kept: T) => T,
): void => {
  const at = copies.findIndex((known) => known.requestId === null || copy.requestId === null || known.requestId === copy.requestId);
  const kept = copies[at];
  if (kept === undefined) {
    copies.push(copy);
    return;
  }
  const difference = totalTokens(copy.usage) - totalTokens(kept.usage);
  const winner = difference > 0 ? copy : difference < 0 ? kept : prefer(copy, kept);
  copies[at] = winner.requestId === null ? { ...winner, requestId: kept.requestId ?? copy.requestId } : winner;
};
