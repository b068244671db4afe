import type { Node } from './graph.ts';
import { normalise } from './prompts.ts';
import type { Session, UsedTool } from './session.ts';
import type { Strand } from './strands.ts';
import type { ToolUse } from './tools.ts';

/** The evidence that linked a sidechain to its call, strongest first. */
export const LINK_EVIDENCE = [
  'meta', // agent-<id>.meta.json names the tool use
  'agent_id', // the call's result names the agent, or the call itself resumes it
  'parent_tool_use_id', // the agent's records name the tool use
  'progress', // a progress record names both
  'notification', // a notification or queue entry names both
  'parent_uuid', // the first record's parent is the record of the call
  'prompt', // only this call has this prompt
  'position', // equal prompts distinguished by place in the file or order of calls
  'none',
] as const;
export type LinkedBy = (typeof LINK_EVIDENCE)[number];

export type Links = {
  readonly byStrand: ReadonlyMap<string, { readonly by: LinkedBy; readonly calls: readonly UsedTool[]; readonly toolUseIds: readonly string[] }>;
  /** The strand of a record; null in the main thread. */
  readonly strandOf: (node: Node) => string | null;
};

/** SIDE-4: assigns calls to every sidechain by the best evidence; no call is assigned twice on weak evidence. */
export const linkCalls = (session: Session, strands: readonly Strand[]): Links => {
  const ledger = createLedger(strands);
  linkByIds(session, strands, ledger);
  const callsOf = promptedCalls(ledger);
  for (const strand of strands) if (!ledger.links.has(strand.id)) linkByParent(strand, callsOf, ledger);
  linkByPrompt(session, strands, ledger);
  for (const strand of strands) if (!ledger.links.has(strand.id)) linkByPlace(session, strand, ledger);
  const byStrand = new Map(
    [...ledger.links].map(([id, link]) => [
      id,
      {
        by: link.by,
        toolUseIds: [...link.toolUseIds],
        calls: [...link.toolUseIds].map((toolUseId) => session.uses.get(toolUseId)).filter((used) => used !== undefined),
      },
    ]),
  );
  return { byStrand, strandOf: ledger.strandOf };
};

type Ledger = {
  readonly links: Map<string, { readonly by: LinkedBy; readonly toolUseIds: Set<string> }>;
  readonly claimed: Set<string>;
  readonly strandOf: (node: Node) => string | null;
};

const createLedger = (strands: readonly Strand[]): Ledger => {
  const inline = new Map<Node, string>();
  for (const strand of strands) if (strand.thread.kind === 'inline') for (const node of strand.nodes) inline.set(node, strand.id);
  return { links: new Map(), claimed: new Set(), strandOf: (node) => inline.get(node) ?? node.thread.agentId };
};

const claim = (ledger: Ledger, strandId: string, toolUseId: string, by: LinkedBy): void => {
  ledger.claimed.add(toolUseId);
  const known = ledger.links.get(strandId);
  if (known === undefined) ledger.links.set(strandId, { by, toolUseIds: new Set([toolUseId]) });
  else known.toolUseIds.add(toolUseId);
};

// Ids first. One agent may have several calls (Task with `resume`), each proven by its own id.
const linkByIds = (session: Session, strands: readonly Strand[], ledger: Ledger): void => {
  const agents = new Set(strands.map((strand) => strand.id));
  const found = new Map<string, Map<string, LinkedBy>>();
  const offer = (agentId: string | null, toolUseId: string | null | undefined, by: LinkedBy): void => {
    if (agentId === null || toolUseId === null || toolUseId === undefined || !agents.has(agentId)) return;
    const used = session.uses.get(toolUseId);
    // Background shells notify like agents; only a call to an agent, or one that was never seen, can have started one.
    if (used !== undefined && used.use.call === null) return;
    const offers = found.get(agentId) ?? new Map<string, LinkedBy>();
    const known = offers.get(toolUseId);
    if (known === undefined || LINK_EVIDENCE.indexOf(by) < LINK_EVIDENCE.indexOf(known)) offers.set(toolUseId, by);
    found.set(agentId, offers);
  };
  for (const [agentId, meta] of session.metas) offer(agentId, meta.toolUseId, 'meta');
  for (const { use } of session.calls) offer(namedAgent(session, use), use.id, 'agent_id');
  for (const strand of strands) offer(strand.id, strand.nodes[0]?.entry.more?.parentToolUseId, 'parent_tool_use_id');
  for (const notices of session.evidence.values()) for (const notice of notices.values()) offer(notice.agentId, notice.toolUseId, notice.source);
  for (const [agentId, offers] of found) {
    let best = LINK_EVIDENCE.length - 1;
    for (const by of offers.values()) best = Math.min(best, LINK_EVIDENCE.indexOf(by));
    const inOrder = [...offers.keys()].sort((a, b) => orderOf(session, a) - orderOf(session, b));
    for (const toolUseId of inOrder) claim(ledger, agentId, toolUseId, LINK_EVIDENCE[best] ?? 'none');
  }
};

// The answer is most reliable: some versions ignored `resume` and started a new agent.
const namedAgent = (session: Session, use: ToolUse): string | null => session.results.get(use.id)?.result.agentId ?? use.call?.resume ?? null;

