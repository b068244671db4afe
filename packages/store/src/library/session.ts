import type { SessionRow } from './port.ts';

/** Among how many messages of a session the first that has a number is looked for. */
export const FIRST_LOOKED_AT = 20;

type Link = { readonly sourceId: string; readonly by: string; readonly shared: number };

/** SESS-6: a session continues the one it shares most records with; message ids speak only where uuids are silent. */
export const continuesOf = (links: readonly Link[], forkedFrom: string | null, versions: readonly string[]): SessionRow['continues'] => {
  const best = (by: string): Link | undefined =>
    links
      .filter((link) => link.by === by)
      .sort(
        (a, b) => b.shared - a.shared || Number(b.sourceId === forkedFrom) - Number(a.sourceId === forkedFrom) || (a.sourceId < b.sourceId ? -1 : 1),
      )[0];
  const link = best('uuid') ?? best('message');
  if (link === undefined) return null;
  return { sessionId: link.sourceId, by: versions.every(wroteCopies) ? 'resume' : 'fork', shared: link.shared };
};

/** Up to 2.0.13 a resumed session was a copy in a new file; since then only a fork is. */
const wroteCopies = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return major < 2 || (major === 2 && minor === 0 && patch < 14);
};
