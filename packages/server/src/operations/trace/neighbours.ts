import {
  addCounts,
  degreesIn,
  findingNamed,
  keyOfTie,
  nodeOf,
  otherEnd,
  parseRef,
  type Board,
  type StringKind,
  type Strings,
  type Tie,
  type TieIndex,
} from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import { thingOf } from '../board/things.ts';
import { breathe } from '../request/breathing.ts';
import { gathered } from './gathered.ts';
import { stringsOfAgent, stringsOfRecord, stringsOfSession, stringsOfTarget, type Page } from './transcript-strings.ts';

export type Wish = {
  readonly kinds: ReadonlySet<StringKind> | null;
  readonly since: number;
  readonly until: number;
  /** How many strings of each thing to return. */
  readonly most: number;
  /** Only strings before this position. */
  readonly before?: number;
};

export type Sources = { readonly board: Board; readonly index: TieIndex; readonly store: Pick<Store, 'log' | 'library'>; readonly reach: Reach };

/** Whether the caller may see a thing; null if nothing is hidden. */
export type Reach = ((ref: string) => Promise<boolean>) | null;

/**
 * All strings of some things, newest first, from decided entries and from transcripts. Things are looked up in batches (TRACE-15), and reading stops
 * once nobody waits (TRACE-14).
 */
export const stringsOf = async (
  sources: Sources,
  nodes: readonly string[],
  wish: Wish,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Strings>> => {
  const together = { ...sources, store: gathered(sources.store) };
  const found = new Map<string, Strings>();
  for (let from = 0; from < nodes.length; from += AT_ONCE) {
    await breathe(signal);
    const some = nodes.slice(from, from + AT_ONCE);
    const own = await Promise.all(some.map(async (node) => filtered(await withinReach(sources, node, await allOf(together, node, wish)), wish)));
    for (const [at, node] of some.entries()) found.set(node, own[at] ?? NOTHING);
  }
  return found;
};

/** The number of things per batch. */
const AT_ONCE = 50;

/** TRACE-11: a seat limited to its sidebar learns nothing about anything else, not even how much of it there is. */
const withinReach = async ({ reach }: Sources, node: string, strings: Strings): Promise<Strings> => {
  if (reach === null) return strings;
  const ties: Tie[] = [];
  for (const tie of strings.ties) {
    if (!(await reach(otherEnd(tie, node)))) continue;
    // The sidebar that connects two agents may be out of the seat's reach.
    const isSeen = tie.note === null || !/^SB-\d+$/u.test(tie.note) || (await reach(tie.note));
    ties.push(isSeen ? tie : { ...tie, note: null });
  }
  return { ties, degrees: degreesIn(node, ties) };
};

const allOf = async ({ index, store, board }: Sources, node: string, page: Page): Promise<Strings> => {
  const parts: readonly Strings[] = [
    await stringsOfTarget(store.library, namesOfTarget(board, node), page),
    await standing(board, store.log, node, (await inTranscripts(store, node, page)) ?? NOTHING),
    { ties: index.tiesOf(node), degrees: index.degreesOf(node) },
  ];
  const ties = new Map(parts.flatMap((part) => part.ties).map((tie) => [keyOfTie(tie), tie]));
  return {
    ties: [...ties.values()].toSorted((a, b) => b.entry - a.entry),
    degrees: {
      in: parts.map(({ degrees }) => degrees.in).reduce(addCounts),
      out: parts.map(({ degrees }) => degrees.out).reduce(addCounts),
    },
  };
};

/** The names by which a thing is mentioned; a finding also has a number of its own. */
const namesOfTarget = (board: Board, node: string): readonly [string, ...string[]] => {
  const finding = node.startsWith('SCRATCH-') ? (findingNamed(board, node)?.finding.ref ?? '') : '';
  return finding === '' ? [node] : [node, finding];
};

/** A reference in prose counts only if it resolves to something. */
const standing = async (board: Board, log: Store['log'], node: string, strings: Strings): Promise<Strings> => {
  if (strings.degrees.out.mentions === undefined) return strings;
  const ties: Tie[] = [];
  for (const tie of strings.ties) {
    const to = tie.kind === 'mentions' ? await standsFor(board, log, tie.to) : tie.to;
    // TRACE-16: nothing mentions itself; all other strings stay.
    if (to !== null && (to !== node || tie.kind !== 'mentions')) ties.push({ ...tie, to });
  }
  return { ties, degrees: degreesIn(node, ties) };
};

const standsFor = async (board: Board, log: Store['log'], text: string): Promise<string | null> => {
  const read = parseRef(text);
  if (!read.ok || read.value.kind === 'file') return null;
  const ref = read.value;
  if (ref.kind === 'numbered' && (ref.type === 'MSG' || ref.type === 'EXCH'))
    return (await log.positionOfRef(ref.type, ref.number)) === null ? null : text;
  return thingOf(board, ref, 0) === null ? null : nodeOf(board, text);
};

const NOTHING: Strings = { ties: [], degrees: { in: {}, out: {} } };

/** What transcripts know about a thing; null if they don't know it. */
const inTranscripts = async ({ log, library }: Sources['store'], node: string, page: Page): Promise<Strings | null> => {
  const read = parseRef(node);
  if (read.ok) {
    const ref = read.value;
    if (ref.kind !== 'numbered' || (ref.type !== 'MSG' && ref.type !== 'EXCH')) return null;
    const position = await log.positionOfRef(ref.type, ref.number);
    const row = position === null ? null : await library.messageAt(position);
    if (row === null) return null;
    return ref.type === 'MSG' ? stringsOfRecord(library, { row, part: ref.part }) : openedBy(row.number, ref.number, row);
  }
  if (node.startsWith('agent:')) return stringsOfAgent(library, node, page);
  const session = await library.session(node);
  if (session !== null) return stringsOfSession(library, session, page);
  const at = node.lastIndexOf('@');
  const row = at === -1 ? await library.messageByUuid(node) : await library.messageByUuid(node.slice(0, at), node.slice(at + 1));
  return row === null ? null : stringsOfRecord(library, { row, part: null });
};

const openedBy = (message: number | null, exchange: number, { at, position }: Pick<Tie, 'at'> & { readonly position: number }): Strings => ({
  ties:
    message === null
      ? []
      : [{ from: `MSG-${message}`, to: `EXCH-${exchange}`, kind: 'opens', at, by: null, entry: position, how: 'derived', note: null }],
  degrees: { in: message === null ? {} : { opens: 1 }, out: {} },
});

const filtered = (strings: Strings, { kinds, since, until, most, before = Infinity }: Wish): Strings => {
  const fits = ({ kind, at, entry }: Tie): boolean => (kinds === null || kinds.has(kind)) && at >= since && at <= until && entry < before;
  const ties = strings.ties.filter(fits);
  const only = (counts: Strings['degrees']['in']): Strings['degrees']['in'] =>
    kinds === null ? counts : Object.fromEntries(Object.entries(counts).filter(([kind]) => kinds.has(kind as StringKind))); // its keys are kinds
  return { ties: ties.slice(0, most), degrees: { in: only(strings.degrees.in), out: only(strings.degrees.out) } };
};
