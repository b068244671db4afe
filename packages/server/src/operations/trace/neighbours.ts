import { addCounts, keyOfTie, parseRef, type Board, type StringKind, type Strings, type Tie, type TieIndex } from '@yarnboard/domain';
import type { Store } from '@yarnboard/store';
import { stringsOfAgent, stringsOfRecord, stringsOfSession } from './transcript-strings.ts';

export type Wish = {
  readonly kinds: ReadonlySet<StringKind> | null;
  readonly since: number;
  readonly until: number;
  /** How many strings of one thing are looked at. */
  readonly most: number;
};

export type Sources = { readonly board: Board; readonly index: TieIndex; readonly store: Pick<Store, 'log' | 'library'> };

/** All strings of some things, the newest first: those of decided entries and those of transcripts. */
export const stringsOf = async (sources: Sources, nodes: readonly string[], wish: Wish): Promise<ReadonlyMap<string, Strings>> => {
  const found = new Map<string, Strings>();
  for (const node of nodes) found.set(node, filtered(await allOf(sources, node, wish.most), wish));
  return found;
};

const allOf = async ({ index, store }: Sources, node: string, most: number): Promise<Strings> => {
  const decided: Strings = { ties: index.tiesOf(node), degrees: index.degreesOf(node) };
  const told = await inTranscripts(store, node, most);
  if (told === null) return decided;
  const ties = new Map([...told.ties, ...decided.ties].map((tie) => [keyOfTie(tie), tie]));
  return {
    ties: [...ties.values()].toSorted((a, b) => b.entry - a.entry),
    degrees: { in: addCounts(told.degrees.in, decided.degrees.in), out: addCounts(told.degrees.out, decided.degrees.out) },
  };
};

/** What transcripts tell of a thing; null where it is nothing of theirs. */
const inTranscripts = async ({ log, library }: Sources['store'], node: string, most: number): Promise<Strings | null> => {
  const read = parseRef(node);
  if (read.ok) {
    const ref = read.value;
    if (ref.kind !== 'numbered' || (ref.type !== 'MSG' && ref.type !== 'EXCH')) return null;
    const position = await log.positionOfRef(ref.type, ref.number);
    const row = position === null ? null : await library.messageAt(position);
    if (row === null) return null;
    return ref.type === 'MSG' ? stringsOfRecord(library, { row, part: ref.part }) : openedBy(row.number, ref.number, row);
  }
  if (node.startsWith('agent:')) return stringsOfAgent(library, node, most);
  const session = await library.session(node);
  if (session !== null) return stringsOfSession(library, session, most);
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

const filtered = (strings: Strings, { kinds, since, until, most }: Wish): Strings => {
  const fits = ({ kind, at }: Tie): boolean => (kinds === null || kinds.has(kind)) && at >= since && at <= until;
  const ties = strings.ties.filter(fits);
  const only = (counts: Strings['degrees']['in']): Strings['degrees']['in'] =>
    kinds === null ? counts : Object.fromEntries(Object.entries(counts).filter(([kind]) => kinds.has(kind as StringKind))); // the keys of its type
  return { ties: ties.slice(0, most), degrees: { in: only(strings.degrees.in), out: only(strings.degrees.out) } };
};
