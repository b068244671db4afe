import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useActor, useAsk, useBoard } from '../../live/hooks.tsx';
import { turnsIn, type ActiveSession, type Activity } from '../../shared/activity.ts';
import { useFreshBoard } from '../../shared/freshness.ts';
import { isOpen, type Permission } from '../permissions/permissions.ts';
import { inboxItems, pastItems, type Inbox, type InboxItem } from './inbox-items.ts';

export type WaitingInbox = {
  /** False if not signed in: nothing can wait for no one. */
  readonly isSomebody: boolean;
  readonly query: UseQueryResult<Inbox>;
  /** Undefined until loaded. */
  readonly items: readonly InboxItem[] | undefined;
};

/** PAGE-186: what is waiting for the current user, minus what is already settled on the board. */
export const useWaitingInbox = (): WaitingInbox => {
  const actor = useActor();
  const query = useAsk('inbox', {}, { isWanted: actor !== null });
  useFreshBoard('inbox');
  const { data } = query;
  const past = useBoard((board) => (data === undefined ? null : pastItems(board, data)), [data]);
  const items = useMemo(() => (data === undefined || past === null ? undefined : inboxItems(data, past)), [data, past]);
  return { isSomebody: actor !== null, query, items };
};

/** PAGE-185: sessions waiting for the user, and the others. */
export const sessionsByTurn = (activity: Activity): { readonly yours: readonly ActiveSession[]; readonly others: readonly ActiveSession[] } => {
  const turns = turnsIn(activity);
  const isYours = ({ sessionId }: ActiveSession): boolean => turns.get(sessionId) === 'yours';
  const isAtWork = ({ sessionId }: ActiveSession): boolean => turns.get(sessionId) !== 'quiet';
  const others = activity.sessions.filter((session) => !isYours(session));
  return { yours: activity.sessions.filter(isYours), others: others.toSorted((a, b) => Number(isAtWork(b)) - Number(isAtWork(a))) };
};

/** How many things need attention now. */
export const waitingCount = (
  activity: Activity | undefined,
  items: readonly InboxItem[] | undefined,
  permissions: readonly Permission[] | undefined,
): number =>
  (activity === undefined ? 0 : sessionsByTurn(activity).yours.length) +
  (permissions ?? []).filter(isOpen).length +
  (items ?? []).filter(({ isWaiting }) => isWaiting).length;
