import type { Claim, Statement } from './claim.ts';
import { valueConflict, type Contradiction } from './contradiction.ts';
import type { Match } from './matching.ts';
import { isWeak } from '../text/lexicon/finding-words.ts';

export const orderConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  const opposite = a.time.orders.some(({ order, of }) =>
    b.time.orders.some(
      (other) => other.of.some((word) => of.includes(word)) && order !== other.order && order !== 'during' && other.order !== 'during',
    ),
  );
  const within = new Set([...a.time.orders, ...b.time.orders].flatMap(({ of }) => of));
  if (![...match.shared.keys()].some((name) => !within.has(name) && !isWeak(name))) return null;
  const turned = [...match.shared].some(([nameA, nameB]) => a.names.get(nameA)?.denied !== b.names.get(nameB)?.denied);
  return opposite && !turned
    ? { kind: 'negation', subject: match.subject, description: `both are about "${match.subject}": one says before, the other after` }
    : null;
};
/** "A after B" versus "B after A". */
export const swapConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  for (const word of ['before', 'after', 'first']) {
    const [atA, atB] = [a.words.indexOf(word), b.words.indexOf(word)];
    if (atA < 1 || atB < 1) continue;
    const [sideA, sideB] = [sidesOf(a, atA, match), sidesOf(b, atB, match)];
    if (
      sideA.front.some((name) => sideB.back.includes(name)) &&
      sideA.back.some((name) => sideB.front.includes(name)) &&
      !sideA.front.some((name) => sideB.front.includes(name))
    )
      return { kind: 'negation', subject: match.subject, description: `both are about "${match.subject}": the orders differ` };
  }
  return null;
};
const sidesOf = (statement: Statement, at: number, match: Match): { readonly front: readonly string[]; readonly back: readonly string[] } => {
  const names = statement.unique.filter((term) => !term.inherited && match.shared.has(term.name) && !isWeak(term.name));
  return {
    front: names.filter((term) => term.at < at).map((term) => term.name),
    back: names.filter((term) => term.at > at).map((term) => term.name),
  };
};
export const anchorConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  const [one, other] = [a.time.anchors[0], b.time.anchors[0]];
  return one === undefined ||
    other === undefined ||
    one.measure === 'version' ||
    one.measure === 'count' ||
    one.measure === 'clock' ||
    a.time.past ||
    b.time.past
    ? null
    : valueConflict(match.subject, one.text, other.text);
};

/** What a claim says about order: "A before B", "A once B", "A first, B afterwards". */
export type Sequence = { readonly front: ReadonlySet<string>; readonly back: ReadonlySet<string> };
const LATER: ReadonlySet<string> = new Set(['afterwards', 'then', 'later', 'after', 'second', '2nd', 'once']);
/** Caches a claim's sequences, because it is compared with a thousand others. */
const SEQUENCES = new WeakMap<Claim, readonly Sequence[]>();
const sequencesOf = (claim: Claim): readonly Sequence[] => {
  const known = SEQUENCES.get(claim);
  if (known !== undefined) return known;
  const read = readSequences(claim);
  SEQUENCES.set(claim, read);
  return read;
};
const readSequences = (claim: Claim): readonly Sequence[] => {
  const sequences: Sequence[] = [];
  for (const [at, statement] of claim.statements.slice(0, FEW).entries()) {
    const { words } = statement;
    if (statement.norm) continue;
    const turn = words.findIndex(
      (word, i) => i > 0 && (word === 'before' || word === 'after' || word === 'once') && !/^\d/u.test(words[i + 1] ?? ''),
    );
    const [front, back] = [namesIn(statement, 0, turn), namesIn(statement, turn, words.length)];
    if (turn > 0 && front.size > 0 && back.size > 0) sequences.push(words[turn] === 'before' ? { front, back } : { front: back, back: front });
    const first = words.indexOf('first');
    if (first < 0 || words[first - 1] === 'the' || words[first - 1] === 'at') continue;
    const and = words.findIndex((word, i) => i > first && (word === 'and' || word === 'then'));
    const next = claim.statements[at + 1];
    if (and > 0 && words.some((word) => LATER.has(word)))
      sequences.push({ front: namesIn(statement, 0, and), back: namesIn(statement, and, words.length) });
    else if (next !== undefined) sequences.push({ front: namesIn(statement, 0, words.length), back: namesIn(next, 0, next.words.length) });
  }
  return sequences;
};
const namesIn = (statement: Statement, from: number, to: number): ReadonlySet<string> =>
  new Set(
    statement.terms.flatMap(({ name, at, inherited }) => (!inherited && at >= from && at < to && !isWeak(name) && name !== 'first' ? [name] : [])),
  );
const FEW = 8;

/** Both give an order of the same two things, and the orders differ. */
export const sequenceConflict = (a: Claim, b: Claim): Contradiction | null => {
  const others = sequencesOf(b);
  if (others.length === 0) return null;
  for (const one of sequencesOf(a))
    for (const other of others) {
      const [first, second] = [only(one.front, one.back, other.back, other.front), only(one.back, one.front, other.front, other.back)];
      if (first.length === 0 || second.length === 0) continue;
      // A name on the same side in both would mean the same order.
      if (only(one.front, one.back, other.front, other.back).length > 0 || only(one.back, one.front, other.back, other.front).length > 0) continue;
      const subject = [...second, ...first].map((name) => name.replace('±', '')).join(' ');
      return { kind: 'negation', subject, description: `both are about "${subject}": the orders differ` };
    }
  return null;
};
/** The names of one side that the other text has only on the given side. */
const only = (side: ReadonlySet<string>, mine: ReadonlySet<string>, theirs: ReadonlySet<string>, against: ReadonlySet<string>): readonly string[] =>
  [...side].filter((name) => !mine.has(name) && theirs.has(name) && !against.has(name));
