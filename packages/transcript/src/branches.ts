import { isConversation, isMessage } from './entry.ts';
import { fingerprintAll } from './fingerprints.ts';
import { rootOf, unite } from './forest.ts';
import type { Node, Thread } from './graph.ts';
import type { Session } from './session.ts';

/**
 * A record of a thread as the conversation is read: `up` is its parent for a reader. It is the record's own parent if that is known; a compaction
 * continues its logical parent or, failing that, the record the file order suggests; an orphan continues the record before it (DAG-9, DAG-10).
 */
export type Spot = {
  readonly node: Node;
  up: Spot | null;
  firstDown: Spot | null;
  lastDown: Spot | null;
  nextDown: Spot | null;
  /** The API message that continues here: a reply's own, or the one that these results and attachments belong to. */
  message: string | null;
  /** The nearest prompt, reply or result here or above. */
  talk: Spot | null;
  isJudged: boolean;
  /** Said earlier under another uuid. */
  isReplay: boolean;
  /** A tool use here, or in the rest of its message below, has a result. */
  isAnswered: boolean;
  /** Leads to something that makes a branch, through records that don't count themselves. */
  carries: boolean;
  /** How many children carry: two or more make a branch point. */
  forks: number;
  /** Another block of its own API message follows here. */
  hasRest: boolean;
  tree: Spot | null;
};

/**
 * The shape of one thread, derived from that thread's records alone: records of other threads with the same ids don't change it. It grows with its
 * session; only a parent that arrives after its child makes it start over.
 */
export type Shape = {
  /** The beginning of a part is missing: a record there continues the one it names and no other. */
  readonly isPart: boolean;
  readonly spots: Spot[];
  readonly points: Set<Spot>;
  /** First record of each API message. */
  readonly replies: Map<string, Spot>;
  /** The last block of each message whose blocks have been joined. */
  readonly lastBlocks: Map<string, Spot>;
  /** Position of the first prompt; infinite until there is one. */
  firstPrompt: number;
  /** First record of each prompt, to recognize history replayed under new uuids. */
  readonly prompts: Map<number | string, Spot>;
  /** The result that counts for each tool id: a later answer replaces a stub or an interruption. */
  readonly answers: Map<string, Spot>;
  /** Tool ids whose result has been processed: a use may come after its result. */
  readonly answered: Set<string>;
  /** Whether only teammates speak in it, as in a file of their own. */
  isOfTeam: boolean;
  /** How often another child created or joined a branch point. */
  forked: number;
  /** How many of the session's adoptions it has processed. */
  adoptions: number;
};

export const createShape = (isPart = false): Shape => ({
  isPart,
  spots: [],
  points: new Set(),
  replies: new Map(),
  lastBlocks: new Map(),
  firstPrompt: Number.POSITIVE_INFINITY,
  prompts: new Map(),
  answers: new Map(),
  answered: new Set(),
  isOfTeam: true,
  forked: 0,
  adoptions: 0,
});

/** Updates the shape from a thread of its session, at a cost proportional to what is new. */
export const extendShape = (shape: Shape, session: Session, thread: Thread = session.main): void => {
  // If a record was placed without its parent and has one now, what follows changes: the shape starts over. A record that wasn't placed yet, since
  // its parent came along with it, changes nothing.
  let isStale = false;
  for (; shape.adoptions < thread.adopted.length; shape.adoptions += 1) {
    if ((thread.adopted[shape.adoptions] ?? 0) < shape.spots.length) isStale = true;
  }
  if (isStale) {
    shape.spots.length = 0;
    for (const known of [shape.points, shape.replies, shape.lastBlocks, shape.prompts, shape.answers, shape.answered]) known.clear();
    shape.forked = 0;
    shape.isOfTeam = true;
    shape.firstPrompt = Number.POSITIVE_INFINITY;
  }
  const { nodes } = thread;
  const from = shape.spots.length;
  for (let i = from; i < nodes.length; i += 1) {
    const node = nodes[i];
    if (node !== undefined) shape.spots.push(enter(shape, node));
  }
  for (let i = from; i < shape.spots.length; i += 1) joinByParent(shape, i);
  for (let i = from; i < shape.spots.length; i += 1) joinByOrder(shape, session, i);
  for (let i = from; i < shape.spots.length; i += 1) judgeFromAbove(shape, session, i);
};

