import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useToast } from '../../ui/toast.tsx';
import { countOf } from '../../ui/wording.ts';
import type { InboxItem } from './inbox-items.ts';
import { useWaitingInbox } from './waiting.ts';

/** PAGE-530: shows notices as toasts on every view; warnings look like warnings, and also stay in the tray. Renders nothing itself. */
export const NoticeToasts = () => {
  const { items } = useWaitingInbox();
  const tell = useToast();
  const [path] = useLocation();
  const known = useRef<ReadonlySet<string> | null>(null);
  const here = useRef(path);
  useEffect(() => {
    here.current = path;
  }, [path]);
  useEffect(() => {
    if (items === undefined) return;
    const before = known.current;
    known.current = new Set(items.map(({ key }) => key));
    // Notices that were there when the page opened are not news.
    if (before === null || document.hidden) return;
    const news = items.filter((item) => !before.has(item.key) && isTold(item, here.current));
    for (const { title, text, level } of news.slice(0, MOST_TOLD))
      tell({ tone: level === 'info' ? 'info' : 'bad', title, ...(text === null ? {} : { text }) });
    if (news.length > MOST_TOLD) tell({ tone: 'info', title: `${countOf(news.length - MOST_TOLD)} more notices`, text: 'They are listed on Home.' });
  }, [items, tell]);
  return null;
};

/** Skips notices about the current view, where the user sees them happen. */
const isTold = ({ kind, level, href, isPast }: InboxItem, path: string): boolean =>
  !isPast && (kind === 'decide' || (kind === 'notice' && level !== null)) && !isAt(href, path);

const isAt = (href: string, path: string): boolean => path === href.split('?')[0];

const MOST_TOLD = 2;
