import { compareQuantities } from './amounts.ts';
import type { Quantity } from './measures.ts';
import { quantitiesOf } from './quantities.ts';
import type { Token } from './tokens.ts';
import { stemOf, wordSet } from '../text/stems.ts';
import { STOP } from '../text/lexicon/finding-words.ts';

/** When a sentence holds: a thing may be one way before and another way after, without contradiction. */
export type Time = {
  /** Only about the past; the present may differ. */
  readonly past: boolean;
  readonly now: boolean;
  /** Reports a change: "was raised to", "is online again", "no longer", "since the fix". */
  readonly news: boolean;
  /** Says that nothing has changed, in spite of what was done: "still". */
  readonly still: boolean;
  /** Past or present tense; null if the verbs don't show it. */
  readonly tense: 'was' | 'is' | null;
  readonly orders: readonly { readonly order: 'before' | 'during' | 'after'; readonly of: readonly string[] }[];
  readonly anchors: readonly Quantity[];
  /** The part of the day or week, or the load, that a sentence is about. */
  readonly parts: readonly string[];
};

const PAST = wordSet('previously formerly originally initially earlier until till prior historically yesterday');
const NOW = wordSet('now today currently nowadays anymore');
const SPANS = wordSet('week month year night quarter sprint release monday tuesday wednesday thursday friday saturday sunday time');
const PARTS = wordSet('noon night midnight morning evening afternoon weekends weekdays weekend idle peak');
const AT = wordSet('at when under during on the in');
const LINKING = wordSet('is are was were be been get gets being not');
const ANCHORED = wordSet('in on for since until through by from of during as till before after');

export const timeOf = (tokens: readonly Token[]): Time => {
  const words = tokens.map((token) => token.word);
  const orders: { order: 'before' | 'during' | 'after'; of: readonly string[] }[] = [];
  let [past, now] = [false, false];
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    if (
      (PAST.has(word) && !(word === 'yesterday' && next !== '' && !STOP.has(next))) ||
      (word === 'used' && next === 'to' && !LINKING.has(words[at - 1] ?? '')) ||
      (word === 'last' && SPANS.has(next)) ||
      (word === 'back' && next === 'then') ||
      (word === 'at' && next === 'the' && words[at + 2] === 'time')
    )
      past = true;
    if (
      (word === 'through' && /^(?:19|20)\d\d$/u.test(next)) ||
      (word === 'up' && next === 'to' && /^(?:build|version|release|v\d.*)$/u.test(words[at + 2] ?? ''))
    )
      past = true;
    if (
      NOW.has(word) ||
      (word === 'this' && SPANS.has(next)) ||
      (word === 'as' && next === 'of') ||
      (word === 'at' && next === 'the' && words[at + 2] === 'moment')
    )
      now = true;
    if (word === 'from' && words.slice(at + 1, at + 5).includes('on')) now = true;
    if (word === 'since') now = true;
    const order = word === 'once' && next !== 'a' && next !== 'per' ? 'after' : word === 'while' && at === 0 ? 'during' : word;
    if ((order === 'before' || order === 'after' || order === 'during') && !/^\d/u.test(next)) {
      const of = words.slice(at + 1, at + 7).filter((later) => !STOP.has(later) && /^[a-z]/u.test(later));
      if (of.length > 0) orders.push({ order, of: of.map(stemOf) });
    }
  }
  const [was, is] = [words.includes('was') || words.includes('were') || words.includes('had'), words.includes('is') || words.includes('are')];
  if (was && !is && (orders.some(({ order }) => order === 'during') || words.includes('morning'))) past = true;
  const anchors = quantitiesOf(words).filter(
    (quantity) =>
      ((quantity.measure === 'date' || quantity.measure === 'weekday') &&
        (quantity.at === 0 || ANCHORED.has(words[quantity.at - 1] ?? '') || words[quantity.at - 1] === 'the')) ||
      (quantity.measure === 'clock' &&
        (quantity.at <= 1 || (was && !is) || isDone(words, quantity.at)) &&
        (quantity.at === 0 || words[quantity.at - 1] === 'at')) ||
      (quantity.measure === 'version' && ANCHORED.has(words[quantity.at - 1] ?? '') && quantity.text.startsWith('v')) ||
      (quantity.measure === 'count' && /^(?:build|version|release|sprint|migration)$/u.test(quantity.label ?? '')),
  );
  const parts = words.flatMap((word, at) => (PARTS.has(word) && (at === 0 || AT.has(words[at - 1] ?? '')) ? [word] : []));
  return {
    past,
    now,
    news: isNews(words),
    still: words.includes('still'),
    tense: was && !is ? 'was' : is && !was ? 'is' : null,
    orders,
    anchors,
    parts,
  };
};

