import type { Programs } from './programs.ts';

// What macOS tells by programs of its own. Linux has files for the same.

/** How launchd stands to a job; null when it has none of this name. */
export type Launched = { readonly label: string; readonly pid: number | null; readonly exit: number | null };

/** VAL-36: `launchctl list`: the process (or "-"), how it ended last, and the label. A job is meant by its whole label, or by the formula that it was made for. */
export const launchedIn = (output: string, asked: string): Launched | null => {
  const wanted = asked.toLowerCase();
  const jobs = output.split('\n').flatMap((line): readonly Launched[] => {
    const [, pid = '', exit = '', label = ''] = /^\s*(\d+|-)\s+(-?\d+|-)\s+(\S.*?)\s*$/u.exec(line) ?? [];
    return label === '' ? [] : [{ label, pid: pid === '-' || pid === '0' ? null : Number(pid), exit: exit === '-' ? null : Number(exit) }];
  });
  const own = jobs.filter(({ label }) => label.toLowerCase() === wanted || formulaOf(label) === wanted);
  // Two versions of one formula may be loaded: what runs is meant.
  return own.find(({ pid }) => pid !== null) ?? own[0] ?? null;
};

/** "postgresql" of homebrew.mxcl.postgresql@16. */
const formulaOf = (label: string): string | null => /^homebrew\.mxcl\.([^@]+)(?:@.*)?$/iu.exec(label)?.[1]?.toLowerCase() ?? null;

/** VAL-36: `netstat -an -p tcp`: the port stands behind the last dot of the local address. */
export const macPortsIn = (output: string): readonly number[] =>
  output.split('\n').flatMap((line) => {
    const [, port] = /^tcp(?:4|6|46)\s+\d+\s+\d+\s+\S*\.(\d{1,5})\s+\S+\s+LISTEN(?:\s|$)/u.exec(line) ?? [];
    return port === undefined ? [] : [Number(port)];
  });

/** VAL-36: `ps -A -c -o pid=,stat=,comm=`: the number, the state and the name, which may have spaces; never arguments. Zombies have ended. */
export const macNamesIn = (output: string): ReadonlyMap<number, string> =>
  new Map(
    output.split('\n').flatMap((line) => {
      const [, pid, state = '', name = ''] = /^\s*(\d+)\s+(\S+)\s+(\S.*?)\s*$/u.exec(line) ?? [];
      // Of a path only the last part is the name; it is compared as Linux has it, cut at 15 characters.
      const short = (name.split('/').at(-1) ?? '').slice(0, 15);
      return pid === undefined || state.startsWith('Z') || short === '' ? [] : [[Number(pid), short] as const];
    }),
  );

/** What a program says when it says all of it; null otherwise. */
export const saidBy = async (
  programs: Programs,
  name: Parameters<Programs['run']>[0],
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | null> => {
  const ran = await programs.run(name, args, { signal });
  return ran.fault === null && ran.code === 0 ? ran.output : null;
};
