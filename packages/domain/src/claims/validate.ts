import { isOperator, SYSTEM } from '../actors.ts';
import { happen, happenIn, maybeWorded, named, worded, working, type Deciders, type Decision, type Facts } from '../board/deciding.ts';
import { reject } from '../board/rejection.ts';
import type { Board } from '../board/state.ts';
import type { CommandOf, FamilyCommand } from '../messages/catalogue.ts';
import type { ClaimType } from '../messages/marks.ts';
import { VALIDATION_TYPES, type ValidationType } from '../messages/validation.ts';
import { BOARD_CONTEXT } from '../messages/values.ts';
import { ok } from '../result.ts';
import { conclude } from './conclusion.ts';
import { disputeOver, placeOf } from './decide.ts';
import { refOfClaim } from './state.ts';
import { cutText } from '../policies/cutting.ts';
import { findingOf, refOfFinding } from '../scratchpad/state.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { runsSince, validationConfig } from './validation-history.ts';

/** Types that a machine can check, whoever asks. */
export const isValidationType = (type: ClaimType | null): type is ValidationType => VALIDATION_TYPES.some((one) => one === type);

/** VAL-8: of one agent. */
export const MOST_CHECKS_AN_HOUR = 30;

/** VAL-7, VAL-8: refuses a check that may not run. Called before it runs, and again before its result is kept. */
export const mayCheck = (board: Board, { actor, now }: Pick<Facts, 'actor' | 'now'>, type: ValidationType, subject: string): Decision => {
  if (isOperator(actor)) return ok([]);
  const { isOn, allowed } = validationConfig(board);
  if (!isOn) return reject('checks-off', { type });
  if (!allowed.includes(type)) return reject('type-not-allowed', { type, allowed });
  // Setting the clock back resets nothing: runs later than now count as well.
  if (actor.id !== SYSTEM.id && runsSince(board, now - HOUR, ({ by }) => by === actor.id) >= MOST_CHECKS_AN_HOUR)
    return reject('too-many-checks', { most: MOST_CHECKS_AN_HOUR, of: 'hour' });
  const tried = VALUED.has(type) ? runsSince(board, now - DAY, (run) => run.subject === subject && run.type === type) : 0;
  return tried >= MOST_VALUES ? reject('too-many-checks', { most: MOST_VALUES, of: 'value' }) : ok([]);
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MOST_VALUES = 5;
const LEAST_TTL = 60_000;
const MOST_TTL = 30 * DAY;
/** Comparing a value allows guessing it, one attempt after the other. */
const VALUED: ReadonlySet<ValidationType> = new Set(['config_value', 'current_state', 'version_check']);

/** VAL-3: concludes from a run's attempts, and adds the machine's judgement to those of the others. */
const validate = (board: Board, facts: Facts, command: CommandOf<'claim.validate'>): Decision => {
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  if (FINDING.test(command.claim)) return checkFinding(board, facts, sidebar, command);
  const place = placeOf(facts, sidebar, command);
  if (!place.ok) return place;
  const { claim, noted } = place.value;
  const { report, isAuto, isCore = false } = command;
  const { kind } = report;
  // VAL-32: a hypothesis is checked only if somebody asks about its content.
  const isOfType = claim.type === null || claim.type === kind || (isCore && !isAuto && claim.type === 'hypothesis');
  if (claim.words === null || !isOfType) return reject('not-checkable', { ref: refOfClaim(named(sidebar), claim), type: claim.type });
  const allowed = mayCheck(board, facts, kind, report.subject);
  if (!allowed.ok) return allowed;
  const conclusion = conclude(report.attempts, { type: kind, isDenied: report.isDenied });
  const validated = happenIn(facts, sidebar, 'claim.validated', { claim: claim.id, ...report, isAuto, ...conclusion });
  if (conclusion.outcome === 'inconclusive') return ok([...noted, validated]);
  const verdict = { by: SYSTEM.id, verification: conclusion.outcome, confidence: conclusion.confidence };
  return ok([...noted, validated, ...disputeOver(board, facts, sidebar, claim, verdict)]);
};

/** VAL-31: the curator sees a machine's result for a finding, and decides about the finding. */
const checkFinding = (board: Board, facts: Facts, sidebar: Sidebar, { claim, words, report }: CommandOf<'claim.validate'>): Decision => {
  const finding = findingOf(sidebar.scratchpad, claim);
  const isNamed = finding !== null && [`FINDING-${finding.number}`, refOfFinding(named(sidebar), finding)].includes(claim.trim().toUpperCase());
  if (!isNamed) return reject('unknown-claim', { sidebar: named(sidebar), asked: cutText(claim, 100) });
  const ref = refOfFinding(named(sidebar), finding);
  if (words === undefined) return reject('not-checkable', { ref, type: null });
  if (words.trim() === '' || !finding.content.includes(words)) return reject('words-not-there', { exchange: ref, words: cutText(words, 100) });
  const allowed = mayCheck(board, facts, report.kind, report.subject);
  if (!allowed.ok) return allowed;
  const conclusion = conclude(report.attempts, { type: report.kind, isDenied: report.isDenied });
  return ok([happenIn(facts, sidebar, 'finding.checked', { finding: finding.id, words, ...report, isAuto: false, ...conclusion })]);
};

const FINDING = /FINDING-/iu;

const outdate = (board: Board, facts: Facts, command: CommandOf<'claim.outdate'>): Decision => {
  if (facts.actor.type !== 'system') return reject('operator-only', { to: 'outdate-claims' });
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const place = placeOf(facts, found.value, command);
  if (!place.ok) return place;
  const { claim } = place.value;
  if (claim.validation === null || claim.validation.isOutdated) return reject('nothing-to-change', { in: 'claim' });
  return ok([happenIn(facts, found.value, 'claim.outdated', { claim: claim.id })]);
};

/** VAL-7: only the operator decides what a machine may check by itself. */
const configure = (board: Board, facts: Facts, command: CommandOf<'validation.configure'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'configure-validation' });
  const before = validationConfig(board);
  const allowed = command.allowed === undefined ? before.allowed : VALIDATION_TYPES.filter((type) => command.allowed?.includes(type));
  const isOn = command.isOn ?? before.isOn;
  const { stateTtl = before.stateTtl } = command;
  if (!Number.isInteger(stateTtl) || stateTtl < LEAST_TTL || stateTtl > MOST_TTL)
    return reject('out-of-range', { field: 'stateTtl', least: LEAST_TTL, most: MOST_TTL });
  if (isOn === before.isOn && allowed.join() === before.allowed.join() && stateTtl === before.stateTtl)
    return reject('nothing-to-change', { in: 'validation' });
  return ok([happen(facts, 'validation.configured', BOARD_CONTEXT, { isOn, allowed, stateTtl, reason: maybeWorded(command.reason) })]);
};

/** VAL-14: the human says that a check was wrong, and why. */
const overrule = (board: Board, facts: Facts, command: CommandOf<'validation.overrule'>): Decision => {
  if (!isOperator(facts.actor)) return reject('operator-only', { to: 'overrule-checks' });
  const found = working(board, command.sidebar, facts.actor);
  if (!found.ok) return found;
  const sidebar = found.value;
  const place = placeOf(facts, sidebar, command);
  if (!place.ok) return place;
  const { claim } = place.value;
  if (claim.validation === null) return reject('not-validated', { ref: refOfClaim(named(sidebar), claim) });
  const reason = worded('reason', command.reason);
  if (!reason.ok) return reason;
  const { verification } = command;
  return ok([happenIn(facts, sidebar, 'validation.overruled', { claim: claim.id, run: claim.validation.id, verification, reason: reason.value })]);
};

export const validationCommands = {
  'claim.validate': validate,
  'claim.outdate': outdate,
  'validation.configure': configure,
  'validation.overrule': overrule,
} satisfies Deciders<FamilyCommand<'validation'>>;
