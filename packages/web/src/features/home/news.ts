import { sessionTitle } from '../../shared/titles.ts';
import type { Activity } from '../../shared/activity.ts';
import { placeOf, titleOf, type Permission } from '../permissions/permissions.ts';
import type { Standing } from '../../shared/standing.ts';
import type { InboxItem } from './inbox-items.ts';

/** What somebody who looks away wants to be told. */
export type News = { readonly tag: string; readonly title: string; readonly text: string; readonly href: string };

/** What was going on when it was looked at last. */
export type Glance = {
  readonly activity: Activity;
  readonly inbox: readonly InboxItem[];
  readonly permissions: readonly Permission[];
  readonly standing: Pick<Standing, 'kind' | 'word' | 'text'> | null;
};

/** PAGE-47: what came between two glances: items that wait, turns that are over, permissions that are asked for. */
export const newsBetween = (before: Glance, after: Glance): readonly News[] => {
  const knownItems = new Set(before.inbox.map(({ key }) => key));
  const knownAsked = new Set(before.permissions.map(tagOf));
  const working = new Set(before.activity.sessions.filter(({ isWorking }) => isWorking).map(({ sessionId }) => sessionId));
  return [
    ...standingNews(before.standing, after.standing),
    ...after.permissions
      .filter((permission) => !knownAsked.has(tagOf(permission)))
      .map((permission) => ({
        tag: tagOf(permission),
        title: permission.remindedAt === null ? titleOf(permission) : `Still waiting: ${titleOf(permission)}`,
        text: permission.summary,
        href: placeOf(permission) ?? '/',
      })),
    ...after.inbox
      .filter(({ key, isWaiting }) => isWaiting && !knownItems.has(key))
      .map(({ key, title, text, href }) => ({ tag: key, title, text: text ?? '', href })),
    ...after.activity.sessions
      .filter(({ sessionId, isWorking }) => !isWorking && working.has(sessionId))
      .map((session) => ({
        tag: `turn:${session.sessionId}`,
        title: `Done: ${sessionTitle(session.title)}`,
        text: session.doing ?? '',
        href: `/sessions/${encodeURIComponent(session.sessionId)}`,
      })),
  ];
};

/** PAGE-450: once per change, whatever is counted meanwhile. That it is resuming is no news: it is over soon. */
const standingNews = (before: Glance['standing'], after: Glance['standing']): readonly News[] => {
  if (before?.kind === after?.kind || after?.kind === 'resuming') return [];
  if (after === null) return before === null ? [] : [{ tag: 'standing', title: 'All services are back', text: '', href: '/' }];
  const isOfRecovery = after.kind === 'recovery' || after.kind === 'conflicts' || after.kind === 'audit';
  return [{ tag: 'standing', title: after.word, text: after.text, href: isOfRecovery ? '/recovery' : '/health' }];
};

/** RT-54: what is told again is news again. */
const tagOf = ({ requestId, remindedAt }: Permission): string => `permission:${requestId}${remindedAt === null ? '' : ':again'}`;
