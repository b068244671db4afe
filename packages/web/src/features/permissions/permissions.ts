import type { UseQueryResult } from '@tanstack/react-query';
import type { InsideOutput } from '@yarnboard/protocol';
import { useAsk } from '../../live/hooks.tsx';
import { useFreshBoard } from '../../shared/freshness.ts';
import { nameOf } from '../../shared/names.ts';
import { toolWords } from './questions.ts';

type Permissions = InsideOutput<'permissions'>;
export type Permission = Permissions['items'][number];
export type PermissionRule = Permissions['rules'][number];

/** PAGE-310: permission requests of seats and runs. Seats push theirs at once; those of runs are polled every few seconds. */
export const usePermissions = (): UseQueryResult<Permissions> => {
  const permissions = useAsk('permissions', {}, { everyMs: LOOK });
  useFreshBoard('permissions');
  return permissions;
};

export const isOpen = ({ decision }: Permission): boolean => decision === null;

/** The display name of whoever is asking. */
export const askerOf = ({ agentId }: Permission): string => (agentId === null ? 'Claude' : nameOf(agentId));

export const titleOf = (permission: Permission): string => permission.title ?? wantOf(permission);

const wantOf = (permission: Permission): string => {
  const asker = askerOf(permission);
  if (permission.tool === 'AskUserQuestion') return `${asker} asks you`;
  return permission.tool === 'ExitPlanMode' ? `${asker} has a plan` : `${asker} wants to use ${toolWords(permission.tool)}`;
};

/** The path of the sidebar or session the request belongs to. */
export const placeOf = ({ sidebarId, sessionId }: Permission): string | null => {
  if (sidebarId !== null) return `/sidebars/${encodeURIComponent(sidebarId)}`;
  return sessionId === null ? null : `/sessions/${encodeURIComponent(sessionId)}`;
};

const LOOK = 3000;
