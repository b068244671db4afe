import type { GrowingSession, Session, SessionOutline } from '@yarnboard/transcript';

/**
 * READ-5: caches the outline until a new record arrives. A call without an end counts as running; the caller decides whether the session has been
 * quiet for long.
 */
export const createOutline = (session: Session, grown: Pick<GrowingSession, 'outline'>): (() => SessionOutline) => {
  let made: { readonly latest: unknown; readonly metas: number; readonly outline: SessionOutline } | null = null;
  return () => {
    if (made?.latest !== session.latest || made.metas !== session.metas.size)
      made = { latest: session.latest, metas: session.metas.size, outline: grown.outline() };
    return made.outline;
  };
};

/** The facts about a session as a whole. They contain nobody's words. */
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
