import type { Statement } from './claim.ts';
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
/** "A after B" against "B after A". */
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
      return { kind: 'negation', subject: match.subject, description: `both are about "${match.subject}": each says another order` };
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
