import type { Statement, Term } from './claim.ts';
import { valueConflict, type Contradiction } from './contradiction.ts';
import { ENOUGH, telling, type Match } from './matching.ts';
import { wordSet } from '../text/stems.ts';
import { isExtension, STOP } from '../text/lexicon/finding-words.ts';

/** The position of a name in its clause: after which kind of word, and governed by which verb. */
type Slot = 'agent' | 'means' | 'place' | 'origin' | 'role' | 'plain';
type Filler = { readonly slot: Slot; readonly verb: string; readonly text: string; readonly words: string };

const SLOTS: ReadonlyMap<string, Slot> = new Map([
  ['by', 'agent'],
  ...['with', 'using', 'via', 'through', 'uses', 'use', 'used', 'runs', 'run'].map((word) => [word, 'means'] as const),
  ...['in', 'on', 'to', 'into', 'at', 'under', 'onto', 'over', 'inside'].map((word) => [word, 'place'] as const),
  ...['from', 'of'].map((word) => [word, 'origin'] as const),
  ['as', 'role'],
  ...['is', 'are', 'was', 'were', '=', 'called', 'named', 'says', 'reads', 'equals', 'be', 'not', ':'].map((word) => [word, 'plain'] as const),
]);
/** The names differ only in one piece of code on each side: a path, a table, a package, a key. */
export const codeConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  if (match.direct < ENOUGH || match.otherOne) return null;
  const [one, other] = [codeOf(a, match.leftA), codeOf(b, match.leftB)];
  if (one === null || other === null || (one.rest > 0 && other.rest > 0) || (!one.told && !other.told)) return null;
  return valueConflict(match.subject, one.text, other.text);
};
const codeOf = (statement: Statement, left: readonly Term[]): { readonly text: string; readonly rest: number; readonly told: boolean } | null => {
  const codes = left.filter((term) => term.code && !term.inherited && !term.evidence && !isExtension(term.word));
  const [code] = codes;
  if (code === undefined || codes.length > 1) return null;
  const before = statement.words[code.at - 1] ?? '';
  return {
    text: code.word,
    rest: telling(left).filter((term) => term !== code && !term.inherited && !VERB_ROWS.has(term.word)).length,
    told: code.at > 0 && (SLOTS.has(before) || code.at >= statement.words.length - 1),
  };
};
const COMPATIBLE: Readonly<Record<Slot, readonly Slot[]>> = {
  agent: ['agent', 'means', 'origin', 'plain'],
  means: ['means', 'agent', 'plain', 'place'],
  place: ['place', 'plain', 'means'],
  origin: ['origin', 'agent', 'plain'],
  role: ['role', 'plain'],
  plain: ['plain', 'agent', 'means', 'place', 'origin', 'role'],
};
/** The verbs of a row fill the same slot. */
const VERB_ROWS: ReadonlyMap<string, string> = new Map(
  [
    'store stores stored keep keeps kept live lives sit sits reside resides save saves saved persist persisted put puts land lands end ends go goes went send sends sent ship ships shipped write writes route routes routed forward forwards forwarded publish published push pushed upload uploaded dump dumps dumped',
    'do done does use uses used using run runs handle handled handles perform performed make made rely relies based be is are was were =',
    'build builds built bundle bundled bundles compile compiled',
    'call called calls name named names',
    'generate generated generates create created creates produce produced produces issue issued come comes came',
    'own owned owns maintain maintained maintains belong belongs',
    'host hosted hosts deploy deployed deploys',
    'serve served serves deliver delivered delivers',
    'trigger triggered triggers start started starts schedule scheduled',
    'read reads load loads loaded mounted mount injected fetched fetch',
    'sign signed signs encrypt encrypted hash hashed',
    'implement implemented',
    'approve approved approves',
    'assign assigned assigns',
    'merge merged merges',
    'export exported exports define defined defines declare declared declares',
  ].flatMap((row) => row.split(' ').map((word) => [word, row.split(' ')[0] ?? word] as const)),
);
const FREE = 'do';

