import { isEnded, openConflicts, sidebarOf, type Board } from '@yarnboard/domain';
import type { InsideOutput } from '@yarnboard/protocol';
import { referencePath } from '../../ui/reference.tsx';

export type Inbox = InsideOutput<'inbox'>;
type Notice = Inbox['notices'][number];

export const INBOX_KINDS = ['validate', 'conflict', 'approve', 'check', 'review', 'notice'] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/** Something that waits for somebody, and where it is settled. */
export type InboxItem = {
  /** The same as long as it waits. */
  readonly key: string;
  readonly kind: InboxKind;
  readonly title: string;
  readonly text: string | null;
  readonly from: string | null;
  readonly at: string | null;
  readonly href: string;
  /** It was said in a sidebar that has ended since. */
  readonly isPast: boolean;
};

/** `settled`: nobody has to do anything about it any more. `ended`: it is still worth reading. */
type PastNotices = ReadonlyMap<string, 'settled' | 'ended'>;

/** PAGE-186: which notices have been overtaken, by the board as it is here. What the board does not know stays as it was told. */
export const pastNotices = (board: Board, { notices }: Inbox): PastNotices =>
  new Map(
    notices.flatMap((notice) => {
      const sidebar = sidebarOf(board, notice.contextId);
      if (sidebar === null) return [];
      if (isEnded(sidebar.status)) return [[keyOf(notice), ASKING.has(notice.kind) ? ('settled' as const) : ('ended' as const)] as const];
      if (notice.kind !== 'conflict') return [];
      // A notice does not say which conflict it is about, but it quotes it, as long as there is room.
      const isAbout = ({ description }: { readonly description: string }): boolean => notice.text.includes(description.slice(0, QUOTED));
      const isSettled = sidebar.scratchpad.conflicts.some(isAbout) && !openConflicts(sidebar.scratchpad).some(isAbout);
      return isSettled ? [[keyOf(notice), 'settled'] as const] : [];
    }),
  );

/** What holds others up first, then what was told, the latest first, then what can wait. */
export const inboxItems = (inbox: Inbox, past: PastNotices = NONE): readonly InboxItem[] => [
  ...inbox.toApprove.map((ref) => plain('approve', ref, `Approve merge of ${ref}`, pathTo(ref))),
  ...inbox.toCheck.map((ref) => plain('check', ref, `Review merge of ${ref}`, pathTo(ref))),
  ...inbox.conflicts.map(({ sidebarId, conflictId, conflictDescription }) => ({
    ...plain('conflict', conflictId, `Resolve a conflict in ${sidebarId}`, pathTo(sidebarId, 'scratchpad')),
    text: conflictDescription,
  })),
  ...inbox.toValidate.map(({ sidebarId, entryId, content, submittedBy }) => ({
    ...plain('validate', entryId, `Review a finding in ${sidebarId}`, pathTo(sidebarId, 'scratchpad')),
    text: content,
    from: submittedBy,
  })),
  ...inbox.notices
    .filter((notice) => past.get(keyOf(notice)) !== 'settled')
    .toReversed()
    .map((notice): InboxItem => ({
      ...plain('notice', keyOf(notice), NOTICE_TITLES.get(notice.kind) ?? notice.kind, placeOf(notice)),
      text: notice.text,
      from: notice.from,
      at: notice.at,
      isPast: past.has(keyOf(notice)),
    })),
  ...inbox.toReview.map((ref) => plain('review', ref, `Rate what ${ref} inherited`, pathTo(ref))),
];

/** How many there are beyond those that are told. */
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
});

const keyOf = ({ seq, kind }: Notice): string => `${seq}:${kind}`;

const pathTo = (sidebarRef: string, tab?: string): string => `/sidebars/${encodeURIComponent(sidebarRef)}${tab === undefined ? '' : `?tab=${tab}`}`;

/** Where it was said; what is said on the board as a whole is about something that has a reference. */
const placeOf = ({ kind, contextId, refs }: Notice): string =>
  /^SB-\d+$/u.test(contextId)
    ? pathTo(contextId, kind === 'conflict' ? 'scratchpad' : undefined)
    : (refs.map(referencePath).find((path) => path !== null) ?? '/sidebars');

const NOTICE_TITLES: ReadonlyMap<string, string> = new Map([
  ['mention', 'You were mentioned'],
  ['conflict', 'Conflict found'],
  ['dispute', 'Decision disputed'],
  ['escalation', 'Escalated to you'],
  ['merge', 'Merge'],
  ['resumed', 'Sidebar resumed'],
  ['gold', 'GOLD matched'],
  ['validated', 'Finding reviewed'],
  ['recruited', 'You were recruited'],
  ['tested', 'Test result'],
]);

/** What wants something of whoever is told. */
const ASKING: ReadonlySet<string> = new Set(['conflict', 'dispute', 'escalation', 'recruited', 'resumed']);
const QUOTED = 120;
const NONE: PastNotices = new Map();
