import { addFile, appendEntry, createSession, type Session } from './session.ts';

/**
 * PATH-8: a logged session as it was at a position: its records up to there, without reading them again, and what names their branches. Titles and
 * other records beside the conversation are left out; if nothing came later, it is the session itself.
 */
export const cutSession = (session: Session, position: number): Session => {
  if (session.latest === null || session.latest.place.offset <= position) return session;
  const cut = createSession(session.id);
  for (const file of session.files) addFile(cut, file);
  cut.writtenBy = session.writtenBy;
  for (const { entry, file } of session.graph.nodes.values()) if (entry.place.offset <= position) appendEntry(cut, file, entry);
  for (const one of session.lastPrompts) if (one.offset <= position) cut.lastPrompts.push(one);
  for (const one of session.takebacks) if (one.offset <= position) cut.takebacks.push(one);
  return cut;
};