export const isOtherTime = (a: Time, b: Time): boolean =>
  a.past !== b.past || isDated(a, b) || isDated(b, a) || ordersOf(a, b) || ordersOf(b, a) || anchorsDiffer(a, b) || partsDiffer(a, b);

/** "crashed at 03:12", but not "is started at 03:12". */
const isDone = (words: readonly string[], at: number): boolean => (words[at - 2]?.endsWith('ed') ?? false) && !LINKING.has(words[at - 3] ?? '');
const partsDiffer = (a: Time, b: Time): boolean => a.parts.length > 0 && b.parts.length > 0 && !a.parts.some((part) => b.parts.includes(part));

const isDated = (a: Time, b: Time): boolean => a.now && a.anchors.length === 0 && b.anchors.some((anchor) => anchor.measure === 'date');

const ordersOf = (a: Time, b: Time): boolean =>
  a.orders.some(({ order, of }) =>
    b.orders.some((other) => other.order !== order && (order === 'before' || other.of.some((word) => of.includes(word)))),
  ) ||
  (b.now && !a.now && a.orders.some(({ order }) => order === 'before'));

export const anchorsDiffer = (a: Time, b: Time): boolean =>
  a.anchors.some((one) => b.anchors.some((other) => compareQuantities(one, other, false) === 'other')) &&
  !a.anchors.some((one) => b.anchors.some((other) => compareQuantities(one, other, false) === 'same'));

