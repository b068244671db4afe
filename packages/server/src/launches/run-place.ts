import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

export type BadDirectory = {
  readonly kind: 'bad-directory';
  readonly cwd: string;
  readonly why: 'relative' | 'missing' | 'no-directory' | 'excluded';
};

/** RUN-15: why a directory cannot be used for a run. */
export const directoryFault = (cwd: string, isExcluded: (cwd: string) => boolean): BadDirectory | null => {
  const why = !isAbsolute(cwd) ? 'relative' : (whyNoDirectory(cwd) ?? (isExcluded(cwd) ? 'excluded' : null));
  return why === null ? null : { kind: 'bad-directory', cwd, why };
};

const whyNoDirectory = (path: string): 'missing' | 'no-directory' | null => {
  try {
    return statSync(path).isDirectory() ? null : 'no-directory';
  } catch {
    return 'missing'; // or not readable, which makes no difference for working there
  }
};

type Env = Readonly<Record<string, string | undefined>>;

// A server started from within Claude Code must not make its runs part of that session.
export const envOf = (env: Env): Env => Object.fromEntries(Object.entries(env).filter(([name]) => !OF_A_SESSION.has(name)));

const OF_A_SESSION: ReadonlySet<string> = new Set(['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_PID']);
