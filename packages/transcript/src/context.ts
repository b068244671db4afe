import { mayChange } from './changes.ts';
import type { Entry, Usage } from './entry.ts';
import type { Node } from './graph.ts';
import type { Session } from './session.ts';

/** What fills a context window. `start` is what is there before anyone speaks: the system prompt, tools, memory files. */
export const CONTEXT_KINDS = ['start', 'prompts', 'replies', 'results', 'agents', 'attachments', 'summary', 'other'] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

export type ContextFill = Readonly<Record<ContextKind, number>>;

/** The context at one response, as the API counted it. */
export type ContextPoint = {
  readonly node: Node;
  readonly tokens: number;
  /** The output, which is part of the next context. */
  readonly output: number;
  readonly model: string | null;
  /** The parts add up to the tokens. */
  readonly fill: ContextFill;
};

export type Compacted = { readonly node: Node; readonly trigger: string | null; readonly before: number | null; readonly after: number | null };

export type Context = {
  readonly points: readonly ContextPoint[];
  readonly compactions: readonly Compacted[];
  /** How much the results of each tool fill at the last point, most first. */
  readonly tools: readonly { readonly name: string; readonly tokens: number }[];
};

/**
 * CTX-1: how full the context was at each response of a path. The totals are the API's; what came between two responses is divided by size, so the
 * parts are estimates. It reads only what is kept of the records.
 */
export const contextOf = (session: Pick<Session, 'uses'>, path: readonly Node[]): Context => {
  const points: ContextPoint[] = [];
  const compactions: { -readonly [K in keyof Compacted]: Compacted[K] }[] = [];
  let parts: Parts = createParts();
  let waiting: Piece[] = [];
  let total: number | null = null;
  let isAnew = true;
  let start = 0;
  let message: string | null = null;
  for (let at = 0; at < path.length; at += 1) {
    const node = path[at];
    if (node === undefined) continue;
    const { entry } = node;
    if (entry.role === 'boundary' || entry.more?.compaction != null) {
      compactions.push({
        node,
        trigger: entry.more?.compaction?.trigger ?? null,
        before: entry.more?.compaction?.preTokens ?? total,
        after: null,
      });
      [waiting, isAnew] = [[], true];
      if (entry.role === 'boundary') continue;
    } else if (entry.more?.isFreshStart === true && total !== null) {
      [waiting, isAnew, start] = [[], true, 0];
    }
    const response = entry.role === 'reply' ? responseAt(path, at) : null;
    if (response === null) {
      waiting.push(...piecesOf(session, entry));
      continue;
    }
    const { usage, end, reply } = response;
    // Results of tools that finish while a response is still streaming come between its records.
    const goesOn = message !== null && entry.messageId === message;
    message = entry.messageId;
    if (goesOn) {
      waiting.push(...reply);
      at = end;
      continue;
    }
    const tokens = usage === null ? 0 : usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
    if (tokens > 0) {
      parts = isAnew ? begun(tokens, waiting, start) : grown(parts, tokens - (total ?? 0), waiting);
      if (start === 0) start = parts.kinds.start;
      const fill = { ...parts.kinds };
      points.push({ node, tokens, output: usage?.output ?? 0, model: entry.model, fill: rounded(fill, tokens) });
      const last = compactions.at(-1);
      if (last?.after === null) last.after = tokens;
      [total, waiting, isAnew] = [tokens, [], false];
    }
    // It is in the context of the next one.
    waiting.push(...reply);
    at = end;
  }
  const tools = [...parts.tools].map(([name, tokens]) => ({ name, tokens: Math.round(tokens) })).filter(({ tokens }) => tokens > 0);
  return { points, compactions, tools: tools.toSorted((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1)) };
};

/** CTX-4: the size of the window, if known: from the model's name, or from what it held before. */
export const contextWindowOf = (model: string | null, most: number): number | null => {
  if (model === null || !model.startsWith('claude')) return null;
  return model.includes('[1m]') || most > CLAUDE_WINDOW ? LONG_WINDOW : CLAUDE_WINDOW;
};

const CLAUDE_WINDOW = 200_000;
const LONG_WINDOW = 1_000_000;

type Piece = { readonly kind: ContextKind; readonly tool: string | null; readonly weight: number };
type Kinds = Record<ContextKind, number>;
type Parts = { readonly kinds: Kinds; readonly tools: Map<string, number> };

const createParts = (): Parts => ({
  kinds: { start: 0, prompts: 0, replies: 0, results: 0, agents: 0, attachments: 0, summary: 0, other: 0 },
  tools: new Map(),
});

const put = ({ kinds, tools }: Parts, { kind, tool }: Pick<Piece, 'kind' | 'tool'>, tokens: number): void => {
  kinds[kind] += tokens;
  if (kind === 'results' && tool !== null) tools.set(tool, (tools.get(tool) ?? 0) + tokens);
};

const weightOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { weight }) => sum + weight, 0);

