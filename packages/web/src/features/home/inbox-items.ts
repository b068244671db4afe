import { goldOf, isEnded, openConflicts, proposalOf, sidebarOf, type Board, type Level, type NoticeKind } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { nameOf } from '../../shared/names.ts';
import { seatPath } from '../agents/agent-work.tsx';
import { referencePath, shortName } from '../../ui/reference.tsx';

export type Inbox = InsideOutput<'inbox'>;
type Notice = Inbox['notices'][number];
type Decision = Inbox['toDecide'][number];

export const INBOX_KINDS = ['decide', 'answer', 'validate', 'gold', 'conflict', 'approve', 'check', 'dispute', 'review', 'verify', 'notice'] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** Something waiting for the user, and where to deal with it. */
export type InboxItem = {
  /** Stays the same as long as the item waits. */
  readonly key: string;
  readonly kind: InboxKind;
  readonly title: string;
  readonly text: string | null;
  readonly from: string | null;
  readonly at: string | null;
  readonly href: string;
  /** The sidebar it comes from has ended since. */
  readonly isPast: boolean;
  /** The level of a notice; null for a task. */
  readonly level: Level | null;
  /** PAGE-211: the user has to do, decide or answer something, rather than just be informed. */
  readonly isWaiting: boolean;
  /** PAGE-533: sidebars that could be paused to make room for it. */
  readonly canPause: readonly { readonly sidebarId: string; readonly priority: string }[];
  /** The proposal, if it can be answered in the list. */
  readonly proposal: { readonly sidebarId: string; readonly proposalId: string } | null;
  /** GOLD that surfaced somewhere, and can be rated there. */
  readonly shownGold: { readonly goldId: string; readonly where: string } | null;
};

/** By key. `settled`: no one has to do anything about it any more. `ended`: still worth reading. */
type Past = ReadonlyMap<string, 'settled' | 'ended'>;

/** PAGE-186: what is out of date according to this page's copy of the board. Items that it doesn't know stay as the server sent them. */
export const pastItems = (board: Board, { notices, toAnswer, goldToValidate }: Inbox): Past =>
  new Map([
    ...notices.flatMap((notice) => pastNotice(board, notice)),
    ...toAnswer.flatMap(({ sidebarId, proposalId }) => {
      const sidebar = sidebarOf(board, sidebarId);
      return sidebar === null || (!isEnded(sidebar.status) && proposalOf(sidebar, proposalId) !== null)
        ? []
        : [[answerKey(sidebarId, proposalId), 'settled'] as const];
    }),
    ...goldToValidate.flatMap(({ goldId }) => {
      const gold = goldOf(board, goldId);
      return gold === null || (gold.status === 'pending' && gold.superseded === null) ? [] : [[`gold:${goldId}`, 'settled'] as const];
    }),
  ]);

const pastNotice = (board: Board, notice: Notice): readonly (readonly [string, 'settled' | 'ended'])[] => {
  const sidebar = sidebarOf(board, notice.contextId);
  if (sidebar === null || ENDINGS.has(notice.kind)) return [];
  if (isEnded(sidebar.status)) return [[noticeKey(notice), ASKING.has(notice.kind) ? 'settled' : 'ended']];
  if (notice.kind !== 'conflict') return [];
  // A notice does not name its conflict, but it quotes the conflict's description as far as there is room.
  const isAbout = ({ description }: { readonly description: string }): boolean => notice.text.includes(description.slice(0, QUOTED));
  const isSettled = sidebar.scratchpad.conflicts.some(isAbout) && !openConflicts(sidebar.scratchpad).some(isAbout);
  return isSettled ? [[noticeKey(notice), 'settled']] : [];
};

