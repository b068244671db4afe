import { printable } from '@yarnboard/transcript';
import { goldOf, sidebarOf, type Level } from '@yarnboard/domain';
import {
  BadgeCheck,
  BellRing,
  CheckCheck,
  ClipboardCheck,
  GitMerge,
  MessageCircleQuestion,
  Scale,
  ScanEye,
  Siren,
  Sparkles,
  Swords,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAskAgain, useBoard, useCommand } from '../../live/hooks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { countOf } from '../../ui/wording.ts';
import { nameOf } from '../../shared/names.ts';
import { GoldAnswer } from '../../shared/gold-answer.tsx';
import { ProposalAnswer } from '../../shared/proposal-answer.tsx';
import { inboxRest, type Inbox, type InboxItem, type InboxKind } from './inbox-items.ts';
import './inbox-list.css';
import { useSeen } from './seen.ts';

type InboxListProps = {
  readonly inbox: Inbox;
  readonly items: readonly InboxItem[];
  /** Only part of the inbox; the whole list is elsewhere. */
  readonly isPart?: boolean;
  readonly onOpen?: () => void;
};

/** PAGE-44: what is waiting for the current user, with links to where to deal with it. */
export const InboxList = ({ inbox, items, isPart = false, onOpen }: InboxListProps) => {
  const { isSeen, see } = useSeen();
  const [isWhole, setIsWhole] = useState(false);
  const rest = inboxRest(inbox);
  const open = ({ key }: InboxItem): void => {
    see([key]);
    onOpen?.();
  };
  const isNew = ({ key, isPast }: InboxItem): boolean => !isPast && !isSeen(key);
  // PAGE-532: decisions are never folded away.
  const first = Math.max(SHOWN_FIRST, items.filter(({ kind }) => kind === 'decide').length);
  const shown = isWhole || isPart ? items : items.slice(0, first);
  return (
    <div className="card">
      <ul className="inbox">
        {shown.map((item) => (
          <li key={item.key}>
            <InboxLine item={item} isUnread={isNew(item)} onOpen={() => open(item)} />
            <CanPause sidebars={item.canPause} {...(onOpen === undefined ? {} : { onOpen })} />
            {item.shownGold === null ? null : <ShownGold {...item.shownGold} />}
            {item.proposal === null ? null : (
              <div className="inbox-answer">
                <ProposalAnswer {...item.proposal} about={item.title} />
              </div>
            )}
          </li>
        ))}
      </ul>
      <div className="inbox-foot" hidden={isPart}>
        {items.length > first ? (
          <Button variant="quiet" size="small" onClick={() => setIsWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? 'Show fewer' : `Show all ${items.length}`}
          </Button>
        ) : null}
        {rest > 0 ? <span className="small soft">and {countOf(rest)} more</span> : null}
        <ReadAll inbox={inbox} isAnyUnread={items.some(isNew)} onRead={() => see(items.map(({ key }) => key))} />
      </div>
    </div>
  );
};

/** PAGE-640: lets you rate GOLD right where the inbox says that it surfaced. */
const ShownGold = ({ goldId, where }: NonNullable<InboxItem['shownGold']>) => {
  const gold = useBoard((board) => goldOf(board, goldId), [goldId]);
  const contextId = useBoard((board) => sidebarOf(board, where)?.contextId ?? where, [where]);
  return gold === null ? null : (
    <div className="inbox-answer">
      <GoldAnswer gold={gold} contextId={contextId} place={where} />
    </div>
  );
};

/** PAGE-533: sidebars that could be paused to make room for what is waiting. */
const CanPause = ({ sidebars, onOpen }: { readonly sidebars: InboxItem['canPause']; readonly onOpen?: () => void }) =>
  sidebars.length === 0 ? null : (
    <p className="inbox-answer inbox-pausable">
      <span className="soft">Pause one to make room:</span>
      {sidebars.map(({ sidebarId, priority }) => (
        <Link key={sidebarId} href={`/sidebars/${encodeURIComponent(sidebarId)}`} onClick={onOpen}>
          {sidebarId} ({priority})
        </Link>
      ))}
    </p>
  );

const InboxLine = ({ item, isUnread, onOpen }: { readonly item: InboxItem; readonly isUnread: boolean; readonly onOpen: () => void }) => {
  const Icon = item.level === null ? ICONS[item.kind] : LEVEL_ICONS[item.level];
  return (
    <Link href={item.href} className={`inbox-item${isUnread ? ' inbox-item-unread' : ''}`} onClick={onOpen}>
      <Icon aria-hidden />
      <span className="inbox-words">
        <span className="inbox-title">
          {isUnread ? <span className="visually-hidden">Unread: </span> : null}
          <LevelMark level={item.level} />
          {printable(item.title)}
        </span>
        {item.text === null ? null : <span className="inbox-text">{printable(item.text)}</span>}
        {item.from === null && item.at === null ? null : (
          <span className="byline">
            {item.isPast ? <span>sidebar ended</span> : null}
            {item.from === null ? null : <span>{nameOf(item.from)}</span>}
            {item.at === null ? null : <Moment at={item.at} />}
          </span>
        )}
      </span>
      {isUnread ? <span className="inbox-dot" aria-hidden /> : null}
    </Link>
  );
};

/** PAGE-211: the level as a word and an icon; info needs no mark. */
const LevelMark = ({ level }: { readonly level: Level | null }) => {
  if (level === null || level === 'info') return null;
  return (
    <>
      <Badge tone={level === 'escalate' ? 'bad' : 'warn'}>{level === 'escalate' ? 'Needs a decision' : 'Warning'}</Badge>{' '}
    </>
  );
};

/** Notices disappear once read; tasks stay, without the unread mark. */
const ReadAll = ({ inbox, isAnyUnread, onRead }: { readonly inbox: Inbox; readonly isAnyUnread: boolean; readonly onRead: () => void }) => {
  const { send, isSending, refusal } = useCommand('inbox_ack');
  const askAgain = useAskAgain();
  if (!isAnyUnread && inbox.notices.length === 0) return null;
  const read = async (): Promise<void> => {
    onRead();
    if (inbox.notices.length === 0) return;
    await send({ seq: inbox.seq });
    askAgain('inbox');
  };
  return (
    <>
      <Button variant="quiet" size="small" icon={CheckCheck} isBusy={isSending} onClick={() => void read()}>
        Mark all as read
      </Button>
      {refusal === null ? null : (
        <span className="inbox-refusal" role="alert">
          {refusal}
        </span>
      )}
    </>
  );
};

const LEVEL_ICONS = { escalate: Siren, warning: TriangleAlert, info: BellRing } as const satisfies Record<Level, LucideIcon>;

const ICONS = {
  decide: Siren,
  answer: MessageCircleQuestion,
  gold: Sparkles,
  approve: GitMerge,
  check: ClipboardCheck,
  validate: ScanEye,
  conflict: Swords,
  dispute: Swords,
  verify: BadgeCheck,
  review: Scale,
  notice: BellRing,
} as const satisfies Record<InboxKind, LucideIcon>;

const SHOWN_FIRST = 3;
