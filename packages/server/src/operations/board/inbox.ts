import {
  askedToReview,
  cutText,
  isEnded,
  isSomebody,
  openConflicts,
  OPERATOR,
  refOfFinding,
  rowsOf,
  sidebarIdOfContext,
  wishOf,
  type Board,
  type Gold,
  type Sidebar,
} from '@yarnboard/domain';
import { namesOf } from './names.ts';

export type InboxNeeds = {
  readonly board: Board;
  /** The last position of the log. */
  readonly position: number;
  /** Whether a sidebar has inherited anything that was said: the board does not know. */
  readonly hasInherited: (sidebar: Sidebar) => Promise<boolean>;
};

/** API-18: what waits for somebody, the oldest first, in short; `more` counts what is left out. */
export const inboxView = async ({ board, position, hasInherited }: InboxNeeds, agentId: string) => {
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
    .filter((sidebar) => sidebar.curator === agentId || sidebar.participants.includes(agentId))
    .flatMap((sidebar) => openConflicts(sidebar.scratchpad).map((conflict) => ({ sidebar, conflict })));
  // MERGE-9: what somebody put together is for others to check and approve; where those are the same, for the human.
  const isFor = (sidebar: Sidebar, holder: string): boolean =>
    holder === sidebar.merge?.proposedBy && holder !== OPERATOR.id ? agentId === OPERATOR.id : agentId === holder;
  const toCheck = consolidating.filter((sidebar) => isFor(sidebar, sidebar.curator) && !checked(sidebar)).map(({ ref }) => ref);
  const toApprove = consolidating.filter((sidebar) => isFor(sidebar, sidebar.coordinator) && checked(sidebar)).map(({ ref }) => ref);
  // GOLD-10: a waypoint waits for the curator of where it was found, or for the human: nobody validates their own.
  const golds = rowsOf(board.golds).filter((gold) => gold.status === 'pending' && gold.superseded === null && validatorOf(board, gold) === agentId);
  // PROP-4: a proposal waits for the coordinator, or for the human where that is gone.
  const toAnswer = sidebars
    .filter(({ coordinator }) => (isSomebody(board, coordinator) ? coordinator : OPERATOR.id) === agentId)
    .flatMap((sidebar) => sidebar.proposals.map((one) => ({ sidebar, one })));
  const unscored: string[] = [];
  for (const sidebar of sidebars) if (askedToReview(sidebar).includes(agentId) && (await hasInherited(sidebar))) unscored.push(sidebar.ref);
  return {
    agentId,
    // Whoever acknowledges it must not acknowledge what was not shown.
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
    conflicts: conflicts.slice(0, MOST_LISTED).map(({ sidebar, conflict }) => ({
      sidebarId: sidebar.ref,
      conflictId: conflict.id,
      conflictDescription: shortened(conflict.description),
    })),
    more: {
      notices: beyond(notices),
      toValidate: beyond(toValidate),
      goldToValidate: beyond(golds),
      toAnswer: beyond(toAnswer),
      toCheck: beyond(toCheck),
      toApprove: beyond(toApprove),
      toReview: beyond(unscored),
      conflicts: beyond(conflicts),
    },
  };
};

const sidebarOfContext = (board: Board, contextId: string): Sidebar | null => board.sidebars.get(sidebarIdOfContext(contextId) ?? '') ?? null;

const validatorOf = (board: Board, { createdIn, createdBy }: Gold): string =>
  judgeOf(board, sidebarOfContext(board, createdIn)?.curator ?? OPERATOR.id, createdBy);

/** Nobody judges their own, and nobody who is gone judges anything: then it is the human's. */
const judgeOf = (board: Board, holder: string, maker: string): string => (holder === maker || !isSomebody(board, holder) ? OPERATOR.id : holder);

const beyond = ({ length }: readonly unknown[]): number => Math.max(0, length - MOST_LISTED);
const shortened = (text: string): string => (text.length <= MOST_SAID ? text : `${cutText(text, MOST_SAID)}…`);

const MOST_LISTED = 100;
const MOST_SAID = 300;
