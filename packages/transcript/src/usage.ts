import type { Billing, Entry, Usage } from './entry.ts';
import type { Node } from './graph.ts';

/** One API response, counted once however many records and files repeat it. */
export type Response = {
  readonly messageId: string;
  readonly requestId: string | null;
  /** The record whose copy of the usage counts: the one with the largest total. */
  readonly node: Node;
  readonly model: string | null;
  readonly usage: Usage;
  readonly billing: Billing | null;
  readonly costUsd: number | null;
};

/**
 * By message id. Nearly always a single record has the response, and then only that is kept: there are as many of these as replies. Copies that
 * differ in request id, or of which a duplicate record knows more, are kept separately.
 */
export type Responses = Map<string, Node | Copies<Response>>;

export const createResponses = (): Responses => new Map();

export const NO_USAGE: Usage = { input: 0, output: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0 };

export const totalTokens = (usage: Usage): number => usage.input + usage.output + usage.cacheWrite5m + usage.cacheWrite1h + usage.cacheRead;

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
  cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
  cacheRead: a.cacheRead + b.cacheRead,
});

/** Counts the response of an entry at its node, unless a copy with a larger total has been counted already. */
export const addResponse = (responses: Responses, node: Node, entry: Entry): void => {
  if (entry.usage === null) return;
  const messageId = entry.messageId ?? node.uuid;
  const known = responses.get(messageId);
  const isOwn = entry === node.entry;
  if (known === undefined) responses.set(messageId, isOwn ? node : createCopies(responseOf(node, entry)));
  else if ('items' in known) addCopy(known, responseOf(node, entry), preferMain);
  else if (isOwn && known.entry.requestId === entry.requestId)
    responses.set(messageId, larger(responseOf(node, entry), responseOf(known, known.entry), preferMain).node);
  else {
    const copies = createCopies(responseOf(known, known.entry));
    addCopy(copies, responseOf(node, entry), preferMain);
    responses.set(messageId, copies);
  }
};

/** Every response once. */
export const responsesIn = (responses: Responses): readonly Response[] =>
  [...responses.values()].flatMap((known) => ('items' in known ? known.items : [responseOf(known, known.entry)]));

/** The response whose tokens are counted at this record; null if another record's copy counts, or it has none. */
export const responseCountedAt = (responses: Responses, node: Node): Response | null => {
  const known = responses.get(node.entry.messageId ?? node.uuid);
  if (known === undefined) return null;
  if ('items' in known) return known.items.find((response) => response.node === node) ?? null;
  return known === node ? responseOf(node, node.entry) : null;
};

const responseOf = (node: Node, entry: Entry): Response => ({
  messageId: entry.messageId ?? node.uuid,
  requestId: entry.requestId,
  node,
  model: entry.model,
  usage: entry.usage ?? NO_USAGE,
  billing: entry.billing,
  costUsd: entry.costUsd,
});

// A reported record gives way to the record itself.
const preferMain = (newer: Response, kept: Response): Response =>
  (kept.node.index === -1 && newer.node.index !== -1) || (newer.node.thread.kind === 'main' && kept.node.thread.kind !== 'main') ? newer : kept;

type Copy = { readonly requestId: string | number | null; readonly usage: Usage };

/**
 * Responses that share a message id: nearly always one. More are responses of an endpoint that reuses ids, distinguished by request id; an index is
 * made only if there are many.
 */
export type Copies<T extends Copy> = { readonly items: T[]; index: Map<T['requestId'], number> | null };

export const createCopies = <T extends Copy>(copy: T): Copies<T> => ({ items: [copy], index: null });

/**
 * COST-2: copies of one response share the message id. The request id only distinguishes responses of an endpoint that reuses message ids, and only
 * if both copies have one. The copy with the largest total is kept: early records have placeholder counts. `settle` may give the winner what belongs
 * to the first copy.
 */
export const addCopy = <T extends Copy>(
  copies: Copies<T>,
  copy: T,
  prefer: (newer: T, kept: T) => T,
  settle: (winner: T, first: T) => T = (winner) => winner,
): void => {
  const { items } = copies;
  const at = placeOf(copies, copy);
  const kept = items[at];
  if (kept === undefined) {
    copies.index?.set(copy.requestId, items.length);
    items.push(copy);
    return;
  }
  const winner = larger(copy, kept, prefer);
  const requestId = kept.requestId ?? copy.requestId;
  const settled = settle(winner, kept);
  items[at] = settled.requestId === requestId ? settled : { ...settled, requestId };
  copies.index?.set(requestId, at);
};

const larger = <T extends Copy>(newer: T, kept: T, prefer: (newer: T, kept: T) => T): T => {
  const difference = totalTokens(newer.usage) - totalTokens(kept.usage);
  return difference > 0 ? newer : difference < 0 ? kept : prefer(newer, kept);
};

// A copy without request id may belong to any, so the first; only the first can lack one itself.
const placeOf = <T extends Copy>(copies: Copies<T>, copy: T): number => {
  const { items } = copies;
  if (copy.requestId === null || items[0]?.requestId === null) return 0;
  if (items.length <= 8) return items.findIndex((known) => known.requestId === copy.requestId);
  copies.index ??= new Map(items.map((known, at) => [known.requestId, at]));
  return copies.index.get(copy.requestId) ?? -1;
};
