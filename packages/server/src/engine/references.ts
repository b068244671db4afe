import { findRefs, formatRef, parseRef, type Board, type Command, type NumberedType, type RefFact } from '@yarnboard/domain';
import type { LogPort } from '@yarnboard/store';

/** ENGINE-7: the references of a command that only the log can resolve: its messages, exchanges and findings, each with its origin. */
export const lookUp = async (log: LogPort, board: Board, texts: Iterable<string>): Promise<ReadonlyMap<string, RefFact>> => {
  const wanted = new Map<string, { readonly type: NumberedType; readonly number: number }>();
  for (const text of texts) {
    const read = parseRef(text);
    if (!read.ok || read.value.kind !== 'numbered' || !ON_THE_LOG.has(read.value.type)) continue;
    const name = formatRef(read.value);
    if (wanted.size < MOST_LOOKED_UP && board.ids.get(name) === undefined) wanted.set(name, read.value);
  }
  const places = wanted.size === 0 ? [] : await log.positionsOfRefs([...wanted.values()]);
  const found = [...wanted.keys()].map((name, at) => ({ name, position: places[at] ?? null }));
  const positions = [...new Set(found.flatMap(({ position }) => position ?? []))];
  const contexts = new Map((positions.length === 0 ? [] : await log.entriesAt(positions)).map(({ position, contextId }) => [position, contextId]));
  return new Map(
    found.flatMap(({ name, position }) => {
      const contextId = position === null ? undefined : contexts.get(position);
      return position === null || contextId === undefined ? [] : [[name, { contextId, position }] as const];
    }),
  );
};

/** The references in a command: its reference fields, and those in its text. */
export const refsIn = (command: Command): readonly string[] => [
  ...leavesOf(command).filter((text) => text.trim().length <= LONGEST_REF),
  ...(command.type === 'chat.say' ? findRefs(command.content).map(({ ref }) => formatRef(ref)) : []),
];

const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
};

const ON_THE_LOG: ReadonlySet<string> = new Set<NumberedType>(['MSG', 'EXCH', 'FRAG']);
const LONGEST_REF = 64;
// A decider takes at most 200; text may contain any number, and each is looked up.
const MOST_LOOKED_UP = 500;
