import { sessionTitle } from '../../shared/titles.ts';
import type { Activity } from '../../shared/activity.ts';
import { placeOf, titleOf, type Permission } from '../permissions/permissions.ts';
import type { Standing } from '../../shared/standing.ts';
import type { InboxItem } from './inbox-items.ts';

/** A notification for someone whose tab is in the background. */
export type News = { readonly tag: string; readonly title: string; readonly text: string; readonly href: string };

/** The state at one moment, to compare with the next. */
export type Glance = {
  readonly activity: Activity;
  readonly inbox: readonly InboxItem[];
  readonly permissions: readonly Permission[];
  readonly standing: Pick<Standing, 'kind' | 'word' | 'text'> | null;
};

/** PAGE-47: what is new between two glances: waiting items, finished turns, permission requests. */
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

/** PAGE-450: once per change of kind, whatever its counts. Resuming is not news, since it is over soon. */
const standingNews = (before: Glance['standing'], after: Glance['standing']): readonly News[] => {
  if (before?.kind === after?.kind || after?.kind === 'resuming') return [];
  if (after === null) return before === null ? [] : [{ tag: 'standing', title: 'All services are back', text: '', href: '/' }];
  const isOfRecovery = after.kind === 'recovery' || after.kind === 'conflicts' || after.kind === 'audit';
  return [{ tag: 'standing', title: after.word, text: after.text, href: isOfRecovery ? '/recovery' : '/health' }];
};

/** RT-54: a reminder counts as news again. */
const tagOf = ({ requestId, remindedAt }: Permission): string => `permission:${requestId}${remindedAt === null ? '' : ':again'}`;
