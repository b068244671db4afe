import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Activity } from '../../shared/activity.ts';
import { useStanding, type Standing } from '../../shared/standing.ts';
import { useToast } from '../../ui/toast.tsx';
import { isOpen, placeOf, type Permission } from '../permissions/permissions.ts';
import type { InboxItem } from './inbox-items.ts';
import { sessionsByTurn, useWaitingInbox } from './waiting.ts';

export type NeedsYou = {
  readonly standing: Pick<Standing, 'kind'> | null;
  readonly permissions: readonly Permission[];
  /** In the order of the inbox. */
  readonly inbox: readonly InboxItem[];
  readonly activity: Activity | undefined;
};

/** PAGE-622: the places that need you, most urgent first: recovery, permissions, decisions and reviews, sessions waiting for you. */
export const placesOf = ({ standing, permissions, inbox, activity }: NeedsYou): readonly string[] => [
  ...new Set([
    ...(standing?.kind === 'recovery' || standing?.kind === 'conflicts' ? ['/recovery'] : []),
    ...permissions.filter(isOpen).map((one) => placeOf(one) ?? '/'),
    ...inbox.filter(({ isWaiting }) => isWaiting).map(({ href }) => href),
    ...(activity === undefined ? [] : sessionsByTurn(activity).yours.map(({ sessionId }) => `/sessions/${encodeURIComponent(sessionId)}`)),
  ]),
];

/** The place after the current one, or the first if the current one is not listed. Null if there are none. */
export const nextPlace = (places: readonly string[], here: string): string | null =>
  places[(places.indexOf(here) + 1) % Math.max(1, places.length)] ?? null;

/** PAGE-622: `.` goes from one to the next, unless you are typing. */
export const NextThing = ({ activity, permissions }: Pick<NeedsYou, 'activity' | 'permissions'>) => {
  const standing = useStanding();
  const { items } = useWaitingInbox();
  const [path, navigate] = useLocation();
  const search = useSearch();
  const tell = useToast();
  const places = useMemo(() => placesOf({ standing, permissions, inbox: items ?? [], activity }), [standing, permissions, items, activity]);
  const here = search === '' ? path : `${path}?${search}`;
  const now = useRef({ places, here });
  useEffect(() => {
    now.current = { places, here };
  }, [places, here]);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isTaken = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;
      if (event.key !== '.' || isTaken || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const next = nextPlace(now.current.places, now.current.here);
      if (next === null) tell({ tone: 'good', title: 'You’re all caught up', text: 'Nothing needs you right now.' });
      else if (next === now.current.here) tell({ tone: 'info', title: 'This is the only thing that needs you' });
      else navigate(next);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [navigate, tell]);
  return null;
};
