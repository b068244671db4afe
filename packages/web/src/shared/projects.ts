import type { InsideOutput } from '@yarnboard/protocol';

export type ListedSession = InsideOutput<'sessions'>['items'][number];

export type ProjectSessions = { readonly project: string | null; readonly sessions: readonly ListedSession[] };

/** Groups sessions by project; both keep the given order. */
export const byProject = (sessions: readonly ListedSession[]): readonly ProjectSessions[] => {
  const groups = new Map<string | null, ListedSession[]>();
  for (const session of sessions) {
    const group = groups.get(session.project);
    if (group === undefined) groups.set(session.project, [session]);
    else group.push(session);
  }
  return [...groups].map(([project, listed]) => ({ project, sessions: listed }));
};
