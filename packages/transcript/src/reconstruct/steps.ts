import { createShape, extendShape } from '../branches.ts';
import { isMessage, type Role } from '../entry.ts';
import type { Node } from '../graph.ts';
import { activePath, offPath, otherBranches, pathThrough, stretchesOffPath, type Path, type Stretch } from '../path.ts';
import type { Session } from '../session.ts';
import { takenBackIn } from './taken-back.ts';
import { sidechainsOf, type Sidechain, type SidechainOptions } from '../sidechains.ts';

/** Who speaks. In a sidechain, the caller speaks as its user, and the sub-agent under its name. */
export type Actor = { readonly kind: 'human' | 'claude' | 'agent' | 'tool' | 'system'; readonly name: string };

/** What a sidebar merged into the session. The session's records don't have it, so the caller provides it. */
export type Merged = {
  readonly uuid: string;
  readonly ref: string | null;
  readonly exchange: string | null;
  readonly sidebar: string;
  readonly text: string;
  readonly findings: readonly string[];
  readonly citations: readonly string[];
  readonly sender: string;
  readonly timestamp: string | null;
  readonly isForgotten: boolean;
  readonly position: number;
};

/** By the uuid of the record they follow. */
export type MergedBehind = ReadonlyMap<string, readonly Merged[]>;

/** A conversation step by step. `depth` is 0 in the main thread and grows by one in each sidechain. */
export type Step =
  | {
      readonly kind: 'message';
      readonly node: Node;
      readonly actor: Actor;
      readonly depth: number;
      readonly sidechain: Sidechain | null;
      /** BACK-4: whether its tool has taken it back. */
      readonly isTakenBack: boolean;
    }
  | { readonly kind: 'compaction'; readonly node: Node; readonly depth: number; readonly sidechain: Sidechain | null }
  /** The model continued with an empty context. */
  | { readonly kind: 'clearing'; readonly node: Node; readonly depth: number; readonly sidechain: Sidechain | null }
  | { readonly kind: 'merged'; readonly merged: Merged; readonly depth: number }
  /** What follows is on no branch. */
  | { readonly kind: 'apart'; readonly stretch: Stretch; readonly depth: number }
  | { readonly kind: 'enter'; readonly sidechain: Sidechain; readonly caller: Actor; readonly depth: number }
  | { readonly kind: 'leave'; readonly sidechain: Sidechain; readonly depth: number };

export const SIDECHAIN_PLACES = ['inline', 'after', 'none'] as const;
export type SidechainPlace = (typeof SIDECHAIN_PLACES)[number];

export type ReconstructOptions = SidechainOptions & {
  readonly sidechains?: SidechainPlace;
  /** A record of the branch to show; by default the active one. */
  readonly through?: Node;
  /** The id of a single sidechain to show, without the conversation around it. */
  readonly only?: string;
  /** Whether to append everything that is on no branch. */
  readonly all?: boolean;
  readonly merged?: MergedBehind;
};

export type Reconstruction = {
  readonly path: Path;
  readonly sidechains: readonly Sidechain[];
  /** Records on the path that aren't messages (attachments, progress) and have no step. */
  readonly unshown: number;
  /** What is on no branch, whether it is shown or not. */
  readonly apart: readonly Stretch[];
  readonly isAll: boolean;
  /** How much of the session its tool has taken back, and which program that is, if known. */
  readonly takenBack: { readonly messages: number; readonly by: string };
  readonly merged: MergedBehind;
  readonly steps: () => Generator<Step, void, undefined>;
};

/**
 * Presents a session as a conversation (SHOW-1 to SHOW-4). Steps refer to records, not to their content: the renderer loads one record at a time, so
 * a session of any size can be written.
 */
export const reconstruct = (session: Session, options: ReconstructOptions = {}): Reconstruction => {
  const shape = createShape();
  extendShape(shape, session);
  const path = options.through === undefined ? activePath(session, shape) : pathThrough(session, shape, options.through);
  const sidechains = sidechainsOf(session, options);
  const apart = options.only === undefined ? stretchesOffPath(shape, offPath(session, shape, path)) : [];
  return {
    path,
    sidechains,
    unshown: path.nodes.filter((node) => !isMessage(node.entry)).length,
    apart,
    isAll: options.all === true,
    takenBack: { messages: [...takenBackIn(session)].filter(({ entry }) => isMessage(entry)).length, by: session.writtenBy ?? 'Claude Code' },
    merged: options.merged ?? NOTHING_MERGED,
    steps: () => tell(session, path.nodes, options.all === true ? apart : [], sidechains, options, () => otherBranches(shape, path)),
  };
};

type Frame = { readonly nodes: readonly Node[]; readonly sidechain: Sidechain | null; readonly depth: number; at: number; due: Sidechain[] };

