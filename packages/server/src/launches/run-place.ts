import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

export type BadDirectory = {
  readonly kind: 'bad-directory';
  readonly cwd: string;
  readonly why: 'relative' | 'missing' | 'no-directory' | 'excluded';
};

/** RUN-15: why nothing can be run there. */
export const directoryFault = (cwd: string, isExcluded: (cwd: string) => boolean): BadDirectory | null => {
  const why = !isAbsolute(cwd) ? 'relative' : (whyNoDirectory(cwd) ?? (isExcluded(cwd) ? 'excluded' : null));
  return why === null ? null : { kind: 'bad-directory', cwd, why };
};

const whyNoDirectory = (path: string): 'missing' | 'no-directory' | null => {
  try {
    return statSync(path).isDirectory() ? null : 'no-directory';
  } catch {
    return 'missing'; // or not to be seen, which is the same for whoever wants to work there
  }
};

type Env = Readonly<Record<string, string | undefined>>;

// Whoever started the server from within Claude Code did not mean its runs to be part of that.
export const envOf = (env: Env): Env => Object.fromEntries(Object.entries(env).filter(([name]) => !OF_A_SESSION.has(name)));

const OF_A_SESSION: ReadonlySet<string> = new Set(['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_PID']);