const orderOf = (session: Session, toolUseId: string): number => session.uses.get(toolUseId)?.node.index ?? Number.MAX_SAFE_INTEGER;

// With several calls in the parent, the prompt decides.
const linkByParent = (strand: Strand, callsOf: (parent: Node) => PromptedCalls, ledger: Ledger): void => {
  const first = strand.nodes[0];
  if (first?.parent == null) return;
  const { only, byPrompt } = callsOf(first.parent);
  const alike = only === null && first.entry.text !== null ? byPrompt.get(normalise(first.entry.text)) : undefined;
  const chosen = only ?? alike?.shift();
  if (chosen !== undefined) claim(ledger, strand.id, chosen, 'parent_uuid');
};

type PromptedCalls = { readonly only: string | null; readonly byPrompt: ReadonlyMap<string, string[]> };

// The calls of a record: its only one, or the unclaimed ones, by prompt. Computed once per record, which may have thousands.
const promptedCalls = (ledger: Ledger): ((parent: Node) => PromptedCalls) => {
  const made = new Map<Node, PromptedCalls>();
  return (parent) => {
    const known = made.get(parent);
    if (known !== undefined) return known;
    const calls = parent.entry.uses.filter((use) => use.call !== null);
    const byPrompt = new Map<string, string[]>();
    for (const use of calls) if (!ledger.claimed.has(use.id)) group(byPrompt, normalise(use.call?.prompt ?? ''), use.id);
    const prompted = { only: calls.length === 1 ? (calls[0]?.id ?? null) : null, byPrompt };
    made.set(parent, prompted);
    return prompted;
  };
};

const linkByPrompt = (session: Session, strands: readonly Strand[], ledger: Ledger): void => {
  const callsByPrompt = new Map<string, UsedTool[]>();
  for (const call of session.calls) {
    const prompt = normalise(call.use.call?.prompt ?? '');
    // A call that names its agent isn't for others, even if that agent's file is elsewhere: a fork copies calls, but no agents.
    if (prompt !== '' && !ledger.claimed.has(call.use.id) && namedAgent(session, call.use) === null) group(callsByPrompt, prompt, call);
  }
  const strandsByPrompt = new Map<string, Strand[]>();
  for (const strand of strands) {
    const text = promptOf(strand);
    if (text !== null && !ledger.links.has(strand.id)) group(strandsByPrompt, normalise(text), strand);
  }
  for (const [prompt, alike] of strandsByPrompt) {
    const calls = callsByPrompt.get(prompt) ?? [];
    const only = calls[0];
    if (calls.length === 1 && alike.length === 1 && only !== undefined && alike[0] !== undefined) claim(ledger, alike[0].id, only.use.id, 'prompt');
    else tellApart(session, alike, calls, ledger);
  }
};

// Equal prompts: an inline strand comes right before its result; the rest are matched in the order of calls.
const tellApart = (session: Session, alike: readonly Strand[], calls: readonly UsedTool[], ledger: Ledger): void => {
  const candidates = new Set(calls.map(({ use }) => use.id));
  for (const strand of alike) {
    const next = strand.thread.kind === 'inline' ? answeredAfter(session, strand) : [];
    const [call, another] = next.filter((id) => candidates.has(id) && !ledger.claimed.has(id));
    if (call !== undefined && another === undefined) claim(ledger, strand.id, call, 'position');
  }
  const free = calls.filter(({ use }) => !ledger.claimed.has(use.id)).values();
  for (const strand of alike) {
    if (ledger.links.has(strand.id)) continue;
    const call = free.next();
    if (call.done !== true) claim(ledger, strand.id, call.value.use.id, 'position');
  }
};

const linkByPlace = (session: Session, strand: Strand, ledger: Ledger): void => {
  if (strand.thread.kind !== 'inline') return;
  const next = answeredAfter(session, strand).filter((id) => session.uses.get(id)?.use.call != null && !ledger.claimed.has(id));
  if (next.length === 1 && next[0] !== undefined) claim(ledger, strand.id, next[0], 'position');
};

// The tool ids answered by the record directly after a strand in its file, with no other strand between them.
const answeredAfter = (session: Session, strand: Strand): readonly string[] => {
  const last = strand.nodes.at(-1);
  if (last === undefined) return [];
  const nodes = session.main.nodes;
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const node = nodes[middle];
    if (node !== undefined && (node.file < last.file || (node.file === last.file && node.entry.place.line <= last.entry.place.line)))
      low = middle + 1;
    else high = middle;
  }
  const next = nodes[low];
  if (next === undefined || next.file !== last.file) return [];
  const between = session.inline.nodes[last.position + 1];
  if (between !== undefined && between.file === last.file && between.entry.place.line < next.entry.place.line) return [];
  return next.entry.results.map((result) => result.toolUseId);
};

const promptOf = (strand: Strand): string | null => {
  const first = strand.nodes.find((node) => node.parent === null || node.parent.thread !== node.thread) ?? strand.nodes[0];
  return first?.entry.role === 'prompt' ? first.entry.text : null;
};

const group = <K, V>(groups: Map<K, V[]>, key: K, value: V): void => {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [value]);
  else known.push(value);
};
