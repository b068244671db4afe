import type { Node, Thread } from './graph.ts';
import { normalise } from './prompts.ts';
import type { Session } from './session.ts';

/** A sub-agent's conversation before its caller is known. */
export type Strand = {
  /** The agent's id; if none was written, the uuid of its first record. */
  readonly id: string;
  readonly thread: Thread;
  readonly nodes: readonly Node[];
  /** The parent strand of an inline record, by the seed's nesting. */
  readonly outer: string | null;
  readonly nestingLevel: number | null;
};

/** All sub-agent conversations of a session, in order of their first record's time. */
export const strandsOf = (session: Session): readonly Strand[] => {
  const strands: Strand[] = [...groupInline(session)];
  for (const [agentId, thread] of session.agents) {
    const nestingLevel = thread.nodes[0]?.entry.more?.nestingLevel ?? null;
    if (thread.nodes.length > 0) strands.push({ id: agentId, thread, nodes: thread.nodes, outer: null, nestingLevel });
  }
  for (const [agentId, thread] of session.told) strands.push({ id: agentId, thread, nodes: thread.nodes, outer: null, nestingLevel: null });
  return strands.sort((a, b) => beginningOf(a) - beginningOf(b) || (a.nodes[0]?.index ?? 0) - (b.nodes[0]?.index ?? 0));
};

// Files of parallel agents may begin with a record that isn't the earliest.
const beginningOf = (strand: Strand): number => {
  let first = Number.MAX_SAFE_INTEGER;
  for (const node of strand.nodes) if (node.entry.at < first) first = node.entry.at;
  return first;
};

/**
 * Sorts the sidechain records of a main file into conversations (SIDE-2). A record continues the strand of its parent; one without a parent, or below
 * a record of the main thread, begins a strand; one that doesn't say, or whose parent is missing, continues the line before it.
 */
const groupInline = (session: Session): readonly Strand[] => {
  const drafts: Draft[] = [];
  const draftOf = new Map<Node, Draft>();
  const promptsOf = calledPrompts();
  for (const node of session.inline.nodes) {
    const above: Node[] = [];
    for (let at: Node | null = node; at !== null && at.thread.kind === 'inline' && !draftOf.has(at); at = at.parent) above.push(at);
    for (let next = above.pop(); next !== undefined; next = above.pop()) {
      const draft = place(session, next, draftOf, promptsOf);
      if (draft.nodes.length === 0) drafts.push(draft);
      draft.nodes.push(next);
      draftOf.set(next, draft);
    }
  }
  const id = (draft: Draft): string => draft.nodes[0]?.uuid ?? '';
  return drafts.map((draft) => ({
    id: id(draft),
    thread: session.inline,
    nodes: draft.nodes.sort((a, b) => a.position - b.position),
    outer: draft.outer === null ? null : id(draft.outer),
    nestingLevel: draft.level,
  }));
};

type Draft = { readonly nodes: Node[]; readonly outer: Draft | null; readonly level: number | null };

const place = (session: Session, node: Node, draftOf: ReadonlyMap<Node, Draft>, promptsOf: (node: Node) => ReadonlySet<string>): Draft => {
  const level = node.entry.more?.nestingLevel ?? null;
  const { parent } = node;
  if (parent !== null && parent.thread.kind === 'inline') {
    const draft = draftOf.get(parent);
    if (draft !== undefined && !beginsNested(node, level, draft, () => promptsOf(parent))) return draft;
    return { nodes: [], outer: draft ?? null, level };
  }
  const isLoose = node.entry.parentUuid === undefined || (typeof node.entry.parentUuid === 'string' && parent === null);
  const before = isLoose ? session.inline.nodes[node.position - 1] : undefined;
  const draft = before !== undefined && isNextLine(before, node) ? draftOf.get(before) : undefined;
  return draft ?? { nodes: [], outer: null, level };
};

const beginsNested = (node: Node, level: number | null, draft: Draft, called: () => ReadonlySet<string>): boolean => {
  if (level !== null && level > (draft.level ?? 1)) return true;
  const text = node.entry.role === 'prompt' ? node.entry.text : null;
  return text !== null && called().has(normalise(text));
};

// The prompts with which a record calls agents; computed once per record, which may have thousands.
const calledPrompts = (): ((node: Node) => ReadonlySet<string>) => {
  const made = new Map<Node, ReadonlySet<string>>();
  return (node) => {
    const known = made.get(node);
    if (known !== undefined) return known;
    const prompts = new Set(node.entry.uses.flatMap((use) => (use.call === null ? [] : [normalise(use.call.prompt)])));
    made.set(node, prompts);
    return prompts;
  };
};

const isNextLine = (before: Node, node: Node): boolean => before.file === node.file && before.entry.place.line + 1 >= node.entry.place.line;
