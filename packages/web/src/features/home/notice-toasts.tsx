import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useToast } from '../../ui/toast.tsx';
import { countOf } from '../../ui/wording.ts';
import type { InboxItem } from './inbox-items.ts';
import { useWaitingInbox } from './waiting.ts';

/** PAGE-530: what is only told is said in passing, wherever somebody looks; what warns is said so, and stays in the tray. Shows nothing itself. */
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
    // What was there when the page was opened is no news.
    if (before === null || document.hidden) return;
    const news = items.filter((item) => !before.has(item.key) && isTold(item, here.current));
    for (const { title, text, level } of news.slice(0, MOST_TOLD))
      tell({ tone: level === 'info' ? 'info' : 'bad', title, ...(text === null ? {} : { text }) });
    if (news.length > MOST_TOLD) tell({ tone: 'info', title: `${countOf(news.length - MOST_TOLD)} more notices`, text: 'They are listed on Home.' });
  }, [items, tell]);
  return null;
};

/** Whoever looks at the place sees what happens there. */
const isTold = ({ kind, level, href, isPast }: InboxItem, path: string): boolean =>
  !isPast && (kind === 'decide' || (kind === 'notice' && level !== null)) && !isAt(href, path);

const isAt = (href: string, path: string): boolean => path === href.split('?')[0];

const MOST_TOLD = 2;
