import type { Outline } from './outline.ts';
import type { Group } from './plan.ts';
import type { SourceFile } from './source.ts';

/** A session whose file was found but hasn't been read to its end. */
export type PendingSession = { readonly group: Group; readonly outline: Outline };

/** The sessions waiting to be read, each until the last of its files is on the log. */
export type WaitingList = {
  readonly show: (groups: readonly Group[], files: readonly SourceFile[], outlines: ReadonlyMap<string, Outline>) => void;
  /** These files are on the log. */
  readonly remove: (paths: ReadonlySet<string>) => void;
  readonly clear: () => void;
  readonly all: () => readonly PendingSession[];
};

export const createWaitingList = (onChange: (sessions: readonly PendingSession[]) => void): WaitingList => {
  const sessions = new Map<string, PendingSession & { readonly unread: Set<string> }>();
  const all = (): readonly PendingSession[] => [...sessions.values()].map(({ group, outline }) => ({ group, outline }));

  return {
    show: (groups, files, outlines) => {
      const wanted = new Set(files.map((file) => file.path));
      sessions.clear();
      for (const group of groups) {
        const main = group.files.find((file) => file.agentId === null) ?? group.files[0];
        const outline = main === undefined ? undefined : outlines.get(main.path);
        if (main === undefined || outline === undefined || !wanted.has(main.path)) continue;
        sessions.set(group.sessionId, { group, outline, unread: new Set(group.files.map(({ path }) => path).filter((path) => wanted.has(path))) });
      }
      onChange(all());
    },
    remove: (paths) => {
      const before = sessions.size;
      for (const [sessionId, { unread }] of sessions) {
        for (const path of unread) if (paths.has(path)) unread.delete(path);
        if (unread.size === 0) sessions.delete(sessionId);
      }
      if (sessions.size !== before) onChange(all());
    },
    clear: () => {
      sessions.clear();
      onChange([]);
    },
    all,
  };
};
