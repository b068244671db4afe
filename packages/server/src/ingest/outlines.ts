import { join } from 'node:path';
import { linesOf, type Dialects } from '@yarnboard/transcript';
import type { Bounds } from './bounds.ts';
import { AGENT_HEAD, HEAD, outlineOf, type Outline } from './outline.ts';
import { inTime } from './patience.ts';
import type { SourceFile } from './source.ts';
import { sizeAt } from './sources.ts';

export type OutlinesOptions = {
  /** A transcript's project is the directory it was made in; null while it doesn't say, '' asks what the path alone proves. */
  readonly isExcluded: (path: string, project: string | null) => boolean;
  readonly dialects: Dialects;
  readonly patience: number;
  readonly bounds: () => Bounds;
  readonly onTrouble: (path: string, cause: unknown) => void;
};

export type Outlined = {
  readonly outlines: ReadonlyMap<string, Outline>;
  /** Files that could not be examined. They step aside: retrying each of them would delay the others. */
  readonly failed: ReadonlySet<string>;
};

/** Examines files before they are read, and remembers their projects. */
export type Outliner = {
  readonly outline: (files: readonly SourceFile[], signal: AbortSignal) => Promise<Outlined>;
  /** ING-12: by its path, by the directory it names, or by the directory its session's transcript names. */
  readonly isExcluded: (file: SourceFile) => boolean;
  /** Whether another examination would reveal nothing new. */
  readonly isLearned: (file: SourceFile) => boolean;
};

export const createOutliner = ({ isExcluded, dialects, patience, onTrouble, bounds }: OutlinesOptions): Outliner => {
  /** By path of the transcript; null for one whose first bytes reveal nothing and never will. */
  const projects = new Map<string, string | null>();

  const learn = async (path: string, { dialect, context: { sessionId } }: SourceFile, headBytes = HEAD): Promise<Outline> => {
    const outline = await inTime(outlineOf(path, { sessionId, agentId: null, dialect }, dialects, headBytes, bounds()), patience);
    if (outline.project !== null || (sizeAt(path)?.bytes ?? 0) >= HEAD) projects.set(path, outline.project);
    return outline;
  };

  const outline = async (files: readonly SourceFile[], signal: AbortSignal): Promise<Outlined> => {
    const outlines = new Map<string, Outline>();
    const failed = new Set<string>();
    const next = files[Symbol.iterator]();
    const work = async (): Promise<void> => {
      for (const file of next) {
        if (signal.aborted) return;
        try {
          if (file.isLines && file.isIndex !== true)
            outlines.set(file.path, await learn(file.path, file, isShort(dialects, file) ? AGENT_HEAD : HEAD));
          const main = mainOf(file);
          if (main !== null && !projects.has(main) && sizeAt(main) !== null) await learn(main, file);
        } catch (cause) {
          failed.add(file.path);
          onTrouble(file.path, cause);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { outlines, failed };
  };

  const projectsOf = (file: SourceFile): readonly string[] =>
    [projects.get(file.path), projects.get(mainOf(file) ?? '')].filter((project): project is string => project != null);

  return {
    outline,
    isExcluded: (file) => {
      const known = projectsOf(file);
      return known.length === 0 ? isExcluded(file.path, null) : known.some((project) => isExcluded(file.path, project));
    },
    isLearned: (file) => {
      if (file.isIndex === true) return true;
      const path = file.isLines ? file.path : mainOf(file);
      return path === null || projects.has(path);
    },
  };
};

/** The session's own transcript, for a file in its folder. */
const mainOf = ({ path, context: { sessionId }, role }: SourceFile): string | null => {
  const parts = path.split(/[/\\]/u);
  const at = role === 'main' ? -1 : parts.slice(0, -1).lastIndexOf(sessionId);
  return at === -1 ? null : `${join(parts.slice(0, at).join('/') || '/', sessionId)}.jsonl`;
};

// If lines are read in order, the first one has everything needed, and may be long.
const isShort = (dialects: Dialects, { role, dialect }: SourceFile): boolean => role === 'agent' && linesOf(dialects, dialect).kind !== 'ordered';

const AT_ONCE = 4;