/** PAGE-211: decisions first, then what blocks others, then notices (warnings first, latest first), then what can wait. */
export const inboxItems = (inbox: Inbox, past: Past = NONE): readonly InboxItem[] => {
  const notices = inbox.notices
    .filter((notice) => !isListedOtherwise(notice) && !inbox.toDecide.some((one) => isAbout(notice, one)))
    .toReversed()
    .map((notice): InboxItem => noticeItem(notice, past.has(noticeKey(notice))));
  const told = (level: Level): readonly InboxItem[] => notices.filter((item) => item.level === level);
  const items: readonly InboxItem[] = [
    ...inbox.toDecide.map(decideItem),
    ...told('escalate'),
    ...inbox.toAnswer.map(({ sidebarId, proposalId, proposal, proposedBy }) => ({
      ...plain('answer', `${sidebarId}:${proposalId}`, `${nameOf(proposedBy)} wants to ${proposal}`, pathTo(sidebarId)),
      proposal: { sidebarId, proposalId },
    })),
    ...inbox.toApprove.map((ref) => plain('approve', ref, `Approve merge of ${ref}`, pathTo(ref))),
    ...inbox.toCheck.map((ref) => plain('check', ref, `Review merge of ${ref}`, pathTo(ref))),
    ...inbox.conflicts.map(({ sidebarId, conflictId, conflictDescription }) => ({
      ...plain('conflict', conflictId, `Resolve a conflict in ${sidebarId}`, pathTo(sidebarId, 'scratchpad')),
      // The title already names the sidebar.
      text: conflictDescription.replaceAll(/\bSCRATCH-\d+:FINDING-\d+\b/gu, shortName),
    })),
    ...inbox.toSettle.map(({ sidebarId, claimId, exchangeId, agents }) => ({
      ...plain('dispute', claimId, `Settle ${exchangeId} in ${sidebarId}`, pathToClaim(sidebarId, claimId)),
      text: `${agents.map(nameOf).join(' and ')} disagree about whether it is true`,
    })),
    ...inbox.toJudge.map(({ sidebarId, claimId, claim, conflicts }) => ({
      ...plain('dispute', `${claimId}:checks`, `Checks disagree in ${sidebarId}`, pathToClaim(sidebarId, claimId)),
      text: [claim, ...conflicts].join(' · '),
    })),
    ...inbox.toValidate.map(({ sidebarId, entryId, content, submittedBy }) => ({
      ...plain('validate', entryId, `Review a finding in ${sidebarId}`, pathTo(sidebarId, 'scratchpad')),
      text: content,
      from: submittedBy,
    })),
    ...inbox.goldToValidate.map(({ goldId, keyInsight, createdBy, sidebarId }) => ({
      ...plain('gold', goldId, `Review ${goldId}${sidebarId === null ? '' : ` from ${sidebarId}`}`, referencePath(goldId) ?? '/gold'),
      text: keyInsight,
      from: createdBy,
    })),
    ...told('warning'),
    ...told('info'),
    ...inbox.toReview.map((ref) => plain('review', ref, `Rate what ${ref} inherited`, pathTo(ref))),
    ...inbox.toVerify.map(({ sidebarId, exchangeId }) =>
      plain('verify', `${sidebarId}:${exchangeId}`, `Check ${exchangeId} in ${sidebarId}`, pathTo(sidebarId)),
    ),
  ];
  return items.filter(({ key }) => past.get(key) !== 'settled');
};

/** How many items exist beyond those listed. */
export const inboxRest = ({ more }: Inbox): number => Object.values(more).reduce((sum, n) => sum + n, 0);

const plain = (kind: InboxKind, id: string, title: string, href: string): InboxItem => ({
  key: `${kind}:${id}`,
  kind,
  title,
  text: null,
  from: null,
  at: null,
  href,
  isPast: false,
  level: null,
  isWaiting: true,
  canPause: [],
  proposal: null,
  shownGold: null,
});

const noticeItem = (notice: Notice, isPast: boolean): InboxItem => ({
  ...plain('notice', `${notice.seq}:${notice.kind}`, titleOf(notice.kind), placeOf(notice)),
  text: notice.text,
  from: notice.from,
  at: notice.at,
  isPast,
  level: notice.level,
  isWaiting: !isPast && (notice.level !== 'info' || ADDRESSED.has(notice.kind)),
  shownGold: notice.kind === 'gold' && notice.level === 'info' ? shownGoldOf(notice) : null,
});

const shownGoldOf = ({ refs, contextId }: Notice): InboxItem['shownGold'] => {
  const goldId = refs.find((ref) => ref.startsWith('GOLD-'));
  return goldId === undefined ? null : { goldId, where: contextId };
};

/** AGT-13: stays listed until decided, without its notice beside it. */
const decideItem = ({ what, sidebarId, agentId, since, reason, canPause }: Decision): InboxItem => ({
  ...plain('decide', `${what}:${sidebarId}:${agentId}`, decisionTitle(what, sidebarId, nameOf(agentId)), placeToDecide(what, sidebarId, agentId)),
  text: what === 'queued' ? 'All its seats are taken, and nothing could be paused automatically.' : reason,
  from: what === 'escalation' || what === 'request' ? agentId : null,
  at: since,
  level: 'escalate',
  canPause,
});