// An explicit stack of open conversations: agents may nest arbitrarily deep.
function* tell(
  session: Session,
  path: readonly Node[],
  apart: readonly Stretch[],
  sidechains: readonly Sidechain[],
  { sidechains: place = 'inline', only, merged: behind = NOTHING_MERGED }: ReconstructOptions,
  elsewhere: () => ReadonlySet<Node>,
): Generator<Step, void, undefined> {
  const told = new Set<Sidechain>();
  const takenBack = takenBackIn(session);
  const byCall = new Map<string, Sidechain>();
  for (const sidechain of sidechains) for (const id of sidechain.toolUseIds) if (!byCall.has(id)) byCall.set(id, sidechain);
  const byId = new Map(sidechains.map((sidechain) => [sidechain.id, sidechain]));
  const caller = (sidechain: Sidechain): Actor => callerOf(session, sidechain, (id) => byId.get(id));

  function* run(first: Frame): Generator<Step, void, undefined> {
    const open: Frame[] = [first];
    let hasTold = false;
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const next = frame.due.pop();
      if (next !== undefined) {
        if (told.has(next)) continue;
        told.add(next);
        yield { kind: 'enter', sidechain: next, caller: caller(next), depth: frame.depth + 1 };
        open.push({ nodes: next.nodes, sidechain: next, depth: frame.depth + 1, at: 0, due: [] });
        continue;
      }
      const node = frame.nodes[frame.at];
      if (node === undefined) {
        if (frame.sidechain !== null) yield { kind: 'leave', sidechain: frame.sidechain, depth: frame.depth };
        open.pop();
        continue;
      }
      frame.at += 1;
      const { sidechain, depth } = frame;
      if (hasTold && sidechain === null && node.entry.more?.isFreshStart === true) yield { kind: 'clearing', node, depth, sidechain };
      if (!isMessage(node.entry)) continue;
      hasTold = true;
      if (node.entry.role === 'boundary') yield { kind: 'compaction', node, depth, sidechain };
      else {
        const actor = actorOf(session, node, sidechain, sidechain === null ? modelOf(session) : caller(sidechain));
        yield { kind: 'message', node, actor, depth, sidechain, isTakenBack: takenBack.has(node) };
      }
      for (const merged of behind.get(node.uuid) ?? []) yield { kind: 'merged', merged, depth };
      if (place === 'inline')
        frame.due = node.entry.uses
          .map((use) => byCall.get(use.id))
          .filter((found) => found !== undefined)
          .reverse();
    }
  }

  if (only !== undefined) {
    yield* run({ nodes: [], sidechain: null, depth: 0, at: 0, due: sidechains.filter((sidechain) => sidechain.id === only) });
    return;
  }
  yield* run({ nodes: path, sidechain: null, depth: 0, at: 0, due: [] });
  for (const stretch of apart) {
    yield { kind: 'apart', stretch, depth: 0 };
    yield* run({ nodes: stretch.nodes, sidechain: null, depth: 0, at: 0, due: [] });
  }
  if (place === 'none') return;
  // Sidechains not shown so far have no place on this path: they have no call, or their call was abandoned. Other branches keep theirs.
  const kept = elsewhere();
  const isElsewhere = (sidechain: Sidechain): boolean => {
    const seen = new Set<Sidechain>();
    for (let at: Sidechain | undefined = sidechain; at !== undefined && !seen.has(at); at = byId.get(at.parentId ?? '')) {
      seen.add(at);
      if (at.calls.some((call) => kept.has(call.node))) return true;
    }
    return false;
  };
  const left = sidechains.filter((sidechain) => !told.has(sidechain) && !isElsewhere(sidechain));
  yield* run({ nodes: [], sidechain: null, depth: 0, at: 0, due: [...left].reverse() });
}

/** Who called a sub-agent: another one, or the session's main agent. */
export const callerOf = (session: Session, { parentId }: Sidechain, find: (id: string) => Sidechain | undefined): Actor => {
  const parent = parentId === null ? undefined : find(parentId);
  return parent === undefined ? modelOf(session) : { kind: 'agent', name: parent.agent };
};

/** SHOW-1: the speaker of a record; `caller` is whoever asks in its sidechain. */
export const actorOf = (session: Session, node: Node, sidechain: Sidechain | null, caller: Actor): Actor => {
  const { role, results } = node.entry;
  if (role === 'result') return { kind: 'tool', name: session.uses.get(results[0]?.toolUseId ?? '')?.use.name ?? 'tool' };
  if (role === 'reply') return sidechain === null ? modelOf(session) : { kind: 'agent', name: sidechain.agent };
  const injected = node.entry.more?.injected;
  if (injected != null) return injected.actor;
  if (TYPED.has(role)) return sidechain === null ? HUMAN : caller;
  return SYSTEM;
};

const NOTHING_MERGED: MergedBehind = new Map();
const TYPED: ReadonlySet<Role> = new Set<Role>(['prompt', 'command', 'bash', 'memory']);
const HUMAN: Actor = { kind: 'human', name: 'Human' };
const modelOf = ({ writtenBy }: Session): Actor => (writtenBy === null ? CLAUDE : { kind: 'claude', name: writtenBy });
const CLAUDE: Actor = { kind: 'claude', name: 'Claude' };
const SYSTEM: Actor = { kind: 'system', name: 'system' };
