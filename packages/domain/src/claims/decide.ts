import { isOperator, SYSTEM } from '../actors.ts';
import { happenIn, isShare, maybeWorded, named, standIn, worded, working, type Deciders, type Decision, type Facts } from '../board/deciding.ts';
import { MOST_KEPT } from '../board/limits.ts';
import { knownRefs } from '../board/references.ts';
import { reject, type Rejection } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import type { CommandOf, FamilyCommand, Happening } from '../messages/catalogue.ts';
import type { Verification } from '../messages/marks.ts';
import { cutText } from '../policies/cutting.ts';
import { formatRef, parseRef } from '../refs.ts';
import { ok, type Result } from '../result.ts';
import { itemIn } from '../scratchpad/items.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { atName, discussion } from '../sidebar/talk.ts';
import { markOfClaim } from './marks.ts';
import { notedIn } from './noting.ts';
import { refOfClaim, type Claim } from './state.ts';
import { stateTtl } from './validation-history.ts';

/** CLAIM-3: participants say whether an inherited claim is true. Disagreements are discussed. */
const verify = (board: Board, facts: Facts, command: CommandOf<'claim.verify'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const place = placeOf(facts, sidebar, command);
  if (!place.ok) return place;
  const { claim, noted } = place.value;
  const { verification } = command;
  const ref = refOfClaim(named(sidebar), claim);
  const own = ownWords(facts, claim, ref);
  if (!own.ok) return own;
  if (!isShare(command.confidence)) return reject('not-a-share', { field: 'confidence', of: null });
  const before = markOfClaim(claim, facts.now, stateTtl(board));
  if (command.seen !== undefined && command.seen !== before.verification) {
    return reject('judged-since', { ref, status: before.verification, seen: command.seen, by: before.by[0] ?? null });
  }
  const mine = claim.judgements.find(({ by }) => by === facts.actor.id);
  if (verification === 'unverified' && mine === undefined) return reject('nothing-to-change', { in: 'claim' });
  const notes = maybeWorded(command.notes);
  const evidence = knownRefs(board, facts, command.evidence ?? []);
  if (!evidence.ok) return evidence;
  const sure = sureness(claim, verification, command.confidence);
  const judged = happenIn(facts, sidebar, 'claim.verified', { claim: claim.id, verification, ...sure, notes, evidence: evidence.value });
  return ok([...noted, judged, ...disputeOver(board, facts, sidebar, claim, { by: facts.actor.id, verification, confidence: sure.confidence })]);
};

/** CLAIM-6: on a disagreement, the curator decides, unless the human has. */
const settle = (board: Board, facts: Facts, command: CommandOf<'claim.settle'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const place = placeOf(facts, sidebar, command);
  if (!place.ok) return place;
  const { claim } = place.value;
  const ref = refOfClaim(named(sidebar), claim);
  const mark = markOfClaim(claim, facts.now, stateTtl(board));
  if (!mark.isDisputed) return reject('not-disputed', { ref, status: mark.verification });
  const allowed = standIn(sidebar, facts, 'curator', 'settle a disputed claim');
  if (!allowed.ok) return allowed;
  const own = ownWords(facts, claim, ref);
  if (!own.ok) return own;
  if (!isShare(command.confidence)) return reject('not-a-share', { field: 'confidence', of: null });
  const notes = worded('notes', command.notes);
  if (!notes.ok) return notes;
  const { verification } = command;
  const sure = sureness(claim, verification, command.confidence);
  return ok([
    happenIn(facts, sidebar, 'claim.settled', { claim: claim.id, exchange: claim.exchange, verification, ...sure, notes: notes.value }),
    ...allowed.value,
  ]);
};

type Place = { readonly claim: Claim; /** What has to be noted first. */ readonly noted: readonly Happening[] };

