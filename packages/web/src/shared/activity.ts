import type { InsideOutput } from '@yarnboard/protocol';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAsk } from '../live/hooks.tsx';
import { turnOf, type Turn } from '../ui/wording.ts';
import { useFreshSessions } from './freshness.ts';

export type Activity = InsideOutput<'activity'>;
export type ActiveSession = Activity['sessions'][number];

/** What is running now. Known running sessions report at once; new ones are looked for every few seconds. */
export const useActivity = (): UseQueryResult<Activity> => {
  const activity = useAsk('activity', {}, { everyMs: LOOK });
  useFreshSessions(activity.data?.sessions.map(({ sessionId }) => sessionId) ?? NOBODY, 'activity');
  return activity;
};

/** PAGE-185: the state of each recently active session. */
export const turnsIn = ({ sessions, permissions }: Activity): ReadonlyMap<string, Turn> => {
  const asking = new Set(permissions.map(({ sessionId }) => sessionId));
  return new Map(sessions.map((session) => [session.sessionId, turnOf(session, asking.has(session.sessionId))]));
};

const LOOK = 3000;
const NOBODY: readonly string[] = [];
