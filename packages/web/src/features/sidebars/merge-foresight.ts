import {
  contextIdOfSidebar,
  decide,
  evolve,
  goldOf,
  NO_LANGUAGE,
  OPERATOR,
  refOfFinding,
  SYSTEM,
  tryOn,
  type Actor,
  type Board,
  type Command,
  type Context,
  type Facts,
  type Finding,
  type Happening,
  type MergePackage,
  type Recorded,
  type Sidebar,
} from '@yarnboard/domain';
import { inPlainWords } from '../../live/refusal.ts';

/** The user's choices for a merge. The domain decides whatever is undefined: everything that qualifies, and a summary of it. */
export type Choices = {
  readonly summary?: string;
  readonly keyFindings?: readonly string[];
  readonly recommendations?: string;
  readonly goldCandidates?: readonly string[];
};

export type LeftOut = { readonly ref: string; readonly why: string; readonly what: string };

/** PAGE-90: what the domain says a merge would do with the board as it is. */
export type Foresight = {
  /** Why it can't be prepared; null if nothing prevents it. */
  readonly refusal: string | null;
  /** Why it couldn't be merged even after a review. Open children are reported separately (PAGE-180). */
  readonly obstacle: string | null;
  readonly package: MergePackage | null;
  /** The exchange that the merge would add to the target. */
  readonly exchange: { readonly text: string; readonly citations: readonly string[] } | null;
  readonly leftOut: readonly LeftOut[];
};

/**
 * Prepares, reviews and approves the merge as the human, on a layer over the board. So the outcome is exactly what a real merge would give, and a
 * refusal is about the merge and not about who asks. `choices` null uses the package that is already prepared.
 */
export const foreseeMerge = (board: Board, sidebar: Sidebar, choices: Choices | null, target: Context | undefined, now: number): Foresight => {
  const layer = tryOn(board);
  const facts = factsFor(OPERATOR, now);
  if (choices !== null) {
    const put = doOn(layer, { type: 'sidebar.consolidate', sidebar: sidebar.id, ...choices }, facts);
    if (put.refusal !== null) return { ...NOTHING, refusal: put.refusal };
  }
  const made = layer.sidebars.get(sidebar.id)?.merge?.package ?? null;
  if (made === null) return NOTHING;
  evolve(layer, foundFit(layer, sidebar, now));
  const merged = doOn(layer, { type: 'sidebar.merge', sidebar: sidebar.id, ...(target === undefined ? {} : { target }) }, facts);
  const told = merged.events.find((event) => event.type === 'memory.merged');
  return {
    refusal: null,
    obstacle: merged.code === 'live-children' ? null : merged.refusal,
    package: made,
    exchange: told?.type === 'memory.merged' ? { text: told.payload.text, citations: told.payload.citations } : null,
    leftOut: leftOutOf(board, sidebar, made, now),
  };
};

/** A placeholder target for a sidebar that has none yet, so that the preview can show what would be merged. */
export const anywhereFor = ({ parent, mergeTarget }: Sidebar): Context | undefined =>
  parent === null && mergeTarget === null ? { kind: 'session', sessionId: 'somewhere' } : undefined;

const NOTHING: Foresight = { refusal: null, obstacle: null, package: null, exchange: null, leftOut: [] };

const foundFit = (board: Board, { id, curator, lastPosition }: Sidebar, now: number): Recorded => ({
  type: 'merge.checked',
  uuid: 'foreseen-check',
  contextId: contextIdOfSidebar(id),
  payload: { as: 'curator', isFit: true, notes: null },
  by: { id: curator, type: board.agents.get(curator)?.kind ?? 'human' },
  position: (board.sidebars.get(id)?.lastPosition ?? lastPosition) + 1,
  at: now,
  refs: [],
});

type Done = { readonly refusal: string | null; readonly code: string | null; readonly events: readonly Happening[] };

const doOn = (board: Board, command: Command, facts: Facts): Done => {
  const decision = decide(board, command, facts);
  if (!decision.ok) return { refusal: inPlainWords(decision.error), code: decision.error.code, events: [] };
  for (const [n, { numbers: _, ...happening }] of decision.value.entries()) {
    evolve(board, { ...happening, position: Number.MAX_SAFE_INTEGER - 1000 + n, at: facts.now, refs: [] });
  }
  return { refusal: null, code: null, events: decision.value };
};

const factsFor = (actor: Actor, now: number): Facts => {
  let made = 0;
  return {
    now,
    actor,
    newId: () => `foreseen-${(made += 1)}`,
    refs: new Map(),
    isInherited: () => false,
    surfacings: () => [],
    language: NO_LANGUAGE,
  };
};

/** What the merge leaves out, and why. */
const leftOutOf = (board: Board, sidebar: Sidebar, { keyFindings, goldCandidates, newCitations }: MergePackage, now: number): readonly LeftOut[] => [
  ...sidebar.scratchpad.findings.flatMap((finding) => {
    const ref = refOfFinding(sidebar.ref, finding);
    return keyFindings.includes(ref) ? [] : [{ ref, why: whyNotFinding(sidebar, finding), what: finding.content }];
  }),
  ...sidebar.golds.flatMap((id) => {
    const gold = board.golds.get(id);
    return gold === undefined || goldCandidates.includes(gold.ref)
      ? []
      : [{ ref: gold.ref, why: whyNotGold(board, sidebar, gold.ref, now), what: gold.keyInsight }];
  }),
  ...sidebar.citations.flatMap((id) => {
    const citation = board.citations.get(id);
    return citation === undefined || newCitations.includes(citation.ref)
      ? []
      : [{ ref: citation.ref, why: 'its source is no longer valid', what: citation.content ?? citation.note ?? '' }];
  }),
];

const whyNotFinding = ({ ref, scratchpad }: Sidebar, { status, supersededBy, validationNotes }: Finding): string => {
  const later = scratchpad.findings.find(({ id }) => id === supersededBy);
  if (supersededBy !== null) return later === undefined ? 'superseded' : `superseded by ${refOfFinding(ref, later)}`;
  if (status === 'pending') return 'not yet reviewed';
  if (status === 'rejected') return validationNotes === null ? 'rejected' : `rejected: ${validationNotes}`;
  return 'excluded by you';
};

/** Asks the domain. It asks as if the sidebar were under review, because otherwise the domain would only complain about pending findings. */
const whyNotGold = (board: Board, sidebar: Sidebar, ref: string, now: number): string => {
  const gold = goldOf(board, ref);
  if (gold !== null && gold.status === 'rejected') return gold.validationNotes === null ? 'rejected' : `rejected: ${gold.validationNotes}`;
  const layer = tryOn(board);
  layer.sidebars.set(sidebar.id, { ...sidebar, status: 'REVIEWING', pause: null, waiting: null, archive: null });
  const decision = decide(layer, { type: 'sidebar.consolidate', sidebar: sidebar.id, goldCandidates: [ref] }, factsFor(SYSTEM, now));
  if (decision.ok) return 'excluded by you';
  if (decision.error.reason !== 'gold-unproven') return inPlainWords(decision.error);
  const { because, detail, evidence } = decision.error.facts;
  return because === 'superseded'
    ? `superseded: ${detail}`
    : because === 'unconfirmed'
      ? 'is not confirmed'
      : `based on ${evidence ?? 'a finding'}, which is ${detail}`;
};
