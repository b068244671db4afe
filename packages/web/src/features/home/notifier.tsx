import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useActor, useAsk } from '../../live/hooks.tsx';
import { useTellTabCount } from '../../ui/tab-count.tsx';
import { useActivity } from '../../shared/activity.ts';
import { isOpen, usePermissions, type Permission } from '../permissions/permissions.ts';
import { NoticeToasts } from './notice-toasts.tsx';
import { newsBetween, type Glance, type News } from './news.ts';
import { NextThing } from './next-thing.tsx';
import { useNotifications } from './notifications.ts';
import { useStanding } from '../../shared/standing.ts';
import { doingText } from '../../shared/titles.ts';
import { useWaitingInbox, waitingCount } from './waiting.ts';

/**
 * PAGE-532: counts what is waiting, on every view, for the tab title. PAGE-47: if allowed, notifies about waiting items and finished turns while the
 * tab is in the background.
 */
export const Notifier = () => {
  const { kind } = useNotifications();
  return (
    <>
      <Counting />
      <NoticeToasts />
      {kind === 'on' ? <Listening /> : null}
    </>
  );
};

const Counting = () => {
  // Home and the notifications poll more often; a mere count is not worth following every running session.
  const activity = useAsk('activity', {}, { everyMs: SELDOM });
  const { items } = useWaitingInbox();
  const permissions = usePermissions().data?.items ?? NO_PERMISSIONS;
  useTellTabCount(waitingCount(activity.data, items, permissions));
  return <NextThing activity={activity.data} permissions={permissions} />;
};

const Listening = () => {
  const actor = useActor();
  const activity = useActivity();
  const { items } = useWaitingInbox();
  const permissions = usePermissions().data?.items;
  const standing = useStanding();
  const [, navigate] = useLocation();
  const before = useRef<Glance | null>(null);
  useEffect(() => {
    if (activity.data === undefined || permissions === undefined || (actor !== null && items === undefined)) return;
    const glance: Glance = { activity: activity.data, inbox: items ?? [], permissions: permissions.filter(isOpen), standing };
    const news = before.current === null ? [] : newsBetween(before.current, glance);
    before.current = glance;
    if (document.hidden) for (const one of news.slice(0, MOST_AT_ONCE)) show(one, navigate);
  }, [activity.data, items, permissions, standing, actor, navigate]);
  return null;
};

const show = ({ tag, title, text, href }: News, navigate: (to: string) => void): void => {
  const notification = new Notification(title, { body: doingText(text), tag: `yarnboard:${tag}`, icon: '/icon.svg' });
  notification.addEventListener('click', () => {
    window.focus();
    navigate(href);
    notification.close();
  });
};

const MOST_AT_ONCE = 5;
const SELDOM = 30_000;
const NO_PERMISSIONS: readonly Permission[] = [];
