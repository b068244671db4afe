import {
  askedToReview,
  cutText,
  isEnded,
  isSomebody,
  openConflicts,
  OPERATOR,
  refOfFinding,
  refOfItem,
  rowsOf,
  sidebarIdOfContext,
  takesPart,
  wishOf,
  type Board,
  type Gold,
  type Sidebar,
  stateTtl,
} from '@yarnboard/domain';
import { toJudge, toSettle } from './claims.ts';
import { toDecide } from './decisions.ts';
import { namesOf } from './names.ts';

/**
 * MEM-12: the sidebars whose inherited memory this agent is asked to score. The board can't tell whether a sidebar inherited any messages, so the
 * caller does.
 */
export const reviewsFor = async (board: Board, agentId: string, hasInherited: (sidebar: Sidebar) => Promise<boolean>): Promise<readonly string[]> => {
  const reviews: string[] = [];
  for (const sidebar of rowsOf(board.sidebars)) {
    if (!isEnded(sidebar.status) && askedToReview(sidebar).includes(agentId) && (await hasInherited(sidebar))) reviews.push(sidebar.ref);
  }
  return reviews;
};

/** API-18: everything that waits for an agent, oldest first and shortened; `more` counts what was left out. */
export const inboxView = (board: Board, agentId: string, position: number, { unscored = [], unverified = [], at = 0 }: Found = {}) => {
  const names = namesOf(board);
  const sidebars = rowsOf(board.sidebars).filter(({ status }) => !isEnded(status));
  const checked = ({ merge }: Sidebar): boolean => merge?.checks.findLast(({ as }) => as === 'curator') !== undefined;
  const consolidating = sidebars.filter(({ status, merge }) => status === 'CONSOLIDATING' && merge !== null);
  const notices = board.notices.get(agentId) ?? [];
  const toValidate = sidebars.flatMap((sidebar) =>
    sidebar.scratchpad.findings
      .filter(({ status, supersededBy, validatedBy }) => status === 'pending' && supersededBy === null && validatedBy === null)
      .filter(({ submittedBy }) => judgeOf(board, sidebar.curator, submittedBy) === agentId)
      .map((finding) => ({ sidebar, finding })),
  );
  const conflicts = sidebars
    .filter((sidebar) => sidebar.participants.includes(agentId) || somebody(board, sidebar.curator) === agentId)
    .flatMap((sidebar) => openConflicts(sidebar.scratchpad).map((conflict) => ({ sidebar, conflict })));
  const toCheck = consolidating.filter((sidebar) => checkerOf(board, sidebar) === agentId && !checked(sidebar)).map(({ ref }) => ref);
  const toApprove = consolidating.filter((sidebar) => approverOf(board, sidebar) === agentId && checked(sidebar)).map(({ ref }) => ref);
  // GOLD-10: a waypoint waits for the curator of the sidebar it was found in, or for the human: nobody validates their own.
  const golds = rowsOf(board.golds).filter((gold) => gold.status === 'pending' && gold.superseded === null && validatorOf(board, gold) === agentId);
  // PROP-4: a proposal waits for the coordinator, or for the human if the coordinator is gone.
  const toAnswer = sidebars
    .filter(({ coordinator }) => somebody(board, coordinator) === agentId)
    .flatMap((sidebar) => sidebar.proposals.map((one) => ({ sidebar, one })));
  const decisions = toDecide(board, sidebars, agentId);
  const disputed = toSettle(sidebars, (sidebar, { saidBy }) => settlerOf(board, sidebar, saidBy), agentId, { now: at, ttl: stateTtl(board) });
  const disagreeing = agentId === OPERATOR.id ? toJudge(sidebars) : [];
  return {
    agentId,
    // Acknowledging up to `seq` must not cover notices that weren't shown.
    seq: notices.length > MOST_LISTED ? (notices[MOST_LISTED - 1]?.position ?? position) : position,
    notices: notices.slice(0, MOST_LISTED).map((notice) => ({
      seq: notice.position,
      at: new Date(notice.at).toISOString(),
      kind: notice.kind,
      level: notice.level,
      contextId: names.context(notice.contextId),
      from: notice.from,
      text: shortened(notice.text),
      refs: notice.refs,
    })),
    toDecide: decisions
      .slice(0, MOST_LISTED)
      .map((one) => ({ ...one, reason: shortened(one.reason), canPause: one.canPause.slice(0, MOST_PAUSABLE) })),
    toValidate: toValidate.slice(0, MOST_LISTED).map(({ sidebar, finding }) => ({
      sidebarId: sidebar.ref,
      entryId: refOfFinding(sidebar.ref, finding),
      content: shortened(finding.content),
      submittedBy: finding.submittedBy,
    })),
    goldToValidate: golds.slice(0, MOST_LISTED).map(({ ref, keyInsight, createdBy, createdIn }) => ({
      goldId: ref,
      keyInsight: shortened(keyInsight),
      createdBy,
      sidebarId: sidebarOfContext(board, createdIn)?.ref ?? null,
    })),
    toAnswer: toAnswer.slice(0, MOST_LISTED).map(({ sidebar, one }) => ({
      sidebarId: sidebar.ref,
      proposalId: `PROPOSAL-${one.number}`,
      proposal: wishOf(one.proposal, sidebar.ref),
      proposedBy: one.by,
    })),
    toCheck: toCheck.slice(0, MOST_LISTED),
    toApprove: toApprove.slice(0, MOST_LISTED),
    toReview: unscored.slice(0, MOST_LISTED),
    toVerify: unverified.slice(0, MOST_LISTED),
    toSettle: disputed.slice(0, MOST_LISTED),
    toJudge: disagreeing.slice(0, MOST_LISTED),
    conflicts: conflicts.slice(0, MOST_LISTED).map(({ sidebar, conflict }) => ({
      sidebarId: sidebar.ref,
      conflictId: refOfItem(sidebar, 'CONFLICT', conflict.id),
      conflictDescription: shortened(conflict.description),
    })),
    more: {
      notices: beyond(notices),
      toDecide: beyond(decisions),
      toValidate: beyond(toValidate),
      goldToValidate: beyond(golds),
      toAnswer: beyond(toAnswer),
      toCheck: beyond(toCheck),
      toApprove: beyond(toApprove),
      toReview: beyond(unscored),
      toVerify: beyond(unverified),
      toSettle: beyond(disputed),
      toJudge: beyond(disagreeing),
      conflicts: beyond(conflicts),
    },
  };
};

