import { agentIdOf } from '../agents/state.ts';
import type { Command, Happening } from '../messages/catalogue.ts';
import type { ClaimName, Claims } from '../messages/claims.ts';
import type { Status } from '../messages/values.ts';
import { cutText } from '../policies/cutting.ts';
import { findingOf, refOfFinding } from '../scratchpad/state.ts';
import { isEnded } from '../sidebar/lifecycle.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { named, type Facts } from './deciding.ts';
import { rejectionOf, type Rejection } from './rejection.ts';
import { sidebarOf, type Board } from './state.ts';
import { rowsOf } from './tables.ts';

/** The first false claim, as a refusal. Some can only be checked against the events about to happen: without those they are skipped. */
export const untrueClaim = (board: Board, facts: Facts, command: Command, happenings: readonly Happening[] | null): Rejection | null => {
  const { claims = {} } = facts;
  const sidebar = 'sidebar' in command && command.sidebar !== undefined ? sidebarOf(board, command.sidebar) : null;
  const about: About = { board, facts, sidebar, happenings };
  for (const field of Object.keys(claims) as readonly ClaimName[]) {
    const claimed = claims[field];
    if (claimed === undefined) continue;
    const check = TRUTHS[field] as Truth<ClaimName>; // the row of its own field
    const actual = check(claimed, about);
    if (actual === null) continue;
    const told = { field, claimed: cutText(Array.isArray(claimed) ? claimed.join(', ') : String(claimed), MOST_TOLD), actual };
    return ASSIGNED.has(field) ? rejectionOf('assigned-otherwise', told) : rejectionOf('untrue-claim', told);
  }
  return null;
};

type About = {
  readonly board: Board;
  readonly facts: Facts;
  /** The one named by the command. */
  readonly sidebar: Sidebar | null;
  readonly happenings: readonly Happening[] | null;
};

/** The actual value; null if the claim is true, or can't be checked. */
type Truth<N extends ClaimName> = (claimed: NonNullable<Claims[N]>, about: About) => string | null;

const unless = (isTrue: boolean, actual: string): string | null => (isTrue ? null : actual);

const isStatus = (claimed: Status, { sidebar }: About): string | null =>
  sidebar === null ? null : unless(claimed === sidebar.status, sidebar.status);

const isActor = (claimed: string, { facts }: About): string | null => unless(agentIdOf(claimed) === facts.actor.id, facts.actor.id);

const isNext =
  (type: string, rowsIn: (board: Board) => readonly { readonly ref: string }[]) =>
  (claimed: string, { board }: About) => {
    const numbers = rowsIn(board).map(({ ref }) => Number(ref.slice(type.length + 1)));
    const next = `${type}-${numbers.reduce((most, number) => Math.max(most, number), 0) + 1}`;
    return unless(claimed.toUpperCase() === next, next);
  };

const isNextSidebar = isNext('SB', ({ sidebars }) => rowsOf(sidebars));

const sameSet = (claimed: readonly string[], actual: readonly string[]): string | null => {
  const [left, right] = [new Set(claimed), new Set(actual)];
  return unless(left.size === right.size && actual.every((one) => left.has(one)), cutText(actual.join(', ') || 'none', MOST_TOLD));
};

/** A field of the first event to come that has it. */
const outcome = ({ happenings }: About, field: string): unknown =>
  happenings?.map(({ payload }): Readonly<Record<string, unknown>> => payload).find((payload) => Object.hasOwn(payload, field))?.[field];

const isOutcome =
  (field: string) =>
  (claimed: string | number, about: About): string | null => {
    const actual = outcome(about, field);
    return typeof actual === 'string' || typeof actual === 'number' ? unless(claimed === actual, String(actual)) : null;
  };

const TRUTHS: { readonly [N in ClaimName]-?: Truth<N> } = {
  oldStatus: isStatus,
  finalStatus: isStatus,
  role: isOutcome('role'),
  recruitedBy: isActor,
  agentId: isActor,
  activeSidebars: (claimed, { board, facts }) => {
    const active = rowsOf(board.sidebars).filter(({ status, participants }) => !isEnded(status) && participants.includes(facts.actor.id));
    const names = claimed.map((one) => {
      const known = sidebarOf(board, one);
      return known === null ? one : named(known);
    });
    return sameSet(names, active.map(named));
  },
  findingsAtCheckpoint: (claimed, about) => {
    const { sidebar } = about;
    const held = outcome(about, 'findings');
    if (sidebar === null || !Array.isArray(held)) return null;
    const nameOf = (text: string): string => {
      const finding = findingOf(sidebar.scratchpad, text);
      return finding === null ? text : refOfFinding(named(sidebar), finding);
    };
    return sameSet(claimed.map(nameOf), held.map(String).map(nameOf));
  },
  fileSize: isOutcome('fileSize'),
  // It is examined once it is uploaded.
  processingStatus: (claimed) => unless(claimed === 'pending', 'pending'),
  uploadedDuring: (claimed, { board, sidebar }) => (sidebar === null ? null : unless(sidebarOf(board, claimed)?.id === sidebar.id, named(sidebar))),
  uploadedBy: isActor,
  // As with the sending time of a command: the log uses its own clock.
  uploadedAt: () => null,
  newSidebarId: isNextSidebar,
  childSidebarId: isNextSidebar,
  goldId: isNext('GOLD', ({ golds }) => rowsOf(golds)),
  citationId: isNext('CITE', ({ citations }) => rowsOf(citations)),
  mediaId: isNext('MEDIA', ({ media }) => rowsOf(media)),
  entryId: (claimed, { sidebar }) => {
    if (sidebar === null) return null;
    const next = refOfFinding(named(sidebar), { number: sidebar.scratchpad.findings.length + 1 });
    return unless(next.endsWith(`:${claimed.toUpperCase().replace(/^SCRATCH-(?:SB-)?\d+:/u, '')}`) && isOf(sidebar, claimed), next);
  },
  checkpointId: (claimed, { sidebar }) => {
    if (sidebar === null) return null;
    const next = `CHECKPOINT-${sidebar.scratchpad.checkpoints.length + 1}`;
    return unless(claimed.toUpperCase().replace(/^SB-\d+:/u, '') === next && isOf(sidebar, claimed), next);
  },
};

/** Whether a name that is prefixed with its sidebar names this sidebar. */
const isOf = (sidebar: Sidebar, claimed: string): boolean => {
  const [, number] = /^(?:SCRATCH-(?:SB-)?|SB-)(\d+):/iu.exec(claimed) ?? [];
  return number === undefined || `SB-${number}` === named(sidebar);
};

/** Numbers that only the board gives. */
const ASSIGNED: ReadonlySet<ClaimName> = new Set([
  'newSidebarId',
  'childSidebarId',
  'goldId',
  'citationId',
  'mediaId',
  'entryId',
  'checkpointId',
] as const);

const MOST_TOLD = 200;