/** CONF-18: what people do to a thing that changes it from then on. */
const CHANGES = wordSet(
  `raised lowered bumped moved switched migrated converted promoted demoted scaled patched fixed repaired added removed enabled disabled reenabled unpaused paused resumed restored upgraded
   downgraded updated renamed repartitioned partitioned pinned unpinned cleaned replaced rewritten rewrote reverted rolled-back enlarged extended shortened increased decreased reduced doubled halved
   dropped closed opened merged deployed released shipped installed uninstalled introduced revoked rotated granted changed swapped rebuilt regenerated recreated recovered resolved unblocked
   blocked blocklisted allowlisted turned-on turned-off finished completed renewed archived deleted purged locked unlocked tightened loosened relaxed refactored ported retired deprecated
   excluded included tuned reindexed backfilled switched-on switched-off bumps taken gone become became made brought grown grew risen rose fallen fell shrunk shrank climbed came caught solved
   corrected adjusted expanded trimmed capped lifted dropped adopted abandoned dismissed rolled stopped started restarted rebooted relocated transferred consolidated merged separated isolated hardened
   secured encrypted compressed cached indexed sharded throttled exposed hidden published unpublished activated deactivated connected disconnected attached detached mounted unmounted allowed forbidden
   banned unbanned required gated ungated refreshed synced resynced rescheduled delayed postponed cancelled canceled`,
);
/** Verbs that mean a change if a number follows: "fell to 2", "went down to 61 MB", "up from 3". */
const MOVES = wordSet('fell rose went dropped grew shrank climbed jumped sank came increased decreased is are');
const HAVE = wordSet('has have had been was were got gets is are just');
const FINITE = wordSet('is are be being not never');
const NOUNY = wordSet('the a an of our its their every each all no any with by in on for to and or is are be being not never no-longer that which');
const WHEN = wordSet('yesterday today ago tonight recently meanwhile lately newly finally nowadays no-longer previously formerly');
const PART = wordSet(
  'morning afternoon evening week month night sprint release quarter year version monday tuesday wednesday thursday friday saturday sunday',
);
const ADVERBS = wordSet('been since just already now also finally recently all both long');
const isNews = (words: readonly string[]): boolean =>
  words.some((word, at) => {
    const [before = '', next = '', after = ''] = [words[at - 1], words[at + 1], words[at + 2]];
    if (word === 'yesterday' || word === 'today') return !/^[a-z]{3,}$/u.test(next) || STOP.has(next) || at > 1;
    if (WHEN.has(word)) return true;
    if ((word === 'this' || word === 'last') && PART.has(next)) return true;
    if (word === 'now') return before !== 'until' && before !== 'by' && !(next === 'and' && after === 'then');
    if ((word === 'down' || word === 'up') && (next === 'from' || (at === 0 && next === 'to'))) return true;
    if (word === 'again' || (word === 'back' && (HAVE.has(before) || before === 'came' || before === 'comes' || before === 'went')))
      return before !== 'and' && next !== 'then';
    if (word === 're' && CHANGES.has(next)) return true;
    if (word === 'since')
      return (
        (at === words.length - 1 && at > 0) ||
        HAVE.has(before) ||
        /^(?:we|i|last|then|yesterday|today|noon|v?\d.*|[a-z]{3,6}day)$/u.test(next) ||
        isFix(words, at + 1)
      );
    if (word === 'as' && (next === 'of' || next === 'from')) return true;
    if (word === 'starting' && (next === 'with' || next === 'from')) return true;
    if (word === 'from' && words.slice(at + 2, at + 5).some((later) => later === 'on' || later === 'onwards' || later === 'onward')) return true;
    if (word === 'after' || word === 'following') return next === 'we' || next === 'i' || isFix(words, at + 1);
    if (word === 'with' && at === 0)
      return isFix(words, 1) || words.slice(1, 9).some((later) => later === 'kept' || later === 'turned-on' || later === 'turned-off');
    if (MOVES.has(word) && (next === 'to' || (after === 'to' && (next === 'down' || next === 'up'))))
      return /^\d/u.test(words[next === 'to' ? at + 2 : at + 3] ?? '');
    if (word === 'has' || word === 'have' || word === 'got' || word === "'ve") return isDoneTo(words, at);
    if (word === 'was' || word === 'were')
      return (
        (CHANGES.has(next) || (ADVERBS.has(next) && CHANGES.has(after))) &&
        words
          .slice(at + 2)
          .some((later, i, rest) => later === 'to' || later === 'noon' || later === 'out' || (later === 'in' && /^v?\d/u.test(rest[i + 1] ?? '')))
      );
    // "We raised it", "cleaned the images": somebody changed something.
    return (
      CHANGES.has(word) &&
      !NOUNY.has(before) &&
      !FINITE.has(before) &&
      (at === 0 ? THINGS.has(next) : PEOPLE.has(before) || /(?:ed|ly)$/u.test(before))
    );
  });
const THINGS = wordSet('the a an our all it them my this');
const PEOPLE = wordSet('we i they he she someone somebody ops devops team just and ana ben');
/** "has been moved", "have since doubled"; but not "has never failed" or "has restarted 14 times", which say how often. */
const isDoneTo = (words: readonly string[], at: number): boolean => {
  let verb = at + 1;
  while (ADVERBS.has(words[verb] ?? '') && verb < at + 4) verb += 1;
  const word = words[verb] ?? '';
  return (
    (CHANGES.has(word) || (verb > at + 1 && /[a-z]{3}ed$/u.test(word))) &&
    !words.slice(verb + 1, verb + 5).some((word) => word === 'times' || word === 'twice')
  );
};
const isFix = (words: readonly string[], at: number): boolean =>
  words.slice(at, at + 5).some((word, i) => FIXES.has(word) || (i === 0 && FIXING.has(word)));
const FIXING = wordSet(
  'upgrading splitting adding removing switching moving raising lowering bumping updating changing migrating cleaning rebuilding restarting rebooting fixing patching enabling disabling replacing reverting rolling tuning resizing rotating reindexing',
);
const FIXES = wordSet(
  'fix fixes cleanup patch upgrade migration rollback change update release deploy deployment rollout switch refactoring refactor rewrite vacuum reboot hotfix merge tuning bump revert move cutover maintenance hardening optimisation optimization incident outage failover reconfiguration replacement downgrade workaround mitigation',
);
