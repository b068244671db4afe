import type { Programs } from './programs.ts';

// macOS reports these things through its own programs; Linux has files for them.

/** The state of a launchd job. */
export type Launched = { readonly label: string; readonly pid: number | null; readonly exit: number | null };

/**
 * VAL-36: `launchctl list` prints the process (or "-"), the last exit status and the label. A job matches by its whole label, or by the name of its
 * Homebrew formula.
 */
export const launchedIn = (output: string, asked: string): Launched | null => {
  const wanted = asked.toLowerCase();
  const jobs = output.split('\n').flatMap((line): readonly Launched[] => {
    const [, pid = '', exit = '', label = ''] = /^\s*(\d+|-)\s+(-?\d+|-)\s+(\S.*?)\s*$/u.exec(line) ?? [];
    return label === '' ? [] : [{ label, pid: pid === '-' || pid === '0' ? null : Number(pid), exit: exit === '-' ? null : Number(exit) }];
  });
  const own = jobs.filter(({ label }) => label.toLowerCase() === wanted || formulaOf(label) === wanted);
  // Two versions of a formula may be loaded: take the running one.
  return own.find(({ pid }) => pid !== null) ?? own[0] ?? null;
};

/** Finds "postgresql" in homebrew.mxcl.postgresql@16. */
const formulaOf = (label: string): string | null => /^homebrew\.mxcl\.([^@]+)(?:@.*)?$/iu.exec(label)?.[1]?.toLowerCase() ?? null;

/** VAL-36: `netstat -an -p tcp`: the port follows the last dot of the local address. */
export const macPortsIn = (output: string): readonly number[] =>
  output.split('\n').flatMap((line) => {
    const [, port] = /^tcp(?:4|6|46)\s+\d+\s+\d+\s+\S*\.(\d{1,5})\s+\S+\s+LISTEN(?:\s|$)/u.exec(line) ?? [];
    return port === undefined ? [] : [Number(port)];
  });

/** VAL-36: `ps -A -c -o pid=,stat=,comm=` prints the pid, the state and the name, which may contain spaces; never arguments. Zombies don't count. */
export const macNamesIn = (output: string): ReadonlyMap<number, string> =>
  new Map(
    output.split('\n').flatMap((line) => {
      const [, pid, state = '', name = ''] = /^\s*(\d+)\s+(\S+)\s+(\S.*?)\s*$/u.exec(line) ?? [];
      // Of a path only the last part counts, cut at 15 characters as on Linux, so that names compare.
      const short = (name.split('/').at(-1) ?? '').slice(0, 15);
      return pid === undefined || state.startsWith('Z') || short === '' ? [] : [[Number(pid), short] as const];
    }),
  );

/** The complete output of a program; null if it failed. */
export const saidBy = async (
  programs: Programs,
  name: Parameters<Programs['run']>[0],
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | null> => {
  const ran = await programs.run(name, args, { signal });
  return ran.fault === null && ran.code === 0 ? ran.output : null;
};