const decisionTitle = (what: Decision['what'], sidebarId: string, name: string): string => {
  if (what === 'request') return `${name} asks you to join ${sidebarId}`;
  if (what === 'escalation') return `${name} needs your decision in ${sidebarId}`;
  return what === 'queued' ? `CRITICAL task ${sidebarId} waits for ${name}` : `${name} keeps failing in ${sidebarId}`;
};

const placeToDecide = (what: Decision['what'], sidebarId: string, agentId: string): string =>
  what === 'failed' ? seatPath(sidebarId, agentId) : pathTo(sidebarId);

/** Whether a notice is about the given decision. */
const isAbout = ({ level, kind, contextId }: Notice, { what, sidebarId }: Decision): boolean =>
  level === 'escalate' && contextId === sidebarId && kind === NOTICE_OF[what];

const NOTICE_OF = { request: 'recruited', escalation: 'escalation', queued: 'capacity', failed: 'seat' } as const satisfies Record<
  Decision['what'],
  NoticeKind
>;

const noticeKey = ({ seq, kind }: Notice): string => `notice:${seq}:${kind}`;
const answerKey = (sidebarId: string, proposalId: string): string => `answer:${sidebarId}:${proposalId}`;

/**
 * A proposal, a package, a permission, a request, an escalation, a full agent or disagreeing checks wait for someone. They are listed as tasks, with
 * a way to do them, and disappear once done, so their notices are hidden.
 */
const isListedOtherwise = ({ kind, level }: Notice): boolean =>
  kind === 'permission' ||
  (level === 'escalate' && (kind === 'escalation' || kind === 'capacity' || kind === 'recruited')) ||
  (level === 'escalate' && (kind === 'proposal' || kind === 'package')) ||
  (kind === 'check' && level === 'warning');

const pathTo = (sidebarRef: string, tab?: string): string => `/sidebars/${encodeURIComponent(sidebarRef)}${tab === undefined ? '' : `?tab=${tab}`}`;

const pathToClaim = (sidebarRef: string, claimId: string): string => `${pathTo(sidebarRef, 'claims')}&claim=${/\d+$/u.exec(claimId)?.[0] ?? ''}`;

/** Where it happened; a notice about the whole board links to the first reference it names. */
const placeOf = ({ kind, contextId, refs }: Notice): string =>
  /^SB-\d+$/u.test(contextId)
    ? pathTo(contextId, kind === 'conflict' ? 'scratchpad' : undefined)
    : (refs.map(referencePath).find((path) => path !== null) ?? '/sidebars');

/** Kinds that only a newer server knows are shown by their raw name. */
const titleOf = (kind: string): string => Object.entries(NOTICE_TITLES).find(([known]) => known === kind)?.[1] ?? kind;

const NOTICE_TITLES: Readonly<Record<NoticeKind, string>> = {
  check: 'Check result',
  mention: 'You were mentioned',
  conflict: 'Conflict found',
  dispute: 'Decision disputed',
  escalation: 'Escalated to you',
  merge: 'Sidebar merged',
  resumed: 'Sidebar resumed',
  gold: 'GOLD matched',
  validated: 'Your work was reviewed',
  recruited: 'You were recruited',
  tested: 'Test result',
  joined: 'Someone joined',
  left: 'Someone left',
  role: 'Roles changed',
  paused: 'Sidebar paused',
  waiting: 'Sidebar is waiting',
  review: 'Sidebar in review',
  failed: 'Sidebar failed',
  archived: 'Sidebar archived',
  promoted: 'Test promoted',
  forked: 'Sidebar forked',
  package: 'Merge reviewed',
  child: 'Child sidebar ended',
  changed: 'Sidebar changed',
  intervention: 'The operator stepped in',
  annotated: 'Note on your finding',
  media: 'Upload failed',
  retired: 'Agent retired',
  proposal: 'Your proposal was answered',
  capacity: 'Agent at capacity',
  request: 'News of a request',
  suggestion: 'Someone might help',
  seat: 'An agent needs you',
  permission: 'Permission asked',
};

/** Kinds that want something from the recipient. */
const ASKING: ReadonlySet<string> = new Set(['conflict', 'dispute', 'escalation', 'recruited', 'resumed']);
/** Kinds addressed to one person, who may want to answer. */
const ADDRESSED: ReadonlySet<string> = new Set(['mention', 'recruited']);
/** A notice that a sidebar has ended is not outdated by that end. */
const ENDINGS: ReadonlySet<string> = new Set(['failed', 'archived', 'merge', 'child', 'forked', 'proposal']);
const QUOTED = 120;
const NONE: Past = new Map();