/** Equal for a prompt and its replay: same time, same words. A number, since there are many: 53 bits of both. */
export const promptKey = ({ entry, uuid }: Node): number | string => {
  if (!Number.isFinite(entry.at)) return uuid;
  const [words = 0, more = 0] = fingerprintAll([`${entry.at}|${entry.text ?? ''}`]);
  return words * 2 ** 21 + (more >>> 11);
};

/** Whether two spots have the same root. */
export const inOneTree = (a: Spot, b: Spot): boolean => rootOf(a) === rootOf(b);

export type Branch = { readonly parent: Node; readonly children: readonly { readonly node: Node; readonly spot: Spot }[] };

/** All branch points in order of the file, each with the children that make it one. */
export const branchesOf = (shape: Shape): readonly Branch[] =>
  [...shape.points]
    .sort((a, b) => a.node.position - b.node.position)
    .map((point) => ({
      parent: point.node,
      children: waysFrom(point).map((spot) => ({ node: spot.node, spot })),
    }));

/** The children that continue a conversation from a spot, in order of the file: two or more make it a branch point. */
export const waysFrom = (spot: Spot): readonly Spot[] => downs(spot).filter((down) => down.carries);

/** The records that continue here, in order of the file. */
export const downs = (spot: Spot): Spot[] => {
  const children: Spot[] = [];
  for (let down = spot.firstDown; down !== null; down = down.nextDown) children.push(down);
  return children.sort((a, b) => a.node.position - b.node.position);
};

/** For every position of the main thread, the number of messages there and below. Iterative: transcripts may be deeper than any stack. */
export const messagesBelow = (shape: Shape): Uint32Array => {
  const counts = new Uint32Array(shape.spots.length);
  const parentsFirst: Spot[] = [];
  for (const top of shape.spots) if (top.up === null) visitBelow(top, (spot) => parentsFirst.push(spot) > 0);
  for (const { node, up } of parentsFirst.reverse()) {
    const count = (counts[node.position] ?? 0) + (isMessage(node.entry) ? 1 : 0);
    counts[node.position] = count;
    if (up !== null) counts[up.node.position] = (counts[up.node.position] ?? 0) + count;
  }
  return counts;
};

/** Visits a spot and everything below it, parents first; `enter` decides whether to go further down. */
export const visitBelow = (top: Spot, enter: (spot: Spot) => boolean): void => {
  const stack = [top];
  for (let spot = stack.pop(); spot !== undefined; spot = stack.pop()) {
    if (!enter(spot)) continue;
    for (let down = spot.firstDown; down !== null; down = down.nextDown) stack.push(down);
  }
};

const spotOf = (node: Node): Spot => ({
  node,
  up: null,
  firstDown: null,
  lastDown: null,
  nextDown: null,
  message: null,
  talk: null,
  isJudged: false,
  isReplay: false,
  isAnswered: false,
  carries: false,
  forks: 0,
  hasRest: false,
  tree: null,
});

const enter = (shape: Shape, node: Node): Spot => {
  const { entry } = node;
  const spot = spotOf(node);
  if (isConversation(entry.role) && entry.more?.isOfTeam !== true) shape.isOfTeam = false;
  if (entry.role === 'reply' && entry.messageId !== null && !shape.replies.has(entry.messageId)) shape.replies.set(entry.messageId, spot);
  if (entry.role === 'prompt') {
    const key = promptKey(node);
    if (!shape.prompts.has(key)) shape.prompts.set(key, spot);
    shape.firstPrompt = Math.min(shape.firstPrompt, node.position);
  }
  for (const { toolUseId, answer } of entry.results) {
    // A result that names no use must not pair with a use without an id.
    if (toolUseId === '') continue;
    const known = shape.answers.get(toolUseId);
    if (known === undefined || (answer === 'answer' && !isAnswer(known, toolUseId))) shape.answers.set(toolUseId, spot);
  }
  return spot;
};