/** The claim in question: one that was noted before, or a place in an exchange that this sidebar inherited. */
export const placeOf = (
  facts: Facts,
  sidebar: Sidebar,
  { claim: text, words }: { readonly claim: string; readonly words?: string | undefined },
): Result<Place, Rejection> => {
  const read = parseRef(text);
  if (!read.ok || read.value.kind !== 'numbered' || read.value.type !== 'EXCH') {
    const claim = itemIn(sidebar.claims, sidebar, 'CLAIM', text);
    if (claim === undefined || claim.exchange === '') return reject('unknown-claim', { sidebar: named(sidebar), asked: cutText(text, 100) });
    return ok({ claim, noted: [] });
  }
  const name = formatRef(read.value);
  const exchange = facts.exchange?.(sidebar, name) ?? null;
  if (exchange === null) return reject('not-inherited', { sidebar: named(sidebar), asked: cutText(text, 100) });
  const wanted = words === undefined ? null : words.trim();
  if (wanted === '') return reject('empty', { field: 'words' });
  const known = sidebar.claims.find((claim) => claim.exchange === name && claim.words === wanted);
  if (known !== undefined) return ok({ claim: known, noted: [] });
  const noted = notedIn(facts, sidebar, name, exchange, wanted);
  if (noted === null) return reject('words-not-there', { exchange: name, words: cutText(wanted ?? '', 100) });
  if (sidebar.claims.length + noted.events.length > MOST_KEPT) return reject('full', { where: named(sidebar), most: MOST_KEPT, of: 'claims' });
  return ok({ claim: noted.claim, noted: noted.events });
};

/** CLAIM-3: nobody verifies their own words, except the human. */
const ownWords = ({ actor }: Facts, { saidBy }: Claim, ref: string): Decision =>
  saidBy.includes(actor.id) && !isOperator(actor) ? reject('own-claim', { ref }) : ok([]);

/** CLAIM-3: 0 is a valid value. By default it is the speaker's confidence; a contradicted claim gets almost none. */
const sureness = (
  { originalConfidence }: Claim,
  verification: Verification,
  given: number | undefined,
): { readonly confidence: number | null; readonly isAssumed: boolean } => {
  if (verification === 'unverified') return { confidence: null, isAssumed: false };
  if (given !== undefined) return { confidence: given, isAssumed: false };
  return { confidence: verification === 'contradicted' ? HARDLY : (originalConfidence ?? USUALLY), isAssumed: true };
};

const USUALLY = 0.9;
const HARDLY = 0.1;

type Verdict = { readonly by: string; readonly verification: Verification; readonly confidence: number | null };

/** CLAIM-6: what follows when somebody, or a check, disagrees with the others. */
export const disputeOver = (
  board: Board,
  facts: Facts,
  sidebar: Sidebar,
  claim: Claim,
  { by, verification, confidence }: Verdict,
): readonly Happening[] => {
  const ttl = stateTtl(board);
  if (verification === 'unverified' || markOfClaim(claim, facts.now, ttl).isDisputed) return [];
  const others = claim.judgements.filter((one) => one.by !== by);
  const judgement = {
    by,
    verification,
    confidence: confidence ?? 0,
    isAssumed: false,
    notes: null,
    evidence: [],
    at: facts.now,
    // After everything said about it.
    position: Number.MAX_SAFE_INTEGER,
  };
  const mark = markOfClaim({ ...claim, judgements: [...others, judgement] }, facts.now, ttl);
  if (!mark.isDisputed) return [];
  const agents = mark.by;
  const asked: Facts = { ...facts, actor: SYSTEM };
  // Its words aren't repeated: forgetting the message forgets them.
  const about = claim.words === null ? claim.exchange : `${refOfClaim(named(sidebar), claim)}, in ${claim.exchange},`;
  return [
    happenIn(asked, sidebar, 'claim.disputed', { claim: claim.id, exchange: claim.exchange, agents }),
    discussion(asked, sidebar, `${agents.map(speaker).join(' and ')} disagree about whether ${about} is true. Please discuss it here.`, [
      claim.exchange,
    ]),
  ];
};

const speaker = (id: string): string => (id === SYSTEM.id ? 'a check by machine' : atName(id));

export const markCommands = { 'claim.verify': verify, 'claim.settle': settle } satisfies Deciders<FamilyCommand<'marks'>>;