// The first response after a start, or after a compaction: whatever isn't in the records was there before them.
const begun = (tokens: number, pieces: readonly Piece[], start: number): Parts => {
  const parts = createParts();
  const all = weightOf(pieces);
  // After a compaction, the start is as long as before, and the rest comes from the compaction.
  const said = start > 0 && all > 0 ? Math.max(0, tokens - Math.min(start, tokens)) : Math.min(all, tokens);
  put(parts, { kind: 'start', tool: null }, tokens - said);
  for (const piece of pieces) put(parts, piece, all === 0 ? 0 : (said * piece.weight) / all);
  return parts;
};

const grown = (parts: Parts, delta: number, pieces: readonly Piece[]): Parts => {
  if (delta < 0) return shrunk(parts, -delta);
  const all = weightOf(pieces);
  if (all === 0) put(parts, { kind: 'other', tool: null }, delta);
  else for (const piece of pieces) put(parts, piece, (delta * piece.weight) / all);
  return parts;
};

// Something was dropped, and no record says what: the start is kept as long as possible, and everything else shrinks proportionally.
const shrunk = ({ kinds, tools }: Parts, gone: number): Parts => {
  const sum = CONTEXT_KINDS.reduce((all, kind) => all + kinds[kind], 0);
  const rest = sum - kinds.start;
  const share = rest <= 0 ? 0 : Math.max(0, rest - gone) / rest;
  for (const kind of CONTEXT_KINDS) if (kind !== 'start') kinds[kind] *= share;
  for (const [name, tokens] of tools) tools.set(name, tokens * share);
  kinds.start -= Math.max(0, gone - rest);
  return { kinds, tools };
};

/** Rounds to whole numbers with the same sum. */
const rounded = (kinds: ContextFill, tokens: number): ContextFill => {
  const whole = { ...kinds };
  let left = tokens;
  let largest: ContextKind = 'start';
  for (const kind of CONTEXT_KINDS) {
    whole[kind] = Math.max(0, Math.round(kinds[kind]));
    left -= whole[kind];
    if (whole[kind] > whole[largest]) largest = kind;
  }
  whole[largest] += left;
  return whole;
};

type Response = { readonly usage: Usage | null; readonly end: number; readonly reply: readonly Piece[] };

/** One response is several consecutive records, with results of fast tools between them. */
const responseAt = (path: readonly Node[], from: number): Response => {
  const first = path[from]?.entry;
  let usage = first?.usage ?? null;
  let end = from;
  const reply: Piece[] = [];
  for (let at = from; at < path.length; at += 1) {
    const entry = path[at]?.entry;
    if (entry === undefined || entry.role !== 'reply' || (at > from && (entry.messageId === null || entry.messageId !== first?.messageId))) break;
    end = at;
    if (entry.usage !== null && (usage === null || sizeOf(entry.usage) > sizeOf(usage))) ({ usage } = entry);
    // Thinking alone isn't kept.
    if (entry.says || entry.uses.length > 0) reply.push({ kind: 'replies', tool: null, weight: lengthOf(entry) });
  }
  return { usage, end, reply };
};

const sizeOf = ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number => input + output + cacheRead + cacheWrite5m + cacheWrite1h;

/** What a record adds to the context, by its length. */
const piecesOf = ({ uses }: Pick<Session, 'uses'>, entry: Entry): readonly Piece[] => {
  const kind = KIND_OF_ROLE[entry.role];
  if (kind === null) return NOTHING;
  if (entry.results.length === 0) return [{ kind, tool: null, weight: lengthOf(entry) }];
  // A tool's result is in its record twice: for the model and for the program.
  const weight = lengthOf(entry) / 2 / entry.results.length;
  return entry.results.map(({ toolUseId }): Piece => {
    const use = uses.get(toolUseId)?.use;
    // The result of an edit includes the whole file, which the model doesn't see.
    if (use !== undefined && mayChange(use.name)) return { kind: 'results', tool: use.name, weight: Math.min(weight, EDIT_ANSWER) };
    return use?.call == null ? { kind: 'results', tool: use?.name ?? null, weight } : { kind: 'agents', tool: null, weight };
  });
};

// About four characters per token, not counting the metadata of every record.
const lengthOf = ({ place }: Entry): number => Math.max(1, place.length - RECORD_FRAME) / CHARACTERS;

const RECORD_FRAME = 500;
const CHARACTERS = 4;
const EDIT_ANSWER = 300;

const KIND_OF_ROLE = {
  prompt: 'prompts',
  reply: 'replies',
  result: 'results',
  boundary: null,
  summary: 'summary',
  synthetic: null,
  meta: 'other',
  command: 'prompts',
  output: 'other',
  bash: 'prompts',
  memory: 'prompts',
  notice: 'other',
  interruption: 'other',
  attachment: 'attachments',
  progress: null,
  system: null,
  state: null,
} as const satisfies Record<Entry['role'], ContextKind | null>;

const NOTHING: readonly Piece[] = [];
