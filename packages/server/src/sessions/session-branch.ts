import { setImmediate } from 'node:timers/promises';
import { readingOf, type MessageRow, type Store } from '@yarnboard/store';
import { isConversation, type Entry as Reading } from '@yarnboard/transcript';

/** Which messages of a session lead to one of them, as far as the log had them at a position. */
export type BranchPlace = { readonly sessionId: string; readonly leafUuid: string | null; readonly upTo: number };

/** Where the messages of a branch stand, the oldest first, and for each the exchange it belongs to. */
export type Branch = { readonly positions: readonly number[]; readonly exchanges: readonly (string | null)[] };

/** Branches by their place. Since nothing behind `upTo` counts, one that was walked once is the same for ever. */
export type Branches = (place: BranchPlace) => Promise<Branch>;

export const createBranches = (store: Pick<Store, 'log' | 'library'>): Branches => {
  const kept = new Map<string, Promise<Branch>>();
  return ({ sessionId, leafUuid, upTo }) => {
    const key = JSON.stringify([sessionId, leafUuid, upTo]);
    const branch = kept.get(key) ?? walk(store, { sessionId, leafUuid, upTo });
    kept.delete(key);
    kept.set(key, branch);
    branch.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return branch;
  };
};

type Step = Pick<MessageRow, 'position' | 'uuid' | 'parentUuid' | 'role' | 'type' | 'exchange' | 'copyOf'>;

const walk = async (store: Pick<Store, 'log' | 'library'>, place: BranchPlace): Promise<Branch> => {
  const agentId = await agentOf(store, place);
  const steps = await stepsOf(store, place, agentId);
  const places = new Map<string, number>();
  // A record that was written twice is one message, the first.
  for (const [i, { uuid }] of steps.entries()) if (!places.has(uuid)) places.set(uuid, i);
  const read = readerOf(store, steps);
  const on = new Set<number>();
  const below = new Map<number, number>();
  const leaf = place.leafUuid === null ? undefined : places.get(place.leafUuid);
  for (let at = leaf ?? newest(steps); at !== null && !on.has(at);) {
    on.add(at);
    const up: number | null = await above(steps, places, at, read);
    if (up !== null) below.set(up, at);
    at = up;
  }
  // What came after the message that somebody branched off from, while the session went on, is no past of it.
  const isTip = leaf === undefined || !steps.some(({ role }, i) => i > leaf && isConversation(role));
  const past: BranchPlace = { ...place, upTo: isTip ? place.upTo : (steps[leaf]?.position ?? place.upTo) };
  await bringRest(store, past, { steps, places, on, below, read });
  await bringResults(store, past, steps, on);
  const messages = [...on].sort((a, b) => a - b).flatMap((i) => steps[i] ?? []);
  const merged = agentId === null ? await mergedInto(store, past, messages[0]?.position ?? 0) : [];
  return numbered(
    store,
    [...messages.filter(({ type }) => MESSAGE_TYPES.has(type)), ...merged].sort((a, b) => a.position - b.position),
  );
};

/** The sub-agent whose conversation the last message belongs to; null for the main thread. */
const agentOf = async ({ library }: Pick<Store, 'library'>, { sessionId, leafUuid }: BranchPlace): Promise<string | null> =>
  leafUuid === null ? null : ((await library.messageByUuid(leafUuid, sessionId))?.agentId ?? null);

/** The thread up to the position. */
const stepsOf = async ({ library }: Pick<Store, 'library'>, { sessionId, upTo }: BranchPlace, agentId: string | null): Promise<readonly Step[]> => {
  const thread = agentId === null ? ({ kind: 'main' } as const) : ({ kind: 'agent', agentId } as const);
  const steps: Step[] = [];
  for (let from = 0; ;) {
    const rows = await library.messages({ sessionId, thread, from, limit: PAGE });
    for (const { position, uuid, parentUuid, role, type, exchange, copyOf } of rows) {
      if (position <= upTo) steps.push({ position, uuid, parentUuid, role, type, exchange, copyOf });
    }
    const last = rows.at(-1)?.position ?? upTo;
    if (rows.length < PAGE || last >= upTo) return steps;
    from = last + 1;
    await setImmediate(); // others are served meanwhile
  }
};

type Read = (index: number) => Promise<Reading | null>;

const readerOf =
  ({ log }: Pick<Store, 'log'>, steps: readonly Step[]): Read =>
  async (index) => {
    const entry = await log.entryAt(steps[index]?.position ?? 0);
    return entry === null ? null : readingOf(entry, (await log.payloadsOf([entry.position])).get(entry.position) ?? null);
  };

const newest = (steps: readonly Step[]): number | null => {
  const found = steps.findLastIndex(({ role }) => isConversation(role));
  return found < 0 ? null : found;
};

/** What a reader of history sees before a record: its parent; before a compaction where that says, or what stands in front of it (DAG-9, DAG-10). */
const above = async (steps: readonly Step[], places: ReadonlyMap<string, number>, at: number, read: Read): Promise<number | null> => {
  const step = steps[at];
  if (step === undefined) return null;
  const parent = step.parentUuid === null ? undefined : places.get(step.parentUuid);
  if (parent !== undefined) return parent;
  if (step.role === 'boundary') {
    const logical = places.get((await read(at))?.logicalParentUuid ?? '');
    if (logical !== undefined && logical < at) return logical;
  }
  if (step.role === 'reply') {
    const earlier = await writtenBefore(steps, at, read);
    if (earlier !== null) return earlier;
  }
  const continues = step.role === 'boundary' || step.role === 'summary' || step.parentUuid !== null;
  return continues && at > 0 ? at - 1 : null;
};