const isAnswer = ({ node }: Spot, id: string): boolean => node.entry.results.some(({ toolUseId, answer }) => toolUseId === id && answer === 'answer');

const joinByParent = (shape: Shape, i: number): void => {
  const spot = shape.spots[i];
  const up = spot === undefined ? undefined : parentOf(shape, spot);
  // The file order determines which block follows another first, however much of the file is read at once.
  if (spot !== undefined && up !== undefined && !isRestOf(up, spot)) join(up, spot);
};

const parentOf = (shape: Shape, { node: { parent, thread } }: Spot): Spot | undefined =>
  parent?.thread === thread ? shape.spots[parent.position] : undefined;

const isRestOf = (up: Spot, { node: { entry } }: Spot): boolean =>
  entry.role === 'reply' && entry.messageId !== null && up.node.entry.role === 'reply' && up.node.entry.messageId === entry.messageId;

// In order of the file, so that each block finds the one before it.
const joinByOrder = (shape: Shape, session: Session, i: number): void => {
  const spot = shape.spots[i];
  if (spot === undefined) return;
  const parent = parentOf(shape, spot);
  if (parent !== undefined && isRestOf(parent, spot) && !parent.hasRest) join(parent, spot);
  if (spot.up === null) joinLoose(shape, session, spot, i);
  const { role, messageId } = spot.node.entry;
  if (role === 'reply' && messageId !== null) shape.lastBlocks.set(messageId, spot);
};

const joinLoose = (shape: Shape, session: Session, spot: Spot, i: number): void => {
  const { entry, thread } = spot.node;
  if (entry.role === 'boundary' && entry.logicalParentUuid !== null) {
    const logical = session.graph.nodes.get(entry.logicalParentUuid);
    const up = logical?.thread === thread && logical.position < i ? shape.spots[logical.position] : undefined;
    if (up !== undefined && join(up, spot)) return;
  }
  if (entry.role === 'reply' && entry.messageId !== null) {
    // BRANCH-7: a block whose parent is missing, or has been continued by another block, continues the block before it. Some versions repeated a
    // reply as a new root when the session was resumed: that root stays beside what it repeats.
    const isRoot = entry.parentUuid === null;
    const earlier = isRoot ? shape.replies.get(entry.messageId) : shape.lastBlocks.get(entry.messageId);
    if (!(isRoot && shape.isPart) && earlier !== undefined && earlier.node.position < i && join(earlier, spot)) return;
  }
  const parent = parentOf(shape, spot);
  if (parent !== undefined && join(parent, spot)) return;
  if (shape.isPart) return;
  const before = shape.spots[i - 1];
  if (before !== undefined && goesOn(shape, before, spot)) join(before, spot);
};

/**
 * DAG-9, DAG-10, DAG-12: whether a record without a known parent continues the record before it. A compaction, a summary and an orphan do. So does a
 * root where the model got a fresh context in the same file, and so does anything beside the conversation. A second prompt without a parent doesn't:
 * it is the first prompt, edited.
 */
const goesOn = (shape: Shape, before: Spot, { node }: Spot): boolean => {
  const { role, parentUuid, at, more } = node.entry;
  if (role === 'boundary' || role === 'summary' || typeof parentUuid === 'string') return true;
  // Rewritten history keeps its times: it must not appear twice.
  if (parentUuid === undefined || before.node.file !== node.file || at < before.node.entry.at) return false;
  if (more?.isFreshStart === true || !(shape.firstPrompt < node.position)) return true;
  return !isConversation(role) && role !== 'synthetic';
};

// False if it would close a cycle: earlier records may be below later ones.
const join = (up: Spot, down: Spot): boolean => {
  if (!unite(up, down)) return false;
  down.up = up;
  if (isRestOf(up, down)) up.hasRest = true;
  if (up.lastDown === null) up.firstDown = down;
  else up.lastDown.nextDown = down;
  up.lastDown = down;
  return true;
};