/** The only difference is one name on each side, and both are in a slot that holds one thing. */
export const slotConflict = (a: Statement, b: Statement, match: Match): Contradiction | null => {
  if (match.direct < (match.single ? 1 : ENOUGH) || match.otherOne) return null;
  const [fillerA, fillerB] = [fillerOf(a, match.leftA), fillerOf(b, match.leftB)];
  if (fillerA === null || fillerB === null) return null;
  if (!COMPATIBLE[fillerA.slot].includes(fillerB.slot)) return null;
  if (fillerA.slot === 'plain' && fillerB.slot === 'plain' && match.direct < 2) return null;
  const sameVerb = fillerA.verb === fillerB.verb && fillerA.verb !== FREE;
  if (match.direct < ENOUGH && !(sameVerb && fillerA.words === fillerB.words)) return null;
  // "rendered in a portal" and "rendered with a delay" fill different slots.
  if (
    sameVerb &&
    fillerA.slot !== fillerB.slot &&
    fillerA.slot !== 'plain' &&
    fillerB.slot !== 'plain' &&
    fillerA.slot !== 'agent' &&
    fillerB.slot !== 'agent'
  )
    return null;
  if (fillerA.verb === '' && fillerB.verb === '') return null;
  if (fillerA.verb !== fillerB.verb && fillerA.verb !== FREE && fillerB.verb !== FREE) return null;
  return valueConflict(match.subject, fillerA.text, fillerB.text);
};

/** Looks like a verb or an adverb, not like a name. */
const isVerbal = (term: Term): boolean => !term.code && /(?:ed|ly|ing)$/u.test(term.word);
/** Words for where something holds, not for what it is: another of these is another case. */
export const SCOPES = wordSet(
  'windows macos linux ios android chrome firefox safari edge mobile desktop web tablet phone production prod staging dev development local locally ci test tests testing eu us ap emea weekends weekdays monday tuesday wednesday thursday friday saturday sunday startup shutdown logout login admin admins guest guests',
);
const KEPT = wordSet('stored kept saved persisted live lives sit sits reside resides');
const LONGEST_NAME = 4;
const fillerOf = (statement: Statement, left: readonly Term[]): Filler | null => {
  const terms = telling(left).filter((term) => !VERB_ROWS.has(term.word) || term.code);
  const [first, last] = [terms[0], terms.at(-1)];
  if (
    first === undefined ||
    last === undefined ||
    terms.some((term) => term.inherited || term.name.startsWith('±') || isExtension(term.word) || SCOPES.has(term.word) || isVerbal(term))
  )
    return null;
  if (last.at - first.at >= LONGEST_NAME || statement.words.slice(first.at, last.at).some((word) => STOP.has(word))) return null;
  let at = first.at - 1;
  while (at >= 0 && !SLOTS.has(statement.words[at] ?? '') && first.at - at <= LONGEST_NAME) at -= 1;
  const slot = at < 0 || first.at - at > LONGEST_NAME ? undefined : SLOTS.get(statement.words[at] ?? '');
  const verbAt = statement.words.findLastIndex((word, i) => i < first.at && VERB_ROWS.has(word));
  const verbAfter = statement.words.findIndex((word, i) => i > last.at && VERB_ROWS.has(word));
  const found = verbAt >= 0 ? verbAt : verbAfter;
  const [word, prior] = [statement.words[found] ?? '', statement.words[at - 1] ?? ''];
  // "is rendered in": the participle identifies the slot.
  const verb = slot !== undefined && /(?:ed|en)$/u.test(prior) && !VERB_ROWS.has(prior) ? prior : (VERB_ROWS.get(word) ?? '');
  // Before the verb: "Biome lints", "Istio is the mesh".
  if (slot === undefined && (verbAt >= 0 || first.at > 1 || (first.at === 1 && !STOP.has(statement.words[0] ?? '')))) return null;
  return {
    slot: slot ?? 'agent',
    verb,
    words: `${KEPT.has(word) ? 'kept' : word} ${statement.words[at] ?? ''}`,
    text: statement.words.slice(first.at, last.at + 1).join(' '),
  };
};