/** Some versions wrote a reply again as a new root when the session went on. */
const writtenBefore = async (steps: readonly Step[], at: number, read: Read): Promise<number | null> => {
  const messageId = (await read(at))?.messageId ?? null;
  if (messageId === null) return null;
  for (let i = at - 1, looked = 0; i >= 0 && looked < MOST_LOOKED_AT; i -= 1) {
    if (steps[i]?.role !== 'reply') continue;
    looked += 1;
    if ((await read(i))?.messageId === messageId) return i;
  }
  return null;
};

type Walked = {
  readonly steps: readonly Step[];
  readonly places: ReadonlyMap<string, number>;
  readonly on: Set<number>;
  /** Where the conversation went on from a record. */
  readonly below: ReadonlyMap<number, number>;
  readonly read: Read;
};

/** The other blocks of a reply are records of their own below it, which nothing need go on from. */
const bringRest = async (store: Pick<Store, 'library'>, place: BranchPlace, walked: Walked): Promise<void> => {
  const { steps, places, on, read } = walked;
  for (const [i, { uuid, role, parentUuid, position }] of steps.entries()) {
    const isLeftOut = role === 'reply' && !on.has(i) && places.get(uuid) === i && position <= place.upTo;
    const parent = !isLeftOut || parentUuid === null ? undefined : places.get(parentUuid);
    if (parent === undefined || !on.has(parent) || steps[parent]?.role !== 'reply') continue;
    const messageId = (await read(i))?.messageId ?? null;
    if (messageId === null || (await read(parent))?.messageId !== messageId) continue;
    // BRANCH-1: somebody asked something else instead of what this led to, and it was answered: that is another branch.
    if ((await isLeft(walked, parent, messageId)) && (await isAnswered(store, place, position))) continue;
    on.add(i);
  }
};

const isLeft = async ({ steps, below, read }: Walked, from: number, messageId: string): Promise<boolean> => {
  let next = below.get(from);
  for (; next !== undefined && !isConversation(steps[next]?.role ?? 'state');) next = below.get(next);
  if (next === undefined || steps[next]?.role === 'result') return false;
  return steps[next]?.role === 'prompt' || (await read(next))?.messageId !== messageId;
};

const isAnswered = async ({ library }: Pick<Store, 'library'>, { sessionId, upTo }: BranchPlace, position: number): Promise<boolean> =>
  (await library.operationsAt(sessionId, [position])).some((operation) => operation.kind === 'result' && operation.position <= upTo);

/** Results of tools that were used side by side: the conversation goes on from one of them only. */
const bringResults = async (
  { library }: Pick<Store, 'library'>,
  { sessionId, upTo }: BranchPlace,
  steps: readonly Step[],
  on: Set<number>,
): Promise<void> => {
  const indices = new Map(steps.map(({ position }, i) => [position, i]));
  const isOn = (position: number): boolean => on.has(indices.get(position) ?? -1);
  for (let from = 0; ;) {
    const page = await library.operations(sessionId, from, PAGE);
    for (const { use, result } of page) {
      if (use === null || !isOn(use.position) || (result !== null && isOn(result.position))) continue;
      const all = await library.operationsAt(sessionId, [use.position]);
      const answers = all.filter(({ kind, toolUseId, position }) => kind === 'result' && toolUseId === use.toolUseId && position <= upTo);
      // Which of several counts is seen later; the first one is there for good.
      const [first] = answers.map(({ position }) => position).sort((a, b) => a - b);
      const index = indices.get(first ?? -1);
      if (index !== undefined && !answers.some(({ position }) => isOn(position))) on.add(index);
    }
    const last = page.at(-1)?.use?.position;
    if (page.length < PAGE || last === undefined || last > upTo) return;
    from = last === from ? last + 1 : last;
    await setImmediate();
  }
};

/** What sidebars brought back into the session. */
const mergedInto = async ({ log }: Pick<Store, 'log'>, { sessionId, upTo }: BranchPlace, after: number): Promise<readonly Step[]> => {
  const positions = (await log.positionsOfType('memory.merged', after)).filter((position) => position <= upTo);
  const found: Step[] = [];
  for (let from = 0; from < positions.length; from += PAGE) {
    for (const { position, uuid, contextId, type, refs } of await log.entriesAt(positions.slice(from, from + PAGE))) {
      const exchange = Number(refs.find((ref) => ref.startsWith('EXCH-'))?.slice('EXCH-'.length) ?? 0);
      if (contextId === sessionId) found.push({ position, uuid, parentUuid: null, role: 'prompt', type, exchange, copyOf: null });
    }
  }
  return found;
};

const numbered = async ({ library }: Pick<Store, 'library'>, steps: readonly Step[]): Promise<Branch> => {
  const exchanges: (string | null)[] = [];
  let current: string | null = null;
  for (const { role, type, exchange, copyOf } of steps) {
    // A copy is called what its original is called.
    const number: number | null = role === 'prompt' && copyOf !== null ? ((await library.messageAt(copyOf))?.exchange ?? null) : exchange;
    const own: string | null = number === null ? null : `EXCH-${number}`;
    exchanges.push(own ?? current);
    // What was merged is an exchange of its own: the conversation around it goes on as before.
    if (own !== null && type !== 'memory.merged') current = own;
  }
  return { positions: steps.map(({ position }) => position), exchanges };
};

// Records of these types are messages: a copy has no number to tell it by.
const MESSAGE_TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'human', 'tool_result', 'compact_prelude', 'compact_recap']);
const PAGE = 1000;
const MOST_KEPT = 32;
const MOST_LOOKED_AT = 2000;
