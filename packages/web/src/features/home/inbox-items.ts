import type { InsideOutput } from '@yarnboard/protocol';
import { referencePath } from '../../ui/reference.tsx';

export type Inbox = InsideOutput<'inbox'>;

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
};

/** What holds others up first, then what was told, the latest first, then what can wait. */
export const inboxItems = (inbox: Inbox): readonly InboxItem[] => [
  ...inbox.toApprove.map((ref) => plain('approve', ref, `Approve the merge of ${ref}`, pathTo(ref))),
  ...inbox.toCheck.map((ref) => plain('check', ref, `Check what ${ref} wants to merge`, pathTo(ref))),
  ...inbox.conflicts.map(({ sidebarId, conflictId, conflictDescription }) => ({
    ...plain('conflict', conflictId, `Settle a conflict in ${sidebarId}`, pathTo(sidebarId, 'scratchpad')),
    text: conflictDescription,
  })),
  ...inbox.toValidate.map(({ sidebarId, entryId, content, submittedBy }) => ({
    ...plain('validate', entryId, `Validate a finding in ${sidebarId}`, pathTo(sidebarId, 'scratchpad')),
    text: content,
    from: submittedBy,
  })),
  ...inbox.notices.toReversed().map(({ seq, at, kind, contextId, from, text, refs }): InboxItem => ({
    ...plain('notice', `${seq}:${kind}`, NOTICE_TITLES.get(kind) ?? kind, placeOf(contextId, refs)),
    text,
    from,
    at,
  })),
  ...inbox.toReview.map((ref) => plain('review', ref, `Score what ${ref} inherited`, pathTo(ref))),
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
});

const pathTo = (sidebarRef: string, tab?: string): string => `/sidebars/${encodeURIComponent(sidebarRef)}${tab === undefined ? '' : `?tab=${tab}`}`;

/** Where it was said; what is said on the board as a whole is about something that has a reference. */
const placeOf = (contextId: string, refs: readonly string[]): string =>
  /^SB-\d+$/u.test(contextId) ? pathTo(contextId) : (refs.map(referencePath).find((path) => path !== null) ?? '/sidebars');

const NOTICE_TITLES: ReadonlyMap<string, string> = new Map([
  ['mention', 'You were mentioned'],
  ['conflict', 'A conflict was found'],
  ['dispute', 'A decision is disputed'],
  ['escalation', 'Handed to you to decide'],
  ['merge', 'A merge'],
  ['resumed', 'A sidebar goes on'],
  ['gold', 'A GOLD waypoint fits'],
  ['validated', 'A finding was judged'],
  ['recruited', 'You were brought in'],
  ['tested', 'A test has a result'],
]);
