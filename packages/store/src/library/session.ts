import { withoutCutWord } from '@yarnboard/transcript';
import type { SessionRow } from './port.ts';
import { spentFrom, type SpentSqlRow } from './spending.ts';

/** The first numbered message of a session is looked for among this many. */
export const FIRST_LOOKED_AT = 20;

/** A session's row as stored: lists as text, titles by their source. */
export type StoredSession = SpentSqlRow &
  Omit<SessionRow, 'spent' | 'versions' | 'models' | 'title' | 'continues'> & {
    readonly versions: string;
    readonly models: string;
    readonly firstPrompt: string | null;
    readonly firstCommand: string | null;
    readonly customTitle: string | null;
    readonly aiTitle: string | null;
    readonly forkedFrom: string | null;
  };

/** Field by field: a database row has columns that stay internal. */
export const sessionRowOf = (row: StoredSession, summary: string | null, links: readonly Link[]): SessionRow => {
  const versions = JSON.parse(row.versions) as readonly string[]; // we wrote it
  const asked = row.firstPrompt ?? row.firstCommand;
  return {
    sessionId: row.sessionId,
    tool: row.tool,
    project: row.project,
    title: row.customTitle ?? row.aiTitle ?? summary ?? (asked === null ? null : withoutCutWord(asked)),
    firstAt: row.firstAt,
    lastAt: row.lastAt,
    firstPosition: row.firstPosition,
    lastPosition: row.lastPosition,
    entries: row.entries,
    bytes: row.bytes,
    messages: row.messages,
    copied: row.copied,
    exchanges: row.exchanges,
    toolUses: row.toolUses,
    toolResults: row.toolResults,
    errors: row.errors,
    compactions: row.compactions,
    quarantined: row.quarantined,
    companions: row.companions,
    takebacks: row.takebacks,
    inTool: row.inTool === 'there' ? null : row.inTool,
    sidechains: row.sidechains,
    versions,
    models: JSON.parse(row.models) as readonly string[],
    spent: spentFrom(row),
    continues: continuesOf(links, row.forkedFrom, versions),
  };
};

export type Link = { readonly sourceId: string; readonly by: string; readonly shared: number };

/** SESS-6: a session continues the one it shares the most records with; message ids count only without shared uuids. */
const continuesOf = (links: readonly Link[], forkedFrom: string | null, versions: readonly string[]): SessionRow['continues'] => {
  const best = (by: string): Link | undefined =>
    links
      .filter((link) => link.by === by)
      .sort(
        (a, b) => b.shared - a.shared || Number(b.sourceId === forkedFrom) - Number(a.sourceId === forkedFrom) || (a.sourceId < b.sourceId ? -1 : 1),
      )[0];
  const link = best('uuid') ?? best('message');
  // A fork may share nothing with its origin, but still name it.
  if (link === undefined) return forkedFrom === null ? null : { sessionId: forkedFrom, by: 'fork', shared: 0 };
  return { sessionId: link.sourceId, by: link.sourceId !== forkedFrom && versions.every(wroteCopies) ? 'resume' : 'fork', shared: link.shared };
};

/** Up to 2.0.13 a resumed session was a copy in a new file; since then only a fork is. */
const wroteCopies = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return major < 2 || (major === 2 && minor === 0 && patch < 14);
};