// A spot depends on what is above it, and a parent may come later in the file than its child.
const judgeFromAbove = (shape: Shape, session: Session, i: number): void => {
  const unjudged: Spot[] = [];
  for (let at = shape.spots[i] ?? null; at !== null && !at.isJudged; at = at.up) unjudged.push(at);
  for (let spot = unjudged.pop(); spot !== undefined; spot = unjudged.pop()) judge(shape, session, spot);
};

const judge = (shape: Shape, session: Session, spot: Spot): void => {
  spot.isJudged = true;
  const { entry } = spot.node;
  spot.message = entry.role === 'reply' ? entry.messageId : entry.role === 'prompt' ? null : (spot.up?.message ?? null);
  spot.talk = isConversation(entry.role) ? spot : (spot.up?.talk ?? null);
  spot.isReplay = isReplay(shape, spot);
  // Only processed results count, never what the session knows beyond them: the shape must not depend on when it was extended (PATH-5).
  if (entry.uses.some((use) => shape.answered.has(use.id))) markAnswered(shape, spot);
  for (const result of entry.results) {
    if (result.toolUseId === '') continue;
    shape.answered.add(result.toolUseId);
    const use = session.uses.get(result.toolUseId)?.node;
    const used = use?.thread === spot.node.thread ? shape.spots[use.position] : undefined;
    if (used?.isJudged === true) markAnswered(shape, used);
  }
  // BRANCH-4: a tool use doesn't count until it has a result or the conversation continues below it.
  if (opensBranch(shape, spot) && (entry.uses.length === 0 || spot.isAnswered)) open(shape, spot);
};

const isReplay = (shape: Shape, spot: Spot): boolean => {
  const { entry } = spot.node;
  if (entry.role === 'prompt') return shape.prompts.get(promptKey(spot.node)) !== spot;
  if (entry.role === 'result') return spot.up?.isReplay === true;
  if (entry.role !== 'reply' || entry.messageId === null || shape.replies.get(entry.messageId) === spot) return false;
  return spot.up === null || spot.up.message !== entry.messageId || spot.up.isReplay;
};

/** BRANCH-1: a typed prompt, or a reply with a new message id. The rest of the parent's own message joins them once it is answered. */
const opensBranch = (shape: Shape, spot: Spot): boolean => {
  const { entry } = spot.node;
  if (spot.isReplay) return false;
  if (entry.role === 'prompt') return true;
  return entry.role === 'reply' && (entry.messageId === null || shape.replies.get(entry.messageId) === spot);
};

const markAnswered = (shape: Shape, used: Spot): void => {
  let at: Spot | null = used;
  while (at !== null && !at.isAnswered && at.message === used.message && isConversation(at.node.entry.role)) {
    at.isAnswered = true;
    const up: Spot | null = at.up;
    const isRest = at.node.entry.role === 'reply' && up?.node.entry.role === 'reply' && up.message === at.message && !at.isReplay;
    if (isRest || opensBranch(shape, at)) open(shape, at);
    at = up;
  }
};

// A tool use without a result isn't abandoned after all if the conversation continues from it.
const open = (shape: Shape, from: Spot): void => {
  let at: Spot | null = from;
  while (at !== null) {
    carry(shape, at);
    const above: Spot | null = at.up?.talk ?? null;
    at = above !== null && !above.carries && opensBranch(shape, above) ? above : null;
  }
};

const carry = (shape: Shape, from: Spot): void => {
  let at: Spot | null = from;
  while (at !== null && !at.carries) {
    at.carries = true;
    const up: Spot | null = at.up;
    if (up === null) return;
    up.forks += 1;
    if (up.forks === 2) shape.points.add(up);
    if (up.forks >= 2) shape.forked += 1;
    at = WALKED_THROUGH.has(up.node.entry.role) ? up : null;
  }
};

const WALKED_THROUGH: ReadonlySet<string> = new Set(['attachment', 'progress', 'system']);
