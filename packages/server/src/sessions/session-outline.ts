import type { GrowingSession, Session, SessionOutline } from '@yarnboard/transcript';

/** READ-5: made once until a record comes. A call without an end counts as running: whether its session has been quiet for long is for whoever shows it. */
export const createOutline = (session: Session, grown: Pick<GrowingSession, 'outline'>): (() => SessionOutline) => {
  let made: { readonly latest: unknown; readonly metas: number; readonly outline: SessionOutline } | null = null;
  return () => {
    if (made?.latest !== session.latest || made.metas !== session.metas.size)
      made = { latest: session.latest, metas: session.metas.size, outline: grown.outline() };
    return made.outline;
  };
};

/** What is told of a session as a whole, and has no words of anybody in it. */
export type SessionHead = Pick<SessionOutline, 'roots' | 'cycles' | 'tools' | 'branches' | 'activePath' | 'stretches' | 'compactions'>;

export const headOf = ({ roots, cycles, tools, branches, activePath, stretches, compactions }: SessionOutline): SessionHead => ({
  roots,
  cycles,
  tools,
  branches,
  activePath,
  stretches,
  compactions,
});