/** CLAIM-6: nobody settles their own claims. */
const settlerOf = (board: Board, { curator }: Sidebar, saidBy: readonly string[]): string =>
  saidBy.includes(curator) ? OPERATOR.id : somebody(board, curator);

/** What the board doesn't know, and the time of the request. */
type Found = {
  readonly unscored?: readonly string[];
  readonly unverified?: readonly { readonly sidebarId: string; readonly exchangeId: string }[];
  readonly at?: number;
};

const sidebarOfContext = (board: Board, contextId: string): Sidebar | null => board.sidebars.get(sidebarIdOfContext(contextId) ?? '') ?? null;

const validatorOf = (board: Board, { createdIn, createdBy }: Gold): string =>
  judgeOf(board, sidebarOfContext(board, createdIn)?.curator ?? OPERATOR.id, createdBy);

/** MERGE-9: a prepared merge is reviewed and approved by others, not by its author. */
const checkerOf = (board: Board, { curator, merge }: Sidebar): string => judgeOf(board, curator, merge?.proposedBy ?? OPERATOR.id);

/** MERGE-10: a merge that the coordinator may not do alone waits for the human. */
const approverOf = (board: Board, { coordinator, merge, parent, mergeTarget }: Sidebar): string => {
  const judge = judgeOf(board, coordinator, merge?.proposedBy ?? OPERATOR.id);
  const target = parent ?? mergeTarget;
  // A root without a target merges into a session that the approval names.
  if (target === null || target.kind === 'session')
    return judgeOf(board, judge, merge?.checks.findLast(({ as }) => as === 'curator')?.by ?? OPERATOR.id);
  const into = board.sidebars.get(target.sidebarId);
  return into === undefined || takesPart(into, { id: judge, type: 'agent' }) ? judge : OPERATOR.id;
};

/** Nobody judges their own work, and an agent that is gone judges nothing; the human does instead. */
const judgeOf = (board: Board, holder: string, maker: string): string => (holder === maker ? OPERATOR.id : somebody(board, holder));

const somebody = (board: Board, holder: string): string => (isSomebody(board, holder) ? holder : OPERATOR.id);

const beyond = ({ length }: readonly unknown[]): number => Math.max(0, length - MOST_LISTED);
const shortened = (text: string): string => (text.length <= MOST_SAID ? text : `${cutText(text, MOST_SAID)}…`);

const MOST_LISTED = 100;
const MOST_PAUSABLE = 10;
const MOST_SAID = 300;
